"""Figures come from tables alone, the same bytes each time, and show what the tables say."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.drawn import dotted, heights, marked, table
from helpers.processes import python
from helpers.refusals import rows
from helpers.runs import run_study, write_study
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.figures.draw import draw
from poissonmatch.studies.figures.kinds import KINDS
from poissonmatch.studies.run import stages
from poissonmatch.studies.statistics.observables import OBSERVABLES
from poissonmatch.studies.study_files import checks
from poissonmatch.studies.tables.estimate_tables import TABLES
from poissonmatch.utils.errors import BadInput


@pytest.mark.parametrize("study, curves", [("fussy", 8), ("two-color", 6)])
def test_each_tail_has_its_own_exact_curve(frames, study, curves):
    """d = 1 and, for fussy, the mean field: of each color at each ratio, and not twice for two sizes."""
    axes = draw("tail", frames["estimates"], [study]).figure.axes
    exact_lines = [line for ax in axes for line in dotted(ax)]
    rows = frames["estimates"].query("study == @study and quantity == 'tail' and exact == exact")
    assert len(exact_lines) == curves
    for (color, ratio), part in rows[rows["dim"] == 1].groupby(["color", "ratio"]):
        law = pm.RULES[part["rule"].iloc[0]].law
        exact = [law.tail(line.get_xdata(), 1, (1.0, ratio), int(color)) for line in exact_lines]
        assert any(np.allclose(line.get_ydata(), y) for line, y in zip(exact_lines, exact, strict=True))


def test_partners_are_joined_the_short_way_round(frames):
    rows = frames["realizations"]
    drawing = draw("realization", rows, ["picture"])
    axes = drawing.figure.axes[0]
    segments = axes.collections[0].get_segments()
    lengths = sorted(np.hypot(*(s[1] - s[0])) for s in segments)
    np.testing.assert_allclose(lengths, sorted(rows["distance"][rows["partner"] >= 0]), rtol=1e-12)


def test_a_notebook_shows_a_figure(frames):
    """Without pyplot, which alone tells a notebook how to; in our style, at the size at which it is printed."""
    figure = pm.figures.tail(frames["estimates"].query("study == 'fussy'"), width="column")
    data = figure._repr_png_()
    assert data[:4] == b"\x89PNG" and int.from_bytes(data[16:20]) == pytest.approx(3.4 * 150, abs=1)


@pytest.mark.slow
@pytest.mark.long
def test_draw_writes_all_figures_of_the_file(tiny, tmp_path):
    for name in ("estimates.parquet", "realizations.parquet", "manifest.json"):
        (tmp_path / name).write_bytes((tiny[1] / name).read_bytes())
    written = stages.draw(studies.load(tiny[0]), tmp_path)
    assert len(written) == 18 and all(p.stat().st_size > 0 for p in written)
    file = studies.load(tiny[0])
    broken = {name: figure.model_copy(update={"title": "$\\foo$"}) for name, figure in file.figures.items()}
    with pytest.raises(BadInput, match=r"^figure .*: the title is not a formula"):
        stages.draw(file.model_copy(update={"figures": broken}), tmp_path)


EMPTY = """
studies:
  a: {dims: 1, sizes: 3, replicates: 2, observables: [distances]}
  b: {process: two_color, rule: fussy, dims: 1, sizes: 60, ratios: 0.5, replicates: 4}
figures:
  tail: {kind: tail, studies: a, title: "Three points"}
  sizes: {kind: finite-size, studies: b}
  fussy: {kind: fussy, studies: b}
"""


def test_a_figure_with_nothing_to_draw_is_a_note_and_the_others_are_drawn(tmp_path):
    path = write_study(tmp_path, EMPTY, "s")
    file, folder = studies.load(path), run_study(path, tmp_path / "r")
    notes = []
    written = stages.draw(file, folder, say=notes.append)
    assert len(written) == 9
    assert notes == [
        "figure tail: there is nothing to draw: no rows of tail",
        "figure sizes: there is nothing to draw: no ratio has tori of two sizes",
    ]
    assert (folder / "figures/sizes.txt").read_text() == "There is nothing to draw: no ratio has tori of two sizes.\n"
    known = [remark for remark in checks.remarks(file) if "nothing to draw" in remark]
    assert known == [
        "figures.tail: there is nothing to draw: a tail needs at least 32 points in all",
        "figures.sizes: there is nothing to draw: no ratio has tori of two sizes",
    ]


def test_bands_are_drawn_with_few_rows():
    row = {"rule": "one-color", "quantity": "tail", "color": 0, "x": 1.0, "lower": np.nan, "upper": np.nan}
    assert (0.5,) in heights(draw("tail", table(row)).figure.axes[0])


def study_of(tmp_path, text):
    folder = run_study(write_study(tmp_path, text, "s"), tmp_path / "r")
    return pm.load(folder / "estimates.parquet")


OFF_ONE = """
studies:
  red: {process: two_color, rule: fussy, dims: 2, sizes: 90, intensities: [[2, 1], [4, 1]], replicates: 8, observables: [winner]}
  blue: {process: two_color, rule: two-color, dims: 2, sizes: 90, intensities: [[2, 1], [4, 1]], replicates: 8, observables: [winner]}
  shy: {dims: 2, sizes: 90, intensities: 4, replicates: 8, observables: [distances, desirers]}
  labels: {rule: labels(2), dims: 2, sizes: 90, intensities: [2, 4], replicates: 8}
"""


# Kinds of figures against the ratio, and studies, which have the names of a color.
AXES = """
fussy → red
winner-ratio → red
transition → blue
winner-ratio → blue
"""


@pytest.mark.slow
def test_axes_and_captions_are_right_off_intensity_1(tmp_path):
    """The axis is the ratio, and says so; densities are divided by the intensity of color 0; no caption says 1."""
    found = study_of(tmp_path, OFF_ONE)
    axis = "$\\rho$ = intensity of {} / of {} points"
    for kind, study in rows(AXES):
        drawing = draw(kind, found, [study])
        for ax in drawing.figure.axes:
            assert ax.get_xlabel() == axis.format(study, {"red": "green", "blue": "amber"}[study])
            assert {x for line in marked(ax, "o", "s", "D") for x in line.get_xdata()} == {0.25, 0.5}
        assert "intensity 1" not in drawing.caption and "= 1" not in drawing.caption.replace("ρ = 1", "")
    ax = draw("transition", found, ["blue"]).figure.axes[0]
    assert ax.get_ylabel() == "unmatched points / amber points"
    amber = found.query("study == 'blue' and quantity == 'unmatched_density' and color == 0").sort_values("ratio")
    assert tuple(amber["value"] / amber["intensity_0"]) in heights(ax)
    assert "intensity 4;" in draw("shy", found, ["shy"]).caption
    assert "intensities 2 to 4;" in draw("labels", found, ["labels"]).caption


BACKEND = """
import sys, matplotlib
matplotlib.use("svg")
matplotlib.rcParams["font.size"] = 17
import pandas as pd, poissonmatch as pm
from poissonmatch.studies.figures import canvas, draw
from poissonmatch_games import ToadsAndFrogs
from poissonmatch_games.figures import partisan_figures
canvas.render(draw.draw("fussy", pm.load(sys.argv[1]), ["fussy"]))
canvas.render(partisan_figures.thermograph(ToadsAndFrogs("TTT..FF")))
print(matplotlib.get_backend(), matplotlib.rcParams["font.size"], "matplotlib.pyplot" in sys.modules)
"""


@pytest.mark.slow
@pytest.mark.long
def test_the_users_backend_and_settings_stay(tiny):
    """Figures are made without pyplot: inline plots in a notebook go on as before."""
    done = python("-c", BACKEND, tiny[1] / "estimates.parquet")
    assert done.stdout.split() == ["svg", "17.0", "False"], done.stderr


def test_a_title_may_have_a_sign_of_dollars(frames):
    assert draw("fussy", frames["estimates"], ["fussy"], title="5 $ and $\\rho$").figure.axes


def test_every_kind_has_its_function_and_knows_its_needs():
    for kind in KINDS.values():
        assert callable(kind.function) and kind.needs <= set(OBSERVABLES) and kind.table in TABLES


@pytest.mark.parametrize(
    "space",
    (pm.Torus((4.0, 2.0)), pm.Box(3.0, 1, corner=-1.0), pm.Box(2.0, 3), pm.Euclidean(2), pm.Sphere(1.0)),
    ids=str,
)
def test_an_empty_pattern_is_an_empty_window(space):
    empty = pm.Pattern(np.full((1, space.dim), 1.0), None, space)[[False]]
    for item in (empty, pm.match(empty)):
        (ax,) = item.plot().axes
        if isinstance(space, pm.Box) and space.dim == 1:
            assert ax.get_xlim() == (-1, 2)
        elif isinstance(space, pm.Torus):
            assert (ax.get_xlim(), ax.get_ylim()) == ((0, 4), (0, 2))
        assert not any(len(marks.get_offsets()) for marks in ax.collections) and not ax.patches
