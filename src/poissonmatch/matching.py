"""The stable matching that a rule defines."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import BadInput
from .geometry import MeanField, Pattern
from .rules import Rule, rule_named

if TYPE_CHECKING:
    from .engine import phases


class Matching:
    """A matching of n points: who is whose partner, how far away, and under which rule.

    partner: int64 index of the partner, -1 where there is none. distance: float64 distance to it, inf where there is
    none, in the unit of the torus side. Both are (n,) where a point has one partner at most; for multi(m) they are
    (n, m), nearest first, padded; for labels(K) they are (n, K), and column k is the partner with label k.

    Two matchings are equal if rule, partners and distances are.
    """

    def __init__(self, partner: Any, distance: Any, rule: str | Rule) -> None:
        tables = np.asarray(partner, np.int64), np.asarray(distance, float)
        # (n, m), also where m is 1: what the rest of the package works on
        self.partners, self.distances = (table[:, None] if table.ndim == 1 else table for table in tables)
        self.rule: Rule = rule_named(rule)

    @property
    def partner(self) -> np.ndarray:
        return self._squeezed(self.partners)

    @property
    def distance(self) -> np.ndarray:
        return self._squeezed(self.distances)

    def _squeezed(self, table: np.ndarray) -> np.ndarray:
        return table[:, 0] if table.shape[1] == 1 and not self.rule.labels else table

    def __repr__(self) -> str:
        pairs = int(np.count_nonzero(self.partners >= 0)) // 2
        return f"Matching({len(self.partners)} points, {pairs} pairs, {len(self.unmatched)} unmatched)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matching):
            return NotImplemented
        return (
            self.rule == other.rule
            and np.array_equal(self.partners, other.partners)
            and np.array_equal(self.distances, other.distances)
        )

    def __hash__(self) -> int:
        return hash((self.rule, self.partners.tobytes()))

    @classmethod
    def from_partners(cls, pattern: Pattern, partner: Any, rule: str | Rule = "one-color") -> Matching:
        """A matching made by hand: partner is (n,) or (n, m) integers, -1 where there is none. Distances are computed.

        Raises ValueError, naming the point, for a partner that is no other point of the pattern, that does not have
        the point as a partner in turn, or that a point has twice. Whether the rule allows the pairs is not checked.
        """
        rule, n = rule_named(rule), len(pattern)
        given = np.asarray(partner)
        if given.shape[:1] != (n,) or given.ndim > 2 or (given.dtype.kind not in "iu" and n):
            raise BadInput(f"partner must be integers, ({n},) or ({n}, m), not {given.dtype} of shape {given.shape}")
        table = given.astype(np.int64).reshape(n, 1 if given.ndim == 1 else given.shape[1])
        row, column = np.nonzero((table < -1) | (table >= n) | (table == np.arange(n)[:, None]))
        if len(row):
            raise BadInput(f"partner, row {row[0]}: {table[row[0], column[0]]} is no other point, nor -1")
        row, column = np.nonzero(table >= 0)
        there, back = row * n + table[row, column], table[row, column] * n + row
        once, count = np.unique(there, return_counts=True)
        if (count > 1).any():
            raise BadInput(f"partner, row {once[count > 1][0] // n}: {once[count > 1][0] % n} is there twice")
        if not (returned := np.isin(there, back)).all():
            k = int(np.argmin(returned))
            raise BadInput(f"partner, row {row[k]}: {table[row[k], column[k]]} does not have {row[k]} as a partner")
        distance = np.full(table.shape, np.inf)
        distance[row, column] = pattern.distance(row, table[row, column])
        order = np.lexsort((np.where(table < 0, n, table), distance), axis=1)  # nearest first
        table, distance = np.take_along_axis(table, order, 1), np.take_along_axis(distance, order, 1)
        return cls(table, distance, rule)

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of the entries that stand for a pair: those of its smaller index."""
        row, column = np.nonzero(self.partners > np.arange(len(self.partners))[:, None])
        return row, column

    @cached_property
    def pairs(self) -> np.ndarray:
        """(k, 2) int64: the matched pairs i < j, ordered by i, for one i nearest first (for labels by label)."""
        row, column = self._ends
        return np.stack([row, self.partners[row, column]], axis=1)

    @cached_property
    def pair_distance(self) -> np.ndarray:
        """(k,) distances of the pairs."""
        row, column = self._ends
        return self.distances[row, column]

    @cached_property
    def unmatched(self) -> np.ndarray:
        """Indices of the points without any partner."""
        return np.flatnonzero(self.partners.max(axis=1, initial=-1) < 0)


def match(pattern: Pattern, rule: str | Rule = "one-color", *, threads: int = 1) -> Matching:
    """The stable matching of a pattern under a rule.

    Allowed pairs are walked through in increasing order of distance, and matched whenever both points have room; ties
    go to the smaller index, then to the smaller partner index, so the result is unique (Deijfen, Holroyd, Martin 2016,
    Prop. 2, for one color). Linear in the number of points; threads changes the time only.

    Raises ValueError for an unknown rule, colors that the rule does not know, or a capacity or exclude that does not
    fit.
    """
    from .engine import phases  # here, because numba takes longer to import than all the rest

    rule = rule_named(rule)
    result = phases.run(_task(pattern, rule, threads))
    return Matching(result.partner, result.distance, rule)


@dataclass(frozen=True, eq=False)
class LabeledPairs:
    """Labeled pairs, in lexicographic order: pairs (k, 2) int64 with i < j, label (k,), pair_distance (k,)."""

    pairs: np.ndarray
    label: np.ndarray
    pair_distance: np.ndarray

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LabeledPairs):
            return NotImplemented
        names = ("pairs", "label", "pair_distance")
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash((self.pairs.tobytes(), self.label.tobytes()))


def sprague_grundy(pattern: Pattern, labels: int, *, threads: int = 1) -> LabeledPairs:
    """All pairs with a Sprague-Grundy label below `labels` (at most 64), the labels and the distances.

    Label 0 is the one-color matching (Deijfen, Holroyd, Martin 2016, Prop. 14). Raises ValueError for labels outside 1
    ... 64.
    """
    if labels == 0:
        raise BadInput("labels must be a whole number from 1 to 64, not 0")
    matching = match(pattern, Rule(labels=labels), threads=threads)
    order = np.lexsort((matching.pairs[:, 1], matching.pairs[:, 0]))
    return LabeledPairs(matching.pairs[order], matching._ends[1][order], matching.pair_distance[order])


def _task(pattern: Pattern, rule: Rule, threads: int) -> phases.Task:
    from .engine import phases

    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise BadInput(f"threads must be a whole number from 1, not {threads!r}")
    n, reach = len(pattern), rule.matrix()
    counts = pattern.count(len(reach))
    if len(reach) > 1 and len(counts) > len(reach):
        row = int(np.argmax(pattern.colors >= len(reach)))
        raise BadInput(f"colors, row {row}: color {pattern.colors[row]} is unknown to a rule of {len(reach)} colors")
    if len(reach) == 1:
        counts = np.array([n])
    colors = pattern.colors if len(reach) > 1 else None
    metric = isinstance(pattern.geometry, MeanField)
    task = phases.Task(
        points=pattern.points if not metric else np.zeros((n, 1)),
        colors=colors,
        side=np.inf if metric else pattern.geometry.side,  # type: ignore[union-attr]
        reach=reach,
        starter=_vertex_cover(reach, counts),
        table=pattern.points if metric else None,
        misere=rule.bans_nearest,
        width=rule.width,
        labels=rule.labels,
        threads=threads,
    )
    if not rule.plain:
        room = 2**rule.labels - 1 if rule.labels else np.array(rule.capacity, np.uint64)
        task.room = np.broadcast_to(
            np.uint64(room) if rule.labels else room[pattern.colors if len(room) > 1 else 0], n
        ).copy()
    if rule.exclude is not None and not task.misere:
        task.banned_start, task.banned = _banned(rule.pairs, n)
    return task


def _banned(pairs: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Excluded pairs, as the engine takes them: the first banned partner of each point, and the partners."""
    bad = ((pairs < 0) | (pairs >= n)).any(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise BadInput(f"exclude, row {row}: {pairs[row].tolist()} is not a pair of the {n} points")
    both = np.concatenate([pairs, pairs[:, ::-1]])
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
