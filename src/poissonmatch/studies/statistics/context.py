"""What the estimates of a cell need of other cells: summaries, made from their rows of `replicates`.

A summary is a few numbers, so that the cells can be read and estimated one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...theory.finite_size import FEW_REPLICATES, MIN_INDEX, compared_size
from .convergence import Fraction
from .influences import ratio


class Summary(NamedTuple):
    """Numbers of a cell that the estimates of other cells need."""

    size: float
    size_group: str  # of the cells that differ only in their size
    kind: tuple  # of the cells whose index of dispersion is pooled: they agree in rule, process, dimension and geometry
    fraction: Fraction | None  # of the unmatched points of the reference color, if there is one
    scatter: dict[int, tuple[float, int]]  # by color: index of dispersion times degrees of freedom, and these


class Context:
    """The summaries of all cells: smaller tori to compare with, and indices of dispersion."""

    def __init__(self, summaries: Iterable[Summary]) -> None:
        self._fractions: dict[str, list[Fraction]] = {}
        self._scatter: dict[tuple, tuple[float, int]] = {}
        for summary in summaries:
            if summary.fraction is not None:
                self._fractions.setdefault(summary.size_group, []).append(summary.fraction)
            for color, (more, dof) in summary.scatter.items():
                total, freedom = self._scatter.get((summary.kind, color), (0.0, 0))
                self._scatter[summary.kind, color] = total + more, freedom + dof

    def smaller(self, size_group: str, size: float) -> Fraction | None:
        """Return the fraction of the cell that a cell is compared with, if there is one: it differs only in its size."""
        fractions = {fraction.size: fraction for fraction in self._fractions.get(size_group, ())}
        return fractions.get(compared_size(np.array([*fractions]), size))

    def index(self, kind: tuple, color: int) -> tuple[float, float]:
        """Return the index of dispersion of unmatched points, and its degrees of freedom.

        It is the mean over the cells of its kind, weighted by degrees of freedom, of those with at
        least MIN_COUNT unmatched points. With fewer than FEW_REPLICATES - 1 degrees of freedom it
        is at least MIN_INDEX, and taken to have as many.
        """
        total, dof = self._scatter.get((kind, color), (0.0, 0))
        if dof < FEW_REPLICATES - 1:
            return max(MIN_INDEX, total / max(1, dof)), FEW_REPLICATES - 1
        return total / dof, dof


def index_of(unmatched: np.ndarray, points: np.ndarray) -> float:
    """Return the variance of unmatched points (n,) about their common fraction of points (n,), over their mean."""
    value, _ = ratio(unmatched, points)
    return float(np.square(unmatched - value * points).sum() / ((len(unmatched) - 1) * unmatched.mean()))
