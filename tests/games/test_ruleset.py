"""Toads and Frogs as a ruleset: what is no strip, and how a value is explained."""

from __future__ import annotations

import pytest

from poissonmatch_games.toads.ruleset import ToadsAndFrogs


@pytest.mark.parametrize("strip", ["TX", "T^", "T^-1", "T^2.5 F", "tf", "T^a", "^2"])
def test_illegal_strips(strip):
    with pytest.raises(ValueError):
        ToadsAndFrogs(strip)


@pytest.mark.parametrize("strip", [5, None, ["T"]])
def test_a_strip_is_a_string(strip):
    with pytest.raises(TypeError):
        ToadsAndFrogs(strip)


def test_explain():
    lines = ToadsAndFrogs("TT.F").explain()
    assert lines[0] == "Left moves to T.TF = 0" or "Left moves to" in lines[0]
    assert lines[-1] == "TT.F = {1/2|0}"
    assert any("dominated" in line or "reversible" in line for line in ToadsAndFrogs("T.T.FF").explain())
