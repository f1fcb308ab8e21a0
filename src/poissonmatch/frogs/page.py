"""The games as one self-contained web page, to play either side against the perfect strategy.

The script in pond.html knows how frogs jump; what a variant adds to that, page.py writes into the page as data.
"""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ..desire import reach_of
from ..errors import BadInput, quoted
from ..geometry import Euclidean, Torus
from ..pattern import Pattern
from .play import check_human
from .solutions import solve
from .variants import VARIANTS, variant_named

LARGEST = 100  # pads on a page
LEAF = "green"  # color of pads that have none of their own


def variants_on_page() -> list[str]:
    """Names of the variants that a page plays."""
    return [name for name, rules in VARIANTS.items() if rules.on_page]


def write_page(
    path: str | Path, pattern: Pattern, variant: str = "friendly", *, human: str = "Alice", **parameters: Any
) -> None:
    """Write an HTML page that plays the variants in one pond on the pattern; it needs no network.

    variant and human ("Alice", "Bob", "both" or "nobody") are what the page starts with. parameters, such as c and k:
    each variant takes its own of them, and the default of what is not there. Variants that the colors do not fit are
    left out. Raises ValueError for more than 100 points, for more than two dimensions, for a parameter that no variant
    has, and for what solve refuses in the variant itself.
    """
    path = Path(path)
    text = page(pattern, variant, human=human, **parameters)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def page(pattern: Pattern, variant: str = "friendly", *, human: str = "Alice", **parameters: Any) -> str:
    """The text of the page; see write_page."""
    _check(pattern, variant, parameters)
    check_human(human)
    games = {variant: _game(pattern, variant, parameters)}
    for other in variants_on_page():
        try:
            games.setdefault(other, _game(pattern, other, parameters))
        except BadInput:
            continue
    n = len(pattern)
    rank = np.zeros((n, n), np.int64)
    i, j = pattern.pair_order()
    rank[i, j] = rank[j, i] = 1 + np.arange(len(i))
    everyone = np.arange(n)
    side = pattern.geometry.side  # type: ignore[union-attr]
    data = {
        "points": pattern.points.tolist(),
        "side": side if np.isfinite(side) else None,
        "colors": pattern.colors.tolist(),
        "rank": rank.tolist(),
        "distance": pattern.distance(everyone[:, None], everyone[None, :]).tolist(),
        "games": {name: games[name] for name in variants_on_page() if name in games},
        "variant": variant,
        "human": human,
    }
    template = (resources.files(__package__) / "pond.html").read_text(encoding="utf-8")
    return template.replace("/*DATA*/null", json.dumps(data, separators=(",", ":")))


def _check(pattern: Pattern, variant: str, parameters: dict[str, Any]) -> None:
    if (
        not isinstance(pattern, Pattern)
        or not isinstance(pattern.geometry, Torus | Euclidean)
        or pattern.geometry.dim > 2
    ):
        raise BadInput("a page shows one pattern in one or two dimensions; play in the terminal takes any other")
    if isinstance(pattern.geometry.side, tuple):
        raise BadInput("a page shows tori with one side; play in the terminal takes any other")
    if not 2 <= len(pattern) <= LARGEST:
        raise BadInput(f"a page shows 2 to {LARGEST} pads, not {len(pattern)}")
    if not variant_named(variant).on_page:
        raise BadInput(f"a page plays {', '.join(variants_on_page())}; play {variant} in the terminal")
    known = {name for rules in VARIANTS.values() for name in rules.parameters}
    for name in parameters:
        if name not in known:
            raise BadInput(f"no variant has a parameter {quoted(name)}; there are {', '.join(sorted(known))}")


def _game(pattern: Pattern, variant: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """What the page knows of a variant.

    Of its rules: whose frogs they are, the pads, which of their colors exclude each other, where Alice begins, how far
    away Bob does, stones, who wins when stuck. Of its solution: partners, how far each point desires (a pair's rank is
    looked up there), Alice's winning pads.
    """
    own = {
        name: parameters.get(name, parameter.default)
        for name, parameter in variant_named(variant).parameters.items()
        if parameter.required or name in parameters
    }
    solution = solve(pattern, variant, **own)
    rules = solution.rules
    _, last = reach_of(pattern, solution.matching)
    return {
        "about": rules.about(),
        "parameters": own,
        "owned": rules.owned,
        "pads": [{"name": f"{color} pad", "fill": _fill(color)} for color in rules.pads]
        or [{"name": "lily pad", "fill": _fill(LEAF)}],
        "clashes": rules.clashes,
        "clash": _sentence(rules.clash),
        "beginsOn": rules.begins_on,
        "begins": _sentence(rules.begins()),
        "c": rules.c,
        "k": rules.k,
        "stuckWins": rules.stuck_wins,
        "partners": [[int(p) for p in row if p >= 0] for row in solution.matching.partners],
        "last": [int(z) if z < len(pattern) else -1 for z in last],
        "placements": solution.placements.tolist(),
    }


def _fill(color: str) -> str:
    """CSS: the page's own shade of a color, or else the color of this name."""
    return f"var(--{color}, {color})"


def _sentence(objection: str) -> str:
    return objection and f"{objection[0].upper()}{objection[1:]}."
