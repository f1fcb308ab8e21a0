"""Figures of exact games, through their front door: thermographs and the timeline of the puzzle, read back from their artists."""

from fractions import Fraction

import numpy as np
import pytest
from matplotlib.colors import to_hex

import poissonmatch as pm
from helpers.drawn import curves, labels, overlaps
from helpers.slow_thermographs import stops
from poissonmatch_games.figures.partisan_figures import PIECES
from poissonmatch_games.toads.lucas_puzzle import shortest_solution


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["+-1", "{2|-1}", "{{4|2}|-1}", "{3|{1|-2}}", "*", "^", "3", "-1/4", "{3,{4|1}|{0|-3}}"]
)
def test_a_thermograph_is_both_stops_of_the_cooled_game(text):
    """The walls that are drawn, at every temperature of a grid, against the definition: stops of the game with a tax."""
    value = pm.games.parse(text)
    figure = pm.figures.thermograph(text)
    (ax,) = figure.axes
    left, right, mast = (line.get_xydata() for line in ax.get_lines())
    for t in [Fraction(k, 8) for k in range(0, 33)]:
        for wall, want in zip((left, right), stops(value, t), strict=True):
            assert np.interp(float(t), wall[:, 1], wall[:, 0]) == pytest.approx(float(want))
    assert set(mast[:, 0]) == {float(value.mean)} and min(mast[:, 1]) == float(value.temperature)
    assert ax.xaxis_inverted() and (ax.get_xlabel(), ax.get_ylabel()) == ("value", "temperature")
    assert labels(figure) == ["left wall", "right wall", "mast"] and overlaps(figure) == []
    assert f"Thermograph of {value}: mean {value.mean}, temperature {value.temperature}." in pm.figures.caption(figure)


def test_what_has_a_thermograph():
    """A value, how it is written, and a position, which the caption names."""
    from matplotlib.figure import Figure

    position = pm.games.partisan.Domineering("../..")
    ax = Figure().subplots()
    figures = [pm.figures.thermograph(game) for game in (position.value, str(position.value), position)]
    assert pm.figures.thermograph(position, ax=ax) is ax.figure
    drawn = [curves(axes) for axes in (*(figure.axes[0] for figure in figures), ax)]
    assert drawn.count(drawn[0]) == 4
    assert "Thermograph of ../..: mean 0, temperature 1." in pm.figures.caption(figures[2])
    with pytest.raises(ValueError, match="expected"):
        pm.figures.thermograph("{1|")


@pytest.mark.parametrize("toads, frogs, blanks", [(1, 1, 1), (2, 2, 1), (3, 3, 1), (1, 2, 2), (0, 2, 1)])
def test_the_timeline(toads, frogs, blanks):
    """A row of squares for each position, arrows between them."""
    figure = pm.figures.puzzle(toads, frogs, blanks)
    (ax,) = figure.axes
    letters, seen = {shade.lower(): piece for piece, (shade, _) in PIECES.items()}, {}
    for dot in ax.collections:
        ((x, y),) = dot.get_offsets()
        seen[round(y), round(x)] = letters.get(to_hex(dot.get_facecolor()[0]), ".")
    strips = shortest_solution(toads, frogs, blanks)
    assert ["".join(seen[k, x] for x in range(len(strips[0]))) for k in range(len(strips))] == strips
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert len(arrows) == len(strips) - 1 == toads * frogs + blanks * (toads + frogs)
    for k, arrow in enumerate(arrows):
        (start, above), (end, below) = arrow.xyann, arrow.xy
        assert (above, below) == (k, k + 1) and strips[k][start] == strips[k + 1][end] != "."
    assert sum(arrow.arrow_patch.get_linewidth() > 1 for arrow in arrows) == toads * frogs
    names = [f"{n} {word}{'s' * (n != 1)}" for n, word in ((toads, "toad"), (frogs, "frog"))]
    assert labels(figure) == names and " and ".join(names) in pm.figures.caption(figure)
