"""Coarse coordinates: what they promise of distances, and who is nearest where they cannot tell."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.rules import RULES, wrong
from helpers.tables import tables
from poissonmatch.engine import simd
from poissonmatch.engine.coarse import INACTIVE, coarse_of_phase, nearer_bound
from poissonmatch.engine.jit import jit
from poissonmatch.points.geometry import squared_distance

ZERO = 1e-40  # squares below are 0
BOXES = tables(__file__)


@jit
def squares_and_keys(X, Z, coarse, dims, squares, keys):
    """Write the coarse squares of all points to point 0, and their keys, by bisection: vectors can only be compared with a bound."""
    n = X.shape[1]
    for k in range(0, n, simd.SIMD_WIDTH):
        found = simd.coarse_squares(Z, k, n - k, 0, coarse.step, dims)
        key = simd.keys(found, k // simd.SIMD_WIDTH)
        for lane in range(min(simd.SIMD_WIDTH, n - k)):
            low, high = 0.0, 1e39
            for _ in range(300):
                middle = (low + high) / 2
                if simd.mask_at_most(found, middle) >> lane & 1:
                    high = middle
                else:
                    low = middle
            squares[k + lane] = high
            first, last = -(2**31), 2**31 - 1
            while first < last:
                half = (first + last) >> 1
                if simd.mask_at_most(key, half) >> lane & 1:
                    last = half
                else:
                    first = half + 1
            keys[k + lane] = first


def layer_of(points, origin, extent, sides, radius):
    """Return X, Z and Coarse of a phase, by plain arithmetic."""
    coarse = coarse_of_phase(*(np.array(a) for a in (origin, extent, sides)), radius)
    steps = np.floor((points - coarse.low) * coarse.steps).astype(object)
    wrapped = (steps + 2**31) % 2**32 - 2**31
    Z = np.full((points.shape[1], len(points) + simd.SIMD_WIDTH), INACTIVE, np.int32)
    Z[:, : len(points)] = np.maximum(wrapped, INACTIVE + 1).T.astype(np.int32)
    return points.T, Z, coarse


@pytest.mark.parametrize("radius", (np.inf, 1.0, 1e-3, 1e-7, 1e-12))  # in extents
@pytest.mark.parametrize("box", BOXES)
def test_a_coarse_square_is_as_near_the_exact_one_as_it_says(box, radius):
    """In both directions, for points anywhere in the box, and for others about as near as the radius."""
    origin, extent, sides = (np.array(a, float) for a in BOXES[box])
    rng, n = np.random.default_rng(len(box)), 4000
    away = rng.random((n, len(origin))) * np.where(np.arange(n) % 2, 1.0, min(1.0, 1.2 * radius))[:, None]
    points = origin + np.minimum(away, np.nextafter(1, 0)) * extent
    points[0] = origin
    X, Z, coarse = layer_of(points, origin, extent, sides, radius * (extent.max() or 1.0))
    squares, keys = np.zeros(n), np.zeros(n, np.int64)
    squares_and_keys(X, Z, coarse, (0,) * len(origin), squares, keys)
    exact = squared_distance(points[:1], points[1:], sides) * coarse.square
    asked = np.flatnonzero(exact < 4.0)  # beyond twice the radius nobody asks
    assert len(asked) > n / 3
    for k in asked:
        assert exact[k] <= nearer_bound(squares[1 + k], coarse)
        assert squares[1 + k] <= nearer_bound(exact[k], coarse) + ZERO
    finite = np.flatnonzero(keys < simd.NO_KEY)
    rounded = (keys[finite] & -simd.KEY_IDS).astype(np.int32).view(np.float32).astype(float)
    assert (keys[finite] & (simd.KEY_IDS - 1) == finite % simd.KEY_IDS).all()
    assert (rounded <= squares[finite] * (1 + 1e-7)).all() and (
        squares[finite] <= rounded * (1 + 2.0**-10) + ZERO
    ).all()


@pytest.mark.parametrize("geometry", [pm.Torus(1.0, 2), pm.Torus((1.0, 3.0)), pm.Euclidean(2)], ids=str)
@pytest.mark.parametrize("gap", [1e-8, 1e-10, 1e-13, 1e-16, 0.0])
def test_who_is_nearer_by_less_than_coarse_coordinates_tell(geometry, gap):
    """Each point between two that are as far from it but for `gap`: the floats decide, and where they tie the index."""
    rng = np.random.default_rng(7)
    places = (np.stack(np.meshgrid(np.arange(9), np.arange(9)), -1).reshape(-1, 2) + 0.5) / 9.5
    arm = rng.choice([-1, 1], len(places))[:, None] * [0.01, 0.0]
    longer = arm * (1 + gap * rng.choice([-1, 1], len(places)))[:, None]
    points = np.concatenate([places, places + arm, places - longer])
    pattern = pm.Pattern(points[rng.permutation(len(points))], None, geometry)
    for rule in ("one-color", "multi(2)", "labels(3)", "misere"):
        rule = RULES.get(rule) or pm.Rule(capacity=(2,))
        assert wrong(pattern, rule, oracles.pair_list(pattern), (1, 2)) == []
