"""Figures 1 to 6 of Deijfen, Holroyd and Martin (2016), and the points that they show."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .. import frogs
from ..matching.lazy import LazyMatching
from ..points import processes
from ..points.infinite import DecreasingGaps, Intervals
from ..points.pattern import Pattern
from ..points.spaces import Euclidean, Torus
from ..studies.figures.canvas import Drawing
from ..studies.figures.draw import draw
from ..studies.figures.pattern_figures import infinite, picture
from ..studies.figures.recorded_games import boards
from ..utils.libraries import pd

SEED = 4
APART = 116  # a seed of Figure 3 whose points are far from each other
POND = [[0.78, 0.6], [2.44, 0.18], [1.8, 1.46], [0.56, 0.11], [0.82, 1.31]]
REACH = 50.0  # at which points are examined for Figure 3
LINES = {
    "an infinite descending chain, on which play never ends": DecreasingGaps(),
    "two points in each $[3i, 3i+1]$: Bob wins": Intervals(seed=APART),
    "one point in $[0, 1]$, two in the others: Alice wins": Intervals(single=[0], seed=APART),
}
GAME = [(None, 1), (None, 2), (1, 4), (2, 0), (4, 3)]  # Alice wins after move 5


def drawings() -> Iterator[tuple[int, Drawing]]:
    """Yield the number and the drawing of each figure."""
    rng = np.random.default_rng(SEED)
    pond = Pattern(POND, geometry=Euclidean(2))
    yield 1, boards({"": frogs.record(pond, "friendly", GAME)}, width="column")
    yield 2, draw("realization", picture(pond, name="the pond of Figure 1"), width="column")
    lines = {title: LazyMatching(points, max_distance=REACH) for title, points in LINES.items()}
    yield 3, infinite(lines, [-6.0], [10.0], width="column")
    torus = Torus(np.sqrt(300.0), 2)
    points = processes.poisson(torus, 1.0, rng=rng)
    yield 4, draw("realization", picture(points), width="column")
    colored = Pattern(POND, [0, 0, 1, 0, 1], geometry=Euclidean(2))
    variants = {"colored": "colored frogs", "colored-points": "on colored points", "fussy": "fussy frogs"}
    yield 5, boards({title: frogs.options(colored, name, 3, 2) for name, title in variants.items()}, width="text")
    few = processes.poisson(Torus(np.sqrt(150.0), 2), 1.0, rng=rng)
    both = pd.concat([picture(few, rule) for rule in ("multi(3)", "labels(3)")], ignore_index=True)
    yield 6, draw("realization", both, width="text")
