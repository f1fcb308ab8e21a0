"""Number of plays of the puzzle of Lucas.

T^a .^n F^b becomes F^b .^n T^a in a*b jumps and n*(a + b) steps, and **no play is longer**: pieces of a kind keep their order, so a
toad moves at most one square for each frog and each empty square, and so does a frog; a toad and a frog pass each other by one jump of
two squares. Hence a play with j jumps covers at most 2j + n*(a + b) squares, in at most j + n*(a + b) moves, and j is at most a*b. Both
bounds are attained by the exchange only. So every solution is a shortest one, and the longest plays are the solutions.
"""

from __future__ import annotations

from typing import NamedTuple

from ..cost_bounds import MemoryBound
from .ruleset import ToadsAndFrogs
from .strips import Strip, starting


class Plays(NamedTuple):
    """Numbers of plays from ``T^a .^n F^b``, with moves of toads and frogs in any order.

    Parameters
    ----------
    longest : int
        Number of moves of a longest play.
    longest_plays : int
        Number of longest plays.
    solutions : int
        Number of plays that end with the exchange; all have the same length.
    """

    longest: int
    longest_plays: int
    solutions: int


def lucas_plays(toads: int, frogs: int, blanks: int = 1, max_strips: int = 5_000_000) -> Plays:
    """Count the plays of the puzzle of Lucas: T^toads .^blanks F^frogs becomes F^frogs .^blanks T^toads, with moves in any order.

    Parameters
    ----------
    toads, frogs, blanks : int
        Numbers of pieces and of empty squares between them.
    max_strips : int
        Largest number of different strips after any number of moves.

    Returns
    -------
    Plays
        Named tuple with the fields `longest` (number of moves of a longest play), `longest_plays` (number of longest plays) and `solutions`
        (number of plays that end with the exchange; all have the same length).

    Raises
    ------
    MemoryError
        If there are more than `max_strips` strips.
    TypeError, ValueError
        If a count is not a non-negative integer.

    Examples
    --------
    >>> pm.games.toads.lucas_plays(3, 3)
    Plays(longest=15, longest_plays=2, solutions=2)
    """
    start = starting(toads, blanks, frogs)
    ways, moves, solutions = {start: 1}, 0, int(start == start[::-1])
    while True:
        after: dict[Strip, int] = {}
        for strip, count in ways.items():
            for new in ToadsAndFrogs.left_moves(strip) + ToadsAndFrogs.right_moves(strip):
                after[new] = after.get(new, 0) + count
            if len(after) > max_strips:
                raise MemoryBound(f"more than {max_strips} strips {moves + 1} moves after {start}")
        if not after:
            return Plays(moves, sum(ways.values()), solutions)
        ways, moves = after, moves + 1
        solutions += ways.get(start[::-1], 0)
