"""Printed cells, and what it means to agree with them; that they are right: test_canonical and test_outcome."""

import pytest

from helpers.tables import tables
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.toads.published_values import Published, published

TABLES = tables(__file__, "values.toml")


@pytest.mark.parametrize("text, value, agreement", TABLES["agreement"])
def test_agreement(text, value, agreement):
    assert Published(text, "").agreement(parse(value) if value else None) == (agreement or None)


def test_blank_cells_are_not_published():
    assert published(1, 4, 7) is None and published(1, 9, 1) is None and published(7, 1, 1) is None
