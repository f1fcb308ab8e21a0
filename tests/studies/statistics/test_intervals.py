"""Intervals, the index of dispersion and the estimators of unmatched points and quantiles, with literal numbers."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from helpers import interval_coverage
from poissonmatch.studies.statistics.estimators import CellSample, ratio, standard_error
from poissonmatch.studies.statistics.observables import OBSERVABLES, distances, quantities
from poissonmatch.studies.statistics.observables.interface import Quantity
from poissonmatch.theory import intervals


def test_student_has_one_degree_of_freedom_less_than_replicates():
    """The quantile .975 is 2.776445 for four degrees of freedom, 12.706205 for one."""
    assert intervals.student(1.0, 0.1, 5) == pytest.approx((1 - 0.2776445, 1 + 0.2776445), abs=1e-7)
    assert intervals.student(0.0, 1.0, 2) == pytest.approx((-12.706205, 12.706205), abs=1e-6)
    assert np.isnan(intervals.student(1.0, 0.1, 1)).all()


def test_interval_of_a_positive_number_is_that_of_its_logarithm():
    """2 with error .5 from three replicates: ln 2 +- 4.302653 / 4."""
    factor = math.exp(4.3026527 / 4)
    assert intervals.of_positive(2.0, 0.5, 3) == pytest.approx((2 / factor, 2 * factor), rel=1e-6)
    assert tuple(map(float, intervals.of_positive(0.0, 0.0, 3))) == (0.0, 0.0)
    assert tuple(map(float, intervals.of_positive(2.0, 0.0, 3))) == (2.0, 2.0)
    assert np.isinf(intervals.of_positive(1e-300, 1.0, 3)[1])


def test_interval_of_a_share_is_that_of_its_logit():
    """Odds of .2 are 1/4, and the error of their logarithm is .05 / .16: a factor of exp(2.262157 * .3125) either way."""
    factor = math.exp(2.2621572 * 0.3125)
    expected = [odds / (1 + odds) for odds in (0.25 / factor, 0.25 * factor)]
    assert intervals.of_share(0.2, 0.05, 10) == pytest.approx(expected, rel=1e-6)
    low, high = intervals.of_share(0.8, 0.05, 10)
    assert (1 - high, 1 - low) == pytest.approx(expected, rel=1e-6)
    for certain in (0.0, 1.0):
        assert tuple(map(float, intervals.of_share(certain, 0.0, 10))) == (certain, certain)
        assert tuple(map(float, intervals.of_share(certain, 0.0, 2))) == (certain, certain)
        assert np.isnan(intervals.of_share(certain, np.nan, 1)).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tuple(map(float, intervals.of_share(0.0, 0.1, 3))) == (0.0, 0.0)


def test_interval_of_a_count_in_clusters():
    """That of Poisson for 3 events is (.618672, 8.767273); of 6 points in clusters with index 2, twice that; none seen, 3 k."""
    assert intervals.of_count(3, 1.0, np.inf) == pytest.approx((0.618672, 8.767273), rel=1e-6)
    assert intervals.of_count(6, 2.0, np.inf) == pytest.approx((1.237344, 17.534546), rel=1e-6)
    assert intervals.of_count(0, 3.5, np.inf) == (0.0, 10.5)


def test_interval_of_clopper_and_pearson():
    """For 3 of 10, and for none."""
    low, high = intervals.of_proportion(np.array([0.3, 0.0]), 10)
    assert low == pytest.approx([0.0667395, 0.0], abs=1e-7) and high == pytest.approx([0.6524529, 0.3084971], abs=1e-7)


def test_an_index_that_is_not_known_well_widens_the_interval():
    outside = stats.norm.sf(stats.t.ppf(0.975, 9))
    expected = stats.chi2.ppf(outside, 6) / 2, stats.chi2.isf(outside, 8) / 2
    assert intervals.of_count(3, 1.0, 9) == pytest.approx(expected, rel=1e-9)


def test_interval_of_the_positive_part_of_a_difference():
    """D of 3, -1, -2, 0 with mean 0: the sum of squares 14 lies between the quantiles .484 and 11.143 of chi-square, 4 degrees of freedom."""
    expected = [4 * math.sqrt(14 / quantile / (2 * math.pi)) for quantile in stats.chi2.ppf([0.975, 0.025], 4)]
    assert intervals.of_excess(3.0, np.array([3.0, -1.0, -2.0, 0.0]), 0.0) == pytest.approx(expected)
    beyond = intervals.of_excess(9.0, np.array([3.0, -1.0, -2.0, 0.0]), 0.0)
    assert beyond == pytest.approx((expected[0], 9.0))
    never = np.array([-9.0, -11.0, -10.0])  # deviations from .46 to 3: a chance of 10^-102 to .0006
    low, high = intervals.of_excess(0.0, never, -10.0)
    deviation = math.sqrt(2 / stats.chi2.ppf(0.025, 3))
    assert low == 0 and high == pytest.approx(
        3 * stats.norm.expect(lambda x: x, loc=-10, scale=deviation, lb=0, ub=np.inf), rel=1e-6
    )
    assert intervals.of_excess(0.0, np.array([-2.0, -2.0]), -2.0) == (0.0, 0.0)
    assert intervals.of_excess(4.0, np.array([2.0, 2.0]), 2.0) == (4.0, 4.0)


def test_the_index_is_that_of_the_tori_if_points_and_tori_are_many():
    """The square of the error of a count over the count; 2 at least if it is known from few tori, and 2 of few points."""
    assert intervals.dispersion(100.0, 15.0, 12) == (2.25, 11)
    assert intervals.dispersion(100.0, 5.0, 12) == (1.0, 11)
    assert intervals.dispersion(100.0, 5.0, 9) == (2.0, 9)
    assert intervals.dispersion(16.0, 8.0, 2) == (4.0, 9)
    assert intervals.dispersion(15.0, 8.0, 12) == (2.0, 9)


def tori(unmatched, rule="fussy", ratio=1.0, points=100):
    n = len(unmatched)
    columns = {
        "study": "s", "cell": f"c{ratio}", "process": "binomial", "rule": rule, "dim": 1.0, "geometry": "torus", "size": 2.0 * points,
        "volume": 2.0 * points, "side": 2.0 * points, "intensity_0": 0.5, "intensity_1": 0.5, "ratio": ratio, "replicate": range(n),
        "points_0": points, "points_1": points, "unmatched_0": 0, "unmatched_1": unmatched,
        "sum_distance_0": 150.0, "sum_distance_1": 90.0, "longest_0": 3.0, "longest_1": 3.0,
    }  # fmt: skip
    return pd.DataFrame(columns, index=range(n))


def found(rows):
    return {
        (e.quantity, e.color): e
        for made in OBSERVABLES["unmatched"].estimates([CellSample(rows)], [])
        for e in made.parts()
    }


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


def quantile(q, r, above, points):
    return distances._quantiles(np.array([q]), r, *ratio(above, points), above, points[:, None], np.zeros(len(r), int))


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
    estimates = tail_of(r, wide)
    assert estimates["tail_exponent"].x.tolist() == r[[2, 3]].tolist()
    assert estimates["tail_exponent"].value.tolist() == pytest.approx(
        [math.log(0.92) / (0.2 * math.log(10)), math.log(8 / 99) / (0.2 * math.log(10))]
    )


SAMPLE = CellSample(tori([0, 0]))


def test_coverage_is_measured_for_each_quantity_with_an_exact_value():
    measured = {kind.quantity for case in interval_coverage.CASES for kind in case.kinds}
    assert {name for name, quantity in quantities().items() if quantity.exact is not Quantity.exact} <= measured
