"""The predicted time of matchings in high dimensions, which are announced if it is long."""

import numpy as np
import pytest

import poissonmatch as pm
from poissonmatch.matching import duration
from poissonmatch.studies.study_files import cost


def test_the_time_of_a_point_grows_until_there_are_three_cells_along_each_axis():
    few, enough, many = duration.microseconds(8, np.array([1000, 1.5 * 3**8, 1e9]))
    assert few < enough == pytest.approx(many) == pytest.approx(0.03 * 3**7)


def test_it_continues_that_of_low_dimensions():
    assert duration.microseconds(6, 10**6) == pytest.approx(cost.MICROSECONDS[6], rel=0.1)


def test_long_matchings_are_announced(monkeypatch, recwarn):
    """Of one point, which takes no time."""
    patterns = {(n, dim): pm.Pattern(np.zeros((n, dim)), geometry=pm.Euclidean(dim)) for n in (0, 1) for dim in (6, 8)}
    for pattern in patterns.values():
        pm.match(pattern)
    assert len(recwarn) == 0
    monkeypatch.setattr(duration, "LONG", 0.0)
    for pattern in patterns.values():
        pm.match(pattern)
    (warning,) = recwarn
    assert "matching 1 points in dimension 8 may take about" in str(warning.message) and warning.filename == __file__
