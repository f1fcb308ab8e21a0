"""Puzzle of Lucas for one player: exchange all toads and frogs in the smallest number of moves.

T^a . F^b becomes F^b . T^a in a*b jumps and a + b steps (E. Lucas, Recreations mathematiques II, 1883).
"""

from collections import deque
from collections.abc import Sequence
from typing import Any

from ..cost_bounds import MemoryBound
from .ruleset import ToadsAndFrogs
from .strips import Strip, starting


def shortest_solution(toads: int, frogs: int, blanks: int = 1, max_strips: int = 5_000_000) -> list[Strip]:
    """Return the strips of a shortest solution, from start to end, by breadth-first search.

    Raises MemoryBound beyond `max_strips` strips, TypeError or ValueError if a count is not a non-negative integer.
    """
    start, goal = starting(toads, blanks, frogs), starting(toads, blanks, frogs)[::-1]
    before: dict[Strip, Strip | None] = {start: None}
    todo = deque([start])
    while todo:
        strip = todo.popleft()
        if strip == goal:
            path = [strip]
            while (previous := before[path[-1]]) is not None:
                path.append(previous)
            return path[::-1]
        for new in moves(strip):
            if new not in before:
                if len(before) >= max_strips:
                    raise MemoryBound(f"more than {max_strips} strips between {start} and {goal}")
                before[new] = strip
                todo.append(new)
    raise ValueError(f"{start} has no solution")


def moves(strip: Strip) -> list[Strip]:
    """Return the strips after a move of any piece."""
    return ToadsAndFrogs.left_moves(strip) + ToadsAndFrogs.right_moves(strip)


def squares_apart(old: Strip, new: Strip) -> tuple[int, int]:
    """Return the squares of the moved piece before and after a move, from 0."""
    start = next(i for i in range(len(old)) if old[i] != "." == new[i])
    return start, next(i for i in range(len(old)) if old[i] == "." != new[i])


def distances(start: Strip, max_strips: int = 5_000_000) -> dict[Strip, int]:
    """Return the number of moves to the goal, the reverse of `start`, from each strip that can reach it; MemoryBound beyond `max_strips`."""
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
    """Return a row for each move: move (0 for the start), strip after it, piece ("T", "F", or ""), start, end (squares from 0, or -1), jump."""
    rows: list[dict[str, Any]] = [{"move": 0, "strip": solution[0], "piece": "", "start": -1, "end": -1, "jump": False}]
    for old, new in zip(solution, solution[1:], strict=False):
        start, end = squares_apart(old, new)
        jump = abs(end - start) == 2
        rows.append({"move": len(rows), "strip": new, "piece": old[start], "start": start, "end": end, "jump": jump})
    return rows
