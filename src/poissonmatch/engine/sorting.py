"""The active points sorted into the cells of a grid: the layer of a phase."""

from __future__ import annotations

import itertools

import numpy as np

from ..utils import thread_pool
from ..utils.thread_pool import Threads
from . import grids
from .buckets import Sort, Unsorted, count_buckets, fill_buckets, fill_gaps, in_order, sort_buckets
from .coarse import coarse_of_phase
from .grids import Grid
from .layer import Layer, empty_coarse, read_only
from .task import Task

GLANCE = 1000  # (benchmarks/replicate.py) points that are looked at first to see whether all are sorted
BUCKET = 1024  # (benchmarks/matching.py) colored cells are sorted in this many buckets or up to twice as many


def presorted_layer(task: Task, grid: Grid, per_cell: float, index_type: np.dtype, threads: Threads) -> Layer | None:
    """Return the first layer without a sort if the points are in the order of uniform_points; None otherwise."""
    n, d = task.points.shape
    in_rows = grids.grid_in_rows(grid, n, per_cell)
    if in_rows is None:
        return None
    start = np.zeros(len(task.compatible) * int(np.prod(in_rows[0].cells)) + 1, index_type)
    layer = new_layer(task, task.X, empty_coarse(n, d), np.empty(n, index_type), start, *in_rows)

    def is_sorted(piece: int, lo: int, hi: int) -> bool:
        return bool(in_order(layer, task.colors, lo, hi))

    if not is_sorted(0, 0, min(n, GLANCE)) or not all(threads(is_sorted, n, split=n >= thread_pool.PARALLEL)):
        return None
    threads(lambda piece, lo, hi: fill_gaps(start, lo, hi), len(start), split=n >= thread_pool.PARALLEL)
    return layer


def new_layer(
    task: Task, X: np.ndarray, Z: np.ndarray, index: np.ndarray, start: np.ndarray, grid: Grid, radius: float
) -> Layer:
    """Return a layer whose points have the rows of their indices."""
    coarse = coarse_of_phase(*task.box, task.sides, radius)
    return Layer(X, Z, index, index, start, grid, radius, coarse, task.compatible, task.starter, (0,) * len(X))


def sort_points(
    task: Task, layer: Layer | None, n_active: int, grid: Grid, radius: float, index_type: np.dtype, threads: Threads
) -> tuple[Layer, np.ndarray]:
    """Sort the active points of a layer (None: all of the task) by their colored cells in a new grid.

    Returns also, for each position in the new layer, the position in the old.
    """
    source = Unsorted(task.X, None, task.colors, grid) if layer is None else Unsorted(layer.X, layer.Z, None, grid)
    d, size = source.X.shape
    n_colored_cells = len(task.compatible) * int(np.prod(grid.cells))
    shift = (
        max(0, (n_colored_cells // BUCKET).bit_length() - 1) if n_active > 8 * BUCKET else n_colored_cells.bit_length()
    )
    buckets = (n_colored_cells >> shift) + 1
    split = n_active >= thread_pool.PARALLEL
    records, points = np.empty((n_active, d + 2 * index_type.itemsize // 8)), np.empty((n_active, d))
    sort = Sort(
        shift, np.empty(size, index_type), np.empty(size, index_type), records, records.view(index_type),
        np.zeros(buckets + 1, np.int64), points, np.empty(n_active, index_type),
    )  # fmt: skip

    def count(piece: int, lo: int, hi: int) -> np.ndarray:
        counts, end = np.zeros(buckets, np.int64), lo
        ends = np.array([lo, hi]) if layer is None else np.clip(layer.first_positions(), lo, hi)
        for color, (first, last) in enumerate(itertools.pairwise(ends)):
            end = count_buckets(source, color, sort, first, last, end, counts)
        return counts

    counts = np.array(threads(count, size, split=split))
    ends = np.cumsum(counts.sum(axis=0))
    cursors = ends - counts.sum(axis=0) + np.cumsum(counts, axis=0) - counts  # a piece's first record in each bucket
    sort.bucket_start[1:] = ends
    threads(lambda k, lo, hi: fill_buckets(source.X, sort, lo, lo + counts[k].sum(), cursors[k]), size, split=split)
    Z, start = empty_coarse(n_active, d), np.empty(n_colored_cells + 1, index_type)
    new = new_layer(task, read_only(points), Z, sort.order, start, grid, radius)

    def sort_pieces(piece: int, lo: int, hi: int) -> None:
        sort_buckets(sort, lo, hi, np.empty(1 << shift, index_type), Z, start, new.coarse)

    threads(sort_pieces, buckets, split=split)
    if layer is None:
        return new._replace(row=np.arange(n_active, dtype=index_type)), sort.order
    indices = layer.indices[sort.order]
    row = indices if layer.row is layer.indices else layer.row[sort.order]
    return new._replace(indices=indices, row=row), sort.order
