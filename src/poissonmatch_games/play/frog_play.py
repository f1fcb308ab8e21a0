"""Frog games in the terminal against a perfect opponent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from poissonmatch.frogs.solutions import solve
from poissonmatch.points.pattern import Pattern
from poissonmatch.points.spaces import Euclidean, Torus
from poissonmatch.utils.validation import check_real

from ..two_player import play as play_by_turns
from .frog_turns import FrogTable

TRIES = 400  # places of a point that is to be apart from the others


def play(
    pattern: Any,
    variant: str = "friendly",
    *,
    human: str = "Alice",
    errs: float = 0.0,
    seed: int | None = None,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
    **parameters: Any,
) -> str | None:
    """Play a game against the perfect player.

    The position is drawn before each move, and illegal moves are explained.

    pattern, variant and parameters are those of `solve`, the others those of two_player.play. Returns the winner, or None
    if the human quits. Raises ValueError as `solve` does, and if `human` or `errs` is invalid.
    """
    solution = solve(pattern, variant, **parameters)
    start = solution.rules.position(())
    return play_by_turns(FrogTable(solution), start, human=human, errs=errs, seed=seed, ask=ask, say=say)


def random_pattern(
    points: int,
    dim: int,
    rng: np.random.Generator,
    *,
    torus: bool = False,
    ratio: float = 1.0,
    apart: float = 0.0,
) -> Pattern:
    """Return uniform points in a box or torus of volume `points`.

    There are `ratio` points of color 1 per point of color 0, rounded down. apart: smallest distance
    of two points, for which a place is looked for up to TRIES times, as on the page.
    """
    share = check_real("ratio", ratio, "a number from 0 to 1e9", max_value=1e9) / (1 + ratio)
    side = max(points, 1) ** (1 / dim)
    geometry = Torus(side, dim) if torus else Euclidean(dim)
    colors = rng.permutation(np.arange(points) < int(points * share))
    places = rng.random((points, dim)) * side * (1 - 1e-12)
    for i in range(1, points if apart else 0):
        for _ in range(TRIES):
            step = np.abs(places[:i] - places[i])
            if (np.linalg.norm(np.minimum(step, side - step) if torus else step, axis=1) >= apart).all():
                break
            places[i] = rng.random(dim) * side * (1 - 1e-12)
    return Pattern(places, colors.astype(np.uint8), geometry)
