"""Searches for a point with several partners, labels or excluded pairs: the point, whether coarse squares decide, and comparisons."""

import numpy as np
import pytest

from engine.test_search_numbers import COARSE, line, nearest_exactly, nearest_in_cells, search
from helpers.layers import layer_of, state_of, torus


def test_without_a_last_partner():
    assert search(COARSE, 0, line(1.5, 2.0, 2.25), state=state_of([1, 1, 1])) == (1, False, 1)


def test_capacities_are_no_sets():
    """1 and 2 have no bit in common, but may be matched, since there are no labels."""
    assert search(COARSE, 0, line(1.5, 2.0, 2.25), state=state_of([1, 2, 1])) == (1, False, 1)


def test_points_share_a_label():
    layer, state = line(1.5, 2.0, 2.25, 2.4), state_of([0b01, 0b10, 0b11, 0b01], labels=2)
    assert search(COARSE, 0, layer, state=state) == (2, False, 1)
    assert nearest_in_cells(0, layer, state=state) == (2, 1) and nearest_exactly(0, layer, state=state) == (2, 1)
    assert search(COARSE, 0, line(1.5, 2.0), state=state_of([1, 2], labels=2)) == (-1, False, 1)


def test_the_last_partner_is_not_found_again():
    """Whether it is the second of eight, or the first."""
    state = state_of([2, 2, 2], last=[(0, 0.25, 1)])
    assert search(COARSE, 0, line(1.5, 2.0, 2.25), state=state) == (2, False, 1)
    state = state_of([2, 2, 2], last=[(1, 0.25, 0)])
    assert search(COARSE, 1, line(1.0, 1.5, 2.25), state=state) == (2, False, 1)


def test_nor_are_partners_before_it():
    state = state_of([3] * 4, last=[(0, 0.25, 2)])
    assert search(COARSE, 0, line(1.5, 1.75, 2.0, 2.3), state=state) == (3, False, 1)


def test_nor_with_a_radius_other_than_1():
    state = state_of([2, 2, 2], last=[(0, 0.0625, 1)])
    assert search(COARSE, 0, line(1.5, 1.75, 1.875, radius=0.5), state=state) == (2, False, 1)


def test_a_last_partner_at_distance_0():
    state = state_of([2, 2, 2], last=[(0, 0.0, 1)])
    assert search(COARSE, 0, line(1.5, 1.5, 2.0), state=state) == (2, False, 1)


@pytest.mark.parametrize(("last", "y"), [(2, 2), (0, 1)])
def test_another_point_at_the_distance_of_the_last_partner(last, y):
    """Point 1 is decided if the last one had a larger index, which only an exact search finds."""
    layer, state = line(1.5, 2.0, 2.25), state_of([2, 2, 2], last=[(0, 0.25, last)])
    assert search(COARSE, 0, layer, state=state) == (2, True, 1)
    assert nearest_in_cells(0, layer, state=state) == (y, 2)


@pytest.mark.parametrize("distance", [2.0**-17, *np.linspace(0.1, 0.9, 41)])
def test_two_points_at_the_distance_of_the_last_partner(distance):
    layer = line(2.0 - distance, 2.0, 2.0 + distance, 2.99)
    for last, nearest in ((0, 2), (2, 3)):
        state = state_of([2] * 4, last=[(1, layer.X[0, 1] - layer.X[0, 0], last)])
        state.last_d2[1] = (layer.X[0, 1] - layer.X[0, 0]) ** 2
        if (layer.X[0, 2] - layer.X[0, 1]) ** 2 == state.last_d2[1]:
            assert search(COARSE, 1, layer, state=state)[1]
            assert nearest_in_cells(1, layer, state=state)[0] == nearest


COLORS = {"colors": [0, 1, 2, 2], "compatible": [[0, 1, 1], [1, 0, 0], [1, 0, 0]]}


def test_two_points_of_two_colors_at_the_distance_of_the_last_partner():
    """They are compared one after another."""
    layer = line(2.0, 1.5, 2.5, 2.75, **COLORS)
    state = state_of([2] * 4, last=[(0, 0.25, 2)])
    assert search(COARSE, 0, layer, state=state)[1:] == (True, 2)
    assert nearest_in_cells(0, layer, state=state) == (3, 4)


def test_a_last_partner_before_others():
    layer = line(2.0, 1.5, 2.625, 2.75, **COLORS)
    state = state_of([2] * 4, last=[(0, 0.25, 1)])
    assert search(COARSE, 0, layer, state=state) == (2, False, 2)


def test_an_excluded_nearest_point():
    """First on the line; excluded from one side or from both."""
    layer = line(1.5, 2.0, 2.25)
    for excluded in ([[1], [], []], [[1], [0], []]):
        state = state_of([1] * 3, excluded=excluded)
        assert search(COARSE, 0, layer, state=state) == (1, True, 1) and nearest_in_cells(0, layer, state=state) == (
            2,
            2,
        )
        assert nearest_exactly(0, layer, state=state) == (2, 1)
    layer, state = line(1.5, 1.875, 2.5), state_of([1] * 3, excluded=[[1], [0], []])
    assert search(COARSE, 1, layer, state=state) == (0, True, 1) and nearest_in_cells(1, layer, state=state) == (2, 2)


def test_another_excluded_point():
    state = state_of([1] * 3, excluded=[[2], [], [0]])
    assert search(COARSE, 0, line(1.5, 2.0, 2.25), state=state) == (1, False, 1)


def test_no_point_within_the_radius_and_an_excluded_one():
    assert search(COARSE, 0, line(1.5, 5.0), state=state_of([1, 1], excluded=[[1], [0]])) == (-1, False, 1)


def test_in_the_plane_no_row_is_skipped_for_a_coarse_square():
    """Not even those of the second color."""
    layer = layer_of([[0.0, 0.5], [1.5, 1.5], [1.5, 1.75], [2.9, 0.5]], torus(4, 4))
    assert search(COARSE, 1, layer) == (2, False, 3)
    points = [[1.5, 1.5], [1.5, 1.75], [0.0, 0.5], [1.5, 0.5], [2.9, 0.5]]
    layer = layer_of(points, torus(4, 4), colors=[0, 0, 1, 1, 1], compatible=[[1, 1], [1, 1]])
    assert search(COARSE, 0, layer) == (1, False, 4)


def test_a_radius_of_few_steps():
    """A step of the coarse coordinates is 1 / 4096 of the radius, so that their error counts."""
    for gap, y in ((1.0, 1), (0.99975, 1), (1.00025, -1)):
        layer = layer_of([[0.5], [0.5 + gap]], torus(8, width=2.0**17), radius=1.0)
        assert nearest_in_cells(0, layer) == (y, 2)


def test_a_run_that_ends_with_many_inactive_points():
    """Those beyond the seam are searched after it."""
    layer = line(0.5, *np.linspace(1.1, 1.9, 80), 7.75, inactive=range(1, 81))
    assert search(COARSE, 0, layer) == (81, True, 1) and nearest_in_cells(0, layer) == (81, 3)
