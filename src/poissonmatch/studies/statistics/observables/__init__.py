"""The observables that a study may ask for, and the measurement of a replicate.

The schema of studies, the tables of a block, the forecast of its cost, the estimates and the table
of quantities in results/README.md come from these entries. A new observable is a class in a file of this
folder (see interface.py) and an entry in the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ....matching.match import match, match_sets
from ....matching.matching import Matching
from ....points.uniform import drawn_by
from ....utils.libraries import pa
from ....utils.registry import Registry
from ...sampling.cells import Block, Cell
from ...tables.parquet import to_arrow
from ...tables.tables import BLOCK_TABLES, REPLICATE, Table, cell_columns
from .balls import Balls
from .desirers import DecisionWindow, Desirers
from .distances import Distances, edges
from .flips import Flip
from .followed_octaves import FollowedOctaves
from .interface import CellObservable, Columns, MatchingObservable, Observable, Quantity, SumObservable
from .point_sums import sums_in_tiles, sums_of, sums_of_sets
from .red_flow import Flow
from .responses import Response, SurvivorPairs
from .structure_factors import NumberVariance, StructureFactors
from .unmatched import Unmatched
from .whole_matchings import Chains, Components, Realization, Rounds
from .winner import PlayLength, Winner

_ENTRIES: tuple[Observable, ...] = (
    Unmatched(), Distances(), Flow(), Realization(), Winner(), Desirers(), Balls(), Response(), SurvivorPairs(), Flip(), FollowedOctaves(),
    Components(), Rounds(), PlayLength(), Chains(), DecisionWindow(),
    StructureFactors(), NumberVariance(),
)  # fmt: skip
OBSERVABLES = Registry("observables", [(entry.name, entry) for entry in _ENTRIES])


def measured(names: Iterable[str]) -> tuple[str, ...]:
    """Return the sorted names of what is measured if these are listed; always `unmatched`."""
    return tuple(sorted({Unmatched.name, *(OBSERVABLES[name].measured_by or name for name in names)}))


def needs_table(names: Iterable[str]) -> bool:
    """Return whether one of these observables needs all distances in the mean-field model."""
    return any(OBSERVABLES[name].table_of_pairs for name in names)


def tables_of(names: Iterable[str], first: int) -> set[str]:
    """Return the names of the tables of a block that begins with replicate `first`."""
    entries = (OBSERVABLES[name] for name in measured(names))
    return {entry.table.name for entry in entries if first == 0 or not entry.first_only}


def quantities() -> dict[str, Quantity]:
    """Return all quantities by name, in the order of the entries."""
    return {quantity.name: quantity for entry in OBSERVABLES.values() for quantity in entry.quantities}


def quantities_of(names: Iterable[str]) -> frozenset[str]:
    """Return the names of the quantities that are estimated if these observables are listed."""
    entries = (OBSERVABLES[name] for name in {*names, *measured(names)})
    return frozenset(quantity.name for entry in entries for quantity in entry.quantities)


def markdown() -> str:
    """Return the table of quantities in results/README.md."""
    rows = [f"| `{q.name}` | {q.x} | {q.meaning} |" for q in quantities().values()]
    return "\n".join(["| quantity | x | value |", "|---|---|---|", *rows]).replace("|  |", "| |")


# ---- a replicate ----


def matched(cell: Cell, replicate: int, threads: int = 1) -> Matching:
    """Simulate one replicate of a cell, and match it."""
    rng = cell.stream(replicate)
    with drawn_by(threads):
        pattern = cell.pattern(replicate, rng, table=needs_table(cell.observables))
    rng_of_distances = None if pattern.geometry.has_distances else rng
    capacity = cell.capacity(replicate)
    return match(
        pattern, cell.rule, capacity=capacity, threads=threads, rng=rng_of_distances, max_distance=cell.max_distance
    )


def measure_block(block: Block, threads: int = 1, progress: Callable[[int], None] | None = None) -> dict[str, pa.Table]:
    """Return the rows of the replicates of a block by table.

    progress: called with each replicate that is done.
    """
    cell, parts = block.cell, dict[str, list[Columns]]()
    for replicates in cell.joined(block.replicates, cell.rule_entry.width):
        for table, columns in _measured(cell, replicates, threads):
            parts.setdefault(table, []).append(columns)
        for replicate in replicates if progress else ():
            progress(replicate)  # type: ignore[misc]
    return {table: _rows(cell, BLOCK_TABLES[table], columns) for table, columns in parts.items()}


def measure(cell: Cell, replicate: int, threads: int = 1) -> dict[str, pa.Table]:
    """Simulate one replicate of a cell, match it, and return its rows by table."""
    return measure_block(Block(cell, replicate, replicate + 1), threads)


def _measured(cell: Cell, replicates: range, threads: int) -> Iterator[tuple[str, Columns]]:
    """Yield the table and the rows of each observable of replicates that are matched together."""
    matchings: Iterable[Matching] = ()
    if cell.is_joined:
        sets = match_sets(*cell.joined_points(replicates), cell.rule)
        sums = sums_of_sets(sets, replicates, edges(), len(cell.intensities))
        matchings = sets.matchings()
    elif cell.tiles is not None:
        sums = sums_in_tiles(cell, replicates.start, edges(), threads)
    else:
        whole = matched(cell, replicates.start, threads)
        sums = sums_of(whole, edges(), threads, len(cell.intensities))
        matchings = [whole]
    of_matchings = []
    for observable in (OBSERVABLES[name] for name in measured(cell.observables)):
        if isinstance(observable, SumObservable):
            yield observable.table.name, _numbered(observable, observable.measure(sums), replicates.start)
        else:
            of_matchings.append(observable)
    for replicate, matching in zip(replicates, matchings, strict=True) if of_matchings else ():
        for observable in of_matchings:
            if replicate == 0 or not observable.first_only:
                columns = measure_matching(observable, matching, cell, replicate)
                yield observable.table.name, _numbered(observable, columns, replicate)


def _numbered(observable: Observable, columns: Columns, replicate: int) -> Columns:
    """Return rows with the number of their replicate, if their table has it."""
    if observable.first_only or REPLICATE.name in columns:
        return columns
    return {**columns, REPLICATE.name: np.full(len(next(iter(columns.values()))), replicate)}


def measure_matching(observable: Observable, matching: Matching, cell: Cell, replicate: int) -> Columns:
    """Return the columns of an observable of the matching of a replicate."""
    if isinstance(observable, CellObservable):
        return observable.measure(matching, cell, cell.stream(replicate).spawn(1)[0])
    assert isinstance(observable, MatchingObservable)
    return observable.measure(matching)


def _rows(cell: Cell, table: Table, parts: list[Columns]) -> pa.Table:
    """Return rows of a table with the columns of the cell."""
    arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    length = len(next(iter(arrays.values())))
    for name, value in cell_columns(cell).items():
        arrays[name] = np.full(length, value, object if isinstance(value, str) else None)
    return to_arrow(table, arrays)
