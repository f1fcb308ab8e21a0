"""Friendly frogs in several ponds, solved through Sprague-Grundy labels (Deijfen, Holroyd, Martin 2016, sec. 4.3)."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from ..utils.errors import BadInput
from .labels import MASK, LabelTable, nim_sums
from .moves import Move
from .variants import Ponds


class PondSolution:
    """Solution of the variant ponds: a position is P if the nim-sum (bitwise XOR) of its labels is 0 (Theorem 13).

    Bob's winning reply to the opening is unique if it exists. In finite sets a point may miss the label that Bob needs, and Alice wins
    if she can achieve this. For ponds of more than 2000 points only labels below 64 are computed; if these do not decide, ValueError is
    raised.

    tables: the labels of each pond. alice: {nim-sum of the ponds but the last: pads of the last pond with which it wins}. placements: the
    pads of the last pond that occur in a winning opening, (a,) int64, increasing.
    """

    def __init__(self, rules: Ponds, *, threads: int = 1) -> None:
        self.rules = rules
        self.tables = [LabelTable.of(pattern, threads=threads) for pattern in rules.patterns]
        *others, last = self.tables
        sums = nim_sums(others).tolist()
        self.alice = {h: pads for h in sums if len(pads := last.missing(h))}
        if not self.alice and not all(table.complete for table in others):
            raise BadInput(f"the labels below {MASK} do not decide this game, and large ponds have no others")
        self.placements = np.unique(np.concatenate([np.zeros(0, np.int64), *self.alice.values()]))

    def __repr__(self) -> str:
        return f"PondSolution({len(self.tables)} ponds: {self.winner} wins)"

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
        """Return the winning moves, ordered by pond and pad; before the opening at most one; none in a P-position.

        If the label of one pond is 64 or more and unknown, only the moves in that pond are returned.
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
                to = table.mate(stays, _xor(rest))
                if to >= 0 and self.rules.patterns[pond].closer(stays, to, frog):
                    moves.append(Move(frog, to, pond=pond))
        return sorted(moves, key=lambda move: (move.pond, move.frog, move.to))

    def _known(self, labels: list) -> list:
        """Return the labels if at most one is unknown: then the nim-sum is at least 64, and a move in that pond makes it 0."""
        if labels.count(None) > 1:
            raise BadInput(f"two ponds have frogs with unknown labels of {MASK} or more: the winner is not known")
        return labels

    def _reply(self, position: tuple) -> list[Move]:
        """Return Bob's unique winning placement, if any."""
        labels, last = self.labels(position)[:-1], self.tables[-1]
        goal = MASK if None in labels else _xor(labels)
        if None in self._known(labels) and not (last.complete and last.partner.shape[1] <= MASK):
            raise BadInput(f"a pond has frogs with an unknown label of {MASK} or more: the reply is not known")
        to = last.mate(position[-1][0], goal)
        return [Move(None, to, pond=len(labels))] if to >= 0 else []

    def _opening(self) -> list[Move]:
        """Return a winning opening of Alice, if any: pairs with a nim-sum that a point of the last pond misses as a label."""
        if not self.alice:
            return []
        goal, pads = next(iter(self.alice.items()))
        *others, _ = self.tables
        choice: list[int] = []  # labels, pond by pond, such that the remaining ponds can still reach the goal
        for pond, table in enumerate(others):
            remaining = nim_sums(others[pond + 1 :])
            need = _xor([goal, *choice])
            choice.append(next(int(g) for g in table.present() if need ^ g in remaining))
        pairs = []
        for table, label in zip(others, choice, strict=True):
            x = int(np.argmax(table.partner[:, label] >= 0))
            pairs.append((x, table.mate(x, label)))
        return [Move(None, (*pairs, (int(pads[0]),)))]


def _xor(labels: list) -> int:
    return functools.reduce(operator.xor, labels, 0)
