"""Pictures of points: whole circles, no ticks, a scale bar, a key; in d = 1, 2, 3, of one's own points; games as they were played."""

import inspect

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import same_color
from matplotlib.figure import Figure

import poissonmatch as pm
from helpers.drawn import labels, overlaps
from helpers.refusals import rows
from helpers.runs import problems
from poissonmatch.studies.figures import canvas
from poissonmatch.studies.figures.draw import draw
from poissonmatch.studies.figures.recorded_games import boards
from poissonmatch.studies.figures.style import POINTS
from poissonmatch.utils.errors import BadInput

PADS = [[0.78, 0.6], [2.44, 0.18], [1.8, 1.46], [0.56, 0.11], [0.82, 1.31]]
PATTERN = pm.Pattern(PADS, geometry=pm.Euclidean(2))
GAME = [(None, 1), (None, 2), (1, 4), (2, 0), (4, 3)]


def on_torus(dim, n, intensity=1.0, seed=1):
    torus = pm.Torus((n / intensity) ** (1 / dim), dim)
    return pm.processes.two_color(torus, (intensity / 2, intensity / 2), rng=np.random.default_rng(seed))


@pytest.mark.parametrize("dim", [1, 2])
def test_circles_at_the_edge_are_whole(dim):
    """On the figure as well as in the frame."""
    side = 6.0
    places = np.array([[0.0, 3.0], [side - 1e-9, 1.0], [2.0, 0.0], [4.0, side - 1e-9]])[:, :dim]
    pattern = pm.Pattern(places, [1, 1, 1, 1], geometry=pm.Torus(side, dim))
    figure = draw("realization", pm.figures.picture(pattern, "fussy")).figure
    FigureCanvasAgg(figure).draw()
    (ax,), size = figure.axes, np.array(figure.get_size_inches()) * figure.dpi
    rings = [c for c in ax.collections if len(c.get_offsets()) == 4 and hasattr(c, "get_sizes")]
    for ring in rings:
        middle = ax.transData.transform(ring.get_offsets())
        radius = (np.sqrt(ring.get_sizes()[0]) + ring.get_linewidths()[0]) / 2 * figure.dpi / 72
        assert (middle - radius > 0).all() and (middle + radius < size).all() and not ring.get_clip_on()
    assert len(rings) == 1


@pytest.mark.parametrize("dim, n", [(1, 40), (2, 80), (3, 400)])
@pytest.mark.parametrize("intensity", [1.0, 4.0])
def test_a_picture_has_a_scale_bar_a_key_and_no_ticks(dim, n, intensity):
    pattern = on_torus(dim, n, intensity)
    figure = draw("realization", pm.figures.picture(pattern, "fussy")).figure
    (ax,) = figure.axes
    assert len(ax.get_xticks()) == len(ax.get_yticks()) == 0
    (bar,) = ax.get_lines()
    density = len(pattern) / pattern.geometry.volume
    assert np.ptp(bar.get_xdata()) == pytest.approx(density ** (-1 / dim))
    assert {"green", "red", "without a partner"} <= set(labels(figure))
    assert overlaps(figure) == []


def test_in_three_dimensions_a_slab_is_shown_and_told():
    pattern = on_torus(3, 1000)
    drawing = draw("realization", pm.figures.picture(pattern, "two-color"))
    thickness = pattern.geometry.side * 150 / len(pattern)
    assert f"a slab of thickness {thickness:.3g}" in drawing.caption
    inside = pattern.points[pattern.points[:, 2] < thickness, :2]
    drawn = np.concatenate([c.get_offsets() for c in drawing.figure.axes[0].collections if not c.get_clip_on()])
    assert {*map(tuple, np.asarray(drawn))} == {*map(tuple, inside)}


def test_the_matching_of_points_of_ones_own():
    """Not on a torus: a frame around the points, a scale bar of a round length; each pair as a line between its points."""
    figure = pm.figures.realization(pm.figures.picture(PATTERN, name="mine"))
    (ax,) = figure.axes
    pairs = {frozenset(map(tuple, np.round(s, 9))) for s in ax.collections[0].get_segments()}
    assert pairs == {frozenset(map(tuple, np.round(PATTERN.points[p], 9))) for p in pm.match(PATTERN).pairs}
    (bar,), (label,) = ax.get_lines(), ax.texts
    assert ax.axison and np.ptp(bar.get_xdata()) == pytest.approx(float(label.get_text().strip("$")))
    assert "mine, d = 2: 5 points, 1 without a partner" in pm.figures.caption(figure)


def test_the_picture_of_points_without_a_window_is_as_high_as_they_need():
    points = np.random.default_rng(1).random((100, 2))
    wide, narrow = (pm.Pattern(points * sides, geometry=pm.Euclidean(2)).plot() for sides in ([40, 10], [10, 40]))
    assert wide.get_figheight() < 0.4 * wide.get_figwidth() and narrow.get_figheight() == narrow.get_figwidth()


def test_a_rule_of_ones_own_is_drawn():
    rule = pm.Rule(capacity=(2,))
    assert "custom rule" in pm.figures.caption(pm.figures.realization(pm.figures.picture(on_torus(2, 30), rule)))


def test_the_color_of_a_line_is_the_same_from_both_ends():
    """In a 3-matching one point's nearest may be the other's second."""
    (ax,) = draw("realization", pm.figures.picture(on_torus(2, 60), "multi(3)")).figure.axes
    lines = ax.collections[0]
    seen = {}
    for (one, other), color in zip(lines.get_segments(), lines.get_colors(), strict=True):
        if 0 < min(other) and max(other) < ax.get_xlim()[1]:
            ends = frozenset((tuple(np.round(one, 6)), tuple(np.round(other, 6))))
            assert seen.setdefault(ends, tuple(color)) == tuple(color)
    assert len(seen) > 30


# ---- games ----


def test_a_game_is_recorded_and_drawn():
    """Whose arrow is whose, and no number on a pad; see test_recorded_games.py for the places of arrows and numbers."""
    record = pm.frogs.record(PATTERN, "friendly", GAME)
    assert [m["player"] for m in record["moves"]] == ["Alice", "Bob", "Alice", "Bob", "Alice"]
    assert [(m["start"], m["end"]) for m in record["moves"]] == GAME
    drawing = boards({"": record})
    (ax,) = drawing.figure.axes
    arrows = [text.arrow_patch for text in ax.texts if getattr(text, "arrow_patch", None)]
    for arrow, player in zip(arrows, ("amber", "blue", "amber"), strict=True):
        assert same_color(arrow.get_edgecolor(), POINTS[player])
    assert "Alice wins" in drawing.caption and overlaps(drawing.figure) == []
    numbers = np.array([text.get_position() for text in ax.texts if text.get_text()])
    assert np.linalg.norm(numbers[:, None] - PADS, axis=2).min() > 0.04 * np.ptp(PADS, axis=0).max()  # not on a pad
    one, two = (canvas.render(boards({"": record}), ("svg", "pdf")) for _ in range(2))
    assert one == two


def test_games_with_stones_are_recorded_and_drawn_and_replayed():
    game = pm.frogs.record(PATTERN, "stones", k=1)
    assert game["winner"] == pm.frogs.solve(PATTERN, "stones", k=1).winner
    again = pm.frogs.record(PATTERN, "stones", [(m["start"], m["end"], m["stones"]) for m in game["moves"]], k=1)
    assert again["moves"] == game["moves"] and again["winner"] == game["winner"]
    stones = {pad for move in game["moves"] for pad in move["stones"]}
    figure = pm.figures.game(game)
    crosses = [c for c in figure.axes[0].collections if c.get_linewidths()[0] == 1.6]
    assert len(crosses) == len(stones) > 0 and "Crosses: stones" in pm.figures.caption(figure)


def test_games_in_ponds_are_recorded_and_drawn_and_replayed():
    ponds = pm.frogs.record([PATTERN] * 2, "ponds")
    assert list(ponds) == ["pond 0", "pond 1"]
    assert ponds["pond 0"]["winner"] == pm.frogs.solve([PATTERN] * 2, "ponds").winner
    moves = [
        (move["number"], pond, move["start"], move["end"])
        for pond, record in enumerate(ponds.values())
        for move in record["moves"]
    ]
    opening = [tuple(end for number, at, _, end in moves if (number, at) == (1, pond)) for pond in (0, 1)]
    later = sorted(move for move in moves if move[0] > 1)
    assert [number for number, *_ in later] == list(range(2, 2 + len(later)))
    replayed = pm.frogs.record([PATTERN] * 2, "ponds", [opening, *(move[1:] for move in later)])
    assert [pond["moves"] for pond in replayed.values()] == [pond["moves"] for pond in ponds.values()]
    assert len(pm.figures.game(ponds).axes) == 2


def test_the_proof_of_theorem_7_is_drawn():
    """Whoever desires x has an arrow to it; what is deleted is open, and not there in the second panel; the others keep their pairs."""
    pattern = pm.processes.binomial(pm.Torus(6.0, 2), 36, rng=5)
    deletion = pm.deletion.without_desirers(pattern, 10)
    record = deletion.record()
    partner, n, gone = pm.match(pattern).partner, len(pattern), len(record["deleted"])
    desirers = np.flatnonzero(~np.isnan(record["toward_x"][:, 0]))
    assert partner[10] in desirers and 10 not in record["deleted"] and gone > 2
    for name, end in (("toward_partner", partner), ("toward_x", np.full(n, 10))):
        for k in np.flatnonzero(~np.isnan(record[name][:, 0])):
            step = record[name][k]
            assert np.hypot(*step) == pytest.approx(float(pattern.distance(k, end[k])))
            assert (record["points"][k] + step) % 6 == pytest.approx(pattern.points[end[k]])
    figure = deletion.plot()
    before, after = figure.axes
    dots = [[len(c.get_offsets()) for c in ax.collections] for ax in (before, after)]
    assert dots == [[n - gone, gone, 1], [n - gone, 0, 1]]
    assert len(before.lines) == n + len(desirers) and len(after.lines) == n - gone - 1
    caption = pm.figures.caption(figure)
    assert len(before.texts) == len(desirers) and f"the {len(desirers)} points that desire it" in caption
    assert before.get_xlim() == after.get_ylim() == (0, 6) and "clipped there" in caption
    two_colors = pm.Pattern(pattern.points, np.arange(n) % 2, pattern.geometry)
    fussy = pm.deletion.without_desirers(two_colors, 0, "fussy")
    assert set(fussy.record()["colors"]) == {"green", "red"}
    assert "Theorem 7" in caption and "Theorem 7" not in pm.figures.caption(fussy.plot())
    line = pm.deletion.without_desirers(pm.Pattern([[0.0], [1.0], [3.0]], geometry=pm.Euclidean(1)), 0)
    assert line.record()["toward_partner"][:2].tolist() == [[1.0], [-1.0]] and line.plot().axes


def test_the_moves_of_the_variants():
    """Figure 5: with frogs of one's own a player moves one; on colored points onto its color; fussy: not both on red."""
    pattern = pm.Pattern(PADS, [0, 0, 1, 0, 1], PATTERN.geometry)
    found = {name: pm.frogs.options(pattern, name, 3, 2)["moves"] for name in ("colored", "colored-points", "fussy")}
    assert {(m["player"], m["start"]) for m in found["colored"]} == {("Alice", 3), ("Bob", 2)}
    colors = pattern.colors
    assert all(colors[m["start"]] == colors[m["end"]] for m in found["colored-points"]) and found["colored-points"]
    assert {m["player"] for m in found["fussy"]} == {"either"}
    assert not any(colors[m["end"]] and colors[2 if m["start"] == 3 else 3] for m in found["fussy"])


def test_the_dots_of_figure_3_are_apart():
    from poissonmatch.cli import paper_drawings

    for points in paper_drawings.LINES.values():
        assert np.diff(np.sort(points.window([-6.0], [10.0]).points.ravel())).min() > 0.3


@pytest.mark.slow
@pytest.mark.long
def test_the_figures_of_the_paper_beside_each_other(tmp_path):
    from poissonmatch.cli import paper, paper_drawings
    from poissonmatch.studies.results.results import results_folder

    paper.paper_figures(tmp_path)
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert text.count('<img src="data:image/svg+xml;base64,') == 6
    assert [f"<b>Figure {k}.</b>" in text for k in range(1, 7)] == [True] * 6
    assert {p.name for p in tmp_path.iterdir()} == {"index.html", "pages.json"} | {
        f"figure-{k}{s}" for k in range(1, 7) for s in (".pdf", ".svg", ".txt")
    }
    assert problems(tmp_path) == []
    output = inspect.signature(paper.paper_figures).parameters["output"].default
    assert output.parent != results_folder("paper-figures.yaml").parent  # where a study of this name has its results
    drawn = dict(paper_drawings.drawings())
    assert all(overlaps(drawing.figure) == [] for drawing in drawn.values())
    assert "descending chain" in drawn[3].caption


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_patterns_and_matchings_are_plotted(dim):
    """All points; lines for the pairs of a matching, none and no word of partners for points alone; a user's axes."""
    pattern = on_torus(dim, 60)
    matching = pm.match(pattern, "multi(2)")
    alone, joined = pattern.plot(), matching.plot(title="mine")
    lines = [len(figure.axes[0].collections[0].get_segments()) for figure in (alone, joined)]
    assert lines == [0, 2 * len(matching)]  # from either end
    assert set(labels(alone)) == {"amber", "blue"} and "second partner" in labels(joined)
    assert "partner" not in pm.figures.caption(alone) and "multi(2)" in pm.figures.caption(joined)
    ax = Figure().subplots()
    assert pattern.plot(ax=ax) is ax.figure and matching.plot(ax) is ax.figure


def test_a_picture_on_given_axes_has_the_chosen_colors_size_and_legend():
    """The legend is outside the frame, below it; the title is above."""
    pattern = on_torus(2, 60)
    axes = Figure(figsize=(9, 4), layout="constrained").subplots(1, 2)
    pattern.plot(ax=axes[0], colors={"amber": "#112233", 1: "C1"}, s=25, title="mine")
    axes[1].loglog([1, 2], [1, 2])  # of an earlier figure on the same axes
    pattern.plot(ax=axes[1], legend=False)
    assert axes[1].get_xscale() == axes[1].get_yscale() == "linear"
    FigureCanvasAgg(axes[0].figure).draw()
    dots = [c for c in axes[0].collections if hasattr(c, "get_sizes") and len(c.get_offsets())]
    assert [c.get_sizes().tolist() for c in dots] == [[25.0]] * 2
    assert all(same_color(c.get_facecolor()[0], shade) for c, shade in zip(dots, ("#112233", "C1"), strict=True))
    legend, frame = axes[0].get_legend().get_window_extent(), axes[0].get_window_extent()
    assert legend.y1 <= frame.y0 and axes[0].get_title() == "mine" and axes[1].get_legend() is None


def test_a_title_is_above_the_legend():
    figure = pm.match(on_torus(2, 60), "multi(2)").plot(title="A long title, which is broken: " + "it is wide, " * 9)
    assert overlaps(figure) == []
    legend, title = figure.legends[0].get_window_extent(), figure._suptitle.get_window_extent()
    assert legend.y1 <= title.y0 + 1


def test_many_points_are_thin():
    """The area of a dot is a fixed fraction of the area of the picture for each point."""
    areas = []
    for n in (20_000, 80_000):
        (ax,) = on_torus(2, n).plot().axes
        areas.append(ax.collections[1].get_sizes()[0] * n)
    assert areas[0] == pytest.approx(areas[1], rel=0.05)


def test_a_notebook_shows_what_has_a_picture_and_is_small():
    """The same bytes each time; of what is large, or has no picture, it shows the words."""
    matching = pm.match(on_torus(2, 60))
    assert matching._repr_svg_().lstrip().startswith("<?xml") and matching._repr_svg_() == matching._repr_svg_()
    poisson = pm.processes.poisson
    nothing = [pm.Torus(60.0, 2), pm.Torus(2.0, 4), pm.MeanField(10.0)]
    assert [poisson(space, rng=1)._repr_svg_() for space in nothing] == [None] * 3
    assert pm.Pattern(np.zeros((0, 2)), geometry=pm.Euclidean(2))._repr_svg_() is None
    assert pm.Matching([1, 0], [1.0, 1.0], "one-color")._repr_svg_() is None


def infinite(dim):
    return pm.lazy.LazyMatching(pm.infinite.InfinitePoisson(dim, seed=1))


def deletion_on(space):
    return pm.deletion.without_desirers(pm.processes.binomial(space, 4, rng=1), 0)


# A call, and a pattern of its message.
REFUSED = r"""
pm.frogs.record(PATTERN, moves=[(None, 1), (None, 2), (1, 9)]) → move 3, \(1, 9\), is illegal
pm.frogs.record(PATTERN, "stones", [(None, 0, [7])], k=1) → there is no pad 7 for a stone
pm.frogs.record(PATTERN, "stones", [(None,)], k=1) → a move of stones must be \(from, to\) or
pm.frogs.record([PATTERN] * 2, "ponds", [(0, 1)]) → a move of ponds must be \(pond, from, to\)
pm.frogs.record(pm.processes.poisson(pm.MeanField(8.0), rng=1)) → a picture of a game needs points in
pm.frogs.options(PATTERN, "friendly", 1, 1) → two
pm.figures.game(pm.frogs.record(PATTERN), hue=1) → no option 'hue'
pm.figures.infinite(infinite(3), [0] * 3, [1] * 3) → one or two dimensions, got 3
pm.figures.infinite(infinite(1), [0], [900]) → at most 500 points, got
pm.Matching([1, 0], [1.0, 1.0], "one-color").plot() → has no pattern
pm.match(pm.processes.poisson(pm.MeanField(10.0), rng=1)).plot() → one, two or three
pm.Pattern(np.ones((1, 4)), geometry=pm.Euclidean(4)).plot() → one, two or three
pm.figures.picture(np.zeros((3, 2))) → Pattern
on_torus(2, 60).plot(colors=["red"]) → for points of blue, got None
on_torus(2, 60).plot(colors={"ambr": "red"}) → did you mean 'amber'
on_torus(2, 60).plot(s=0) → s must be a finite area above 0
on_torus(2, 60).plot(colour="red") → no option 'colour'
deletion_on(pm.Torus(1.0, 3)).plot() → one or two dimensions
deletion_on(pm.MeanField(1.0)).plot() → a picture of a deletion needs points in
"""


@pytest.mark.parametrize("call, words", rows(REFUSED))
def test_what_has_no_picture_or_is_no_game_is_said(call, words):
    with pytest.raises(BadInput, match=words):
        eval(call)


def test_colors_are_called_what_the_user_calls_them():
    pattern = pm.Pattern([[0.0, 0.0], [1.0, 0.0], [5.0, 0.0]], [0, 1, 1], pm.Euclidean(2))
    figure = pm.match(pattern, "two-color").plot(labels={"amber": "oak"})
    assert labels(figure) == ["oak", "blue", "without a partner"]


def test_the_tail_of_one_matching():
    """The fraction of the points of each color whose partner is farther than r; unmatched points are infinitely far."""
    matching = pm.match(on_torus(2, 400), "fussy")
    drawing = pm.figures.tail(matching)
    drawn = [line.get_data() for line in drawing.axes[0].get_lines() if len(line.get_xdata()) > 50]
    r = np.array([0.2, 0.7, 1.5])
    steps = [y[np.searchsorted(x, r) - 1] for x, y in drawn]
    for color in (0, 1):
        own = matching.distance[matching.pattern.colors == color]
        wanted = (own[:, None] > r).mean(axis=0)
        assert min(np.abs(step - wanted).max() for step in steps) < 0.03
    assert {"green", "red"} <= set(labels(drawing)) and "fussy" in pm.figures.caption(drawing)
