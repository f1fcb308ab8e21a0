"""Uniform points of a torus, drawn row after row: points that lie near each other lie near each other in memory, too."""

from __future__ import annotations

import math

import numpy as np

from .engine.even import even_cells

PIECE = 2**15  # points that are drawn at a time: what they need stays in the cache


def uniform_points(sides: np.ndarray, counts: list[int], rng: np.random.Generator) -> np.ndarray:
    """(n, d): as many independent uniform points of [0, side) along each axis as counts says, one color after the other.

    The points of a color come by rows of the cells into which the engine would cut the torus for all n, and along a row (the last
    axis) from low to high. No function is used that another machine may round otherwise.
    """
    n, d = sum(counts), len(sides)
    points, cells = np.empty((n, d)), even_cells(sides, n)
    first = 0
    for count in counts:
        _draw(points[first : first + count], sides, cells, rng)
        first += count
    return points


def _draw(points: np.ndarray, sides: np.ndarray, cells: np.ndarray, rng: np.random.Generator) -> None:
    """Fill points, some rows (or parts of a row) at a time: so many fall into them, and lie there as sorted uniform numbers."""
    last, rows = len(cells) - 1, math.prod(cells[:-1].tolist())
    pieces = -(-len(points) // PIECE) or 1
    parts = -(-pieces // rows)  # of a row
    ends = rows * parts * np.arange(pieces + 1) // pieces
    sizes = rng.multinomial(len(points), np.diff(ends) / ends[-1])
    below = np.nextafter(sides, 0)  # rounding may bring one to the end
    first = 0
    for low, high, size in zip(ends[:-1], ends[1:], sizes, strict=True):
        piece = points[first : first + size]
        first += size
        along = np.sort(rng.random(size)) * (high - low)
        place = np.minimum(np.floor(along), high - low - 1)
        along -= place
        place += low
        row, part = _divided(place, parts)
        piece[:, last] = np.minimum((along + part) * (sides[last] / parts), below[last])
        for axis in range(last - 1, -1, -1):
            row, cell = _divided(row, int(cells[axis]))
            across = (rng.random(size) + cell) * (sides[axis] / cells[axis])
            piece[:, axis] = np.minimum(across, below[axis])


def _divided(numbers: np.ndarray, by: int) -> tuple[np.ndarray, np.ndarray]:
    """np.divmod of whole numbers below 2^50, as floats; in a third of its time."""
    quotient = np.floor((numbers + 0.5) / by)
    return quotient, numbers - quotient * by
