"""The command line: exit codes, one message, no traceback."""

import json
import re
import shlex
from importlib.metadata import version

import pytest
import typer
import yaml
from typer.testing import CliRunner

from helpers.checkout import ROOT
from helpers.command_line import run
from helpers.refusals import rows
from helpers.runs import TINY, batch_bytes, blocks_of_study, write_study
from poissonmatch.cli.main import SECTIONS, app
from poissonmatch.cli.options import first_line, misuse, misuse_text, sectioned
from poissonmatch.points.processes import PROCESSES
from poissonmatch.rules.catalogue import RULES
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.figures.kinds import KINDS
from poissonmatch.studies.run import batches
from poissonmatch.studies.statistics.observables import OBSERVABLES
from poissonmatch_games.cli import games_commands as games


def test_stage_by_stage_without_snakemake(tmp_path):
    path = write_study(tmp_path, TINY.replace("replicates: 16", "replicates: 2"))
    assert "4 studies, 22 cells, 9 jobs, 43 replicates, 6 figures" in run("validate", path).stdout
    folder, place = tmp_path / "out/tiny", ("--results", tmp_path / "out")
    file = studies.load(path)
    first, second, *_ = blocks_of_study(file)
    batches.make([first], folder)
    before = batch_bytes(folder)
    missing = run("aggregate", path, *place)
    *names, last = missing.stderr.splitlines()
    assert missing.returncode == 4 and len(names) == 21 and str(second) in missing.stderr
    assert last == f"poissonmatch run {path} --results {tmp_path / 'out'} makes what is missing"
    assert run("draw", path, *place).returncode == 4
    done = run("simulate", path, *place)
    after = batch_bytes(folder)
    assert done.returncode == 0 and done.stdout == "" and before.items() < after.items()
    assert run("simulate", path, *place).returncode == 0
    assert batch_bytes(folder) == after
    assert run("aggregate", path, *place).returncode == 0
    drawn = run("draw", path, "fussy", *place)
    assert drawn.returncode == 0 and (folder / "figures/fussy.pdf").exists()
    assert not (folder / "figures/tail.pdf").exists()
    verified = run("verify", folder)
    assert verified.returncode == 0 and "files verified" in verified.stdout
    (folder / "estimates.parquet").write_bytes(b"PAR1")
    assert run("verify", folder).returncode == 4
    assert run("draw", path, "fussy", *place).returncode == 4
    assert run("draw", path, "nofigure", *place).returncode in (2, 4)


BAD = """
validate none.yaml → none.yaml: there is no such file
validate bad.yaml → bad.yaml, line 1: studys: unknown key 'studys'; did you mean 'studies'?
reproduce . → not a batch of blocks, RESULTS/blocks/BATCH.json
verify nowhere → there is no such folder
run tiny.yaml --profile slrum → did you mean 'slurm'?
new 'a b' → 'a b' is not a name
new bad → bad.yaml already exists
new mine --like quik → did you mean 'quick'?
frobnicate → frobnicate
"""


@pytest.mark.parametrize("words, message", rows(BAD))
def test_bad_input(tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path)
    write_study(tmp_path, "studys: 1\nstudies: {a: {dims: 1, sizes: 5, replicates: 1}}\n", "bad")
    result = run(*shlex.split(words))
    assert result.returncode == 2 and message in result.stderr and "Traceback" not in result.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.yaml", "tiny.yaml"]


def test_a_new_study_like_one_of_ours(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "mine", "--like", "frogs").stdout == "mine.yaml\n"
    ours = ROOT / "config/frogs.yaml"
    assert (tmp_path / "mine.yaml").read_text().endswith(ours.read_text())
    assert studies.load(tmp_path / "mine.yaml").studies == studies.load(ours).studies


@pytest.mark.slow
def test_a_new_study_is_right_and_says_what_there_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "mine").stdout == "mine.yaml\n"
    schema = tmp_path / ".study.schema.json"
    assert json.loads(schema.read_text()) == studies.for_editors()
    first = "# yaml-language-server: $schema=.study.schema.json\n"  # beside the study, wherever both are moved
    assert (tmp_path / "mine.yaml").read_text().startswith(first)
    schema.write_text("{}")  # of another program
    assert run("new", "other").stderr == "" and schema.read_text() == "{}"
    assert (tmp_path / "mine.yaml").read_text().replace("mine", "other") == first + (
        tmp_path / "other.yaml"
    ).read_text()
    assert "2 studies, 23 cells" in run("validate", tmp_path / "mine.yaml").stdout
    text = (tmp_path / "mine.yaml").read_text()
    for word in (*PROCESSES, *RULES, *OBSERVABLES, *KINDS):
        assert word in text


def commands(group=None, name="poissonmatch"):
    """Yield each visible command, groups included, with the words that call it."""
    group = group or typer.main.get_command(app)
    yield name, group
    for word, command in getattr(group, "commands", {}).items():
        if not command.hidden:
            yield from commands(command, f"{name} {word}")


@pytest.mark.parametrize("words, command", [*commands()], ids=lambda value: value if isinstance(value, str) else "")
def test_help_has_an_example_that_the_command_accepts(words, command):
    """Arguments are in capitals, and each option has its meaning."""
    example = shlex.split(command.epilog.partition("Example: ")[2])
    assert " ".join(example).startswith(words)
    if not hasattr(command, "commands"):
        command.make_context(words, example[len(words.split()) :])
    for parameter in command.params:
        assert getattr(parameter, "hidden", False) or parameter.help
        if parameter.param_type_name == "argument":
            assert re.fullmatch(r"\[?[A-Z]+(\|[A-Z]+)?\]?(\.\.\.)?", parameter.metavar), parameter.metavar


@pytest.mark.slow
def test_the_version():
    assert run("--version").stdout == f"poissonmatch {version('poissonmatch')}\n"
    assert run("-h").stdout == run("--help").stdout


def test_what_to_cite():
    """Two entries, of the program and of the paper; each is closed, and names what CITATION.cff names."""
    shown = run("cite").stdout
    entries = re.findall(r"^@misc\{(\w+),\n((?:  \w+ = \{.*\},\n)+)\}$", shown, re.M)
    assert [name for name, _ in entries] == ["poissonmatch", "DeijfenHolroydMartin"] and shown.count("@") == 2
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    (paper,) = cited["references"]
    assert f"version = {{{version('poissonmatch')}}}" in entries[0][1]
    assert cited["title"].removeprefix("poissonmatch") in entries[0][1].replace("{poissonmatch}", "")
    assert paper["title"] in entries[1][1] and paper["url"].rpartition("/")[2] in entries[1][1]
    for author in paper["authors"]:
        assert f"{author['family-names']}, {author['given-names']}" in entries[1][1]


def test_more_points_than_there_is_memory_for(tmp_path):
    """Refused with the estimate, before anything is allocated or any block is written."""
    path = write_study(tmp_path, "studies: {a: {dims: 2, sizes: 1.0e+12, replicates: 1}}\n")
    result = run("simulate", path, "--results", tmp_path / "out", "--allow-large")
    assert result.returncode == 2 and "needs about 32 TB of memory" in result.stderr
    assert len(result.stderr.splitlines()) == 1 and batch_bytes(tmp_path / "out") == {}


@pytest.mark.parametrize("words, sections", [((), SECTIONS), (("games",), games.SECTIONS)])
def test_help_lists_every_command_once_with_its_whole_line(words, sections):
    """In sections and in the order of use; no sentence is cut off."""
    group = typer.main.get_command(app)
    group = group.commands[words[0]] if words else group
    visible = {name: command for name, command in group.commands.items() if not command.hidden}
    listed = [name for names in sections.values() for name in names]
    assert sorted(listed) == sorted(visible)
    shown = CliRunner().invoke(app, [*words, "--help"], terminal_width=80).output
    assert "..." not in shown.partition("[ARGS]...")[2]
    flat = " ".join(shown.split()).replace("- ", "-")  # a word may be broken at its hyphen
    at = [flat.index(f" {name} {first_line(visible[name])}") for name in listed]
    assert at == sorted(at) and all(f"{heading}: " in flat for heading in sections)


def test_without_what_typer_does_not_document(monkeypatch):
    """The help has no sections, and wrong values are still one line."""
    assert misuse() is not typer.BadParameter and issubclass(typer.BadParameter, misuse())
    monkeypatch.delattr(typer.core, "TyperGroup")
    assert sectioned(SECTIONS) is None
    plain = typer.Typer(cls=sectioned(SECTIONS), rich_markup_mode=None)
    for name in SECTIONS["Studies"]:
        plain.command(name)(lambda: None)
    shown = CliRunner().invoke(plain, ["--help"]).stdout
    assert all(f"  {name}" in shown for name in SECTIONS["Studies"]) and "Studies:" not in shown
    assert misuse(ValueError) is ValueError
    assert misuse_text(ValueError("no\nnumber.")) == "poissonmatch: no number; see poissonmatch --help"
