"""The predicted time of a matching, which is announced if it is long."""

import math

import numpy as np
import pytest

import poissonmatch as pm
from poissonmatch.matching import match
from poissonmatch.matching.match import POINT_SECONDS, ROW_SECONDS, point_seconds


def test_the_time_of_a_point_grows_until_there_are_three_cells_along_each_axis():
    few, enough, many = (point_seconds(8, size) for size in (1000, 1.5 * 3**8, 1e9))
    assert few < enough == pytest.approx(many) == pytest.approx(POINT_SECONDS + ROW_SECONDS * 3**7)
    assert point_seconds(math.inf, 1e9) < point_seconds(1, 1e9) < point_seconds(2, 0.0) * 2


def test_long_matchings_are_announced(monkeypatch, recwarn):
    """Of one point, which takes no time."""
    patterns = {(n, dim): pm.Pattern(np.zeros((n, dim)), geometry=pm.Euclidean(dim)) for n in (0, 1) for dim in (6, 8)}
    for pattern in patterns.values():
        pm.match(pattern)
    assert len(recwarn) == 0
    monkeypatch.setattr(match, "LONG", 0.0)
    for pattern in patterns.values():
        pm.match(pattern)
    messages = [str(warning.message).partition(" may take about")[0] for warning in recwarn]
    assert messages == ["matching 1 points in dimension 6", "matching 1 points in dimension 8"]
    assert all(warning.filename == __file__ for warning in recwarn)
