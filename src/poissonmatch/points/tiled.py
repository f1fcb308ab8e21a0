"""The points of a torus in tiles: independent uniform points from a stream for each of many fine tiles, whatever tiles are asked for.

A fine tile is expected to hold 2^16 points at most, and there are about 2^9 of them or more: 2^floor(9/d) along an axis, and as many
more, a power of two, as that takes. One stream tells how many points of each color there are in each, and each has one for its points,
those of color 0 first. A tile is a cube of fine tiles, so the points are the same for any number of tiles. Fine tiles are numbered so
that those of a tile follow each other (Morton's order: the bits of their coordinates interleaved), and points are numbered in the order of their fine tiles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..utils.memory import require_memory
from .geometry import Cuboid
from .pattern import Pattern

FINE = 2**16  # expected points of a fine tile, at most; part of what the points are
COMFORTABLE = 2**22  # points of a tile
FEWEST = 2**9  # fine tiles of a torus, about, at least


def fine_tiles(dim: int, size: float) -> int:
    """Fine tiles along an axis, a power of two, for so many expected points: tiles may be as many."""
    least, wanted = math.log2(FEWEST) / dim, math.log2(max(size / FINE, 1.0)) / dim
    return int(2 ** max(1, math.floor(least), math.ceil(wanted - 1e-9)))


def few_tiles(dim: int, size: float) -> int:
    """Tiles along an axis that are small enough for any machine."""
    bits = math.ceil(max(0.0, math.log2(max(size / COMFORTABLE, 1.0)) / dim))
    return min(2**bits, fine_tiles(dim, size))


@dataclass(frozen=True, eq=False)
class TiledPoints:
    """torus; seeds: the stream of the torus, of which each fine tile has a child; counts: (C, fine tiles) points of each color."""

    torus: Cuboid
    seeds: np.random.SeedSequence
    counts: np.ndarray

    @cached_property
    def first(self) -> np.ndarray:
        """The index of the first point of each fine tile, and the number of points."""
        return np.concatenate([[0], self.counts.sum(axis=0).cumsum()])

    @property
    def along(self) -> int:
        """Fine tiles along an axis."""
        return round(self.counts.shape[1] ** (1 / self.torus.dim))

    def part(self, corner: Corner, tiles: int) -> Part:
        """The points of one of the tiles of which there are so many along an axis. Raises MemoryError where they do not fit."""
        dim = self.torus.dim
        inside = (self.along // tiles) ** dim
        begin = _interleaved(corner) * inside
        n = int(self.first[begin + inside] - self.first[begin])
        require_memory((8 * dim + 9) * n, f"a tile of {n} points in dimension {dim}")
        names = np.arange(self.first[begin], self.first[begin + inside])
        points, colors = np.empty((n, dim)), np.empty(n, np.uint8)
        width, last = self.torus.sides / self.along, np.nextafter(self.torus.sides, 0)
        for tile in range(begin, begin + inside):
            mine = slice(self.first[tile] - self.first[begin], self.first[tile + 1] - self.first[begin])
            counts, here = self.counts[:, tile], points[mine]
            rng = np.random.default_rng(_child(self.seeds, tile))
            rng.random(out=here)
            here += _separated(tile, dim)
            here *= width
            np.minimum(here, last, out=here)
            colors[mine] = np.repeat(np.arange(len(counts), dtype=np.uint8), counts)
        return Part(points, colors, names)

    def pattern(self) -> Pattern:
        """All of them."""
        part = self.part((0,) * self.torus.dim, 1)
        return Pattern(part.points, part.colors, self.torus)


def counting_stream(seeds: np.random.SeedSequence) -> np.random.Generator:
    """The stream that tells the counts."""
    return np.random.default_rng(_child(seeds, -1))


def _child(seeds: np.random.SeedSequence, tile: int) -> np.random.SeedSequence:
    """The stream of a fine tile; that of the counts is the first."""
    return np.random.SeedSequence(seeds.entropy, spawn_key=(*seeds.spawn_key, tile + 1))


def _interleaved(corner: Corner) -> int:
    """The number of a tile, from its coordinates."""
    bits = max(c.bit_length() for c in corner)
    number = 0
    for bit in reversed(range(bits)):
        for c in corner:
            number = 2 * number + (c >> bit & 1)
    return number


def _separated(number: int, dim: int) -> list[int]:
    """The coordinates of a tile, from its number."""
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
        """Some of them."""
        return Part(self.points[which], self.colors[which], self.names[which])
