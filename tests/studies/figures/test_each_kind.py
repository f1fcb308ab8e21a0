"""Every kind of figure on a matrix of studies: curves of one cell, few entries in the legend, axes that fit what is drawn."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.drawn import labels
from helpers.tables import tables
from poissonmatch.studies.figures.draw import draw
from poissonmatch.studies.figures.figure_layout import MAX_ENTRIES, MAX_ROWS, FigureLayout
from poissonmatch.studies.figures.kinds import KINDS
from poissonmatch.utils.errors import BadInput

WITH_AXES = [kind for kind, entry in KINDS.items() if entry.axes]
MATRIX = tables(__file__)
IN_MEAN_FIELD = {"distances", "unmatched", "winner", "flow"}


@pytest.fixture(scope="module")
def swept():
    """For each study of the matrix, a sweep of each rule that the registry of kinds draws, with all that these kinds need."""
    sweeps = {}
    for name, sizes in MATRIX.items():
        studies = {}
        for kind in map(KINDS.get, WITH_AXES):
            needs = kind.needs & IN_MEAN_FIELD if sizes["dims"] == "inf" else kind.needs
            rule = kind.example["rule"]
            before = studies.get(rule, {}).get("observables", [])
            if needs:
                observables = sorted({*before, *needs})
                studies[rule] = {"process": "two_color", "rule": rule, **sizes, "observables": observables}
        named = {rule.replace("(", "").replace(")", ""): study for rule, study in studies.items()}
        sweeps[name] = pm.sweep({"studies": named, "laws": ["fussy"] * (name == "three sizes, five ratios")})
    return sweeps


@pytest.fixture
def drawn(swept, monkeypatch):
    """A function that draws a kind from a study of the matrix, and returns the figure and its panels."""
    layouts = []
    finish = FigureLayout.finish

    def kept(self, lead):
        layouts.append(self)
        return finish(self, lead)

    monkeypatch.setattr(FigureLayout, "finish", kept)

    def function(kind, study):
        frames, rule = swept[study].frames, KINDS[kind].example["rule"]
        try:
            drawing = draw(
                kind,
                frames[KINDS[kind].table],
                [rule.replace("(", "").replace(")", "")],
                second=frames.get(KINDS[kind].second),
            )
        except BadInput as error:
            assert "there is nothing to draw" in str(error)
            pytest.skip(str(error))
        return drawing.figure, layouts[-1].drawn

    return function


def inside(ax):
    """The vertices of lines that one sees."""
    (left, right), (low, high) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    points = np.concatenate([np.reshape(line.get_xydata(), (-1, 2)).astype(float) for line in ax.get_lines()])
    return points[(left <= points[:, 0]) & (points[:, 0] <= right) & (low <= points[:, 1]) & (points[:, 1] <= high)]


@pytest.mark.long
@pytest.mark.parametrize("study", MATRIX)
@pytest.mark.parametrize("kind", WITH_AXES)
def test_a_figure_of_any_kind_shows_any_study(drawn, kind, study):
    figure, panels = drawn(kind, study)
    assert (
        len(labels(figure)) <= MAX_ENTRIES or 2 * len(panels) > 3 * MAX_ROWS
    )  # the panels of two values more fill a page
    for panel in panels:
        for curve in panel.looks.curves(panel.rows):
            of_cell = curve.rows.groupby("cell")[panel.x].nunique()
            assert not curve.rows[panel.x].duplicated().any() and (len(of_cell) == 1 or of_cell.max() == 1)
        assert len(inside(panel.ax))
        if panel.ax.get_yscale() == "log":
            low, high = sorted(panel.ax.get_ylim())
            shown = panel.rows[["value", "lower", "upper"]].to_numpy(float)
            values = shown[shown[:, 0] > 0, 0]
            assert shown[shown > 0].min() / 16 <= low and high <= np.nanmax(shown) * 16
            if len({*values}) > 1:  # else the axis is that of the bars
                span = 16 * values.max() / values.min()
                assert values.min() / span <= low and high <= values.max() * span
        counts = [panel.ax.xaxis] if panel.x == "size" else []
        counts += [panel.ax.yaxis] if panel.aspect.quantity in ("rounds", "longest_play") else []
        for axis in counts:
            first, last = sorted(axis.get_view_interval())
            ticks = [tick for tick in axis.get_majorticklocs() if first <= tick <= last]
            assert ticks and all(tick == round(tick) for tick in ticks)
