"""The observables that a study may ask for, one entry each: what is measured on a replicate, and into which table.

The schema of studies, the tables of a block and the forecast of its cost come from these entries. What is estimated from an observable
is an entry in quantities.py; a change there does not change a block. A new observable is a measure (measures.py) and an entry in each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..matching.match import match
from ..matching.matching import Matching
from ..points.pattern import Pattern
from ..points.uniform import drawn_by
from ..rules.rule import Rule
from ..sampling.cells import Block, Cell
from ..tables.tables import DISTANCES, RATIOS, REALIZATIONS, REPLICATES, Table, cell_columns
from ..utils.registry import Registry
from . import balls, flips, locality, measures, octaves, responses, survivor_pairs
from .measures import Columns
from .sums import sums_in_tiles, sums_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Observable:
    """What a study may list under `observables`."""

    name: str
    table: Table  # of its rows
    measure: Callable[..., Any]  # (pattern, matching) -> Columns; Numbers for `ratios`; if `summed`, Sums -> Columns
    always: bool = False  # whether it is measured in every study
    first_only: bool = False  # whether it is measured on replicate 0 only
    flat: bool = False  # whether it needs coordinates
    torus: bool = False  # whether it needs a torus
    needs_capacity: bool = False  # whether it needs remaining capacities, which labels do not have
    table_of_pairs: bool = False  # whether it needs distances of unmatched pairs: in the mean-field model, the table
    of_cell: bool = False  # whether its measure also gets the cell, and a random generator of its own
    summed: bool = False  # whether it is measured from sums over the points, also of a torus in tiles
    incompatible: Callable[[Rule, float], str] = lambda rule, dim: ""  # why it is not defined, "" if it is
    max_points: float = math.inf  # of a torus
    bytes: float = 0.0  # on disk for each replicate,
    bytes_per_point: float = 0.0  # and in addition for each point
    memory_per_point: float = 0.0  # bytes for each point while a block is made
    microseconds: Callable[[float], float] = lambda dim: 0.0  # dim -> time for each point


_ENTRIES = (
    Observable("unmatched", REPLICATES, measures.moments, always=True, summed=True, bytes=300),
    Observable("distances", DISTANCES, measures.histogram, summed=True, bytes=900),
    Observable("realization", REALIZATIONS, measures.realization, first_only=True, flat=True, bytes_per_point=60,
               memory_per_point=500),
    Observable("winner", RATIOS, measures.winner, needs_capacity=True),
    Observable("desirers", RATIOS, measures.desirers, needs_capacity=True, table_of_pairs=True),
    Observable("balls", RATIOS, balls.measure, flat=True, torus=True, incompatible=balls.incompatible, bytes=1500,
               memory_per_point=balls.BYTES),
    Observable("response", RATIOS, responses.measure, flat=True, torus=True, incompatible=responses.incompatible, bytes=1500,
               memory_per_point=responses.BYTES, microseconds=responses.microseconds),
    Observable("survivor_pairs", RATIOS, survivor_pairs.measure, flat=True, torus=True, incompatible=survivor_pairs.incompatible,
               max_points=survivor_pairs.MAX_POINTS, bytes=1000, memory_per_point=survivor_pairs.BYTES,
               microseconds=survivor_pairs.microseconds),
    Observable("flip", RATIOS, flips.measure, flat=True, torus=True, incompatible=flips.incompatible, max_points=flips.MAX_POINTS,
               bytes=1500, memory_per_point=flips.BYTES, microseconds=flips.microseconds),
    Observable("octaves", RATIOS, octaves.measure, flat=True, torus=True, of_cell=True, incompatible=octaves.incompatible,
               max_points=octaves.MAX_POINTS, bytes=100, memory_per_point=octaves.BYTES, microseconds=octaves.microseconds),
    Observable("components", RATIOS, measures.component_fractions),
    Observable("rounds", RATIOS, locality.rounds, needs_capacity=True, table_of_pairs=True,
               memory_per_point=locality.ROUND_BYTES,
               microseconds=lambda dim: locality.ROUND_MICROSECONDS * 1.5 ** (dim - 1)),
    Observable("chains", RATIOS, locality.chains, table_of_pairs=True, memory_per_point=locality.CHAIN_BYTES,
               microseconds=lambda dim: locality.CHAIN_MICROSECONDS * 1.8 ** (dim - 1)),
    Observable("window", RATIOS, locality.window, flat=True, torus=True, incompatible=locality.window_incompatible,
               max_points=locality.WINDOW_POINTS, memory_per_point=locality.WINDOW_BYTES,
               microseconds=lambda dim: locality.WINDOW_MICROSECONDS * 2.0 ** (dim - 1)),
)  # fmt: skip
OBSERVABLES = Registry("observables", [(entry.name, entry) for entry in _ENTRIES])


def measured(names: Iterable[str]) -> tuple[str, ...]:
    """Return the observables that are measured if these are listed: sorted, without duplicates, with those that always are."""
    return tuple(sorted({*names, *(o.name for o in OBSERVABLES.values() if o.always)}))


def needs_table(names: Iterable[str]) -> bool:
    """Return whether one of these observables needs the table of distances of a mean-field pattern."""
    return any(OBSERVABLES[name].table_of_pairs for name in names)


def tables_of(names: Iterable[str], first: int) -> set[str]:
    """Return the names of the tables of a block that begins with replicate `first`."""
    entries = [OBSERVABLES[name] for name in measured(names)]
    return {o.table.name for o in entries if first == 0 or not o.first_only}


def matched(cell: Cell, replicate: int, threads: int = 1) -> tuple[Pattern, Matching]:
    """Simulate one replicate of a cell, and match it."""
    rng = cell.stream(replicate)
    with drawn_by(threads):
        pattern = cell.pattern(replicate, rng, table=needs_table(cell.observables))
    return pattern, match(pattern, cell.rule, threads=threads, rng=None if pattern.geometry.has_distances else rng)


def measure(cell: Cell, replicate: int, threads: int = 1) -> dict[str, pd.DataFrame]:
    """Simulate one replicate of a cell, match it, and return its rows by table."""
    import pandas as pd

    columns_of = _measurer(cell, replicate, threads)
    keys = {**cell_columns(cell), "replicate": replicate}
    parts: dict[str, list[pd.DataFrame]] = {}
    for name in measured(cell.observables):
        observable = OBSERVABLES[name]
        if observable.first_only and replicate > 0:
            continue
        columns = columns_of(observable)
        table = observable.table.wide(len(cell.intensities))
        given = {key: value for key, value in keys.items() if key in table.names}
        if table.name == REPLICATES.name:  # colors without points
            given |= {c.name: 0 for c in table.columns if c.name not in {*given, *columns}}
        parts.setdefault(table.name, []).append(_frame(given, columns))
    return {name: pd.concat(frames, ignore_index=True) if frames[1:] else frames[0] for name, frames in parts.items()}


def arguments_of_cell(observable: Observable, cell: Cell, replicate: int) -> tuple[Any, ...]:
    """Return the cell and a random generator of its own for an observable that takes them, otherwise nothing."""
    return (cell, cell.stream(replicate).spawn(1)[0]) if observable.of_cell else ()


def _measurer(cell: Cell, replicate: int, threads: int) -> Callable[[Observable], Columns]:
    """Return a function that measures an observable on this replicate."""
    if cell.tiles is not None:
        sums = sums_in_tiles(cell, replicate, measures.edges(), threads)
        return lambda observable: observable.measure(sums)
    pattern, matching = matched(cell, replicate, threads)
    sums = sums_of(pattern, matching, measures.edges(), threads)

    def columns(observable: Observable) -> Columns:
        more = arguments_of_cell(observable, cell, replicate)
        values = observable.measure(*((sums,) if observable.summed else (pattern, matching, *more)))
        return measures.columns_of(values) if observable.table is RATIOS else values

    return columns


def _frame(keys: dict[str, object], columns: Columns) -> pd.DataFrame:
    import pandas as pd

    n = len(next(iter(columns.values())))
    repeated = {k: np.full(n, v, dtype=object if isinstance(v, str) else None) for k, v in keys.items()}
    return pd.DataFrame({**repeated, **columns})


def measure_block(
    block: Block, threads: int = 1, progress: Callable[[int], None] | None = None
) -> dict[str, pd.DataFrame]:
    """Return the rows of the replicates of a block by table. progress: called with each replicate that is done."""
    import pandas as pd

    parts: dict[str, list[pd.DataFrame]] = {}
    for replicate in block.replicates:
        for table, frame in measure(block.cell, replicate, threads).items():
            parts.setdefault(table, []).append(frame)
        if progress:
            progress(replicate)
    return {table: pd.concat(frames, ignore_index=True) for table, frames in parts.items()}
