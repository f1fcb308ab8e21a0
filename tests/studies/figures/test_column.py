"""Figures in a column of a journal: no higher than a page, no entry of a legend without a mark, ticks and labels that can be read."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import same_color
from matplotlib.figure import Figure

import poissonmatch as pm
from helpers.drawn import ONE, dotted, labels, marked, overlaps, table, texts, unmarked
from helpers.refusals import rows
from helpers.tables import tables
from poissonmatch.studies.figures.draw import draw
from poissonmatch.studies.figures.figure_layout import MAX_HEIGHT
from poissonmatch.studies.figures.open_problem import quotient_interval
from poissonmatch.studies.figures.realizations import ORDERS
from poissonmatch.utils.display import POINTS
from poissonmatch.utils.errors import BadInput

RATIOS = (0.2, 0.5, 1.0)
TABLES = tables(__file__)


def tails(studies, **more):
    """Tails of this number of studies."""
    rows = [
        {**ONE, "study": f"s{k}", "quantity": "tail", "x": x, "value": 0.9 / x, **more}
        for k in range(studies)
        for x in (1.0, 2.0)
    ]
    return table(*rows)


# ---- the height of a figure ----


@pytest.mark.slow
@pytest.mark.parametrize("studies, across", TABLES["across"])
def test_panels_of_a_column_fit_a_page(studies, across):
    figure = draw("tail", tails(studies), width="column").figure
    assert figure.get_figwidth() == 3.4 and figure.get_figheight() <= MAX_HEIGHT
    assert len({ax.get_subplotspec().colspan.start for ax in figure.axes}) == across
    assert overlaps(figure) == []


# The width, the number of studies, and a pattern of the message.
TOO_HIGH = r"""
column → 20 → of 20 panels would be at least 14\.\d inches high at width column, and a page has 9; write `width: text`, or
text → 40 → of 40 panels .* at width text, and a page has 9; list fewer studies, or choose other panels$
"""


@pytest.mark.slow
@pytest.mark.parametrize("width, studies, said", rows(TOO_HIGH))
def test_a_figure_higher_than_a_page_is_refused(width, studies, said):
    with pytest.raises(BadInput, match=f"a figure tail {said}"):
        draw("tail", tails(int(studies)), width=width)


def test_axes_of_the_user_may_be_as_high_as_they_like():
    figure = Figure(figsize=(3.4, 40))
    draw("tail", tails(20), None, figure.subplots(20, 1))
    assert figure.get_figheight() == 40


# ---- legends ----


def test_an_entry_without_a_mark_is_found():
    figure = draw("tail", tails(1)).figure
    assert unmarked(figure) == []
    figure.axes[0].lines[0].set_color("#123456")
    assert unmarked(figure) == ["$d = 1$: linestyle -"]


# ---- fussy: marks, and the exact curve behind them ----


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("options, joined", TABLES["joined"])
def test_the_marks_of_fussy_are_joined_on_a_linear_axis_without_an_exact_curve(options, joined, is_known):
    rows = [
        {"dim": np.inf, "ratio": r, "intensity_1": r, "exact": np.exp(-1 / r), "value": np.exp(-1 / r)} for r in RATIOS
    ]
    rows = [row if is_known else {**row, "exact": np.nan, "dim": 2.0} for row in rows]
    figure = draw("fussy", table(*rows), **options).figure
    for ax, join in zip(figure.axes, joined, strict=True):
        (marks,) = marked(ax, "o")
        through = [line for line in marked(ax, "None") if len(line.get_xdata()) == 3]
        assert marks.get_linestyle() == "None" and len(through) == (join and not is_known)
        if not is_known:
            assert dotted(ax) == []
            continue
        (exact,) = dotted(ax)
        assert all(exact.get_zorder() < behind.get_zorder() for behind in (marks, *ax.collections))
    assert unmarked(figure) == []


# ---- pictures ----


def test_no_line_has_the_color_of_points():
    assert not any(same_color(line, point) for line in ORDERS for point in POINTS.values())


@pytest.mark.parametrize("width", ["column", "text"])
def test_the_scale_of_a_line_is_inside_its_frame(width):
    """Panels on a line are as wide as the figure, and what names the scale bar does not leave them."""
    pattern = pm.processes.binomial(pm.Torus(20.0, 1), 20, rng=1)
    figure = draw("realization", pm.figures.picture(pattern), width=width).figure
    assert overlaps(figure) == []
    box = figure.axes[0].get_window_extent()
    assert box.width > 0.9 * figure.get_figwidth() * figure.dpi
    (name,) = (place for text, place, _ in texts(figure) if "lambda" in text)
    assert box.x0 <= name.x0 and name.x1 <= box.x1 and box.y0 - 1 <= name.y0 and name.y1 <= box.y1 + 1


# ---- the numbers of unmatched points ----


@pytest.mark.parametrize("studies, dims", TABLES["unmatched"])
def test_the_numbers_of_unmatched_points_have_a_panel_for_each_study_and_dimension(studies, dims):
    rows = [
        {**ONE, "rule": "misere", "process": "binomial", "quantity": "n_unmatched", "study": study, "dim": dim, "size": size, "x": x, "value": 0.3}
        for study in studies for dim in dims for size in (4.0, 6.0, 16.0) for x in (0.0, 1.0, 2.0)
    ]  # fmt: skip
    drawing = draw("n-unmatched", table(*rows), width="column")
    assert len(drawing.figure.axes) == len(studies) * len(dims)
    for ax in drawing.figure.axes:
        assert sum(len(line.get_xdata()) > 1 for line in marked(ax, "None")) == 3
    assert all(f"$d = {dim:g}$" in drawing.caption for dim in dims)
    assert labels(drawing.figure)[:3] == ["0 left", "1 left", "2 left"]
    assert unmarked(drawing.figure) == [] and overlaps(drawing.figure) == []


# ---- the size of a torus ----


def sizes(ratio, **intervals):
    """Rows of tori of several sizes, given as n100=(value, lower, upper)."""
    return [
        {"size": float(size[1:]), "ratio": ratio, "intensity_1": ratio, "value": value, "lower": low, "upper": high}
        for size, (value, low, high) in intervals.items()
    ]


def test_finite_size_keeps_tori_without_unmatched_points():
    """Their ratio is 0, with an upper end, at the number of unmatched points that the largest tori imply."""
    middle, large = (0.008, 0.006, 0.010), (0.01, 0.0095, 0.0105)
    drawing = draw("finite-size", table(*sizes(0.25, n100=(0.0, 0.0, 0.02), n1000=middle, n8000=large)))
    (ax,) = drawing.figure.axes
    (marks,) = marked(ax, "o")
    np.testing.assert_allclose(marks.get_xydata(), [[0.2, 0.0], [2.0, 0.8]])
    ends = sorted(tuple(np.round(bar[:, 1], 4)) for c in ax.collections for bar in c.get_segments() if len(bar) == 2)
    assert ends == [
        (0.0, round(0.02 / np.sqrt(0.0095 * 0.0105), 4)),
        tuple(np.round(quotient_interval(middle, large), 4)),
    ]
    assert "which is common to all points" in drawing.caption


@pytest.mark.parametrize("largest", TABLES["largest"])
def test_finite_size_leaves_out_ratios_without_a_denominator(largest):
    small = (0.1, 0.08, 0.12)
    no_ratio = sizes(0.25, n100=small, n800=largest)
    drawing = draw("finite-size", table(*sizes(0.5, n100=small, n800=(0.2, 0.19, 0.21)), *no_ratio))
    marks = marked(drawing.figure.axes[0], "o")
    assert [line.get_ydata().tolist() for line in marks] == [[0.5]]
    assert "reaches down to 0 are left out" in drawing.caption
    with pytest.raises(BadInput, match="reaches down to 0 at every ratio"):
        draw("finite-size", table(*no_ratio))


@pytest.mark.parametrize("top, bottom, wanted", TABLES["quotients"])
def test_the_interval_of_a_quotient(top, bottom, wanted):
    for found, value in zip(quotient_interval(top, bottom), wanted, strict=True):
        assert value == "any" or float(found) == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.2])
def test_the_interval_of_a_quotient_covers_it(share):
    """In 95 % of trials, of means of 16 normal numbers each; the delta method is its limit for small errors."""
    rng = np.random.default_rng(3)
    a, b = 3.0 + 3.0 * share * rng.standard_normal(20_000), 5.0 + 5.0 * share * rng.standard_normal(20_000)
    half = 1.96 * share
    low, high = quotient_interval((a, a - 3 * half, a + 3 * half), (b, b - 5 * half, b + 5 * half))
    assert np.mean((low <= 0.6) & (0.6 <= high)) == pytest.approx(0.95, abs=0.01)


# ---- axes and captions ----


@pytest.mark.parametrize("sizes", TABLES["sizes"])
def test_ticks_of_the_numbers_of_points_can_be_read(sizes):
    """Few, apart from each other, and the number of rounds is whole."""
    rows = [{**ONE, "quantity": "rounds", "size": size, "value": 5 + k / 2} for k, size in enumerate(sizes)]
    rows += [{**ONE, "quantity": "round_tail", "size": sizes[-1], "x": x, "value": 0.5**x} for x in range(1, 5)]
    figure = draw("rounds", table(*rows), width="column").figure
    assert overlaps(figure) == []
    ax = figure.axes[0]
    low, high = ax.get_xlim()
    shown = [
        tick.get_text()
        for tick in ax.get_xticklabels(which="both")
        if tick.get_text() and low <= tick.get_position()[0] <= high
    ]
    assert 2 <= len(shown) <= 6
    assert all(tick == round(tick) for tick in (*ax.get_yticks(), *figure.axes[1].get_xticks()))


@pytest.mark.parametrize("dims, ratios", TABLES["rows"])
def test_along_a_row_of_panels_one_parameter_changes(dims, ratios):
    parameters = itertools.product(map(float, dims), ratios, (100.0, 200.0, 400.0), (0, 1), (1.0, 2.0))
    names = ("dim", "ratio", "size", "color", "x")
    figure = draw("tail", table(*({"quantity": "tail", **dict(zip(names, p, strict=True))} for p in parameters))).figure
    places = [(ax.get_subplotspec().rowspan.start, ax.get_subplotspec().colspan.start) for ax in figure.axes]
    assert places == [(k // 3, k % 3) for k in range(len(dims) * len(ratios))]
    heads = [ax.get_title(loc="left").partition(" ")[2] for ax in figure.axes]
    down, along = (ratios, dims) if len(dims) == 3 else (dims, ratios)
    values = [sorted(pair, key=lambda value: value in ratios) for pair in itertools.product(down, along)]
    assert heads == [rf"$d = {dim}$, $\rho = {ratio}$" for dim, ratio in values]


def test_the_caption_names_each_panel():
    caption = draw("tail", tails(4), width="column").caption
    found = [caption.index(f"({letter}) s{k}") for k, letter in enumerate("abcd")]
    assert found == sorted(found)
