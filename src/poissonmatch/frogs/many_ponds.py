"""Frog games in several ponds at once (Deijfen, Holroyd and Martin 2016, sec. 4.3), by their rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from ..points.pattern import Pattern
from ..utils.errors import BadInput, quoted
from .moves import Move, OnePond, Position, Variant, is_pad
from .one_pond import Friendly, Fussy, Misere, Shy


class Ponds(Variant):
    """Friendly frogs in several ponds at once (sec. 4.3).

    Alice places two frogs in every pond but the last and one in the last, where Bob places another
    one. In turn, Alice first, a player makes a frog of one pond jump to a pad where it is strictly
    closer to the other frog of that pond. A player who cannot jump in any pond loses.

    A position is a tuple of ponds, each a tuple of pads. The opening is that of Theorem 13; the
    placements of Alice are one move.
    """

    name = "ponds"
    solved_by = "labels"
    many = True
    game: type[Friendly] = Friendly  # of each pond

    def __init__(self, patterns: Any, **values: Any) -> None:
        if isinstance(patterns, Pattern) or not len(patterns):
            raise BadInput(f"{self.name} is played on a list of patterns, one for each pond")
        super().__init__(**values)
        own = {name: getattr(self, name) for name in self.parameters}
        self.ponds = [self.game(pattern, strict=self.strict, **own) for pattern in patterns]
        self.patterns = [pond.pattern for pond in self.ponds]

    def moves(self, position: tuple) -> Iterator[Move]:
        """Yield all legal moves."""
        if not any(position):
            pairs = [itertools.combinations(range(pond.n), 2) for pond in self.ponds[:-1]]
            seats = [[p for p in two if not pond.impossible(*p)] for pond, two in zip(self.ponds, pairs, strict=False)]
            for to in itertools.product(*seats, ((a,) for a in range(self.ponds[-1].n))):
                yield Move(None, to)
            return
        waits = len(position[-1]) == 1
        for number, (pond, frogs) in enumerate(zip(self.ponds, position, strict=True)):
            if len(frogs) == 1 or not waits:
                yield from (move._replace(pond=number) for move in pond.moves(Position(frogs)))

    steps = moves  # there are no stones

    def after(self, position: tuple, move: Move) -> tuple:
        """Return the position after a move."""
        if not any(position):
            return tuple(move.to)
        pond = self.ponds[move.pond].after(Position(position[move.pond]), move).frogs
        return (*position[: move.pond], pond, *position[move.pond + 1 :])

    def objection(self, position: tuple, move: Move) -> str:
        """Return the reason why a move is illegal, or "" if it is legal."""
        if not any(position):
            try:
                opening = self.position(move.to)
            except BadInput as error:
                return str(error)
            return "" if len(opening[-1]) == 1 else "place two frogs in every pond but the last, one in the last"
        if not is_pad(move.pond, len(self.ponds)):
            return self._no_pond(move.pond)
        if len(position[-1]) == 1 and move.pond != len(self.ponds) - 1:
            return "the last frog must be placed in the last pond first"
        return self.ponds[move.pond].objection(Position(position[move.pond]), move)

    def _no_pond(self, number: Any) -> str:
        return f"there is no pond {quoted(number)}; the ponds are numbered from 0 to {len(self.ponds) - 1}"

    def position(self, position: Any) -> tuple:
        """Return a position from tuples of pads, one for each pond; () is the start.

        Raises ValueError if it cannot occur.
        """
        if not isinstance(position, tuple | list):
            raise BadInput(f"a position of {self.name} must be a tuple of pads for each pond, got {quoted(position)}")
        if not len(position):
            return ((),) * len(self.ponds)
        if len(position) != len(self.ponds):
            raise BadInput(f"a position must list the frogs of all {len(self.ponds)} ponds, got {len(position)}")
        frogs = tuple(pond.position(pads).frogs for pond, pads in zip(self.ponds, position, strict=True))
        counts = [len(pads) for pads in frogs]
        if any(counts) and (set(counts[:-1]) - {2} or counts[-1] == 0):
            raise BadInput(f"every pond must hold two frogs, or the last one frog, got {counts}")
        return frogs

    def views(self, position: tuple) -> list[tuple[OnePond, Position]]:
        """Return the ponds, each with its position."""
        return [(pond, Position(frogs)) for pond, frogs in zip(self.ponds, position, strict=True)]

    def read(self, position: tuple, numbers: list[int]) -> Move:
        """Return the move that a player types as these numbers; it may be illegal.

        Raises ValueError if the numbers are ambiguous.
        """
        if not any(position):
            count = 2 * len(position) - 1
            if len(numbers) != count:
                raise BadInput(f"the opening must list {count} pads: two for each pond and one for the last")
            return Move(None, (*zip(numbers[:-1:2], numbers[1::2], strict=True), (numbers[-1],)))
        number, *rest = numbers if len(numbers) > 1 else [0, *numbers]
        if not number < len(position):
            raise BadInput(self._no_pond(number))
        return self.ponds[number].read(Position(position[number]), rest)._replace(pond=number)


class FussyPonds(Ponds):
    """Fussy friendly frogs in several ponds at once (sec. 3.3 and 4.3).

    Alice places two frogs in every pond but the last and one in the last, where Bob places another
    one, and the two frogs of a pond are never both on red pads. In turn, Alice first, a player makes
    a frog of one pond jump to a pad where it is strictly closer to the other frog of that pond. A
    player who cannot jump in any pond loses.

    Color 0 is green, 1 red. The labels are those of the pairs that are not both red.
    """

    name = "fussy-ponds"
    game = Fussy
    on_page = False


class ShyPonds(Ponds):
    """Shy friendly frogs in several ponds at once (sec. 3.1 and 4.3).

    Alice places two frogs in every pond but the last and one in the last, where Bob places another
    one farther than c from it. In turn, Alice first, a player makes a frog of one pond jump to a pad
    where it is strictly closer to the other frog of that pond. A player who cannot jump in any pond,
    or place a frog, loses.
    """

    name = "shy-ponds"
    game = Shy
    parameters = Shy.parameters
    on_page = False


class MiserePonds(Ponds):
    """Misere friendly frogs in several ponds at once (sec. 4.1 and 4.3).

    Alice places two frogs in every pond but the last and one in the last, where Bob places another
    one. In turn, Alice first, a player makes a frog of one pond jump to a pad where it is strictly
    closer to the other frog of that pond. A player who cannot jump in any pond wins.

    The labels do not determine who wins, so small ponds only are solved, from the rules.
    """

    name = "misere-ponds"
    game = Misere
    solved_by = "rules"
    stuck_wins = True
    on_page = False
