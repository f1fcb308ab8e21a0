"""Decimal coordinates: matchings compared with whole numbers, units, ties, and what does not lie on a grid."""

import itertools
import pickle
from fractions import Fraction
from unittest import mock

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.plain_calls import value_of
from helpers.rules import RULES
from helpers.tables import tables
from poissonmatch.engine import small_sets

SIDES = {1: 40, 2: 8, 3: 4}  # few sites for many points: nearly all distances tie


def decimals(whole, step):
    """The float64 values of whole multiples of a step such as "0.1"."""
    return np.array([[float(int(k) * Fraction(step)) for k in row] for row in whole]).reshape(np.shape(whole))


@pytest.mark.parametrize("space", ("torus", "box", "plane"))
@pytest.mark.parametrize("dim", (1, 2, 3))
@pytest.mark.parametrize("name", RULES)
def test_matchings_on_a_grid_are_those_of_whole_numbers(name, dim, space):
    rule, side = RULES[name], SIDES[dim]
    rng = np.random.default_rng([dim, len(name)])
    whole = rng.integers(0, side, (40, dim))
    colors = rng.integers(0, 3 if rule.n_colors == 3 else 2, len(whole))
    length = side / 10
    geometry = {"torus": pm.Torus(length, dim), "box": pm.Box(length, dim), "plane": pm.Euclidean(dim)}[space]
    pattern = pm.Pattern(decimals(whole, "0.1"), colors, geometry, grid=0.1)
    pairs = oracles.integer_pairs(whole, side if space == "torus" else None)
    partner, distance = oracles.all_pairs(pattern, rule, pairs)
    for most in (0, small_sets.MAX_POINTS):
        with mock.patch.object(small_sets, "MAX_POINTS", most):
            matching = pm.match(pattern, rule)
        np.testing.assert_array_equal(matching.partner, partner)
        np.testing.assert_array_equal(matching.distance, distance / 10)
    if not rule.labels:
        assert len(pm.blocking_pairs(pattern, matching)) == 0
    keys = [key for key, *_ in pairs]
    assert len(pattern.ties()) == sum(a == b for a, b in itertools.pairwise(keys))
    i, j = pattern.pair_order()
    assert [*zip(i, j, strict=True)] == [(i, j) for _, i, j in pairs]


@pytest.mark.parametrize("threads", (1, 2))
def test_large_sets_on_a_grid_have_no_blocking_pair(threads):
    whole = np.random.default_rng(3).permutation(125 * 125)[:15_000]
    sites = np.stack(np.divmod(whole, 125), axis=1)
    pattern = pm.Pattern(decimals(sites, "0.1"), None, pm.Torus(12.5, 2), grid=0.1)
    with mock.patch.object(small_sets, "MAX_POINTS", 0):
        matching = pm.match(pattern, threads=threads)
    assert len(pm.blocking_pairs(pattern, matching)) == 0
    expected = pm.match(pm.Pattern(sites, None, pm.Torus(125.0, 2)))
    np.testing.assert_array_equal(matching.partner, expected.partner)


def test_the_matching_does_not_depend_on_the_unit():
    whole = np.random.default_rng(5).integers(0, 200, (1000, 2))
    colors = np.arange(1000) % 2
    kilometers, meters = decimals(whole, "0.1"), whole * 100.0
    feet = meters / 0.3048
    plane = pm.Euclidean(2)
    patterns = [
        pm.Pattern(kilometers, colors, plane, grid=0.1),
        pm.Pattern.from_frame(pd.DataFrame(kilometers, columns=["x", "y"]).assign(c=colors), color="c"),
        pm.Pattern(meters, colors, plane),
        pm.Pattern(meters, colors, plane, grid=100),
        pm.Pattern(feet, colors, plane, grid=100 / 0.3048),
    ]
    for rule in ("one-color", "two-color", "fussy", "multi(2)"):
        first, *others = (pm.match(pattern, rule) for pattern in patterns)
        for other in others:
            np.testing.assert_array_equal(other.partner, first.partner)
    lengths = [1, 1, 1000, 1000, 1000 / 0.3048]
    for pattern, unit in zip(patterns, lengths, strict=True):
        np.testing.assert_allclose(pm.match(pattern).distance / unit, pm.match(patterns[0]).distance, rtol=1e-15)
    rounded = pm.match(pm.Pattern(kilometers, colors, plane))
    assert (rounded.partner != pm.match(patterns[0]).partner).any()  # what the grid is for


def test_what_follows_from_a_matching_sees_the_grid():
    whole = np.random.default_rng(8).integers(0, 12, (60, 2))
    pattern = pm.Pattern(decimals(whole, "0.1"), None, pm.Torus(1.2, 2), grid=0.1)
    integers = pm.Pattern(whole, None, pm.Torus(12.0, 2))
    matching, expected = pm.match(pattern), pm.match(integers)
    np.testing.assert_array_equal(pm.rounds(matching), pm.rounds(expected))
    for radius in (0.3, 0.5, np.inf):
        np.testing.assert_array_equal(pm.desire.desires(matching, radius), pm.desire.desires(expected, 10 * radius))
    np.testing.assert_array_equal(pm.sprague_grundy(pattern, 4).label, pm.sprague_grundy(integers, 4).label)
    assert pm.descending_chains.longest_chain(pattern, 0, 0.3) == pm.descending_chains.longest_chain(integers, 0, 3.0)
    by_hand = pm.Matching.from_partners(pattern, expected.partner)
    assert len(pm.blocking_pairs(pattern, by_hand)) == 0
    deletion = pm.deletion.without_desirers(pattern, 3)
    assert deletion.rest.grid == 0.1
    np.testing.assert_array_equal(deletion.desirers, pm.deletion.without_desirers(integers, 3).desirers)
    assert pm.frogs.solve(pattern[:30], "fussy").winner == pm.frogs.solve(integers[:30], "fussy").winner


def test_ties_and_those_that_rounding_decides():
    points = [[0.1], [0.2], [0.3]]
    loose = pm.Pattern(points, None, pm.Euclidean(1))
    assert loose.grid is None and len(loose.ties()) == 0 and len(loose.ties(tolerance=1e-12)) == 1
    grid = pm.Pattern(points, None, pm.Euclidean(1), grid="auto")
    assert grid.grid == 0.1 and grid.ties().tolist() == [[0, 1, 1, 2]] == grid.ties(tolerance=1e-12).tolist()
    assert pm.match(loose).pairs.tolist() == [[1, 2]] and pm.match(grid).pairs.tolist() == [[0, 1]]
    assert pickle.loads(pickle.dumps(grid)).grid == 0.1


@pytest.mark.parametrize("points, geometry, steps", tables(__file__)["grids"])
def test_a_grid_that_is_found(points, geometry, steps):
    assert pm.Pattern(points, None, value_of(geometry), grid="auto").grid == next(iter(steps), None)


def test_points_moved_into_a_torus_lie_on_the_grid():
    pattern = pm.Pattern([[-0.1], [1.2], [1.0]], None, pm.Torus(1.0, 1), wrap=True, grid="auto")
    assert pattern.grid == 0.1 and pattern.points.ravel().tolist() == [0.9, 0.2, 0.0]


def test_a_frame_without_a_grid_notes_that_rounding_may_decide(recwarn):
    steps = pd.DataFrame({"x": np.arange(100) / 3})
    with pytest.warns(UserWarning, match="two nearest neighbors of .* of 100 points are equally far up to rounding"):
        pm.Pattern.from_frame(steps)
    pm.Pattern.from_frame(steps, grid=1 / 3)
    pm.Pattern.from_frame(pd.DataFrame(np.random.default_rng(1).random((1000, 2)), columns=["x", "y"]))
    assert not [warning for warning in recwarn if "rounding" in str(warning.message)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64, np.float64])
def test_whole_numbers_of_any_size_are_on_a_grid_without_a_warning(dtype):
    lattice = np.array([(x, y) for x in range(12) for y in range(12)], dtype)
    pattern = pm.Pattern.from_frame(pd.DataFrame(lattice, columns=["x", "y"]))
    assert pm.match(pattern, "one-color").pair_distance.tolist() == [1.0] * 72
