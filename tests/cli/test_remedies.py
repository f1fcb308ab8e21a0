"""Messages about missing and damaged results end with the whole command that makes them again."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from helpers.refusals import rows
from helpers.runs import finished, write_study
from poissonmatch.cli import options
from poissonmatch.cli.main import app
from poissonmatch.utils.errors import IntegrityError, Problem

STUDY = "studies: {a: {dims: 1, sizes: 40, replicates: 2}}\nfigures: {f: {kind: tail, studies: a}}\n"


def said(*words: object) -> str:
    """Return the message with which a command ends."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert isinstance(done.exception, IntegrityError), done.output
    return str(done.exception)


# A study file, a folder of results, and the command.
TYPED = """
amber.yaml → results → poissonmatch run amber.yaml
amber.yaml → res2 → poissonmatch run amber.yaml --results res2
my study.yaml → /a/b c → poissonmatch run 'my study.yaml' --results '/a/b c'
"""


@pytest.mark.parametrize("study_file, results, expected", rows(TYPED))
def test_a_command_as_it_is_typed(study_file, results, expected):
    assert options.command("run", study_file, Path(results)) == expected


PROBLEMS = """
b.json missing, c.parquet missing → run s.yaml makes what is missing
b.json missing, manifest.json out of date → run s.yaml makes them again
b.json made by other code, report.html unfinished → run s.yaml makes them again
estimates.parquet out of date → repair s.yaml makes them again
b.json missing, c.parquet damaged → repair s.yaml makes them again
"""


@pytest.mark.parametrize("problems, expected", rows(PROBLEMS))
def test_run_makes_what_is_missing_or_old_and_repair_what_is_damaged(problems, expected):
    found = [Problem(Path(name), kind) for name, _, kind in (each.partition(" ") for each in problems.split(", "))]
    assert options.remedy(found, "s.yaml", Path("results")) == f"poissonmatch {expected}"


@pytest.mark.parametrize("command", ["draw", "report"])
def test_a_study_that_is_not_finished(tmp_path, command):
    path = write_study(tmp_path, STUDY, "s")
    words = f"poissonmatch run {path} --results {tmp_path / 'r'} makes what is missing"
    message = f"{tmp_path / 'r/s/manifest.json'}: missing: the study is not finished\n{words}"
    assert said(command, path, "--results", tmp_path / "r") == message


def test_missing_figures_and_damaged_tables(tmp_path):
    path, folder = finished(tmp_path, STUDY)
    place = ("--results", folder.parent)
    message = said("report", path, *place)
    assert message.endswith(f"f: out of date\npoissonmatch run {path} --results {folder.parent} makes them again")
    (folder / "transitions.parquet").unlink()
    message = said("verify", path, *place)
    assert message.endswith(
        f"transitions.parquet: missing\npoissonmatch run {path} --results {folder.parent} makes what is missing"
    )
    (folder / "estimates.parquet").write_bytes(b"PAR1")
    for command in ("verify", "draw", "run"):
        message = said(command, path, *place)
        assert message.endswith(f"\npoissonmatch repair {path} --results {folder.parent} makes them again"), message


@pytest.mark.parametrize("command", ["run", "report"])
def test_the_help_shows_the_default_study(command):
    assert "[default: config/quick.yaml]" in " ".join(CliRunner().invoke(app, [command, "--help"]).output.split())
