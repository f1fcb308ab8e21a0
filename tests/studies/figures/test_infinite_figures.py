"""Figures of infinite patterns: what is decided is drawn as such, what is not is open, and nothing ends at the edge."""

import numpy as np
import pytest

import poissonmatch as pm


def lines_of(ax, style="-"):
    dashed = style == "--"
    found = [c for c in ax.collections if type(c).__name__ == "LineCollection" and c.get_linewidths()[0] == 0.8]
    return [c.get_segments()[0] for c in found if bool(c.get_linestyle()[0][1]) == dashed]


def test_the_chain_of_figure_3_goes_on():
    chain = pm.infinite.DecreasingGaps()
    figure = pm.figures.infinite(pm.lazy.LazyMatching(chain, max_distance=50.0), [0], [5])
    (ax,) = figure.axes
    arrows = lines_of(ax, "--")  # from each of the five points to the next, the last beyond the edge
    assert (
        lines_of(ax) == [] and len(arrows) == 5 and max(arrow[:, 0].max() for arrow in arrows) > 5 == ax.get_xlim()[1]
    )
    assert "Open: not determined by the points within 50." in pm.figures.caption(figure)


def test_pairs_on_intervals_are_arcs_and_the_intervals_are_marked():
    lazy = {
        name: pm.lazy.LazyMatching(pm.infinite.Intervals(alone, seed=1), max_distance=50.0)
        for name, alone in (("all", []), ("one", [0]))
    }
    figure = pm.figures.infinite(lazy, [-6], [9])
    both, one = figure.axes
    assert len(lines_of(both)) == 5 and len(lines_of(one)) == 4
    for arc, i in zip(sorted(lines_of(both), key=lambda arc: arc[0][0]), range(-2, 3), strict=True):
        ends = sorted(p.coordinates[0] for p in lazy["all"].points.points((i,)))
        assert sorted(arc[[0, -1], 0]) == pytest.approx(ends)
        assert arc[:, 1].max() == pytest.approx(np.ptp(ends) / 2, rel=0.01)
    assert "Gray: the intervals $[3i, 3i+1]$" in figure.poissonmatch_caption


def test_the_window_and_partners_across_the_edge():
    lazy = pm.lazy.LazyMatching(pm.infinite.InfinitePoisson(2, seed=2), "multi(2)", max_distance=9.0)
    x = lazy.nearest([0, 0])
    figure = pm.figures.infinite(lazy, [-2, -2], [2, 2], around=x)
    (ax,) = figure.axes
    inside = [lazy.nearest(place) for place in lazy.points.window([-2, -2], [2, 2]).points.tolist()]
    pairs = {frozenset((p, q)) for p in inside for q in lazy.partners(p).answer or ()}
    assert len(lines_of(ax)) == len(pairs) and any(not pair <= set(inside) for pair in pairs)
    assert ax.get_xlim() == (-2, 2) and ax.get_ylim() == (-2, 2)
    ring = np.array(ax.lines[0].get_xydata()) - x.coordinates
    assert np.hypot(*ring.T) == pytest.approx(lazy.partners(x).window)
