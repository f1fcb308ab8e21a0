"""Arguments and options of several commands, and the reading of study files."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from .. import studies
from ..utils.errors import BadInput, IntegrityError, Problem
from . import terminal

StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="study file (YAML)")]
QUICK, RESULTS = Path("config/quick.yaml"), Path("results")  # the defaults of study file and results
Results = Annotated[Path, typer.Option(help="folder of all results; a study has a subfolder with the name of its file")]
Large = Annotated[
    bool, typer.Option("--allow-large", help="proceed even if the study exceeds a limit of blocks, memory or disk")
]
Import = Annotated[
    bool,
    typer.Option("--allow-import", help="import the functions that the study names; they run with your permissions"),
]
# Of the rules of Snakemake.
HiddenThreads = Annotated[int, typer.Option("--threads", hidden=True, min=1)]


def noting(study_file: Path, allow_import: bool) -> studies.StudyFile:
    """Read a study file, and print notes on probable mistakes."""
    file = studies.load(study_file, allow_import=allow_import)
    for remark in studies.remarks(file):
        terminal.echo(f"note: {study_file}: {remark}", err=True)
    return file


def allowed(study_file: Path, allow_import: bool) -> studies.StudyFile:
    """Read a study file and its files of points, and raise BadInput for imports that are not allowed."""
    file = noting(study_file, allow_import)
    if not allow_import and (lines := list(studies.imports(file))):
        raise BadInput("\n".join(f"{study_file}: {line}" for line in lines))
    studies.read_points(file)
    return file


def command(name: str, study_file: str | Path, results: Path) -> str:
    """Return the command of this name for a study file as it is typed in a shell."""
    folder = ["--results", str(results)] if results != RESULTS else []
    return shlex.join(["poissonmatch", name, str(study_file), *folder])


def remedy(problems: Sequence[Problem], study_file: str | Path, results: Path) -> str:
    """Return the line that says which command makes missing, old or damaged results again."""
    name = "run" if all(map(_run_notices, problems)) else "repair"
    end = "what is missing" if {problem.kind for problem in problems} == {"missing"} else "them again"
    return f"{command(name, study_file, results)} makes {end}"


def _run_notices(problem: Problem) -> bool:
    """Return whether `run` makes the file again.

    Of a table that differs from the blocks it does not read the rows, and a batch without one of
    its tables stays there.
    """
    if problem.path.suffix == ".parquet" and (
        problem.kind == "out of date" or problem.path.parent.parent.name == studies.batch_files.BLOCKS
    ):
        return problem.kind == "unfinished"
    return problem.kind in ("missing", "unfinished", "made by other code", "out of date")


def keep_others(file: studies.StudyFile, folder: Path) -> None:
    """Move files of the user that a figure or the report would replace to quarantine, and print where they are."""
    for path in studies.up_to_date.others(file, folder):
        terminal.echo(
            f"note: {path} is in no list of results; moved to {studies.scan.set_aside(path, folder)}", err=True
        )


@contextmanager
def remedies(study_file: Path, results: Path) -> Iterator[None]:
    """Add the remedy to an IntegrityError."""
    try:
        yield
    except IntegrityError as error:
        raise IntegrityError(*error.problems, remedy=remedy(error.problems, study_file, results)) from None
