"""Points of a torus in tiles: independent uniform points that do not depend on the number of tiles.

The torus is divided into fine tiles, each with a random stream: 2^floor(9/d) along each axis, or
the next power of two for which at most 2^16 points are expected in each. One more stream draws the
number of points of each color in each fine tile. A stream draws the points of color 0 first. A tile
is a cube of fine tiles. Fine tiles are numbered in Morton order (the bits of their coordinates are
interleaved), so that those of a tile are consecutive, and points in the order of their fine tiles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..utils.immutable import as_immutable, cached_property
from ..utils.memory import require_memory
from .pattern import Pattern
from .process_registry import Process
from .spaces import Cuboid

MAX_FINE = 2**16  # expected points of a fine tile; the points depend on it
MAX_POINTS = 2**22  # expected points of a tile of few_tiles
MIN_TILES = 2**9  # fine tiles of a torus, about


def fine_tiles(dim: int, size: float) -> int:
    """Return the number of fine tiles along an axis, a power of two, for this expected number of points."""
    min_bits, bits = math.log2(MIN_TILES) / dim, math.log2(max(size / MAX_FINE, 1.0)) / dim
    return int(2 ** max(1, math.floor(min_bits), math.ceil(bits - 1e-9)))


def few_tiles(dim: int, size: float) -> int:
    """Return the number of tiles along an axis that are small enough for any machine."""
    bits = math.ceil(max(0.0, math.log2(max(size / MAX_POINTS, 1.0)) / dim))
    return min(2**bits, fine_tiles(dim, size))


@dataclass(frozen=True, eq=False)
class TiledPoints:
    """The tiles of a torus.

    seeds: the random stream, with a child for each fine tile; counts: (C, fine tiles), the number
    of points of each color.
    """

    torus: Cuboid
    seeds: np.random.SeedSequence
    counts: np.ndarray

    @classmethod
    def drawn(
        cls, process: Process, torus: Cuboid, size: float, intensities: Sequence[float], seeds: np.random.SeedSequence
    ) -> TiledPoints:
        """Return the tiles of points of a process with this expected number of points; the first stream is of the counts."""
        rng, parts = np.random.default_rng(_child(seeds, -1)), fine_tiles(torus.dim, size) ** torus.dim
        return cls(torus, seeds, process.counts(torus, size, intensities, parts, rng))

    @cached_property
    def first(self) -> np.ndarray:
        """The index of the first point of each fine tile, and the number of points."""
        return as_immutable(np.concatenate([[0], self.counts.sum(axis=0).cumsum()]))

    @property
    def along(self) -> int:
        """Number of fine tiles along an axis."""
        return round(self.counts.shape[1] ** (1 / self.torus.dim))

    def part(self, corner: Corner, tiles: int) -> Part:
        """Return the points of a tile if there are `tiles` along an axis.

        Raises MemoryError if they do not fit into memory.
        """
        dim = self.torus.dim
        inside = (self.along // tiles) ** dim
        begin = _interleaved(corner) * inside
        n = int(self.first[begin + inside] - self.first[begin])
        require_memory((8 * dim + 9) * n, f"a tile of {n} points in dimension {dim}")
        names = np.arange(self.first[begin], self.first[begin + inside])
        points, colors = np.empty((n, dim)), np.empty(n, np.uint8)
        width, last = self.torus.sides / self.along, np.nextafter(self.torus.sides, 0)
        for tile in range(begin, begin + inside):
            inner = slice(self.first[tile] - self.first[begin], self.first[tile + 1] - self.first[begin])
            counts, here = self.counts[:, tile], points[inner]
            rng = np.random.default_rng(_child(self.seeds, tile))
            rng.random(out=here)
            here += _separated(tile, dim)
            here *= width
            np.minimum(here, last, out=here)
            colors[inner] = np.repeat(np.arange(len(counts), dtype=np.uint8), counts)
        return Part(points, colors, names)

    def pattern(self) -> Pattern:
        """Return all points as a pattern."""
        part = self.part((0,) * self.torus.dim, 1)
        return Pattern(part.points, part.colors, self.torus)


def _child(seeds: np.random.SeedSequence, tile: int) -> np.random.SeedSequence:
    """Return the seed sequence of a fine tile; that of the counts is the first."""
    return np.random.SeedSequence(seeds.entropy, spawn_key=(*seeds.spawn_key, tile + 1))


def _interleaved(corner: Corner) -> int:
    """Return the number of a tile with these coordinates."""
    bits = max(c.bit_length() for c in corner)
    number = 0
    for bit in reversed(range(bits)):
        for c in corner:
            number = 2 * number + (c >> bit & 1)
    return number


def _separated(number: int, dim: int) -> list[int]:
    """Return the coordinates of the tile with this number."""
    corner = [0] * dim
    for bit in range(number.bit_length()):
        corner[dim - 1 - bit % dim] |= (number >> bit & 1) << (bit // dim)
    return corner


Corner = tuple[int, ...]  # of a tile, counted in tiles


@dataclass(frozen=True)
class Part:
    """Points (n, d), their colors (n,) and their indices in the whole (n,), ascending."""

    points: np.ndarray
    colors: np.ndarray
    names: np.ndarray

    def taken(self, which: np.ndarray) -> Part:
        """Return the part with the selected points."""
        return Part(self.points[which], self.colors[which], self.names[which])
