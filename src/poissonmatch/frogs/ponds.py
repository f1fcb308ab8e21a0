"""Friendly frogs in several ponds, solved through Sprague-Grundy labels (Deijfen, Holroyd and Martin 2016, sec. 4.3)."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from ..matching.lazy import Found, LazyMatching
from ..points.infinite_pattern import InfinitePattern, Point
from ..utils.display import html_table
from ..utils.errors import BadInput, quoted
from .labels import MASK, LabelTable, nim_sums
from .many_ponds import Ponds
from .moves import Move


class PondSolution:
    """Solution of the variant ponds: a position is P if the nim-sum (bitwise XOR) of its labels is 0 (Theorem 13).

    Bob's winning reply to the opening is unique if it exists, unless strict=True. In finite sets a point may miss the
    label that Bob needs, and Alice wins if she can achieve this. For ponds of more than 2000 points
    only labels below 64 are computed; if these do not decide, ValueError is raised.

    tables: the labels of each pond. alice: {nim-sum of the ponds but the last: pads of the last
    pond with which it wins}. placements: the pads of the last pond that occur in a winning opening,
    (a,) int64, increasing.
    """

    def __init__(self, rules: Ponds, *, threads: int = 1) -> None:
        self.rules = rules
        self.tables = [
            LabelTable.of(pattern, rules.game.rule, strict=rules.strict, threads=threads) for pattern in rules.patterns
        ]
        *tables, _ = self.tables
        sums = nim_sums(tables).tolist()
        self.alice = {h: pads for h in sums if len(pads := self._without_reply(h))}
        if not self.alice and not all(table.complete for table in tables):
            raise BadInput(
                f"the labels below {MASK} do not decide this game, and no others are computed for large ponds"
            )
        self.placements = np.unique(np.concatenate([np.zeros(0, np.int64), *self.alice.values()]))

    def __repr__(self) -> str:
        return f"PondSolution({len(self.tables)} ponds: {self.winner} wins)"

    def _repr_html_(self) -> str:
        """Return a table for a notebook: the winner and the ponds."""
        pads = ", ".join(str(len(pattern)) for pattern in self.rules.patterns)
        rows = [("game", self.rules.name), ("pads of the ponds", pads), ("winner", self.winner)]
        return html_table(("Solution", ""), rows)

    @property
    def winner(self) -> str:
        """The winner of the game including the opening: "Alice" or "Bob"."""
        return "Alice" if self.alice else "Bob"

    def labels(self, position: Any) -> list[int | None]:
        """Return the Sprague-Grundy label of each pond; None if it is 64 or more and unknown, or a frog is not placed."""
        position = self.rules.position(position)
        return [t.label(*frogs) if len(frogs) == 2 else None for t, frogs in zip(self.tables, position, strict=True)]

    def is_p_position(self, position: Any) -> bool:
        """Return whether the player who has just moved wins."""
        position = self.rules.position(position)
        if not any(position):
            return self.winner == "Bob"
        if len(position[-1]) == 1:
            return not self._reply(position)
        labels = self._known(self.labels(position))
        return None not in labels and _xor(labels) == 0

    def winning_moves(self, position: Any) -> list[Move]:
        """Return the winning moves, ordered by pond and pad; none in a P-position, at most one before the opening.

        If the label of one pond is 64 or more and unknown, only the moves in that pond are
        returned.
        """
        position = self.rules.position(position)
        if not any(position):
            return self._opening()
        if len(position[-1]) == 1:
            return self._reply(position)
        labels = self._known(self.labels(position))
        moves = []
        for pond, (table, (x, y)) in enumerate(zip(self.tables, position, strict=True)):
            rest = labels[:pond] + labels[pond + 1 :]
            if None in rest or _xor(rest) == labels[pond]:
                continue
            for frog, stays in ((x, y), (y, x)):
                jumps = [
                    to for to in table.mates(stays, _xor(rest)) if not self.rules.ponds[pond].nearer(stays, frog, to)
                ]
                moves += [Move(frog, to, pond=pond) for to in jumps]
        return sorted(moves, key=lambda move: (move.pond, move.frog, move.to))

    def _known(self, labels: list) -> list:
        """Return the labels if at most one is unknown.

        Then the nim-sum is at least 64, and a move in the pond of the unknown label makes it 0.
        """
        if labels.count(None) > 1:
            raise BadInput(f"two ponds have frogs with unknown labels of {MASK} or more, so the winner is not known")
        return labels

    def _reply(self, position: tuple) -> list[Move]:
        """Return Bob's winning placements: at most one, except in strict games."""
        labels, last = self.labels(position)[:-1], self.tables[-1]
        goal = MASK if None in labels else _xor(labels)
        if None in self._known(labels) and not (last.complete and last.partner.shape[1] <= MASK):
            raise BadInput(f"a pond has frogs with an unknown label of {MASK} or more, so the reply is not known")
        start, pond = position[-1][0], self.rules.ponds[-1]
        return [Move(None, to, pond=len(labels)) for to in last.mates(start, goal) if not pond.second(start, to)]

    def _without_reply(self, label: int) -> np.ndarray:
        """Return the pads of the last pond on which Bob has no partner of this label that is farther than c.

        All partners of a point in pairs of one label are at the same distance.
        """
        pattern, mates = self.rules.patterns[-1], self.tables[-1].first_mates(label)
        near = pattern.distance(np.arange(len(mates)), mates) <= self.rules.c
        return np.flatnonzero((mates < 0) | near)

    def _opening(self) -> list[Move]:
        """Return a winning opening of Alice, if any: pairs with a nim-sum that a point of the last pond lacks as a label."""
        if not self.alice:
            return []
        goal, pads = next(iter(self.alice.items()))
        *tables, _ = self.tables
        choice: list[int] = []  # labels, pond by pond, such that the remaining ponds can still reach the goal
        for pond, table in enumerate(tables):
            remaining = nim_sums(tables[pond + 1 :])
            need = _xor([goal, *choice])
            choice.append(next(int(g) for g in table.present() if need ^ g in remaining))
        pairs = []
        for table, label in zip(tables, choice, strict=True):
            x = int(np.argmax(table.partner[:, label] >= 0))
            pairs.append((x, table.mates(x, label)[0]))
        return [Move(None, (*pairs, (int(pads[0]),)))]


def reply(ponds: Sequence[InfinitePattern], opening: Sequence, max_distance: float | None = None) -> Found:
    """Return Bob's winning placement in infinite ponds, a unique one (Deijfen, Holroyd, Martin 2016, Theorem 13).

    Parameters
    ----------
    ponds : sequence of InfinitePattern
        The ponds, in order.
    opening : sequence
        Alice's placements: two points in every pond but the last, one in the last.
    max_distance : float, optional
        Largest distance at which points are examined, by default 1000 edges of a cell of each pond.

    Returns
    -------
    Found
        `answer`, a point of the last pond, and `window`, the largest radius in any pond that
        determines it.

    Raises
    ------
    ValueError
        If the opening is invalid or the search does not end within the largest distance; the
        message has the radius.

    Examples
    --------
    >>> ponds = [pm.infinite.InfinitePoisson(2, seed=seed) for seed in (1, 2)]
    >>> lazy = [pm.lazy.LazyMatching(pond, "labels(1)") for pond in ponds]
    >>> x, z = (each.nearest([0, 0]) for each in lazy)
    >>> y = next(lazy[0].neighbors(x))
    >>> bob = pm.frogs.reply(ponds, [(x, y), (z,)]).answer
    >>> lazy[0].label(x, y).answer == lazy[1].label(z, bob).answer
    True
    """
    searches = [LazyMatching(pond, "labels(1)", max_distance) for pond in ponds]
    counts = [len(points) if isinstance(points, tuple | list) else 0 for points in opening]
    if not searches or counts != [2] * (len(searches) - 1) + [1]:
        raise BadInput(f"the opening must be two points of every pond but the last and one of the last, got {counts}")
    for pond, (search, points) in enumerate(zip(searches, opening, strict=True)):
        for x in points:
            if not isinstance(x, Point) or x not in search.points.points(x.cell):
                raise BadInput(f"pond {pond} has no point {quoted(x)}; take points from `nearest` or from its `points`")
    goal, window = 0, 0.0
    *pairs, (start,) = opening
    for pond, (x, y) in enumerate(pairs):
        result = _decided(searches[pond].label(x, y), pond, f"the label of {x.coordinates} and {y.coordinates}")
        goal, window = goal ^ result.answer, max(window, result.window)
    result = _decided(
        searches[-1].partner(start, goal), len(pairs), f"the partner of {start.coordinates} with label {goal}"
    )
    return Found(result.answer, max(window, result.window))


def is_p_position(matching: LazyMatching, x: Point, y: Point, blocked: Collection[Point] = ()) -> Found:
    """Return whether the player who has just moved wins colored frogs on an infinite pattern.

    The rule of the matching determines the game: "one-color", colored frogs (Deijfen, Holroyd, Martin
    2016, Prop. 5); "two-color", colored points; and "multi(m)", m - 1 stones (Prop. 11).

    Parameters
    ----------
    matching : LazyMatching
        Matching of an infinite pattern.
    x, y : Point
        The points of the frogs: of the player who has just moved, and of the player to move.
    blocked : collection of Point, optional
        The points with stones, by default none.

    Returns
    -------
    Found
        `answer`, which is None if it is undecided, and `window`, the radius around x that determines
        it.

    Examples
    --------
    >>> lazy = pm.lazy.LazyMatching(pm.infinite.InfinitePoisson(2, seed=1), "multi(2)")
    >>> x = lazy.nearest([0, 0])
    >>> near, far = lazy.partners(x).answer
    >>> [pm.frogs.is_p_position(lazy, x, far, stones).answer for stones in ((), (near,))]
    [False, True]
    """
    if not isinstance(matching, LazyMatching):
        raise BadInput(f"matching must be a LazyMatching, got {quoted(matching)}")
    desire = matching.desires(x, y)
    if not desire.answer or matching.rule.width == 1:
        return desire
    closer = itertools.takewhile(lambda z: z != y, matching.neighbors(x))
    free = [matching.are_partners(x, z) for z in closer if z not in blocked]
    windows = max([desire.window, *(result.window for result in free)])
    unknown = any(result.answer is None for result in free)
    return Found(None if unknown else not any(result.answer for result in free), windows)


def _decided(result: Found, pond: int, what: str) -> Found:
    if result.answer is None:
        raise BadInput(
            f"pond {pond}: {what} is not determined by the points within {result.window:g}; raise max_distance"
        )
    return result


def _xor(labels: list) -> int:
    return functools.reduce(operator.xor, labels, 0)
