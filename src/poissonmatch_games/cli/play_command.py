"""The command line of the games to play: `poissonmatch play`."""

import inspect
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from poissonmatch.cli.options import Force, check_output
from poissonmatch.cli.terminal import LONG, bounded, echo, more_time, say
from poissonmatch.frogs import VARIANTS
from poissonmatch.frogs.variants import variant_named
from poissonmatch.points.pair_distances import MAX_TIES
from poissonmatch.points.pattern import Pattern
from poissonmatch.utils.errors import BadInput, nearest, quoted

from ..play.frog_play import play, random_pattern
from ..play.page import APART, write_page
from ..two_player import WINNER, check_human, cited

MAX_PADS = 10_000  # pads of a pond
MAX_BYTES = 10_000_000  # of a file of pads
FILES = (".csv", ".parquet")
MAX_TYPED = 1000  # characters of a line
MAX_DIM = 100  # of random pads
TAKEN = {name: parameter for variant in VARIANTS.values() for name, parameter in variant.parameters.items()}
Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=f"{', '.join(VARIANTS)} (frogs on pads); toads-and-frogs; lucas (a puzzle for one player); "
        "domineering, colored-hackenbush; a name from `games list`; a sum, as in `games value`; a .txt file of a graph; or a .py file "
        "with a ruleset  [default: friendly]",
        show_default=False,
    ),
]
Position = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="position, written as in `games list` (not for frogs on pads)  [default: the starting position]",
    ),
]


@dataclass(frozen=True)
class PlayOptions:
    """Arguments and options of `poissonmatch play`."""

    variant: Game = "friendly"
    position: Position = ""
    misere: Annotated[
        bool, typer.Option("--misere", help="misere play: the player who cannot move wins (not for frogs on pads)")
    ] = False
    points: Annotated[
        list[str] | None,
        typer.Option(
            help="number of lily pads, or a .csv or .parquet file with columns x, y and optionally color; "
            "once for all ponds or once for each  [default: 13]"
        ),
    ] = None
    dim: Annotated[int, typer.Option(min=1, max=MAX_DIM, help="dimension of random pads")] = 2
    ratio: Annotated[float, typer.Option(help="random pads of color 1 (blue, red) for each of color 0")] = 1.0
    seed: Annotated[int | None, typer.Option(min=0, help="random seed  [default: a different game each time]")] = None
    human: Annotated[
        str, typer.Option(help="side of the human player: Alice, Bob, both or nobody; winner is the side that can win")
    ] = WINNER
    errs: Annotated[float, typer.Option(help="probability that the opponent makes a random move")] = 0.0
    c: Annotated[float, typer.Option(min=0, help=TAKEN["c"].meaning)] = TAKEN["c"].default
    k: Annotated[int, typer.Option(min=0, help=TAKEN["k"].meaning)] = TAKEN["k"].default
    reach: Annotated[float, typer.Option(min=0, help=TAKEN["reach"].meaning)] = TAKEN["reach"].default
    ponds: Annotated[
        int | None, typer.Option(min=1, max=100, help="number of ponds  [default: 2, or one for each --points]")
    ] = None
    torus: Annotated[bool, typer.Option(help="use a periodic boundary")] = False
    allow_import: Annotated[
        bool, typer.Option("--allow-import", help="import the .py file; it runs with your permissions")
    ] = False
    rules: Annotated[bool, typer.Option("--rules", help="print the rules of the game")] = False
    html: Annotated[
        Path | None,
        typer.Option("--html", "--page", help="write a web page with all loop-free games instead of playing"),
    ] = None
    force: Force = False


def play_command(**arguments: Any) -> None:
    """Play a game against a perfect opponent.

    It is a frog game on pads, Toads and Frogs, the puzzle of Lucas, or an impartial game such as nim.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # undecodable bytes are illegal moves
    options = PlayOptions(**arguments)
    try:
        check_human(options.human)
        if options.html is not None:
            check_output(options.html, ".html", ".htm", force=options.force)
        with bounded(f"{options.variant} {options.position}", seconds=LONG):
            (_play_frogs if options.variant in VARIANTS else _play_named)(options)
    except (BadInput, TimeoutError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None


play_command.__signature__ = inspect.signature(PlayOptions)  # type: ignore[attr-defined]  # where typer finds the options


def _of_players(options: PlayOptions) -> dict[str, Any]:
    """Return the arguments of a game in the terminal."""
    return {"human": options.human, "errs": options.errs, "seed": options.seed, "ask": _ask, "say": say}


def _play_frogs(options: PlayOptions) -> None:
    """Play frogs on pads, or write a page with them."""
    name, kind = options.variant, variant_named(options.variant)
    if options.rules:
        say(cited(kind.about(), kind.source))
        return
    if options.position or options.misere:
        raise BadInput(f"{name} is played on pads: leave {'the position' if options.position else '--misere'} out")
    patterns = _patterns(options)
    pattern = patterns if kind.many else patterns[0]
    parameters: dict[str, Any] = {"c": options.c, "k": options.k, "reach": options.reach}
    if options.html is None:
        own = {name: value for name, value in parameters.items() if name in kind.parameters}
        play(pattern, name, **_of_players(options), **own)
        return
    write_page(options.html, pattern, name, human=options.human, errs=options.errs, c=options.c, k=options.k)
    echo(f"wrote {options.html}")


def _play_named(options: PlayOptions) -> None:
    """Play a game other than frogs on pads."""
    from ..cost_bounds import CostBound
    from ..impartial import GAMES
    from ..impartial import impartial_play as impartial
    from ..impartial.upward_search import WrongRuleset
    from ..play.played_games import PARTISAN, played_named
    from ..toads import strip_games as toads

    name = options.variant
    try:
        named = played_named(name, misere=options.misere, may_import=options.allow_import)
        start = named.read(options.position)
    except (ValueError, TypeError) as error:
        if not str(error).startswith("unknown game"):
            raise BadInput(str(error)) from None
        names = [*PARTISAN, *VARIANTS, *GAMES]
        similar = nearest(next((known for known in names if name and known.startswith(name)), name), names)
        raise BadInput(f"unknown game {quoted(name)}{similar}; the frog games are {', '.join(VARIANTS)}") from None
    about = cited(named.rules, named.source)
    if options.rules:
        say(about)
    elif options.html is not None:
        write_page(
            options.html, variant=name, human=options.human, errs=options.errs, start=options.position,
            misere=options.misere, may_import=options.allow_import,
        )  # fmt: skip
        echo(f"wrote {options.html}")
    elif isinstance(named.game, toads.LucasPuzzle):
        toads.puzzle(start, about, person=options.human != "nobody", ask=_ask, say=say)
    else:
        try:
            impartial.play(named.game, start, rules=f"{name}: {about}", **_of_players(options))
        except (WrongRuleset, CostBound) as error:
            raise BadInput(str(error)) from None


def _ask(prompt: str) -> str:
    """Return a line from standard input.

    Raises EOFError if the user ends it (to quit), BadInput if it ends otherwise.
    """
    typer.echo(prompt, nl=False)
    typed = sys.stdin.readline(MAX_TYPED) if sys.stdin else ""
    if typed:
        more_time()
        return typed
    if sys.stdin and sys.stdin.isatty():
        raise EOFError
    raise BadInput("standard input ended before the game: type a move on each line, or let --human nobody play")


def _patterns(options: PlayOptions) -> list[Pattern]:
    """Return a pattern for each pond.

    A value of --points is a number of random pads or a file; one value applies to all ponds.

    Raises BadInput for another number of values, an invalid value, and a file without points.
    """
    points, many = options.points or ["13"], variant_named(options.variant).many
    count = (options.ponds or max(len(points), 2)) if many else 1
    if len(points) > 1 and len(points) != count:
        got = f"{len(points)} for {count} pond{'s' * (count > 1)}"
        raise BadInput(f"--points must be given once or once for each pond, got {got}")
    rng = np.random.default_rng(options.seed)
    return [_pattern(word, options, rng) for word in (points if len(points) > 1 else points * count)]


def _pattern(word: str, options: PlayOptions, rng: np.random.Generator) -> Pattern:
    if word.lower().endswith(FILES):
        if options.torus:
            raise BadInput(f"--torus is for random pads, not for the points of {quoted(word)}")
        return _pattern_in(Path(word))
    if not (word.isascii() and word.isdigit()) or len(word) > 9 or int(word) > MAX_PADS:
        allowed = f"a number of pads from 0 to {MAX_PADS}, or a file .csv or .parquet"
        raise BadInput(f"--points must be {allowed}, got {quoted(word)}")
    apart = APART if options.html else 0.0
    return random_pattern(int(word), options.dim, rng, torus=options.torus, ratio=options.ratio, apart=apart)


def _pattern_in(path: Path) -> Pattern:
    """Return the points of a file with columns x, y, ... and optionally color (integers or names)."""
    from poissonmatch.points.frames import read_frame

    frame: Any = read_frame(path, MAX_BYTES)
    if len(frame) > MAX_PADS:
        raise BadInput(f"{path}: a pond must have at most {MAX_PADS} points, got {len(frame)}")
    try:
        pattern = Pattern.from_frame(frame, color="color" if "color" in frame else None)
    except (ValueError, TypeError) as error:
        raise BadInput(f"{path}: {error}") from None
    if len(pattern) <= MAX_TIES and len(ties := pattern.ties()):
        a, b, c, d = ties[0].tolist()
        message = f"pads {a} and {b} are at the same distance as pads {c} and {d}; the pair with the lower numbers counts as closer"
        message += f" (equal distances in all: {len(ties)})"
        typer.echo(f"note: {path}: {message}", err=True)
    return pattern
