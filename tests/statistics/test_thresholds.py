"""Thresholds of finite-size effects with literal numbers: what is lacking, and how many points it would take."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poissonmatch.statistics.finite_size import Tori, lacking, sentence
from poissonmatch.theory.finite_size import is_smaller_size, rounded


def tori(size=8000.0, dim=2, red=(20, 30, 25, 21), reds=(800,) * 4, green=(0,) * 4, longest=(0.1,) * 4, side=None):
    side = size ** (1 / dim) if side is None else side
    return Tori(dim, size, side, *(np.array(v, float) for v in (red, reds, green, np.multiply(longest, side))))


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
    found, words, takes = [*lacking(*CASES[case][:2])], CASES[case][2], CASES[case][3]
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

    once = [*lacking(*repeated(1, 1))]
    for more in ((times, 1), (1, times), (times, times)):
        assert len([*lacking(*repeated(*more))]) <= len(once)


@pytest.mark.parametrize(("points", "up"), [(1000, 1000), (1001, 1100), (24000, 24000), (6.61e6, 6.7e6), (99.5, 100)])
def test_numbers_of_points_are_rounded_up(points, up):
    assert rounded(points) == up


def test_sizes_are_compared_to_one_percent():
    assert is_smaller_size(1000, 8000) and is_smaller_size(1010, 8000) and is_smaller_size(990, 8000)
    assert not is_smaller_size(1011, 8000) and not is_smaller_size(989, 8000) and not is_smaller_size(8000, 1000)
