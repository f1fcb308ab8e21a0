"""Hostile and clumsy input, second round: a specification. Each row is what is there, the command, the exit code, and words of the answer."""

import shlex
import time
from pathlib import Path

import pandas as pd
import pytest

import poissonmatch as pm
import poissonmatch_games as games
from helpers.bad_files import GOOD
from helpers.command_line import call
from helpers.hostile import (
    STUDY,
    Case,
    check_case,
    cut,
    damaged,
    device,
    each,
    edit,
    folder,
    link,
    listing,
    nothing,
    pipe,
    refused,
    text,
    with_points,
    with_title,
)
from helpers.refusals import rows
from poissonmatch.cli import terminal
from poissonmatch.cli.main import BAD_INPUT, ENVIRONMENT, INTEGRITY
from poissonmatch_games import tables as game_tables

DIGITS = "9" * 400
NO_FILE = "not ours: not a regular file"
TABLE = "games toads-and-frogs --k 0 --a 1 --b 1 --output ../t.parquet"
STYLE = text("s.yaml", STUDY.replace("kind: tail", "kind: tail, style: m.mplstyle"))
PROFILES = {
    "a profile that is no YAML": refused(
        "run ../s.yaml --profile mine", "mine/config.yaml: not valid YAML", "line 2", given=text("profiles/mine/config.yaml", "executor: [slurm\n")
    ),
    "a profile that is a list": refused("run ../s.yaml --profile mine", "a YAML mapping", given=text("profiles/mine/config.yaml", "- slurm\n")),
}  # fmt: skip
PAGES = {
    "a report that is cut": damaged(cut("results/s/report.html"), "s/report.html: damaged"),
    "a report that is edited": damaged(edit("results/s/report.html", "Stable matchings", "Fable matchings"), "s/report.html: damaged"),
    **{
        f"facts that are edited, {command}": Case(edit("results/s/pages.json", '"study": "', '"study": "0'), command, *answer)
        for command, answer in {"verify ../s.yaml --results ../results": (INTEGRITY, ("s/pages.json: out of date: other study",)),
                                "repair ../s.yaml --results ../results": (0, ("pages.json: moved to",))}.items()
    },
    "a fact that is a number": damaged(edit("results/s/pages.json", '"facts": {', '"facts": {\n  "a": 1,'), "facts.a"),
    "an unknown key of a page": damaged(edit("results/s/pages.json", '{', '{\n "a": 1,'), "s/pages.json: damaged"),
    "an unknown key of a figure": damaged(edit("results/s/figures/tail.json", '{', '{\n "a": 1,'), "tail.json: damaged"),
    "a report that is gone": damaged(lambda home: (home / "results/s/report.html").unlink(), "s/report.html: missing"),
    "a report that nothing lists": damaged(lambda home: (home / "results/s/pages.json").unlink(), "s/report.html: unfinished"),
    "the figures of the paper": damaged(text("paper-figures/figure-1.pdf", "x"), "paper-figures/figure-1.pdf: damaged", command="verify ../paper-figures"),
}  # fmt: skip
POINTS = {
    "a coordinate of 400 digits": refused("simulate ../s.yaml", "p.csv: line 3, column 'x': '999", "is not a number",
        given=with_points(f"x,y\n1,1\n{DIGITS},2\n")),
    "pads of 400 digits": refused("play --points ../p.csv --human nobody", "p.csv:", "column 'x'", given=text("p.csv", f"x,y\n1,1\n{DIGITS},2\n")),
    "a title of 60 nested braces": refused("validate ../s.yaml", "line 4: figures.f.title", "nested more than 20 levels deep",
        given=with_title("$" + "{" * 60 + "x" + "}" * 60 + "$")),
}  # fmt: skip
PLACES = {
    "a table that is a pipe": damaged(pipe("results/s/estimates.parquet"), f"estimates.parquet: {NO_FILE}"),
    "a table that is a device": damaged(device("results/s/estimates.parquet"), f"estimates.parquet: {NO_FILE}"),
    "a manifest that is a device": damaged(device("results/s/manifest.json"), f"s/manifest.json: {NO_FILE}",
        command="draw ../s.yaml --results ../results"),
    "a manifest that is a folder": Case(folder("results/s/manifest.json"), "aggregate ../s.yaml --results ../results", ENVIRONMENT, ("manifest.json",)),
    "a figure that is a pipe": damaged(pipe("results/s/figures/tail.png"), "figures/tail.png: not ours: not a regular file"),
    "a style that is a pipe": refused("validate ../s.yaml", "m.mplstyle", "not a regular file", given=each(pipe("m.mplstyle"), STYLE)),
    "a style of 2 MB": refused("validate ../s.yaml", "m.mplstyle", "2000000 bytes is too large; at most 1000000",
        given=each(text("m.mplstyle", b"#" * 2_000_000), STYLE)),
    "pads from a pipe": refused("play --points ../p.csv --human nobody", "p.csv: not a regular file", given=pipe("p.csv")),
    "a table of games that is a pipe": damaged(pipe("t.parquet"), "t.parquet: not ours: not a regular file", command=TABLE),
    **{
        f"{what} that lists {name[:9]!r}": damaged(listing(manifest, name), manifest.rpartition("/")[2].lstrip("*"),
            "it does not list exactly its own files")
        for what, manifest in (("a figure", "results/s/figures/tail.json"), ("the pages", "results/s/pages.json"))
        for name in ("/dev/zero", "../../../s.yaml", "a\0b", "..", "")
    },
    **{
        f"a batch that lists {name[:9]!r}": Case(listing("results/s/blocks/*.json", name),
                                                 "status ../s.yaml --results ../results", 0, ("0 of 2 ",))
        for name in ("/dev/zero", "../../../s.yaml", "a\0b")
    },
}  # fmt: skip
OUTPUTS = {  # of the commands of games; nothing is written
    "a picture for a table": refused("games toads-and-frogs --output t.png", "t.png: the file must end in .parquet"),
    "no Parquet file": damaged(text("t.parquet", "mine"), "t.parquet: damaged: or not a Parquet file", command="games triangle --output ../t.parquet"),
    "a table of another program": refused("games triangle --output ../t.parquet", "t.parquet: exists, and is no table 'triangle' of poissonmatch", "--force",
        given=lambda home: pd.DataFrame({"x": [1]}).to_parquet(home / "t.parquet")),
    "a table of another kind": refused(TABLE, "t.parquet: exists, and is no table 'toads_and_frogs' of poissonmatch",
        given=lambda home: game_tables.triangle(home / "t.parquet", 2)),
    "a picture beside the table": refused(TABLE, "t.png: exists, and is not a file of poissonmatch", given=text("t.png", "mine")),
    "notes beside a drawing": refused("games nim-table --output ../t.png", "t.txt: exists", given=text("t.txt", "mine")),
    "a photograph": refused("games puzzle --output ../t.png", "t.png: exists", "--force", given=text("t.png", b"\x89PNG mine")),
    "a drawing of another program": refused("games strip T.F --output ../t.svg", "t.svg: exists", given=text("t.svg", "<svg/>")),
}  # fmt: skip
ESCAPE = "a\x1b[31m\nb"
SHOWN = r"a\x1b[31m\nb"


def renamed(home: Path) -> None:
    (home / "results/s").rename(home / ESCAPE)


NAMES = {
    "a stray file is named": damaged(text(f"results/s/blocks/{ESCAPE}", "x"), f"blocks/{SHOWN}: not ours"),
    "a stray file is moved": Case(
        text(f"results/s/blocks/{ESCAPE}", "x"), "repair ../s.yaml --results ../results", 0, (f"blocks/{SHOWN}: moved to", f"quarantine/blocks/{SHOWN}")),
    "a folder that is verified": Case(renamed, f"verify '../{ESCAPE}'", 0, (f"../{SHOWN}: ", "files verified")),
    "a block that is reproduced": damaged(renamed, SHOWN, command=f"reproduce ../'{ESCAPE}'/blocks/x.json"),
    "a picture": Case(nothing, f"games strip T.F --output '{ESCAPE}.svg'", 0, (f"{SHOWN}.svg",)),
    "a folder that is not there": damaged(nothing, SHOWN, command=f"games strip T.F --output /proc/'{ESCAPE}'/x.svg"),
}  # fmt: skip
CERTIFICATE = '{"kind": "cases", "name": "x", "statement": "", "uses": ["%s"], "claims": []}'
CERTIFICATES = {
    "it uses a pipe": damaged(each(pipe("d.json"), text("c.json", CERTIFICATE % "d.json")), "'d.json'", command="games check ../c.json"),
    "it is a pipe": refused("games check ../c.json", "c.json' is neither a file", given=pipe("c.json")),
}  # fmt: skip
BAD_LABEL = "figures:\n  f: {kind: tail, studies: a, labels: {a: '$\\input{/etc/passwd}$'}}\n"
# Commands that are bad input, with words of the message: large games, names, numbers beside the range.
REFUSED = r"""
games solve grundys-game 10000000 → 2.5e+13 steps → max_steps = 1e+11 → use --allow-long to try anyway
games solve 'nim + grundys-game' '3 + 10000000' → 2.5e+13 steps → --allow-long
games value 'T^12 .^12 F^12' → up to 3.4e+15 positions can follow → use --allow-long to try anyway
games solve 'ring(99999999)' → at most 10000 vertices, got 99999999
games trace sprouts 30 → the number of spots must be at most 12, got 30
games value '(((((T.F)^9)^9)^9)^9)^9' → a strip has at most 10000 squares
games toads-and-frogs --k 0..99999999999 --a 1 --b 1 → a range must be → '0..99999999999'
repair ../s.yaml --results ../s.yaml → there are no results
new x --like ../../etc/passwd → the package has no study with this name
play --ratio 1e300 --human nobody → ratio must be a number from 0 to 1e9, got 1e+300
"""
OWN = {
    **{command: refused(command, *said) for command, *said in rows(REFUSED)},
    "a sum of 2,000 games": refused("games solve '" + "nim + " * 1999 + "nim' 1", "a position of a sum of 2000 games must have 2000 entries, got 1"),
    "a graph of 3,000 heaps": refused("games graph nim '" + "1 " * 3000 + "'", "more than 1000 positions can be reached"),
    "a link to itself, verified": damaged(link("loop", "loop"), "../loop/x.json: not ours: Too many levels", command="reproduce ../loop/x.json"),
    "results in /proc": damaged(nothing, "/proc/s/manifest.json: missing", command="report ../s.yaml --results /proc"),
    "a figure of a study without": refused("draw ../s.yaml nofigure", "has no figure 'nofigure'; there are none", given=text("s.yaml", GOOD)),
    "a label that reads a file": refused("validate ../s.yaml", "line 4", "the label is not a formula", given=text("s.yaml", GOOD + BAD_LABEL)),
    "a color for a player": refused("play --human '\x1b[31m'", r"got '\x1b[31m'"),
}  # fmt: skip
CASES = PROFILES | PAGES | POINTS | PLACES | OUTPUTS | NAMES | CERTIFICATES | OWN


@pytest.mark.parametrize("case", CASES)
def test_a_hostile_case(work, case):
    check_case(work, CASES[case])


def test_a_profile_of_slurm_without_sbatch(work):
    text("profiles/mine/config.yaml", 'executor: "slurm"\n')(work)
    for profile, said in (
        ("slurm", "--profile slurm: no sbatch here: run this on the login node"),
        ("mine", "no sbatch here"),
    ):
        code, answer = call("run", "../s.yaml", "--profile", profile)
        assert code == ENVIRONMENT and said in answer and "Traceback" not in answer, answer


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
