"""Thresholds of finite-size effects with literal numbers: what is lacking, and how many points it would take."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poissonmatch as pm
from poissonmatch.rules.catalogue import RULES
from poissonmatch.studies.statistics.convergence import Tori, lacking, reference_color_of, sentence
from poissonmatch.theory.finite_size import rounded


def tori(size=8000.0, dim=2, red=(20, 30, 25, 21), reds=(800,) * 4, green=(0,) * 4, longest=(0.1,) * 4, side=None):
    side = size ** (1 / dim) if side is None else side
    return Tori(dim, size, side, *(np.array(v, float) for v in (red, reds, green, np.multiply(longest, side))))


def lacks(large, small):
    return [*lacking(large, None if small is None else small.fraction())]


SMALL = tori(size=1000.0, red=(2, 4, 3, 3), reds=(100,) * 4)
CASES = {  # the tori, those of an eighth, what is said, what it would take
    "right": (tori(), SMALL, [], None),
    "few left": (tori(red=(4, 6, 5, 5)), tori(size=1000.0, red=(0, 1, 1, 0), reds=(100,) * 4),
                 ["5 unmatched red points per torus, at least 15 needed"], 24000),
    "none left": (tori(red=(0,) * 4), tori(size=1000.0, red=(0,) * 4, reds=(100,) * 4), ["0 unmatched red points"], 8000 * 15 / (6 / 4)),
    "greens": (tori(green=(0, 2, 0, 1)), SMALL, ["0.75 unmatched green points per torus, at most 0.01 for each"], 64000),
    "a long pair on one torus": (tori(longest=(0.1, 0.5, 0.1, 0.1)), SMALL, [], None),
    "long pairs": (tori(longest=(0.5, 0.5, 0.6, 0.4)), SMALL, ["the longest pair is 0.5 of the side on average, must be below 0.25"], 32000),
    "a quarter itself": (tori(longest=(0.25,) * 4), SMALL, ["0.25 of the side on average, must be below 0.25"], 8000),
    "a fifth in d = 1": (tori(dim=1, longest=(0.21,) * 4), SMALL, ["0.21 of the side on average, must be below 0.2"], 8400),
    "a fourth in d = 3": (tori(dim=3, longest=(0.21,) * 4), SMALL, [], None),
    "alone": (tori(), None, ["there is no cell of 1000 points to compare with"], None),
    "moved": (tori(), tori(size=1000.0, red=(9, 8, 9, 10), reds=(100,) * 4),
              ["u is 0.03, at 1000 points 0.09: more than 0.75 standard deviations of one torus apart"], 64000),
    "one torus": (tori(red=(30,), reds=(900,), green=(0,), longest=(0.1,)), tori(size=1000.0, red=(3,), reds=(100,), green=(0,), longest=(0.1,)),
                  ["one replicate, no error"], 64000),
    "several": (tori(red=(4, 6, 5, 5), green=(1, 0, 0, 0)), None,
                ["5 unmatched red points", "0.25 unmatched green points per torus", "no cell of 1000 points"], 64000),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_lacks_is_said_with_what_it_would_take(case):
    found, words, takes = lacks(*CASES[case][:2]), CASES[case][2], CASES[case][3]
    assert len(found) == len(words) and all(word in lack.words for word, lack in zip(words, found, strict=True))
    text = sentence(found)
    assert text.startswith("finite-size warning: ") if words else text == ""
    numbers = [lack.points for lack in found if not math.isnan(lack.points)]
    assert (max(numbers) if numbers else None) == (None if takes is None else pytest.approx(takes))
    assert (f"; about {rounded(takes):.3g} points are needed" in text) if takes else "points are needed" not in text


COUNTS = st.lists(st.integers(0, 60), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    red=COUNTS,
    small=COUNTS,
    green=st.integers(0, 3),
    longest=st.lists(st.floats(0.01, 0.5), min_size=1, max_size=6),
    times=st.integers(2, 40),
)
def test_more_replicates_of_the_same_kind_never_make_a_cell_less_converged(red, small, green, longest, times):
    """The same tori several times over: each condition that held still holds."""

    def repeated(times, other):
        greens = (green, *[0] * (len(red) - 1))
        longest_of = [longest[k % len(longest)] for k in range(len(red))]
        large = tori(red=red * times, reds=[800] * (len(red) * times), green=greens * times, longest=longest_of * times)
        return large, tori(size=1000.0, red=small * other, reds=[100] * (len(small) * other), green=(0,) * (len(small) * other),
                           longest=(0.1,) * (len(small) * other))  # fmt: skip

    once = lacks(*repeated(1, 1))
    for more in ((times, 1), (1, times), (times, times)):
        assert len(lacks(*repeated(*more))) <= len(once)


def test_numbers_of_tori_from_rows_of_replicates():
    columns = {"dim": 2.0, "size": 90.0, "side": 9.0, "unmatched_0": [1, 2], "points_0": [30, 40], "longest_0": [2.0, 3.0],
               "unmatched_1": [5, 6], "points_1": [50, 60], "longest_1": [4.0, 5.0]}  # fmt: skip
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


def test_the_scatter_of_both_sizes_counts():
    """u is .05 +- .02 on the larger tori and .04 or .03 on the smaller ones, without scatter: .75 standard deviations are .015.

    With a scatter of .01 there they are .0168, and with .02 they are .0212.
    """
    wide = tori(red=(24, 56, 24, 56))
    for red, number in (((4,) * 4, 0), ((3,) * 4, 1), ((2, 4) * 2, 1), ((1, 5) * 2, 0)):
        assert len(lacks(wide, tori(size=1000.0, red=red, reds=(100,) * 4))) == number


def test_a_whole_warning():
    found = lacks(
        tori(red=(4,), reds=(800,), green=(0,), longest=(0.1,)), tori(size=1000.0, red=(1,), reds=(100,), green=(0,))
    )
    assert sentence(found) == (
        "finite-size warning: 4 unmatched red points per torus, at least 15 needed; u is 0.005, at 1000 points 0.01: "
        "one replicate, no error; about 6.4e+04 points are needed"
    )
    assert sentence(lacks(tori(), None)) == "finite-size warning: there is no cell of 1000 points to compare with"


def test_red_is_the_reference_color_of_two_colors_on_tori():
    fussy = RULES["fussy"]
    assert reference_color_of(fussy, 2, (1.0, 0.5)) == 1
    for dim, intensities in ((math.inf, (1.0, 0.5)), (2, (1.0, 0.0)), (2, (1.0,)), (2, (1.0, 1.0, 1.0))):
        assert reference_color_of(fussy, dim, intensities) is None
    assert reference_color_of(RULES["two-color"], 2, (1.0, 0.5)) is None


def test_a_torus_that_is_too_small_is_flagged():
    """rho = 0.3 on the line, u = 0.094: 300 points have 6 unmatched reds, 2400 have 52, as 19200 have, which are eight times as many."""
    words = dict(process="binomial", rule="fussy", dims=1, ratios=0.3, replicates=24, observables=["unmatched"])
    found = pm.sweep(**words, sizes=[300, 2400, 19200]).estimates
    rows = found[found["quantity"] == "size_converged"].set_index("size")
    assert rows["value"].to_dict() == {300.0: 0.0, 2400.0: 1.0, 19200.0: 1.0}
    assert (rows["color"] == 1).all() and (rows["standard_error"] == 0).all() and (rows["lower"] == rows["value"]).all()
    single = pm.sweep(**words, sizes=19200).estimates  # nothing beside it
    assert single[single["quantity"] == "size_converged"]["value"].tolist() == [0.0]
