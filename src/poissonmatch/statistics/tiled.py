"""What is measured on a torus in tiles: the columns of measures.py from sums, which are the same for any number of tiles."""

from __future__ import annotations

import numpy as np

from ..tiled_sums import Sums
from .measures import BINS, Columns


def moments(sums: Sums) -> Columns:
    """As measures.moments."""
    distance, square, ball = sums.totals()
    of_color = {
        "points": sums.points,
        "unmatched": sums.unmatched,
        "sum_distance": distance,
        "sum_square": square,
        "sum_ball": ball,
        "longest": sums.longest,
    }
    return {f"{name}_{k}": values[k : k + 1] for name, values in of_color.items() for k in range(sums.colors)}


def histogram(sums: Sums) -> Columns:
    """As measures.histogram."""
    color, place = np.nonzero(sums.bins)
    count = sums.bins[color, place]
    order = np.zeros(len(color), np.int64)
    return {"color": color, "order": order, "bin": place + BINS.start, "r": sums.edges[place], "count": count}
