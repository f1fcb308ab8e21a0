"""Verified reading of any table of a study or of the exact games (pm.load)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..tables.estimate_tables import TABLES
from ..tables.tables import Impossible, Table
from ..utils.errors import IntegrityError, Problem
from ..utils.libraries import pd
from ..utils.plugins import entry_points
from . import consistency, table_files


def load(path: str | Path, *, listed: bool = False) -> pd.DataFrame:
    """Return a table of results, verified: page checksums, schema, the SHA-256 in the manifest of its folder, and its rows.

    The rows must be complete for its study. Missing values (nulls in the file) are NaN.

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
    if about["table"] in TABLES:
        try:
            consistency.check({about["table"]: frame}, about)
        except Impossible as wrong:
            raise IntegrityError(Problem(Path(path), "impossible", wrong.words)) from None
    frame.attrs.update(about)
    return frame


def rows_of(path: str | Path, *, listed: bool) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a table with checked rows, and its provenance apart, since pandas copies `attrs` at every step."""
    frame = table_files.load(path, listed=listed, find=declared)
    about = {str(key): value for key, value in frame.attrs.items()}
    frame.attrs = {}
    return frame, about


def declared(name: str) -> Table | None:
    """Return the declaration of the table of this name, of a study or of a package that registers tables."""
    if name in TABLES:
        return TABLES[name]
    entry = entry_points("tables").get(name)
    return entry.load() if entry else None
