"""Results of exact games as Parquet tables; `poissonmatch games` writes the same tables."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from poissonmatch.studies.results import provenance
from poissonmatch.studies.tables.parquet import encode, read
from poissonmatch.studies.tables.tables import Table
from poissonmatch.utils.atomic_writer import write_atomically
from poissonmatch.utils.files import exists
from poissonmatch.utils.libraries import pd
from poissonmatch.utils.manifests import read_result

from .. import TriangleGame
from ..toads import claims, families
from .declarations import CLAIMS, TOADS_AND_FROGS, TRIANGLE

__all__ = ["check_claims", "toads_and_frogs", "triangle"]


def __dir__() -> list[str]:
    return sorted(__all__)


SAVE_SECONDS = 20.0  # between two saves of the table


def toads_and_frogs(
    path: Path,
    k: Iterable[int],
    a: Iterable[int],
    b: Iterable[int],
    *,
    memory: int,
    seconds: float,
    again: bool = False,
    store: Path | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> pd.DataFrame:
    """Compute the values of ``T^(a+k) .^b F^a``, smallest strips first.

    The table is written at `path` and returned. Cells that are already in the table are kept, so
    that the next call continues an interrupted one.

    Parameters
    ----------
    path : Path
        The Parquet file.
    k, a, b : iterable of int
        The ranges of cells.
    memory : int
        Largest memory in bytes, at least 512 MB.
    seconds : float
        Time for this call.
    again : bool, default False
        Whether to recompute cells that have bounds and no value.
    store : Path, optional
        Another table of this kind, which keeps all cells; `path` then has those of the ranges only.
        By default none.
    progress : callable
        Called with a line of text for each cell; by default nothing is called.

    Returns
    -------
    pandas.DataFrame
        A row for each cell: `k`, `a`, `b`, `value` or `bounds`, `kind`, and the published value.

    Raises
    ------
    IntegrityError, ValueError, MemoryError
        If the table is damaged, or a range or a limit is invalid.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "toads.parquet"
    ...     cells = {"k": [0], "a": [2, 3], "b": [1, 2]}
    ...     table = pm.games.tables.toads_and_frogs(path, **cells, memory=10**9, seconds=60)
    >>> table["value"].tolist()
    ['*', '*', '*', '+-1/8']
    """
    k, a, b = set(k), set(a), set(b)
    if store is not None:
        everything = toads_and_frogs(store, k, a, b, memory=memory, seconds=seconds, again=again, progress=progress)
        selected = everything["k"].isin(k) & everything["a"].isin(a) & everything["b"].isin(b)
        return _save(path, TOADS_AND_FROGS, everything[selected])
    return _fill(path, k, a, b, memory, seconds, again, progress)


def _fill(
    path: Path, k: set, a: set, b: set, memory: int, seconds: float, again: bool, progress: Callable[[str], None]
) -> pd.DataFrame:
    """Compute the cells that are missing in the table at `path`, and save it now and then."""
    kept = _rows(path, TOADS_AND_FROGS)
    if again:
        kept = [row for row in kept if row["value"] is not None]
    rows, saved = list(kept), time.monotonic()
    cells = families.toads_and_frogs(k, a, b, memory=memory, seconds=seconds, done=kept)
    for row in cells:
        rows.append(dict(row))
        progress(f"T^{row['a'] + row['k']} .^{row['b']} F^{row['a']}: {row['value'] or row['bounds']}")
        if time.monotonic() - saved > SAVE_SECONDS:
            _save(path, TOADS_AND_FROGS, rows)
            saved = time.monotonic()
    return _save(path, TOADS_AND_FROGS, rows)


def check_claims(
    path: Path,
    squares: int,
    *,
    memory: int,
    seconds: float,
    progress: Callable[[str], None] = lambda text: None,
) -> pd.DataFrame:
    """Check the claims of [T] and Erickson, and their certificates.

    The claims are checked on their positions with at most `squares` squares. The table at `path` is
    written after each claim, and returned at the end. T5 has a row for each number of frogs from 3
    to 6.

    Parameters
    ----------
    path : Path
        The Parquet file.
    squares : int
        Largest number of squares.
    memory : int
        Largest memory in bytes.
    seconds : float
        Time for each claim, in addition to that for its certificates.
    progress : callable
        Called with a line of text for each claim; by default nothing is called.

    Returns
    -------
    pandas.DataFrame
        One row for each claim.

    Examples
    --------
    All claims take minutes; this example stops after the first.

    >>> import pathlib, tempfile
    >>> def stop(line):
    ...     raise StopIteration(line)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "claims.parquet"
    ...     pm.games.tables.check_claims(path, 9, memory=10**9, seconds=60, progress=stop)
    Traceback (most recent call last):
        ...
    StopIteration: E1: proved (Thanatipanonda ([5] of [T])); checked on 4 positions of up to 9 squares
    """
    solver = families.Solver(memory, longest=2 * squares)
    results = itertools.chain(
        (claims.check(claim, solver, squares, seconds) for claim in claims.CLAIMS),
        (claims.check_rows_for_zero(solver, frogs, squares, seconds) for frogs in range(3, 7)),
    )
    rows: list[claims.ClaimRow] = []
    for row in results:
        rows.append(row)
        frame = _save(path, CLAIMS, rows)
        progress(claims.line(row))
    return frame


def triangle(path: Path, total: int) -> pd.DataFrame:
    """Write the nim-values of the Triangle Game, and return the table.

    It has all positions with at most `total` stones.

    Parameters
    ----------
    path : Path
        The Parquet file.
    total : int
        Largest number of stones.

    Returns
    -------
    pandas.DataFrame
        One row for each position, up to rotation.

    Raises
    ------
    MemoryError
        If the table does not fit into memory.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pm.games.tables.triangle(pathlib.Path(folder) / "triangle.parquet", 2)
    >>> table[["x", "y", "z", "grundy", "misere_grundy"]].values.tolist()
    [[0, 0, 0, 0, 1], [0, 1, 0, 1, 0], [0, 1, 1, 0, 1], [0, 2, 0, 2, 2]]
    """
    return _save(path, TRIANGLE, TriangleGame().columns(total))


def _rows(path: Path, table: Table) -> list[dict[str, Any]]:
    if not exists(path):
        return []
    frame, _ = read(table, read_result(path), path)
    return [
        {str(name): x for name, x in row.items()}
        for row in frame.astype(object).where(frame.notna(), None).to_dict("records")
    ]


def _save(path: Path, table: Table, rows: Any) -> pd.DataFrame:
    columns = [c.name for c in table.columns]
    frame = pd.DataFrame(rows, columns=columns)
    for column in table.columns:
        if column.nullable:
            frame[column.name] = frame[column.name].astype(object).where(frame[column.name].notna(), None)
    data = encode(table, frame, {"versions": provenance.environment()})
    write_atomically(path, data)
    return read(table, data, path)[0]
