"""Rows of cells that threads match, trees, and tables of distances, from literal numbers."""

from types import SimpleNamespace

import numpy as np
import pytest

from helpers.phases import APART, BOTH, ONE, Recorded, record, task_of
from poissonmatch.engine import chains, phases, thread_pool, trees
from poissonmatch.engine.coarse import INACTIVE, coarse_of_phase

INF = np.inf
INT32, INT64 = np.dtype(np.int32), np.dtype(np.int64)


def layer_of(n_rows, n, kind=INT32):
    return SimpleNamespace(
        grid=SimpleNamespace(cells=np.array([n_rows, 5])), indices=np.zeros(n, kind), X=np.zeros((2, n))
    )


RESULT = SimpleNamespace(partner="partners", distance="distances")


def phase_of(monkeypatch, layer, threads, done, *limits, **options):
    """Return what a phase returns, and the calls of match_chains, which return `done` in turn."""
    numbers = iter(done)
    calls = record(monkeypatch, chains, "match_chains", lambda *a: next(numbers))
    task = SimpleNamespace(table="table")
    return phases._phase(task, layer, "state", RESULT, threads, *limits, **options), calls


@pytest.mark.parametrize("kind", [INT32, INT64])
def test_a_phase_of_one_thread(kind, monkeypatch):
    layer = layer_of(40, 9, kind)
    found, calls = phase_of(monkeypatch, layer, ONE, [(12, 3)], 6.0, 2.0, tree="tree")
    assert found == (12, 3, True)
    ((a, state, table, tree, rows, output, scratch, max_work, price),) = calls
    assert a is layer and (state, table, tree, max_work, price) == ("state", "table", "tree", 6.0, 2.0)
    assert tuple(rows) == (0, 40, 0, 40) and tuple(output) == ("partners", "distances")
    assert scratch.candidate.tolist() == [-1] * 9 and scratch.candidate.dtype == kind
    assert scratch.stack.shape == (10,) and scratch.stack.dtype == kind
    assert scratch.cell.shape == scratch.gap.shape == (2,)
    found, calls = phase_of(monkeypatch, layer, ONE, [(13, 3)], 6.0, 2.0)
    assert found == (13, 3, False) and calls[0][3] is None
    found, calls = phase_of(monkeypatch, layer, ONE, [(6, 3)], 6.0)
    assert found == (6, 3, True) and calls[0][8] == 0.0
    assert phase_of(monkeypatch, layer, ONE, [(7, 3)], 6.0)[0] == (7, 3, False)


@pytest.mark.parametrize(("parallel", "n_rows", "threads", "pieces"), [
    (9, 32, 2, 2), (9, 31, 2, 1), (10, 32, 2, 1), (9, 48, 2, 3), (9, 1000, 2, 8), (9, 1000, 3, 12), (9, 1000, 1, 1),
])  # fmt: skip
def test_pieces_of_threads(parallel, n_rows, threads, pieces, monkeypatch):
    """4 for each thread, of at least 16 rows each."""
    monkeypatch.setattr(thread_pool, "PARALLEL", parallel)
    pool = Recorded(threads)
    _, calls = phase_of(monkeypatch, layer_of(n_rows, 9), pool, [(1, 1)] * 3 * pieces, 6.0)
    assert len(calls) == (1 if pieces == 1 else 3 * pieces)


def test_rows_of_pieces(monkeypatch):
    """At first all but the outermost rows of each piece, then three at its ends, with chains that may go anywhere."""
    monkeypatch.setattr(thread_pool, "PARALLEL", 9)
    done = [(1, 2), (20, 4), (5, 0), (6, 0), (7, 1), (0, 0)]
    for limit, is_done in ((14.0, True), (13.0, False)):  # of 20 with 4 pairs at 1.5 each
        found, calls = phase_of(monkeypatch, layer_of(34, 9), Recorded(2), done, limit, 1.5)
        assert found == (39, 7, is_done)
        assert [tuple(call[4]) for call in calls] == [
            (1, 16, 1, 16), (18, 33, 18, 33), (0, 34, 0, 3), (0, 34, 14, 17), (0, 34, 17, 20), (0, 34, 31, 34),
        ]  # fmt: skip
        assert len({id(call[6].candidate) for call in calls}) == 1 and len({id(call[6].stack) for call in calls}) == 6


# ---- trees

CROWD = np.arange(40.0).reshape(20, 2)[::-1]


def crowd(**options):
    """20 points of two colors, in one cell."""
    task = task_of(CROWD, [0] * 11 + [1] * 9, compatible=APART, **options)
    grid = phases.Grid(np.zeros(2), np.zeros(2), np.ones(2), np.ones(2, np.int64), np.full(2, INF), task.sides)
    layer, _ = phases.sort_points(task, None, 20, grid, INF, INT32, ONE)
    return task, layer._replace(indices=layer.indices + 100, row=layer.row + 200, compatible=np.ones((2, 2), bool))


def test_a_tree_of_some_points():
    task, layer = crowd()
    order = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 14])
    before = order.copy()
    new, tree = phases._tree_of(task, layer, order)
    assert sorted(order) == before.tolist() and order.tolist() != before.tolist()
    assert new.X.tolist() == layer.X[:, order].tolist() and new.indices.tolist() == (order + 100).tolist()
    assert new.row.tolist() == (order + 200).tolist() and new.start.tolist() == [0, 10, 12]
    assert new.start.dtype == new.indices.dtype == new.row.dtype == INT32 and new.radius == INF
    assert new.compatible is layer.compatible and new.starter is task.starter and new.dims == (0, 0)
    assert new.Z.tolist() == [[0] * 12 + [INACTIVE] * 8] * 2 and not new.X.flags.writeable
    expected = [0, 0], [0, 0], [1, 1], [1, 1], [INF, INF], [INF, INF]
    assert [values.tolist() for values in new.grid] == list(expected) and new.grid.cells.dtype == INT64
    assert [values.dtype for values in new.grid] == [float, float, float, INT64, float, float]
    coarse = coarse_of_phase(*task.box, task.sides, INF)
    assert all(np.array_equal(a, b) for a, b in zip(new.coarse, coarse, strict=True))
    assert tree.first.tolist() == [0, 4] and tree.depth.tolist() == [1, 0] and tree.box.shape == (6, 4)


@pytest.mark.parametrize("is_done", [True, False])
def test_matching_in_a_tree(is_done, monkeypatch):
    """With sectors if there are more than 8 nodes, beyond those allowed, for each point."""
    task, layer = crowd()
    layer.Z[0, [3, 4, 15]] = INACTIVE
    required = record(monkeypatch, phases, "require_memory", lambda *a: None)
    made = record(monkeypatch, phases, "_tree_of", lambda task, layer, order: ("new", "tree"))
    written = record(monkeypatch, trees, "write_nodes", lambda *a: None)
    with_sectors = record(monkeypatch, trees, "with_sectors", lambda *a: "sectors")
    reordered = record(monkeypatch, phases, "_reordered", lambda state, order: "state")
    runs = record(monkeypatch, phases, "_phase", lambda *a, **b: (0, 0, is_done))
    for state in (None, "before"):
        phases._match_in_tree(task, layer, state, RESULT, ONE)
    assert required == [(17 * 144.0, "a tree of 17 points")] * 2
    order = [0, 1, 2, *range(5, 15), 16, 17, 18, 19]
    assert all(call[:2] == (task, layer) and call[2].tolist() == order for call in made) and len(made) == 2
    assert len(reordered) == 1 and reordered[0][0] == "before" and reordered[0][1].tolist() == order
    assert written == [("new", None, "tree"), ("new", "state", "tree")]
    assert with_sectors == ([] if is_done else written)
    expected = [
        (task, "new", state, RESULT, ONE, *limits)
        for state in (None, "state")
        for limits in ([(136.0, "tree")] if is_done else [(136.0, "tree"), (INF, "sectors")])
    ]
    assert runs == expected


def test_a_tree_matches_active_points():
    task, layer = crowd(remaining=np.ones(20, np.uint64))
    layer = layer._replace(indices=layer.indices - 100, row=layer.row - 200)
    layer.Z[0, [0, 1]] = INACTIVE
    result, state = phases._empty_result(task, layer, ONE), phases._open_state(task, layer, ONE)
    phases._match_in_tree(task, layer, state, result, ONE)
    assert result.partner[:, 0].tolist() == [-1, -1, *(k ^ 1 for k in range(2, 20))]


# ---- tables


@pytest.mark.parametrize("colors", [None, [1, 0, 1, 0]])
def test_a_table_of_distances(colors, monkeypatch):
    calls = record(monkeypatch, phases, "_phase", lambda *a: (0, 0, True))
    states = record(monkeypatch, phases, "_open_state", lambda *a: "state")
    task = task_of(
        np.zeros((4, 1)), colors, compatible=BOTH if colors is None else APART, table=np.ones((4, 4)), width=2
    )
    result = phases._run_table(task, ONE)
    ((a, layer, state, given, threads, limit),) = calls
    assert a is task and given is result and threads is ONE and limit == INF and state == "state"
    assert states == [(task, layer, ONE)]
    order = [0, 1, 2, 3] if colors is None else [1, 3, 0, 2]
    assert layer.indices.tolist() == order and layer.row.tolist() == [0, 1, 2, 3] and layer.dims == (0,)
    assert layer.start.tolist() == ([0, 4] if colors is None else [0, 2, 4]) and layer.radius == INF
    assert {array.dtype for array in (layer.indices, layer.row, layer.start)} == {INT64}
    assert layer.X.tolist() == [[0.0] * 4] and layer.Z.tolist() == [[0] * 4 + [INACTIVE] * 8]
    assert [values.tolist() for values in layer.grid] == [[0], [0], [1], [1], [INF], [INF]]
    assert [values.dtype for values in layer.grid] == [float, float, float, INT64, float, float]
    assert result.partner.tolist() == [[-1, -1]] * 4 and result.index.tolist() == order


def test_tables_of_one_color_of_two_and_of_few_points(monkeypatch):
    calls = record(monkeypatch, phases, "_phase", lambda *a: (0, 0, True))
    for n in (0, 1, 2):
        task = task_of(np.zeros((n, 1)), [0] * n, compatible=APART, table=np.ones((n, n)))
        result = phases._run_table(task, ONE)
        assert result.partner.shape == (n, 1) and (result.index is None) == (n < 2) and len(calls) == (n == 2)
    assert calls[0][1].start.tolist() == [0, 2, 2]
