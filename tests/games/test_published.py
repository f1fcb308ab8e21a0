"""Printed cells, and what it means to agree with them; that they are right: test_canonical and test_outcome."""

from __future__ import annotations

import pytest

from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.toads.published_values import Published, published


@pytest.mark.parametrize(
    "text, value, agreement",
    [
        ("2v4", "2v4", "equal"),
        ("2v4", "2v3", "differs"),
        ("1<V<2", "2v4", "inside the bound"),
        ("1<V<2", "2", "differs"),
        ("1<V<2", "{2|1}", "differs"),
        ("2<V,V||3", "3*", "inside the bound"),
        ("2<V,V||3", "5/2", "differs"),
        ("2<V,V||3", "{4|1}", "differs"),
        ("N", "^", "inside the bound"),
        ("N", "0", "inside the bound"),
        ("N", "1/16", "differs"),
        ("0", None, None),
        ("1<V<2", None, None),
    ],
)
def test_agreement(text, value, agreement):
    assert Published(text, "").agreement(value and parse(value)) == agreement


def test_blank_cells_are_not_published():
    assert published(1, 4, 7) is None and published(1, 9, 1) is None and published(7, 1, 1) is None
