"""The tables `estimates` and `transitions`: estimates, standard errors, intervals and exact values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import Any

import numpy as np

from ..tables.estimate_tables import ESTIMATES, INFINITE, LAW_TABLE, ONE_REPLICATE, TRANSITIONS, ZERO
from ..tables.invariants import columns_of
from ..tables.parquet import concatenated, to_arrow
from ..tables.tables import CELL, DISTANCES, RATIOS, REPLICATES, Columns, Table, empty, n_colors, stacked
from ..theory.finite_size import MIN_INDEX
from ..utils.libraries import pa, pd
from . import intervals
from .context import Context, Summary
from .estimators import Estimate, Sample, arrays_of, chosen
from .observables import OBSERVABLES, quantities
from .observables.interface import Observable, Quantity
from .transitions import SHOWN, transitions_of

Rows = Mapping[str, Any]  # a frame, or arrays of one length by the name of the column
Wanted = Mapping[str, frozenset[str]]  # names of quantities by study


def derive(
    tables: Mapping[str, pd.DataFrame], laws: Sequence[str], wanted: Wanted | None = None
) -> dict[str, pd.DataFrame]:
    """Return the tables `transitions`, `estimates` and `laws` from the tables of all blocks, by name.

    laws: the studies to which laws are fitted; without any there is no table `laws`. wanted: see
    `columns_of_cell`.
    """
    from . import fitting  # here, because few studies need it

    cells: dict[Hashable, dict[str, Columns]] = {}
    for name in {REPLICATES.name, DISTANCES.name, RATIOS.name} & tables.keys():
        columns = {str(column): np.asarray(tables[name][column]) for column in tables[name]}
        for key, places in tables[name].groupby(["study", "cell"], sort=False).indices.items():
            cells.setdefault(key, {})[name] = chosen(columns, np.asarray(places))
    context = Context(summary(rows[REPLICATES.name]) for rows in cells.values())
    made = [columns_of_cell(rows, context, wanted) for rows in cells.values()]
    derived = {
        table.name: stacked(table, [pd.DataFrame(part[table.name]) for part in made if table.name in part])
        for table in (TRANSITIONS, ESTIMATES)
    }
    if laws:
        ratios = tables.get(RATIOS.name, empty(RATIOS))
        derived[LAW_TABLE.name] = fitting.table(derived[ESTIMATES.name], ratios, laws)
    return derived


def summary(replicates: Rows) -> Summary:
    """Return what `Context` needs of a cell, from its rows of `replicates`."""
    return Sample(replicates).summary


def columns_of_cell(tables: Mapping[str, Rows], context: Context, wanted: Wanted | None = None) -> dict[str, Columns]:
    """Return the rows of a cell in the tables `transitions` and `estimates`, as arrays by column; no table without rows.

    wanted: the names of the quantities in the table `estimates`, by study; by default all that
    these rows allow.
    """
    sample, entries = Sample(tables[REPLICATES.name], context), quantities()
    names = frozenset(entries) if wanted is None else wanted[str(sample.row["study"])]
    made = [
        (observable, entries[estimate.quantity], estimate)
        for observable in OBSERVABLES.values()
        if observable.table.name in tables
        and any(quantity.name in names or quantity.name in SHOWN for quantity in observable.quantities)
        for estimate in observable.estimate(sample, _rows(observable, sample, tables[observable.table.name]))
        if len(estimate.value) and estimate.quantity in names | SHOWN
    ]
    made.sort(key=lambda item: (item[2].quantity, item[2].color, item[2].order))  # as the rows of the table
    lengths = [len(estimate.value) for *_, estimate in made]
    ends = zip(made, lengths, accumulate(lengths), strict=True)
    places = {(e.quantity, e.color, e.order): range(end - length, end) for (*_, e), length, end in ends}
    columns = _columns(sample, made, lengths) if made else {}
    parts = [(TRANSITIONS, transitions_of(sample, columns, places))]
    some = np.repeat([estimate.quantity in names for *_, estimate in made], lengths)
    if some.any():
        parts.append((ESTIMATES, columns if some.all() else chosen(columns, some)))
    return {table.name: _with_cell(table, sample, part) for table, part in parts}


def needed(table: Table, rows: pa.Table) -> Columns:
    """Return the columns of the rows of a cell from which it is estimated, as arrays."""
    return columns_of(rows if table is REPLICATES else rows.select(table.names[len(CELL) :]))


def of_cells(
    cells: Iterable[Mapping[str, Rows]], context: Context, wanted: Wanted | None = None
) -> dict[str, pa.Table]:
    """Return the rows of cells in the tables `transitions` and `estimates`, in order; no table without rows.

    cells: `needed` rows of each. wanted: see `columns_of_cell`.
    """
    made = [columns_of_cell(cell, context, wanted) for cell in cells]
    return {
        table.name: concatenated(table, [to_arrow(table, part, {}) for part in _joined(parts)])
        for table in (TRANSITIONS, ESTIMATES)
        if (parts := [part[table.name] for part in made if table.name in part])
    }


def _joined(parts: Iterable[Columns]) -> Iterator[Columns]:
    """Yield parts of a table one below the other, as long as they have the same columns."""
    for names, alike in groupby(parts, key=list):
        same = list(alike)
        yield {name: np.concatenate([part[name] for part in same]) for name in names}


def _with_cell(table: Table, sample: Sample, columns: Columns) -> Columns:
    """Return the columns of a table of estimates, with those that are the same for the whole cell."""
    rows = len(columns["color"])
    return {
        name: columns[name] if name in columns else _repeated([sample.row[name]], [rows])
        for name in table.wide(n_colors(sample.row)).names
    }


def _rows(observable: Observable, sample: Sample, rows: Rows) -> Columns:
    """Return the rows that belong to an observable, as arrays, without the columns of the cell."""
    if observable.table is REPLICATES:
        return sample.replicates
    columns = arrays_of(observable.table, rows)
    if observable.table is not RATIOS:
        return columns
    return chosen(columns, np.isin(columns["quantity"], [quantity.name for quantity in observable.quantities]))


def ends_of(quantity: Quantity, estimate: Estimate) -> intervals.Ends:
    """Return the ends of the intervals of an estimate, within the bounds of the quantity.

    If none or all of the points of a share count, it has the rule of three for clusters of
    MIN_INDEX points.
    """
    of_kind = {"share": intervals.of_share, "proportion": lambda value, _, n: intervals.of_proportion(value, n)}
    ends = estimate.ends
    if ends is None:
        ends = of_kind.get(quantity.kind, intervals.student)(estimate.value, estimate.error, len(estimate.influence))
    lower, upper = np.maximum(ends[0], quantity.bounds[0]), np.minimum(ends[1], quantity.bounds[1])
    if quantity.kind == "share" and np.any(estimate.total):
        beyond = np.minimum(1.0, intervals.of_count(0, MIN_INDEX, np.inf)[1] / estimate.total)
        lower, upper = np.where(estimate.value == 1, 1 - beyond, lower), np.where(estimate.value == 0, beyond, upper)
    return lower, upper


def _columns(
    sample: Sample, made: Sequence[tuple[Observable, Quantity, Estimate]], lengths: Sequence[int]
) -> dict[str, np.ndarray]:
    """Return the columns of the rows of estimates, without those that are the same for the whole cell.

    made: each estimate with its observable and quantity. lengths: numbers of rows.
    """
    estimates = [estimate for *_, estimate in made]
    quantities = [quantity for _, quantity, _ in made]
    pairs, n = list(zip(quantities, estimates, strict=True)), len(sample.replicates["replicate"])

    def joined(values: Iterable[Any]) -> np.ndarray:
        parts = zip(values, lengths, strict=True)
        return np.concatenate([value if getattr(value, "ndim", 0) else np.full(k, value) for value, k in parts])

    lower, upper = zip(*(ends_of(*pair) for pair in pairs), strict=True)
    columns: dict[str, np.ndarray] = {
        "quantity": _repeated([quantity.name for quantity in quantities], lengths),
        "color": _repeated([estimate.color for estimate in estimates], lengths),
        "color_name": _repeated(
            [sample.color_names[e.color] if observable.of_colors else None for observable, _, e in made], lengths
        ),
        "order": _repeated([estimate.order for estimate in estimates], lengths),
        "x": np.concatenate([estimate.x for estimate in estimates]),
        "value": np.concatenate([estimate.value for estimate in estimates]),
        "standard_error": np.concatenate([estimate.error for estimate in estimates]),
        "lower": joined(lower),
        "upper": joined(upper),
        "n_replicates": np.full(sum(lengths), n),
        "exact": joined(quantity.exact(sample, estimate) for quantity, estimate in pairs),
        "exact_torus": _repeated([quantity.exact_torus(sample, estimate) for quantity, estimate in pairs], lengths),
        "note": _repeated([ONE_REPLICATE if n == 1 and e.note != INFINITE else e.note or None for e in estimates], lengths),
    }
    infinite = columns["note"] == INFINITE
    for name in ("standard_error", "lower", "upper"):
        columns[name][infinite | (n == 1)] = np.nan
    cut = _repeated([quantity.cut for quantity in quantities], lengths)
    distance = np.where(cut == "x", columns["x"], np.where(cut == "value", columns["value"], 0))
    columns["cutoff"] = np.where(cut == "", np.nan, sample.cutoff)
    columns["below_cutoff"] = (distance <= sample.cutoff) & ~infinite
    zero = (columns["exact"] == 0) & (columns["value"] > 0)  # parity, or the size of the torus
    columns["note"] = np.where(zero, ZERO, columns["note"])
    return columns


def _repeated(values: Sequence[Any], lengths: Any) -> np.ndarray:
    text = isinstance(values[0], str | None)
    return np.repeat(np.array(values, object if text else None), lengths)
