"""A recorded game of frogs on any pattern: every pad in its place, every move with its number, and what cannot be seen is said."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.drawn import overlaps
from helpers.plain_calls import value_of
from helpers.tables import tables

CASES = tables(__file__)


@pytest.mark.parametrize("case", CASES)
def test_any_pattern(case):
    pattern, variant, words = value_of(CASES[case])
    record = pm.frogs.record(pattern, variant)
    assert record["winner"] == pm.frogs.solve(pattern, variant).winner
    figure = pm.figures.game(record)
    (ax,) = figure.axes
    pads = ax.collections[0].get_offsets()
    flat = np.column_stack([pattern.points, 0 * pattern.points])[:, : 2 if pattern.geometry.dim == 1 else None][:, :2]
    assert np.allclose(pads, flat)
    numbers = [text.get_text() for text in ax.texts if text.get_text()]
    assert sorted(map(int, numbers)) == [move["number"] for move in record["moves"]] and len(numbers) >= 2
    arrows = [(text.xyann, text.xy) for text in ax.texts if getattr(text, "arrow_patch", None)]
    jumps = [move for move in record["moves"] if move["start"] is not None]
    assert np.allclose(np.ravel(arrows), np.ravel([[flat[move["start"]], flat[move["end"]]] for move in jumps]))
    torus = [line.get_xydata().max(axis=0).tolist() for line in ax.get_lines() if len(line.get_xydata()) == 5]
    assert torus == ([[*pattern.geometry.sides, 0.0][:2]] if "Thin" in words else [])
    caption = pm.figures.caption(figure)
    assert words in caption and ("Thin" in caption) == ("Thin" in words) and ("Of " in caption) == ("Of " in words)
    assert [pair for pair in overlaps(figure) if "edge" in pair] == []
