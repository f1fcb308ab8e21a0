"""Toads and Frogs from the rules, square by square: the twin of what plays and of what the page plays. It shares no code with them."""

from functools import cache


def moves(strip: str, piece: str) -> list[tuple[int, str]]:
    """(square that is left, strip after) of each move of a kind of piece."""
    found, step = [], 1 if piece == "T" else -1
    other = {"T": "F", "F": "T"}[piece]
    for square, there in enumerate(strip):
        if there != piece:
            continue
        for length in (1, 2):
            target = square + length * step
            between = [strip[square + step]] if length == 2 and 0 <= target < len(strip) else []
            if 0 <= target < len(strip) and strip[target] == "." and between in ([], [other]):
                after = list(strip)
                after[square], after[target] = ".", piece
                found.append((square, "".join(after)))
    return found


@cache
def wins(strip: str, mover: str, misere: bool = False) -> bool:
    """Does the player who moves these pieces win, if it is that player's turn?"""
    options = moves(strip, mover)
    other = {"T": "F", "F": "T"}[mover]
    return any(not wins(after, other, misere) for _, after in options) if options else misere


def fewest(strip: str, goal: str) -> int | None:
    """The fewest moves of any pieces from a strip to another, by rounds; None if there is no way."""
    reached, count = {strip}, 0
    while reached:
        if goal in reached:
            return count
        reached = {after for there in reached for piece in "TF" for _, after in moves(there, piece)}
        count += 1
    return None


def reached(start: str) -> set[str]:
    """The strips that moves of any pieces lead to."""
    strips = {start}
    while more := {after for there in strips for piece in "TF" for _, after in moves(there, piece)} - strips:
        strips |= more
    return strips
