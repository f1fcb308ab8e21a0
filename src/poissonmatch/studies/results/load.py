"""Verified reading of any table of a study or of the exact games (pm.load)."""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...utils import code_digests
from ...utils.errors import IntegrityError, Problem
from ...utils.files import exists
from ...utils.libraries import entry_points, pd
from ...utils.manifests import MANIFEST, check_listed, open_result, parse_json, read_result
from .. import study_files
from ..sampling.cells import Cell
from ..statistics import completeness
from ..tables.estimate_tables import TABLES
from ..tables.invariants import columns_of
from ..tables.parquet import read, table_name
from ..tables.tables import BLOCK_TABLES, Impossible, Table


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
            _check_complete(about["table"], frame, about)
        except Impossible as wrong:
            raise IntegrityError(Problem(Path(path), "impossible", wrong.words)) from None
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
            raise IntegrityError(Problem(manifest, "damaged", f"it does not list {path.name}"))
        check_listed(manifest, path.name, digests[path.name])
    table = _declared(kind_of(path))
    if table is None:
        raise IntegrityError(Problem(path, "not ours", "not a table of this version of poissonmatch"))
    return read(table, path, path)


def kind_of(path: Path) -> str:
    """Return the name of the table in a Parquet file, "None" for a file of another program.

    Raises IntegrityError for any other file.
    """
    open_result(path).close()
    return table_name(path)


def _declared(name: str) -> Table | None:
    """Return the declaration of the table of this name, of a study or of a package that registers tables."""
    if name in TABLES:
        return TABLES[name]
    entry = entry_points("tables").get(name)
    return entry.load() if entry else None


def _check_complete(name: str, rows: pd.DataFrame, about: Mapping[str, Any]) -> None:
    """Raise Impossible unless a table has all replicates of the cells of its study. about: its metadata."""
    cells = {(cell.study, cell.id): cell for cell in _cells(name, about)}
    if not cells or name not in BLOCK_TABLES:
        return
    parts = dict(tuple(rows.groupby(["study", "cell"], sort=False, observed=True)))
    if others := ["/".join(map(str, key)) for key in parts if key not in cells]:
        raise Impossible(name, f"table {name} has the cell {others[0]}; expected: one of its study")
    for key, cell in cells.items():
        part = parts.get(key, rows[:0])
        if "replicate" in part and len(part):  # a study with a target has as many as it needed
            count = min(int(part["replicate"].max()) + 1, cell.max_replicates)
            cell = replace(cell, replicates=max(cell.replicates, count))
        completeness.check(cell, range(cell.replicates), {name: columns_of(part)})


def _cells(name: str, about: Mapping[str, Any]) -> list[Cell]:
    """Return the cells of the study in the metadata of a table; none if other code wrote them and they cannot be read.

    Points and functions from elsewhere are taken as recorded, and not loaded.
    """
    try:
        file = study_files.StudyFile.model_validate(about["study"], context={study_files.AS_GIVEN: True})
        cells = study_files.cells(file)
        if file.seed == about["seed"] and Counter(c.fingerprint for c in cells) == Counter(about["cells"]):
            return cells
    except (KeyError, TypeError, ValueError, ArithmeticError):
        pass
    code = about.get("code")
    if isinstance(code, dict) and code.get("aggregate") != code_digests.of_stage("aggregate"):
        return []
    raise Impossible(name, f"table {name}: its metadata do not say of which study it is")
