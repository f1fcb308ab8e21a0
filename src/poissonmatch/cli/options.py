"""Arguments and options of several commands, and the reading of study files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import studies
from ..utils.errors import BadInput
from . import terminal

StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="study file (YAML)", show_default=False)]
Results = Annotated[Path, typer.Option(help="folder of all results; a study has a subfolder with the name of its file")]
Large = Annotated[
    bool, typer.Option("--allow-large", help="proceed although the study exceeds a limit of blocks, memory or disk")
]
Import = Annotated[
    bool,
    typer.Option("--allow-import", help="import the functions that the study names; they run with your permissions"),
]
# Of the rules of Snakemake.
Request = Annotated[Path | None, typer.Option(hidden=True, help="draw what is out of date, or requested in this file")]
HiddenThreads = Annotated[int, typer.Option("--threads", hidden=True, min=1)]


def noting(study_file: Path, allow_import: bool) -> studies.StudyFile:
    """Read a study file, and print notes on probable mistakes."""
    file = studies.load(study_file, allow_import=allow_import)
    for remark in studies.remarks(file):
        terminal.echo(f"note: {study_file}: {remark}", err=True)
    return file


def allowed(study_file: Path, allow_import: bool) -> studies.StudyFile:
    """Read a study file and its files of points, and refuse imports that are not allowed."""
    file = noting(study_file, allow_import)
    if not allow_import and (lines := list(studies.imports(file))):
        raise BadInput("\n".join(f"{study_file}: {line}" for line in lines))
    studies.read_points(file)
    return file
