"""All games as one self-contained web page, to play either side against a perfect player.

The scripts in browser/ know how frogs jump, what is matched, and the moves of the other games by their kind; what a variant of the
frogs adds to that, and which games there are, is written into the page as data.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ..games.two_player import WINNER, check_human
from ..points.geometry import Euclidean
from ..points.pattern import Pattern
from ..rules.catalogue import rule_named
from ..utils.errors import BadInput, quoted
from ..utils.palette import POINTS
from ..utils.validation import check_real
from .variants import VARIANTS, rules_of, variant_named

LARGEST = 100  # pads of a pond on a page
LEAF = "green"  # color of pads that have none of their own
SCRIPTS = ("options.js", "matching.js", "frogs.js", "pond.js", "boards.js", "shell.js")
EXAMPLE = Pattern([[0.0], [1.0]], [0, 1], Euclidean(1))  # a pond that every variant can be played on


def variants_on_page() -> list[str]:
    """Names of the variants of frogs that a page plays."""
    return [name for name, rules in VARIANTS.items() if rules.on_page]


def write_page(
    path: str | Path, pattern: Pattern | Sequence[Pattern] | None = None, variant: str = "friendly", **options: Any
) -> None:
    """Write an HTML page that plays all games; it needs no network. The arguments are those of `page`."""
    path = Path(path)
    text = page(pattern, variant, **options)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def page(
    pattern: Pattern | Sequence[Pattern] | None = None,
    variant: str = "friendly",
    *,
    human: str = WINNER,
    errs: float = 0.0,
    start: str = "",
    misere: bool = False,
    **parameters: Any,
) -> str:
    """The text of a page with the variants of the frogs, and the games of `poissonmatch games list` that end.

    pattern: the pond, or several, that it opens with; random pads without one. variant: the game that it opens with; start,
    misere: the position where another game than frogs begins, as text, and how it ends. human ("Alice", "Bob", "both", "nobody"; "winner": the side that can
    win), errs (the chance that the other player makes any move instead): what it opens with. parameters, such as c and k: each
    variant takes its own of them, and the default of what is not there.

    Raises ValueError for more than 100 pads, for more than two dimensions, for a game that a page does not play, a parameter
    that no variant has, and for what solve refuses in the variant itself.
    """
    ponds = [] if pattern is None else [pattern] if isinstance(pattern, Pattern) else list(pattern)
    _check(ponds, variant, parameters)
    check_human(human)
    data = {
        "patterns": [_pond(pond) for pond in ponds],
        "variants": {name: _variant(name, parameters) for name in variants_on_page()},
        "games": _games(variant, start, misere),
        "game": variant,
        "human": human,
        "errs": check_real("errs", errs, "a chance between 0 and 1", most=1.0),
        "isMisere": misere,
        "largest": LARGEST,
    }
    told = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    colors = " ".join(f"--{name}: {shade};" for name, shade in POINTS.items())
    scripts = "\n".join(map(_text, SCRIPTS)).replace("/*DATA*/null", told)
    text = _text("page.html").replace("/*STYLE*/", _text("page.css").replace("/*COLORS*/", colors))
    return text.replace("/*SCRIPT*/", scripts)


def _text(name: str) -> str:
    return (resources.files(__package__) / "browser" / name).read_text(encoding="utf-8")


def _check(ponds: list[Any], variant: str, parameters: dict[str, Any]) -> None:
    for pond in ponds:
        shown = isinstance(pond, Pattern) and pond.geometry.has_coordinates
        if not shown or pond.geometry.dim > 2:
            raise BadInput("a page shows ponds in one or two dimensions; play in the terminal takes any other")
        if not pond.geometry.is_cube:
            raise BadInput("a page shows tori with one side; play in the terminal takes any other")
        if len(pond) > LARGEST:
            raise BadInput(f"a page shows at most {LARGEST} pads, not {len(pond)}")
    known = {name for rules in VARIANTS.values() for name in rules.parameters}
    for name in parameters:
        if name not in known:
            raise BadInput(f"no variant has a parameter {quoted(name)}; there are {', '.join(sorted(known))}")
    rules = VARIANTS.get(variant)
    if rules is None:
        return
    if not rules.on_page:
        raise BadInput(f"a page plays {', '.join(variants_on_page())}; play {variant} in the terminal")
    if rules.many and len(ponds) == 1:
        raise BadInput(f"{variant} on a page are at least two; give a list of patterns")
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
        "side": geometry.side if geometry.is_torus else None,
        "dim": geometry.dim,
    }


def _variant(variant: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """What the page knows of a variant: whose frogs they are, the pads, which of their colors exclude each other, where Alice
    begins, how far away Bob does, stones, who wins when stuck; the rule of the matching that holds the P-positions.
    """
    own = _own(variant, parameters)
    kind = variant_named(variant)
    rules = rules_of([EXAMPLE] * 2 if kind.many else EXAMPLE, variant, **own)
    rule = rule_named(rules.solving_rule())
    return {
        "about": rules.about(),
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


def _games(name: str, start: str, misere: bool) -> list[dict[str, Any]]:
    """The games beside the frogs; the one that is named begins at `start`. Raises BadInput for one that is none."""
    from ..games.paged import all_told, told
    from ..games.toads.play import played_named

    games = all_told()
    if name in VARIANTS:
        return games
    try:
        found = played_named(name, misere=misere)
        own = told(found, found.read(start))
    except (ValueError, TypeError) as error:
        raise BadInput(str(error)) from None
    names = [game["name"] for game in games]
    place = names.index(name) if name in names else len(games)
    return [*games[:place], own, *games[place + 1 :]]


def _fill(color: str) -> str:
    """CSS: the package's shade of a color, or else the color of this name."""
    return f"var(--{color}, {color})"


def _sentence(objection: str) -> str:
    return objection and f"{objection[0].upper()}{objection[1:]}."
