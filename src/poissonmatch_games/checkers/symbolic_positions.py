"""Positions with symbolic runs, T^a F . T F^k, and all moves in them.

A position is a list of (letter, form) with letters T, F, '.', and possibly L at its left end (any
pieces without an empty square, empty or ending in F) and R at its right end (empty or beginning
with T). `tidy` gives the form for comparisons: no empty runs, and no two adjacent runs of one
letter.
"""

import re
from collections.abc import Iterator

from .linear_forms import MAX_TEXT, Cone, Form, constant, nonnegative, plus, read_integer, substituted

Position = list[tuple[str, Form]]

ONE = constant(1)
_MIRRORED = {"T": "F", "F": "T", "L": "R", "R": "L", ".": "."}
_TERM = re.compile(r" *(?:([LR])|([TF.])(?:\^(\d+|[a-z]|\(([^()]*)\)))?)", re.ASCII)


def read_position(text: str) -> Position:
    """Return the position given as text, such as "L T^(a-1) F . F^b".

    Raises ValueError for other text: for an exponent that is not an integer, for L anywhere but
    first and R anywhere but last.
    """
    position: Position = []
    at = 0
    if len(text) > MAX_TEXT:
        raise ValueError(f"a position has at most {MAX_TEXT} characters, got {len(text)}")
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None or (match[1] == "L" and position) or (position and position[-1][0] == "R"):
            raise ValueError(f"{text!r} is not a position: see character {at}")
        position.append((match[1] or match[2], read_integer(match[4] or match[3] or "1")))
        at = match.end()
    return position


def position_in(position: Position, cone: Cone) -> Position:
    """Return the position with each parameter replaced by its form, tidy."""
    return tidy([(letter, substituted(form, cone)) for letter, form in position])


def tidy(position: Position) -> Position:
    """Return the position without empty runs, and with adjacent runs of one letter joined.

    Raises Undecided if the parameters do not decide which runs are empty, ValueError for a run of
    negative length.
    """
    joined: Position = []
    for letter, form in position:
        if letter in "LR":
            joined.append((letter, ONE))
            continue
        if not nonnegative(form):
            raise ValueError(f"a run of {letter} of negative length")
        if not nonnegative(plus(form, ONE, -1)):
            continue
        if joined and joined[-1][0] == letter:
            joined[-1] = letter, plus(joined[-1][1], form)
        else:
            joined.append((letter, form))
    return joined


def mirrored(position: Position) -> Position:
    """Return the mirror image: pieces of the other kind in the opposite order, L for R and R for L."""
    return [(_MIRRORED[letter], form) for letter, form in reversed(position)]


def is_exactly(form: Form, n: int) -> bool:
    """Return whether form = n, for all parameters or for none. Raises Undecided otherwise."""
    return nonnegative(plus(form, constant(n), -1)) and nonnegative(plus(constant(n), form, -1))


def only_jumps(position: Position) -> bool:
    """Return whether no two empty squares are adjacent and no toad can step, so that it is <= 0 ([T], Lemma 4.1)."""
    return not any(
        letter == "." and (not is_exactly(form, 1) or (i > 0 and position[i - 1][0] == "T"))
        for i, (letter, form) in enumerate(position)
    )


def walled(position: Position) -> Form | None:
    """Return the moves of Left minus those of Right if a wall separates toads from frogs.

    A wall is T T .. F F ([T], Lemma 4.2). Returns None if there is no wall.
    """
    for i in range(len(position) - 1):
        two = [letter for letter, _ in position[i : i + 2]] == ["T", "F"]
        if not two or is_exactly(position[i][1], 1) or is_exactly(position[i + 1][1], 1):
            continue
        left, right = _free(position[:i], "T"), _free(position[: i + 1 : -1], "F")
        return None if left is None or right is None else plus(left, right, -1)
    return None


def _free(position: Position, piece: str) -> Form | None:
    """Return the number of moves of pieces of one kind towards the end of the position."""
    total, before = Form(), Form()
    for letter, form in position:
        if letter == piece:
            before = plus(before, form)
        elif letter == "." and not any(form):
            total = plus(total, before, form[""])
        else:
            return None
    return total


def left_moves(position: Position) -> Iterator[Position]:
    """Yield the positions after a move of Left. Raises ValueError if pieces of L may move."""
    if [letter for letter, _ in position[:2]] == ["L", "."]:
        raise ValueError("toads of L may jump")
    yield from _moves_of_toads(position)


def _moves_of_toads(position: Position) -> Iterator[Position]:
    for i, (letter, form) in enumerate(position):
        after = [letter for letter, _ in position[i + 1 : i + 3]]
        if letter != "T" or not after:
            continue
        rest = [("T", plus(form, ONE, -1)), (".", ONE)]
        if after[0] == ".":
            blanks = position[i + 1][1]
            yield tidy([*position[:i], *rest, ("T", ONE), (".", plus(blanks, ONE, -1)), *position[i + 2 :]])
        elif after == ["F", "."] and is_exactly(position[i + 1][1], 1):
            blanks = position[i + 2][1]
            yield tidy([*position[:i], *rest, ("F", ONE), ("T", ONE), (".", plus(blanks, ONE, -1)), *position[i + 3 :]])


def right_moves(position: Position) -> Iterator[Position]:
    """Yield the positions after a move of Right with pieces outside R, those of the frogs on the left first."""
    return map(mirrored, reversed(list(_moves_of_toads(mirrored(position)))))
