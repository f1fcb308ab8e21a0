"""The matching engine: which cells, which radius, in which order the kernels run.

All rules are one greedy process: take the allowed pairs from the shortest to the longest, and match whenever both
points have room. Phases of growing radius decide it locally. In a phase the points that still have room are sorted
into cells as wide as the radius, and chains of nearest neighbors match every pair within the radius (chains.chase).
The radius grows as the points get fewer, so that a search always meets a few points and the total work stays linear.

The result is unique (ties are broken by index), so cell size, visiting order and threads cannot change it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ..utils.memory import require_memory
from . import chains, grids
from .buckets import Grid, count_buckets, fill_buckets, fill_gaps, in_order, sort_buckets
from .coarse import DEAD, Coarse, coarse_of_phase
from .nearest import State, new_walk
from .simd import LANES
from .task import INT32_BELOW, Result, Task, estimate_bytes, frozen

GROWTH = 3.0  # the ball that a phase decides grows at least by this factor in volume
LEAP = 8.0  # by this one after a phase that matched few points
PARALLEL = 50_000  # a phase with fewer living points runs on one thread
ROWS = 16  # nor one with fewer rows of cells for each thread,
EDGE = 3  # of which so many at either end are gone over once more
GLANCE = 1000  # points tell whether it is worth looking at all
BUCKET = 1024  # places are sorted in this many buckets or up to twice as many


@dataclass
class Layer:
    """The living points of one phase, sorted by place; a place is a (color, cell)."""

    X: np.ndarray  # (d, n): coordinates, those of a point side by side in memory
    Z: np.ndarray  # (d, n + LANES) int32: coarse coordinates, an axis side by side
    names: np.ndarray  # (n,): position -> index of the user, which breaks ties
    home: np.ndarray  # (n,): position -> row of the result
    start: np.ndarray  # (C * cells + 1,): place -> first position
    grid: Grid
    radius: float  # every cell that may hold a point within it touches one's own
    coarse: Coarse

    def reach2(self) -> float:
        """Squared radius, finite."""
        return min(self.radius**2, np.finfo(float).max)

    def blocks(self) -> np.ndarray:
        """First position of each color, and the end."""
        return self.start[:: int(np.prod(self.grid.cells))]

    def color_of(self, position: np.ndarray) -> np.ndarray:
        """Colors of the points at these positions."""
        return np.searchsorted(self.blocks()[1:], position, side="right")

    def living(self) -> np.ndarray:
        """Number of points with room, for each color."""
        alive = self.Z[0, : len(self.names)] != DEAD
        ends = self.blocks()
        return np.array([np.count_nonzero(alive[a:b]) for a, b in zip(ends[:-1], ends[1:], strict=True)])


def run(task: Task) -> Result:
    """Match. Raises MemoryError, before anything is allocated, where that needs more memory than there is."""
    n, dim = task.points.shape
    size = estimate_bytes(n, dim, task.width, len(task.reach), task.room is None)
    require_memory(size, f"a matching of {n} points in dimension {dim}")
    if task.threads == 1:
        return _run(task, Threads(None, 1))
    with ThreadPoolExecutor(task.threads) as pool:
        return _run(task, Threads(pool, task.threads))


def _run(task: Task, threads: Threads) -> Result:
    if task.table is not None:
        return _run_table(task, threads)
    n = len(task.points)
    index = np.dtype(np.int32 if n * max(len(task.reach), 2) < INT32_BELOW else np.int64)
    layer: Layer | None = None
    state = result = None
    living = task.counts
    crowd = grids.crowd_of(task.reach, task.points.shape[1], task.width)
    before = np.inf
    while _some_pair(task.reach, living):
        growth = (GROWTH if living.sum() < 0.98 * before else LEAP) ** (1 / task.points.shape[1])
        before = living.sum()
        least = 0.0 if layer is None else layer.radius * growth
        color_of = (task.colors.__getitem__ if task.colors is not None else None) if layer is None else layer.color_of
        X = task.X if layer is None else layer.X
        Z = None if layer is None else layer.Z
        grid, radius = grids.choose_grid(
            X, int(living.sum()), task.sides, *task.box, least, crowd, color_of, task.reach, Z
        )
        drawn = _as_drawn(task, grid, crowd, index, threads) if layer is None else None
        if drawn is not None:
            layer = drawn
        else:
            layer, order = sort_points(task, layer, int(living.sum()), grid, radius, index, threads)
        if result is None:
            state, result = _open_state(task, layer, threads), _nothing(task, layer, threads)
        elif state is not None:
            state = _reordered(state, order)
        _phase(task, layer, state, result, threads)
        if layer.radius == np.inf:
            break
        living = layer.living()
    return result or _nothing(task, None, threads)


def _nothing(task: Task, first: Layer | None, threads: Threads) -> Result:
    """The result of a task before the first pair, for the layer of its first phase, if there is one."""
    shape = len(task.points), task.width
    names = None if first is None or first.names is first.home else first.names
    index = np.dtype(np.int64) if first is None else first.home.dtype
    return Result(_filled(shape, -1, index, threads), _filled(shape, np.inf, np.dtype(float), threads), names)


def _filled(shape: tuple[int, ...], value: float, dtype: np.dtype, threads: Threads) -> np.ndarray:
    """np.full: most of its time is the system's, for memory that is touched for the first time."""
    array = np.empty(shape, dtype)
    threads(lambda piece, lo, hi: array[lo:hi].fill(value), len(array), split=len(array) >= PARALLEL)
    return array


class Threads:
    """Runs a function over pieces of a range, one a thread."""

    def __init__(self, pool: ThreadPoolExecutor | None, count: int) -> None:
        self.pool, self.count = pool, count

    def __call__(self, function: Callable, size: int, *, split: bool) -> list:
        """[function(piece number, lo, hi)] over lo ... hi, equal pieces of 0 ... size; one piece if not split."""
        pieces = self.count if split else 1
        cuts = [size * k // pieces for k in range(pieces + 1)]
        if self.pool is None or pieces == 1:
            return [function(0, 0, size)]
        return list(self.pool.map(function, range(pieces), cuts[:-1], cuts[1:]))


def _some_pair(reach: np.ndarray, living: np.ndarray) -> bool:
    """Is there an allowed pair of living points?"""
    pairs = np.minimum.outer(living, living)
    np.fill_diagonal(pairs, living - 1)
    return bool((reach & (pairs > 0)).any())


# ---- phases -----------------------------------------------------------------------------------------------------------


def _as_drawn(task: Task, grid: Grid, crowd: float, index: np.dtype, threads: Threads) -> Layer | None:
    """The first layer without a sort, if the points are in the order in which uniform points are drawn."""
    n, d = task.points.shape
    chosen = grids.grid_in_rows(grid, n, crowd)
    if chosen is None:
        return None
    grid, radius = chosen
    X, Z, coarse = task.X, _coarse_space(n, d), coarse_of_phase(*task.box, task.sides, radius)
    start, names = np.zeros(len(task.reach) * int(np.prod(grid.cells)) + 1, index), np.empty(n, index)

    def look(piece: int, lo: int, hi: int) -> bool:
        return bool(in_order(X, task.colors, grid, coarse, lo, hi, start, names, Z))

    if not look(0, 0, min(n, GLANCE)) or not all(threads(look, n, split=n >= PARALLEL)):
        return None
    threads(lambda piece, lo, hi: fill_gaps(start, lo, hi), len(start), split=n >= PARALLEL)
    return Layer(X, Z, names, names, start, grid, radius, coarse)


def _coarse_space(n: int, d: int) -> np.ndarray:
    """Room for the coarse coordinates of n points, and a few dead ones after them."""
    Z = np.empty((d, n + LANES), np.int32)
    Z[:, n:] = DEAD
    return Z


def sort_points(
    task: Task, layer: Layer | None, living: int, grid: Grid, radius: float, index: np.dtype, threads: Threads
) -> tuple[Layer, np.ndarray]:
    """Sort the living points of a layer (None: all points of the task) by their places in a new grid.

    Returns also, for each position in the new layer, the position in the old.
    """
    X = task.X if layer is None else layer.X
    d, size = X.shape
    places = len(task.reach) * int(np.prod(grid.cells))
    shift = max(0, (places // BUCKET).bit_length() - 1) if living > 8 * BUCKET else places.bit_length()
    buckets = (places >> shift) + 1
    split = living >= PARALLEL
    key, alive = np.empty(size, index), np.empty(size, index)

    def count(piece: int, lo: int, hi: int) -> np.ndarray:
        counts, to = np.zeros(buckets, np.int64), lo
        if layer is None:
            count_buckets(X, None, task.colors, 0, grid, shift, lo, hi, key, alive, to, counts)
        else:
            ends = np.clip(layer.blocks(), lo, hi)
            for color, (first, last) in enumerate(itertools.pairwise(ends)):
                to = count_buckets(X, layer.Z, None, color, grid, shift, first, last, key, alive, to, counts)
        return counts

    counts = np.array(threads(count, size, split=split))
    ends = np.cumsum(counts.sum(axis=0))
    cursors = ends - counts.sum(axis=0) + np.cumsum(counts, axis=0) - counts  # a piece's first position in each bucket
    records = np.empty((living, d + 2 * index.itemsize // 8))
    numbers = records.view(index)

    def fill(piece: int, lo: int, hi: int) -> None:
        fill_buckets(X, key, alive, shift, lo, lo + counts[piece].sum(), cursors[piece], records, numbers)

    threads(fill, size, split=split)
    points, Z, coarse = np.empty((living, d)), _coarse_space(living, d), coarse_of_phase(*task.box, task.sides, radius)
    order, start = np.empty(living, index), np.empty(places + 1, index)
    bucket_start = np.concatenate([[0], ends])

    def sort(piece: int, lo: int, hi: int) -> None:
        cursor = np.empty(1 << shift, index)
        sort_buckets(records, numbers, shift, bucket_start, lo, hi, coarse, start, points.T, Z, order, cursor)

    threads(sort, buckets, split=split)
    if layer is None:
        names, home = order, np.arange(living, dtype=index)
    else:
        names = layer.names[order]
        home = names if layer.home is layer.names else layer.home[order]
    return Layer(frozen(points), Z, names, home, start, grid, radius, coarse), order


def _phase(task: Task, layer: Layer, state: State | None, result: Result, threads: Threads) -> None:
    """Match every open pair within the radius of a layer, but for some that threads leave to the next."""
    candidate = _filled(layer.names.shape, -1, layer.names.dtype, threads)
    rows = int(layer.grid.cells[0])

    def chase(first_row: int, last_row: int, begin: int, end: int) -> None:
        chains.chase(
            layer.X, layer.Z, layer.names, layer.home, layer.start, candidate, task.reach, task.starter, layer.grid, layer.coarse,
            (0,) * len(layer.X), layer.reach2(), first_row, last_row, begin, end,
            result.partner, result.distance, state, task.table,
            new_walk(len(layer.X)), np.empty(len(layer.names) + 1, layer.names.dtype),
        )  # fmt: skip

    if threads.count > 1 and len(layer.names) >= PARALLEL and rows >= ROWS * threads.count:
        # Each thread keeps to its own rows: a point may be looked at from one row away, so the outermost rows are left to the last
        # calls. Most chains that lead there begin near them; those that do not are left to the next phase, which decides all pairs of
        # the points that it has, shorter ones as well.
        def own(piece: int, lo: int, hi: int) -> tuple[int, int]:
            chase(lo + 1, hi - 1, lo + 1, hi - 1)
            return lo, hi

        for lo, hi in threads(own, rows, split=True):
            chase(0, rows, lo, lo + EDGE)
            chase(0, rows, hi - EDGE, hi)
    else:
        chase(0, rows, 0, rows)


def _open_state(task: Task, layer: Layer, threads: Threads) -> State | None:
    """What may_take asks, before any pair is matched."""
    if task.room is None:
        return None
    n = len(layer.names)
    state = State(
        room=_padded(task.room, layer.names),
        taken=np.zeros(n, layer.names.dtype),
        last_d2=np.full(n, -1.0),
        last_name=np.full(n, -1, layer.names.dtype),
        banned_start=np.zeros(1, np.int64) if task.banned_start is None else task.banned_start,
        banned=np.zeros(0, np.int64) if task.banned is None else task.banned,
        labels=task.labels,
    )
    if task.misere:  # a mutually nearest pair is the first in the order of both: say that it is decided
        near, d2 = nearest_neighbors(task, layer, threads)
        mutual = (near[near] == np.arange(n))[layer.names]
        state.last_d2[mutual] = d2[layer.names[mutual]]
        state.last_name[mutual] = near[layer.names[mutual]]
    return state


def _reordered(state: State, order: np.ndarray) -> State:
    """The state of a new layer, from that of the layer before."""
    return state._replace(
        room=_padded(state.room, order),
        taken=state.taken[order],
        last_d2=state.last_d2[order],
        last_name=state.last_name[order],
    )


def _padded(room: np.ndarray, order: np.ndarray) -> np.ndarray:
    padded = np.zeros(len(order) + LANES, room.dtype)
    np.take(room, order, out=padded[:-LANES], mode="clip")  # by default it would copy once more
    return padded


def nearest_neighbors(task: Task, layer: Layer, threads: Threads) -> tuple[np.ndarray, np.ndarray]:
    """Nearest other point of each point, of any color, by the user's index: (index or -1, squared distance)."""
    n = len(layer.names)
    if task.table is not None:
        table = task.table.copy()
        np.fill_diagonal(table, np.inf)
        near = table.argmin(axis=1)
        return near, table[np.arange(n), near]
    d = task.points.shape[1]
    near, near_d2 = np.full(n, -1, layer.names.dtype), np.full(n, np.inf)
    everyone = np.ones((len(task.reach),) * 2, dtype=bool)
    crowd = grids.crowd_of(everyone, d, 1)
    while True:
        chains.neighbors(
            layer.X, layer.Z, layer.names, layer.start, everyone, layer.grid, layer.coarse,
            (0,) * d, layer.reach2(), near, near_d2, new_walk(d),
        )  # fmt: skip
        lonely = np.flatnonzero(near[layer.names] < 0)
        if layer.radius == np.inf or len(lonely) == 0:
            return near, near_d2
        # cells for those that still search: few of them have a crowd next to their own, even if all others are in it
        grid, radius = grids.choose_grid(
            layer.X[:, lonely], len(lonely), task.sides, *task.box, 2 * layer.radius, crowd
        )
        layer, _ = sort_points(task, layer, n, grid, radius, layer.names.dtype, threads)


def _run_table(task: Task, threads: Threads) -> Result:
    """Match points of which only the distances are known: one phase without cells."""
    n = len(task.points)
    if n < 2:
        return _nothing(task, None, threads)
    colors = np.zeros(n, np.uint8) if task.colors is None else task.colors
    names = np.argsort(colors, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(colors, minlength=len(task.reach)))])
    grid = Grid(np.zeros(1), np.zeros(1), np.ones(1), np.ones(1, np.int64), np.array([np.inf]), np.array([np.inf]))
    coarse = coarse_of_phase(np.zeros(1), np.ones(1), np.full(1, np.inf), np.inf)
    Z = _coarse_space(n, 1)
    Z[:, :n] = 0
    layer = Layer(frozen(np.zeros((n, 1))), Z, names, np.arange(n), start, grid, np.inf, coarse)
    result = _nothing(task, layer, threads)
    _phase(task, layer, _open_state(task, layer, threads), result, threads)
    return result
