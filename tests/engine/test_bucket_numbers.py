"""Cells of points, and the sort by place, from literal numbers."""

import numpy as np
import pytest

from poissonmatch.engine import buckets
from poissonmatch.engine.buckets import Grid, Sort, Source
from poissonmatch.engine.coarse import INACTIVE, coarse_of_phase
from poissonmatch.engine.layer import Layer, empty_coarse, read_only

INF = np.inf


def grid_of(origin, width, cells, fold, sides):
    origin, width, fold, sides = (np.array(values, float) for values in (origin, width, fold, sides))
    return Grid(origin, 1 / width, width, np.array(cells), fold, sides)


TORUS = grid_of([0, 1], [0.5, 2], [4, 3], [INF, INF], [2, 6])  # second axis: from 1 to 7
FOLDED = grid_of([0, 0], [0.5, 0.5], [3, 2], [1, INF], [2, INF])  # t > 1 counts as 2 - t


@pytest.mark.parametrize(
    ("t", "axis", "grid", "position", "cell"),
    [
        (0.0, 0, TORUS, 0.0, 0),
        (0.75, 0, TORUS, 1.5, 1),
        (1.75, 0, TORUS, 3.5, 3),
        (2.0, 0, TORUS, 0.0, 0),
        (2.75, 0, TORUS, 1.5, 1),
        (-0.25, 0, TORUS, 3.5, 3),
        (-4.25, 0, TORUS, 3.5, 3),
        (1.0, 1, TORUS, 0.0, 0),
        (0.5, 1, TORUS, 2.75, 2),
        (6.5, 1, TORUS, 2.75, 2),
        (7.5, 1, TORUS, 0.25, 0),
        (-1e-18, 0, TORUS, 0.0, 0),
        (1.75, 0, FOLDED, 0.5, 0),
        (1.5, 0, FOLDED, 1.0, 1),
        (1.0, 0, FOLDED, 2.0, 2),
        (1.25, 1, FOLDED, 0.5, 0),
        (INF, 0, TORUS, 0.0, 0),
        (-INF, 1, TORUS, 0.0, 0),
        (np.nan, 1, TORUS, 0.0, 0),
        (2.0**60, 1, grid_of([0, 0], [1, 1], [3, 3], [INF, INF], [3, 3]), 1.0, 1),  # 2^60 = 1 modulo 3
        (-(2.0**60), 1, grid_of([0, 0], [1, 1], [3, 3], [INF, INF], [3, 3]), 2.0, 2),
    ],
)
def test_cells_of_coordinates(t, axis, grid, position, cell):
    found = buckets.along(t, axis, grid)
    assert found == (position, cell) and buckets.far_along(t, axis, grid) == position


X = np.array(
    [[0.75, 1.5], [0.25, 6.5], [1.75, 3.5], [0.25, 1.25], [1.75, 0.5]]
)  # cells (1, 0), (0, 2), (3, 1), (0, 0), (3, 2)
CELLS = [3, 2, 10, 0, 11]


def test_places():
    """((color * 4) + cell of axis 0) * 3 + cell of axis 1."""
    assert [buckets.place_of(X.T, i, 0, TORUS) for i in range(5)] == CELLS
    assert [buckets.place_of(X.T, i, 2, TORUS) for i in range(5)] == [24 + cell for cell in CELLS]


def test_colors_and_active_points():
    assert buckets.color_at(None, 1, 5) == 5 and buckets.color_at(np.array([3, 4]), 1, 5) == 4
    Z = np.array([[0, INACTIVE], [INACTIVE, 0]], np.int32)
    assert [buckets.is_active(Z, i) for i in (0, 1)] == [1, 0] and buckets.is_active(None, 1) == 1


COARSE = coarse_of_phase(np.array([0.0, 1.0]), np.array([2.0, 6.0]), np.array([2.0, 6.0]), 0.5)


def coarse_x(points):
    """Return coarse coordinates of points on the torus, in steps of 2^-32 of a side, from -2^31 to 2^31."""
    share = (np.asarray(points) - [0, 1]) / [2, 6] % 1
    return np.round(np.where(share >= 0.5, share - 1, share) * 2.0**32).T.tolist()


def layer_of(points, n_places=24):
    n = len(points)
    return Layer(
        read_only(np.array(points)), empty_coarse(n, 2), np.full(n, -7), np.arange(n), np.zeros(n_places + 1, np.int64), TORUS,
        0.5, COARSE, np.ones((2, 2), bool), np.ones(2, bool), (0, 0),
    )  # fmt: skip


def test_points_in_order():
    """Of two colors. An end is written for each place but that of the point after the range."""
    order = [3, 1, 0, 2, 4]
    layer, colors = layer_of(X[order]), np.array([0, 0, 0, 0, 1])
    assert buckets.in_order(layer, colors, 0, 5)
    expected = np.zeros(25)
    expected[[1, 3, 4, 11, 24]] = [1, 2, 3, 4, 5]
    assert layer.start.tolist() == expected.tolist() and layer.indices.tolist() == [0, 1, 2, 3, 4]
    np.testing.assert_allclose(layer.Z[:, :5], coarse_x(X[order]), atol=1)


def test_a_range_in_order():
    points = [X[3], X[1], X[1], X[0]]
    layer = layer_of(points)
    assert buckets.in_order(layer, None, 1, 2)  # the place of point 1 goes on
    assert not layer.start.any() and layer.indices.tolist() == [-7, 1, -7, -7]
    assert buckets.in_order(layer, None, 1, 3) and layer.start[3] == 3 and np.count_nonzero(layer.start) == 1
    layer = layer_of([X[3], X[0], X[1]])
    assert not buckets.in_order(layer, None, 0, 3) and not buckets.in_order(layer, None, 1, 2)
    assert not buckets.in_order(layer, None, 0, 2) and buckets.in_order(layer, None, 0, 1)
    assert not buckets.in_order(layer_of([X[0], X[1], X[2]]), None, 0, 3)
    colors = np.array([1, 0, 0])
    assert not buckets.in_order(layer_of([X[3], X[1], X[0]]), colors, 0, 1)  # color 1, then 0


def test_gaps_are_filled():
    for start, lo, hi, expected in (
        ([0, 0, 2, 0, 0, 5, 0], 1, 7, [0, 0, 2, 2, 2, 5, 5]),
        ([0, 3, 0, 0, 0], 3, 5, [0, 3, 0, 3, 3]),
        ([0, 3, 0, 4, 0, 0], 2, 4, [0, 3, 3, 4, 0, 0]),
        ([0, 0, 0], 1, 3, [0, 0, 0]),
        ([2, 0, 0, 1], 2, 4, [2, 0, 2, 2]),
    ):
        filled = np.array(start)
        buckets.fill_gaps(filled, lo, hi)
        assert filled.tolist() == expected


def sort_of(n, m):
    records = np.full((m, 4), -7.0)
    return Sort(
        2,
        np.full(n, -7),
        np.full(n, -7),
        records,
        records.view(np.int64),
        np.array([0, 2, 3, 5]),
        np.empty((m, 2)),
        np.full(m, -7),
    )


def test_a_sort():
    """Places 3, 2, 10, 0, 11 are in buckets 0, 0, 2, 0, 2."""
    sort, count = sort_of(6, 5), np.zeros(4, np.int64)
    source = Source(read_only(X), None, None, TORUS)
    assert buckets.count_buckets(source, 0, sort, 0, 5, 1, count) == 6
    assert count.tolist() == [3, 0, 2, 0]
    assert sort.place.tolist() == [-7, *CELLS] and sort.position.tolist() == [-7, 0, 1, 2, 3, 4]
    cursor = np.array([0, 3, 3, 5])
    buckets.fill_buckets(source.X, sort, 1, 6, cursor)
    assert cursor.tolist() == [3, 3, 5, 5]
    assert sort.numbers[:, 2].tolist() == [3, 2, 0, 10, 11] and sort.numbers[:, 3].tolist() == [0, 1, 3, 2, 4]
    assert sort.records[:, :2].tolist() == X[[0, 1, 3, 2, 4]].tolist()
    sort = sort._replace(bucket_start=np.array([0, 3, 3, 5]))
    Z, start = empty_coarse(5, 2), np.full(12, -7)
    buckets.sort_buckets(sort, 0, 1, np.full(4, 9), Z, start, COARSE)
    assert sort.order.tolist() == [3, 1, 0, -7, -7] and start.tolist() == [0, 1, 1, 2, *[-7] * 8]
    buckets.sort_buckets(sort, 1, 3, np.full(4, 9), Z, start, COARSE)
    assert sort.order.tolist() == [3, 1, 0, 2, 4] and start.tolist() == [0, 1, 1, 2, 3, 3, 3, 3, 3, 3, 3, 4]
    assert sort.points.tolist() == X[[3, 1, 0, 2, 4]].tolist()
    np.testing.assert_allclose(Z[:, :5], coarse_x(X[[3, 1, 0, 2, 4]]), atol=1)


def test_a_sort_of_active_points_of_two_colors():
    """Point 1 is inactive; the colors 1, 0, 0, 1, 0 add 12 to a place."""
    sort, count = sort_of(5, 4), np.zeros(6, np.int64)
    Z = np.array([[1, INACTIVE, 1, 1, 1], [INACTIVE] * 5], np.int32)
    source = Source(read_only(X), Z, np.array([1, 0, 0, 1, 0]), TORUS)
    assert buckets.count_buckets(source, 7, sort, 0, 5, 0, count) == 4
    assert sort.place[:4].tolist() == [15, 10, 12, 11] and sort.position[:4].tolist() == [0, 2, 3, 4]
    assert count.tolist() == [0, 0, 2, 2, 0, 0]
    assert buckets.count_buckets(source._replace(colors=None), 1, sort, 2, 4, 0, count) == 2
    assert sort.place[:2].tolist() == [22, 12] and count.tolist() == [0, 0, 2, 3, 0, 1]


def test_two_points_of_one_cell_stay_in_their_order():
    sort, count = sort_of(3, 3), np.zeros(1, np.int64)
    source = Source(read_only(X[[0, 3, 0]]), None, None, TORUS)
    end = buckets.count_buckets(source, 0, sort, 0, 3, 0, count)
    buckets.fill_buckets(source.X, sort, 0, end, np.zeros(1, np.int64))
    sort, start = sort._replace(bucket_start=np.array([0, 3])), np.full(4, -7)
    buckets.sort_buckets(sort, 0, 1, np.zeros(4, np.int64), empty_coarse(3, 2), start, COARSE)
    assert sort.order.tolist() == [1, 0, 2] and start.tolist() == [0, 1, 1, 1]
