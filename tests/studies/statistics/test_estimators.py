"""Estimators from literal numbers, one function each: values, influences (as derivatives by the weight of a torus), and which rows there are."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest

from helpers.tables import tables
from poissonmatch.studies.statistics.estimates import Context, with_ends
from poissonmatch.studies.statistics.estimators import CellSample, Estimate
from poissonmatch.studies.statistics.influences import ratio, standard_error
from poissonmatch.studies.statistics.observables import OBSERVABLES, distances, quantities, unmatched
from poissonmatch.theory import intervals

TABLES = tables(__file__)
ROW = TABLES["row"]
H = 1e-6  # change of the weight of a torus
POINTS = np.array([100.0, 80.0])


def rows_of(rule="one-color", process="poisson", dim=2.0, intensities=(0.5, 0.25), side=16.0, **columns):
    colors = {f"intensity_{k}": value for k, value in enumerate(intensities)}
    rows = ROW | {"process": process, "rule": rule, "dim": dim, "side": side} | colors | columns
    return pd.DataFrame(rows, index=range(len(rows["replicate"])))


def sample_of(*words, **columns):
    return CellSample(rows_of(*words, **columns))


def derivatives(function, tori):
    """Return n times the derivative of a function of (weights of the tori) by each weight, at weights 1: (n, k)."""
    shifts = H * np.eye(tori)
    return np.array([tori * (function(1 + s) - function(1 - s)) / (2 * H) for s in shifts])


def test_a_ratio_of_sums_and_its_influences():
    """4/12 from 1/4 and 3/8: the residuals -1/3 and 1/3 over the mean 6; for two tori the error is that of one residual."""
    value, influence = ratio(np.array([1.0, 3.0]), np.array([4.0, 8.0]))
    assert value == pytest.approx(1 / 3) and influence == pytest.approx([-1 / 18, 1 / 18])
    assert standard_error(influence) == pytest.approx(1 / 18)
    value, influence = ratio(np.array([[1.0, 2.0], [3.0, 2.0]]), np.array([4.0, 4.0]))
    assert value == pytest.approx([0.5, 0.5]) and influence == pytest.approx(np.array([[-0.25, 0], [0.25, 0]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value, influence = ratio(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([0, 0]))
    assert np.array_equal(value, [np.nan, np.inf], equal_nan=True) and np.isnan(influence[1]).all()


def test_the_standard_error_of_a_mean_is_that_of_textbooks():
    """1, 2, 6: the variance is 7, so the error is sqrt(7 / 3); a single replicate has none."""
    x = np.array([1.0, 2.0, 6.0])
    assert standard_error(x - 3) == pytest.approx(math.sqrt(7 / 3))
    assert np.isnan(standard_error(np.zeros((1, 2)))).tolist() == [True, True]
    assert Estimate("q", 3.0, x - 3).error == pytest.approx([math.sqrt(7 / 3)])


def test_numbers_of_a_sample():
    sample = sample_of()
    assert sample.intensities == (0.5, 0.25) and sample.means == (128.0, 64.0) and sample.cutoff == 2.0
    assert sample.ball_points(np.array([1.0, 2.0])) == pytest.approx([0.75 * math.pi, 3 * math.pi])
    field = sample_of(dim=math.inf)
    assert field.ball_points(np.array([1.0, 2.0])) == pytest.approx([0.75, 1.5]) and field.cutoff == 256 / 20
    unordered = CellSample(rows_of().iloc[::-1])
    assert unordered.replicates["replicate"].tolist() == [0, 1]


def test_infinite_moments_and_equal_laws_are_those_of_uniform_processes():
    assert sample_of(dim=1.0).moments.infinite(1) and not sample_of().moments.infinite(1)
    assert not sample_of(dim=1.0, process="thomas{}").moments.infinite(1)
    equal = dict(rule="two-color", intensities=(0.5, 0.5))
    assert sample_of(**equal).same_for_colors and not sample_of(rule="two-color").same_for_colors
    assert not sample_of(**equal, process="thomas{}").same_for_colors


def test_counts_of_each_torus_and_bin():
    """Tori 3, 5 and 9; the bins go from -1, the lowest, to 3, one after the last; rows of one bin are added."""
    lists = {"replicate": [3, 9, 9, 9], "bin": [0, -1, 2, 2], "count": [4, 5, 6, 7], "r_lower": [1.5, 0.9, 1.3, 1.3]}
    rows = {name: np.array(values) for name, values in lists.items()}
    counts, r = distances.counts_of(np.array([3, 5, 9]), rows)
    assert counts.tolist() == [[0, 4, 0, 0, 0], [0, 0, 0, 0, 0], [5, 0, 0, 13, 0]]
    assert r == pytest.approx([0.9, 1.5, 10**0.05, 1.3, 10**0.15])
    counts, r = distances.counts_of(np.array([3, 5, 9]), rows, low=-2, high=3)
    assert counts[0].tolist() == [0, 0, 4, 0, 0, 0, 0] and len(r) == 7 and r[0] == pytest.approx(10**-0.1)


R = 10 ** (np.arange(6) / 20)
ABOVE, LONGER, TO_ZERO = (np.array(TABLES[name]) for name in ("above", "longer", "to_zero"))


def tail_of(above=ABOVE, points=POINTS):
    """Return the estimates of a tail at the first of the r in R, or at more of them."""
    r = 10 ** (np.arange(above.shape[1]) / 20)
    part = distances.Survivors(0, 0, 0, r, sample_of().ball_points(r), above, points)
    return [*distances._of_tails([part])]


def test_tails_and_scaled_tails():
    """Rows need 16 points with X < r and 16 beyond: not at the first bin, and not at the last, where 4 are left."""
    tail, scaled, *_ = tail_of()
    expected = np.array([156, 130, 84, 31]) / 180
    assert tail.quantity == "tail" and tail.x == pytest.approx(R[1:5]) and tail.value == pytest.approx(expected)
    balls = 0.75 * math.pi * R[1:5] ** 2
    assert scaled.quantity == "scaled_tail" and scaled.x == pytest.approx(R[1:5])
    assert scaled.value == pytest.approx(balls * expected)
    influence = derivatives(lambda w: (w @ ABOVE)[1:5] / (w @ POINTS), 2)
    assert tail.influence == pytest.approx(influence, rel=1e-6)
    assert scaled.influence == pytest.approx(balls * influence, rel=1e-6)
    ends = intervals.of_share(expected, tail.error, 2)
    assert np.allclose(tail.ends, ends) and np.allclose(scaled.ends, [balls * end for end in ends])


def test_exponents_are_slopes_over_four_bins():
    """16 points in the range of the slope, and 16 beyond it: at bin 2 (149 and 31), not at bin 3 (4 beyond)."""
    (exponent,) = (e for e in tail_of() if e.quantity == "tail_exponent")
    slope = math.log(31 / 180) / (0.2 * math.log(10))
    assert exponent.x == pytest.approx(R[[2]]) and exponent.value == pytest.approx([slope])
    steep, flat = intervals.of_positive(-exponent.value, exponent.error, 2)
    assert np.allclose(exponent.ends, (-flat, -steep))


def test_influences_of_an_exponent_are_of_both_ends_of_its_range():
    r = 10 ** (np.arange(8) / 20)
    (exponent,) = (e for e in tail_of(LONGER) if e.quantity == "tail_exponent")
    slopes = derivatives(lambda w: np.log((w @ LONGER)[4:7] / (w @ LONGER)[:3]) / (0.2 * math.log(10)), 2)
    assert exponent.x == pytest.approx(r[2:5]) and exponent.influence == pytest.approx(slopes, rel=1e-6)


def test_an_exponent_needs_16_points_in_its_range_and_two_bins_on_either_side():
    """At bin 2 there are 100 in the range, at bin 3 there are 12; of three bins, each has fewer than two below or above."""
    flat = np.array([[100.0, 50, 50, 50, 45, 44]] * 2)
    (exponent,) = (e for e in tail_of(flat, np.array([100.0, 100.0])) if e.quantity == "tail_exponent")
    assert exponent.x == pytest.approx(R[[2]])
    (exponent,) = (e for e in tail_of(ABOVE[:, :3]) if e.quantity == "tail_exponent")
    assert len(exponent.x) == 0


def quantiles(*tail):
    (found,) = (e for e in tail_of(*tail) if e.quantity == "quantile")
    return found


def test_quantiles_need_16_points_on_either_side():
    """A tenth of 160 points is 16; a hundredth of 180 is 1.8, also of a tail that reaches 0."""
    assert quantiles(TO_ZERO).x.tolist() == [0.1, 0.25, 0.5, 0.75, 0.9]
    half = np.array([[80.0, 66, 60, 40, 11, 0]] * 2)
    assert 0.1 in quantiles(half, np.array([80.0, 80.0])).x


def test_quantiles_are_interpolated_in_the_logarithm_of_r():
    """Those of .25, .5, .75; for .1 and .9 of 180 points 18 are on one side; .99 has 1.8. The tail begins at 1 and ends at .022."""
    found = quantiles()
    assert found.x.tolist() == [0.1, 0.25, 0.5, 0.75, 0.9] and found.note.tolist() == [None] * 5

    def quantile(q, w=(1.0, 1.0)):
        return np.exp(np.interp(q - 1, -(np.array(w) @ ABOVE) / (np.array(w) @ POINTS), np.log(R)))

    for k, q in enumerate(found.x):
        assert found.value[k] == pytest.approx(quantile(q))
        assert found.influence[:, k] == pytest.approx(derivatives(lambda w, q=q: quantile(q, w), 2), rel=1e-6)


def quantile(q, r, above, points):
    return distances._quantiles(np.array([q]), r, *ratio(above, points), above, points[:, None], np.zeros(len(r), int))


def test_quantiles_that_do_not_exist():
    """A tail that begins below the level, and one that ends above it."""
    points = np.array([100.0, 100.0])
    for tail in ([[80.0, 40], [80, 40]], [[100.0, 95], [100, 95]]):
        assert quantile(0.1, R[:2], np.array(tail), points).value.size == 0
    falling = np.array([[80.0, 40], [80, 40]])
    assert quantile(0.2, R[:2], falling, points).value.size == 0  # the level of the first bin may be passed before
    assert quantile(0.6, R[:2], falling, points).value == pytest.approx(R[[1]])


def bins(counts):
    """Return rows of `distances` from [replicate, color, order, counts at bins 0, 1, ...]."""
    rows = [(*key, k, 10 ** (k / 20), count) for *key, line in counts for k, count in enumerate(line)]
    columns = map(np.array, zip(*rows, strict=True))
    return dict(zip(["replicate", "color", "order", "bin", "r_lower", "count"], columns, strict=True))


def tails_of(sample, rows):
    """Return the estimates of the tail of each color and order."""
    return [part for e in distances.tails([sample], [rows]) if e.quantity == "tail" for part in e.parts()]


COUNTS = TABLES["counts"]


def test_colors_with_different_laws_have_tails_of_their_own():
    found = tails_of(sample_of("two-color"), bins(COUNTS))
    assert [(e.color, e.order) for e in found] == [(0, 0), (1, 0)]
    assert found[0].value == pytest.approx([130 / 180, 50 / 180]) and found[1].value == pytest.approx(
        [80 / 110, 40 / 110]
    )


def test_colors_with_the_same_law_are_taken_together():
    found = tails_of(sample_of("two-color", intensities=(0.5, 0.5)), bins(COUNTS))
    assert [e.color for e in found] == [0, 1]
    for e in found:
        assert e.value == pytest.approx([210 / 290, 90 / 290])
        assert e.influence[:, 0] == pytest.approx([(110 - 150 * 210 / 290) / 145, (100 - 140 * 210 / 290) / 145])


def test_partners_have_a_tail_for_each_order_and_colors_without_points_none():
    sample = sample_of("multi(2)", intensities=(0.75, math.nan))
    rows = bins([*COUNTS[:2], *TABLES["of_second_partners"]])
    found = tails_of(sample, rows)
    assert [(e.color, e.order) for e in found] == [(0, 0), (0, 1)]
    assert found[1].value == pytest.approx([100 / 180, 30 / 180])
    empty = sample_of("two-color", points_1=0)
    assert {e.color for e in tails_of(empty, rows)} == {0}


def test_ratios_are_sums_over_sums():
    columns = {"quantity": ["a", "a", "b", "b", "c", "c"], "x": [2.0] * 6, "replicate": [1, 0, 0, 1, 0, 1],
               "numerator": [3.0, 1, 1, 1, 0, 0], "denominator": [8.0, 4, 1, 0, 0, 0]}  # fmt: skip
    found = [
        *OBSERVABLES["desirers"].estimate(sample_of(), {name: np.array(values) for name, values in columns.items()})
    ]
    assert [e.total.tolist() for e in found] == [[12], [1], []]
    assert [(e.quantity, e.x.tolist(), e.value.tolist()) for e in found] == [
        ("a", [2.0], [pytest.approx(1 / 3)]),
        ("b", [2.0], [2.0]),
        ("c", [], []),
    ]
    assert found[0].influence[:, 0] == pytest.approx([-1 / 18, 1 / 18])  # in the order of replicates


def ends_of(quantity, estimate):
    return with_ends(quantity, estimate).ends


def of_colors(sample):
    """Return the estimates of the unmatched points of a cell, by quantity and color."""
    return {(e.quantity, e.color): e for made in OBSERVABLES["unmatched"].estimates([sample], []) for e in made.parts()}


def unmatched_of(**columns):
    return of_colors(sample_of(**columns))


def test_fractions_and_densities_and_means_of_each_color():
    found = unmatched_of(
        rule="two-color", unmatched_0=[50, 20], sum_distance_0=[100.0, 60.0], sum_distance_1=[20.0, 30.0]
    )
    assert found["unmatched_fraction", 0].value == pytest.approx([70 / 180])
    assert found["unmatched_density", 0].value == pytest.approx([70 / 512])
    mean = found["mean_distance", 0]
    assert mean.value == pytest.approx([160 / 110]) and mean.note == [None]
    assert mean.influence[:, 0] == pytest.approx([(100 - 50 * 160 / 110) / 55, (60 - 60 * 160 / 110) / 55])
    assert found["mean_distance", 1].value == pytest.approx([50 / 110])
    assert np.allclose(ends_of(quantities()["mean_distance"], mean), intervals.of_positive(mean.value, mean.error, 2))
    assert not {("log_inverse_unmatched", 0), ("log_inverse_unmatched", 1), ("size_converged", 1)} & set(found)
    density = found["unmatched_density", 0]
    assert density.influence[:, 0] == pytest.approx([15 / 256, -15 / 256])
    assert np.allclose(density.ends, intervals.of_positive(density.value, density.error, 2))
    fraction = found["unmatched_fraction", 0]  # the excess of the majority, which is not in clusters
    assert np.allclose(fraction.ends, intervals.of_share(fraction.value, fraction.error, 2))
    means = sample_of("two-color").means
    of_none = intervals.of_excess(0.0, np.array([-50.0, -20.0]), means[1] - means[0])
    assert np.allclose(np.ravel(found["unmatched_fraction", 1].ends), np.array(of_none) / 110)
    found = unmatched_of(rule="fussy", unmatched_1=[50, 20], points_1=[100, 80])
    inverse, fraction = found["log_inverse_unmatched", 1], found["unmatched_fraction", 1]
    assert inverse.value == pytest.approx([math.log(180 / 70)])
    assert inverse.influence == pytest.approx(fraction.influence / fraction.value)
    assert np.allclose(inverse.ends, [-np.log(end) for end in reversed(fraction.ends)])


def test_an_infinite_mean_says_so_and_colors_without_points_or_pairs_have_none():
    assert unmatched_of(dim=1.0)["mean_distance", 0].note == "infinite in infinite volume"
    found = unmatched_of(rule="two-color", points_1=0, unmatched_0=[100, 80])
    assert {color for _, color in found} == {0} and ("mean_distance", 0) not in found
    assert found["unmatched_fraction", 0].value == [1.0]
    assert {color for _, color in unmatched_of(rule="two-color", points_0=0)} == {1}


def test_convergence_is_of_the_reference_color():
    few = unmatched_of(rule="fussy", unmatched_1=[1, 2])
    assert few["size_converged", 1].value == [0.0] and ("size_converged", 0) not in few
    assert few["size_converged", 1].influence.tolist() == [[0.0], [0.0]]
    rows, smaller = (rows_of("fussy", unmatched_1=[20, 24], size=size) for size in (192.0, 24.0))
    context = Context(CellSample(each).summary for each in (rows, smaller))
    found = of_colors(CellSample(rows, context))
    assert found["size_converged", 1].value == [1.0]


def test_one_replicate_has_no_interval_of_clusters():
    sample = CellSample(rows_of("fussy", unmatched_1=[1, 2]).iloc[:1])
    found = of_colors(sample)
    assert np.isnan(found["unmatched_fraction", 1].ends).all() and np.isnan(found["unmatched_fraction", 1].error).all()
    assert np.isnan(found["unmatched_density", 1].ends).all()


def test_an_index_below_one_counts_as_one():
    """Ten tori of ten unmatched points each, with no scatter: their interval is that of independent points, were they few."""
    sample = sample_of("fussy", unmatched_1=[9, 9], points_1=[50, 50])
    assert unmatched.interval_of_count(sample, np.array([9.0, 9.0]), 1).ends == intervals.of_count(18, 2.0, 9)
    ten = CellSample(pd.concat([rows_of("fussy", unmatched_1=9, points_1=[50, 50])] * 5, ignore_index=True))
    assert unmatched.interval_of_count(ten, np.full(10, 9.0), 1).ends == intervals.of_count(90, 1.0, 9)
    assert unmatched.interval_of_count(ten, np.full(10, 10.0), 1) is None


def test_the_mean_is_the_first_moment_and_one_matched_pair_is_enough():
    """Of one-color in d = 2 the second moment is infinite, and the first is not."""
    assert unmatched_of(dim=2.0)["mean_distance", 0].note == "variance infinite: the value concerns tori of this size"
    assert unmatched_of(dim=3.0)["mean_distance", 0].note == [None]
    found = unmatched_of(rule="two-color", points_0=[2, 3], unmatched_0=[1, 3], sum_distance_0=[0.5, 0.0])
    assert found["mean_distance", 0].value == [0.5]


def test_ln_1_over_u_is_not_below_0():
    """The interval of 8 points in clusters ends above the 10 points that there are."""
    found = unmatched_of(rule="fussy", points_1=[5, 5], unmatched_1=[4, 4])
    assert found["unmatched_fraction", 1].ends[1] > 1 and found["log_inverse_unmatched", 1].ends[0] == 0


def test_an_excess_on_many_tori_or_of_one_sign_has_the_interval_of_its_mean():
    """Of 20 tori with an excess; and of two tori whose excess is 100 standard deviations from 0."""
    many = pd.concat([rows_of("two-color", unmatched_0=[50, 20])] * 10, ignore_index=True)
    assert unmatched.interval_of_count(CellSample(many), np.array([50.0, 20.0] * 10), 0) is None
    of_one_sign = rows_of("two-color", unmatched_0=[101, 99], intensity_0=0.25 + 100 / 256)
    assert unmatched.interval_of_count(CellSample(of_one_sign), np.array([101.0, 99.0]), 0) is None
    assert unmatched.interval_of_count(CellSample(of_one_sign), np.zeros(2), 1).ends[1] < 1e-50
