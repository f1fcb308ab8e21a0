"""Sprague-Grundy labels of pairs (Deijfen, Holroyd, Martin 2016, Prop. 14): all of them on small sets, those below 64
on any.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from ..matching.match import match
from ..points.pattern import Pattern
from ..rules.rule import Rule
from ..utils.errors import BadInput

EXACT = 2000  # up to so many points all pairs are labeled
MASK = 64  # labels that the engine keeps on larger sets


def all_labels(pattern: Pattern) -> np.ndarray:
    """Labels of all pairs: each the smallest number that no closer pair sharing a point has.

    Unlike in the infinite sets of Prop. 14 (i), a point may miss a label, and labels may exceed n - 2.

    Parameters
    ----------
    pattern : Pattern

    Returns
    -------
    (n, n) int64
        -1 on the diagonal.

    Raises
    ------
    ValueError
        For more than 2000 points, whose pairs are too many; sprague_grundy(pattern, K) has the labels below K there.

    Examples
    --------
    >>> pm.frogs.all_labels(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)))
    array([[-1,  0,  2],
           [ 0, -1,  1],
           [ 2,  1, -1]])
    """
    n = len(pattern)
    if n > EXACT:
        raise BadInput(f"all labels are found for up to {EXACT} points, not {n}; sprague_grundy has those below 64")
    label = np.full((n, n), -1, np.int64)
    used = [0] * n  # bit masks, as long as need be
    for i, j in zip(*(side.tolist() for side in pattern.pair_order()), strict=True):
        free = ~(used[i] | used[j])
        bit = free & -free
        used[i] |= bit
        used[j] |= bit
        label[i, j] = label[j, i] = bit.bit_length() - 1
    return label


@dataclass(frozen=True)
class LabelTable:
    """Who forms the pair of which label with whom; `LabelTable.of(pattern)` makes it.

    Parameters
    ----------
    partner : (n, K) int64
        The point with which a point forms the pair of label k, or -1.
    complete : bool
        Every pair has a label below K.

    Examples
    --------
    >>> table = pm.frogs.LabelTable.of(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)))
    >>> table.label(1, 2), table.mate(0, 2), table.missing(0)
    (1, 2, array([2]))
    """

    partner: np.ndarray
    complete: bool

    @classmethod
    def of(cls, pattern: Pattern, *, threads: int = 1) -> LabelTable:
        """All labels for up to 2000 points, those below 64 for more."""
        n = len(pattern)
        if n > EXACT:
            return cls(match(pattern, Rule(labels=MASK), threads=threads).partners, complete=False)
        label = all_labels(pattern)
        partner = np.full((n, int(label.max(initial=-1)) + 1), -1, np.int64)
        i, j = np.nonzero(label >= 0)
        partner[i, label[i, j]] = j
        return cls(partner, complete=True)

    def label(self, x: int, y: int) -> int | None:
        """Label of a pair; None where it is 64 or more and unknown."""
        found = np.flatnonzero(self.partner[x] == y)
        return int(found[0]) if len(found) else None

    def mate(self, x: int, label: int) -> int:
        """The point that forms the pair of this label with x, or -1."""
        return int(self.partner[x, label]) if label < self.partner.shape[1] else -1

    def present(self) -> np.ndarray:
        """Labels that occur, in increasing order."""
        return np.flatnonzero((self.partner >= 0).any(axis=0))

    def missing(self, label: int) -> np.ndarray:
        """Points that form no pair of this label (for a complete table any label, else one below 64)."""
        n, width = self.partner.shape
        return np.flatnonzero(self.partner[:, label] < 0) if label < width else np.arange(n)


def nim_sums(tables: list[LabelTable]) -> np.ndarray:
    """All values of the nim-sum (bitwise XOR) of one pair from each pond, in increasing order; [0] for no pond."""
    return functools.reduce(
        lambda sums, t: np.unique(sums[:, None] ^ t.present()[None, :]), tables, np.zeros(1, np.int64)
    )
