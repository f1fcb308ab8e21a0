"""The command line of the frog games: `poissonmatch play`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from ..errors import BadInput
from ..frogs import VARIANTS, variant_named
from ..frogs.page import write_page
from ..frogs.play import play, random_pattern

MOST_TYPED = 1000  # characters of a line; what is more is the next line
TAKEN = {name: parameter for variant in VARIANTS.values() for name, parameter in variant.parameters.items()}


def play_command(
    variant: Annotated[
        str, typer.Option(help="one of: " + ", ".join(VARIANTS) + "; or a game of `poissonmatch games list`")
    ] = "friendly",
    position: Annotated[str, typer.Option(help="where to begin, in a game of `poissonmatch games list`")] = "",
    misere: Annotated[bool, typer.Option("--misere", help="misere play of such a game: who cannot move wins")] = False,
    points: Annotated[int, typer.Option(min=0, max=10_000, help="number of lily pads (in each pond)")] = 12,
    dim: Annotated[int, typer.Option(min=1, help="dimension")] = 2,
    seed: Annotated[int | None, typer.Option(min=0, help="of the random pads; none: other pads each time")] = None,
    human: Annotated[str, typer.Option(help="Alice, Bob, both or nobody")] = "Alice",
    c: Annotated[float, typer.Option(min=0, help=TAKEN["c"].meaning)] = TAKEN["c"].default,
    k: Annotated[int, typer.Option(min=0, help=TAKEN["k"].meaning)] = TAKEN["k"].default,
    ponds: Annotated[int, typer.Option(min=1, help="number of ponds")] = 2,
    torus: Annotated[bool, typer.Option(help="distances go round the edges")] = False,
    html: Annotated[Path | None, typer.Option(help="write a page to play in a browser instead")] = None,
) -> None:
    """Play a frog game, or an impartial one such as nim, against a perfect opponent."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no move
    rng = np.random.default_rng(seed)
    parameters: dict[str, Any] = {"c": c, "k": k}
    try:
        if variant not in VARIANTS:
            _play_impartial(variant, position, misere, human, html)
            return
        rules = variant_named(variant)
        if html is not None:
            write_page(html, random_pattern(points, dim, rng, torus=torus), variant, human=human, **parameters)
            typer.echo(f"wrote {html}")
            return
        patterns = [random_pattern(points, dim, rng, torus=torus) for _ in range(ponds if rules.many else 1)]
        own = {name: value for name, value in parameters.items() if name in rules.parameters}
        play(patterns if rules.many else patterns[0], variant, human=human, ask=_ask, say=typer.echo, **own)
    except BadInput as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None


def _play_impartial(name: str, position: str, misere: bool, human: str, html: Path | None) -> None:
    """A game of the exact games, found by its entry."""
    from ..games.impartial import play
    from .impartial import named

    try:
        found, start = named(name, position, misere)
    except BadInput as error:
        raise BadInput(f"{error}; the frog games are {', '.join(VARIANTS)}") from None
    if html is not None:
        raise BadInput(f"there is no page for {found.name}: leave --html out")
    play.play(found.game, start, rules=f"{found.name}: {found.rules}", human=human, ask=_ask, say=typer.echo)


def _ask(prompt: str) -> str:
    """A line from standard input. Raises EOFError if a person ends it, which is to quit, and BadInput if it just ends."""
    typer.echo(prompt, nl=False)
    typed = sys.stdin.readline(MOST_TYPED) if sys.stdin else ""
    if typed:
        return typed
    if sys.stdin and sys.stdin.isatty():
        raise EOFError
    raise BadInput("standard input ended before the game: type a move on each line, or let --human nobody play")
