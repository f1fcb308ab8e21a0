"""Reading of table files, verified by their checksums and the manifest in their folder."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

from ..tables.estimate_tables import TABLES
from ..tables.parquet import read, table_name
from ..tables.tables import Table
from ..utils.errors import IntegrityError, Problem
from ..utils.files import exists
from ..utils.libraries import pd
from .atomic_files import MANIFEST, check_listed, open_result, parse_json, read_result


def kind_of(path: Path) -> str:
    """Return the name of the table in a Parquet file, "None" for a file of another program.

    Raises IntegrityError for any other file.
    """
    open_result(path).close()
    return table_name(path)


def load(path: str | Path, *, listed: bool = False, find: Callable[[str], Table | None] = TABLES.get) -> pd.DataFrame:
    """Return a table as a DataFrame, with its provenance in `attrs`.

    Page checksums, schema, rows and, if there is a manifest in the folder, the SHA-256 are
    verified. listed: refuse a table without a manifest. find: the declaration of a table by its
    name. Raises FileNotFoundError, or IntegrityError if a check fails.
    """
    path = Path(path)
    if not os.path.islink(path) and not exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    manifest = path.parent / MANIFEST
    if listed or exists(manifest):
        digests = parse_json(manifest, read_result(manifest)).get("sha256")
        if not isinstance(digests, dict) or path.name not in digests:
            raise IntegrityError(Problem(manifest, "damaged", f"it does not list {path.name}"))
        check_listed(manifest, path.name, digests[path.name])
    else:
        open_result(path).close()
    table = find(table_name(path))
    if table is None:
        raise IntegrityError(Problem(path, "not ours", "not a table of this version of poissonmatch"))
    frame, metadata = read(table, path, path)
    frame.attrs.update(metadata)
    return frame
