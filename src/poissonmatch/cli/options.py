"""The words that several commands take, and what they do before anything else with a study file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import studies
from ..utils.errors import BadInput

StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="study file (YAML)", show_default=False)]
Results = Annotated[Path, typer.Option(help="folder of all results; a study's own is below it, named after its file")]
Large = Annotated[
    bool, typer.Option("--allow-large", help="do it although it is above the ceiling of blocks, memory or disk")
]
Import = Annotated[
    bool, typer.Option("--allow-import", help="import the functions that the study names: they can do whatever you can")
]


def noting(study_file: Path, allow_import: bool) -> studies.StudyFile:
    """Read a study file, and say what in it is hardly meant so."""
    file = studies.load(study_file, allow_import=allow_import)
    for remark in studies.remarks(file):
        typer.echo(f"note: {study_file}: {remark}", err=True)
    return file


def allowed(study_file: Path, allow_import: bool) -> studies.StudyFile:
    """Noting for a command that draws points: refuses one that would import what it may not, and reads the points in files."""
    file = noting(study_file, allow_import)
    if not allow_import and (lines := list(studies.imports(file))):
        raise BadInput("\n".join(f"{study_file}: {line}" for line in lines))
    studies.read_points(file)
    return file
