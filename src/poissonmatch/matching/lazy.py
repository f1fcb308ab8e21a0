"""The stable matching of an infinite pattern, decided locally.

A pair is matched if and only if neither point has a partner before it in the pair order. So whether a point has a partner before a pair
depends on its neighbors, nearest first, and on whether each has a partner before the pair with it. These pairs get shorter, so the
search ends unless the pattern has an infinite descending chain (Deijfen, Holroyd, Martin 2016, sec. 2). The *window* is the radius of
a ball around the first point that contains all that was searched: the answer does not depend on the points outside.

The pair order is (squared distance, smaller point, larger point); points are ordered by their cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..points.infinite import InfinitePattern, Point
from ..points.order import pair_key
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..utils.errors import BadInput, quoted
from ..utils.validation import check_real

__all__ = ["LazyMatching"]

MAX_WINDOW = 1000.0  # by default, in edges of a cell
ROUNDING = 1e-12  # relative, of the faces of a cell


class Found(NamedTuple):
    """An answer, and the radius of the ball that determines it."""

    answer: Any
    window: float  # if undecided, the largest one


class Undecided(Exception):
    """The largest window does not decide the answer."""


class LazyMatching:
    """The stable matching of an infinite pattern under a rule with capacity 1 and no excluded pairs.

    Parameters
    ----------
    points : InfinitePattern
    rule : str or Rule, optional
    max_distance : float, optional
        Largest distance at which points are examined, by default 1000 edges of a cell. A point that is unmatched, or begins an
        infinite descending chain, is never decided.

    Raises
    ------
    ValueError
        If the rule has a capacity above 1, labels or excluded pairs.

    Examples
    --------
    >>> lazy = pm.lazy.LazyMatching(pm.infinite.InfinitePoisson(2, seed=1))
    >>> x = lazy.nearest([0.0, 0.0])
    >>> y, window = lazy.partner(x)
    >>> lazy.partner(y).answer == x, lazy.are_partners(x, y).answer
    (True, True)
    """

    def __init__(
        self, points: InfinitePattern, rule: str | Rule = "one-color", max_distance: float | None = None
    ) -> None:
        self.points, self.rule = points, rule_named(rule)
        if not isinstance(points, InfinitePattern):
            raise BadInput(f"an infinite pattern is an InfinitePattern, not {quoted(points)}")
        if not self.rule.plain:
            raise BadInput("the rule must have capacity 1, no labels and no excluded pairs")
        self.max_distance = (
            MAX_WINDOW * points.side
            if max_distance is None
            else check_real("max_distance", max_distance, "a positive length", math.ulp(0.0))
        )

    def nearest(self, place: Sequence[float]) -> Point:
        """Return the point nearest to these coordinates. Raises ValueError if there is none within the largest window."""
        place = tuple(check_real("place", x, "coordinates", -1e15, 1e15) for x in np.atleast_1d(place).tolist())
        if len(place) != self.points.dim:
            raise BadInput(f"a place has {self.points.dim} coordinates, not {len(place)}")
        around = Around(self.points, Point(self.points.cell_of(place), -1, place, 0))
        if (found := around.neighbor(0, self.max_distance**2)) is None:
            raise BadInput(f"there is no point within {self.max_distance:g} of {quoted(place)}")
        return found[1]

    def partner(self, x: Point) -> Found:
        """Return the partner of a point, None if undecided, as `answer`, and the `window` that determines it."""
        search = Search(self, _known(x))
        try:
            search.has_partner(x, (math.inf,))
        except Undecided:
            return Found(None, self.max_distance)
        return Found(search.partner.get(x), search.window)

    def are_partners(self, x: Point, y: Point) -> Found:
        """Return whether two points are partners, None if undecided, as `answer`, and the `window` that determines it.

        This is often decided if the partner of x is not.
        """
        search = Search(self, _known(x))
        try:
            if x == _known(y) or not search.allowed(x, y):
                return Found(False, 0.0)
            pair = _key(x, y)
            answer = not search.has_partner(x, pair) and not search.has_partner(y, pair)
        except Undecided:
            return Found(None, self.max_distance)
        return Found(answer, search.window)


@dataclass
class Search:
    """The state of one search. partner: known pairs; passed: number of neighbors of a point known not to be its partner."""

    matching: LazyMatching
    origin: Point

    def __post_init__(self) -> None:
        self.partner: dict[Point, Point] = {}
        self.passed: dict[Point, int] = {}
        self.around: dict[Point, Around] = {}
        self.window = 0.0
        self._reach = self.matching.rule.matrix()

    def allowed(self, x: Point, y: Point) -> bool:
        """Return whether the rule allows the pair."""
        return bool(self._reach[x.color, y.color]) if len(self._reach) > 1 else True

    def has_partner(self, x: Point, bound: tuple) -> bool:
        """Return whether x has a partner before this pair. Raises Undecided."""
        questions, answer = [(x, bound)], None  # each question decides the one before it
        while questions:
            z, bound = questions[-1]
            if z in self.partner:
                answer = _key(z, self.partner[z]) < bound
                questions.pop()
                continue
            found = self._next(z, bound)
            if found is None:
                answer = False
                questions.pop()
                continue
            key, w = found
            if answer is None and self.allowed(z, w):
                questions.append((w, key))
            elif answer is False:
                self.partner[z], self.partner[w] = w, z
                answer = None
            else:
                self.passed[z] = self.passed.get(z, 0) + 1
                answer = None
        return bool(answer)

    def _next(self, z: Point, bound: tuple) -> tuple[tuple, Point] | None:
        """Return the nearest neighbor that z has not passed and the key of its pair with z, if that is before the bound."""
        around = self.around.setdefault(z, Around(self.matching.points, z))
        base = math.dist(self.origin.place, z.place)
        limit = max(0.0, self.matching.max_distance - base) ** 2
        found = around.neighbor(self.passed.get(z, 0), min(bound[0], limit))
        if found is not None and found[0] >= bound:
            found = None
        if found is None and bound[0] > limit:
            raise Undecided
        self.window = max(self.window, base + math.sqrt(bound[0] if found is None else found[0][0]))
        return found


class Around:
    """The other points in the order of their pairs with one point, as far as needed."""

    def __init__(self, points: InfinitePattern, center: Point) -> None:
        self.points, self.center = points, center
        self.known: list[tuple[tuple, Point]] = []  # in order: all within `covered`
        self.later: list[tuple[tuple, Point]] = []
        self.rings, self.covered = 0, 0.0

    def neighbor(self, k: int, squared: float) -> tuple[tuple, Point] | None:
        """Return the k-th point, from 0, and the key of its pair; None if its squared distance is more than `squared`."""
        while len(self.known) <= k and self.covered**2 <= squared:
            self._cover()
        found = self.known[k] if len(self.known) > k else None
        return found if found is not None and found[0][0] <= squared else None

    def _cover(self) -> None:
        """Add one more ring of cells."""
        side, cell = self.points.side, self.center.cell
        self.later += [(_key(self.center, p), p) for p in self.points.ring(cell, self.rings) if p != self.center]
        ends = [
            min(x - side * (i - self.rings), side * (i + 1 + self.rings) - x) - ROUNDING * (abs(x) + side)
            for x, i in zip(self.center.place, cell, strict=True)
        ]
        self.covered, self.rings = max(0.0, min(ends)), self.rings + 1
        near = [entry for entry in self.later if entry[0][0] < self.covered**2]
        self.later = [entry for entry in self.later if entry[0][0] >= self.covered**2]
        self.known += sorted(near)


def _known(x: Any) -> Point:
    if not isinstance(x, Point):
        raise BadInput(f"this takes a Point, as `nearest` and the pattern's `points` return it, not {quoted(x)}")
    return x


def _key(x: Point, y: Point) -> tuple:
    """Return the key of a pair in the pair order; its first entry is the squared distance."""
    squared = 0.0
    for a, b in zip(x.place, y.place, strict=True):
        squared += (a - b) * (a - b)
    return pair_key(squared, x[:2], y[:2])
