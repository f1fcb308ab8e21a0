"""Command line of the impartial games.

The commands are `poissonmatch games list | solve | trace | graph | nim-table | simplex`.
"""

from __future__ import annotations

import math
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poissonmatch.cli import terminal
from poissonmatch.cli.options import DrawingFile, Force, Long, check_output
from poissonmatch.utils.errors import BadInput, lines, quoted

from ..cost_bounds import CostBound

if TYPE_CHECKING:
    from ..impartial.entries import NamedGame

app = typer.Typer()
HOME = Path("results/games")  # of all outputs
MAX_LISTED = 20  # winning moves
OUTCOMES = {
    "N": "the player to move wins",
    "P": "the other player wins",
    "D": "a draw",
}
# The game of `games value`, which is not impartial, or a strip.
TOADS = re.compile(r"(?i:toads.*)|(?=[^TF]*[TF])[TF.^()\d\s]*")
Name = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="name from `games list`, a sum such as 'nim + kayles', or a .txt file of a graph with lines 'vertex: followers'",
    ),
]
Position = Annotated[
    str,
    typer.Argument(metavar="POSITION", help="position, written as in `games list`  [default: the starting position]"),
]
Misere = Annotated[bool, typer.Option("--misere", help="misere play: the player who cannot move wins")]


def game_and_position(name: str, position: str, misere: bool) -> tuple[NamedGame, Any]:
    """Return a game by its name, and a position given as text. Raises BadInput."""
    from ..impartial.entries import game_named
    from ..impartial.graph_files import game_in_file

    if TOADS.fullmatch(name):
        raise BadInput(f"unknown game {quoted(name)}; for Toads and Frogs: poissonmatch games value STRIP")
    try:
        named = game_in_file(name, misere) if name.endswith(".txt") else game_named(name, misere=misere)
        return named, named.read(position)
    except ValueError as error:
        raise BadInput(str(error)) from None


@app.command("list", epilog="Example: poissonmatch games list")
def list_() -> None:
    """List the impartial games: names, starting positions, rules."""
    from ..impartial import FAMILIES, GAMES, game_named

    for name in (*GAMES, *(family.example for family in FAMILIES.values())):
        named = game_named(name)
        typer.echo(f"{name}\n    {named.start}\n    {named.rules}")


@app.command("solve", epilog="Example: poissonmatch games solve nim '3 4 5'")
def solve(name: Name, position: Position = "", misere: Misere = False, allow_long: Long = False) -> None:
    """Solve an impartial game: outcome, nim-value, winning moves, advice."""
    named, at = game_and_position(name, position, misere)
    for game in (named.game, *getattr(named.game, "games", ())) if allow_long else ():
        game.max_steps = math.inf
    try:
        with terminal.at_work(f"{named.name} {position}", seconds=0 if allow_long else terminal.LONG):
            _solve(named, at, misere)
    except (CostBound, TimeoutError) as error:
        raise BadInput(f"{error}; use --allow-long to try anyway") from None


def _solve(named: NamedGame, at: Any, misere: bool) -> None:
    game = named.game
    outcome, play = game.outcome(at), "misere" if misere else "normal"
    typer.echo(f"{named.name} {game.show(at)}: {outcome} ({play} play)")
    try:
        typer.echo(f"nim-value: {game.grundy(at)}")
    except CostBound:
        raise
    except (ValueError, MemoryError) as error:
        typer.echo(f"nim-value: none: {lines(str(error))}")
    moves = dict.fromkeys(islice(game.each_winning_move(at), 2 * MAX_LISTED))
    texts = [game.show(game.turned(move)) for move in islice(moves, MAX_LISTED)]
    typer.echo(f"winning moves: {'; '.join(texts) or 'none'}{'; ...' if len(moves) > MAX_LISTED else ''}")
    typer.echo(f"{outcome}: {OUTCOMES[outcome]}")
    for line in game.advice(at):
        typer.echo(line)


@app.command("trace", epilog="Example: poissonmatch games trace nim '1 2'")
def trace(name: Name, position: Position = "", misere: Misere = False) -> None:
    """Print the labeling of all positions as P or N, round by round."""
    from .. import option_graph

    named, at = game_and_position(name, position, misere)
    for line in option_graph(named.game, at).trace():
        typer.echo(line)


@app.command("graph", epilog="Example: poissonmatch games graph nim '1 2 2' --output nim.svg")
def graph(
    name: Name,
    position: Position = "",
    misere: Misere = False,
    tree: Annotated[bool, typer.Option("--tree", help="draw the game tree, with a box for each line of play")] = False,
    output: Annotated[Path, typer.Option(dir_okay=False, help="file of the picture: .svg, or .dot for Graphviz")] = HOME
    / "game.svg",
    force: Force = False,
) -> None:
    """Draw the graph of positions in layers, with outcomes and nim-values."""
    from poissonmatch.utils.atomic_writer import write_atomically

    from .. import option_graph
    from ..pictures.position_graphs import MAX_DRAWN

    check_output(output, ".svg", ".dot", force=force)
    named, at = game_and_position(name, position, misere)
    title = f"{named.name} {named.game.show(at)}, {'misere' if misere else 'normal'} play"
    try:
        picture = option_graph(named.game, at, max_positions=MAX_DRAWN)
        picture = picture.tree(MAX_DRAWN) if tree else picture
    except MemoryError as error:
        raise BadInput(f"{error}; take a smaller position") from None
    text = picture.to_svg(title) if output.suffix == ".svg" else picture.to_dot(title)
    write_atomically(output, text.encode())
    terminal.echo(f"{output}: {len(picture)} positions")


@app.command("nim-table", epilog="Example: poissonmatch games nim-table --size 8")
def nim_table(
    size: Annotated[
        int, typer.Option(min=1, max=32, help="number of rows and columns: the table covers 0 to size - 1")
    ] = 16,
    output: DrawingFile = HOME / "nim_table.png",
    force: Force = False,
) -> None:
    """Draw the addition table of Nim."""
    from ..figures import impartial_figures as impartial

    check_output(output, ".pdf", ".png", force=force, drawing=True)
    _write(impartial.nim_table(size), output)


@app.command("simplex", epilog="Example: poissonmatch games simplex --total 30")
def simplex(
    total: Annotated[int, typer.Option(min=1, max=300, help="number of stones")] = 60,
    misere: Misere = False,
    output: DrawingFile = HOME / "simplex.png",
    force: Force = False,
) -> None:
    """Draw the P-positions and nim-values of the Triangle Game, with the golden lines."""
    from ..figures import impartial_figures as impartial

    check_output(output, ".pdf", ".png", force=force, drawing=True)
    _write(impartial.simplex(total, misere), output)


def write_drawing(drawing: Any, output: Path) -> None:
    """Write a drawing as PDF and PNG, and its caption as text."""
    from poissonmatch.studies.figures import canvas
    from poissonmatch.utils.atomic_writer import write_atomically

    for suffix, data in canvas.render(drawing).items():
        write_atomically(output.with_suffix(suffix), data)


def _write(drawing: Any, output: Path) -> None:
    write_drawing(drawing, output)
    terminal.echo(f"{output.with_suffix('.png')}: {drawing.caption}")
