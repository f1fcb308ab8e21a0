"""The matching engine: which cells, which radius, in which order the kernels run.

All rules are one greedy process: take the allowed pairs from the shortest to the longest, and match
whenever both points have remaining capacity. Phases of growing radius decide it locally. In a phase
the active points, which have remaining capacity, are sorted into cells as wide as the radius, and
chains of nearest neighbors match every pair within the radius. The radius grows as the points get
fewer, so on Poisson points a search always meets a few points, and the total work is linear. On
others it may meet many, or many phases may match few. The work is counted, and if it is more than
trees.py would need, a tree matches the active points.

The result is unique (ties are broken by index), so cell size, visiting order and threads cannot
change it.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ..utils import thread_pool
from ..utils.memory import require_memory
from ..utils.thread_pool import Threads, filled, useful_threads
from . import chains, grids, small_sets, trees
from .coarse import INACTIVE
from .grids import Grid
from .layer import Layer, Output, Rows, State, Tree, empty_coarse, new_scratch, read_only
from .simd import SIMD_WIDTH
from .sorting import new_layer, presorted_layer, sort_points
from .task import INT32_BELOW, Task, TaskResult, estimate_bytes

# None of these numbers changes a matching. Each is chosen by the times of the script in benchmarks/
# that its comment names, for which `--set phases.TREE_WORK=10` tries another value.
LEAP = 8.0  # (inputs.py) growth in volume of the ball after a phase with few pairs; else small_sets.GROWTH
PIECES = 4  # (threads.py) in which each thread matches: whichever is free takes the next, so a thread that runs slowly does fewer
ROWS = 16  # (threads.py) minimum number of rows of cells of a piece,
EDGE = 3  # (threads.py) of which this many at either end are gone over once more
# (inputs.py) A tree is used once the work of the phases is more than these numbers of comparisons of
# a point with eight others:
TREE_WORK = 5.0  # for each pair and active point, times the number of rows of cells around a point and a half,
SLACK_WORK = 2.0  # and for each point of the pattern: the last few uniform points may meet many others;
PHASE_WORK = 0.05  # or that of one phase is more than TREE_WORK for each of its pairs and this share of it for each point of the pattern;
LOW_SHARE, MAX_LOW_PHASES = 0.05, 2  # or once 2 phases in turn have matched less than this share of all possible pairs.
SORT_WORK = 2.0  # To the work are added that of sorting, for each active point,
SAMPLE_WORK = 250.0  # and that of choosing small cells in clusters, for each point of the sample
FEW_PAIRS, MORE_PHASES = 0.1, 5  # work counts 5 times if fewer pairs than this share of the active points were matched
GRIDS_FOR_NEIGHBORS = 3  # (matching.py) of which points without a neighbor within the radius are searched for in a tree


def run(task: Task) -> TaskResult:
    """Return the matching.

    Raises MemoryError, before anything is allocated, if that needs more memory than is available.
    """
    n, dim = task.points.shape
    size = estimate_bytes(n, dim, task.width, len(task.compatible), task.remaining is None)
    require_memory(size, f"a matching of {n} points in dimension {dim}")
    if task.table is not None or n < min(small_sets.MAX_POINTS, thread_pool.PARALLEL):
        result, done = run_sets(task, np.array([0, n]))
        if done[0]:
            return result
    threads = useful_threads(task.threads, 2 * n // thread_pool.PARALLEL)
    if threads == 1:
        return _run(task, Threads(None, 1))
    with ThreadPoolExecutor(threads) as pool:
        return _run(task, Threads(pool, threads))


def _run(task: Task, threads: Threads) -> TaskResult:
    n, dim = task.points.shape
    index_type = np.dtype(np.int32 if n * max(len(task.compatible), 2) < INT32_BELOW else np.int64)
    color_of: grids.OfPositions | None
    layer: Layer | None = None
    state = result = None
    active = task.counts
    per_cell = grids.points_per_cell(task.compatible, dim, task.width)
    n_before, n_low, debt, price = np.inf, 0, -SLACK_WORK * n, TREE_WORK * (1.5 + 3 ** (dim - 1))
    while small_sets.some_pair(task.compatible, active):
        n_active = int(active.sum())
        if (debt > price * n_active or n_low == MAX_LOW_PHASES) and layer and result:
            _match_in_tree(task, layer, state, result, threads)
            break
        growth, n_before = (small_sets.GROWTH if n_active < 0.98 * n_before else LEAP) ** (1 / dim), n_active
        if layer is None:
            X, is_active, min_width = task.X, None, 0.0
            color_of = None if task.colors is None else task.colors.__getitem__
        else:
            X, is_active, min_width, color_of = layer.X, layer.is_active, layer.radius * growth, layer.color_of
        grid, radius = grids.choose_grid(
            X, n_active, task.sides, *task.box, min_width, per_cell, color_of, task.compatible, is_active
        )
        presorted = presorted_layer(task, grid, per_cell, index_type, threads) if layer is None else None
        if presorted is not None:
            layer = presorted
        else:
            layer, order = sort_points(task, layer, n_active, grid, radius, index_type, threads)
        if result is None:
            nearest = nearest_neighbors(task, layer, threads) if task.misere else None
            state, result = _open_state(task, layer.indices, nearest), _empty_result(task, layer, threads)
        elif state is not None:
            state = _reordered(state, order)
        limit = min(price * n_active - debt, PHASE_WORK * price * n)
        work, n_pairs, is_done = _phase(task, layer, state, result, threads, limit, price)
        reach = task.max_distance if threads.count == 1 else np.inf  # threads may leave pairs to the next phase
        if is_done and layer.radius >= reach:
            break
        n_low = n_low + 1 if n_pairs < LOW_SHARE * np.minimum(active, task.compatible @ active).sum() / 2 else 0
        active = layer.count_active()
        sampled = min(n_active, grids.SAMPLE_SIZE) if grids.is_folded(grid, task.box[1]) else 0
        work *= MORE_PHASES if n_pairs < FEW_PAIRS * n_active else 1
        debt += work + SORT_WORK * n_active + SAMPLE_WORK * sampled - price * n_pairs
        debt = max(-SLACK_WORK * n, debt) if is_done else np.inf
    return result or _empty_result(task, None, threads)


def run_sets(task: Task, ends: np.ndarray) -> tuple[TaskResult, np.ndarray]:
    """Return the matchings of small sets: the points ends[s] <= i < ends[s + 1] of a task.

    Also returns which of them are done, (S,) bool; in the others searches are long.
    """
    n, d = task.points.shape
    price = TREE_WORK * (1.5 + 3.0 ** (d - 1))
    small, layer, scratch = small_sets.small_sets(task, ends)
    start = by_index = state = None
    if task.remaining is not None:
        nearest = np.full(n * task.misere, -1, layer.indices.dtype), np.full(n * task.misere, np.inf)
        if task.misere:
            anyone = layer._replace(compatible=np.ones_like(task.compatible))
            small_sets.find_all_neighbors(anyone, task.table, *nearest, scratch, price, small)
        start = small_sets.Start(task.remaining, *nearest)
        by_index, state = small_sets.states(task, len(small.colored_cell))
    shape = n, task.width
    result = TaskResult(np.empty(shape, layer.indices.dtype), np.empty(shape), None)
    output = Output(result.partner, result.distance)
    small_sets.match_sets(layer, state, task.table, output, scratch, price, small, start, by_index)
    return result, small.done


def _empty_result(task: Task, first: Layer | None, threads: Threads) -> TaskResult:
    """Return the result of a task before the first pair. first: the layer of its first phase, None if it has no phase."""
    shape = len(task.points), task.width
    index_type = np.dtype(np.int64) if first is None else first.row.dtype
    partner, distance = filled(shape, -1, index_type, threads), filled(shape, np.inf, np.dtype(float), threads)
    return TaskResult(partner, distance, None if first is None else first.indices)


# ---- phases ----


def _phase(
    task: Task,
    layer: Layer,
    state: State | None,
    result: TaskResult,
    threads: Threads,
    max_work: float,
    price: float = 0.0,
    tree: Tree | None = None,
) -> tuple[int, int, bool]:
    """Match every open pair within the radius of a layer. Threads may leave some to the next phase.

    Returns the work of searches and the number of pairs, and False if a thread stopped because of
    `max_work` and `price` (see match_chains).
    """
    candidate = filled(layer.indices.shape, -1, layer.indices.dtype, threads)
    rows, output = int(layer.grid.cells[0]), Output(result.partner, result.distance)

    def chains_of(*range_of_rows: int) -> tuple[int, int]:
        stack = np.empty(len(layer.indices) + 1, layer.indices.dtype)
        scratch = new_scratch(candidate, stack, len(layer.X))
        of_rows: tuple[int, int] = chains.match_chains(
            layer, state, task.table, tree, Rows(*range_of_rows), output, scratch, max_work, price
        )
        return of_rows

    n_pieces = 1 if threads.count == 1 else min(PIECES * threads.count, rows // ROWS)
    if n_pieces > 1 and len(layer.indices) >= thread_pool.PARALLEL:
        # Each piece keeps to its own rows: a point may be looked at from one row away, so the
        # outermost rows are left to the last calls. Most chains that lead there begin near them;
        # those that do not are left to the next phase, which decides all pairs of the points that
        # it has, shorter ones as well.
        def inner_rows(piece: int, lo: int, hi: int) -> tuple[int, int, tuple[int, int]]:
            return lo, hi, chains_of(lo + 1, hi - 1, lo + 1, hi - 1)

        done: list[tuple[int, int]] = []
        for lo, hi, inner in Threads(threads.pool, n_pieces)(inner_rows, rows, split=True):
            done += [inner, chains_of(0, rows, lo, lo + EDGE), chains_of(0, rows, hi - EDGE, hi)]
    else:
        done = [chains_of(0, rows, 0, rows)]
    works, n_pairs = zip(*done, strict=True)
    return sum(works), sum(n_pairs), all(work <= max_work + price * pairs for work, pairs in done)


def _tree_of(task: Task, layer: Layer, order: np.ndarray) -> tuple[Layer, Tree]:
    """Return a layer of one cell of the points at these ascending positions, and the tree that has sorted it.

    Sorts `order` with the points. The nodes of the tree are still to be written.
    """
    points = np.ascontiguousarray(layer.X.T[order])
    start = np.searchsorted(order, layer.first_positions())
    tree = trees.new_tree(points, order, start)
    n, d = points.shape
    grid = Grid(np.zeros(d), np.zeros(d), np.ones(d), np.ones(d, np.int64), np.full(d, np.inf), task.sides)
    Z = empty_coarse(n, d)
    Z[:, :n] = 0
    indices = layer.indices[order]
    new = new_layer(task, read_only(points), Z, indices, start.astype(indices.dtype), grid, np.inf)
    return new._replace(row=layer.row[order], compatible=layer.compatible), tree


def _match_in_tree(task: Task, layer: Layer, state: State | None, result: TaskResult, threads: Threads) -> None:
    """Match all pairs of active points of a layer on one thread, with sectors if many searches are long."""
    order = np.flatnonzero(layer.Z[0, : len(layer.indices)] != INACTIVE)
    require_memory(len(order) * trees.bytes_per_point(len(layer.X)), f"a tree of {len(order)} points")
    new, tree = _tree_of(task, layer, order)
    state = None if state is None else _reordered(state, order)
    trees.write_nodes(new, state, tree)
    _, _, is_done = _phase(task, new, state, result, threads, trees.LONG_WORK * len(order), tree=tree)
    if not is_done:
        _phase(task, new, state, result, threads, np.inf, tree=trees.with_sectors(new, state, tree))


def _open_state(task: Task, indices: np.ndarray, nearest: tuple[np.ndarray, np.ndarray] | None) -> State | None:
    """Return the state before any pair is matched, of points in the order of these indices.

    It is None for one partner per point without excluded pairs. nearest: see nearest_neighbors, for
    a rule that excludes mutually nearest pairs.
    """
    n = len(indices)
    if task.remaining is None:
        return None
    state = State(
        remaining=_padded(task.remaining, indices),
        taken=np.zeros(n, indices.dtype),
        last_d2=np.full(n, -1.0),
        last_index=np.full(n, -1, indices.dtype),
        excluded_start=task.excluded_start,
        excluded=task.excluded,
        labels=task.labels,
    )
    if nearest is not None:  # a mutually nearest pair is the first of both points: mark it as decided
        near, d2 = nearest
        mutual = (near[near] == np.arange(n))[indices]
        state.last_d2[mutual] = d2[indices[mutual]]
        state.last_index[mutual] = near[indices[mutual]]
    return state


def _reordered(state: State, order: np.ndarray) -> State:
    """Return the state of a new layer, from that of the layer before."""
    return state._replace(
        remaining=_padded(state.remaining, order),
        taken=state.taken[order],
        last_d2=state.last_d2[order],
        last_index=state.last_index[order],
    )


def _padded(remaining: np.ndarray, order: np.ndarray) -> np.ndarray:
    padded = np.zeros(len(order) + SIMD_WIDTH, remaining.dtype)
    np.take(remaining, order, out=padded[:-SIMD_WIDTH], mode="clip")  # by default it would copy once more
    return padded


def nearest_neighbors(task: Task, layer: Layer, threads: Threads) -> tuple[np.ndarray, np.ndarray]:
    """Return the nearest other point of each, of any color, and the squared distance, (n,) by index; -1 and inf for none."""
    n, d = len(layer.indices), task.points.shape[1]
    near, near_d2 = np.full(n, -1, layer.indices.dtype), np.full(n, np.inf)
    all_compatible = np.ones((len(task.compatible),) * 2, dtype=bool)
    per_cell = grids.points_per_cell(all_compatible, d, 1)
    tree = None
    for n_grids in itertools.count(1):
        scratch = new_scratch(layer.indices, layer.indices, d)  # all are active, and there are no chains
        layer = layer._replace(compatible=all_compatible)
        chains.find_neighbors(layer, None, tree, near, near_d2, scratch, np.inf)
        isolated = np.flatnonzero(near[layer.indices] < 0)
        if layer.radius == np.inf or len(isolated) == 0:
            break
        if n_grids == GRIDS_FOR_NEIGHBORS:
            layer, tree = _tree_of(task, layer, np.arange(n))
            trees.write_nodes(layer, None, tree)
            continue
        # cells for those that still search: few of them are close to a cluster, even if all others
        # are in it
        X = layer.X[:, isolated]
        grid, radius = grids.choose_grid(X, len(isolated), task.sides, *task.box, 2 * layer.radius, per_cell)
        layer, _ = sort_points(task, layer, n, grid, radius, layer.indices.dtype, threads)
    return near, near_d2
