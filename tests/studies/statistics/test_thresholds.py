"""Thresholds of finite-size effects with literal numbers: what is lacking, and how many points it would take."""

import math

import numpy as np
import pandas as pd
import pytest

from helpers.sweeps import swept
from helpers.tables import tables
from poissonmatch.rules.catalogue import RULES
from poissonmatch.studies.statistics.convergence import (
    Fraction,
    Tori,
    converged_by,
    error_of_shift,
    is_shifted,
    lacking,
    reference_color_of,
    sentence,
)
from poissonmatch.theory.finite_size import compared_size, rounded


def tori(size=8000.0, dim=2, red=(20, 30, 25, 21), reds=(800,) * 4, green=(0,) * 4, longest=(0.1,) * 4, side=None):
    side = size ** (1 / dim) if side is None else side
    return Tori(dim, size, side, *(np.array(v, float) for v in (red, reds, green, np.multiply(longest, side))))


def of_case(name):
    """What the tori of a case lack."""
    large, small = (CASES[name].get(part) for part in ("large", "small"))
    return lacks(tori(**large), None if small is None else tori(**small))


def lacks(large, small):
    return [*lacking(large, None if small is None else small.fraction())]


TABLES = tables(__file__)
CASES = TABLES["cases"]


@pytest.mark.parametrize("case", CASES)
def test_what_lacks_is_said_with_what_it_would_take(case):
    found, words, takes = of_case(case), CASES[case]["says"], CASES[case].get("takes")
    assert len(found) == len(words) and all(word in lack.words for word, lack in zip(words, found, strict=True))
    text = sentence(found)
    assert text.startswith("finite-size warning: ") if words else text == ""
    numbers = [lack.points for lack in found if not math.isnan(lack.points)]
    assert (max(numbers) if numbers else None) == (None if takes is None else pytest.approx(takes))
    assert (f"; about {rounded(takes):.3g} points are needed" in text) if takes else "points are needed" not in text


def test_a_verdict_is_null_only_if_nothing_else_fails():
    assert converged_by([]) == (1.0, None)
    assert converged_by(of_case("moved")) == (0.0, None)
    value, note = converged_by(of_case("alone"))
    assert math.isnan(value) and note == "not tested: add a size of at most 1,000 points"
    assert converged_by(of_case("several")) == (0.0, None)


def test_a_shift_of_one_percent_never_counts():
    """With u = .0302 or .0304 on 1000 points, and .03 on 8000, without scatter."""
    own = Fraction(8000, 4000, 800, 0.03, 0.0)
    assert [is_shifted(own, Fraction(1000, 4000, 100, u, 0.0)) for u in (0.0302, 0.0304)] == [False, True]


CASES_OF_COUNTS = TABLES["counts"]  # mean, factor, index
STUDIES = {4: 500, 16: 1000, 64: 500}  # of 20 cells, by the number of tori
POWER = {4: 0.05, 16: 0.4, 64: 0.6}  # at least, on average over the cases


@pytest.mark.slow
@pytest.mark.parametrize("n", STUDIES)
def test_false_alarms_are_below_one_percent_of_studies(n):
    """Counts in clusters (negative binomial) of 20 cells a study; the design was fixed before it was run.

    The power is against a bias of two standard errors on the larger tori which is inversely
    proportional to the number of points. Results in docs/result-tables.md.
    """
    rng, alarms, power = np.random.default_rng(n), 0, []
    for mean, factor, index in CASES_OF_COUNTS:

        def counts(mean, size, index=index):
            return rng.poisson(mean, size) if index == 1 else rng.negative_binomial(mean / (index - 1), 1 / index, size)

        def shifts(bias, cells, mean=mean, factor=factor, counts=counts):
            small = counts(mean / factor + bias, (cells, n))
            for red, other in zip(counts(mean + bias, (cells, n)), small, strict=True):
                reds = np.full(n, 1000.0 * mean)
                own, smaller = tori(red=red, reds=reds), tori(size=8000 / factor, red=other, reds=reds / factor)
                yield is_shifted(own.fraction(), smaller.fraction())

        alarms += sum(shifts(0.0, 20 * STUDIES[n] // len(CASES_OF_COUNTS)))
        power.append(np.mean([*shifts(2 * np.sqrt(index * mean / n), 300)]))
    assert alarms <= 0.01 * STUDIES[n] and np.mean(power) >= POWER[n]


@pytest.mark.parametrize("points, up", TABLES["rounded"])
def test_numbers_of_points_are_rounded_up(points, up):
    assert rounded(points) == up


def test_the_largest_size_of_at_most_an_eighth_is_compared():
    """To one percent."""
    assert compared_size([500, 990, 1010, 1011, 2000, 8000], 8000) == 1010
    assert compared_size([500, 2000, 8000], 8000) == 500
    assert math.isnan(compared_size([500, 2000], 2000)) and math.isnan(compared_size([], 2000))


def test_numbers_of_tori_from_rows_of_replicates():
    columns = TABLES["replicates"]
    found = Tori.of(pd.DataFrame(columns), 1)
    assert (found.dim, found.size, found.side) == (2.0, 90.0, 9.0)
    values = [found.red, found.reds, found.green, found.longest]
    assert [array.tolist() for array in values] == [[5, 6], [50, 60], [1, 2], [2, 3]]
    assert Tori.of(pd.DataFrame(columns), 0).red.tolist() == [1, 2]


def test_thresholds_themselves_are_allowed():
    """15 unmatched reds, and .01 greens for each: .15 on average over 20 tori."""
    at = tori(red=(15,) * 20, reds=(800,) * 20, green=(1, 1, 1, *[0] * 17), longest=(0.1,) * 20)
    smaller = tori(size=1000.0, red=(2, 1) * 7 + (3,) * 2, reds=(100,) * 16)
    assert not lacks(at, smaller)
    more = tori(red=(15,) * 20, reds=(800,) * 20, green=(1, 1, 1, 1, *[0] * 16), longest=(0.1,) * 20)
    assert ["green" in lack.words for lack in lacks(more, smaller)] == [True]


def test_the_error_of_a_shift_by_hand():
    """u is .05 +- .02 on 800 reds and .04 +- .01 on 100: the variance of one torus times its reds is .32 and .01.

    With four tori each, six degrees of freedom, this is (4 x .32 + 4 x .01) / 6 = .22, more than MIN_INDEX u = .1.
    """
    own, smaller = (
        tori(red=(24, 56) * 2).fraction(),
        tori(size=1000.0, red=(3, 5) * 2, reds=(100,) * 4).fraction(),
    )
    error, limit = error_of_shift(own, smaller)
    assert error == pytest.approx(math.sqrt(0.22 / 3200 + 0.22 / 400)) and limit == pytest.approx(6.5937, abs=0.001)
    calm = tori(red=(40,) * 4).fraction()
    assert error_of_shift(calm, calm)[0] == pytest.approx(math.sqrt(2 * 0.1 / 3200))
    many = tori(red=(24, 56) * 8, reds=(800,) * 16).fraction()
    error, limit = error_of_shift(many, many)
    assert error == pytest.approx(0.02 / math.sqrt(15 / 2)) and limit == pytest.approx(4.4824, abs=0.001)


def test_a_whole_warning():
    found = lacks(
        tori(red=(4,), reds=(800,), green=(0,), longest=(0.1,)), tori(size=1000.0, red=(1,), reds=(100,), green=(0,))
    )
    assert sentence(found) == (
        "finite-size warning: 4 unmatched red points per torus, at least 15 needed; one replicate, no error; "
        "about 2e+04 points are needed"
    )
    assert sentence(of_case("alone")) == "finite-size warning: not tested: add a size of at most 1,000 points"


def test_red_is_the_reference_color_of_two_colors_on_tori():
    fussy = RULES["fussy"]
    assert reference_color_of(fussy, 2, (1.0, 0.5)) == 1
    for dim, intensities in TABLES["without_a_reference_color"]:
        assert reference_color_of(fussy, dim, tuple(intensities)) is None
    assert reference_color_of(RULES["two-color"], 2, (1.0, 0.5)) is None


def test_a_torus_that_is_too_small_is_flagged():
    """rho = 0.3 on the line, u = 0.094: 300 points have 6 unmatched reds, 2400 have 52, as 19200 have, which are eight times as many."""
    words = "process: binomial, rule: fussy, dims: 1, ratios: 0.3, replicates: 24, observables: unmatched, sizes: "
    found = swept(words + "[300, 2400, 19200]").estimates
    rows = found[found["quantity"] == "size_converged"].set_index("size")
    assert rows["value"].to_dict() == {300.0: 0.0, 2400.0: 1.0, 19200.0: 1.0}
    assert (rows["color"] == 1).all() and (rows["standard_error"] == 0).all() and (rows["lower"] == rows["value"]).all()
    single = swept(words + "19200")  # nothing beside it
    rows = single.estimates[single.estimates["quantity"] == "size_converged"]
    assert rows[["value", "standard_error", "lower", "upper"]].isna().all(axis=None)
    assert rows["note"].tolist() == ["not tested: add a size of at most 2,400 points"]
    row = single.transitions[single.transitions["color_name"] == "red"].iloc[0]
    assert row["size_converged"] is None and row["size_converged_note"] == rows["note"].iloc[0]
