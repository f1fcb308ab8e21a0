"""The game with stones as a game with rejections.

The other player may reject a move, up to k times (Deijfen, Holroyd, Martin 2016, sec. 4.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from poissonmatch.frogs.moves import Move, Position
from poissonmatch.utils.errors import BadInput

from .frog_turns import FrogTable

NO = "no"  # the move that rejects the last one


class Proposal(NamedTuple):
    """State: the frogs before the proposed move, the pads rejected there, and the proposed move, if any."""

    frogs: tuple[int, ...]
    rejected: frozenset[int] = frozenset()
    move: Move | None = None


class RejectionTable(FrogTable):
    """The game with stones, played without stones.

    A move is a proposal, and accepts the proposal before it, or it is "no" and rejects that.

    A rejected pad is blocked as by a stone, so the positions that win are those of the game with
    stones: a proposal wins if more of these moves are left than the other player may still reject.
    """

    def __init__(self, solution: Any) -> None:
        super().__init__(solution)
        self.rules = (
            f"Each player has a frog, which jumps to a pad closer to the other frog. The other player may reject a move, up to {self.k} "
            "times in a row, but not Alice's first. A player who cannot move loses. The same player wins as in the game with stones."
        )
        self.how = 'Type a pad: "7" moves your frog there and accepts the move before it; "no" rejects that move.'

    @property
    def k(self) -> int:
        """Number of times in a row that a move may be rejected."""
        return int(self.solution.rules.k)

    def _now(self, state: Proposal) -> Proposal:
        """Return the state in which the proposed move is accepted."""
        if state.move is None:
            return state
        return Proposal(self.solution.rules.after(Position(state.frogs), state.move).frogs)

    def _winning(self, state: Proposal) -> list[Move]:
        """Return the proposals that win for the player to move, if no proposal is open and enough of them remain."""
        position = self.solution.rules.position(Position(state.frogs, state.rejected))
        rejections = self.k - len(state.rejected) if state.frogs else 0
        winning = [move._replace(stones=frozenset()) for move in self.solution.winning_moves(position)]
        return winning if len(winning) > rejections else []

    def _rejects(self, state: Proposal) -> bool:
        """Return whether "no" is legal."""
        return state.move is not None and bool(state.frogs) and len(state.rejected) < self.k

    def _jumping(self, position: Proposal, turn: int) -> bool:
        return len(self._now(position).frogs) == 2

    def picture(self, position: Proposal, turn: int) -> str:
        rejected = ", ".join(map(str, sorted(position.rejected))) if position.move is None else ""
        text = super().picture(Position(self._now(position).frogs, frozenset()), turn)
        return text + (f"\nRejected: {rejected}" if rejected else "")

    def legal(self, position: Proposal) -> Iterable[Any]:
        now = self._now(position)
        yield from self.solution.rules.steps(Position(now.frogs, now.rejected))
        if self._rejects(position):
            yield NO

    def _answers(self, position: Proposal) -> list[Move | str]:
        """Return the winning moves, "no" among them."""
        winning: list[Move | str] = list(self._winning(self._now(position)))
        if self._rejects(position) and not self._winning(self.after(position, NO)):
            winning.append(NO)
        return winning

    def reply(self, position: Proposal) -> Any:
        if answers := self._answers(position):
            return answers[0]
        now = self._now(position)
        legal = list(self.solution.rules.steps(Position(now.frogs, now.rejected)))
        if not legal:
            return NO
        return max(legal, key=lambda move: self.strategy._distance(Position(now.frogs), move))

    def read(self, position: Proposal, text: str, turn: int) -> Any:
        if text.strip().lower() == NO:
            if self._rejects(position):
                return NO
            why = (
                "Alice's first move is free" if not position.frogs else f"at most {self.k} may be, one after the other"
            )
            why = "no move is proposed" if position.move is None else why
            raise BadInput(f"Not legal: a move cannot be rejected here, since {why}.")
        now = self._now(position)
        return super().read(Position(now.frogs, now.rejected), text, turn)

    def describe(self, position: Any, move: Any, turn: int) -> str:
        if isinstance(move, str):
            return "rejects the move"
        return super().describe(position, move, turn)

    def list_moves(self, position: Proposal, moves: list[Any], turn: int) -> list[str]:
        return ["no" if move == NO else self.describe(position, move, turn) for move in moves]

    def after(self, position: Proposal, move: Any) -> Proposal:
        if isinstance(move, str):
            return Proposal(position.frogs, position.rejected | {position.move.to})  # type: ignore[union-attr]
        now = self._now(position)
        return Proposal(now.frogs, now.rejected, move)
