"""Searches for the nearest point in the cells around a point: the point, and how many times eight points were compared."""

import itertools

import numpy as np
import pytest

from helpers.layers import kernel, layer_of, scratch_of, state_of, torus
from poissonmatch.engine import nearest
from poissonmatch.engine.coarse import INACTIVE
from poissonmatch.engine.nearest import COARSE, EXACT
from poissonmatch.engine.simd import MAX_CHUNKS

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")  # of float32 squares, without a compiler
kernels = {name: kernel(getattr(nearest, name)) for name in ("search", "nearest_in_cells", "nearest_exactly")}
SUM = 1e-3  # at most this much of a cell is added to a distance, against rounding


def search(exact, x, layer, color=0, bound=None, state=None, scratch=None):
    bound = layer.radius**2 if bound is None else bound
    return kernels["search"](exact, x, color, bound, layer, state, scratch or scratch_of(layer))


def nearest_in_cells(x, layer, color=0, bound=None, state=None):
    bound = layer.radius**2 if bound is None else bound
    return kernels["nearest_in_cells"](x, color, bound, layer, state, scratch_of(layer))


def nearest_exactly(x, layer, color=0, bound=1.0, state=None):
    return kernels["nearest_exactly"](x, color, bound, layer, state, scratch_of(layer))


# ---- which cells are searched -------------------------------------------------------------------------------------------


def gaps(t, width):
    """Return the squared distances from the point at t to its own cell, to that below, and to that above, a little less."""
    below, above = t % width - SUM * width, width - t % width - SUM * width
    return 0.0, below**2, above**2


@pytest.mark.parametrize("dim", (2, 3, 4))
@pytest.mark.parametrize("width", (1.0, 0.5))
def test_rows_are_searched_if_they_are_near_enough(dim, width):
    """One point in each row of cells around the first, too far away to be found."""
    x = width * np.array([2.3, 2.4, 2.45])[: dim - 1]
    rows = sorted(itertools.product(*[[1, 2, 3]] * (dim - 1)))
    ends = np.array([[{1: 1.0, 2: 2.9, 3: 3.9}[c] for c in row] for row in rows]) * width
    points = [[*end, width * 2.1] for end in ends]
    own = rows.index((2,) * (dim - 1))
    points[own] = [*x, width * 2.5]
    layer = layer_of(points, torus(*[5] * dim, width=width), radius=0.5 * width)
    sums = sorted(map(sum, itertools.product(*(gaps(t, width) for t in x))))
    for n_chunks, (before, after) in enumerate(itertools.pairwise([*sums, 1.6 * width**2]), 1):
        for bound in (before + 1e-12, after - 1e-12):
            assert search(EXACT, own, layer, bound=bound) == (-1, False, n_chunks)


@pytest.mark.parametrize(("bound", "n_chunks"), [(0.08, 1), (0.0895, 2), (0.4885, 2), (0.4887, 3)])
def test_rows_of_the_plane(bound, n_chunks):
    """The row below is at distance .3 - .001, that above at .7 - .001."""
    layer = layer_of([[0.0, 0.5], [1.3, 1.5], [2.9, 0.5]], torus(4, 4), radius=0.5)
    assert search(EXACT, 1, layer, bound=bound) == (-1, False, n_chunks)
    assert search(COARSE, 1, layer, bound=bound) == (-1, False, n_chunks)


def test_a_row_as_far_as_the_bound_is_searched():
    layer = layer_of([[0.0, 0.5], [1.5, 1.5], [2.9, 0.5]], torus(4, 4), radius=0.5)
    assert search(EXACT, 1, layer, bound=(0.5 - SUM) ** 2)[2] == 3
    layer = layer_of([[0.0, 1.5, 0.5], [1.5, 1.5, 0.5], [2.9, 1.5, 0.5]], torus(4, 4, 4), radius=0.5)
    assert search(EXACT, 1, layer, bound=(0.5 - SUM) ** 2)[2] == 3


@pytest.mark.parametrize("x", (1.0, 1.0005, 1.9995))
def test_at_the_edge_of_a_cell_the_next_row_is_at_distance_0(x):
    layer = layer_of([[0.0, 0.5], [x, 1.5], [2.9, 0.5]], torus(4, 4), radius=0.5)
    assert search(EXACT, 1, layer, bound=0.0)[2] == 2


@pytest.mark.parametrize(
    ("cells", "x", "exact", "coarse"),
    [(8, 0, 2, 2), (8, 3, 1, 1), (8, 7, 2, 2), (4, 0, 2, 2), (4, 2, 1, 1), (3, 0, 1, 1), (2, 1, 1, 1), (1, 0, 1, 1)],
)
def test_runs_of_cells_on_a_line(cells, x, exact, coarse):
    """One point in each cell; a run beyond the seam is scanned by itself."""
    layer = layer_of([[k + 0.5] for k in range(cells)], torus(cells), radius=0.5)
    assert search(EXACT, x, layer) == (-1, False, exact) and search(COARSE, x, layer) == (-1, False, coarse)


@pytest.mark.parametrize("cells", (1, 2, 3, 4, 5))
@pytest.mark.parametrize("dim", (2, 3))
def test_each_row_is_searched_once(dim, cells):
    points = sorted(itertools.product(*[[k + 0.5 for k in range(cells)]] * (dim - 1), [0.5]))
    layer = layer_of(points, torus(*[cells] * (dim - 1), 1), radius=0.5)
    for x in {0, len(points) // 2, len(points) - 1}:
        for exact in (COARSE, EXACT):
            assert search(exact, x, layer, bound=3.0)[1:] == (False, min(3, cells) ** (dim - 1))


@pytest.mark.parametrize("width", (1.0, 0.5))
def test_later_rows_are_skipped_once_a_point_is_near(width):
    """The first three rows have the same first cell; after them the best square is known, but for rounding."""
    points = sorted(itertools.product([1.0, 2.5, 3.9], [1.0, 2.5, 3.9], [1.5]))
    own = points.index((2.5, 2.5, 1.5))
    points.insert(own + 1, (2.5, 2.5, 1.75))
    layer = layer_of(width * np.array(points), torus(5, 5, 5, width=width), radius=width)
    assert search(COARSE, own, layer) == (own + 1, False, 3) and search(EXACT, own, layer) == (own + 1, False, 1)
    points[own + 1] = (2.5, 2.5, 2.0)  # no nearer than other rows
    layer = layer_of(width * np.array(points), torus(5, 5, 5, width=width), radius=width)
    assert search(COARSE, own, layer) == (own + 1, False, 5) and search(EXACT, own, layer) == (own + 1, False, 5)


# ---- all points, one by one ---------------------------------------------------------------------------------------------


def slow_nearest(x, layer, colors, color):
    """Return the nearest point within the radius, by all distances."""
    found = []
    for z in range(len(colors)):
        gap = np.abs(layer.X[:, z] - layer.X[:, x])
        d2 = float(np.sum(np.minimum(gap, layer.grid.sides - gap) ** 2))
        if z != x and layer.Z[0, z] != INACTIVE and layer.compatible[color, colors[z]] and d2 <= layer.radius**2:
            found.append((d2, layer.indices[z], z))
    return min(found)[2] if found else -1


@pytest.mark.parametrize(
    "cells",
    [(1,), (3,), (6,), (2, 3), (5, 4), (3, 2, 4), (1, 5, 3), (5, 2, 1), (2, 3, 1, 4), (4, 3, 5, 2), (2, 3, 2, 1, 2)],
)
@pytest.mark.parametrize("kind", ("uniform", "lattice"))
def test_the_nearest_of_all(cells, kind):
    rng = np.random.default_rng(len(cells))
    n, dim = 40, len(cells)
    points = rng.random((n, dim)) * cells
    points = np.floor(2 * points) / 2 if kind == "lattice" else points
    colors = rng.integers(0, 3, n)
    order = np.lexsort([*np.floor(points).T[::-1], colors])
    layer = layer_of(
        points[order], torus(*cells), colors=colors[order], indices=order,
        compatible=[[0, 1, 1], [1, 0, 0], [1, 0, 1]], inactive=range(3, n, 10),
    )  # fmt: skip
    for x in range(0, n, 5):
        color = colors[order][x]
        expected = slow_nearest(x, layer, colors[order], color)
        assert nearest_in_cells(x, layer, color)[0] == expected
        assert nearest_exactly(x, layer, color)[0] == expected


# ---- when coarse squares decide -----------------------------------------------------------------------------------------


def line(*points, **options):
    return layer_of([[t] for t in points], torus(8), **options)


def test_a_point_that_is_nearest_for_sure():
    layer = line(1.5, 2.0, 2.625, 3.0)
    assert [search(COARSE, x, layer) for x in range(4)] == [(1, False, 1), (0, False, 1), (3, False, 1), (2, False, 1)]
    assert nearest_in_cells(1, layer) == (0, 1) and nearest_exactly(1, layer) == (0, 1)


@pytest.mark.parametrize(
    ("gap", "y", "unsure"),
    [(0.999, 1, False), (0.9999, 1, True), (1.0, 1, True), (1.0001, 1, True), (1.001, -1, False)],
)
def test_a_point_at_about_the_radius(gap, y, unsure):
    """Keys have 11 bits of the mantissa, so a square is known to a part of 1 / 2048."""
    assert search(COARSE, 0, line(1.5, 1.5 + gap)) == (y, unsure, 1)
    assert nearest_in_cells(0, line(1.5, 1.5 + gap)) == (1 if gap <= 1 else -1, 1 + unsure)


def test_points_that_are_about_as_far():
    """In other lanes or in the same one, that is eight positions later."""
    assert search(COARSE, 0, line(1.5, 2.0, 2.00001))[1] and not search(COARSE, 0, line(1.5, 2.0, 2.01))[1]
    assert nearest_in_cells(0, line(1.5, 2.0, 2.00001)) == (1, 2)
    assert nearest_in_cells(1, line(1.50001, 2.0, 2.5)) == (0, 2)
    assert nearest_in_cells(1, line(1.5, 2.0, 2.5)) == (0, 2)
    assert nearest_in_cells(1, line(1.5, 2.0, 2.5, indices=[2, 1, 0])) == (2, 2)
    far = [2.9 + 0.001 * k for k in range(7)]
    assert search(COARSE, 0, line(1.0, 1.5, *far, 1.50001 + 1))[:2] == (1, False)
    for last, y, unsure in ((0.50001, 1, True), (0.5, 9, True), (0.49999, 9, True), (0.4, 9, False), (0.6, 1, False)):
        layer = layer_of([[1.0], [1.5], *[[t] for t in far], [1 - last]], torus(1, width=8.0), indices=range(9, -1, -1))
        assert search(COARSE, 0, layer)[1:] == (unsure, 2) and nearest_in_cells(0, layer) == (y, 4 if unsure else 2)


def test_points_of_the_next_cells_are_not_compared():
    """Point 2 is compatible with no point, and follows those of color 0 in memory."""
    layer = line(1.5, 2.0, 1.5, colors=[0, 0, 1], compatible=[[1, 0], [0, 0]])
    assert search(COARSE, 0, layer) == (1, False, 1) and search(EXACT, 0, layer) == (1, False, 1)
    layer = line(1.5, 1.75, 1.5, 2.0, colors=[0, 0, 1, 2], compatible=[[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    assert search(COARSE, 0, layer) == (3, False, 1) and search(EXACT, 0, layer) == (3, False, 1)
    assert search(COARSE, 3, layer, color=2) == (1, False, 1) and search(COARSE, 2, layer, color=1) == (-1, False, 0)


def test_coincident_points_come_in_the_order_of_their_indices():
    """So the first eight that have one at distance 0 have the first of them."""
    layer = line(*[1.5] * 20)
    assert search(EXACT, 0, layer) == (1, False, 1) and search(EXACT, 19, layer) == (0, False, 1)
    assert nearest_in_cells(9, layer) == (0, 4)
    state = state_of([1] * 20, last=[(0, 0.0, 7)])
    assert search(EXACT, 0, layer, state=state) == (8, False, 2)


# ---- many points --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "unsure"), [(64, False), (65, True)])
def test_many_points_in_a_run_of_cells(n, unsure):
    layer = line(3.25, *np.linspace(3.5, 3.9, n - 1))
    assert search(COARSE, 0, layer) == (-1 if unsure else 1, unsure, 0 if unsure else 8)
    assert nearest_in_cells(0, layer) == (1, 9 if unsure else 8)


def test_many_points_after_others():
    """The number of points of the run counts, not their positions."""
    layer = line(0.5, *np.linspace(1.1, 1.9, 50), *np.linspace(6.2, 6.8, 40))
    assert search(COARSE, 60, layer)[2] == 5


def test_stretches_of_inactive_points_are_skipped():
    """Of 100 points; from the 71st on no more than 64 remain, and all are compared."""
    for active, exact in (([0, 99], 2), ([0, 70, 99], 5)):
        layer = line(*np.linspace(3.0, 3.9, 100), inactive=[i for i in range(100) if i not in active])
        scratch = scratch_of(layer)
        assert search(COARSE, 0, layer, scratch=scratch) == (-1, True, 0)
        assert search(EXACT, 0, layer, scratch=scratch)[::2] == (active[1], exact)
        assert scratch.candidate[8] == active[1]


@pytest.mark.parametrize("extra", (0, 1))
def test_more_chunks_than_keys_distinguish(extra):
    """One point of each color, all of which are compatible."""
    n = MAX_CHUNKS + extra
    points = [[0.0], [0.5], *[[0.9 - 0.0001 * k] for k in range(2, n)]]
    layer = layer_of(points, torus(1, width=8.0), colors=None, compatible=np.ones((1, 1)))
    start = np.arange(n + 1, dtype=np.int32)
    layer = layer._replace(start=start, compatible=np.ones((n, n), bool))
    assert search(COARSE, 0, layer) == (1, extra == 1, MAX_CHUNKS)
