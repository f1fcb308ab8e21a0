"""Puzzle of Lucas for one player: exchange all toads and frogs, with moves of any piece.

T^a .^n F^b becomes F^b .^n T^a in a*b jumps and n*(a + b) steps (E. Lucas, Recreations
mathematiques II, 1883, for n = 1), and **no play is longer**: pieces of a kind keep their order, so
a toad moves at most one square for each frog and each empty square, and so does a frog; a toad and
a frog pass each other by one jump of two squares. Hence a play with j jumps covers at most 2j +
n*(a + b) squares, in at most j + n*(a + b) moves, and j is at most a*b. Both bounds are attained by
the exchange only. So every solution is a shortest one, and the longest plays are the solutions.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..cost_bounds import MemoryBound
from .ruleset import ToadsAndFrogs
from .strips import Strip, starting


def shortest_solution(toads: int, frogs: int, blanks: int = 1, max_strips: int = 5_000_000) -> list[Strip]:
    """Return the strips of a shortest solution, from start to end, by breadth-first search from the end.

    Raises MemoryBound beyond `max_strips` strips, TypeError or ValueError if a count is not a
    non-negative integer.
    """
    line = [starting(toads, blanks, frogs)]
    distance = distances(line[0], max_strips)
    if line[0] not in distance:
        raise ValueError(f"{line[0]} has no solution")
    while distance[line[-1]]:
        line.append(nearer(line[-1], distance))
    return line


def nearer(strip: Strip, distance: dict[Strip, int]) -> Strip:
    """Return the strip after the first move toward the goal, by the distances to it."""
    return next(after for after in moves(strip) if distance.get(after) == distance[strip] - 1)


def moves(strip: Strip) -> list[Strip]:
    """Return the strips after a move of any piece."""
    return ToadsAndFrogs.left_moves(strip) + ToadsAndFrogs.right_moves(strip)


def squares_apart(old: Strip, new: Strip) -> tuple[int, int]:
    """Return the squares of the moved piece before and after a move, from 0."""
    start = next(i for i in range(len(old)) if old[i] != "." == new[i])
    return start, next(i for i in range(len(old)) if old[i] == "." != new[i])


def distances(start: Strip, max_strips: int = 5_000_000) -> dict[Strip, int]:
    """Return the number of moves to the goal, the reverse of `start`, from each strip that can reach it.

    Raises MemoryBound beyond `max_strips`.
    """
    distance, todo = {start[::-1]: 0}, deque([start[::-1]])
    while todo:
        strip = todo.popleft()
        for turned in moves(strip[::-1]):  # a move backwards is a move on the reversed strip
            if turned[::-1] not in distance:
                if len(distance) >= max_strips:
                    raise MemoryBound(f"more than {max_strips} strips around {start}")
                distance[turned[::-1]] = distance[strip] + 1
                todo.append(turned[::-1])
    return distance


def timeline(solution: Sequence[Strip]) -> list[dict[str, Any]]:
    """Return a row for each move.

    Its columns are move (0 for the start), strip after it, piece ("T", "F", or ""), start, end
    (squares from 0, or -1), and jump.
    """
    rows: list[dict[str, Any]] = [{"move": 0, "strip": solution[0], "piece": "", "start": -1, "end": -1, "jump": False}]
    for old, new in zip(solution, solution[1:], strict=False):
        start, end = squares_apart(old, new)
        jump = abs(end - start) == 2
        rows.append({"move": len(rows), "strip": new, "piece": old[start], "start": start, "end": end, "jump": jump})
    return rows


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
    """Count the plays of the puzzle of Lucas.

    T^toads .^blanks F^frogs becomes F^frogs .^blanks T^toads, with moves in any order.

    Parameters
    ----------
    toads, frogs, blanks : int, default 1
        Numbers of pieces and of empty squares between them.
    max_strips : int, default 5_000_000
        Largest number of different strips after any number of moves.

    Returns
    -------
    Plays
        Named tuple with the fields `longest` (number of moves of a longest play), `longest_plays`
        (number of longest plays) and `solutions` (number of plays that end with the exchange; all
        have the same length).

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
    ways, length, solutions = {start: 1}, 0, int(start == start[::-1])
    while True:
        after: dict[Strip, int] = {}
        for strip, count in ways.items():
            for new in moves(strip):
                after[new] = after.get(new, 0) + count
            if len(after) > max_strips:
                raise MemoryBound(f"more than {max_strips} strips {length + 1} moves after {start}")
        if not after:
            return Plays(length, sum(ways.values()), solutions)
        ways, length = after, length + 1
        solutions += ways.get(start[::-1], 0)
