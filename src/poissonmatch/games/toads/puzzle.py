"""The single-player puzzle of Lucas: all toads change places with all frogs, in as few moves as possible.

T^a . F^b becomes F^b . T^a in a*b jumps and a + b steps (E. Lucas, Recreations mathematiques II, 1883).
"""

from __future__ import annotations

from collections import deque
from typing import TypedDict

from ..limits import MemoryBound
from .ruleset import ToadsAndFrogs
from .strips import Strip, starting

__all__ = ["Move", "distances", "moves", "shortest_solution", "squares_apart", "timeline"]


class Move(TypedDict):
    """One row of the timeline: what stands after move `move` (0: the start), and the piece that made it."""

    move: int  # 0, 1, ...
    strip: str  # the strip after the move
    piece: str  # "T" or "F"; "" in row 0
    start: int  # square that the piece left, from 0; -1 in row 0
    end: int  # square that it came to; -1 in row 0
    jump: bool


def shortest_solution(toads: int, frogs: int, blanks: int = 1, limit: int = 5_000_000) -> list[Strip]:
    """The strips of a shortest solution, start and end included, found by breadth-first search.

    MemoryBound if more than `limit` strips would have to be remembered; TypeError and ValueError for counts that are
    none.
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
                if len(before) >= limit:
                    raise MemoryBound(f"more than {limit} strips between {start} and {goal}")
                before[new] = strip
                todo.append(new)
    raise ValueError(f"{start} has no solution")


def moves(strip: Strip) -> list[Strip]:
    """The strips after a move of any piece."""
    return ToadsAndFrogs.left_moves(strip) + ToadsAndFrogs.right_moves(strip)


def squares_apart(old: Strip, new: Strip) -> tuple[int, int]:
    """The squares that the piece of a move left and came to, from 0."""
    start = next(i for i in range(len(old)) if old[i] != "." == new[i])
    return start, next(i for i in range(len(old)) if old[i] == "." != new[i])


def distances(start: Strip, limit: int = 5_000_000) -> dict[Strip, int]:
    """How many moves each strip is from the goal, `start` turned round; what cannot reach it is not there.

    MemoryBound as for shortest_solution. A move backwards is a move on the strip turned round.
    """
    found, todo = {start[::-1]: 0}, deque([start[::-1]])
    while todo:
        strip = todo.popleft()
        for turned in moves(strip[::-1]):
            if turned[::-1] not in found:
                if len(found) >= limit:
                    raise MemoryBound(f"more than {limit} strips around {start}")
                found[turned[::-1]] = found[strip] + 1
                todo.append(turned[::-1])
    return found


def timeline(solution: list[Strip]) -> list[Move]:
    """The moves of a solution as rows, for a table or a drawing."""
    rows: list[Move] = [{"move": 0, "strip": solution[0], "piece": "", "start": -1, "end": -1, "jump": False}]
    for old, new in zip(solution, solution[1:], strict=False):
        start, end = squares_apart(old, new)
        jump = abs(end - start) == 2
        rows.append({"move": len(rows), "strip": new, "piece": old[start], "start": start, "end": end, "jump": jump})
    return rows
