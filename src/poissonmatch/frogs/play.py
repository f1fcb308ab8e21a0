"""Play a frog game in the terminal, against a perfect opponent."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from ..errors import BadInput
from ..geometry import Euclidean, Pattern, Torus
from .variants import VARIANTS, Move, Position

PLAYERS = ("Alice", "Bob")
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
    if human not in (*PLAYERS, "both", "nobody"):
        raise BadInput(f"human must be Alice, Bob, both or nobody, not {human!r}")
    from .solutions import Strategy, solve  # here, because the command line would wait for it whatever it is asked

    solution = solve(pattern, variant, **parameters)
    rules, strategy = solution.rules, Strategy(solution)
    position, turn = rules.position(()), 0
    say(f"{str(type(rules).__doc__).splitlines()[0]}\n{HELP}")
    while next(rules.steps(position), None) is not None:
        player = PLAYERS[turn % 2]
        say(draw(rules, position, player))
        if human in (player, "both"):
            move = _human_move(solution, position, player, ask, say)
            if move is None:
                return None
        else:
            move = strategy.move(position)
        say(f"{player} {describe(move, variant)}.")
        position, turn = rules.after(position, move), turn + 1
    say(draw(rules, position, PLAYERS[turn % 2]))
    stuck, other = PLAYERS[turn % 2], PLAYERS[(turn + 1) % 2]
    winner = stuck if rules.stuck_wins and turn > 1 else other
    say(f"{stuck} cannot {'jump' if turn > 1 else 'place a frog'}: {winner} wins.")
    return winner


def describe(move: Move, variant: str) -> str:
    """A move in words."""
    if isinstance(move.to, tuple):
        return "places " + ", ".join(f"{' and '.join(map(str, pads))} in pond {i}" for i, pads in enumerate(move.to))
    text = f"places a frog on {move.to}" if move.frog is None else f"jumps from {move.frog} to {move.to}"
    stones = ", ".join(map(str, sorted(move.stones)))
    return text + (f" in pond {move.pond}" if variant == "ponds" else "") + (f", stones on {stones}" if stones else "")


def parse(rules: Any, position: Any, text: str) -> Move:
    """The move that a line of text means; it may be illegal. Raises ValueError for a line that means nothing."""
    if not re.fullmatch(r"\s*\d+([\s,]+\d+)*\s*", text):
        raise BadInput(f"{text.strip()!r} is no move: type numbers of pads, or help")
    numbers = [int(word) for word in re.findall(r"\d+", text)]
    pond = 0
    if rules.name == "ponds":
        if not any(position):
            if len(numbers) != 2 * len(position) - 1:
                raise BadInput(f"the opening names {2 * len(position) - 1} pads: two for each pond, one for the last")
            return Move(None, (*zip(numbers[:-1:2], numbers[1::2], strict=True), (numbers[-1],)))
        if len(numbers) > 1:
            pond, *numbers = numbers
        if not pond < len(position):
            raise BadInput(f"there is no pond {pond}; the ponds are numbered from 0 to {len(position) - 1}")
    frogs = position[pond] if rules.name == "ponds" else position.frogs
    if len(frogs) < 2:
        frog, to, stones = None, numbers[0], numbers[1:]
    elif "colored" in rules.name or rules.name == "stones":
        again = len(numbers) > 1 and rules.name != "stones"  # "3 7" for one's own frog
        frog, to, stones = (numbers[0], numbers[1], numbers[2:]) if again else (frogs[1], numbers[0], numbers[1:])
    elif len(numbers) == 1:
        raise BadInput("which frog jumps? Type two pads: from, to")
    else:
        frog, to, stones = numbers[0], numbers[1], numbers[2:]
    return Move(frog, to, frozenset(stones), pond)


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
            lines = [describe(move, rules.name) for move in itertools.islice(rules.steps(position), SHOWN)]
            say("; ".join(lines) + ("; ..." if len(lines) == SHOWN else ""))
        elif text == "hint":
            winning = solution.winning_moves(position)
            say("; ".join(describe(move, rules.name) for move in winning) or "no move wins against perfect play")
        else:
            try:
                move = parse(rules, position, text)
                objection = rules.objection(position, move)
            except ValueError as error:
                say(str(error))
                continue
            if not objection:
                return move
            say(f"Not legal: {objection}.")


def draw(rules: Any, position: Any, player: str) -> str:
    """The pads of the position as text: numbers at their places, frogs in brackets; beyond two dimensions a table of
    coordinates.
    """
    if rules.name == "ponds":
        ponds = zip(rules.ponds, position, strict=True)
        return "\n".join(f"pond {i}\n{draw(pond, Position(frogs), player)}" for i, (pond, frogs) in enumerate(ponds))
    other = PLAYERS[player == "Alice"]
    owned = "colored" in rules.name or rules.name == "stones"
    marks = {}
    for frog, owner in zip(position.frogs, (other, player), strict=False):
        marks[frog] = owner[0] if owned else "*"
    letters = {"colored-points": "ab", "fussy": "gr"}.get(rules.name)
    names = []
    for pad in range(rules.n):
        text = f"{pad}{letters[rules.color[pad]] if letters else ''}"
        text = f"[{text} {marks[pad]}]" if pad in marks else text
        names.append(f"x{text}" if pad in position.blocked else text)
    legend = "[ ] frog" + (": A amber (Alice), B blue (Bob)" if owned else "")
    more = {"colored-points": "a amber pad, b blue pad", "fussy": "g green pad, r red pad", "stones": "x stone"}
    legend += f"; {more[rules.name]}" if rules.name in more else ""
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


def play_command(
    variant: Annotated[str, typer.Option(help="one of: " + ", ".join(VARIANTS))] = "friendly",
    points: Annotated[int, typer.Option(min=0, max=10_000, help="number of lily pads (in each pond)")] = 12,
    dim: Annotated[int, typer.Option(min=1, help="dimension")] = 2,
    seed: Annotated[int | None, typer.Option(min=0, help="of the random pads; none: other pads each time")] = None,
    human: Annotated[str, typer.Option(help="Alice, Bob, both or nobody")] = "Alice",
    c: Annotated[float, typer.Option(min=0, help="distance of the shy variants")] = 1.0,
    k: Annotated[int, typer.Option(min=0, help="number of stones")] = 1,
    ponds: Annotated[int, typer.Option(min=1, help="number of ponds")] = 2,
    torus: Annotated[bool, typer.Option(help="distances go round the edges")] = False,
    html: Annotated[Path | None, typer.Option(help="write a page to play in a browser instead")] = None,
) -> None:
    """Play a frog game against a perfect opponent."""
    rng = np.random.default_rng(seed)
    count = ponds if variant == "ponds" and html is None else 1
    patterns = [random_pattern(points, dim, rng, torus=torus) for _ in range(count)]
    parameters: dict[str, dict[str, Any]] = {"shy": {"c": c}, "shy-colored": {"c": c}, "stones": {"k": k}}
    try:
        if html is not None:
            from .page import write_page

            write_page(html, patterns[0], variant, human=human, c=c, k=k)
            typer.echo(f"wrote {html}")
        else:
            pads = patterns if variant == "ponds" else patterns[0]
            play(pads, variant, human=human, say=typer.echo, **parameters.get(variant, {}))
    except ValueError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
