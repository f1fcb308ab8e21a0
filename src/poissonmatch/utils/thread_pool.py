"""Threads, each of which works on a part of a range of points."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

PARALLEL = 50_000  # fewer points are worked on by one thread; each thread gets half as many at least


def useful_threads(threads: int, n_pieces: int) -> int:
    """Return how many of these threads to start: at most one for each piece of work, and two for each core."""
    threads = max(1, min(threads, n_pieces))
    return threads if threads == 1 else min(threads, 2 * (os.cpu_count() or 1))


class Threads:
    """A pool that runs a function over parts of a range, one a thread."""

    def __init__(self, pool: ThreadPoolExecutor | None, count: int) -> None:
        self.pool, self.count = pool, count

    def __call__(self, function: Callable, size: int, *, split: bool) -> list:
        """Return [function(piece, lo, hi)] for equal parts lo, ..., hi - 1 of 0, ..., size - 1; one part if not split."""
        n_pieces = self.count if split else 1
        cuts = [size * k // n_pieces for k in range(n_pieces + 1)]
        if self.pool is None or n_pieces == 1:
            return [function(0, 0, size)]
        return list(self.pool.map(function, range(n_pieces), cuts[:-1], cuts[1:]))


def filled(shape: tuple[int, ...], value: float, dtype: np.dtype, threads: Threads) -> np.ndarray:
    """Return np.full(shape, value, dtype), filled on several threads: the first access takes most of the time."""
    if shape[0] < PARALLEL:
        return np.full(shape, value, dtype)
    array = np.empty(shape, dtype)
    threads(lambda piece, lo, hi: array[lo:hi].fill(value), len(array), split=True)
    return array
