"""What commands share: arguments and options, reading of study files, checks of output files, help in sections."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import core

from .. import studies
from ..utils.errors import BadInput, IntegrityError, Problem, printable
from ..utils.files import exists
from ..utils.manifests import read_json, read_result
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
Plans = Annotated[
    list[Path] | None,
    typer.Argument(metavar="PLAN", help="plans of all rounds, whose batches are read  [default: all batches]"),
]
HiddenThreads = Annotated[int, typer.Option("--threads", hidden=True, min=1)]
Long = Annotated[
    bool, typer.Option("--allow-long", help="compute even if this is expected to take more than a few minutes")
]
DrawingFile = Annotated[Path, typer.Option(dir_okay=False, help="file of the drawing, which is written as PDF and PNG")]
Force = Annotated[bool, typer.Option("--force", help="overwrite a file even if it was not written by poissonmatch")]
MARK = b"poissonmatch"  # in every picture and page of this program
DRAWING = (".pdf", ".png", ".txt")  # the files of a drawing


def load_with_notes(study_file: Path, allow_import: bool) -> studies.StudyFile:
    """Read a study file, and print notes on probable mistakes."""
    file = studies.load(study_file, allow_import=allow_import)
    for remark in studies.remarks(file):
        terminal.note(f"{study_file}: {remark}")
    return file


def load_counted(study_file: Path, allow_large: bool, allow_import: bool = False) -> studies.StudyFile:
    """Read a study file, and raise BadInput if it exceeds a limit of blocks, memory or disk."""
    file = studies.load(study_file, allow_import=allow_import)
    if not allow_large:
        studies.plan.count(file).refuse_if_large(study_file)
    return file


def load_allowed(study_file: Path, allow_import: bool, allow_large: bool) -> studies.StudyFile:
    """Read a study file and its files of points, and raise BadInput for imports and sizes that are not allowed."""
    file = load_with_notes(study_file, allow_import)
    if not allow_import and (lines := list(studies.imports(file))):
        raise BadInput("\n".join(f"{study_file}: {line}" for line in lines))
    read_points(study_file, file)
    if not allow_large:
        studies.plan.count(file).refuse_if_large(study_file)
    return file


def read_points(study_file: Path, file: studies.StudyFile) -> None:
    """Read the points in the files that a study file names, and print notes on their coordinates."""
    for note in studies.read_points(file):
        terminal.note(f"{study_file}: {note}")


def command(name: str, study_file: str | Path, results: Path) -> str:
    """Return the command of this name for a study file as it is typed in a shell."""
    folder = ["--results", str(results)] if results != RESULTS else []
    return shlex.join(["poissonmatch", name, str(study_file), *folder])


def remedy(problems: Sequence[Problem], study_file: str | Path, results: Path) -> str:
    """Return the line that says which command makes missing, old or damaged results again."""
    name = "repair" if needs_repair(problems) else "run"
    end = "what is missing" if {problem.kind for problem in problems} == {"missing"} else "them again"
    return f"{command(name, study_file, results)} makes {end}"


def repairs(paths: Sequence[Path], folders: Iterable[Path], files: Iterable[studies.StudyFile], results: Path) -> str:
    """Return the lines that make again what is damaged in the results of these study files."""
    checked = zip(paths, map(studies.integrity.verify, folders, files), strict=True)
    wrong = [path for path, report in checked if needs_repair(report.problems)] or paths
    return "; ".join(f"{command('repair', path, results)} makes them again" for path in wrong)


def needs_repair(problems: Sequence[Problem]) -> bool:
    """Return whether `run` does not make all of these files again."""
    return not all(map(_run_notices, problems))


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


def set_unlisted_aside(file: studies.StudyFile, folder: Path) -> None:
    """Move files of the user that a figure or the report would replace to quarantine, and print where they are."""
    for path in studies.up_to_date.unlisted(file, folder):
        terminal.note(f"{path} is in no list of results; moved to {studies.set_aside(path, folder)}")


@contextmanager
def remedies(study_file: Path, results: Path) -> Iterator[None]:
    """Add the remedy to an IntegrityError."""
    try:
        yield
    except IntegrityError as error:
        raise IntegrityError(*error.problems, remedy=remedy(error.problems, study_file, results)) from None


# ---- output files ----


def check_output(path: Path, *endings: str, force: bool, table: str = "", drawing: bool = False) -> None:
    """Check a file that is to be written, before the work begins.

    endings: those allowed. table: the name of the table that it is to hold; an existing one is one
    of these. drawing: the files of a drawing are written into the same folder. Raises BadInput for
    another ending, and, unless `force`, for an existing file of another kind.
    """
    if path.suffix not in endings:
        raise BadInput(f"{path}: the file must end in {' or '.join(endings)}")
    if force:
        if table:
            path.unlink(missing_ok=True)  # or its rows would be kept
        return
    for file in [path, *(path.with_suffix(suffix) for suffix in DRAWING * drawing)]:
        if os.path.lexists(file) and not _is_ours(file, table):
            what = f"no table {table!r}" if file.suffix == ".parquet" else "not a file"
            raise BadInput(
                f"{printable(str(file))}: exists, and is {what} of poissonmatch; choose another name, or --force to overwrite it"
            )


def _is_ours(path: Path, table: str) -> bool:
    """Return whether a file is this table, or a picture, its caption, a page or a manifest that this program wrote."""
    if path.suffix == ".parquet":
        return studies.kind_of(path) == table
    if path.suffix == ".json":
        try:
            return bool(read_json(path))
        except IntegrityError:
            return False
    pictures = [path.with_suffix(ending) for ending in (".png", ".pdf")] if path.suffix == ".txt" else [path]
    return any(exists(picture) and MARK in read_result(picture) for picture in pictures)


# ---- what typer does not document ----
# Tested with typer 0.20 to 0.29, before and after its copy of click. Without TyperGroup the help is one list of commands;
# without a base class that formats messages, only wrong values are misuse, and an unknown option is an internal error.


def sectioned(sections: Mapping[str, Sequence[str]]) -> Any:
    """Return a class of groups whose help lists these commands under headings, with the first line about each."""
    if not hasattr(core, "TyperGroup"):
        return None

    class Sectioned(core.TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            """Return the commands in the order of the sections, and then the others."""
            listed = [name for names in sections.values() for name in names if name in self.commands]
            return [*listed, *(name for name in self.commands if name not in listed)]

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            """Write the sections; hidden commands are left out."""
            for heading, names in sections.items():
                shown = [(name, self.commands[name]) for name in names if name in self.commands]
                with formatter.section(heading):
                    formatter.write_dl([(name, first_line(command)) for name, command in shown if not command.hidden])

    return Sectioned


def first_line(command: Any) -> str:
    """Return the first line of the help of a command."""
    return (command.help or "").strip().partition("\n")[0]


def misuse(known: type[Exception] = typer.BadParameter) -> Any:
    """Return the base class of the errors of typer about arguments: the last one that formats its message."""
    return [known, *(kind for kind in known.__mro__ if hasattr(kind, "format_message"))][-1]


def misuse_text(error: Any) -> str:
    """Return the message about invalid arguments on one line, or the help if there are no arguments."""
    text = str(error.format_message() if hasattr(error, "format_message") else error)
    if text.startswith("Usage:"):
        return text
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", "poissonmatch")
    parameters = [parameter.name for parameter in context.command.params] if context else []
    if getattr(error, "option_name", "") == "--output" and "results" in parameters:
        text = "No such option: --output; results are written to the folder --results"
    return f"{command}: {' '.join(text.split()).rstrip('.')}; see {command} --help"
