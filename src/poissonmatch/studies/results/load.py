"""Verified reading of any table of a study or of the exact games (pm.load)."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

from ...utils.errors import integrity_error
from ...utils.files import exists
from ...utils.libraries import entry_points, pd
from ...utils.manifests import MANIFEST, check_listed, open_result, parse_json, read_result
from ..tables.estimate_tables import TABLES
from ..tables.parquet import read, table_name


def load(path: str | Path, *, listed: bool = False) -> pd.DataFrame:
    """Return a table of results, verified: page checksums, schema, SHA-256 in the manifest of its folder, rows.

    Missing values (nulls in the file) are NaN.

    Parameters
    ----------
    path : str or Path
        Parquet file of a study or of the exact games.
    listed : bool, optional
        Whether a manifest is required. By default it is used if there is one.

    Returns
    -------
    pandas.DataFrame
        Its provenance is in `attrs`.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    IntegrityError
        If a check fails.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = Path(folder, "triangle.parquet")
    ...     made = pm.games.tables.triangle(table, 3)
    ...     print(pm.load(table).equals(made))
    True
    """
    frame, about = rows_of(path, listed=listed)
    frame.attrs.update(about)
    return frame


def rows_of(path: str | Path, *, listed: bool = True) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a table with checked rows, and its provenance apart, since pandas copies `attrs` at every step.

    It may have rows of some cells only. Raises as `load` does.
    """
    path = Path(path)
    if not os.path.islink(path) and not exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    manifest = path.parent / MANIFEST
    if listed or exists(manifest):
        digests = parse_json(manifest, read_result(manifest)).get("sha256")
        if not isinstance(digests, dict) or path.name not in digests:
            raise integrity_error(manifest, "damaged", f"it does not list {path.name}")
        check_listed(manifest, path.name, digests[path.name])
    name = kind_of(path)
    table = TABLES.get(name)
    if table is None and (entry := entry_points("tables").get(name)):  # of a package that registers tables
        table = entry.load()
    if table is None:
        raise integrity_error(path, "not ours", "not a table of this version of poissonmatch")
    return read(table, path, path)


def kind_of(path: Path) -> str:
    """Return the name of the table in a Parquet file, "None" for a file of another program.

    Raises IntegrityError for any other file.
    """
    open_result(path).close()
    return table_name(path)
