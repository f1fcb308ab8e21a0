"""Tori, Euclidean space, the mean-field model: distances; and what a pattern accepts."""

import math

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from poissonmatch.theory.volumes import unit_ball_volume

TORUS = pm.Torus(2.0, 2)


def test_distance_goes_the_short_way_round():
    assert TORUS.distance([0.1, 0.0], [1.9, 0.0]) == pytest.approx(0.2)
    assert TORUS.distance([0.0, 0.0], [1.0, 1.0]) == math.sqrt(2)
    assert pm.Euclidean(2).distance([0.1, 0.0], [1.9, 0.0]) == pytest.approx(1.8)
    points = np.random.default_rng(0).random((50, 2)) * 2
    table = TORUS.distance(points[:, None], points[None])
    np.testing.assert_array_equal(table, table.T)
    images = [points + np.array([a, b]) * 2 for a in (-1, 0, 1) for b in (-1, 0, 1)]
    shortest = np.min([np.linalg.norm(points[:, None] - image[None], axis=2) for image in images], axis=0)
    np.testing.assert_allclose(table, shortest, atol=1e-12)


def test_volumes():
    assert [unit_ball_volume(d) for d in (1, 2, 3)] == pytest.approx([2, math.pi, 4 * math.pi / 3])
    assert TORUS.volume == 4 and TORUS.ball_volume(2.0) == pytest.approx(4 * math.pi)
    assert pm.MeanField(5.0).ball_volume(3.0) == 3


def test_any_array_is_accepted_and_none_is_changed():
    base = np.random.default_rng(1).integers(0, 2, (7, 2))
    read_only = base.astype(float)
    read_only.setflags(write=False)
    given = [
        *(base.astype(t) for t in ("f2", "f4", "f8", ">f8", "g", "i1", "u1", "i8", "u8")),
        np.asfortranarray(base, dtype=float),
        np.repeat(base, 3, axis=0)[::3].astype(float)[::-1][::-1],
        read_only,
        pd.DataFrame(base, columns=["x", "y"]),
        pd.DataFrame(base, columns=["x", "y"]).astype("Float64"),
        base.tolist(),
    ]
    for points in given:
        copy = points.copy() if hasattr(points, "copy") else points
        pattern = pm.Pattern(points, geometry=TORUS)
        np.testing.assert_array_equal(pattern.points, base)
        assert pattern.points.dtype == np.float64 and not pattern.points.flags.writeable
        pm.match(pattern)
        np.testing.assert_array_equal(points, copy)
        if isinstance(points, np.ndarray) and points is not read_only:
            assert points.flags.writeable and not np.shares_memory(points, pattern.points)


def test_wrap():
    pattern = pm.Pattern([[-1e-18, 2.0], [-0.5, 5.5], [1.5, -4.0]], geometry=TORUS, wrap=True)
    np.testing.assert_array_equal(pattern.points, [[0, 0], [1.5, 1.5], [1.5, 0]])


def test_empty_and_small():
    for empty in ([], np.zeros((0, 2)), np.zeros(0), pd.DataFrame({"x": [], "y": []})):
        pattern = pm.Pattern(empty, [], TORUS)
        assert len(pattern) == 0 and pattern.points.shape == (0, 2)
        assert pm.match(pattern).pairs.shape == (0, 2)
    one = pm.match(pm.Pattern([[0, 0]], geometry=TORUS))
    assert one.partner.tolist() == [-1] and one.distance.tolist() == [np.inf]
    red_only = pm.Pattern([[0, 0], [1, 1]], [1, 1], TORUS)
    assert red_only.count(3).tolist() == [0, 2, 0]
    assert len(pm.match(red_only, "two-color").pairs) == len(pm.match(red_only, "fussy").pairs) == 0
