"""What the estimates of a cell need of other cells: summaries, made from their rows of `replicates`.

A summary is a few numbers, so that the cells can be read and estimated one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...theory.finite_size import compared_size
from .convergence import Fraction


class Summary(NamedTuple):
    """Numbers of a cell that the estimates of other cells need."""

    size_group: str  # of the cells that differ only in their size
    fraction: Fraction | None  # of the unmatched points of the reference color, if there is one


class Context:
    """The summaries of all cells: smaller tori to compare with."""

    def __init__(self, summaries: Iterable[Summary] = ()) -> None:
        self._fractions: dict[str, list[Fraction]] = {}
        for summary in summaries:
            self.add(summary)

    def add(self, summary: Summary) -> None:
        """Add the summary of a cell."""
        if summary.fraction is not None:
            self._fractions.setdefault(summary.size_group, []).append(summary.fraction)

    def of(self, size_groups: Iterable[str]) -> Context:
        """Return what the estimates of the cells in some groups need."""
        some = Context()
        some._fractions = {group: [*self._fractions.get(group, ())] for group in size_groups}
        return some

    def smaller(self, size_group: str, size: float) -> Fraction | None:
        """Return the fraction of the cell that a cell is compared with, if there is one: it differs only in its size."""
        fractions = {fraction.size: fraction for fraction in self._fractions.get(size_group, ())}
        return fractions.get(compared_size(np.array([*fractions]), size))
