"""Sprague-Grundy labels of pairs: all labels of small sets, those below 64 of any set (Deijfen et al. 2016, Prop. 14)."""

from __future__ import annotations

import itertools
import operator
from dataclasses import dataclass, field

import numpy as np

from ..matching.match import match
from ..points.pattern import Pattern
from ..rules.catalogue import RULES, rule_named
from ..rules.rule import Rule
from ..utils.errors import BadInput
from ..utils.validation import checked

MAX_POINTS = 2000  # for which all pairs are labeled
MASK = 64  # labels that the engine computes for larger sets


def ordered_pairs(pattern: Pattern, rule: str | Rule, strict: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs of colors that a rule allows, the closest first, and their keys.

    The key is the squared distance if `strict`, and else the place in the pair order.
    """
    rule = rule_named(rule)
    colors = rule.seen(pattern.colors)
    i, j = pattern.pair_order()
    keep = rule.matrix()[colors[i], colors[j]]
    i, j = i[keep], j[keep]
    return i, j, pattern.squared_distance(i, j) if strict else np.arange(float(len(i)))


@checked()
def all_labels(pattern: Pattern, rule: str | Rule = "one-color", *, strict: bool = False) -> np.ndarray:
    """Return the labels of all pairs: the smallest number that no closer pair sharing a point has.

    In infinite sets every point is in a pair of each label (Deijfen, Holroyd, Martin 2016, Prop. 14
    (i)). In finite sets a point may miss a label, and labels may exceed n - 2.

    Parameters
    ----------
    pattern : Pattern
        At most 2000 points.
    rule : str or Rule, default "one-color"
        Pairs of colors that it does not allow have no label, and do not count.
    strict : bool, optional
        Whether no pair is closer than a pair of equal distance, as in games with strict=True; a
        point may then be in several pairs of one label. By default the pair with the lower indices
        is closer.

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
    i, j, key = ordered_pairs(pattern, rule, strict)
    for _, pairs in itertools.groupby(zip(key.tolist(), i.tolist(), j.tolist(), strict=True), operator.itemgetter(0)):
        free = [(x, y, ~(used[x] | used[y])) for _, x, y in pairs]
        for x, y, labels in free:
            bit = labels & -labels
            used[x] |= bit
            used[y] |= bit
            label[x, y] = label[y, x] = bit.bit_length() - 1
    return label


@dataclass(frozen=True)
class LabelTable:
    """The partner of each point in the pair of each label."""

    partner: np.ndarray  # (n, K) int64: partner of each point in its pair of label k, or -1
    complete: bool  # whether every pair has a label below K
    further: dict[tuple[int, int], list[int]] = field(
        default_factory=dict
    )  # more partners of a point and label, of strict games

    @classmethod
    def of(cls, pattern: Pattern, rule: str = "one-color", *, strict: bool = False, threads: int = 1) -> LabelTable:
        """Return the table of all labels for up to 2000 points, of the labels below 64 for more.

        With `strict`, more raise BadInput; see all_labels.
        """
        n = len(pattern)
        if n > MAX_POINTS and not strict:
            labels = Rule(RULES[rule].compatible, labels=MASK)
            return cls(match(pattern, labels, threads=threads).partners, complete=False)
        label = all_labels(pattern, rule, strict=strict)
        partner = np.full((n, int(label.max(initial=-1)) + 1), -1, np.int64)
        i, j = np.nonzero(label >= 0)
        partner[i, label[i, j]] = j
        further: dict[tuple[int, int], list[int]] = {}
        more = partner[i, label[i, j]] != j
        for x, y in zip(i[more].tolist(), j[more].tolist(), strict=True):
            further.setdefault((x, int(label[x, y])), []).append(y)
        return cls(partner, True, further)

    def label(self, x: int, y: int) -> int | None:
        """Return the label of a pair, or None if it is 64 or more and unknown."""
        labels = [
            *np.flatnonzero(self.partner[x] == y),
            *(k for (z, k), more in self.further.items() if z == x and y in more),
        ]
        return int(labels[0]) if labels else None

    def mates(self, x: int, label: int) -> list[int]:
        """Return the partners of x in its pairs of this label: at most one, except in strict games."""
        first = int(self.first_mates(label)[x])
        return sorted([first, *self.further.get((x, label), [])]) if first >= 0 else []

    def present(self) -> np.ndarray:
        """Return the labels that occur, in increasing order."""
        return np.flatnonzero((self.partner >= 0).any(axis=0))

    def first_mates(self, label: int) -> np.ndarray:
        """Return a partner of each point in a pair of this label (below 64 unless the table is complete), or -1, (n,)."""
        n, width = self.partner.shape
        return self.partner[:, label] if label < width else np.full(n, -1)


def nim_sums(tables: list[LabelTable]) -> np.ndarray:
    """Return all nim-sums (bitwise XOR) of the labels of one pair from each pond, ascending; [0] for no pond."""
    sums = np.zeros(1, np.int64)
    for table in tables:
        sums = np.unique(sums[:, None] ^ table.present())
    return sums
