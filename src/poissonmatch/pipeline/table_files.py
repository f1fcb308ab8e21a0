"""Reading of table files, verified by their checksums and the manifest in their folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..tables.estimate_tables import TABLES
from ..tables.parquet import read, table_name
from ..tables.tables import Table
from ..utils.errors import IntegrityError, Problem
from ..utils.files import NOT_REGULAR, read_regular
from .atomic_files import MANIFEST, read_result, sha256

if TYPE_CHECKING:
    import pandas as pd


def kind_of(path: Path) -> str:
    """Return the name of the table in a Parquet file, "None" for a file of another program. Raises IntegrityError for any other file."""
    return table_name(read_result(path), path)


def load(path: str | Path, *, listed: bool = False, find: Callable[[str], Table | None] = TABLES.get) -> pd.DataFrame:
    """Return a table as a DataFrame, with its provenance in `attrs`.

    Page checksums, schema, rows and, if there is a manifest in the folder, the SHA-256 are verified. listed: refuse a table without
    a manifest. find: the declaration of a table by its name. Raises FileNotFoundError, or IntegrityError if a check fails.
    """
    path = Path(path)
    try:
        data = read_regular(path)
    except OSError as error:
        if error.errno not in NOT_REGULAR:
            raise
        raise IntegrityError(Problem(path, "not ours", str(error.strerror))) from None
    manifest = path.parent / MANIFEST
    if listed or manifest.exists():
        try:
            digest = json.loads(read_regular(manifest))["sha256"][path.name]
        except FileNotFoundError:
            raise IntegrityError(Problem(manifest, "missing", f"{path.name} cannot be verified")) from None
        except OSError as error:
            if error.errno not in NOT_REGULAR:
                raise
            raise IntegrityError(Problem(manifest, "not ours", str(error.strerror))) from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise IntegrityError(Problem(manifest, "damaged", f"or does not list {path.name}")) from None
        if digest != sha256(data):
            detail = f"not the file that {MANIFEST} lists (its SHA-256 differs)"
            raise IntegrityError(Problem(path, "damaged", detail))
    table = find(table_name(data, path))
    if table is None:
        raise IntegrityError(Problem(path, "not ours", "not a table of this version of poissonmatch"))
    frame, metadata = read(table, data, path)
    frame.attrs.update(metadata)
    return frame
