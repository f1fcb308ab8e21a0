"""Play a frog game in the terminal, against a perfect opponent."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import BadInput, quoted
from ..geometry import Euclidean, Torus
from ..pattern import Pattern
from .moves import Move, OnePond, Position
from .solutions import Strategy, solve

PLAYERS = ("Alice", "Bob")
HUMANS = (*PLAYERS, "both", "nobody")  # whom a person plays
COLUMNS, LINES = 72, 22
SHOWN = 60  # moves in a list of them
HELP = """Type the pads: "7" places a frog; "3 7" jumps from pad 3 to pad 7 (with colored frogs "7" is enough).
Stones: the pads of the stones follow, "7 2 4". Ponds: the number of the pond comes first, "1 3 7"; the opening
names all frogs, "0 4 2" is pads 0 and 4 of the first pond and 2 of the second. Also: moves, hint, help, quit."""


def play(
    pattern: Any,
    variant: str = "friendly",
    *,
    human: str = "Alice",
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
    **parameters: Any,
) -> str | None:
    """Play a game against the perfect player, who takes every side but `human` ("Alice", "Bob", "both" or "nobody").

    The position is drawn before each move, and an illegal move is explained. ask and say read and write a line.
    Returns the winner, or None if the human quits. Raises ValueError as solve does, and for an unknown human.
    """
    check_human(human)
    solution = solve(pattern, variant, **parameters)
    rules, strategy = solution.rules, Strategy(solution)
    position, turn = rules.position(()), 0
    say(f"{rules.about()}\n{HELP}")
    while next(rules.steps(position), None) is not None:
        player = PLAYERS[turn % 2]
        say(draw(rules, position, player))
        if human in (player, "both"):
            move = _human_move(solution, position, player, ask, say)
            if move is None:
                return None
        else:
            move = strategy.move(position)
        say(f"{player} {describe(move, rules)}.")
        position, turn = rules.after(position, move), turn + 1
    say(draw(rules, position, PLAYERS[turn % 2]))
    stuck, other = PLAYERS[turn % 2], PLAYERS[(turn + 1) % 2]
    winner = stuck if rules.stuck_wins and turn > 1 else other
    say(f"{stuck} cannot {'jump' if turn > 1 else 'place a frog'}: {winner} wins.")
    return winner


def check_human(human: str) -> None:
    """Raises ValueError for another word than Alice, Bob, both or nobody."""
    if human not in HUMANS:
        raise BadInput(f"human must be Alice, Bob, both or nobody, not {quoted(human)}")


def describe(move: Move, rules: Any) -> str:
    """A move in words."""
    if isinstance(move.to, tuple):
        return "places " + ", ".join(f"{' and '.join(map(str, pads))} in pond {i}" for i, pads in enumerate(move.to))
    text = f"places a frog on {move.to}" if move.frog is None else f"jumps from {move.frog} to {move.to}"
    stones = ", ".join(map(str, sorted(move.stones)))
    return text + (f" in pond {move.pond}" if rules.many else "") + (f", stones on {stones}" if stones else "")


def parse(rules: Any, position: Any, text: str) -> Move:
    """The move that a line of text means; it may be illegal. Raises ValueError for a line that means nothing."""
    if not re.fullmatch(r"\s*\d{1,18}([\s,]+\d{1,18})*\s*", text):  # Python reads no number of 5000 digits
        raise BadInput(f"{text.strip()[:60]!r} is no move: type numbers of pads, or help")
    return rules.read(position, [int(word) for word in re.findall(r"\d+", text)])


def _human_move(solution: Any, position: Any, player: str, ask: Callable, say: Callable) -> Move | None:
    rules = solution.rules
    while True:
        try:
            text = ask(f"{player}> ").strip().lower()
        except EOFError:
            return None
        if text in ("q", "quit"):
            return None
        if text in ("", "h", "help", "?"):
            say(HELP)
        elif text == "moves":
            lines = [describe(move, rules) for move in itertools.islice(rules.steps(position), SHOWN)]
            say("; ".join(lines) + ("; ..." if len(lines) == SHOWN else ""))
        elif text == "hint":
            winning = solution.winning_moves(position)
            say("; ".join(describe(move, rules) for move in winning) or "no move wins against perfect play")
        else:
            try:
                move = parse(rules, position, text)
                objection = rules.objection(position, move)
            except BadInput as error:
                say(str(error))
                continue
            if not objection:
                return move
            say(f"Not legal: {objection}.")


def draw(rules: Any, position: Any, player: str) -> str:
    """The pads of the position as text: numbers at their places, frogs in brackets; beyond two dimensions a table of
    coordinates.
    """
    ponds = [_draw(pond, at, player) for pond, at in rules.views(position)]
    return "\n".join(f"pond {i}\n{text}" for i, text in enumerate(ponds)) if rules.many else ponds[0]


def _draw(rules: OnePond, position: Position, player: str) -> str:
    other = PLAYERS[player == "Alice"]
    marks = {}
    for frog, owner in zip(position.frogs, (other, player), strict=False):
        marks[frog] = owner[0] if rules.owned else "*"
    names = []
    for pad in range(rules.n):
        text = f"{pad}{rules.pads[rules.color[pad]][0] if rules.pads else ''}"
        text = f"[{text} {marks[pad]}]" if pad in marks else text
        names.append(f"x{text}" if pad in position.blocked else text)
    more = [", ".join(f"{color[0]} {color} pad" for color in rules.pads), "x stone" if rules.k else ""]
    legend = "; ".join(["[ ] frog" + (": A amber (Alice), B blue (Bob)" if rules.owned else ""), *filter(None, more)])
    return f"{_map(rules.pattern, names)}\n({legend})"


def _map(pattern: Pattern, names: list[str]) -> str:
    if not names:
        return "(no pads)"
    points = np.asarray(pattern.points)
    if not isinstance(pattern.geometry, Torus | Euclidean):
        return "  ".join(names)
    if pattern.geometry.dim > 2:
        return "\n".join(
            f"{name:>8}  {' '.join(f'{t:8.3f}' for t in row)}" for name, row in zip(names, points, strict=True)
        )
    low, high = points.min(axis=0), points.max(axis=0)
    share = (points - low) / np.where(high > low, high - low, 1)
    lines = 1 if pattern.geometry.dim == 1 else LINES
    column = (share[:, 0] * (COLUMNS - 8)).astype(int)
    line = ((1 - share[:, 1]) * (lines - 1)).round().astype(int) if lines > 1 else np.zeros(len(points), int)
    rows = [" "] * lines
    for pad in np.lexsort((column, line)):
        gap = max(column[pad] - len(rows[line[pad]]), 1)  # crowded pads are pushed to the right
        rows[line[pad]] += " " * gap + names[pad]
    frame = "+" + "-" * (max(map(len, rows)) + 1) + "+"
    return "\n".join([frame, *("|" + row.ljust(len(frame) - 2) + "|" for row in rows), frame])


def random_pattern(points: int, dim: int, rng: np.random.Generator, *, torus: bool = False) -> Pattern:
    """Uniform points in a box of volume n, or on the torus of that volume; half of them (rounded down) have color 1."""
    side = max(points, 1) ** (1 / dim)
    geometry = Torus(side, dim) if torus else Euclidean(dim)
    return Pattern(rng.random((points, dim)) * side * (1 - 1e-12), rng.permutation(np.arange(points) % 2), geometry)
