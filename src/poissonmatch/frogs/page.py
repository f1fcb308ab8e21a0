"""The games as one self-contained web page, to play either side against the perfect strategy."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ..desire import columns, reach_of
from ..errors import BadInput
from ..geometry import Euclidean, Pattern, Torus
from .labels import pair_order
from .solutions import solve
from .variants import rules_of

LARGEST = 100  # pads on a page
VARIANTS_ON_PAGE = ("friendly", "colored", "shy", "shy-colored", "colored-points", "fussy", "misere", "stones")


def write_page(
    path: str | Path, pattern: Pattern, variant: str = "friendly", *, human: str = "Alice", c: float = 1.0, k: int = 1
) -> None:
    """Write an HTML page that plays every variant but ponds on the pattern; it needs no network.

    variant and human ("Alice", "Bob", "both" or "nobody") are what the page starts with; c is the distance of the shy
    variants, k the number of stones. Variants that the colors do not fit are left out. Raises ValueError for more
    than 100 points, for more than two dimensions, and for what solve refuses in the variant itself.
    """
    Path(path).write_text(page(pattern, variant, human=human, c=c, k=k), encoding="utf-8")


def page(pattern: Pattern, variant: str = "friendly", *, human: str = "Alice", c: float = 1.0, k: int = 1) -> str:
    """The text of the page; see write_page."""
    if (
        not isinstance(pattern, Pattern)
        or not isinstance(pattern.geometry, Torus | Euclidean)
        or pattern.geometry.dim > 2
    ):
        raise BadInput("a page shows one pattern in one or two dimensions; play in the terminal takes any other")
    if not 2 <= len(pattern) <= LARGEST:
        raise BadInput(f"a page shows 2 to {LARGEST} pads, not {len(pattern)}")
    if human not in ("Alice", "Bob", "both", "nobody"):
        raise BadInput(f"human must be Alice, Bob, both or nobody, not {human!r}")
    parameters: dict[str, dict[str, Any]] = {"shy": {"c": c}, "shy-colored": {"c": c}, "stones": {"k": k}}
    if variant not in VARIANTS_ON_PAGE:
        rules_of([pattern], variant)  # an unknown variant is said to be one
        raise BadInput(f"a page plays {', '.join(VARIANTS_ON_PAGE)}; play {variant} in the terminal")
    games = {variant: _game(pattern, variant, **parameters.get(variant, {}))}
    for other in VARIANTS_ON_PAGE:
        try:
            games.setdefault(other, _game(pattern, other, **parameters.get(other, {})))
        except ValueError:
            continue
    n = len(pattern)
    rank = np.zeros((n, n), np.int64)
    i, j = pair_order(pattern)
    rank[i, j] = rank[j, i] = 1 + np.arange(len(i))
    everyone = np.arange(n)
    side = pattern.geometry.side
    data = {
        "points": pattern.points.tolist(),
        "side": side if np.isfinite(side) else None,
        "colors": pattern.colors.tolist(),
        "rank": rank.tolist(),
        "distance": pattern.distance(everyone[:, None], everyone[None, :]).tolist(),
        "c": c,
        "k": k,
        "games": {name: games[name] for name in VARIANTS_ON_PAGE if name in games},
        "variant": variant,
        "human": human,
    }
    template = (resources.files(__package__) / "pond.html").read_text(encoding="utf-8")
    return template.replace("/*DATA*/null", json.dumps(data, separators=(",", ":")))


def _game(pattern: Pattern, variant: str, **parameters: Any) -> dict[str, Any]:
    """What the page knows of a variant: partners, how far each point desires (a pair's rank is looked up there),
    Alice's winning pads.
    """
    solution = solve(pattern, variant, **parameters)
    partners = columns(solution.matching.partner)
    _, last = reach_of(pattern, solution.matching)
    return {
        "about": " ".join(str(type(solution.rules).__doc__).split("\n\n")[0].split()),
        "partners": [[int(p) for p in row if p >= 0] for row in partners],
        "last": [int(z) if z < len(pattern) else -1 for z in last],
        "placements": solution.placements.tolist(),
    }
