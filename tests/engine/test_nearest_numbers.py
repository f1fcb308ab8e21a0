"""The parts of a search for the nearest point, from literal numbers."""

import numpy as np
import pytest

from helpers.layers import kernel, layer_of, state_of, torus
from poissonmatch.engine import nearest
from poissonmatch.engine.coarse import INACTIVE
from poissonmatch.engine.jit import jit
from poissonmatch.engine.simd import coarse_squares, mask_at_most

INF = np.inf
may_take, skip_inactive = kernel(nearest.may_take), kernel(nearest.skip_inactive)
adjacent_cell, adjacent_range = kernel(nearest.adjacent_cell), kernel(nearest.adjacent_range)
undecided_only, nearest_of_chunk = nearest.undecided_only, nearest.nearest_of_chunk
STEP = np.array([2.0**-20], np.float32)  # length of a step of the coarse coordinates below


@pytest.mark.parametrize(
    ("cell", "cells", "below", "above"),
    [
        (0, 1, (0, 4), (0, 9)),
        (0, 2, (1, 4), (1, 9)),
        (1, 2, (0, 4), (0, 9)),
        (0, 3, (2, 4), (1, 9)),
        (1, 3, (0, 4), (2, 9)),
        (2, 3, (1, 4), (0, 9)),
        (0, 7, (6, 4), (1, 9)),
        (3, 7, (2, 4), (4, 9)),
        (6, 7, (5, 4), (0, 9)),
    ],
)
def test_adjacent_cells(cell, cells, below, above):
    assert adjacent_cell(0, cell, cells, 4.0, 9.0) == (cell, 0)
    assert adjacent_cell(1, cell, cells, 4.0, 9.0) == below and adjacent_cell(2, cell, cells, 4.0, 9.0) == above


def test_of_two_cells_the_other_one_is_on_both_sides():
    assert adjacent_cell(1, 0, 2, 9.0, 4.0) == (1, 4) and adjacent_cell(1, 0, 3, 9.0, 4.0) == (2, 9)


@pytest.mark.parametrize(
    ("cell", "cells", "ranges"),
    [
        (0, 1, (0, 1, 0, 0)),
        (1, 2, (0, 2, 0, 0)),
        (0, 3, (0, 3, 0, 0)),
        (2, 3, (0, 3, 0, 0)),
        (0, 4, (0, 2, 3, 4)),
        (1, 4, (0, 3, 0, 0)),
        (2, 4, (1, 4, 0, 0)),
        (3, 4, (2, 4, 0, 1)),
        (0, 9, (0, 2, 8, 9)),
        (5, 9, (4, 7, 0, 0)),
        (8, 9, (7, 9, 0, 1)),
    ],
)
def test_adjacent_ranges(cell, cells, ranges):
    assert adjacent_range(np.int64(cell), np.int64(cells)) == ranges


def test_pairs_that_may_be_taken():
    """Indices are 10 less the position; point 0 has decided all pairs up to that with index 7 at squared distance 2."""
    indices = np.arange(10, 4, -1, dtype=np.int32)
    state = state_of([1] * 6, last=[(0, 2.0, 7)])
    assert [may_take(0, 3, d2, indices, state) for d2 in (1.0, 2.0, 3.0)] == [False, False, True]
    assert may_take(0, 2, 2.0, indices, state) and not may_take(0, 4, 2.0, indices, state)
    assert may_take(1, 3, 1.0, indices, state)


def test_pairs_with_a_common_label():
    indices = np.arange(3, dtype=np.int32)
    remaining = [0b0110, 0b1001, 0b0100]
    for labels in (1, 4):
        state = state_of(remaining, labels=labels)
        assert may_take(0, 2, 1.0, indices, state) and not may_take(0, 1, 1.0, indices, state)
    assert may_take(0, 1, 1.0, indices, state_of(remaining))
    assert may_take(0, 1, 1.0, indices, state_of([1, 3, 1], labels=4))  # label 1, the number of the first bit


def test_excluded_pairs():
    """By index, where index 1 is position 0; excluded are 1 - 3 and 2 - 0."""
    indices = np.array([1, 0, 2, 3], np.int32)
    state = state_of([1] * 4, excluded=[[2], [3], [0], [1]])
    allowed = [[may_take(x, z, 1.0, indices, state) for z in range(4)] for x in range(4)]
    assert [[z for z in range(4) if not row[z]] for row in allowed] == [[3], [2], [1], [0]]
    assert not may_take(0, 2, 1.0, indices, state_of([1] * 4, excluded=[[], [2], [], []]))


def test_inactive_points_are_skipped():
    Z = np.full((2, 12), 5, np.int32)
    Z[0, [2, 3, 4, 5, 6, 9]] = INACTIVE
    before = [-1, -1, 3, 4, 6, 6, 7, -1, -1, 10, -1, -1]
    for lo, hi, end, changed in (
        (2, 12, 7, {2: 7, 3: 7, 4: 7}),
        (4, 12, 7, {4: 7}),
        (0, 12, 0, {}),
        (7, 12, 7, {}),
        (9, 10, 10, {}),
        (2, 5, 6, {2: 6, 3: 6}),
        (2, 3, 3, {}),
        (2, 2, 2, {}),
    ):
        candidate = np.array(before, np.int32)
        assert skip_inactive(Z, candidate, np.int64(lo), np.int64(hi)) == end
        assert candidate.tolist() == [changed.get(i, each) for i, each in enumerate(before)]


@jit
def open_masks(Z, first, x, low, high, state, bounds, masks):
    squares = coarse_squares(Z, first, 8, x, STEP, (0,))
    squares, count, position = undecided_only(squares, first, x, low, high, state)
    for k in range(len(bounds)):
        masks[k] = mask_at_most(squares, bounds[k])
    return count, position


BOUNDS = np.array([0.5, 1.5, 5, 10, 17, 26, 1e30])
COORDINATES = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]


def undecided(low, high, state, coordinates=COORDINATES):
    """Return what undecided_only does for x = 0 and the eight points from 1 on, with the number of squares up to each bound."""
    Z = np.array(coordinates, np.int32) << 20
    masks = np.zeros(len(BOUNDS), np.int64)
    count, position = open_masks(Z, 1, 0, low, high, state, BOUNDS, masks)
    return masks.tolist(), count, position


def test_squares_of_open_pairs():
    """The squares are 1, 4, 9, ..., 64; of those from 4 to 9 the pairs are decided, or one is the last partner."""
    state = state_of([1] * 10)
    every = [0, 0b1, 0b11, 0b111, 0b1111, 0b11111, 0b11111111]
    assert undecided(-1.0, -1.0, state) == (every, 0, -1)
    assert undecided(4.0, 8.0, state) == ([mask & ~0b11 for mask in every], 1, 2)
    assert undecided(4.0, 9.0, state) == ([mask & ~0b111 for mask in every], 2, 2)
    assert undecided(9.0, 10.0, state) == ([mask & ~0b111 for mask in every], 1, 3)
    assert undecided(1.0, 9.0, state)[1:] == (2, 1) and undecided(50.0, 64.0, state)[1:] == (1, 8)


def test_squares_of_pairs_with_a_common_label():
    """Points 2, 3, 5 and 6 have a label of point 0."""
    for bits, labels in (([6, 9, 4, 2, 1, 6, 7, 0, 8, 16], 5), ([1, 0, 1, 1, 0, 1, 1, 0, 0, 0], 1)):
        state = state_of(bits, labels=labels)
        assert undecided(-1.0, -1.0, state) == ([0, 0, 0b10, 0b110, 0b110, 0b10110, 0b110110], 0, -1)
        assert undecided(4.0, 25.0, state) == ([0, 0, 0, 0, 0, 0, 0b100000], 2, 2)


@jit
def chunk_nearest(first, x, best, y, layer, state):
    squares = coarse_squares(layer.Z, first, 8, x, layer.coarse.step, layer.dims)
    return nearest_of_chunk(squares, first, x, best, y, layer, state)


LINE = [[t] for t in (3.0, 3.5, 3.25, 3.375, 3.25, 3.0, 2.75, 2.5, 4.5, 4.5)]


def line(indices=None, radius=0.5):
    return layer_of(LINE, torus(1, width=8.0), radius=radius, indices=indices)


@pytest.mark.parametrize("radius", (0.25, 1.0, 4.0))
def test_the_nearest_of_eight_points(radius):
    """Of positions 1 to 8 and 2 to 9; ties by index; point 2 is the nearest of all to 3, but 4 if its index is smaller."""
    layer = line(radius=radius)
    assert chunk_nearest(1, 3, 0.25, -1, layer, None) == (2.0**-6, 1, False)
    assert chunk_nearest(2, 3, 0.25, -1, layer, None) == (2.0**-6, 2, False)
    assert chunk_nearest(2, 3, 2.0**-6, -1, layer, None) == (2.0**-6, 2, False)
    assert chunk_nearest(2, 3, 2.0**-6, 1, layer, None) == (2.0**-6, 1, False)
    assert chunk_nearest(2, 3, 2.0**-6, 9, layer, None) == (2.0**-6, 2, False)
    assert chunk_nearest(2, 3, 0.0156, -1, layer, None) == (0.0156, -1, False)
    other = line(indices=[0, 9, 4, 3, 2, 5, 6, 7, 8, 1], radius=radius)
    assert chunk_nearest(1, 3, 0.25, -1, other, None) == (2.0**-6, 4, False)
    assert chunk_nearest(1, 3, 0.25, 0, other, None) == (2.0**-6, 4, False)
    assert chunk_nearest(1, 7, 1.0, -1, layer, None) == (0.0625, 6, False)
    assert chunk_nearest(2, 7, 1.0, 1, layer, None) == (0.0625, 6, False)


def test_coincident_points():
    layer = line()
    assert chunk_nearest(1, 0, 0.25, -1, layer, None) == (0, 5, True)
    assert chunk_nearest(1, 0, 0.0, 0, layer, None) == (0, 0, True)  # the nearest so far has a smaller index
    assert chunk_nearest(0, 6, 0.25, -1, layer, None) == (0.0625, 0, False)
    assert chunk_nearest(2, 2, 0.25, -1, layer, None) == (0, 4, True)  # others follow after it


def test_the_nearest_of_eight_points_with_a_state():
    """All pairs of point 3 up to that with point 1 are decided, and those with points 4 and 5 are excluded."""
    excluded = [[], [], [], [4, 5], [3], [3], [], [], [], []]
    state = state_of([1] * 10, last=[(3, 2.0**-6, 1)], excluded=excluded)
    assert chunk_nearest(1, 3, 0.5, -1, line(), state) == (2.0**-6, 2, False)
    state.last_index[3] = 2
    assert chunk_nearest(1, 3, 0.5, -1, line(), state) == (0.390625, 6, False)
    state = state_of([1] * 10, last=[(0, 0.0, 5)])
    assert chunk_nearest(1, 0, 0.5, -1, line(), state) == (0.0625, 2, False)
