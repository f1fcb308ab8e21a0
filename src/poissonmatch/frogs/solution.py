"""The base class of the solutions of frog games with one pond."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from ..matching.match import match
from ..matching.matching import Matching
from ..points.pattern import Pattern
from ..utils.display import html_table
from ..utils.immutable import as_immutable
from .moves import Move

MAX_SHOWN = 20  # placements in a notebook


class Solution(ABC):
    """Solution of a frog game: the matching, the winner, and the winning moves in any position."""

    matching: Matching  # the stable matching that determines the P-positions
    placements: np.ndarray  # (a,) int64: pads on which Alice wins by placing the first frog, increasing

    def __init__(self, rules: Any, *, threads: int = 1) -> None:
        self.rules = rules
        self.pattern: Pattern = rules.pattern
        self.matching = match(self.pattern, rules.solving_rule(), threads=threads)
        start = True if rules.begins_on is None else self.pattern.colors == rules.begins_on
        self.placements = as_immutable(np.flatnonzero(self._wins_first() & start & rules.reached()))

    def __repr__(self) -> str:
        return f"Solution({self.rules.name}: {self.winner} wins; {len(self.placements)} winning placements)"

    def _repr_html_(self) -> str:
        """Return an HTML table: the winner, the winning placements and the deciding matching."""
        placed = ", ".join(map(str, self.placements[:MAX_SHOWN]))
        more = f" and {len(self.placements) - MAX_SHOWN} more" if len(self.placements) > MAX_SHOWN else ""
        n_pairs, n_unmatched = len(self.matching), len(self.matching.unmatched)
        rows = [
            ("game", self.rules.name),
            ("pads", len(self.pattern)),
            ("winner", self.winner),
            ("winning placements of Alice", f"{placed}{more}" or "none"),
            ("stable matching", f"{n_pairs} pairs, {n_unmatched} unmatched"),
        ]
        return html_table(("Solution", ""), rows)

    @property
    def winner(self) -> str:
        """The winner of the game including the opening: "Alice" or "Bob"."""
        return "Alice" if len(self.placements) else "Bob"

    def is_p_position(self, position: Any) -> bool:
        """Return whether the player who has just moved wins, in time O(n).

        Raises ValueError if the position cannot occur.
        """
        position = self.rules.position(position)
        match position.frogs:
            case ():
                return self.winner == "Bob"
            case (a,):
                return not self._placed(a, position.blocked)
        x, y = position.frogs
        return x in self._p_pads(y) and self._needed(x, y) <= position.blocked

    def winning_moves(self, position: Any) -> list[Move]:
        """Return all winning moves, ordered by pad, in time O(n); none in a P-position.

        With stones, each move has the stones that it needs; the others may be put anywhere. Raises
        ValueError if the position cannot occur.
        """
        position = self.rules.position(position)
        match position.frogs:
            case ():
                return [Move(None, int(a), self._stones(int(a))) for a in self.placements]
            case (a,):
                return self._placed(a, position.blocked)
        x, y = position.frogs
        moves = []
        for frog, stays in ((y, x),) if self.rules.owned else ((x, y), (y, x)):
            pads = self._p_pads(stays)
            moves += self._moves(frog, stays, pads[self._closer(stays, pads, frog)], position.blocked)
        return sorted(moves)

    def _placed(self, a: int, blocked: frozenset[int]) -> list[Move]:
        """Return the winning placements of the second frog if the first is on a."""
        pads = self._p_pads(a)
        return self._moves(None, a, pads[self.pattern.distance(a, pads) > self.rules.c], blocked)

    def _moves(self, frog: int | None, stays: int, pads: np.ndarray, blocked: frozenset[int]) -> list[Move]:
        return [Move(frog, z, self._needed(z, stays)) for z in pads.tolist() if z not in blocked]

    # Differences between the games:

    @abstractmethod
    def _wins_first(self) -> np.ndarray:
        """Return a mask of the pads that win for Alice if she may begin there."""

    @abstractmethod
    def _p_pads(self, y: int) -> np.ndarray:
        """Return the pads z, in increasing order, for which (z, y) is P, with stones where they are needed."""

    def _closer(self, x: int, pads: np.ndarray, y: int) -> np.ndarray:
        """Return a mask of the pads that are closer to x than y."""
        return self.pattern.closer(x, pads, y)

    def _stones(self, a: int) -> frozenset[int]:
        """Return the stones that Alice needs if she begins on a."""
        return frozenset()

    def _needed(self, x: int, y: int) -> frozenset[int]:
        """Return the stones that the player with the frog on x needs against the frog on y."""
        return frozenset()
