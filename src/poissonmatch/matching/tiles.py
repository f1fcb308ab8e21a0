"""The stable matching of a torus in tiles, with one tile and the unsettled points of earlier tiles in memory.

A stable matching remains stable if pairs are removed, so a pair that does not depend on the points
outside a box can be removed at once. Each tile is matched alone, its final pairs are settled, and
the other points remain: those of 2^d neighboring tiles are matched in their union, and so on up to
the torus. The order is depth first, so that few points remain at a time. The pairs are those of the
whole torus: distances are the same numbers, and ties are broken by the same indices.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from ..points.geometry import Geometry
from ..points.tiled import Corner, Part
from ..rules.rule import Rule
from .match import vertex_cover

MAX_DIM = 4  # in more, nearly all points of a tile are at its faces
ROUNDING = 2.0**-49  # of a side: more than the error of a distance to a face


# Called with a matched part, the positions of the partners (-1: none), the distances, and a mask of
# the settled points.
OnSettled = Callable[[Part, np.ndarray, np.ndarray, np.ndarray], None]


def incompatible(rule: Rule, dim: float) -> str:
    """Return the reason why a rule and dimension cannot be matched in tiles; "" if they can."""
    if rule.bans_nearest:
        return "cannot be matched in tiles: mutually nearest pairs depend on the whole torus"
    if not rule.plain:
        return "cannot be matched in tiles: a point with a partner in the tile may have others outside it"
    return f"cannot be matched in tiles: d must be from 1 to {MAX_DIM}" if dim > MAX_DIM else ""


def match_in_tiles(
    torus: Geometry, rule: Rule, tiles: int, tile: Callable[[Corner], Part], settled: OnSettled, threads: int = 1
) -> None:
    """Match the points of a torus in tiles of width sides / tiles, and report each point once as settled.

    tile: returns the part in a tile; it is called once for each tile, so that tiles that are merged
    follow each other.
    """
    from ..engine.loose_points import loose_points  # here, because numba takes longer to import than all the rest

    def rest(number: int, corner: Corner) -> Part:
        """Return the unsettled points in a box, of which there are `number` along an axis."""
        if number == tiles:
            part = tile(corner)
        else:
            halves = itertools.product(*((2 * c, 2 * c + 1) for c in corner))
            part = _merged([rest(2 * number, half) for half in halves])
        partner, distance = _matched(part, rule, np.full(torus.dim, np.inf) if number > 1 else torus.periods, threads)
        loose = np.zeros(len(partner), bool)
        if number > 1:
            width = torus.sides / number  # exact: number is a power of two
            low, margin = np.array(corner) * width, ROUNDING * torus.sides
            colors = rule.seen(part.colors)
            loose = loose_points(part.points, colors, rule.matrix(), partner, low, low + width, margin)
        settled(part, partner, distance, ~loose)
        return part.taken(loose)

    rest(1, (0,) * torus.dim)


def _matched(part: Part, rule: Rule, sides: np.ndarray, threads: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the partners, -1 for none, and the distances of the points of a part alone."""
    from ..engine import phases

    compatible = rule.matrix()
    colors = part.colors if len(compatible) > 1 else None
    counts = np.array([len(part.points)]) if colors is None else np.bincount(colors, minlength=len(compatible))
    starter = vertex_cover(compatible, counts)
    result = phases.run(phases.Task(part.points, colors, sides, compatible, starter, counts, threads=threads))
    return result.partners[:, 0], result.distances[:, 0]


def _merged(parts: list[Part]) -> Part:
    names = np.concatenate([part.names for part in parts])
    points = np.concatenate([part.points for part in parts])
    return Part(points, np.concatenate([part.colors for part in parts]), names).taken(np.argsort(names, kind="stable"))
