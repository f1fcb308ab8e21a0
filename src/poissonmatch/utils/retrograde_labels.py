"""Retrograde analysis: the outcome of each position of a game, backwards from the positions without options.

Sources: Berlekamp, Conway, Guy, *Winning Ways*, ch. 12; MIT SP.268, *Theory of impartial games*.
"""

import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from .errors import quoted

Options = tuple[tuple[int, ...], ...]  # the numbers of the options of each position


class Outcomes(NamedTuple):
    """Outcome and remoteness of each position.

    Parameters
    ----------
    labels : list of str
        "P" if the previous player wins, "N" if the next player wins, "D" if neither can force an end.
    remoteness : list of int or None
        Number of moves to the end if the winner plays for a short game and the loser for a long one; None for "D".
    """

    labels: list[str]
    remoteness: list[int | None]


def label_positions(options: Sequence[Sequence[int]], terminal: Callable[[int], str]) -> Outcomes:
    """Return the outcomes of positions given by their options, of which none occurs twice.

    `terminal` returns the label of a position without options.
    """
    labels = ["D"] * len(options)
    remoteness: list[int | None] = [None] * len(options)
    leaders, not_won = leaders_of(options), list(map(len, options))
    latest = {vertex: terminal(vertex) for vertex, after in enumerate(options) if not after}
    moves = 0
    while latest:
        for vertex, label in latest.items():
            labels[vertex], remoteness[vertex] = label, moves
        following: dict[int, str] = {}
        for vertex, label in latest.items():
            for leader in leaders[vertex]:
                not_won[leader] -= label == "N"
                if labels[leader] == "D" and (label == "P" or not not_won[leader]):
                    following[leader] = "N" if label == "P" else "P"
        latest, moves = following, moves + 1
    return Outcomes(labels, remoteness)


def leaders_of(options: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return for each position those that have it as an option."""
    leaders: list[list[int]] = [[] for _ in options]
    for vertex, after in enumerate(options):
        for option in after:
            leaders[option].append(vertex)
    return leaders


def explore(
    starts: Iterable[Hashable], moves: Callable[[Any], Iterable[Iterable[Any]]], max_positions: int = sys.maxsize - 1
) -> tuple[tuple[Any, ...], tuple[Options, ...]]:
    """Return all positions that can be reached, and their options.

    There is a list of the options of each position for each kind of move, an item of `moves(position)`. Raises
    MemoryError beyond `max_positions`.
    """
    number = {start: i for i, start in enumerate(dict.fromkeys(starts))}
    first = next(iter(number))
    rows: list[tuple[tuple[int, ...], ...]] = []
    todo = deque(number)
    while todo:
        row = []
        for each in moves(todo.popleft()):
            options = dict.fromkeys(islice(each, max_positions + 1))
            for option in options:
                if option not in number:
                    if len(number) >= max_positions:
                        raise MemoryError(f"more than {max_positions} positions can be reached from {quoted(first)}")
                    number[option] = len(number)
                    todo.append(option)
            row.append(tuple(number[option] for option in options))
        rows.append(tuple(row))
    return tuple(number), tuple(zip(*rows, strict=True))
