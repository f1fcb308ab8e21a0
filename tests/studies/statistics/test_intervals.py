"""Intervals, the index of dispersion and the estimators of unmatched points and quantiles, with literal numbers."""

import math

import numpy as np
import pytest

from helpers import interval_coverage
from poissonmatch.studies.statistics.estimates import with_ends
from poissonmatch.studies.statistics.estimators import CellSample, Estimate, standard_error
from poissonmatch.studies.statistics.observables import distances, quantities
from poissonmatch.studies.statistics.observables.interface import Quantity
from poissonmatch.theory import intervals
from studies.statistics.test_estimators import ends_of, of_colors, quantile, rows_of


def tori(unmatched):
    """Tori of 100 points of each color, with these numbers of unmatched reds."""
    n = len(unmatched)
    return rows_of(
        "fussy", "binomial", 1.0, (0.5, 0.5), replicate=range(n), points_0=100, points_1=100, unmatched_1=unmatched
    )


def found(rows):
    return of_colors(CellSample(rows))


def test_few_unmatched_points_have_the_interval_of_clusters():
    """Six points on two tori of 100 reds, too few for an index: that of 3 clusters of 2, as if the 2 had nine degrees of freedom."""
    estimate = found(tori([1, 5]))["unmatched_fraction", 1]
    assert float(estimate.value[0]) == 0.03
    assert np.ravel(estimate.ends) == pytest.approx([2 * end / 200 for end in intervals.of_count(3, 1.0, 9)], rel=1e-9)


def test_many_unmatched_points_have_the_interval_of_their_own_scatter():
    many = tori([8, 12] * 6)
    estimate = found(many)["unmatched_fraction", 1]
    low, high = intervals.of_share(0.1, 0.02 / 11**0.5, 12)
    assert np.allclose(np.ravel(estimate.ends), [low, high]) and estimate.error[0] == pytest.approx(0.02 / 11**0.5)
    inverse = found(many)["log_inverse_unmatched", 1]
    assert inverse.value[0] == pytest.approx(math.log(10)) and inverse.error[0] == pytest.approx(0.2 / 11**0.5)
    assert [float(end[0]) for end in inverse.ends] == pytest.approx([-math.log(high), -math.log(low)])


def test_the_interval_of_a_quantile_is_where_the_tail_passes_the_ends():
    """Woodruff: the level .5 with error .05 of 12 tori; the tail falls from .9 to .1 evenly in log r."""
    points = np.full(12, 100.0)
    level = np.array([45.0, 55.0] * 6)
    above = np.stack([np.full(12, 90.0), level, np.full(12, 10.0)], axis=1)
    estimate = quantile(0.5, np.array([1.0, 10.0, 100.0]), above, points)
    low, high = intervals.of_share(0.5, standard_error((level - 50) / 100), 12)
    assert float(estimate.value[0]) == pytest.approx(10.0)
    assert np.ravel(estimate.ends) == pytest.approx((10 ** ((0.9 - high) / 0.4), 10 ** (1 + (0.5 - low) / 0.4)))


def test_a_quantile_that_some_tori_do_not_have_says_so_and_may_have_no_upper_end():
    points = np.full(2, 100.0)
    estimate = quantile(0.9, np.array([1.0, 10.0]), np.array([[90.0, 3.0], [90.0, 12.0]]), points)
    assert estimate.note[0] == "exists in 1 of 2 replicates" and estimate.ends[1] == np.inf
    estimate = quantile(0.5, np.array([1.0, 10.0]), np.array([[90.0, 40], [90, 50]]), points)  # a half of 100 is 50
    assert estimate.note[0] is None


def tail_of(r, above):
    """Return the estimates of a tail by quantity, from two tori of 100 points."""
    part = distances.Survivors(0, 0, 0, r, r, above, np.array([100.0, 100.0]))
    return {e.quantity: e for e in distances._of_tails([part])}


def test_no_rows_below_16_points():
    """16 points on either side of r have a tail, 15 have none; a slope needs 16 in its range and 16 beyond."""
    r = 10 ** (np.arange(6) / 20)
    above = np.array([[100.0, 92.5, 92.0, 8.0, 7.5, 7.0]] * 2)
    estimates = tail_of(r, above)
    assert estimates["tail"].x.tolist() == r[[2, 3]].tolist()
    assert estimates["tail_exponent"].x.tolist() == []
    wide = np.array([[100.0, 99.0, 98.0, 97.0, 92.0, 8.0]] * 2)
    assert tail_of(r, wide)["tail_exponent"].x.tolist() == r[[2, 3]].tolist()


def test_coverage_is_measured_for_each_quantity_with_an_exact_value():
    measured = {kind.quantity for case in interval_coverage.CASES for kind in case.kinds}
    assert {name for name, quantity in quantities().items() if quantity.exact is not Quantity.exact} <= measured


def test_intervals_stay_within_the_bounds_of_a_quantity():
    """Two replicates with the mean 1 and the error 1: Student's t gives 1 +- 12.7; a mean is not below 0."""
    known, one = quantities(), np.array([-1.0, 1.0])
    assert ends_of(known["chain_steps"], Estimate("chain_steps", np.array(1.0), one)) == (0, pytest.approx(13.706205))
    assert ends_of(known["ratio_slope"], Estimate("ratio_slope", np.array(1.0), one))[0] == pytest.approx([-11.706205])
    given = Estimate("tail", np.array(0.5), one, ends=(np.array([-1.0]), np.array([2.0])))
    assert ends_of(known["tail"], given) == (0, 1)
    assert ends_of(known["rounds"], Estimate("rounds", np.array(9.0), one)) == (0, pytest.approx(21.706205))


def test_a_share_of_none_or_all_points_has_the_rule_of_three_for_clusters():
    """3 times an index of 2, over 60 points; nothing is added to a share of which no total is known."""
    share = Estimate("window_tail", np.array([0.0, 1.0, 0.5]), np.zeros((2, 3)), total=60.0)  # 30 of 60 are not few
    assert np.allclose(ends_of(quantities()["window_tail"], share), ([0, 0.9, 0.5], [0.1, 1, 0.5]))
    share.total = 0.0
    assert np.allclose(ends_of(quantities()["window_tail"], share), ([0, 1, 0.5], [0, 1, 0.5]))


def test_few_pairs_have_the_interval_of_a_count_in_clusters():
    """None of 60 points, and 30 of 60 with the error .1 of a count of 6: an index of 36 / 30 is raised to 2 for two tori."""
    known = quantities()["desirers"]
    few = Estimate("desirers", np.array([0.0, 0.5]), np.array([[0.0, 0.1], [0.0, -0.1]]), total=60.0)
    found = with_ends(known, few)
    assert np.transpose(found.ends).ravel().tolist() == pytest.approx(
        [0, 0.1, *(end / 60 for end in intervals.of_count(30, 2.0, 9))]
    )
    assert found.interval.tolist() == ["count", "count"] and found.dispersion.tolist() == [2.0, 2.0]
    many = Estimate("desirers", np.array([2.0]), np.array([[0.1], [-0.1]]), total=60.0)
    assert np.ravel(ends_of(known, many)) == pytest.approx(np.ravel(intervals.of_positive(2.0, 0.1, 2)))


def test_whole_numbers_that_are_equal_on_all_tori_have_no_interval_of_length_zero():
    """Of three tori: with 95 % confidence, less than .7076 of all tori differ (Clopper and Pearson), by one round each."""
    found = with_ends(quantities()["rounds"], Estimate("rounds", np.array(9.0), np.zeros(3), total=3.0))
    assert np.ravel(found.ends) == pytest.approx([9 - 0.707598, 9 + 0.707598], abs=1e-6) and found.interval == ["equal"]
