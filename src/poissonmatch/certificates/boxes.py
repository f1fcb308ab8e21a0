"""Boxes of a certificate: their points, and the number of survivors of each that nothing outside of it can change."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..matching.match import match
from ..points.pattern import Pattern
from ..points.spaces import Euclidean
from .marks import influenced

MARGIN = 4  # depth of the window in the box, in units of the scale
MAX_POINTS = 4_000_000  # of a tile, on average
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
        Side of a box; the window in its middle has side `box - 8 scale`.
    seed : int
    """

    dim: int
    ratio: float
    scale: float
    box: float
    seed: int

    @property
    def window(self) -> float:
        """Side of the window."""
        return self.box - 2 * MARGIN * self.scale

    @property
    def tiles(self) -> int:
        """Number of tiles along each side, so that a tile has at most MAX_POINTS points on average."""
        return math.ceil((self.box**self.dim * (1 + self.ratio) / MAX_POINTS) ** (1 / self.dim))

    @property
    def tile_scale(self) -> float:
        """Distance up to which pairs are looked for within a tile alone."""
        return min(self.scale, self.box / self.tiles / TILE_SCALES)


class Points(NamedTuple):
    """Points with coordinates from 0 to the side of the box, (n, dim), and their colors, 0 for green and 1 for red."""

    places: np.ndarray
    colors: np.ndarray


def tile_points(boxes: Boxes, number: int, tile: int) -> Points:
    """Return the points of a tile of a box: the default generator of NumPy, seeded by the seed, the box and the tile."""
    rng = np.random.default_rng(np.random.SeedSequence(boxes.seed, spawn_key=(number, tile)))
    side = boxes.box / boxes.tiles
    counts = [int(rng.poisson(intensity * side**boxes.dim)) for intensity in (1.0, boxes.ratio)]
    corner = np.array(np.unravel_index(tile, (boxes.tiles,) * boxes.dim)) * side
    return Points(rng.random((sum(counts), boxes.dim)) * side + corner, np.repeat([0, 1], counts))


def count(boxes: Boxes, number: int) -> int:
    """Return D of a box. Pairs that are certain within a tile are the same in the whole box, and are removed first."""
    if boxes.tiles == 1:
        return difference(boxes, *tile_points(boxes, number, 0))
    places, colors = zip(*_uncertain(boxes, number), strict=True)
    return difference(boxes, np.concatenate(places), np.concatenate(colors))


def difference(boxes: Boxes, places: np.ndarray, colors: np.ndarray) -> int:
    """Return D of points of a box: the red minus the green survivors of the window that are not marked, minus its marked green points.

    Survivors are points without a partner within the scale.
    """
    distance, marked = _matched(places, colors, boxes.box, boxes.scale)
    margin = MARGIN * boxes.scale
    inside = ((places > margin) & (places < boxes.box - margin)).all(axis=1)
    survives, red = inside & (distance > boxes.scale) & ~marked, colors == 1
    return int((survives & red).sum()) - int((survives & ~red).sum()) - int((inside & marked & ~red).sum())


def _matched(places: np.ndarray, colors: np.ndarray, side: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return partner distances of points in a cube alone, and which points something outside of it can change up to a scale."""
    matching = match(Pattern(places, colors, Euclidean(places.shape[1])), "fussy")
    return matching.distance, influenced(places, colors, matching.partner, matching.distance, side, scale)


def _uncertain(boxes: Boxes, number: int) -> Iterator[Points]:
    """Yield the points of each tile without the pairs that are certain within it."""
    side = boxes.box / boxes.tiles
    for tile, index in enumerate(itertools.product(range(boxes.tiles), repeat=boxes.dim)):
        places, colors = tile_points(boxes, number, tile)
        distance, marked = _matched(places - np.array(index) * side, colors, side, boxes.tile_scale)
        rest = marked | (distance > boxes.tile_scale)
        yield Points(places[rest], colors[rest])
