"""The command line of the exact games: `poissonmatch games ...`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from poissonmatch.cli import terminal
from poissonmatch.cli.options import DrawingFile, Force, Long, check_output, sectioned
from poissonmatch.utils.display import counted
from poissonmatch.utils.errors import BadInput, IntegrityError, Problem
from poissonmatch.utils.files import is_file

from . import impartial_commands as impartial

SECTIONS = {
    "Toads and Frogs": ("value", "strip", "toads-and-frogs", "claims", "puzzle"),
    "Impartial games": ("list", "solve", "trace", "graph", "nim-table", "triangle", "simplex"),
    "Proofs": ("check",),
}
app = typer.Typer(
    cls=sectioned(SECTIONS),
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Exact combinatorial games: values, tables, conjectures, puzzles.",
    epilog="Example: poissonmatch games value 'TT.FF'",
)
app.registered_commands += impartial.app.registered_commands
FOREIGN = {
    "seconds": 9.0,
    "memory": 1.5e9,
}  # processor time and more memory for the check of a certificate from elsewhere
VIEWS = ("board", "play", "graph", "tree")
Memory = Annotated[str, typer.Option(help="memory limit, such as 4GB")]
Time = Annotated[str, typer.Option(help="time limit of this run, such as 10min")]
Strip = Annotated[str, typer.Argument(metavar="STRIP", help="strip, such as TT.FF or T^3 .. F^3")]
TableFile = Annotated[Path, typer.Option(dir_okay=False, help="file of the table")]


@contextmanager
def _checked() -> Iterator[None]:
    """Report errors of values given by the user as bad input."""
    try:
        yield
    except (ValueError, OverflowError) as error:
        raise BadInput(str(error)) from None


_log = partial(terminal.echo, err=True)


@app.command("value", epilog="Example: poissonmatch games value 'TT.FF + T..F'")
def value(
    expression: Annotated[
        str,
        typer.Argument(
            metavar="EXPRESSION",
            help="strip, such as TT.FF or T^3 .. F^3; board of Domineering, such as ../.#; value, such as {2|1||0}; "
            "position of a game by its name, such as 'nim(3 4 5)'; or a sum of these",
        ),
    ],
    short: Annotated[bool, typer.Option("--short", help="print only the value")] = False,
    latex: Annotated[
        bool, typer.Option(help="print the value as a LaTeX formula, of a strip with the position")
    ] = False,
    explain: Annotated[bool, typer.Option(help="print which options are dominated or reversible, and by what")] = False,
    thermograph: Annotated[
        Path | None, typer.Option(dir_okay=False, help="draw the thermograph to this PDF or PNG file")
    ] = None,
    force: Force = False,
    allow_long: Long = False,
) -> None:
    """Print the value of a position, its outcome, stops, mean and temperature, and the atomic weight if there is one.

    The value of a long strip comes from a theorem or a certified family, which is named.
    """
    from ..cost_bounds import CostBound
    from ..expressions import position_from
    from ..impartial.upward_search import Returns
    from ..toads import ToadsAndFrogs

    if thermograph:
        check_output(thermograph, ".pdf", ".png", force=force)
    with _checked():
        position = position_from(expression)
    if allow_long:
        ToadsAndFrogs.max_arrangements = math.inf
    try:
        with terminal.at_work(expression, seconds=0 if allow_long else terminal.LONG):
            if explain or latex:
                found = "\n".join(position.explain()) if explain else getattr(position, "latex", position.value.latex)
            else:
                found = str(position.value) if short else "\n".join(_properties(position))
    except (CostBound, TimeoutError) as error:
        raise BadInput(f"{error}; use --allow-long to try anyway{_known(position)}") from None
    except Returns as error:
        found = f"value: none: {error}\noutcome: {position.outcome}"
    typer.echo(found)
    if thermograph:
        from poissonmatch.studies.figures import canvas
        from poissonmatch.utils.atomic_writer import write_atomically

        from ..figures import partisan_figures as figures

        drawn = canvas.render(figures.thermograph(position, expression))
        write_atomically(thermograph, drawn[thermograph.suffix])


def _known(position: Any) -> str:
    """Return what a stored certificate says of a strip, as the end of a message."""
    from ..toads.conjectures import CLAIMS
    from ..toads.strips import shape

    strip = shape(position.position) if isinstance(position.position, str) else "no strip"
    witness = next((claim.witness for claim in CLAIMS if claim.witness.startswith(f"{strip} ")), "")
    return f"; certified: {witness} {'0 nor *' * witness.endswith('neither')}".rstrip() if witness else ""


OUTCOMES = {
    "L": "Left wins",
    "R": "Right wins",
    "N": "the player who moves first wins",
    "P": "the player who moves second wins",
}


def _properties(position: Any) -> Iterator[str]:
    """Yield the lines of `games value`."""
    value, source = position.value, getattr(position, "source", "engine")
    yield f"value: {value}" + f" ({source})" * (source != "engine")
    yield f"outcome: {value.outcome}, {OUTCOMES[value.outcome]}"
    yield f"stops: {value.left_stop}, {value.right_stop}"
    yield f"mean: {value.mean}"
    yield f"temperature: {value.temperature}"
    with suppress(ValueError):
        yield f"atomic weight: {value.atomic_weight}"


@app.command("strip", epilog="Example: poissonmatch games strip 'TT.FF' --show graph --output graph.svg")
def strip(
    strip: Strip,
    show: Annotated[str, typer.Option(help=f"the picture: {', '.join(VIEWS)}")] = "play",
    first: Annotated[str, typer.Option(help="player who moves first: Left or Right")] = "Left",
    output: Annotated[
        Path, typer.Option(dir_okay=False, help="file of the picture: .svg, or .dot for a graph or tree")
    ] = impartial.HOME / "strip.svg",
    force: Force = False,
) -> None:
    """Draw a position of Toads and Frogs.

    The picture is the board, a play of two perfect players, the graph of positions, or the game
    tree.
    """
    from poissonmatch.utils.atomic_writer import write_atomically

    from .. import ToadsAndFrogs, option_graph
    from ..pictures.position_graphs import MAX_DRAWN
    from ..toads import motion

    if show not in VIEWS:
        raise BadInput(f"--show must be one of {', '.join(VIEWS)}, got {show!r}")
    check_output(output, *((".svg", ".dot") if show in ("graph", "tree") else (".svg",)), force=force)
    try:
        with terminal.at_work(strip, seconds=terminal.LONG):
            position = ToadsAndFrogs(strip)
            if show == "board":
                text = position.to_svg()
            elif show == "play":
                text = motion(position, first).to_svg()
            else:
                drawn = option_graph(position, max_positions=MAX_DRAWN)
                drawn = drawn.tree(MAX_DRAWN) if show == "tree" else drawn
                text = drawn.to_svg(strip) if output.suffix == ".svg" else drawn.to_dot(strip)
    except (ValueError, TimeoutError) as error:
        raise BadInput(str(error)) from None
    write_atomically(output, text.encode())
    terminal.echo(str(output))


@app.command("toads-and-frogs", epilog="Example: poissonmatch games toads-and-frogs --k 0 --a 1..3 --b 1..6")
def toads_and_frogs(
    k: Annotated[str, typer.Option(help="number of toads minus number of frogs: a number or first..last")] = "0..3",
    a: Annotated[str, typer.Option(help="number of frogs: a number or first..last")] = "1..4",
    b: Annotated[
        str, typer.Option(help="number of empty squares between toads and frogs: a number or first..last")
    ] = "1..8",
    memory: Memory = "4GB",
    time: Time = "10min",
    again: Annotated[bool, typer.Option(help="recompute the cells that have bounds but no value")] = False,
    output: Annotated[
        Path, typer.Option(dir_okay=False, help="file of the table; an interrupted run is continued")
    ] = impartial.HOME / "toads_and_frogs.parquet",
    store: Annotated[
        Path | None, typer.Option(dir_okay=False, help="file that keeps the finished cells during the run")
    ] = None,
    force: Force = False,
) -> None:
    """Compute the values of T^(a+k) .^b F^a as a table with a heat map."""
    from .. import tables as game_tables
    from ..figures import partisan_figures as figures
    from ..toads.families import read_bytes, read_range, read_seconds

    with _checked():
        ranges = [read_range(text) for text in (k, a, b)]
        bounds = {"memory": read_bytes(memory), "seconds": read_seconds(time)}
    check_output(output, ".parquet", force=force, table="toads_and_frogs", drawing=True)
    if store:
        check_output(store, ".parquet", force=False, table="toads_and_frogs")
    frame = game_tables.toads_and_frogs(output, *ranges, **bounds, again=again, store=store, progress=_log)  # type: ignore[arg-type]
    if len(frame):
        impartial.write_drawing(figures.heat_map(frame), output)
    known, wrong = frame["value"].notna().sum(), (frame["agrees"] == "differs").sum()
    counts = f"{len(frame)} cells, {known} with a value, {len(frame) - known} with bounds"
    terminal.echo(f"{output}: {counts}; {wrong} differ from print")


@app.command("claims", epilog="Example: poissonmatch games claims --squares 12")
def claims(
    squares: Annotated[int, typer.Option(help="largest number of squares of a position", min=3, max=59)] = 14,
    memory: Memory = "4GB",
    time: Annotated[str, typer.Option(help="time limit for each claim")] = "2min",
    output: TableFile = impartial.HOME / "claims.parquet",
    force: Force = False,
) -> None:
    """Check each published formula and conjecture, and write a table with a row for each."""
    from .. import tables as game_tables
    from ..toads.families import read_bytes, read_seconds

    with _checked():
        bounds = {"memory": read_bytes(memory), "seconds": read_seconds(time)}
    check_output(output, ".parquet", force=force, table="claims")
    frame = game_tables.check_claims(output, squares, **bounds, progress=_log)  # type: ignore[arg-type]
    terminal.echo(f"{output}: {len(frame)} claims")


@app.command("triangle", epilog="Example: poissonmatch games triangle --total 60")
def triangle(
    total: Annotated[int, typer.Option(help="largest number of stones", min=0)] = 180,
    output: TableFile = impartial.HOME / "triangle.parquet",
    force: Force = False,
) -> None:
    """Compute the nim-values of the Triangle Game, normal and misere play."""
    from .. import TriangleGame
    from .. import tables as game_tables

    check_output(output, ".parquet", force=force, table="triangle")
    positions, game = len(game_tables.triangle(output, total)), TriangleGame()
    failures = [place for misere in (False, True) for place in game.closed_form_failures(total, misere=misere)]
    theorems = f"theorems 2.4 and 2.7 fail at {failures[0]}" if failures else "theorems 2.4 and 2.7 hold"
    terminal.echo(f"{output}: {positions} positions; {theorems}")


@app.command("puzzle", epilog="Example: poissonmatch games puzzle --toads 2 --frogs 3")
def puzzle(
    toads: Annotated[int, typer.Option(min=0, max=8, help="number of toads")] = 3,
    frogs: Annotated[int, typer.Option(min=0, max=8, help="number of frogs")] = 3,
    blanks: Annotated[int, typer.Option(min=1, max=4, help="number of empty squares between toads and frogs")] = 1,
    output: DrawingFile = impartial.HOME / "puzzle.png",
    force: Force = False,
) -> None:
    """Solve and draw the puzzle of Lucas: exchange toads and frogs."""
    from ..figures import partisan_figures as figures
    from ..toads.lucas_puzzle import lucas_plays, shortest_solution, timeline

    check_output(output, ".pdf", ".png", force=force, drawing=True)
    solution, plays = shortest_solution(toads, frogs, blanks), lucas_plays(toads, frogs, blanks)
    for position in solution:
        typer.echo(position)
    typer.echo(f"{len(solution) - 1} moves; solutions: {plays.solutions}; longest play: {plays.longest} moves")
    impartial.write_drawing(figures.timeline(list(map(dict, timeline(solution)))), output)


@app.command("check", epilog="Example: poissonmatch games check E4")
def check(
    certificate: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CERTIFICATE", help="files, or names of stored certificates  [default: all stored ones]"
        ),
    ] = None,
    allow_long: Annotated[
        bool,
        typer.Option(
            "--allow-long", help="check a file even if it may need more than 9 seconds of processor time or 1.5 GB"
        ),
    ] = False,
) -> None:
    """Check certificates: each is accepted, or rejected with the reason (exit code 4)."""
    from ..checkers import certificates
    from ..toads.claims import CLAIMS, claimed

    proofs = {claim.name: list(claim.certificates) for claim in CLAIMS if claim.certificates}
    stored = certificates.stored()
    names = [
        name for given in certificate or stored for name in ([given] if given in stored else proofs.get(given, [given]))
    ]
    for name in names:
        if name not in stored and not is_file(name):
            raise BadInput(f"{name!r} is neither a file nor one of {', '.join(stored)}")
        try:
            loaded = certificates.load(name)
            with terminal.at_work(name, **({} if allow_long or certificates.is_stored(loaded) else FOREIGN)):
                counts = certificates.check(loaded, Path(name).parent, bounded=not allow_long)
        except (ValueError, TimeoutError) as error:
            raise IntegrityError(Problem(Path(name), "damaged", f"rejected: {error}")) from None
        terminal.echo(f"{name}: accepted: {claimed(loaded)}; {counted(counts)}")
