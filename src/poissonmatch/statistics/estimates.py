"""The tables `estimates` and `transitions`: estimates, standard errors, intervals and exact values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from ..tables.estimate_tables import ESTIMATES, INFINITE, LAW_TABLE, ONE_REPLICATE, TRANSITIONS, ZERO
from ..tables.tables import DISTANCES, RATIOS, REPLICATES, Columns, Table, empty, n_colors, stacked
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
    return columns_of_cells([tables], context, wanted)


def columns_of_cells(
    cells: Iterable[Mapping[str, Rows]], context: Context, wanted: Wanted | None = None
) -> dict[str, Columns]:
    """Return the rows of several cells, one after another: few large arrays take less time than many small ones."""
    samples: list[Sample] = []
    made: list[Made] = []
    for number, tables in enumerate(cells):
        samples.append(Sample(tables[REPLICATES.name], context))
        made += sorted(_made(number, samples[-1], tables, wanted), key=lambda one: one.key)
    lengths = [len(one.estimate.value) for one in made]
    columns = _columns(made, lengths) if made else {}
    places = {one.key: range(end - k, end) for one, k, end in zip(made, lengths, accumulate(lengths), strict=True)}
    colored = [sample for sample in samples for _ in sample.intensities]
    parts = {TRANSITIONS.name: _with_cell(TRANSITIONS, colored, 1, transitions_of(samples, columns, places))}
    some = np.repeat([one.is_wanted for one in made], lengths)
    if some.any():
        rows = _with_cell(ESTIMATES, [one.sample for one in made], lengths, columns)
        parts[ESTIMATES.name] = rows if some.all() else chosen(rows, some)
    return parts


class Made(NamedTuple):
    """An estimate of a cell with its observable and quantity, and whether it is a row of `estimates`."""

    key: Key
    sample: Sample
    observable: Observable
    quantity: Quantity
    estimate: Estimate
    is_wanted: bool


def _made(number: int, sample: Sample, tables: Mapping[str, Rows], wanted: Wanted | None) -> Iterator[Made]:
    """Yield the estimates of a cell. number: that of the cell."""
    entries = quantities()
    names = frozenset(entries) if wanted is None else wanted[str(sample.row["study"])]
    shown = names | SHOWN
    for observable in OBSERVABLES.values():
        if observable.table.name not in tables or not any(q.name in shown for q in observable.quantities):
            continue
        for one in observable.estimate(sample, _rows(observable, sample, tables[observable.table.name])):
            if len(one.value) and one.quantity in shown:
                key = number, one.quantity, one.color, one.order
                yield Made(key, sample, observable, entries[one.quantity], one, one.quantity in names)


def _with_cell(table: Table, samples: Sequence[Sample], lengths: Any, columns: Columns) -> Columns:
    """Return the columns of a table of estimates, with those of the cell. samples: of `lengths` rows each."""
    colors = max(n_colors(sample.row) for sample in set(samples))
    return {
        name: columns[name]
        if name in columns
        else _repeated([sample.row.get(name, np.nan) for sample in samples], lengths)
        for name in table.wide(colors).names
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


def _columns(made: Sequence[Made], lengths: Sequence[int]) -> dict[str, np.ndarray]:
    """Return the columns of the rows of estimates, without those of the cell. lengths: their numbers of rows."""
    _, samples, observables, quantities, estimates, _ = zip(*made, strict=True)
    tori = [len(sample.replicates["replicate"]) for sample in samples]

    def joined(values: Iterable[Any]) -> np.ndarray:
        parts = zip(values, lengths, strict=True)
        return np.concatenate([value if getattr(value, "ndim", 0) else [value] * k for value, k in parts])

    names = [
        sample.color_names[estimate.color] if observable.of_colors else None
        for sample, observable, estimate in zip(samples, observables, estimates, strict=True)
    ]
    notes = [
        ONE_REPLICATE if n == 1 and estimate.note != INFINITE else estimate.note or None
        for n, estimate in zip(tori, estimates, strict=True)
    ]
    lower, upper = zip(*map(ends_of, quantities, estimates), strict=True)
    columns: dict[str, np.ndarray] = {
        "quantity": _repeated([quantity.name for quantity in quantities], lengths),
        "color": _repeated([estimate.color for estimate in estimates], lengths),
        "color_name": _repeated(names, lengths),
        "order": _repeated([estimate.order for estimate in estimates], lengths),
        "x": np.concatenate([estimate.x for estimate in estimates]),
        "value": np.concatenate([estimate.value for estimate in estimates]),
        "standard_error": np.concatenate([estimate.error for estimate in estimates]),
        "lower": joined(lower),
        "upper": joined(upper),
        "n_replicates": _repeated(tori, lengths),
        "exact": joined(one.quantity.exact(one.sample, one.estimate) for one in made),
        "exact_torus": _repeated([one.quantity.exact_torus(one.sample, one.estimate) for one in made], lengths),
        "note": _repeated(notes, lengths),
    }
    infinite = columns["note"] == INFINITE
    for name in ("standard_error", "lower", "upper"):
        columns[name][infinite | (columns["n_replicates"] == 1)] = np.nan
    cut = _repeated([quantity.cut for quantity in quantities], lengths)
    distance = np.where(cut == "x", columns["x"], np.where(cut == "value", columns["value"], 0))
    cutoff = _repeated([sample.cutoff for sample in samples], lengths)
    columns["cutoff"] = np.where(cut == "", np.nan, cutoff)
    columns["below_cutoff"] = (distance <= cutoff) & ~infinite
    zero = (columns["exact"] == 0) & (columns["value"] > 0)  # parity, or the size of the torus
    columns["note"] = np.where(zero, ZERO, columns["note"])
    return columns


def _repeated(values: Sequence[Any], lengths: Any) -> np.ndarray:
    text = isinstance(values[0], str | None)
    return np.repeat(np.array(values, object if text else None), lengths)
