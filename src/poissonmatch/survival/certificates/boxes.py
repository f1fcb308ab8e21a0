"""Boxes of a certificate: their points, and the number of survivors of each that nothing outside of it can change."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...matching.match import match
from ...points.neighbors import Neighbors
from ...points.pattern import Pattern
from ...points.spaces import Euclidean
from ...utils.immutable import as_immutable

MARGIN = 4.0  # depth of the window in the box of a certificate of a single ratio, in units of the scale
MAX_POINTS = 4_000_000  # of a tile, on average
COMPATIBLE = as_immutable(np.array([[True, True], [True, False]]))  # green and red
SLACK = 1e-9  # error of a distance that is allowed for: more points are marked, and the bound stays true
TILE_SCALES = 12  # minimum side of a tile, in units of its own scale


@dataclass(frozen=True)
class Boxes:
    """What fixes the points of all boxes, and their counts.

    Parameters
    ----------
    dim : int
        1, 2 or 3.
    ratio : float
        Intensity rho of the red points, in (0, 1]; that of the green points is 1.
    scale : float
        The distance r.
    box : float
        Side of a box; the window in its middle has side `box - 2 margin scale`.
    seed : int
    name : str
        Of the cover to which the ratio belongs; it makes the points of one ratio independent of
        those of others. By default there is none.
    margin : float
        Depth of the window in the box, in units of the scale, by default 4.
    """

    dim: int
    ratio: float
    scale: float
    box: float
    seed: int
    name: str = ""
    margin: float = MARGIN

    @property
    def window(self) -> float:
        """Side of the window."""
        return self.box - 2 * self.edge

    @property
    def edge(self) -> float:
        """Depth of the window in the box."""
        return self.margin * self.scale

    @property
    def tiles(self) -> int:
        """Number of tiles along each side, so that a tile has at most MAX_POINTS points on average."""
        return math.ceil((self.box**self.dim * (1 + self.ratio) / MAX_POINTS) ** (1 / self.dim))

    @property
    def tile_scale(self) -> float:
        """Distance up to which pairs are looked for within a tile alone."""
        return min(self.scale, self.box / self.tiles / TILE_SCALES)


class Points(NamedTuple):
    """Coordinates from 0 to the side of the box, (n, dim), and which points are red."""

    places: np.ndarray
    red: np.ndarray


def tile_points(boxes: Boxes, number: int, tile: int) -> Points:
    """Return the points of a tile of a box.

    They are from the default generator of NumPy, seeded by the seed, the name and the ratio of a
    cover, the box and the tile; docs/certificates.md derives them without NumPy.
    """
    cover = (int.from_bytes(f"{boxes.name} {boxes.ratio}".encode(), "big"),) if boxes.name else ()
    rng = np.random.default_rng(np.random.SeedSequence(boxes.seed, spawn_key=(*cover, number, tile)))
    side = boxes.box / boxes.tiles
    counts = [int(rng.poisson(intensity * side**boxes.dim)) for intensity in (1.0, boxes.ratio)]
    corner = np.array(np.unravel_index(tile, (boxes.tiles,) * boxes.dim)) * side
    return Points(rng.random((sum(counts), boxes.dim)) * side + corner, np.repeat([False, True], counts))


def count(boxes: Boxes, number: int) -> int:
    """Return D of a box. Pairs that are certain within a tile are the same in the whole box, and are removed first."""
    if boxes.tiles == 1:
        return difference(boxes, tile_points(boxes, number, 0))
    places, red = zip(*_uncertain(boxes, number), strict=True)
    return difference(boxes, Points(np.concatenate(places), np.concatenate(red)))


def difference(boxes: Boxes, points: Points) -> int:
    """Return D of points of a box: the red minus the green survivors of the window that are not marked, minus its marked green points.

    Survivors are points without a partner within the scale.
    """
    places, red = points
    distance, marked = influenced(points, boxes.box, boxes.scale)
    inside = ((places > boxes.edge) & (places < boxes.box - boxes.edge)).all(axis=1)
    survives, lost = inside & (distance > boxes.scale) & ~marked, inside & marked & ~red
    return int((survives & red).sum()) - int((survives & ~red).sum()) - int(lost.sum())


def influenced(points: Points, side: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return partner distances X of points in an open cube alone, and which of them are marked, (n,) each.

    Whatever the points outside are, each point that is not marked has the same partner in the
    stable matching of all points, if its partner distance is at most `scale`; if not, it has no
    partner within `scale` there either. See Algorithm 1 of docs/paper/theorem-on-the-line.md.
    """
    from ...engine.loose_points import loose_points  # here, because numba takes longer to import than all the rest

    (places, red), dim = points, points.places.shape[1]
    colors, low, high = red.astype(np.uint8), np.zeros(dim), np.full(dim, side)
    pattern = Pattern(places, colors, Euclidean(dim))
    matching = match(pattern, "fussy")
    distance, near = matching.distance, matching.distance <= scale
    partner = np.where(near, matching.partner, -1)
    marked = near & loose_points(places, colors, COMPATIBLE, partner, low, high, SLACK * high)
    # A survivor is marked if it is near the boundary, or if a marked point could prefer it.
    alone, sources = np.flatnonzero(~near), np.flatnonzero(marked)
    marked[alone] = (np.minimum(places[alone], side - places[alone]) <= scale * (1 + SLACK)).any(axis=1)
    if len(sources):
        for z, x in Neighbors(pattern, sources).around(alone, np.full(len(alone), scale)):
            prefers = pattern.distance(x, z) * (1 + SLACK) >= distance[x]
            marked[z[prefers & ~(red[x] & red[z])]] = True
    return distance, marked


def _uncertain(boxes: Boxes, number: int) -> Iterator[Points]:
    """Yield the points of each tile without the pairs that are certain within it."""
    side = boxes.box / boxes.tiles
    for tile, index in enumerate(itertools.product(range(boxes.tiles), repeat=boxes.dim)):
        places, red = tile_points(boxes, number, tile)
        distance, marked = influenced(Points(places - np.array(index) * side, red), side, boxes.tile_scale)
        rest = marked | (distance > boxes.tile_scale)
        yield Points(places[rest], red[rest])
