"""The tables `estimates` and `transitions`: estimates, standard errors, intervals and exact values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from ..tables.estimate_tables import ESTIMATES, INFINITE, LAW_TABLE, ONE_REPLICATE, TRANSITIONS, ZERO
from ..tables.tables import DISTANCES, RATIOS, REPLICATES, Columns, Table, empty, n_colors
from ..theory.finite_size import MIN_INDEX
from ..utils.libraries import pd
from . import intervals
from .context import Context, Summary
from .estimators import Estimate, Sample, arrays_of, chosen
from .observables import OBSERVABLES, quantities
from .observables.interface import Observable, Quantity
from .transitions import SHOWN, Key, transitions_of

Rows = Mapping[str, Any]  # a frame, or arrays of one length by the name of the column
Wanted = Mapping[str, frozenset[str]]  # names of quantities by study


def derive(
    tables: Mapping[str, pd.DataFrame], laws: Sequence[str], wanted: Wanted | None = None
) -> dict[str, pd.DataFrame]:
    """Return the tables `transitions`, `estimates` and `laws` from the tables of all blocks, by name.

    laws: the studies to which laws are fitted; without any there is no table `laws`. wanted: see
    `columns_of_cells`.
    """
    from . import fitting  # here, because few studies need it

    cells: dict[Hashable, dict[str, Columns]] = {}
    for name in {REPLICATES.name, DISTANCES.name, RATIOS.name} & tables.keys():
        columns = {str(column): np.asarray(tables[name][column]) for column in tables[name]}
        for key, places in tables[name].groupby(["study", "cell"], sort=False).indices.items():
            cells.setdefault(key, {})[name] = chosen(columns, np.asarray(places))
    context = Context(summary(rows[REPLICATES.name]) for rows in cells.values())
    made = columns_of_cells(cells.values(), context, wanted)
    derived = {
        table.name: pd.DataFrame(made[table.name]) if made.get(table.name) else empty(table)
        for table in (TRANSITIONS, ESTIMATES)
    }
    if laws:
        ratios = tables.get(RATIOS.name, empty(RATIOS))
        derived[LAW_TABLE.name] = fitting.table(derived[ESTIMATES.name], ratios, laws)
    return derived


def summary(replicates: Rows) -> Summary:
    """Return what `Context` needs of a cell, from its rows of `replicates`."""
    return Sample(replicates).summary


def columns_of_cells(
    cells: Iterable[Mapping[str, Rows]], context: Context, wanted: Wanted | None = None
) -> dict[str, Columns]:
    """Return the rows of cells in the tables `transitions` and `estimates`, as arrays by column; no table without rows.

    cells: the rows of each. wanted: the names of the quantities in the table `estimates`, by study;
    by default all that these rows allow. Few large arrays take less time than many small ones.
    """
    samples: list[Sample] = []
    rows: list[dict[str, Any]] = []
    places: dict[Key, range] = {}
    end = 0
    for tables in cells:
        sample = Sample(tables[REPLICATES.name], context)
        samples.append(sample)
        of_cell = sorted(_estimated(sample, tables, wanted), key=itemgetter("quantity", "color", "order"))
        for row in of_cell:
            start, end = end, end + len(row["value"])
            places[sample, row["quantity"], row["color"], row["order"]] = range(start, end)
        rows += of_cell
    colors = max((n_colors(sample.row) for sample in samples), default=2)
    columns = _columns(ESTIMATES.wide(colors), rows)
    transitions = transitions_of(samples, columns, places)
    parts: dict[str, Columns] = {TRANSITIONS.name: _columns(TRANSITIONS.wide(colors), transitions)}
    some = np.repeat([row["is_wanted"] for row in rows], [len(row["value"]) for row in rows])
    if some.any():
        zero = (columns["exact"] == 0) & (columns["value"] > 0)  # parity, or the size of the torus
        columns["note"] = np.where(zero, ZERO, columns["note"])
        parts[ESTIMATES.name] = columns if some.all() else chosen(columns, some)
    return parts


def _estimated(sample: Sample, tables: Mapping[str, Rows], wanted: Wanted | None) -> Iterator[dict[str, Any]]:
    """Yield each estimate of a cell: its values by column, one for all x or an array."""
    entries = quantities()
    names = frozenset(entries) if wanted is None else wanted[str(sample.row["study"])]
    shown = names | SHOWN
    for observable in OBSERVABLES.values():
        if observable.table.name not in tables or not any(q.name in shown for q in observable.quantities):
            continue
        for estimate in observable.estimate(sample, _rows(observable, sample, tables[observable.table.name])):
            if len(estimate.value) and estimate.quantity in shown:
                name = sample.color_names[estimate.color] if observable.of_colors else None
                row = _row(sample, entries[estimate.quantity], estimate)
                yield row | {"color_name": name, "is_wanted": estimate.quantity in names}


def _row(sample: Sample, quantity: Quantity, estimate: Estimate) -> dict[str, Any]:
    """Return the values of an estimate by column, those of its cell included."""
    n, infinite = len(sample.replicates["replicate"]), bool(np.all(estimate.note == INFINITE))
    lower, upper = (np.nan, np.nan) if infinite or n == 1 else ends_of(quantity, estimate)
    distance = {"x": estimate.x, "value": estimate.value}.get(quantity.cut, 0.0)
    return sample.row | {
        "quantity": quantity.name,
        "color": estimate.color,
        "order": estimate.order,
        "x": estimate.x,
        "value": estimate.value,
        "standard_error": np.nan if infinite or n == 1 else estimate.error,
        "lower": lower,
        "upper": upper,
        "n_replicates": n,
        "exact": quantity.exact(sample, estimate),
        "exact_torus": quantity.exact_torus(sample, estimate),
        "note": ONE_REPLICATE if n == 1 and not infinite else estimate.note,
        "cutoff": sample.cutoff if quantity.cut else np.nan,
        "below_cutoff": np.less_equal(distance, sample.cutoff) & (not infinite),
    }


def _columns(table: Table, rows: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """Return columns of a table from rows, some of which have arrays of values."""
    if not rows:
        return {}
    lengths = [np.size(row.get("value", 0)) for row in rows]

    def joined(values: list[Any]) -> np.ndarray:
        if np.ndarray in map(type, values):
            parts = zip(values, lengths, strict=True)
            return np.concatenate([value if getattr(value, "ndim", 0) else [value] * k for value, k in parts])
        text = isinstance(values[0], str | None)
        return np.repeat(np.array(values, object if text else None), lengths)

    return {name: joined([row.get(name, np.nan) for row in rows]) for name in table.names}


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
