"""Checks of files whose names the user chooses.

Their endings are checked, and that no file of another program is overwritten.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from .. import studies
from ..utils.errors import BadInput, IntegrityError, printable
from ..utils.files import exists
from ..utils.manifests import read_json, read_result

MARK = b"poissonmatch"  # in every picture and page of this program
DRAWING = (".pdf", ".png", ".txt")  # the files of a drawing
Long = Annotated[
    bool, typer.Option("--allow-long", help="compute even if this is expected to take more than a few minutes")
]
DrawingFile = Annotated[Path, typer.Option(dir_okay=False, help="file of the drawing, which is written as PDF and PNG")]
Force = Annotated[bool, typer.Option("--force", help="overwrite a file even if it was not written by poissonmatch")]


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
