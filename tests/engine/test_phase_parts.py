"""The parts of a phase, from literal numbers: sorts, rows of threads, trees, and states of few points."""

from types import SimpleNamespace

import numpy as np
import pytest

from helpers.phases import APART, BOTH, ONE, Recorded, record, task_of
from poissonmatch.engine import chains, grids, phases, thread_pool
from poissonmatch.engine.coarse import INACTIVE, coarse_of_phase
from poissonmatch.engine.layer import State

INF = np.inf
INT32, INT64 = np.dtype(np.int32), np.dtype(np.int64)
LINE = np.array([[0.5], [1.5], [2.5], [3.5], [3.75], [0.25], [4.5]])  # in cells 0, 1, 2, 3, 3, 0, 4 of width 1


def grid_on_line(task, n_cells=6.0):
    """Return cells of width 1 on a torus of this length in d = 1."""
    one = np.ones(1)
    return grids.Grid(np.zeros(1), one, one, np.array([int(n_cells)]), np.full(1, INF), task.sides)


def sorted_line(colors=None, compatible=BOTH, kind=INT32, points=LINE, **options):
    task = task_of(points, colors, 6.0, compatible, **options)
    return task, *phases.sort_points(task, None, len(points), grid_on_line(task), 0.75, kind, ONE)


def same_coarse(found, task, radius):
    expected = coarse_of_phase(*task.box, task.sides, radius)
    return all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


# ---- results and states


@pytest.mark.parametrize("kind", [INT32, INT64])
def test_an_empty_result(kind):
    task = task_of(LINE, width=2)
    for row, first in ((np.arange(7, dtype=kind), np.arange(7, dtype=kind)), (np.arange(7, dtype=kind), None)):
        layer = SimpleNamespace(row=row, indices=row if first is None else first)
        result = phases._empty_result(task, layer, ONE)
        assert result.partner.dtype == kind and result.partner.tolist() == [[-1, -1]] * 7
        assert result.distance.dtype == float and result.distance.tolist() == [[INF, INF]] * 7
        assert result.index is first
    result = phases._empty_result(task, None, ONE)
    assert result.partner.dtype == INT64 and result.index is None and result.partner.shape == (7, 2)


def test_remaining_of_an_order():
    padded = phases._padded(np.array([3, 4, 5, 6], np.uint64), np.array([2, 0]))
    assert padded.tolist() == [5, 3, *[0] * 8] and padded.dtype == np.uint64


def test_a_state_in_another_order():
    excluded = np.zeros(1, np.int64), np.ones(3, np.int64)
    state = State(
        np.array([3, 4, 5, *[0] * 8], np.uint64),
        np.array([7, 8, 9]),
        np.array([0.5, 1.5, 2.5]),
        np.array([4, 5, 6]),
        *excluded,
        2,
    )
    new = phases._reordered(state, np.array([2, 0]))
    assert new.remaining.tolist() == [5, 3, *[0] * 8] and new.taken.tolist() == [9, 7]
    assert new.last_d2.tolist() == [2.5, 0.5] and new.last_index.tolist() == [6, 4]
    assert new.excluded_start is excluded[0] and new.excluded is excluded[1] and new.labels == 2


@pytest.mark.parametrize("kind", [INT32, INT64])
def test_the_first_state(kind):
    remaining = np.arange(1, 8, dtype=np.uint64)
    task, layer, order = sorted_line(kind=kind, remaining=remaining, labels=3)
    state = phases._open_state(task, layer, ONE)
    assert state.remaining.tolist() == [*remaining[order], *[0] * 8] and state.remaining.dtype == np.uint64
    assert state.taken.tolist() == [0] * 7 and state.last_index.tolist() == [-1] * 7
    assert state.taken.dtype == state.last_index.dtype == kind
    assert state.last_d2.tolist() == [-1.0] * 7 and state.labels == 3
    assert state.excluded_start.tolist() == [0] and state.excluded.tolist() == []
    assert state.excluded_start.dtype == state.excluded.dtype == INT64
    excluded = np.array([0, 1, 1, 1, 1, 1, 1, 1]), np.array([3])
    task, layer, _ = sorted_line(remaining=remaining, excluded_start=excluded[0], excluded=excluded[1])
    state = phases._open_state(task, layer, ONE)
    assert state.excluded_start is excluded[0] and state.excluded is excluded[1]
    assert phases._open_state(*sorted_line()[:2], ONE) is None


def test_mutually_nearest_pairs_are_decided(monkeypatch):
    """Of 0.25, 0.5, 1.5, 2.25, 3.5, 3.75, 4.5: points 5 and 0, 1 and 2, 3 and 4."""
    points = LINE.copy()
    points[2] = 2.25
    task, layer, order = sorted_line(points=points, remaining=np.ones(7, np.uint64), misere=True)
    searches = record(monkeypatch, phases, "nearest_neighbors")
    state = phases._open_state(task, layer, ONE)
    assert searches == [(task, layer, ONE)]
    assert order.tolist() == [0, 5, 1, 2, 3, 4, 6]
    assert state.last_d2.tolist() == [0.0625, 0.0625, 0.5625, 0.5625, 0.0625, 0.0625, -1.0]
    assert state.last_index.tolist() == [5, 0, 2, 1, 4, 3, -1]


# ---- neighbors


def test_neighbors_from_a_table():
    table = np.array([[0.0, 3, 2], [3, 0, 5], [2, 5, 0]])
    task = task_of(np.zeros((3, 1)), table=table)
    near, d2 = phases.nearest_neighbors(task, SimpleNamespace(indices=np.arange(3)), ONE)
    assert near.tolist() == [2, 0, 0] and d2.tolist() == [2, 3, 2] and np.diag(table).tolist() == [0, 0, 0]


@pytest.mark.parametrize(("far", "n_grids", "n_trees"), [(4.75, 2, 0), (200.0, 3, 1)])
def test_neighbors_of_points_far_from_others(far, n_grids, n_trees, monkeypatch):
    """Colors do not count. Three grids, each with at least twice the radius, then a tree."""
    points = np.concatenate([LINE[:6], [[far]]])
    task = task_of(points, [0, 1, 0, 1, 0, 1, 0], compatible=APART)
    layer, _ = phases.sort_points(task, None, 7, grid_on_line(task), 0.75, INT32, ONE)
    searches = record(monkeypatch, chains, "find_neighbors")
    choices = record(monkeypatch, grids, "choose_grid")
    sorts = record(monkeypatch, phases, "sort_points")
    monkeypatch.setattr(grids, "_radius", lambda grid: 1.5 if len(choices) == 1 else 3.0)
    near, d2 = phases.nearest_neighbors(task, layer, ONE)
    assert near.tolist() == [5, 0, 1, 4, 3, 0, 4] and near.dtype == INT32
    assert d2.tolist() == [0.0625, 1, 1, 0.0625, 0.0625, 0.0625, (far - 3.75) ** 2]
    assert (
        len(searches) == n_grids + n_trees
        and [call[1] is None for call in searches] == [True] * n_grids + [False] * n_trees
    )
    assert [call[5] for call in choices] == [1.5, 3.0][: n_grids - 1] and len(sorts) == n_grids - 1
    assert [call[1] for call in choices] == [3, 1][: n_grids - 1] and choices[0][6] == 3.0
    assert [call[0][0].tolist() for call in choices] == [[2.5, far, 1.5], [far]][: n_grids - 1]
    assert all(call[0].compatible.tolist() == [[True, True]] * 2 for call in searches)
    assert all(call[0].compatible.dtype == bool for call in searches)
    assert {array.dtype for call in searches for array in (call[4].candidate, call[4].stack)} == {INT32}
    assert all(call[2] == 7 and call[5] == INT32 for call in sorts)


def test_a_single_point_has_no_neighbor():
    task, layer, _ = sorted_line(points=LINE[:1])
    near, d2 = phases.nearest_neighbors(task, layer._replace(radius=INF), ONE)
    assert near.tolist() == [-1] and d2.tolist() == [INF]


# ---- sorts


@pytest.mark.parametrize("kind", [INT32, INT64])
def test_a_sort_of_two_colors(kind):
    task, layer, order = sorted_line([0, 1, 0, 1, 1, 0, 0], APART, kind)
    assert order.tolist() == [0, 5, 2, 6, 1, 3, 4] and layer.X.tolist() == [LINE[order, 0].tolist()]
    assert layer.start.tolist() == [0, 2, 2, 3, 3, 4, 4, 4, 5, 5, 7, 7, 7] and not layer.X.flags.writeable
    assert layer.indices.tolist() == order.tolist() and layer.row.tolist() == list(range(7))
    assert layer.indices.dtype == layer.row.dtype == layer.start.dtype == order.dtype == kind
    assert layer.radius == 0.75 and layer.compatible is task.compatible and layer.starter is task.starter
    assert layer.dims == (0,) and same_coarse(layer.coarse, task, 0.75) and layer.grid.cells.tolist() == [6]
    assert layer.Z.shape == (1, 15) and (layer.Z[0, 7:] == INACTIVE).all() and not (layer.Z[0, :7] == INACTIVE).any()


def test_active_points_are_sorted_again():
    task, layer, _ = sorted_line([0, 1, 0, 1, 1, 0, 0], APART)
    layer.Z[0, [1, 3, 5]] = INACTIVE  # points 5, 6, 3
    grid = grid_on_line(task)._replace(cells=np.array([2]), width=np.full(1, 3.0), inverse=np.full(1, 1 / 3))
    for row in (layer.row, layer.indices):
        new, order = phases.sort_points(task, layer._replace(row=row), 4, grid, 2.5, INT32, ONE)
        assert order.tolist() == [0, 2, 4, 6] and new.indices.tolist() == [0, 2, 1, 4]
        assert new.row.tolist() == row[[0, 2, 4, 6]].tolist() and (new.row is new.indices) == (row is layer.indices)
        assert new.start.tolist() == [0, 2, 2, 3, 4] and new.radius == 2.5 and new.grid is grid


@pytest.mark.parametrize(
    ("bucket", "n", "n_cells", "kind", "shift", "buckets"),
    [
        (1, 8, 6, INT32, 3, 1), (1, 9, 6, INT32, 2, 2), (1, 9, 15, INT64, 3, 2), (1, 9, 1, INT32, 0, 2), (2, 17, 1, INT32, 0, 2),
        (2, 17, 6, INT32, 1, 4),
    ],
)  # fmt: skip
def test_buckets(bucket, n, n_cells, kind, shift, buckets, monkeypatch):
    """One for up to 8 times their size in points; otherwise of as many places or up to twice as many."""
    calls = record(monkeypatch, phases, "count_buckets")
    monkeypatch.setattr(phases, "BUCKET", bucket)
    task = task_of(np.linspace(0.1, 5.9, n)[:, None], None, 6.0)
    phases.sort_points(task, None, n, grid_on_line(task, n_cells), 0.75, kind, ONE)
    ((_, color, sort, first, last, end, counts),) = calls
    assert (color, first, last, end) == (0, 0, n, 0) and sort.shift == shift and counts.shape == (buckets,)
    assert counts.dtype == INT64


def test_the_arrays_of_a_sort(monkeypatch):
    calls = record(monkeypatch, phases, "sort_buckets")
    for kind, width in ((INT32, 2), (INT64, 3)):
        sorted_line(kind=kind)
        sort, lo, hi, working, Z, start, coarse = calls.pop()
        assert sort.place.dtype == sort.position.dtype == sort.order.dtype == sort.numbers.dtype == kind
        assert sort.place.shape == sort.position.shape == sort.order.shape == (7,) and sort.records.shape == (7, width)
        assert sort.bucket_start.tolist() == [0, 7] and sort.bucket_start.dtype == INT64 and (lo, hi) == (0, 1)
        assert working.shape == (8,) and working.dtype == start.dtype == kind and sort.points.shape == (7, 1)
        assert sort.shift == 3 and Z.shape == (1, 15) and start.shape == (7,)


@pytest.mark.parametrize(("parallel", "split"), [(9, True), (10, False)])
def test_a_sort_by_two_threads(parallel, split, monkeypatch):
    monkeypatch.setattr(thread_pool, "PARALLEL", parallel)
    monkeypatch.setattr(phases, "BUCKET", 1)  # two buckets
    threads, task = Recorded(2), task_of([*LINE, [5.5], [5.25]], None, 6.0)
    layer, order = phases.sort_points(task, None, 9, grid_on_line(task), 0.75, INT32, threads)
    assert order.tolist() == [0, 5, 1, 2, 3, 4, 6, 7, 8] and layer.start.tolist() == [0, 2, 3, 4, 6, 7, 9]
    assert threads.calls == [(9, split), (9, split), (2, split)]
    layer.Z[0, 3] = INACTIVE
    new, order = phases.sort_points(task, layer, 8, grid_on_line(task), 0.75, INT32, threads)
    assert order.tolist() == [0, 1, 2, 4, 5, 6, 7, 8] and new.start.tolist() == [0, 2, 3, 3, 5, 6, 8]


def test_points_in_rows(monkeypatch):
    """Points of a torus in d = 1 that ascend: 12 of them, 3 in a cell."""
    points = np.linspace(0.25, 5.75, 12)[:, None]
    for parallel, count, split in ((12, 2, True), (13, 2, False)):
        monkeypatch.setattr(thread_pool, "PARALLEL", parallel)
        monkeypatch.setattr(phases, "GLANCE", 5)
        looks, gaps = record(monkeypatch, phases, "in_order"), record(monkeypatch, phases, "fill_gaps")
        task, threads = task_of(points, None, 6.0), Recorded(count)
        grid, _ = grids.choose_grid(task.X, 12, task.sides, *task.box, 0.0, 3.0)
        layer = phases._presorted(task, grid, 3.0, INT32, threads)
        assert layer.indices.tolist() == list(range(12)) and layer.start.tolist() == [0, 3, 6, 9, 12]
        assert layer.row is layer.indices and layer.start.dtype == layer.indices.dtype == INT32
        assert layer.X.tolist() == points.T.tolist() and layer.Z.shape == (1, 20) and layer.dims == (0,)
        assert layer.grid.cells.tolist() == [4] and layer.radius == 1.5 * (1 - 1e-3)
        ranges = [(0, 6), (6, 12)] if split else [(0, 12)]
        assert [call[2:] for call in looks] == [(0, 5), *ranges] and all(call[1] is None for call in looks)
        assert [call[1:] for call in gaps] == ([(0, 2), (2, 5)] if split else [(0, 5)])
        assert threads.calls == [(12, split), (5, split)]


def test_settings_of_sorts(monkeypatch):
    """1000 points are looked at first; more than 8 * 1024 points are sorted in buckets, 1024 for 2047 places."""
    looks, counts = record(monkeypatch, phases, "in_order"), record(monkeypatch, phases, "count_buckets")
    task = task_of(np.linspace(0.1, 5.9, 8193)[:, None], None, 6.0)
    grid, _ = grids.choose_grid(task.X, 8193, task.sides, *task.box, 0.0, 3.0)
    assert phases._presorted(task, grid, 3.0, INT32, ONE) and [call[2:] for call in looks] == [(0, 1000), (0, 8193)]
    for n_cells, shift in ((2047, 0), (2048, 1)):
        phases.sort_points(task, None, 8193, grid_on_line(task, n_cells), 0.75, INT32, ONE)
        assert counts.pop()[2].shift == shift


def test_points_not_in_rows(monkeypatch):
    points = np.linspace(0.25, 5.75, 12)[:, None]
    monkeypatch.setattr(phases, "GLANCE", 5)
    task = task_of(points, [0, 1] * 6, 6.0, APART)
    grid, _ = grids.choose_grid(task.X, 12, task.sides, *task.box, 0.0, 3.0)
    assert phases._presorted(task, grid, 3.0, INT32, ONE) is None
    for swapped, looks in (([8, 7], 2), ([1, 0], 1)):
        moved = points.copy()
        moved[sorted(swapped)] = points[swapped] if swapped != [8, 7] else [[5.0], [0.5]]
        moved[0] = 5.5 if looks == 1 else moved[0]
        calls = record(monkeypatch, phases, "in_order")
        assert phases._presorted(task_of(moved, None, 6.0), grid, 3.0, INT32, ONE) is None and len(calls) == looks
    space = task_of(points)
    grid, _ = grids.choose_grid(space.X, 12, space.sides, *space.box, 0.0, 3.0)
    assert phases._presorted(space, grid, 3.0, INT32, ONE) is None
