"""The stable matching of an infinite pattern, decided locally: only as much is looked at as the answer needs.

A pair is matched if and only if neither point has a partner before it in the order of pairs. So whether a point has a partner before
some pair is asked of its neighbors, the nearest first, each of which is asked whether *it* has a partner before that pair; the pairs
get shorter, and questions end where the pattern has no infinite descending chain (Deijfen, Holroyd, Martin 2016, sec. 2). What was
looked at are balls; *window* is the radius of one around the first point that holds them all. Whatever the points farther away are,
the answer is the same.

The order of pairs is (squared distance, smaller point, larger point), points being ordered by their cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..points.infinite import InfinitePattern, Point
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..utils.errors import BadInput, quoted
from ..utils.validation import check_real

__all__ = ["LazyMatching"]

MOST = 1000.0  # edges of a cell, as far as is looked before one gives up
ROUNDING = 1e-12  # relative, of where a cell ends


class Found(NamedTuple):
    """An answer, and how far one had to look for it.

    Parameters
    ----------
    answer : Point, bool or None
        Of partner, the Point, or None while it is not known; of are_partners, True or False, or None.
    window : float
        How far around the first point one had to look, or has looked in vain.

    Examples
    --------
    >>> lazy = pm.lazy.LazyMatching(pm.infinite.Intervals(seed=1))
    >>> found = lazy.partner(lazy.nearest([0.0]))
    >>> found.answer.cell, found.window < 3
    ((0,), True)
    """

    answer: Any
    window: float


class Undecided(Exception):
    """More would have to be looked at than is allowed."""


class LazyMatching:
    """The stable matching of an infinite pattern under a rule with one partner a point and no pair excluded.

    Parameters
    ----------
    points : InfinitePattern
    rule : str or Rule, optional
    most : float, optional
        The largest window, by default 1000 edges of a cell; a point that is unmatched, or begins an infinite descending chain, is never
        decided.

    Raises
    ------
    ValueError
        For another rule.

    Examples
    --------
    >>> lazy = pm.lazy.LazyMatching(pm.infinite.InfinitePoisson(2, seed=1))
    >>> x = lazy.nearest([0.0, 0.0])
    >>> y, window = lazy.partner(x)
    >>> lazy.partner(y).answer == x, lazy.are_partners(x, y).answer
    (True, True)
    """

    def __init__(self, points: InfinitePattern, rule: str | Rule = "one-color", most: float | None = None) -> None:
        self.points, self.rule = points, rule_named(rule)
        if not isinstance(points, InfinitePattern):
            raise BadInput(f"an infinite pattern is an InfinitePattern, not {quoted(points)}")
        if not self.rule.plain:
            raise BadInput("lazy matching is of a rule with one partner for every point and no pair excluded")
        self.most = MOST * points.side if most is None else check_real("most", most, "a positive length", math.ulp(0.0))

    def nearest(self, place: Sequence[float]) -> Point:
        """The point that is nearest to a place. Raises ValueError if there is none as far as `most`."""
        place = tuple(check_real("place", x, "coordinates", -1e15, 1e15) for x in np.atleast_1d(place).tolist())
        if len(place) != self.points.dim:
            raise BadInput(f"a place has {self.points.dim} coordinates, not {len(place)}")
        around = Around(self.points, Point(self.points.cell_of(place), -1, place, 0))
        if (found := around.neighbor(0, self.most**2)) is None:
            raise BadInput(f"there is no point within {self.most:g} of {quoted(place)}")
        return found[1]

    def partner(self, x: Point) -> Found:
        """The partner of a point, and the window in which that was decided."""
        search = Search(self, _known(x))
        try:
            search.has_partner(x, (math.inf,))
        except Undecided:
            return Found(None, self.most)
        return Found(search.partner.get(x), search.window)

    def are_partners(self, x: Point, y: Point) -> Found:
        """Are two points partners? Also where the partner of x is never decided, it often is decided that it is not y."""
        search = Search(self, _known(x))
        try:
            if x == _known(y) or not search.allowed(x, y):
                return Found(False, 0.0)
            pair = _key(x, y)
            answer = not search.has_partner(x, pair) and not search.has_partner(y, pair)
        except Undecided:
            return Found(None, self.most)
        return Found(answer, search.window)


@dataclass
class Search:
    """What one question has brought to light. partner: pairs that are known; passed: how many neighbors of a point are known not to be
    its partner."""

    matching: LazyMatching
    origin: Point

    def __post_init__(self) -> None:
        self.partner: dict[Point, Point] = {}
        self.passed: dict[Point, int] = {}
        self.around: dict[Point, Around] = {}
        self.window = 0.0
        self._reach = self.matching.rule.matrix()

    def allowed(self, x: Point, y: Point) -> bool:
        """May they be matched?"""
        return bool(self._reach[x.color, y.color]) if len(self._reach) > 1 else True

    def has_partner(self, x: Point, bound: tuple) -> bool:
        """Has x a partner before this pair? Raises Undecided."""
        questions, answer = [(x, bound)], None  # each is asked for the sake of the one before it
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
        """The nearest neighbor that z has not passed and its pair with z, if that is before the bound."""
        around = self.around.setdefault(z, Around(self.matching.points, z))
        base = math.dist(self.origin.place, z.place)
        limit = max(0.0, self.matching.most - base) ** 2
        found = around.neighbor(self.passed.get(z, 0), min(bound[0], limit))
        if found is not None and found[0] >= bound:
            found = None
        if found is None and bound[0] > limit:
            raise Undecided
        self.window = max(self.window, base + math.sqrt(bound[0] if found is None else found[0][0]))
        return found


class Around:
    """The other points in the order of their pairs with one, as far as they have been asked for."""

    def __init__(self, points: InfinitePattern, center: Point) -> None:
        self.points, self.center = points, center
        self.known: list[tuple[tuple, Point]] = []  # in order: whatever lies within `covered`
        self.later: list[tuple[tuple, Point]] = []
        self.rings, self.covered = 0, 0.0

    def neighbor(self, k: int, squared: float) -> tuple[tuple, Point] | None:
        """The k-th, from 0, with the key of its pair, or None if its squared distance is more than this."""
        while len(self.known) <= k and self.covered**2 <= squared:
            self._cover()
        found = self.known[k] if len(self.known) > k else None
        return found if found is not None and found[0][0] <= squared else None

    def _cover(self) -> None:
        """Look at one more ring of cells."""
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
        raise BadInput(f"this takes a Point, as `nearest` and the pattern's `points` give it, not {quoted(x)}")
    return x


def _key(x: Point, y: Point) -> tuple:
    """The place of a pair in the order of pairs; its first entry is the squared distance."""
    squared = 0.0
    for a, b in zip(x.place, y.place, strict=True):
        squared += (a - b) * (a - b)
    return (squared, *sorted((x[:2], y[:2])))
