"""Toads and Frogs in the terminal: a game for two players, and Lucas's puzzle for one player with hints."""

from collections.abc import Callable
from functools import partial

from poissonmatch.utils.errors import BadInput, quoted

from ..impartial.base import ImpartialGame
from ..impartial.entries import LAST, Entry
from ..partisan.turns import TurnGame
from ..two_player import COMMANDS, read_line
from .lucas_puzzle import distances, moves, squares_apart
from .ruleset import ToadsAndFrogs
from .strips import parse_strip


class LucasPuzzle(ImpartialGame):
    """Lucas's puzzle: one player moves toads and frogs, so that there are options and no winner."""

    def read(self, text: str) -> str:
        """Return the strip given as text."""
        return parse_strip(text)

    def options(self, position: str) -> list[str]:
        """Return the strips after a move of any piece."""
        return moves(position)


SOURCE = (
    "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982); J. Erickson, New Toads and Frogs results (1996); "
    "T. Thanatipanonda, Further hopping with Toads and Frogs (2011)."
)
STEPS = "A piece steps onto the empty square ahead, or jumps over one piece of the other kind onto an empty square."
TOADS: dict[str, Entry] = {
    "toads-and-frogs": Entry(
        partial(TurnGame, ToadsAndFrogs),
        "TTT..FFF",
        f"Alice moves the toads, T, to the right, and Bob the frogs, F, to the left; Alice begins. {STEPS} {LAST}",
        SOURCE,
    ),
    "lucas": Entry(
        LucasPuzzle,
        "TTT.FFF",
        "This is a puzzle for one player: toads, T, move to the right and frogs, F, to the left, in any order. "
        f"{STEPS} It is solved when toads and frogs have changed places.",
        "É. Lucas, Récréations mathématiques II (1883).",
    ),
}


HOW = f"Type the number of a move in the list, or the strip after your move. {COMMANDS}"


def solvable(strip: str) -> dict[str, int]:
    """Return the number of moves from each strip to the goal of the puzzle.

    Raises BadInput if it has no solution.
    """
    far = distances(strip)
    if strip not in far:
        raise BadInput(f"{quoted(strip)} has no solution: toads must start on the left, frogs on the right")
    return far


def puzzle(
    start: str,
    rules: str = "",
    *,
    person: bool = True,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
) -> int | None:
    """Play Lucas's puzzle from a strip to its reverse.

    A person plays, or (person=False) the smallest number of moves is made.

    Returns the number of moves, None if the person quits. Raises ValueError for a strip without a
    solution.
    """
    strip = parse_strip(start)
    far = solvable(strip)
    line, displayed = [strip], ""
    say(f"{rules}\n{HOW}\nThe smallest number of moves is {far[strip]}.")
    while far.get(line[-1]) != 0:
        if line[-1] != displayed:
            displayed = line[-1]
            say(f"[{displayed}] after {len(line) - 1} move{'s' * (len(line) != 2)}")
        if not person:
            line.append(_best(line[-1], far))
        elif (text := read_line(ask, "You").lower()) == "quit":
            return None
        elif text == "undo":
            if len(line) == 1:
                say("There is no move to undo.")
            line = line[:-1] or line
        elif text == "help":
            say(f"{rules}\n{HOW}")
        elif text == "moves":
            say("; ".join(_describe(line[-1], after) for after in moves(line[-1])) or "No piece can move: type undo.")
        elif text == "hint":
            lost = line[-1] not in far
            say("This position has no solution: type undo." if lost else _describe(line[-1], _best(line[-1], far)))
        elif options := [after for k, after in enumerate(moves(line[-1]), 1) if text in (str(k), after.lower())]:
            line += options
        else:
            say(f"{text[:60]!r} is not a move; moves lists them")
    say(f"[{line[-1]}] after {len(line) - 1} move{'s' * (len(line) != 2)}: solved.")
    return len(line) - 1


def _best(strip: str, far: dict[str, int]) -> str:
    return next(after for after in moves(strip) if far.get(after) == far[strip] - 1)


def _describe(strip: str, after: str) -> str:
    """Return the number of a move in the list, its piece and squares."""
    start, end = squares_apart(strip, after)
    return f"{1 + moves(strip).index(after)} {strip[start]} from {start + 1} to {end + 1}"
