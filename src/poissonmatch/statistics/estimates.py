"""The table `estimates`: estimates, standard errors, intervals and exact values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..tables.estimate_tables import ESTIMATES, INFINITE, LAW_TABLE, ONE_REPLICATE, ZERO
from ..tables.tables import CELL, RATIOS, REPLICATES, n_colors, stacked
from ..theory.finite_size import MIN_INDEX, is_smaller_size
from ..utils.libraries import pd
from . import intervals
from .dispersion import Dispersion
from .estimators import Estimate, Sample
from .observables import OBSERVABLES, quantities
from .observables.interface import Quantity


def derive(tables: Mapping[str, pd.DataFrame], laws: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the tables `estimates` and `laws` from the tables of all blocks, by name.

    laws: the studies to which laws are fitted.
    """
    from . import fitting  # here, because few studies need it

    made = estimate(tables)
    return {ESTIMATES.name: made, LAW_TABLE.name: fitting.table(made, tables[RATIOS.name], laws)}


def estimate(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the table `estimates` from the tables of all blocks, by name."""
    by_cell = {name: dict(tuple(frame.groupby(["study", "cell"], sort=False))) for name, frame in tables.items()}
    known = quantities()
    frames = []
    size_groups = SizeGroups(by_cell[REPLICATES.name].values())
    dispersion = Dispersion(by_cell[REPLICATES.name].values())
    for key, replicates in by_cell[REPLICATES.name].items():
        sample = Sample(replicates, size_groups.smaller(replicates), dispersion)
        parts = []
        for observable in OBSERVABLES.values():
            rows = by_cell[observable.table.name].get(key)
            if rows is None or not observable.quantities:
                continue
            if observable.table is RATIOS:  # shared by several observables
                rows = rows[rows["quantity"].isin([q.name for q in observable.quantities])]
            parts += [_rows(sample, known[e.quantity], e) for e in observable.estimate(sample, rows) if len(e.value)]
        if parts:
            frame = pd.DataFrame({name: np.concatenate([part[name] for part in parts]) for name in parts[0]})
            names = ESTIMATES.wide(n_colors(sample.row.keys())).names
            absent = {name: sample.row[name] for name in names if name in sample.row and name not in frame}
            frames.append(frame.assign(**absent)[names])
    return stacked(ESTIMATES, frames)


class SizeGroups:
    """The rows of `replicates` of cells, grouped by everything except their size."""

    def __init__(self, cells: Iterable[pd.DataFrame]) -> None:
        self.by_name: dict[str, list[pd.DataFrame]] = {}
        for rows in cells:
            self.by_name.setdefault(self._name(rows), []).append(rows)

    def smaller(self, rows: pd.DataFrame) -> pd.DataFrame | None:
        """Return the rows of the cell that differs only in its size, smaller by SIZE_FACTOR.

        Return None if there is no such cell.
        """
        size = rows["size"].iloc[0]
        return next((o for o in self.by_name[self._name(rows)] if is_smaller_size(o["size"].iloc[0], size)), None)

    @staticmethod
    def _name(rows: pd.DataFrame) -> str:
        first = rows.iloc[0]
        return repr([first[c.name] for c in CELL if c.name not in ("cell", "size", "volume", "side")])


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
    if quantity.kind == "share" and estimate.total:
        beyond = min(1.0, intervals.of_count(0, MIN_INDEX, np.inf)[1] / estimate.total)
        lower, upper = np.where(estimate.value == 1, 1 - beyond, lower), np.where(estimate.value == 0, beyond, upper)
    return lower, upper


def _rows(sample: Sample, quantity: Quantity, estimate: Estimate) -> dict[str, np.ndarray]:
    n = len(estimate.influence)
    lower, upper = ends_of(quantity, estimate)
    error, infinite, exact = estimate.error, estimate.note == INFINITE, quantity.exact(sample, estimate)
    if n == 1 or infinite:
        error = lower = upper = np.full(len(estimate.value), np.nan)
    zero = (exact == 0) & (estimate.value > 0)  # parity, or the size of the torus
    note = np.where(zero, ZERO, estimate.note or (ONE_REPLICATE if n == 1 else ""))
    distance = {"": None, "x": estimate.x, "value": estimate.value}[quantity.cut]
    columns: dict[str, Any] = {
        "quantity": np.array(quantity.name, dtype=object), "color": estimate.color, "order": estimate.order, "x": estimate.x,
        "value": estimate.value, "standard_error": error, "lower": lower, "upper": upper,
        "n_replicates": n, "exact": exact,
        "exact_torus": quantity.exact_torus(sample, estimate),
        "cutoff": np.inf if distance is None else sample.cutoff,
        "below_cutoff": not infinite if distance is None else distance <= sample.cutoff, "note": note.astype(object),
    }  # fmt: skip
    return {name: np.broadcast_to(values, len(estimate.value)) for name, values in columns.items()}
