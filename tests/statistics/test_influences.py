"""The influence of each replicate on a ratio of sums, with literal numbers."""

import warnings

import numpy as np
import pytest

from poissonmatch.statistics.influences import ratio


def test_a_ratio_over_0_is_no_number_and_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for numerator, expected in (([0.0, 0.0], np.nan), ([1.0, 0.0], np.inf)):
            value, influence = ratio(np.array(numerator), np.array([0, 0]))
            assert value == pytest.approx(expected, nan_ok=True) and np.isnan(influence[1])


def test_one_denominator_for_all_columns():
    value, influence = ratio(np.array([[1.0, 3.0], [2.0, 5.0]]), np.array([2, 4]))
    assert value.tolist() == [0.5, 8 / 6]
    assert influence == pytest.approx(np.array([[0.0, (3 - 16 / 6) / 3], [0.0, (5 - 32 / 6) / 3]]))
