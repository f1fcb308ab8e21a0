"""A self-contained web page of all games, to play either side against a perfect player.

The scripts in browser/ implement the moves of the frogs, the matching, and the moves of the other
games. The list of games and the attributes of the variants are written into the page as data.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from poissonmatch.frogs.variants import VARIANTS, rules_of, variant_named
from poissonmatch.points.pattern import Pattern
from poissonmatch.points.spaces import Euclidean
from poissonmatch.rules.catalogue import rule_named
from poissonmatch.utils.atomic_writer import write_atomically
from poissonmatch.utils.display import POINTS
from poissonmatch.utils.errors import BadInput, quoted
from poissonmatch.utils.validation import check_real

from ..two_player import WINNER, check_human

LARGEST = 100  # pads of a pond on a page
APART = 0.62  # smallest distance of random pads at intensity 1; in browser/shell.js as well
LEAF = "green"  # color of pads without colors
SCRIPTS = ("options.js", "sprouts.js", "hackenbush.js", "matching.js", "frogs.js", "pond.js", "boards.js", "shell.js")
EXAMPLE = Pattern([[0.0], [1.0]], [0, 1], Euclidean(1))  # a pond that every variant can be played on


def variants_on_page() -> list[str]:
    """Return the names of the variants available on a page."""
    return [name for name, rules in VARIANTS.items() if rules.on_page]


def write_page(
    path: str | Path, pattern: Pattern | Sequence[Pattern] | None = None, variant: str = "friendly", **options: Any
) -> None:
    """Write an HTML page that plays all games; it needs no network.

    The arguments are those of `page`.
    """
    path = Path(path)
    text = page(pattern, variant, **options)
    write_atomically(path, text.encode())


def page(
    pattern: Pattern | Sequence[Pattern] | None = None,
    variant: str = "friendly",
    *,
    human: str = WINNER,
    errs: float = 0.0,
    start: str = "",
    misere: bool = False,
    may_import: bool = False,
    **parameters: Any,
) -> str:
    """Return the text of a page with the frog games and the loop-free impartial games.

    The impartial games are those of `poissonmatch games list`.

    pattern: the first pond or ponds, by default random. variant: the first game. human: "Alice",
    "Bob", "both", "nobody", or "winner" (the side that can win). errs: the probability that the
    other player makes a random legal move. start, misere: first position of a game other than
    frogs, and whether it is played in misere. may_import: whether a Python file of a game may be imported. parameters: values such as c and k for the variants
    that have them.

    Raises ValueError if a pond has more than 100 pads or two dimensions, a game is not available on
    a page, no variant has a parameter, or `solve` rejects the pond.
    """
    ponds = [] if pattern is None else [pattern] if isinstance(pattern, Pattern) else list(pattern)
    _check(ponds, variant, parameters)
    check_human(human)
    data = {
        "patterns": [_pond(pond) for pond in ponds],
        "variants": {name: _variant(name, parameters) for name in variants_on_page()},
        "games": _games(variant, start, misere, may_import),
        "game": variant,
        "human": human,
        "errs": check_real("errs", errs, "a chance between 0 and 1", max_value=1.0),
        "isMisere": misere,
        "largest": LARGEST,
    }
    encoded = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    colors = " ".join(f"--{name}: {shade};" for name, shade in POINTS.items())
    scripts = "\n".join(map(_text, SCRIPTS)).replace("/*DATA*/null", encoded)
    text = _text("page.html").replace("/*STYLE*/", _text("page.css").replace("/*COLORS*/", colors))
    return text.replace("/*SEARCH*/", _text("sprouts_search.js")).replace("/*SCRIPT*/", scripts)


def _text(name: str) -> str:
    return (resources.files(__package__) / "browser" / name).read_text(encoding="utf-8")


def _check(ponds: list[Any], variant: str, parameters: dict[str, Any]) -> None:
    for pond in ponds:
        available = isinstance(pond, Pattern) and pond.geometry.is_flat
        if not available or pond.geometry.dim > 2:
            raise BadInput("a page shows ponds in one or two dimensions; play in the terminal takes any other")
        if not pond.geometry.is_cube:
            raise BadInput("a page shows tori with one side; play in the terminal takes any other")
        if len(pond) > LARGEST:
            raise BadInput(f"a page must have at most {LARGEST} pads, got {len(pond)}")
    names = {name for rules in VARIANTS.values() for name in rules.parameters}
    for name in parameters:
        if name not in names:
            raise BadInput(f"no variant has a parameter {quoted(name)}; there are {', '.join(sorted(names))}")
    rules = VARIANTS.get(variant)
    if rules is None:
        return
    if not rules.on_page:
        raise BadInput(f"a page plays {', '.join(variants_on_page())}; play {variant} in the terminal")
    if rules.many and len(ponds) == 1:
        raise BadInput(f"{variant} on a page needs a list of at least two patterns")
    if ponds:
        rules_of(ponds if rules.many else ponds[0], variant, **_own(variant, parameters))


def _own(variant: str, parameters: dict[str, Any]) -> dict[str, Any]:
    taken = variant_named(variant).parameters.items()
    return {
        name: parameters.get(name, parameter.default)
        for name, parameter in taken
        if parameter.required or name in parameters
    }


def _pond(pond: Pattern) -> dict[str, Any]:
    geometry: Any = pond.geometry
    return {
        "points": np.asarray(pond.points).tolist(),
        "colors": np.asarray(pond.colors).tolist(),
        "side": geometry.side if geometry.seams else None,
        "dim": geometry.dim,
    }


def _variant(variant: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of a variant for the page, with the matching rule that determines its P-positions."""
    own = _own(variant, parameters)
    kind = variant_named(variant)
    rules = rules_of([EXAMPLE] * 2 if kind.many else EXAMPLE, variant, **own)
    rule = rule_named(rules.solving_rule())
    return {
        "about": rules.about(),
        "source": rules.source,
        "parameters": {name: value for name, value in own.items() if kind.parameters[name].required},
        "owned": rules.owned,
        "many": rules.many,
        "pads": [{"name": f"{color} pad", "fill": _fill(color)} for color in rules.pads]
        or [{"name": "lily pad", "fill": _fill(LEAF)}],
        "clashes": rules.clashes,
        "clash": _sentence(rules.clash),
        "beginsOn": rules.begins_on,
        "begins": "" if rules.many else _sentence(rules.begins()),
        "c": rules.c,
        "k": rules.k,
        "stuckWins": rules.stuck_wins,
        "solvedBy": rules.solved_by,
        "rule": {"compatible": rule.compatible, "capacity": rule.capacity, "notNearest": rule.bans_nearest},
    }


def _games(name: str, start: str, misere: bool, may_import: bool) -> list[dict[str, Any]]:
    """Return the games other than frogs; the game `name` begins at `start`.

    Raises BadInput if there is no such game.
    """
    from .page_data import all_games, game_data
    from .played_games import played_named

    games = all_games()
    if name in VARIANTS:
        return games
    try:
        played = played_named(name, misere=misere, may_import=may_import)
        own = game_data(played, played.read(start))
    except (ValueError, TypeError) as error:
        raise BadInput(str(error)) from None
    names = [game["name"] for game in games]
    index = names.index(name) if name in names else len(games)
    return [*games[:index], own, *games[index + 1 :]]


def _fill(color: str) -> str:
    """Return a CSS color: the package's shade of a color, or else the color with this name."""
    return f"var(--{color}, {color})"


def _sentence(objection: str) -> str:
    return objection and f"{objection[0].upper()}{objection[1:]}."
