"""The table `estimates`: the estimates of every observable, with standard errors, intervals and exact values beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy  # which imports scipy.stats when it is first used

from ..tables.estimate_tables import ESTIMATES, LAW_TABLE
from ..tables.tables import CELL, RATIOS, REPLICATES, n_colors, stacked
from ..theory.finite_size import is_smaller_size
from .estimators import CONFIDENCE, Estimate, Sample, interval, standard_error
from .observables import OBSERVABLES, quantities
from .quantities import Quantity

if TYPE_CHECKING:
    import pandas as pd


def derive(tables: Mapping[str, pd.DataFrame], laws: Sequence[str]) -> dict[str, pd.DataFrame]:
    """The tables `estimates` and `laws` from those of all blocks, by name. laws: the studies of which laws are fitted."""
    from . import fitting  # here, because few studies need it

    made = estimate(tables)
    return {ESTIMATES.name: made, LAW_TABLE.name: fitting.table(made, tables[RATIOS.name], laws)}


def estimate(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The table `estimates` from the tables of all blocks, by name."""
    import pandas as pd

    by_cell = {name: dict(tuple(frame.groupby(["study", "cell"], sort=False))) for name, frame in tables.items()}
    known = quantities()
    frames = []
    size_groups = SizeGroups(by_cell[REPLICATES.name].values())
    for key, replicates in by_cell[REPLICATES.name].items():
        sample = Sample(replicates, size_groups.smaller(replicates))
        found = []
        for observable in OBSERVABLES.values():
            rows = by_cell[observable.table.name].get(key)
            if rows is None or not observable.quantities:
                continue
            if observable.table is RATIOS:  # which several observables share
                rows = rows[rows["quantity"].isin([q.name for q in observable.quantities])]
            found += [_rows(sample, known[e.quantity], e) for e in observable.estimate(sample, rows) if len(e.value)]
        if found:
            frame = pd.concat(found, ignore_index=True)
            wide = ESTIMATES.wide(n_colors(sample.row.keys()))
            mine = {name: sample.row[name] for name in wide.names if name in sample.row}
            frames.append(
                frame.assign(**{name: value for name, value in mine.items() if name not in frame})[wide.names]
            )
    return stacked(ESTIMATES, frames)


class SizeGroups:
    """The rows of `replicates` of cells, by all but their size."""

    def __init__(self, cells: Iterable[pd.DataFrame]) -> None:
        self.by_name: dict[str, list[pd.DataFrame]] = {}
        for rows in cells:
            self.by_name.setdefault(self._name(rows), []).append(rows)

    def smaller(self, rows: pd.DataFrame) -> pd.DataFrame | None:
        """Those of the cell that differs from this one in its size only, which is an eighth of this one's; None if there is none."""
        size = rows["size"].iloc[0]
        return next((o for o in self.by_name[self._name(rows)] if is_smaller_size(o["size"].iloc[0], size)), None)

    @staticmethod
    def _name(rows: pd.DataFrame) -> str:
        first = rows.iloc[0]
        return repr([first[c.name] for c in CELL if c.name not in ("cell", "size", "volume", "side")])


def _rows(sample: Sample, quantity: Quantity, found: Estimate) -> pd.DataFrame:
    import pandas as pd

    n = len(found.influence)
    # a column at a time: numpy adds up a table in another order, and the last digit is part of a result
    error = np.array([standard_error(column) for column in found.influence.T])
    lower, upper = interval(found.value, error, n)
    if n > 1:
        least, most = quantity.bounds
        lower, upper = np.maximum(lower, least), np.minimum(upper, most)
        if quantity.kind == "proportion":
            ends = [scipy.stats.binomtest(round(value * n), n).proportion_ci(CONFIDENCE) for value in found.value]
            lower, upper = np.array([end.low for end in ends]), np.array([end.high for end in ends])
    distance = {"": None, "x": found.x, "value": found.value}[quantity.cut]
    columns: dict[str, Any] = {
        "quantity": quantity.name,
        "color": found.color,
        "order": found.order,
        "x": found.x,
        "value": found.value,
        "standard_error": error,
        "lower": lower,
        "upper": upper if found.upper is None else found.upper,
        "n_replicates": n,
        "exact": quantity.exact(sample, found),
        "cutoff": np.inf if distance is None else sample.cutoff,
        "below_cutoff": True if distance is None else distance <= sample.cutoff,
    }
    return pd.DataFrame(columns)
