"""Names of values: number + ups + nimber (Winning Ways, ch. 2-3)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.partisan.values import UP, number, ups


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("0", "", ""),
        ("*", "0", "0"),
        ("^", "0", "*"),
        ("^*", "0,*", "0"),
        ("^2", "0", "^*"),
        ("^2*", "0", "^"),
        ("^3", "0", "^2*"),
        ("v2", "v*", "0"),
        ("*2", "0,*", "0,*"),
        ("^*2", "0", "*3"),
        ("3*", "3", "3"),
        ("1/2", "0", "1"),
        ("-3/4", "-1", "-1/2"),
        ("2^", "2", "2*"),
    ],
)
def test_names(text, left, right):
    assert str(parse(f"{{{left}|{right}}}")) == text
    assert parse(text) is parse(f"{{{left}|{right}}}")


@pytest.mark.parametrize("k", range(-5, 6))
@pytest.mark.parametrize("m", range(5))
def test_ups_and_nimbers(k, m):
    value = number(Fraction(3, 2)) + k * UP + ups(0, m)
    assert value is ups(k, m) + Fraction(3, 2)
    assert value.name == (Fraction(3, 2), k, m)
    assert parse(str(value)) is value
