"""Uniform points of a torus, generated row by row, so that points near each other are near each other in memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

import numpy as np

from ..engine.grids import cell_counts
from ..utils.thread_pool import useful_threads

PIECE = 2**15  # points drawn at a time, such that they fit into the cache
_threads = ContextVar("threads", default=1)


@contextmanager
def drawn_by(threads: int) -> Iterator[None]:
    """Draw on this number of threads in the context; the points do not depend on it."""
    token = _threads.set(threads)
    try:
        yield
    finally:
        _threads.reset(token)


def uniform_points(sides: np.ndarray, counts: list[int], rng: np.random.Generator) -> np.ndarray:
    """Return counts[k] independent uniform points of each color k, (n, d), in [0, side) along each axis, by color.

    The points of a color are ordered by the rows of the cells that the engine uses for n points,
    and along a row (the last axis) from low to high. Only functions with the same rounding on all
    machines are used.
    """
    n, d = sum(counts), len(sides)
    points, cells = np.empty((n, d)), cell_counts(sides, n)
    first = 0
    for count in counts:
        _draw(points[first : first + count], sides, cells, rng)
        first += count
    return points


def uniform_sets(sides: np.ndarray, counts: np.ndarray, rngs: Sequence[np.random.Generator]) -> np.ndarray:
    """Return uniform_points for counts[s] and rngs[s], for one set s after the other; no count (S, C) is above PIECE."""
    totals, axes = counts.sum(axis=1), tuple(sides.tolist())
    numbers, first = np.empty((len(sides), totals.sum())), 0
    for rng, of_set in zip(rngs, counts.tolist(), strict=True):
        for count in of_set:
            of_color = numbers[:, first : first + count]
            of_color[:] = rng.random(of_color.shape)
            of_color[0].sort()
            first += count
    cells = np.repeat(np.stack([_cells(axes, n) for n in totals.tolist()], axis=1), totals, axis=1)
    points = np.empty(numbers.shape[::-1])
    _place(points, 0, cells[:-1].prod(axis=0), 1, sides, cells, numbers[0], numbers[1:])
    return points


@lru_cache(maxsize=10_000)
def _cells(sides: tuple[float, ...], n: int) -> np.ndarray:
    return cell_counts(np.array(sides), n)


def _draw(points: np.ndarray, sides: np.ndarray, cells: np.ndarray, rng: np.random.Generator) -> None:
    """Fill points by rows or parts of rows, with multinomial numbers of points, sorted along a row."""
    (n, d), rows = points.shape, math.prod(cells[:-1].tolist())
    n_pieces = -(-n // PIECE) or 1
    parts = -(-n_pieces // rows)  # of a row
    ends = rows * parts * np.arange(n_pieces + 1) // n_pieces
    sizes = rng.multinomial(n, np.diff(ends) / ends[-1])
    firsts = np.concatenate([[0], np.cumsum(sizes)])

    def fill(lo: int, hi: int, rng: np.random.Generator) -> None:
        for k in range(lo, hi):
            piece = points[firsts[k] : firsts[k + 1]]
            along = rng.random(len(piece))
            along.sort()
            _place(piece, int(ends[k]), int(ends[k + 1]), parts, sides, cells, along, rng.random((d - 1, len(piece))))

    threads = useful_threads(_threads.get(), n_pieces) if type(rng.bit_generator) is np.random.PCG64 else 1
    cuts = [n_pieces * k // threads for k in range(threads + 1)]
    if threads == 1:
        return fill(0, n_pieces, rng)
    later = [_ahead(rng, int(firsts[cut]) * d) for cut in cuts]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, cuts[:-1], cuts[1:], later))
    rng.bit_generator.state = _ahead(rng, n * d).bit_generator.state


def _ahead(rng: np.random.Generator, numbers: int) -> np.random.Generator:
    """Return the PCG64 generator that results from drawing this number of uniform floats."""
    state: Any = rng.bit_generator.state
    ahead: Any = np.random.PCG64(0)
    ahead.state = state
    ahead.advance(numbers)
    buffered = {name: state[name] for name in ("has_uint32", "uinteger")}  # half a number
    ahead.state = {**ahead.state, **buffered}
    return np.random.Generator(ahead)


def _place(
    points: np.ndarray, low: int, high: Any, parts: int, sides: np.ndarray, cells: np.ndarray, along: np.ndarray, across: np.ndarray
) -> None:  # fmt: skip
    """Write points of the parts low, ..., high - 1 of rows, each of which has `parts` parts.

    along, across: uniform numbers, (n,) along rows and (d - 1, n) across, which change. high, and the
    numbers of cells along each axis, may be given for each point.
    """
    last = len(cells) - 1
    below = np.nextafter(sides, 0)  # rounding may bring one to the end
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
            row, cell = _divided(row, cells[axis])
        along_axis = across[last - 1 - axis]
        along_axis += cell
        along_axis *= sides[axis] / cells[axis]
        np.minimum(along_axis, below[axis], out=points[:, axis])


def _divided(numbers: np.ndarray, by: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return np.divmod of integers below 2^50 as floats, in a third of its time."""
    quotient = np.floor((numbers + 0.5) / by)
    return quotient, numbers - quotient * by
