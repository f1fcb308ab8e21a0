"""Uniform points of a torus, drawn row after row: points that lie near each other lie near each other in memory, too."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..engine.cell_counts import cell_counts

PIECE = 2**15  # points that are drawn at a time: what they need stays in the cache
_threads = ContextVar("threads", default=1)


@contextmanager
def drawn_by(threads: int) -> Iterator[None]:
    """Draw on so many threads inside: they change the time only."""
    token = _threads.set(threads)
    try:
        yield
    finally:
        _threads.reset(token)


def uniform_points(sides: np.ndarray, counts: list[int], rng: np.random.Generator) -> np.ndarray:
    """(n, d): as many independent uniform points of [0, side) along each axis as counts says, one color after the other.

    The points of a color come by rows of the cells into which the engine would cut the torus for all n, and along a row (the last
    axis) from low to high. No function is used that another machine may round otherwise.
    """
    n, d = sum(counts), len(sides)
    points, cells = np.empty((n, d)), cell_counts(sides, n)
    first = 0
    for count in counts:
        _draw(points[first : first + count], sides, cells, rng)
        first += count
    return points


def _draw(points: np.ndarray, sides: np.ndarray, cells: np.ndarray, rng: np.random.Generator) -> None:
    """Fill points, some rows (or parts of a row) at a time: so many fall into them, and lie there as sorted uniform numbers."""
    (n, d), rows = points.shape, math.prod(cells[:-1].tolist())
    pieces = -(-n // PIECE) or 1
    parts = -(-pieces // rows)  # of a row
    ends = rows * parts * np.arange(pieces + 1) // pieces
    sizes = rng.multinomial(n, np.diff(ends) / ends[-1])
    firsts = np.concatenate([[0], np.cumsum(sizes)])

    def fill(lo: int, hi: int, rng: np.random.Generator) -> None:
        for k in range(lo, hi):
            _fill(points[firsts[k] : firsts[k + 1]], int(ends[k]), int(ends[k + 1]), parts, sides, cells, rng)

    threads = min(_threads.get(), pieces) if type(rng.bit_generator) is np.random.PCG64 else 1
    cuts = [pieces * k // threads for k in range(threads + 1)]
    if threads == 1:
        return fill(0, pieces, rng)
    later = [_ahead(rng, int(firsts[cut]) * d) for cut in cuts]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, cuts[:-1], cuts[1:], later))
    rng.bit_generator.state = _ahead(rng, n * d).bit_generator.state


def _ahead(rng: np.random.Generator, numbers: int) -> np.random.Generator:
    """What a generator on PCG64 will be once it has drawn so many uniform floats."""
    state: Any = rng.bit_generator.state
    ahead: Any = np.random.PCG64(0)
    ahead.state = state
    ahead.advance(numbers)
    kept = {name: state[name] for name in ("has_uint32", "uinteger")}  # half a number
    ahead.state = {**ahead.state, **kept}
    return np.random.Generator(ahead)


def _fill(
    points: np.ndarray, low: int, high: int, parts: int, sides: np.ndarray, cells: np.ndarray, rng: np.random.Generator
) -> None:
    """Uniform points of the parts low ... high - 1 of rows, of which each has so many."""
    last, size = len(cells) - 1, len(points)
    below = np.nextafter(sides, 0)  # rounding may bring one to the end
    along = rng.random(size)
    along.sort()
    along *= high - low
    row = np.floor(along)
    np.minimum(row, high - low - 1, out=row)
    along -= row
    row += low
    if parts > 1:
        row, part = _divided(row, parts)
        along += part
    along *= sides[last] / parts
    np.minimum(along, below[last], out=points[:, last])
    for axis in range(last - 1, -1, -1):
        cell = row
        if axis > 0:
            row, cell = _divided(row, int(cells[axis]))
        across = rng.random(size)
        across += cell
        across *= sides[axis] / cells[axis]
        np.minimum(across, below[axis], out=points[:, axis])


def _divided(numbers: np.ndarray, by: int) -> tuple[np.ndarray, np.ndarray]:
    """np.divmod of whole numbers below 2^50, as floats; in a third of its time."""
    quotient = np.floor((numbers + 0.5) / by)
    return quotient, numbers - quotient * by
