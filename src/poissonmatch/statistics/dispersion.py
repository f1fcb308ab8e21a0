"""Index of dispersion of the number of unmatched points.

It is pooled over the cells of a rule, process, dimension and color.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..tables.tables import n_colors
from ..theory.finite_size import FEW_REPLICATES, MIN_COUNT, MIN_INDEX
from ..utils.libraries import pd
from .influences import ratio

SAME = ("rule", "process", "dim", "geometry")  # columns of `replicates` in which pooled cells agree


class Dispersion:
    """Sums over cells for the index of dispersion of unmatched points.

    The index is the variance of their number over its mean.

    Parameters
    ----------
    cells : iterable of DataFrame
        Rows of the table `replicates`, one frame for each cell.
    """

    def __init__(self, cells: Iterable[pd.DataFrame] = ()) -> None:
        self._sums: dict[tuple, tuple[float, int]] = {}
        for rows in cells:
            for color in range(n_colors(rows.keys())):
                alone, points = (rows[f"{name}_{color}"].to_numpy() for name in ("unmatched", "points"))
                if len(rows) > 1 and alone.sum() >= MIN_COUNT:
                    key, dof = _key(rows, color), len(rows) - 1
                    total, freedom = self._sums.get(key, (0.0, 0))
                    self._sums[key] = total + dof * index_of(alone, points), freedom + dof

    def index(self, rows: pd.DataFrame, color: int) -> tuple[float, float]:
        """Return the index for a cell with these rows, and its degrees of freedom.

        It is the mean over cells, weighted by degrees of freedom, of those with at least MIN_COUNT
        unmatched points. With fewer than FEW_REPLICATES - 1 degrees of freedom it is at least
        MIN_INDEX, and taken to have as many.
        """
        total, dof = self._sums.get(_key(rows, color), (0.0, 0))
        if dof < FEW_REPLICATES - 1:
            return max(MIN_INDEX, total / max(1, dof)), FEW_REPLICATES - 1
        return total / dof, dof


def index_of(alone: np.ndarray, points: np.ndarray) -> float:
    """Return the index of dispersion of unmatched points (n,) on tori with these points (n,).

    The variance is that about their common fraction.
    """
    value, _ = ratio(alone, points)
    return float(np.square(alone - value * points).sum() / ((len(alone) - 1) * alone.mean()))


def _key(rows: pd.DataFrame, color: int) -> tuple:
    first = rows.iloc[0]
    return (*(first[name] for name in SAME), color)
