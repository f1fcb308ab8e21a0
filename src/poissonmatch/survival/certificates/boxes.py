"""Boxes of a certificate: their points, and the number of survivors of each that nothing outside of it can change."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...matching.match import match
from ...points.pattern import Pattern
from ...points.spaces import Euclidean
from .marks import influenced

MARGIN, MARGIN_OF_INTERVALS = 4, 2  # depth of the window in the box, in units of the scale
MAX_POINTS = 4_000_000  # of a tile, on average
TILE_SCALES = 12  # minimum side of a tile, in units of its own scale


@dataclass(frozen=True)
class Boxes:
    """What fixes the points of all boxes, and their counts.

    Parameters
    ----------
    dim : int
        1, 2 or 3.
    ratio : float or pair of float
        Intensity rho of the red points, in (0, 1]; that of the green points is 1. For an interval
        of intensities, its ends.
    scale : float
        The distance r.
    box : float
        Side of a box; the window in its middle has side `box - 8 scale`, for an interval `box - 4
        scale`.
    seed : int
    name : str
        Of the certificate; it makes the points of one interval independent of those of others.
    """

    dim: int
    ratio: float | tuple[float, float]
    scale: float
    box: float
    seed: int
    name: str = ""

    @property
    def intensities(self) -> tuple[float, ...]:
        """Intensities of green points, of red points and, for an interval, of uncertain red points."""
        if isinstance(self.ratio, float):
            return 1.0, self.ratio
        low, high = self.ratio
        return 1.0, low, high - low

    @property
    def window(self) -> float:
        """Side of the window."""
        return self.box - 2 * self.margin

    @property
    def margin(self) -> float:
        """Depth of the window in the box."""
        return (MARGIN if len(self.intensities) == 2 else MARGIN_OF_INTERVALS) * self.scale

    @property
    def tiles(self) -> int:
        """Number of tiles along each side, so that a tile has at most MAX_POINTS points on average."""
        return math.ceil((self.box**self.dim * sum(self.intensities) / MAX_POINTS) ** (1 / self.dim))

    @property
    def tile_scale(self) -> float:
        """Distance up to which pairs are looked for within a tile alone."""
        return min(self.scale, self.box / self.tiles / TILE_SCALES)


class Points(NamedTuple):
    """Coordinates from 0 to the side of the box, (n, dim), and colors: green 0, red 1, uncertain red 2."""

    places: np.ndarray
    colors: np.ndarray


def tile_points(boxes: Boxes, number: int, tile: int) -> Points:
    """Return the points of a tile of a box.

    They are from the default generator of NumPy, seeded by the seed, the interval, the box and the
    tile.
    """
    interval = () if len(boxes.intensities) == 2 else (int.from_bytes(f"{boxes.name} {boxes.ratio}".encode(), "big"),)
    rng = np.random.default_rng(np.random.SeedSequence(boxes.seed, spawn_key=(*interval, number, tile)))
    side = boxes.box / boxes.tiles
    counts = [int(rng.poisson(intensity * side**boxes.dim)) for intensity in boxes.intensities]
    corner = np.array(np.unravel_index(tile, (boxes.tiles,) * boxes.dim)) * side
    return Points(rng.random((sum(counts), boxes.dim)) * side + corner, np.repeat(np.arange(len(counts)), counts))


def count(boxes: Boxes, number: int) -> int:
    """Return D of a box. Pairs that are certain within a tile are the same in the whole box, and are removed first."""
    if boxes.tiles == 1:
        return difference(boxes, *tile_points(boxes, number, 0))
    places, colors = zip(*_uncertain(boxes, number), strict=True)
    return difference(boxes, np.concatenate(places), np.concatenate(colors))


def difference(boxes: Boxes, places: np.ndarray, colors: np.ndarray) -> int:
    """Return D of points of a box: the red minus the green survivors of the window that are not marked, minus its marked green points.

    Survivors are points without a partner within the scale. For an interval of ratios, marked green
    points of one cell of a grid, whose diameter is below the scale, count as one: at most one of
    them survives.
    """
    distance, marked = _matched(places, colors, boxes.box, boxes.scale)
    inside = ((places > boxes.margin) & (places < boxes.box - boxes.margin)).all(axis=1)
    survives, red = inside & (distance > boxes.scale) & ~marked, colors == 1
    lost = places[inside & marked & (colors == 0)]
    if len(boxes.intensities) > 2:
        cells = math.floor(boxes.window * math.sqrt(boxes.dim) / boxes.scale) + 1  # along each side
        lost = np.unique(((lost - boxes.margin) * (cells / boxes.window)).astype(int), axis=0)
    return int((survives & red).sum()) - int((survives & ~red).sum()) - len(lost)


def _matched(places: np.ndarray, colors: np.ndarray, side: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return partner distances of points in a cube alone, and which points are marked up to a scale."""
    base = int((colors < 2).sum())  # uncertain points are the last
    matching = match(Pattern(places[:base], colors[:base], Euclidean(places.shape[1])), "fussy")
    uncertain = np.zeros(len(colors) - base)
    distance, partner = np.append(matching.distance, uncertain), np.append(matching.partner, uncertain.astype(int) - 1)
    return distance, influenced(places, colors, partner, distance, side, scale)


def _uncertain(boxes: Boxes, number: int) -> Iterator[Points]:
    """Yield the points of each tile without the pairs that are certain within it."""
    side = boxes.box / boxes.tiles
    for tile, index in enumerate(itertools.product(range(boxes.tiles), repeat=boxes.dim)):
        places, colors = tile_points(boxes, number, tile)
        distance, marked = _matched(places - np.array(index) * side, colors, side, boxes.tile_scale)
        rest = marked | (distance > boxes.tile_scale)
        yield Points(places[rest], colors[rest])
