"""What the estimates of a cell need of other cells: summaries, made from their rows of `replicates`.

A summary is a few numbers, so that the cells can be read and estimated one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...theory.finite_size import compared_size
from .convergence import Fraction


class Summary(NamedTuple):
    """Numbers of a cell that the estimates of other cells need."""

    size_group: int  # number below 2^64 of the cells that differ only in their size
    fraction: Fraction | None  # of the unmatched points of the reference color, if there is one


class Context:
    """The summaries of all cells: smaller tori to compare with. They are arrays, since a study may have millions."""

    def __init__(self, summaries: Iterable[Summary] = ()) -> None:
        self._groups = array("Q")
        self._fractions = array("d")  # one after another
        for summary in summaries:
            self.add(summary)

    def add(self, summary: Summary) -> None:
        """Add the summary of a cell."""
        if summary.fraction is not None:
            self._groups.append(summary.size_group)
            self._fractions.extend(summary.fraction)

    def of(self, size_groups: Iterable[int]) -> Context:
        """Return what the estimates of the cells in some groups need."""
        groups, here = np.array(self._groups), Context()
        is_needed = np.isin(groups, np.array([*size_groups], np.uint64))
        here._groups.extend(groups[is_needed].tolist())
        here._fractions.extend(self._rows[is_needed].ravel())
        return here

    def smaller(self, size_group: int, size: float) -> Fraction | None:
        """Return the fraction of the cell that a cell is compared with, if there is one: it differs only in its size."""
        rows = self._rows[np.array(self._groups) == size_group]
        compared = rows[rows[:, 0] == compared_size(rows[:, 0], size)]
        return Fraction(*compared[-1].tolist()) if len(compared) else None

    @property
    def _rows(self) -> np.ndarray:
        """The fractions, one in a row."""
        return np.reshape(self._fractions, (-1, len(Fraction._fields)))
