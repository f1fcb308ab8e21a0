"""The stable matching of an infinite pattern, decided locally.

An allowed pair is matched if and only if both points have remaining capacity before it in the pair
order; its label is the smallest that neither has before it. So the partners of a point before a
pair depend on its neighbors, nearest first, and on the partners of each before the pair with it.
These pairs get shorter, so the search ends unless the pattern has an infinite descending chain
(Deijfen, Holroyd, Martin 2016, sec. 2). The *window* is the radius of a ball around the first point
that contains all that was searched: the answer does not depend on the points outside.

The pair order is (squared distance, smaller point, larger point); points are ordered by their
cells.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..points.infinite_pattern import Around, InfinitePattern, Point, checked_coordinates, key_of_pair
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..utils.errors import BadInput, quoted
from ..utils.validation import TINY, check_int, check_real

__all__ = ["LazyMatching"]


def __dir__() -> list[str]:
    return sorted(__all__)


MAX_WINDOW = 1000.0  # by default, in edges of a cell


class Found(NamedTuple):
    """An answer, and the radius of the ball that determines it."""

    answer: Any
    window: float  # if undecided, the largest one


class Undecided(Exception):
    """The largest window does not decide the answer."""


class LazyMatching:
    """The stable matching of an infinite pattern under a rule.

    Parameters
    ----------
    points : InfinitePattern
        The points.
    rule : str or Rule, default "one-color"
        Rule of the matching, or its name.
    max_distance : float, optional
        Largest distance at which points are examined, by default 1000 edges of a cell. A point that
        has fewer partners than its capacity, or begins an infinite descending chain, is never
        decided.

    Raises
    ------
    ValueError
        If the rule excludes pairs by their indices.

    Examples
    --------
    >>> lazy = pm.lazy.LazyMatching(pm.infinite.InfinitePoisson(2, seed=1))
    >>> x = lazy.nearest([0.0, 0.0])
    >>> y, window = lazy.partner(x)
    >>> lazy.partner(y).answer == x, lazy.are_partners(x, y).answer
    (True, True)

    Each point has each Sprague-Grundy label once (Deijfen, Holroyd, Martin 2016, Prop. 14 (i)):

    >>> lazy = pm.lazy.LazyMatching(pm.infinite.InfinitePoisson(2, seed=1), "labels(3)")
    >>> [lazy.label(x, y).answer for y in lazy.partners(x).answer]
    [0, 1, 2]
    """

    def __init__(
        self, points: InfinitePattern, rule: str | Rule = "one-color", max_distance: float | None = None
    ) -> None:
        self.points, self.rule = points, rule_named(rule)
        if not isinstance(points, InfinitePattern):
            raise BadInput(f"the pattern must be an InfinitePattern, got {quoted(points)}")
        if self.rule.excludes_by_index:
            raise BadInput("the rule excludes pairs by their indices, and the points of an infinite pattern have none")
        self.max_distance = (
            MAX_WINDOW * points.side
            if max_distance is None
            else check_real("max_distance", max_distance, "a positive length", TINY)
        )

    def nearest(self, coordinates: Sequence[float]) -> Point:
        """Return the point nearest to these coordinates.

        Parameters
        ----------
        coordinates : sequence of float
            Coordinates.

        Returns
        -------
        Point
            A point of the pattern.

        Raises
        ------
        ValueError
            If there is no point within the largest distance, or the coordinates are invalid.
        """
        point = checked_coordinates(coordinates)
        if len(point) != self.points.dim:
            raise BadInput(f"the number of coordinates must be {self.points.dim}, got {len(point)}")
        around = Around(self.points, Point(self.points.cell_of(point), -1, point, 0))
        if (pair := around.neighbor(0, self.max_distance**2)) is None:
            raise BadInput(f"there is no point within {self.max_distance:g} of {quoted(point)}")
        return pair[1]

    def neighbors(self, x: Point) -> Iterator[Point]:
        """Yield the other points in the order of their pairs with x, up to the largest distance.

        Parameters
        ----------
        x : Point
            A point of the pattern.

        Yields
        ------
        Point
            Points, nearest first.
        """
        around = Around(self.points, _known(x))
        for k in itertools.count():
            if (pair := around.neighbor(k, self.max_distance**2)) is None:
                return
            yield pair[1]

    def partner(self, x: Point, order: int = 0) -> Found:
        """Return a partner of a point as `answer`, and the `window` that determines it.

        Parameters
        ----------
        x : Point
            A point of the pattern.
        order : int, default 0
            0 for the nearest partner, up to the capacity less 1; with labels, the label of the
            pair, of any size.

        Returns
        -------
        Found
            `answer`, None if it is undecided, and `window`, the radius around x that determines it.

        Raises
        ------
        ValueError
            If the order is out of range.
        """
        order = check_int("order", order, 0)
        search = Search(self, _known(x), order + 1 if self.rule.labels else 0)
        if order >= search.capacity(x):
            raise BadInput(f"order must be below {search.capacity(x)}, the capacity of the point, got {order}")
        return search.answer(lambda: search.partner(order))

    def partners(self, x: Point) -> Found:
        """Return all partners of a point as a tuple `answer`, nearest first or by label.

        Parameters
        ----------
        x : Point
            A point of the pattern.

        Returns
        -------
        Found
            `answer`, None if the partners are not all decided, and `window`, the radius around x
            that determines it.
        """
        search = Search(self, _known(x), self.rule.labels)
        return search.answer(lambda: tuple(search.partner(order) for order in range(int(search.capacity(x)))))

    def are_partners(self, x: Point, y: Point) -> Found:
        """Return whether two points are partners as `answer`, and the `window` that determines it.

        With labels, whether the pair has one of them. This is often decided if the partner of x is
        not.

        Parameters
        ----------
        x, y : Point
            Points of the pattern.

        Returns
        -------
        Found
            `answer`, None if it is undecided, and `window`, the radius around x that determines it.
        """
        search = Search(self, _known(x), self.rule.labels)
        return Found(False, 0.0) if x == _known(y) else search.answer(lambda: search.label(y) >= 0)

    def desires(self, x: Point, y: Point) -> Found:
        """Return whether x desires y as `answer`, and the `window` that determines it.

        It does if they may be matched, and y is no farther from x than the farthest partner of x
        (Deijfen, Holroyd, Martin 2016, sec. 3.1).

        Parameters
        ----------
        x, y : Point
            Points of the pattern.

        Returns
        -------
        Found
            `answer`, None if it is undecided, and `window`, the radius around x that determines it.

        Raises
        ------
        ValueError
            If the rule has labels.
        """
        search = self._search(x)
        return Found(False, 0.0) if x == _known(y) else search.answer(lambda: search.desires(x, y))

    def desirers(self, x: Point, radius: float) -> Found:
        """Return the points within a radius that desire x as a tuple `answer`, nearest first.

        In a Poisson process there are infinitely many without the radius (Deijfen, Holroyd, Martin
        2016, Theorem 7 (ii)). Those farther than c are the points on which Bob wins shy colored frogs
        if Alice begins on x.

        Parameters
        ----------
        x : Point
            A point of the pattern.
        radius : float
            At most the largest distance at which points are examined.

        Returns
        -------
        Found
            `answer`, None if it is undecided, and `window`, the radius around x that determines it.

        Raises
        ------
        ValueError
            If the rule has labels.

        Examples
        --------
        >>> lazy = pm.lazy.LazyMatching(pm.infinite.InfinitePoisson(1, seed=1))
        >>> x = lazy.nearest([0.0])
        >>> lazy.partner(x).answer in lazy.desirers(x, 5.0).answer
        True
        """
        radius = check_real("radius", radius, "at most max_distance", 0.0, self.max_distance)
        search = self._search(x)
        near = itertools.takewhile(lambda y: math.dist(x.coordinates, y.coordinates) <= radius, self.neighbors(x))
        return search.answer(lambda: tuple(y for y in near if search.desires(y, x)))

    def _search(self, x: Point) -> Search:
        """Return a search from a point, for questions of desire."""
        if self.rule.labels:
            raise BadInput("desire is not defined for rules with Sprague-Grundy labels")
        return Search(self, _known(x), 0)

    def label(self, x: Point, y: Point) -> Found:
        """Return the Sprague-Grundy label of a pair, of any size, as `answer`, and the `window` that determines it.

        Parameters
        ----------
        x, y : Point
            Points of the pattern.

        Returns
        -------
        Found
            `answer`, None if it is undecided, and `window`, the radius around x that determines it.

        Raises
        ------
        ValueError
            If the rule has no labels, or the points are equal.
        """
        if not self.rule.labels or _known(x) == _known(y):
            raise BadInput(f"two points have a label under a rule with labels, such as labels(3): {quoted((x, y))}")
        labels, result = 0, Found(-1, 0.0)
        while result.answer == -1:  # with few labels first: those below a number do not depend on the others
            labels += 1
            search = Search(self, x, labels)
            result = search.answer(partial(search.label, y))
        return result


class Search:
    """A search from one point: pairs are decided in an order in which each depends on decided ones.

    A decided pair is passed by both points, so the partners of each are those before its next
    neighbor. labels: number of labels, math.inf for all; 0 without labels.
    """

    def __init__(self, matching: LazyMatching, origin: Point, labels: float) -> None:
        self.matching, self.origin, self.labels = matching, origin, labels
        self.partners: dict[Point, dict[int, Point]] = {}  # by order, or by label
        self.passed: dict[Point, int] = {}  # number of neighbors of a point whose pairs are decided
        self.around: dict[Point, Around] = {}
        self.window = 0.0
        self._compatible = matching.rule.matrix()

    def answer(self, ask: Callable[[], Any]) -> Found:
        """Return the answer to a question and the window; None and the largest window if that does not suffice."""
        try:
            return Found(ask(), self.window)
        except Undecided:
            return Found(None, self.matching.max_distance)

    def partner(self, order: int) -> Point:
        """Return the partner of the origin of an order, or with a label."""
        self._advance(self.origin, (math.inf,), order)
        return self.partners[self.origin][order]

    def label(self, y: Point) -> int:
        """Return the label of the pair of the origin and y, 0 without labels, -1 if the pair is not matched."""
        x = self.origin
        pair = key_of_pair(x, y)
        if not self._allowed(x, y):
            return -1
        for z in (x, y):
            self._advance(z, pair)
            if self._full(z):
                return -1
        if self._refused(x, y) or self._excluded(x, y, pair):
            return -1
        return self._free(x, y) if self.labels else 0

    def desires(self, x: Point, y: Point) -> bool:
        """Return whether x desires y."""
        pair = key_of_pair(x, y)
        if not self._allowed(x, y) or self._excluded(x, y, pair):
            return False
        self._advance(x, pair)
        return sum(key_of_pair(x, z) < pair for z in self.partners.get(x, {}).values()) < self.capacity(x)

    def capacity(self, x: Point) -> float:
        """Return the largest number of partners of a point."""
        capacity = self.matching.rule.capacity
        return self.labels or capacity[x.color if len(capacity) > 1 else 0]

    def _advance(self, x: Point, bound: tuple, order: int | None = None) -> None:
        """Decide the pairs of x before this one, until x is full or has a partner of this order.

        Raises Undecided if the window does not suffice.
        """
        questions: list[tuple] = [(x, bound, None)]  # each must be decided for the point of the one before it
        while questions:
            z, bound, asks = questions[-1]
            done = self._full(z) if asks is None else self._refused(asks, z)
            pair = None if done or (asks is None and order in self.partners.get(z, ())) else self._next(z, bound)
            if pair is None:
                questions.pop()
                continue
            key, w = pair
            if self._refused(z, w) or not self._allowed(z, w) or self._excluded(z, w, key):
                self.passed[z] = self.passed.get(z, 0) + 1
            elif self._next(w, key) is not None:
                questions.append((w, key, z))
            else:
                self._decide(z, w)

    def _decide(self, z: Point, w: Point) -> None:
        """Match two points that have remaining capacity before their pair."""
        label = self._free(z, w) if self.labels else -1
        for x, y in ((z, w), (w, z)):
            self.passed[x] = self.passed.get(x, 0) + 1
            partners = self.partners.setdefault(x, {})
            partners[len(partners) if label < 0 else label] = y

    def _free(self, z: Point, w: Point) -> int:
        """Return the smallest label that neither point has."""
        used = self.partners.get(z, {}).keys() | self.partners.get(w, {}).keys()
        return next(label for label in itertools.count() if label not in used)

    def _refused(self, z: Point, w: Point) -> bool:
        """Return whether z, which is not full, cannot be matched to w, which is full or with which it has all labels."""
        return self._full(w) or (self.labels > 0 and self._free(z, w) >= self.labels)

    def _full(self, x: Point) -> bool:
        return len(self.partners.get(x, ())) >= self.capacity(x)

    def _allowed(self, x: Point, y: Point) -> bool:
        return bool(self._compatible[x.color, y.color]) if len(self._compatible) > 1 else True

    def _excluded(self, x: Point, y: Point, key: tuple) -> bool:
        """Return whether the rule excludes mutually nearest points and these are such points."""
        return self.matching.rule.bans_nearest and all(self._next(z, key, 0) is None for z in (x, y))

    def _next(self, z: Point, bound: tuple, passed: int | None = None) -> tuple[tuple, Point] | None:
        """Return the key of the next pair of z before the bound, and the neighbor, or None."""
        around = self.around.setdefault(z, Around(self.matching.points, z))
        base = math.dist(self.origin.coordinates, z.coordinates)
        limit = max(0.0, self.matching.max_distance - base) ** 2
        pair = around.neighbor(self.passed.get(z, 0) if passed is None else passed, min(bound[0], limit))
        if pair is not None and pair[0] >= bound:
            pair = None
        if pair is None and bound[0] > limit:
            raise Undecided
        self.window = max(self.window, base + math.sqrt(bound[0] if pair is None else pair[0][0]))
        return pair


def _known(x: Any) -> Point:
    if not isinstance(x, Point):
        raise BadInput(f"a point must be a Point, as `nearest` and the pattern's `points` return it, got {quoted(x)}")
    return x
