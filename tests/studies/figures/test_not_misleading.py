"""A figure shows each row as what it is, and its caption and legend say what is on it, and nothing else."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import same_color
from matplotlib.markers import CARETDOWNBASE

import poissonmatch as pm
from helpers.drawn import ONE, curves, dotted, heights, labels, marked, overlaps, table, unmarked
from helpers.sweeps import swept
from helpers.tables import tables
from poissonmatch.studies.figures.draw import draw
from poissonmatch.utils.display import POINTS

RATIOS = (0.2, 0.5, 1.0)
TABLES = tables(__file__)
QUANTITIES = [("fussy", "unmatched_fraction"), ("fussy-log", "log_inverse_unmatched")]
OF_FUSSY = pytest.mark.parametrize("kind, quantity", QUANTITIES)


def two_sizes(quantity, values):
    """Two studies in one dimension, one of 100 points and one of 400."""
    rows = [
        {"study": f"n{size:g}", "size": size, "ratio": ratio, "intensity_1": ratio, "value": value}
        for size, column in zip((100.0, 400.0), values, strict=True)
        for ratio, value in zip(RATIOS, column, strict=True)
    ]
    return table(*({**row, "quantity": quantity} for row in rows))


@OF_FUSSY
def test_each_size_is_a_curve_of_its_own_and_stands_in_the_legend(kind, quantity):
    values = ((0.1, 0.2, 0.3), (0.15, 0.25, 0.35))
    frame = two_sizes(quantity, values)
    if kind == "fussy-log":
        frame = pd.concat([frame, two_sizes("unmatched_fraction", values)])
    figure = draw(kind, frame, ["n100", "n400"]).figure
    for ax in figure.axes:
        assert {h for h in heights(ax) if len(h) == 3} >= {v if kind == "fussy" else v[::-1] for v in values}
    assert {"100 points", "400 points", "$d = 1$"} <= set(labels(figure))


def test_of_many_labels_every_second_is_in_the_legend():
    sweep = swept("rule: labels(8), dims: 1, sizes: 100, replicates: 4, observables: distances")
    names = labels(pm.figures.labels(sweep.estimates))
    assert [name for name in names if name.startswith("label")] == ["label 0", "label 2", "label 4", "label 6"]


@pytest.mark.parametrize("study", ["one", "two"])
def test_tails_of_two_sizes_are_two_curves(study):
    """In one study or in two panels, nothing is dropped."""
    rows = [
        {**ONE, "study": "a" if study == "one" else f"n{size:g}", "quantity": "tail", "size": size, "x": x, "value": value * size / 400}
        for size in (100.0, 400.0) for x, value in ((0.1, 0.9), (1.0, 0.3), (10.0, 0.05))
    ]  # fmt: skip
    drawing = draw("tail", table(*rows))
    drawn = {h for ax in drawing.figure.axes for h in heights(ax)}
    assert {(0.9, 0.3, 0.05), (0.225, 0.075, 0.0125)} <= drawn
    assert ("100 points" in labels(drawing.figure)) == (study == "one")


def test_two_studies_that_differ_in_their_points_alone_are_not_joined():
    """Same rule, dimension and size: the study tells them apart, also where they share no ratio."""
    frame = table(
        *({"study": "a", "ratio": r, "value": r / 3} for r in (0.2, 0.4)),
        *({"study": "b", "process": "binomial", "ratio": r, "value": r / 4} for r in (0.6, 0.8)),
    )
    figure = draw("fussy", frame, ["a", "b"]).figure
    assert {len(curve) for curve in curves(figure.axes[0])} == {2}
    assert {"a", "b"} <= {name for label in labels(figure) for name in label.split(", ")}


def test_colors_are_named_by_the_rule_that_has_them():
    """Also in a panel whose first study has one color."""
    row = {"quantity": "tail", "value": 0.5}
    one = {**ONE, **row, "study": "a"}
    two = [{**row, "study": "b", "rule": "two-color", "color": c, "ratio": 0.5, "intensity_1": 0.5} for c in (0, 1)]
    rows = [{**r, "x": x} for r in (one, *two) for x in (0.5, 2.0)]
    named = {"one-color", "two-color, amber", "two-color, blue"}
    assert named <= set(labels(draw("tail", table(*rows), panels="dim").figure))


# ---- captions ----


@pytest.mark.parametrize("dims, said, unsaid", TABLES["captions"])
def test_the_caption_of_a_fussy_figure_tells_of_curves_that_are_there(dims, said, unsaid):
    law = pm.RULES["fussy"].law
    rows = [
        {"dim": dim, "ratio": r, "intensity_1": r, "exact": law.unmatched(dim, (1, r), 1)}
        for dim in dims
        for r in RATIOS
    ]
    drawing = draw("fussy", table(*rows))
    assert all(words in drawing.caption for words in said)
    assert not [words for words in unsaid if words in drawing.caption]
    known = sum(np.isin(dims, (1.0, np.inf)))
    assert len(dotted(drawing.figure.axes[0])) == known and ("exact" in labels(drawing.figure)) == (known > 0)


def test_a_caption_tells_of_cut_offs_and_intervals_only_where_they_are():
    def caption(last=20.0, **more):
        row = {**ONE, "quantity": "tail", **more}
        rows = [{**row, "x": x, "value": 0.5 / x, "below_cutoff": x < last} for x in (1.0, 2.0, 10.0)]
        return draw("tail", table(*rows)).caption

    cut, whole = caption(last=5.0), caption()
    single = caption(lower=np.nan, upper=np.nan, n_replicates=1)
    assert "cutoff" in cut and "cutoff" not in whole
    assert "Shaded bands are 95 % confidence intervals over 16 replicates" in whole and "95 %" not in single
    assert "One replicate, no error." in single and "One replicate" not in whole


# ---- exact curves ----


@pytest.mark.parametrize("log", [None, (), ("x", "y")])
@OF_FUSSY
def test_an_exact_curve_is_smooth_and_as_long_as_the_axis(kind, quantity, log):
    rows = [
        {"dim": np.inf, "ratio": r, "intensity_1": r, "quantity": quantity, "exact": 0.5, "value": 0.4} for r in RATIOS
    ]
    more = [{**row, "quantity": "unmatched_fraction"} for row in rows if kind == "fussy-log"]
    options = {} if log is None else {"log": log}
    for ax in draw(kind, table(*rows, *more), None, **options).figure.axes:
        (line,) = dotted(ax)
        x, y = np.asarray(line.get_xydata()).T
        low, high = ax.get_xlim()
        assert len(x) > 200 and x[-1] == pytest.approx(high) and x[0] <= max(low, 0) + 0.01 * (high - low)
        rho = {"$1/\\rho$": 1 / x, "$1/\\sqrt{\\rho}$": x**-2.0}.get(ax.get_xlabel(), x)
        np.testing.assert_allclose(y, np.exp(-1 / rho) if kind == "fussy" else 1 / rho, rtol=1e-9)


# ---- intervals that reach down to 0 ----


def incomplete(*rows):
    """The drawing of fractions of tori of 10 points, and of 100."""
    usual = {**ONE, "rule": "multi(2)", "quantity": "incomplete_fraction"}
    return draw("incomplete", table(*({**usual, "size": 10.0**k, **row} for k, row in enumerate(rows, 1))))


def carets(ax):
    return [tuple(line.get_xydata()[0]) for line in marked(ax, CARETDOWNBASE)]


@pytest.mark.parametrize("value, lower, upper, arrow", TABLES["limits"])
def test_upper_limits_are_drawn_as_upper_limits(value, lower, upper, arrow):
    drawing = incomplete({"value": 0.1}, {"value": value, "lower": lower, "upper": upper})
    (ax,) = drawing.figure.axes
    assert ax.get_yscale() == "log"
    assert [x for x, _ in carets(ax)] == [100.0] * arrow and ("Arrows: upper ends" in drawing.caption) == arrow
    bars = [path for c in ax.collections for path in c.get_segments()]
    ends = {round(float(y), 9) for bar in bars for x, y in bar if x == 100}
    assert max(ends) == pytest.approx(upper) and min(ends) > 0
    assert min(ends) == pytest.approx(carets(ax)[0][1] if arrow else lower)


def test_an_estimate_of_0_on_a_logarithmic_axis_is_told():
    known, none = {"value": 0.1}, {"value": 0.0, "lower": 0.0, "upper": 0.0}
    assert "Estimates that are 0 have no marker." in incomplete(known, none).caption
    assert "no marker" not in incomplete(known).caption


# ---- looks ----


def test_in_a_transition_hue_is_the_color_of_the_points_and_mark_and_shade_the_size():
    rows = [
        {"rule": "two-color", "quantity": "unmatched_density", "color": c, "size": n, "ratio": r, "intensity_1": r, "value": n / 1e4 + c}
        for c in (0, 1) for n in (300.0, 3000.0) for r in (0.5, 1.5)
    ]  # fmt: skip
    figure = draw("transition", table(*rows)).figure
    lines = [line for line in figure.axes[0].get_lines() if line.get_marker() not in ("None", "_")]
    marks = {round(float(line.get_ydata()[0]), 6): line for line in lines if len(line.get_ydata())}
    for small, large, name in ((0.03, 0.3, "amber"), (1.03, 1.3, "blue")):
        assert same_color(marks[large].get_color(), POINTS[name])
        assert not same_color(marks[small].get_color(), POINTS[name])
    assert marks[0.03].get_marker() == marks[1.03].get_marker() != marks[1.3].get_marker()
    assert labels(figure)[:4] == ["amber", "blue", "300 points", "3,000 points"]


@pytest.mark.parametrize("process, joined", [("binomial", False), ("poisson", True)])
@pytest.mark.parametrize("kind, quantity", [("winner", "alice_wins"), ("n-unmatched", "n_unmatched")])
def test_odd_and_even_numbers_are_not_joined(kind, quantity, process, joined):
    rows = [
        {**ONE, "process": process, "quantity": quantity, "x": 1.0 if kind == "n-unmatched" else np.nan, "size": float(n), "value": float(n % 2)}
        for n in range(1, 7)
    ]  # fmt: skip
    drawing = draw(kind, table(*rows))
    lines = {tuple(x for x, _ in curve) for curve in curves(drawing.figure.axes[0]) if len(curve) > 1}
    assert ((1, 3, 5) in lines, (2, 4, 6) in lines) == (not joined, not joined)
    assert ((1, 2, 3, 4, 5, 6) in lines) == joined and ("Open markers: odd" in drawing.caption) != joined


@OF_FUSSY
def test_points_that_are_not_converged_have_open_marks(kind, quantity):
    """Where size_converged is 0, as at the ratios .2 and 1 here; the caption says what open marks mean."""
    converged = dict(zip(RATIOS, (0.0, 1.0, 0.0), strict=True))
    frame = table(
        *(
            {"ratio": ratio, "intensity_1": ratio, "quantity": name, "value": value}
            for ratio, good in converged.items()
            for name, value in ((quantity, 0.3), ("unmatched_fraction", 0.3), ("size_converged", good))
        )
    ).drop_duplicates()
    right = frame.assign(value=frame["value"].where(frame["quantity"] != "size_converged", 1.0))
    for drawn, expected in ((frame, {2}), (right, set())):
        drawing = draw(kind, drawn)
        lines = [line for ax in drawing.figure.axes for line in ax.get_lines() if line.get_marker() not in ("None", "")]
        found = {len(line.get_xdata()) for line in lines if same_color(line.get_markerfacecolor(), "white")}
        assert found == expected and ("Open markers: finite-size effects" in drawing.caption) == bool(expected)


def test_every_dash_and_every_dimension_is_named():
    rows = [
        {**ONE, "rule": rule, "quantity": q, "size": n, "dim": d}
        for rule in ("multi(1)", "multi(2)") for q in ("largest_component", "second_component", "component_squares") for n in (10.0, 90.0) for d in (1.0, 2.0)
    ]  # fmt: skip
    drawing = draw("components", table(*rows))
    assert labels(drawing.figure) == ["multi(1)", "multi(2)", "sum of squares", "largest", "second"]
    assert "(a) $d = 1$; (b) $d = 2$" in drawing.caption
    alone = draw("components", table(*(row for row in rows if row["dim"] == 2.0)))
    assert "Shown: $d = 2$" in alone.caption
    assert "$d = 1$" in labels(draw("winner", table(rows[0] | {"quantity": "alice_wins"})).figure)


@pytest.mark.parametrize(
    "dims, limits, said",
    [
        ((1.0, np.inf), {np.exp(-np.euler_gamma), 1.0}, "exact limits, 0.5615 ($d = 1$), 1 (mean field)"),
        ((2.0, 3.0), {0.6113, 0.6558}, "limits measured by this program, 0.6113 ($d = 2$), 0.6558 ($d = 3$)"),
    ],
)
def test_the_scaled_tail_shows_its_limits(dims, limits, said):
    """On a linear axis, and r from 0.5; a legend and a caption that say which limits are measured."""
    highest = max(limits)
    rows = [
        {**ONE, "quantity": "scaled_tail", "dim": d, "x": x, "value": 0.6}
        for d in dims
        for x in (0.001, 0.5, 2.0, 50.0)
    ]
    drawing = draw("scaled-tail", table(*rows), width="column")
    (ax,) = drawing.figure.axes
    assert ax.get_yscale() == "linear" and ax.get_xlim()[0] == 0.5
    assert ax.get_ylim() == pytest.approx((0.54, 1.2 * highest))
    flat = {line.get_ydata()[0] for line in ax.get_lines() if list(line.get_xdata()) == [0, 1]}
    assert flat == limits and said in drawing.caption
    assert [label for label in labels(drawing.figure) if "limit" in label] == ["limit"]
    assert unmarked(drawing.figure) == [] and overlaps(drawing.figure) == []


@pytest.mark.slow
@pytest.mark.long
def test_the_exact_curve_on_the_line_goes_through_the_solutions():
    rows = [{"ratio": r, "intensity_1": r, "value": 0.1, "exact": 0.1} for r in (0.45, 1.0)]
    (line,) = dotted(draw("fussy", table(*rows)).figure.axes[0])
    rho, u = np.asarray(line.get_xydata()).T
    some = [0, 137, 268, 399]
    assert u[some] == pytest.approx([pm.theory.fussy_line(x).u for x in rho[some]], rel=1e-5)


@pytest.mark.parametrize("ratio, said", [(1.0, True), (0.5, False)])
def test_a_curve_that_stands_for_both_colors_says_so(ratio, said):
    sweep = swept(f"rule: two-color, dims: 1, sizes: 200, ratios: {ratio}, replicates: 3")
    figure = pm.figures.tail(sweep.estimates)
    assert ("both colors have the same law" in pm.figures.caption(figure)) == said
