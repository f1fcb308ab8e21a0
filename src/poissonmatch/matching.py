"""Rules, and the stable matching that each of them defines."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .engine import phases as engine
from .geometry import MeanField, Pattern

MUTUALLY_NEAREST = "mutually nearest"


@dataclass(frozen=True)
class Rule:
    """What makes a pair allowed, and how many partners a point may have. A matching is unique given its rule.

    compatible: (C, C) symmetric; may a point of color a be matched to one of color b? A single entry speaks for all
    colors.
    capacity: most partners of a point, for each color; a single entry speaks for all colors.
    exclude: pairs that are never matched: None, MUTUALLY_NEAREST (pairs that are each other's nearest in the whole
        set), or a (k, 2) array of indices.
    labels: 0, or the number K <= 64 of Sprague-Grundy labels: a pair gets the smallest label in 0 ... K-1 that no
        closer pair sharing a point with it has, and none if there is none (Deijfen, Holroyd, Martin 2016, Prop. 14);
        capacity does not count then.

    Raises ValueError for a matrix that is not square and symmetric, a capacity below 1, or labels outside 0 ... 64.
    """

    compatible: tuple[tuple[bool, ...], ...] = ((True,),)
    capacity: tuple[int, ...] = (1,)
    exclude: Any = field(default=None, compare=False)
    labels: int = 0

    def __post_init__(self) -> None:
        matrix = np.asarray(self.compatible)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
            raise ValueError(
                f"compatible must be a square matrix, one row for each color, not one of shape {matrix.shape}"
            )
        if not ((matrix == 0) | (matrix == 1)).all() or (matrix != matrix.T).any():
            raise ValueError(f"compatible must hold True and False, and be symmetric: {self.compatible!r}")
        object.__setattr__(self, "compatible", tuple(tuple(bool(entry) for entry in row) for row in matrix))
        capacity = np.atleast_1d(np.asarray(self.capacity))
        if (
            capacity.dtype.kind not in "iu"
            or (capacity < 1).any()
            or len(capacity) not in (1, max(len(matrix), len(capacity)))
        ):
            raise ValueError(
                f"capacity must be whole numbers from 1, one for each color or one for all: {self.capacity!r}"
            )
        if len(capacity) > 1 and len(matrix) not in (1, len(capacity)):
            raise ValueError(f"capacity has {len(capacity)} colors, compatible {len(matrix)}")
        object.__setattr__(self, "capacity", tuple(int(c) for c in capacity))
        if isinstance(self.labels, bool) or not isinstance(self.labels, int | np.integer) or not 0 <= self.labels <= 64:
            raise ValueError(f"labels must be a whole number from 0 to 64, not {self.labels!r}")
        if isinstance(self.exclude, str) and self.exclude != MUTUALLY_NEAREST:
            raise ValueError(f"exclude must be None, {MUTUALLY_NEAREST!r} or pairs of indices, not {self.exclude!r}")

    @property
    def n_colors(self) -> int:
        """Number of colors that the rule tells apart (1: none)."""
        return max(len(self.compatible), len(self.capacity))

    @property
    def plain(self) -> bool:
        """One partner for every point, and no pair excluded."""
        return set(self.capacity) == {1} and self.exclude is None and not self.labels

    def matrix(self) -> np.ndarray:
        """compatible as a (C, C) array."""
        matrix = np.array(self.compatible, dtype=bool)
        return np.broadcast_to(matrix, (self.n_colors,) * 2).copy() if len(matrix) == 1 else matrix


# The rules of Deijfen, Holroyd and Martin (2016), with their sections.
RULES = {
    "one-color": Rule(),  # 2: any two points
    "two-color": Rule(compatible=((False, True), (True, False))),  # 3.2: different colors
    "fussy": Rule(compatible=((True, True), (True, False))),  # 3.3: not two red points (color 1)
    "misere": Rule(exclude=MUTUALLY_NEAREST),  # 4.1
}
FAMILIES = {
    "multi": lambda m: Rule(capacity=(m,)),  # 4.2: up to m partners
    "labels": lambda k: Rule(labels=k),  # 4.3: Sprague-Grundy labels below k
}


def rule_named(name: str | Rule) -> Rule:
    """The rule of this name: a key of RULES, "multi(m)" or "labels(K)". Raises ValueError with the names that exist."""
    if isinstance(name, Rule):
        return name
    if isinstance(name, str):
        if name in RULES:
            return RULES[name]
        family = re.fullmatch(r"([a-z]+)\(([0-9]{1,9})\)", name)
        if family and family[1] in FAMILIES:
            number = int(family[2])
            if number < 1:
                raise ValueError(f"{name}: the number in brackets must be at least 1")
            return FAMILIES[family[1]](number)
    known = ", ".join([*RULES, *(f"{f}(1), {f}(2), ..." for f in FAMILIES)])
    raise ValueError(f"unknown rule {str(name)[:60]!r}; the rules are {known}, or a Rule")


@dataclass(frozen=True)
class Matching:
    """A matching of n points. With several partners (multi(m)) the arrays are (n, m), nearest first, padded.

    partner: int64 index of the partner, -1 where there is none. distance: float64 distance to it, inf where there is
    none, in the unit of the torus side. For labels(K) the arrays are (n, K): column k is the partner with label k.
    """

    partner: np.ndarray
    distance: np.ndarray
    rule: Rule = field(repr=False)

    @classmethod
    def from_partners(cls, pattern: Pattern, partner: Any, rule: str | Rule = "one-color") -> Matching:
        """A matching made by hand: partner is (n,) or (n, m) integers, -1 where there is none. Distances are computed.

        Raises ValueError, naming the point, for a partner that is no other point of the pattern, that does not have
        the point as a partner in turn, or that a point has twice. Whether the rule allows the pairs is not checked.
        """
        rule, n = rule_named(rule), len(pattern)
        given = np.asarray(partner)
        if given.shape[:1] != (n,) or given.ndim > 2 or (given.dtype.kind not in "iu" and n):
            raise ValueError(f"partner must be integers, ({n},) or ({n}, m), not {given.dtype} of shape {given.shape}")
        table = given.astype(np.int64).reshape(n, 1 if given.ndim == 1 else given.shape[1])
        row, column = np.nonzero((table < -1) | (table >= n) | (table == np.arange(n)[:, None]))
        if len(row):
            raise ValueError(f"partner, row {row[0]}: {table[row[0], column[0]]} is no other point, nor -1")
        row, column = np.nonzero(table >= 0)
        there, back = row * n + table[row, column], table[row, column] * n + row
        once, count = np.unique(there, return_counts=True)
        if (count > 1).any():
            raise ValueError(f"partner, row {once[count > 1][0] // n}: {once[count > 1][0] % n} is there twice")
        if not (returned := np.isin(there, back)).all():
            k = int(np.argmin(returned))
            raise ValueError(f"partner, row {row[k]}: {table[row[k], column[k]]} does not have {row[k]} as a partner")
        distance = np.full(table.shape, np.inf)
        distance[row, column] = pattern.distance(row, table[row, column])
        order = np.lexsort((np.where(table < 0, n, table), distance), axis=1)  # nearest first
        table, distance = np.take_along_axis(table, order, 1), np.take_along_axis(distance, order, 1)
        return cls(table.reshape(given.shape), distance.reshape(given.shape), rule)

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of the entries that stand for a pair: those of its smaller index."""
        table = np.atleast_2d(self.partner.T).T
        row, column = np.nonzero(table > np.arange(len(table))[:, None])
        return row, column

    @cached_property
    def pairs(self) -> np.ndarray:
        """(k, 2) int64: the matched pairs i < j, ordered by i, for one i nearest first (for labels by label)."""
        row, column = self._ends
        return np.stack([row, np.atleast_2d(self.partner.T).T[row, column]], axis=1)

    @cached_property
    def pair_distance(self) -> np.ndarray:
        """(k,) distances of the pairs."""
        row, column = self._ends
        return np.atleast_2d(self.distance.T).T[row, column]

    @cached_property
    def unmatched(self) -> np.ndarray:
        """Indices of the points without any partner."""
        return np.flatnonzero(np.atleast_2d(self.partner.T).T.max(axis=1, initial=-1) < 0)


def match(pattern: Pattern, rule: str | Rule = "one-color", *, threads: int = 1) -> Matching:
    """The stable matching of a pattern under a rule.

    Allowed pairs are walked through in increasing order of distance, and matched whenever both points have room; ties
    go to the smaller index, then to the smaller partner index, so the result is unique (Deijfen, Holroyd, Martin 2016,
    Prop. 2, for one color). Linear in the number of points; threads changes the time only.

    Raises ValueError for an unknown rule, colors that the rule does not know, or a capacity or exclude that does not
    fit.
    """
    rule = rule_named(rule)
    result = engine.run(_task(pattern, rule, threads))
    partner, distance = result.partner, result.distance
    if not rule.labels and max(rule.capacity) == 1:
        partner, distance = partner[:, 0], distance[:, 0]
    return Matching(partner, distance, rule)


@dataclass(frozen=True)
class LabeledPairs:
    """Labeled pairs, in lexicographic order: pairs (k, 2) int64 with i < j, label (k,), pair_distance (k,)."""

    pairs: np.ndarray
    label: np.ndarray
    pair_distance: np.ndarray


def sprague_grundy(pattern: Pattern, labels: int, *, threads: int = 1) -> LabeledPairs:
    """All pairs with a Sprague-Grundy label below `labels` (at most 64), the labels and the distances.

    Label 0 is the one-color matching (Deijfen, Holroyd, Martin 2016, Prop. 14). Raises ValueError for labels outside 1
    ... 64.
    """
    if labels == 0:
        raise ValueError("labels must be a whole number from 1 to 64, not 0")
    matching = match(pattern, Rule(labels=labels), threads=threads)
    order = np.lexsort((matching.pairs[:, 1], matching.pairs[:, 0]))
    return LabeledPairs(matching.pairs[order], matching._ends[1][order], matching.pair_distance[order])


def _task(pattern: Pattern, rule: Rule, threads: int) -> engine.Task:
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads must be a whole number from 1, not {threads!r}")
    n, reach = len(pattern), rule.matrix()
    counts = pattern.count(len(reach))
    if len(reach) > 1 and len(counts) > len(reach):
        row = int(np.argmax(pattern.colors >= len(reach)))
        raise ValueError(f"colors, row {row}: color {pattern.colors[row]} is unknown to a rule of {len(reach)} colors")
    if len(reach) == 1:
        counts = np.array([n])
    colors = pattern.colors if len(reach) > 1 else None
    metric = isinstance(pattern.geometry, MeanField)
    task = engine.Task(
        points=pattern.points if not metric else np.zeros((n, 1)),
        colors=colors,
        side=np.inf if metric else pattern.geometry.side,  # type: ignore[union-attr]
        reach=reach,
        starter=_vertex_cover(reach, counts),
        table=pattern.points if metric else None,
        misere=isinstance(rule.exclude, str),
        width=rule.labels or max(rule.capacity),
        labels=rule.labels,
        threads=threads,
    )
    if not rule.plain:
        room = 2**rule.labels - 1 if rule.labels else np.array(rule.capacity, np.uint64)
        task.room = np.broadcast_to(
            np.uint64(room) if rule.labels else room[pattern.colors if len(room) > 1 else 0], n
        ).copy()
    if rule.exclude is not None and not task.misere:
        task.banned_start, task.banned = _banned(rule.exclude, n)
    return task


def _banned(exclude: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    pairs = np.asarray(exclude)
    if pairs.size == 0:
        pairs = np.zeros((0, 2), np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ValueError(f"exclude must be pairs of indices, shape (k, 2), not {pairs.shape} of {pairs.dtype}")
    bad = ((pairs < 0) | (pairs >= n)).any(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"exclude, row {row}: {pairs[row].tolist()} is not a pair of the {n} points")
    both = np.concatenate([pairs, pairs[:, ::-1]]).astype(np.int64)
    both = both[np.argsort(both[:, 0], kind="stable")]
    return np.searchsorted(both[:, 0], np.arange(n + 1)), np.ascontiguousarray(both[:, 1])


def _vertex_cover(reach: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Colors such that every allowed pair has one of them, and few points do; beyond 12 colors, all that can match."""
    colors = range(len(reach))
    useful = np.asarray(reach.any(axis=1))
    if len(reach) > 12:
        return useful
    covers = (np.isin(colors, c) for size in range(len(reach) + 1) for c in itertools.combinations(colors, size))
    valid = [cover for cover in covers if not (reach & ~cover[:, None] & ~cover[None, :]).any()]
    return np.asarray(min(valid, key=lambda cover: int(counts[: len(reach)][cover].sum())))
