"""Sprague-Grundy labels of pairs: all labels of small sets, labels below 64 of any set.

See Deijfen, Holroyd and Martin (2016), Prop. 14.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..matching.match import match
from ..points.pattern import Pattern
from ..rules.catalogue import RULES, rule_named
from ..rules.rule import Rule
from ..utils.errors import BadInput
from ..utils.validation import checked

MAX_POINTS = 2000  # for which all pairs are labeled
MASK = 64  # labels that the engine computes for larger sets


@checked()
def all_labels(pattern: Pattern, rule: str | Rule = "one-color") -> np.ndarray:
    """Return the labels of all pairs: the smallest number that no closer pair sharing a point has.

    In infinite sets every point is in a pair of each label (Deijfen, Holroyd, Martin 2016, Prop. 14
    (i)). In finite sets a point may miss a label, and labels may exceed n - 2.

    Parameters
    ----------
    pattern : Pattern
        At most 2000 points.
    rule : str or Rule, optional
        Pairs of colors that it does not allow have no label, and do not count.

    Returns
    -------
    (n, n) int64
        -1 on the diagonal, and for pairs without a label.

    Raises
    ------
    ValueError
        If there are more than 2000 points; use sprague_grundy(pattern, K), which returns the labels
        below K.

    Examples
    --------
    >>> pm.frogs.all_labels(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)))
    array([[-1,  0,  2],
           [ 0, -1,  1],
           [ 2,  1, -1]])
    """
    n = len(pattern)
    if n > MAX_POINTS:
        raise BadInput(
            f"the pattern must have at most {MAX_POINTS} points, got {n}; sprague_grundy returns the labels below {MASK}"
        )
    label = np.full((n, n), -1, np.int64)
    used = [0] * n  # bit masks of any length
    allowed = rule_named(rule).matrix()
    colors = pattern.colors if len(allowed) > 1 else np.zeros(n, np.int64)
    first, second = pattern.pair_order()
    keep = allowed[colors[first], colors[second]]
    for i, j in zip(first[keep].tolist(), second[keep].tolist(), strict=True):
        free = ~(used[i] | used[j])
        bit = free & -free
        used[i] |= bit
        used[j] |= bit
        label[i, j] = label[j, i] = bit.bit_length() - 1
    return label


@dataclass(frozen=True)
class LabelTable:
    """The partner of each point in the pair of each label."""

    partner: np.ndarray  # (n, K) int64: partner of each point in its pair of label k, or -1
    complete: bool  # whether every pair has a label below K

    @classmethod
    def of(cls, pattern: Pattern, rule: str = "one-color", *, threads: int = 1) -> LabelTable:
        """Return the table of all labels for up to 2000 points, of the labels below 64 for more."""
        n = len(pattern)
        if n > MAX_POINTS:
            labels = Rule(RULES[rule].compatible, labels=MASK)
            return cls(match(pattern, labels, threads=threads).partners, complete=False)
        label = all_labels(pattern, rule)
        partner = np.full((n, int(label.max(initial=-1)) + 1), -1, np.int64)
        i, j = np.nonzero(label >= 0)
        partner[i, label[i, j]] = j
        return cls(partner, complete=True)

    def label(self, x: int, y: int) -> int | None:
        """Return the label of a pair, or None if it is 64 or more and unknown."""
        labels = np.flatnonzero(self.partner[x] == y)
        return int(labels[0]) if len(labels) else None

    def mate(self, x: int, label: int) -> int:
        """Return the partner of x in its pair of this label, or -1."""
        return int(self.partner[x, label]) if label < self.partner.shape[1] else -1

    def present(self) -> np.ndarray:
        """Return the labels that occur, in increasing order."""
        return np.flatnonzero((self.partner >= 0).any(axis=0))

    def mates(self, label: int) -> np.ndarray:
        """Return the partner of each point in its pair of this label, or -1, (n,).

        The label must be below 64 unless the table is complete.
        """
        n, width = self.partner.shape
        return self.partner[:, label] if label < width else np.full(n, -1)


def nim_sums(tables: list[LabelTable]) -> np.ndarray:
    """Return all nim-sums (bitwise XOR) of the labels of one pair from each pond.

    They are in increasing order; for no pond the result is [0].
    """
    sums = np.zeros(1, np.int64)
    for table in tables:
        sums = np.unique(sums[:, None] ^ table.present())
    return sums
