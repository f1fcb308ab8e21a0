"""The tables `estimates` and `transitions`: estimates, standard errors, intervals and exact values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...theory import intervals
from ...theory.finite_size import FEW_COUNTS
from ..tables.estimate_tables import (
    COUNT,
    EQUAL,
    ESTIMATES,
    INFINITE,
    LOG,
    LOGIT,
    MEASURES,
    NO_POWER_LAW,
    ONE_REPLICATE,
    PROPORTION,
    STUDENT,
    TRANSITIONS,
    UNKNOWN_LAW,
    ZERO,
)
from ..tables.tables import CELL, PER_DECADE, REPLICATES, Columns, Table, n_colors
from .context import Context
from .estimators import CellSample, Estimate, arrays_of, chosen, number_together, runs
from .observables import OBSERVABLES, quantities
from .observables.distances import WINDOW
from .observables.interface import Observable, Quantity

Rows = Mapping[str, Any]  # a frame, or arrays of one length by the name of the column
Wanted = Mapping[str, frozenset[str]]  # names of quantities by study
Key = tuple[CellSample, str, int, int]  # cell, quantity, color and order
CELLS = Table("cells", "the columns of a cell", CELL)
EXPONENT, CONVERGED = "tail_exponent", "size_converged"
IN_TRANSITIONS = frozenset({CONVERGED, *(name for name, *_ in MEASURES)})  # quantities
# The columns of a quantity in the table `transitions`, after its name, and in `estimates`.
ENDS = {"": "value"} | {
    f"_{name}": name for name in ("standard_error", "lower", "upper", "exact", "exact_torus", "note")
}


def columns_of_cells(
    cells: Iterable[Mapping[str, Rows]], context: Context, wanted: Wanted | None = None
) -> dict[str, Columns]:
    """Return the rows of cells in the tables `transitions` and `estimates`, as arrays by column; no table without rows.

    cells: the rows of each. wanted: the names of the quantities in the table `estimates`, by study;
    by default all that these rows allow. Few large arrays take less time than many small ones.
    """
    tables = list(cells)
    samples = [CellSample(of_cell[REPLICATES.name], context) for of_cell in tables]
    if not samples:
        return {}
    parts = [part for cells in _together(samples) for part in _estimated(cells, samples, tables, wanted)]
    columns, ranges = _in_order(samples, parts) if parts else ({}, {})
    colors = max(n_colors(sample.row) for sample in samples)
    made = {TRANSITIONS.name: _columns(TRANSITIONS.wide(colors), _transitions(samples, columns, ranges))}
    if parts and columns["is_wanted"].any():
        of_cells = _columns(CELLS.wide(colors), [sample.row for sample in samples])
        columns = {**columns, **{name: values[columns["number"]] for name, values in of_cells.items()}}
        shown = {name: columns[name] for name in ESTIMATES.wide(colors).names}
        made[ESTIMATES.name] = chosen(shown, columns["is_wanted"])
    return made


def _together(samples: Sequence[CellSample]) -> Iterator[list[int]]:
    """Yield the numbers of cells that are estimated together: of one study, and with equally many replicates."""
    groups: dict[tuple[str, int], list[int]] = {}
    for cell, sample in enumerate(samples):
        groups.setdefault((str(sample.row["study"]), len(sample.replicates["replicate"])), []).append(cell)
    for (_, replicates), cells in groups.items():
        size = number_together(replicates)
        for start in range(0, len(cells), size):
            yield cells[start : start + size]


def _estimated(
    cells: Sequence[int], samples: Sequence[CellSample], tables: Sequence[Mapping[str, Rows]], wanted: Wanted | None
) -> Iterator[Columns]:
    """Yield the estimates of cells of a study, by column of the table, with the numbers of the cells among all."""
    known = quantities()
    names = frozenset(known) if wanted is None else wanted[str(samples[cells[0]].row["study"])]
    for observable in OBSERVABLES.values():
        table = observable.table.name
        with_rows = [cell for cell in cells if table in tables[cell]]
        if not with_rows or not any(q.name in names | IN_TRANSITIONS for q in observable.quantities):
            continue
        of_cells = [samples[cell] for cell in with_rows]
        rows = [_rows(observable, samples[cell], tables[cell][table]) for cell in with_rows]
        for estimate in observable.estimates(of_cells, rows):
            if len(estimate.value) and estimate.quantity in names | IN_TRANSITIONS:
                part = _columns_of(of_cells, known[estimate.quantity], estimate, observable.of_colors)
                is_wanted = np.full(len(estimate.value), estimate.quantity in names)
                yield {**part, "number": np.array(with_rows)[part["number"]], "is_wanted": is_wanted}


def _columns_of(samples: Sequence[CellSample], quantity: Quantity, estimate: Estimate, of_colors: bool) -> Columns:
    """Return the columns of estimates without those of their cells, and the numbers of these among the samples."""
    n, k = len(estimate.influence), len(estimate.value)
    exact, exact_torus, cutoff = np.empty((3, k))
    number, color, order = np.empty((3, k), int)
    color_name, note, name = np.full((3, k), None, object)
    end = 0
    for part in estimate.parts():
        some = slice(end, end := end + len(part.value))
        sample = samples[part.cell]
        number[some], color[some], order[some] = part.cell, part.color, part.order
        exact[some], exact_torus[some] = quantity.exact(sample, part), quantity.exact_torus(sample, part)
        cutoff[some] = sample.cutoff
        color_name[some] = sample.color_names[part.color] if of_colors else None
    name[:], note[:] = quantity.name, estimate.note
    infinite = note == INFINITE
    unknown = infinite | (n == 1)
    note[unknown & ~infinite] = ONE_REPLICATE
    note[(exact == 0) & (estimate.value > 0)] = ZERO  # parity, or the size of the torus
    estimate = with_ends(quantity, estimate)
    lower, upper = estimate.ends
    distance = {"x": estimate.x, "value": estimate.value}.get(quantity.cut, 0.0)
    return {
        "number": number,
        "quantity": name,
        "color": color,
        "order": order,
        "x": estimate.x,
        "color_name": color_name,
        "value": estimate.value,
        "standard_error": np.where(unknown, np.nan, estimate.error),
        "lower": np.where(unknown, np.nan, lower),
        "upper": np.where(unknown, np.nan, upper),
        "n_replicates": np.full(k, n),
        "interval": np.where(unknown | np.isnan(estimate.value), None, estimate.interval),
        "dispersion": np.where(unknown, np.nan, estimate.dispersion),
        "total": np.where(np.equal(estimate.total, 0), np.nan, estimate.total) * np.ones(k),
        "exact": exact,
        "exact_torus": exact_torus,
        "cutoff": cutoff if quantity.cut else np.full(k, np.nan),
        "below_cutoff": (distance <= cutoff) & ~infinite,
        "note": note,
    }


def _in_order(samples: Sequence[CellSample], parts: Sequence[Columns]) -> tuple[Columns, dict[Key, range]]:
    """Return the estimates of all parts, sorted as in the table, and the rows of each quantity of a cell."""
    columns: Columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    names = sorted({part["quantity"][0] for part in parts})
    rank = np.repeat([names.index(part["quantity"][0]) for part in parts], [len(part["value"]) for part in parts])
    keys = np.stack([columns["order"], columns["color"], rank, columns["number"]])
    row = np.lexsort(keys)
    columns, keys = chosen(columns, row), keys[:, row]
    ranges = {}
    for rows in runs(keys):
        order, color, name, number = keys[:, rows.start].tolist()
        ranges[samples[number], names[name], color, order] = rows
    return columns, ranges


def _transitions(
    samples: Iterable[CellSample], estimates: Columns, ranges: Mapping[Key, range]
) -> list[dict[str, Any]]:
    """Return the rows of cells in the table `transitions`, one for each color: their values by column.

    estimates: columns of their estimates; ranges: the rows of each quantity of a cell there.
    """
    rows = []
    for sample in samples:
        for color, color_name in enumerate(sample.color_names):
            row = sample.row | {
                "color": color,
                "color_name": color_name,
                "intensity": sample.intensities[color],
                "n_replicates": len(sample.replicates["replicate"]),
            }
            for name in IN_TRANSITIONS:
                index = _last_row(estimates, ranges, sample, name, color)
                for suffix, column in ENDS.items():
                    missing = None if column == "note" else np.nan
                    row[name + suffix] = missing if index is None else estimates[column][index]
                if row[f"{name}_note"] == INFINITE:
                    row[f"{name}_exact"] = np.inf
                if name == EXPONENT:
                    row[f"{EXPONENT}_r"] = np.nan if index is None else estimates["x"][index]
            if not sample.moments.power < np.inf:
                row[f"{EXPONENT}_note"] = UNKNOWN_LAW if np.isnan(sample.moments.power) else NO_POWER_LAW
            row[CONVERGED] = None if np.isnan(row[CONVERGED]) else bool(row[CONVERGED])
            rows.append(row)
    return rows


def _last_row(
    estimates: Columns, ranges: Mapping[Key, range], sample: CellSample, quantity: str, color: int
) -> int | None:
    """Return the last row of a quantity of a color and the nearest partner, None if there is none.

    Of the exponent it is the last one whose window is below the cutoff, if the tail is a power law.
    """
    rows = ranges.get((sample, quantity, color, 0), range(0))
    if quantity == EXPONENT and not sample.moments.power < np.inf:
        return None
    if quantity == EXPONENT and rows:
        ends = estimates["x"][rows.start : rows.stop] * 10 ** (WINDOW / PER_DECADE)
        rows = rows[: np.count_nonzero(ends <= sample.cutoff)]
    return rows[-1] if rows else None


def _columns(table: Table, rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Return columns of a table from rows; a number that a row does not have is nan."""
    return {
        name: np.array(values, object if None in values or isinstance(values[0], str) else None)
        for name in table.names
        for values in [[row.get(name, np.nan) for row in rows]]
    }


def _rows(observable: Observable, sample: CellSample, rows: Rows) -> Columns:
    """Return the rows that belong to an observable, as arrays, without the columns of the cell."""
    if observable.table is REPLICATES:
        return sample.replicates
    columns = arrays_of(observable.table, rows)
    if "quantity" not in columns:
        return columns
    return chosen(columns, np.isin(columns["quantity"], [quantity.name for quantity in observable.quantities]))


OF_KIND = {"share": LOGIT, "positive": LOG, "count": LOG, "proportion": PROPORTION}  # intervals of kinds of quantities
METHODS = {
    LOGIT: intervals.of_share,
    LOG: intervals.of_positive,
    PROPORTION: lambda value, _, n: intervals.of_proportion(value, n),
    STUDENT: intervals.student,
}
# Numbers of points or pairs below which the interval is that of a count.
FEW = {"share": 4, "count": FEW_COUNTS}


def with_ends(quantity: Quantity, estimate: Estimate) -> Estimate:
    """Return an estimate with the ends of its intervals, within the bounds of the quantity, and their kinds."""
    if estimate.ends is None:
        method = OF_KIND.get(quantity.kind, STUDENT)
        ends = METHODS[method](estimate.value, estimate.error, len(estimate.influence))
        estimate = estimate.of(ends=ends, interval=np.full(estimate.value.shape, method, object))
        if len(estimate.influence) > 1:
            estimate = _of_few(quantity, estimate)
    lower, upper = estimate.ends
    return estimate.of(ends=(np.maximum(lower, quantity.bounds[0]), np.minimum(upper, quantity.bounds[1])))


def _of_few(quantity: Quantity, estimate: Estimate) -> Estimate:
    """Return an estimate with other intervals where few points or pairs count, or all tori are equal."""
    n, value, error, (lower, upper) = len(estimate.influence), estimate.value, estimate.error, estimate.ends
    total = np.broadcast_to(estimate.total, value.shape)
    if quantity.kind == "mean":  # of one whole number for each torus
        equal = (total == n) & (error == 0)
        beyond = intervals.of_proportion(np.zeros(1), n)[1]
        ends = np.where(equal, value - beyond, lower), np.where(equal, value + beyond, upper)
        return estimate.of(ends=ends, interval=np.where(equal, EQUAL, estimate.interval))
    rest = (quantity.kind == "share") & (value > 0.5)  # those that do not count may be few
    count = np.where(rest, 1 - value, value) * total
    few = (total > 0) & (count < FEW.get(quantity.kind, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        index, dof = intervals.dispersion(count, error * total, n)
        low, high = (end / total for end in intervals.of_count(count, index, dof))
    low, high = np.where(rest, 1 - high, low), np.where(rest, 1 - low, high)
    return estimate.of(
        ends=(np.where(few, low, lower), np.where(few, high, upper)),
        interval=np.where(few, COUNT, estimate.interval),
        dispersion=np.where(few, index, np.nan),
    )
