"""Hostile and clumsy input, second round: a specification. Each row is what is there, the command, the exit code, and words of the answer."""

import shlex
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

import poissonmatch as pm
import poissonmatch_games as games
from helpers.bad_files import GOOD
from helpers.command_line import call
from helpers.hostile import cut, device, edit, folder, listing, nothing, pipe, text, with_points, with_title
from helpers.runs import run_study
from poissonmatch.cli import terminal
from poissonmatch.cli.main import BAD_INPUT, ENVIRONMENT, INTEGRITY
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.report import reports
from poissonmatch.studies.results import integrity
from poissonmatch.studies.run import stages
from poissonmatch_games import tables as game_tables

PATIENCE = 120  # seconds on a slow machine; what waits for a pipe waits for ever
STUDY = "studies: {a: {dims: 1, sizes: 20, replicates: 2}}\nfigures: {tail: {kind: tail, studies: a}}\n"
DIGITS = "9" * 400
NO_FILE = "not ours: not a regular file"


class Case(NamedTuple):
    given: Callable[[Path], object]
    command: str
    code: int
    said: tuple[str, ...]


PROFILES = {
    "slurm without sbatch": Case(
        nothing, "run ../s.yaml --profile slurm", ENVIRONMENT, ("--profile slurm: no sbatch here: run this on the login node",)
    ),
    "an executor in quotes": Case(
        text("profiles/mine/config.yaml", 'executor: "slurm"\n'), "run ../s.yaml --profile mine", ENVIRONMENT, ("no sbatch here",)
    ),
    "a profile that is no YAML": Case(
        text("profiles/mine/config.yaml", "executor: [slurm\n"), "run ../s.yaml --profile mine", BAD_INPUT,
        ("mine/config.yaml: not valid YAML", "line 2"),
    ),
    "a profile that is a list": Case(
        text("profiles/mine/config.yaml", "- slurm\n"), "run ../s.yaml --profile mine", BAD_INPUT, ("a YAML mapping",)
    ),
}  # fmt: skip
PAGES = {  # with finished results
    "a report that is cut": Case(cut("results/s/report.html"), "verify ../results/s", INTEGRITY, ("s/report.html: damaged",)),
    "a report that is edited": Case(
        edit("results/s/report.html", "Stable matchings", "Fable matchings"), "verify ../results/s", INTEGRITY, ("s/report.html: damaged",)
    ),
    **{
        f"facts that are edited, {command}": Case(edit("results/s/pages.json", '"study": "', '"study": "0'), command, *answer)
        for command, answer in {"verify ../s.yaml --results ../results": (INTEGRITY, ("s/pages.json: out of date: other study",)),
                                "repair ../s.yaml --results ../results": (0, ("pages.json: moved to",))}.items()
    },
    "a fact that is a number": Case(edit("results/s/pages.json", '"facts": {', '"facts": {\n  "a": 1,'), "verify ../results/s", INTEGRITY, ("facts.a",)),
    "an unknown key of a page": Case(edit("results/s/pages.json", '{', '{\n "a": 1,'), "verify ../results/s", INTEGRITY, ("s/pages.json: damaged",)),
    "an unknown key of a figure": Case(edit("results/s/figures/tail.json", '{', '{\n "a": 1,'), "verify ../results/s", INTEGRITY, ("tail.json: damaged",)),
    "a report that is gone": Case(
        lambda home: (home / "results/s/report.html").unlink(), "verify ../results/s", INTEGRITY, ("s/report.html: missing",)
    ),
    "a report that nothing lists": Case(
        lambda home: (home / "results/s/pages.json").unlink(), "verify ../results/s", INTEGRITY, ("s/report.html: unfinished",)
    ),
    "the figures of the paper": Case(
        lambda home: (home / "paper-figures/figure-1.pdf").write_bytes(b"x"), "verify ../paper-figures", INTEGRITY,
        ("paper-figures/figure-1.pdf: damaged",),
    ),
}  # fmt: skip
POINTS = {
    "a coordinate of 400 digits": Case(
        with_points(f"x,y\n1,1\n{DIGITS},2\n"), "simulate ../s.yaml", BAD_INPUT, ("p.csv: line 3, column 'x': '999", "is not a number")
    ),
    "pads of 400 digits": Case(
        text("p.csv", f"x,y\n1,1\n{DIGITS},2\n"), "play --points ../p.csv --human nobody", BAD_INPUT, ("p.csv:", "column 'x'")
    ),
    "a title of 60 nested braces": Case(
        with_title("$" + "{" * 60 + "x" + "}" * 60 + "$"), "validate ../s.yaml", BAD_INPUT,
        ("line 4: figures.f.title", "nested more than 20 levels deep"),
    ),
}  # fmt: skip
PLACES = {  # with finished results
    "a table that is a pipe": Case(pipe("results/s/estimates.parquet"), "verify ../results/s", INTEGRITY, (f"estimates.parquet: {NO_FILE}",)),
    "a table that is a device": Case(device("results/s/estimates.parquet"), "verify ../results/s", INTEGRITY, (f"estimates.parquet: {NO_FILE}",)),
    "a manifest that is a device": Case(device("results/s/manifest.json"), "draw ../s.yaml --results ../results", INTEGRITY, (f"s/manifest.json: {NO_FILE}",)),
    "a manifest that is a folder": Case(folder("results/s/manifest.json"), "aggregate ../s.yaml --results ../results", ENVIRONMENT, ("manifest.json",)),
    "a figure that is a pipe": Case(pipe("results/s/figures/tail.png"), "verify ../results/s", INTEGRITY, ("figures/tail.png: not ours: not a regular file",)),
    "a style that is a pipe": Case(
        lambda home: (pipe("m.mplstyle")(home), text("s.yaml", STUDY.replace("kind: tail", "kind: tail, style: m.mplstyle"))(home)),
        "validate ../s.yaml", BAD_INPUT, ("m.mplstyle", "not a regular file")),
    "a style of 2 MB": Case(
        lambda home: (text("m.mplstyle", b"#" * 2_000_000)(home), text("s.yaml", STUDY.replace("kind: tail", "kind: tail, style: m.mplstyle"))(home)),
        "validate ../s.yaml", BAD_INPUT, ("m.mplstyle", "2000000 bytes is too large; at most 1000000")),
    "pads from a pipe": Case(pipe("p.csv"), "play --points ../p.csv --human nobody", BAD_INPUT, ("p.csv: not a regular file",)),
    "a table of games that is a pipe": Case(
        pipe("t.parquet"), "games toads-and-frogs --k 0 --a 1 --b 1 --output ../t.parquet", INTEGRITY, ("t.parquet: not ours: not a regular file",)),
    **{
        f"{what} that lists {name[:9]!r}": Case(listing(manifest, *keys, name=name), "verify ../results/s", INTEGRITY,
                                                (manifest.rpartition("/")[2].lstrip("*"), "it does not list exactly its own files"))
        for what, manifest, keys in (("a figure", "results/s/figures/tail.json", ("sha256",)),
                                     ("the pages", "results/s/pages.json", ("sha256",)))
        for name in ("/dev/zero", "../../../s.yaml", "a\0b", "..", "")
    },
    **{
        f"a batch that lists {name[:9]!r}": Case(listing("results/s/blocks/*.json", "sha256", name=name),
                                                 "status ../s.yaml --results ../results", 0, ("0 of 2 ",))
        for name in ("/dev/zero", "../../../s.yaml", "a\0b")
    },
}  # fmt: skip
OUTPUTS = {  # of the commands of games; nothing is written
    "a picture for a table": Case(nothing, "games toads-and-frogs --output t.png", BAD_INPUT, ("t.png: the file must end in .parquet",)),
    "no Parquet file": Case(text("t.parquet", "mine"), "games triangle --output ../t.parquet", INTEGRITY, ("t.parquet: damaged: or not a Parquet file",)),
    "a table of another program": Case(
        lambda home: pd.DataFrame({"x": [1]}).to_parquet(home / "t.parquet"), "games triangle --output ../t.parquet", BAD_INPUT,
        ("t.parquet: exists, and is no table 'triangle' of poissonmatch", "--force")),
    "a table of another kind": Case(
        lambda home: game_tables.triangle(home / "t.parquet", 2), "games toads-and-frogs --k 0 --a 1 --b 1 --output ../t.parquet", BAD_INPUT,
        ("t.parquet: exists, and is no table 'toads_and_frogs' of poissonmatch",)),
    "a picture beside the table": Case(
        text("t.png", "mine"), "games toads-and-frogs --k 0 --a 1 --b 1 --output ../t.parquet", BAD_INPUT,
        ("t.png: exists, and is not a file of poissonmatch",)),
    "notes beside a drawing": Case(text("t.txt", "mine"), "games nim-table --output ../t.png", BAD_INPUT, ("t.txt: exists",)),
    "a photograph": Case(text("t.png", b"\x89PNG mine"), "games puzzle --output ../t.png", BAD_INPUT, ("t.png: exists", "--force")),
    "a drawing of another program": Case(text("t.svg", "<svg/>"), "games strip T.F --output ../t.svg", BAD_INPUT, ("t.svg: exists",)),
}  # fmt: skip
COSTS = {
    "a heap of 10^7": Case(nothing, "games solve grundys-game 10000000", BAD_INPUT, ("2.5e+13 steps", "max_steps = 1e+11", "use --allow-long to try anyway")),
    "a sum with one": Case(nothing, "games solve 'nim + grundys-game' '3 + 10000000'", BAD_INPUT, ("2.5e+13 steps", "--allow-long")),
    "a long strip": Case(nothing, "games value 'T^12 .^12 F^12'", BAD_INPUT, ("up to 3.4e+15 positions can follow", "use --allow-long to try anyway")),
}  # fmt: skip
ESCAPE = "a\x1b[31m\nb"
SHOWN = r"a\x1b[31m\nb"
NAMES = {  # with finished results
    "a stray file is named": Case(text(f"results/s/blocks/{ESCAPE}", "x"), "verify ../results/s", INTEGRITY, (f"blocks/{SHOWN}: not ours",)),
    "a stray file is moved": Case(
        text(f"results/s/blocks/{ESCAPE}", "x"), "repair ../s.yaml --results ../results", 0, (f"blocks/{SHOWN}: moved to", f"quarantine/blocks/{SHOWN}")),
    "a folder that is verified": Case(lambda home: (home / "results/s").rename(home / ESCAPE), f"verify '../{ESCAPE}'", 0, (f"../{SHOWN}: ", "files verified")),
    "a block that is reproduced": Case(
        lambda home: (home / "results/s").rename(home / ESCAPE), f"reproduce ../'{ESCAPE}'/blocks/x.json", INTEGRITY, (SHOWN,)),
    "a picture": Case(nothing, f"games strip T.F --output '{ESCAPE}.svg'", 0, (f"{SHOWN}.svg",)),
    "a folder that is not there": Case(nothing, f"games strip T.F --output /proc/'{ESCAPE}'/x.svg", INTEGRITY, (SHOWN,)),
}  # fmt: skip
CERTIFICATE = '{"kind": "cases", "name": "x", "statement": "", "uses": ["%s"], "claims": []}'
CERTIFICATES = {
    "it uses a pipe": Case(lambda home: (pipe("d.json")(home), text("c.json", CERTIFICATE % "d.json")(home)), "games check ../c.json", INTEGRITY,
        ("'d.json'",)),
    "it is a pipe": Case(pipe("c.json"), "games check ../c.json", BAD_INPUT, ("c.json' is neither a file",)),
}  # fmt: skip

BAD_LABEL = "figures:\n  f: {kind: tail, studies: a, labels: {a: '$\\input{/etc/passwd}$'}}\n"
OWN = {  # in areas of their own: large games, loops of links, folders of the system, names, numbers beside the range
    "a ring of 10^8 vertices": Case(nothing, "games solve 'ring(99999999)'", BAD_INPUT, ("at most 10000 vertices, got 99999999",)),
    "a sum of 2,000 games": Case(
        nothing, "games solve '" + "nim + " * 1999 + "nim' 1", BAD_INPUT, ("a position of a sum of 2000 games must have 2000 entries, got 1",)
    ),
    "a graph of 3,000 heaps": Case(nothing, "games graph nim '" + "1 " * 3000 + "'", BAD_INPUT, ("more than 1000 positions can be reached",)),
    "30 spots": Case(nothing, "games trace sprouts 30", BAD_INPUT, ("the number of spots must be at most 12, got 30",)),
    "powers of powers": Case(nothing, "games value '(((((T.F)^9)^9)^9)^9)^9'", BAD_INPUT, ("a strip has at most 10000 squares",)),
    "a range of 11 digits": Case(
        nothing, "games toads-and-frogs --k 0..99999999999 --a 1 --b 1", BAD_INPUT, ("a range must be", "'0..99999999999'")
    ),
    "a link to itself, verified": Case(
        lambda home: (home / "loop").symlink_to("loop"), "reproduce ../loop/x.json", INTEGRITY, ("../loop/x.json: not ours: Too many levels",)
    ),
    "results in /proc": Case(nothing, "report ../s.yaml --results /proc", INTEGRITY, ("/proc/s/manifest.json: missing",)),
    "results in the study file": Case(nothing, "repair ../s.yaml --results ../s.yaml", BAD_INPUT, ("there are no results",)),
    "a figure of a study without": Case(nothing, "draw ../s.yaml nofigure", BAD_INPUT, ("has no figure 'nofigure'; there are none",)),
    "a label that reads a file": Case(
        lambda home: (home / "s.yaml").write_text(GOOD + BAD_LABEL), "validate ../s.yaml", BAD_INPUT, ("line 4", "the label is not a formula")
    ),
    "a study that is like a file elsewhere": Case(nothing, "new x --like ../../etc/passwd", BAD_INPUT, ("the package has no study with this name",)),
    "a ratio of 1e300": Case(nothing, "play --ratio 1e300 --human nobody", BAD_INPUT, ("ratio must be a number from 0 to 1e9, got 1e+300",)),
    "a color for a player": Case(nothing, "play --human '\x1b[31m'", BAD_INPUT, (r"got '\x1b[31m'",)),
}  # fmt: skip


CASES = PROFILES | PAGES | POINTS | PLACES | OUTPUTS | COSTS | NAMES | CERTIFICATES | OWN


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with a study file s.yaml, and its results with figures, the report, and the figures of the paper."""
    home = tmp_path_factory.mktemp("finished")
    (home / "s.yaml").write_text(STUDY)
    file, results = studies.load(home / "s.yaml"), run_study(home / "s.yaml", home / "results")
    stages.draw(file, results)
    reports.report(home / "s.yaml", file, results)
    reports.write_page(home / "paper-figures", "index.html", {"index.html": b"x", "figure-1.pdf": b"y"}, {})
    assert [integrity.verify(home / name).problems for name in ("results/s", "paper-figures")] == [[], []]
    return home


@pytest.fixture
def work(tmp_path, monkeypatch):
    """An empty folder to work in, below `home`; no program can be found."""
    (tmp_path / "home" / "work").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "home" / "work")
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    return tmp_path / "home"


def check_case(work: Path, case: Case, finished: Path | None, unchanged: bool) -> None:
    """Run the command of a case. finished: results that are there. unchanged: whether all files keep their bytes."""
    given, command, code, said = case
    if finished:
        shutil.copytree(finished, work, dirs_exist_ok=True, symlinks=True)
    else:
        (work / "s.yaml").write_text(GOOD)
    given(work)
    small = [path for path in work.rglob("*") if unchanged and path.is_file() and path.stat().st_size < 10**6]
    before = {path: path.read_bytes() for path in small}
    signal.alarm(PATIENCE)
    try:
        status, answer = call(*shlex.split(command))
    finally:
        signal.alarm(0)
    assert (status, [words for words in said if words not in answer]) == (code, []), answer[-2000:]
    assert all(path.read_bytes() == data for path, data in before.items())
    assert "Traceback" not in answer and len(answer.splitlines()) <= 30 and answer.replace("\n", "").isprintable()


@pytest.mark.parametrize("case", CASES)
def test_a_hostile_case(work, request, case):
    there = request.getfixturevalue("finished") if case in {**PAGES, **PLACES, **NAMES} else None
    check_case(work, CASES[case], there, unchanged=case in OUTPUTS)


@pytest.mark.slow
def test_what_is_overwritten(work):
    """A table, a drawing and a certificate of this program, and with --force anything else."""
    for command in ("triangle --total 3 --output t.parquet", "toads-and-frogs --k 0 --a 1 --b 1 --memory 600MB --output u.parquet",
                    "nim-table --size 2 --output n.png", "strip T.F --output s.svg", "graph nim 1 --output g.dot",
                    "graph nim 1 --output g.svg", "strip T.F --show play --output m.svg", "value T.F --thermograph v.pdf"):  # fmt: skip
        for _ in range(2):
            code, answer = call("games", *command.split())
            assert code == 0, answer
    Path("t.parquet").write_bytes(b"mine")
    assert call("games", *"toads-and-frogs --k 0 --a 1 --b 1 --memory 600MB --output t.parquet --force".split())[0] == 0
    assert pm.load("t.parquet").attrs["table"] == "toads_and_frogs"


def test_the_option_that_tries_nevertheless(work, monkeypatch):
    monkeypatch.setattr(games.impartial.ImpartialGame, "max_steps", 10)
    monkeypatch.setattr(games.ToadsAndFrogs, "max_arrangements", 10)
    monkeypatch.setattr("poissonmatch_games.toads.ruleset.FEW", 3)
    for command in ("solve kayles 50", "solve 'nim + kayles' '3 + 50'", "value TT..FF"):
        assert call("games", *shlex.split(command))[0] == BAD_INPUT
        code, answer = call("games", *shlex.split(command), "--allow-long")
        assert code == 0, answer


def test_a_strip_with_few_positions_is_not_refused():
    """By count, however many arrangements its pieces have; the option of the class is named."""
    assert str(games.ToadsAndFrogs("F^12 .^12 T^12").value) == "0"
    with pytest.raises(ValueError, match="max_arrangements"):
        games.ToadsAndFrogs("T^12 .^12 F^12").value  # noqa: B018


def test_retrograde_analysis_of_many_points():
    pattern = pm.processes.binomial(pm.Torus(1.0, 2), 400, rng=1)
    with pytest.raises(
        ValueError,
        match=r"400 pads has up to 1.3e\+08 moves in all positions, more than max_steps=1e\+07.*max_steps=1.3e\+08",
    ):
        pm.frogs.retrograde.Analysis(pattern)
    assert pm.frogs.retrograde.Analysis(pattern, max_steps=1e9).rules


@pytest.mark.slow
def test_a_line_after_two_seconds(capsys):
    with terminal.at_work("kayles"):
        time.sleep(2.5)
    with terminal.at_work("nim"):
        pass
    assert capsys.readouterr().err == "kayles: still at work after 2 seconds; Ctrl-C stops it\n"


@pytest.mark.parametrize(("bounds", "error"), [({"seconds": 0.2}, TimeoutError), ({"memory": 1e8}, MemoryError)])
def test_bounds_of_time_and_memory(bounds, error):
    """They hold within, and no longer afterwards."""
    with pytest.raises(error), terminal.bounded("it", **bounds):
        hoard = []
        while True:
            hoard.append(bytes(10**6) if "memory" in bounds else None)
            hoard = hoard[-500:]
    time.sleep(0.3)
    assert len(bytes(3 * 10**8)) == 3 * 10**8
