"""Certified bounds of values."""

import pytest

from poissonmatch_games.toads.bounds import Bounds, bracket
from poissonmatch_games.toads.outcome import OutcomeEngine
from poissonmatch_games.toads.ruleset import ToadsAndFrogs


@pytest.mark.parametrize("strip", "TTT..FF TT..FFF TTTT..FFF TTT....FF TTT...F.F T.T...FF. TTTT....FF".split())
def test_bounds_are_true(strip):
    value = ToadsAndFrogs(strip).value
    answer = bracket(OutcomeEngine(2**24), strip, float("inf"))
    if isinstance(answer, Bounds):
        assert answer.below is not None and answer.above is not None
        assert answer.below < value < answer.above
        assert all(value.confused(x) for x in answer.confused)
    else:
        assert answer is value


def test_bounds_are_printed():
    bounds = Bounds()
    assert str(bounds) == "V not bounded"
    bounds.add(2, ">")
    bounds.add(3, "|")
    assert str(bounds) == "2 < V, V confused with 3"
    bounds.add(4, "<")
    bounds.add(1, ">")
    assert str(bounds) == "2 < V < 4, V confused with 3"
