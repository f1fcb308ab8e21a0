"""All plays of the puzzle of Lucas, counted.

T^a .^n F^b becomes F^b .^n T^a in a*b jumps and n*(a + b) steps, and **no play is longer**: pieces of a kind keep their order, so a
toad goes as many squares as it meets frogs and blanks, and so does a frog; a toad and a frog pass each other by one jump of two
squares. Hence a play with j jumps has at most 2j + n*(a + b) squares to go, in at most j + n*(a + b) moves, and j is at most a*b.
Both bounds are met by the exchange only. So every solution is a shortest one, and the longest plays are the solutions.
"""

from __future__ import annotations

from typing import NamedTuple

from ..limits import MemoryBound
from .ruleset import ToadsAndFrogs
from .strips import Strip, starting

__all__ = ["Plays", "lucas_plays"]


class Plays(NamedTuple):
    """What can be played from ``T^a .^n F^b``, toads and frogs in any order."""

    longest: int  # moves of a longest play
    longest_plays: int  # how many are so long
    solutions: int  # plays that end with the exchange; the shortest ones are all of them


def lucas_plays(toads: int, frogs: int, blanks: int = 1, limit: int = 5_000_000) -> Plays:
    """All plays of the puzzle, counted: what can stand after each number of moves, and in how many ways.

    Parameters
    ----------
    toads, frogs, blanks : int
    limit : int
        So many strips at most after a number of moves.

    Returns
    -------
    Plays
        With the fields `longest` (moves of a longest play), `longest_plays` (how many are so long) and `solutions` (plays that end with
        the exchange; the shortest ones are all of them).

    Raises
    ------
    MemoryBound
        There are more than `limit`.
    TypeError, ValueError
        For counts that are none.

    Examples
    --------
    >>> pm.games.lucas_plays(3, 3)
    Plays(longest=15, longest_plays=2, solutions=2)
    """
    start = starting(toads, blanks, frogs)
    ways, moves, solutions = {start: 1}, 0, int(start == start[::-1])
    while True:
        after: dict[Strip, int] = {}
        for strip, count in ways.items():
            for new in ToadsAndFrogs.left_moves(strip) + ToadsAndFrogs.right_moves(strip):
                after[new] = after.get(new, 0) + count
            if len(after) > limit:
                raise MemoryBound(f"more than {limit} strips {moves + 1} moves after {start}")
        if not after:
            return Plays(moves, sum(ways.values()), solutions)
        ways, moves = after, moves + 1
        solutions += ways.get(start[::-1], 0)
