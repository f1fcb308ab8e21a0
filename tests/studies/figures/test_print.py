"""Figures as a journal prints them: size, letters, colors, formats; what a study file and Python say of their look."""

import string

import numpy as np
import pytest
from matplotlib.backends import backend_pdf
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import poissonmatch as pm
from helpers.drawn import labels, of_kind, overlaps, table, texts, unmarked
from helpers.processes import python
from helpers.refusals import refusal, rows
from helpers.runs import load_study, write_study
from helpers.tables import tables
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.figures import canvas, style
from poissonmatch.studies.figures.draw import draw
from poissonmatch.studies.figures.figure_layout import MAX_HEIGHT
from poissonmatch.studies.figures.kinds import KINDS
from poissonmatch.studies.figures.text_format import estimate, plain, tex
from poissonmatch.studies.results.load import load
from poissonmatch.studies.run import stages
from poissonmatch.utils.errors import BadInput


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", ["column", pytest.param("text", marks=pytest.mark.slow)])
def test_a_figure_of_any_kind_can_be_read_at_its_size(frames, kind, width):
    """No word on another, on a panel or over the edge, none below 7 points, each entry of the legend marked."""
    figure = of_kind(frames, kind, width=width).figure
    assert figure.get_figwidth() == {"column": 3.4, "text": 7.0}[width] and figure.get_figheight() <= MAX_HEIGHT
    assert overlaps(figure) == [] and (kind == "realization" or unmarked(figure) == [])
    assert min(size for _, _, size in texts(figure)) >= 7
    letters = [ax.get_title(loc="left")[:3] for ax in figure.axes]
    assert len(letters) == 1 or letters == [f"({letter})" for letter in string.ascii_lowercase[: len(letters)]]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_draws_the_same_bytes(frames, kind):
    files, again = (canvas.render(of_kind(frames, kind)) for _ in range(2))
    assert files == again and len(files[".txt"]) > 100
    assert files[".png"].startswith(b"\x89PNG") and files[".pdf"].startswith(b"%PDF")


# ---- colors ----

TABLES = tables(__file__)
SIGHT = TABLES["sight"]


def cielab(color, sight):
    """L, a, b of a color as an eye sees it."""
    rgb = np.array(to_rgb(color))
    linear = np.clip(
        np.asarray(SIGHT[sight]) @ np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4), 0, 1
    )
    xyz = np.asarray(TABLES["color"]["to_xyz"]) @ linear / TABLES["color"]["white"]
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(colors, sight):
    """The least distance of two colors, and the least difference in lightness."""
    lab = np.array([cielab(color, sight) for color in colors])
    pairs = np.triu_indices(len(colors), 1)
    return np.linalg.norm(lab[:, None] - lab, axis=2)[pairs].min(), np.abs(lab[:, None, 0] - lab[:, 0])[pairs].min()


@pytest.mark.parametrize("sight", SIGHT)
def test_hues_are_told_apart_by_color_blind_people(sight):
    assert apart(style.PALETTE, sight)[0] > 20
    for pair in (("amber", "blue"), ("green", "red")):
        assert apart([style.POINTS[name] for name in pair], sight)[0] > 30


def test_hues_are_told_apart_in_grey_print():
    assert apart(style.PALETTE, "usual")[1] > 10
    for pair in (("amber", "blue"), ("green", "red")):
        assert apart([style.POINTS[name] for name in pair], "usual")[1] > 25


# ---- numbers and captions ----


def test_of_an_interval_without_an_upper_end_the_lower_one_is_shown():
    row = {"value": 3.1, "standard_error": 0.2, "lower": 2.7, "upper": np.inf}
    assert estimate(row) == "> 2.7" and estimate(row | {"upper": 3.5}) == "3.1(2)"


# What is written, as text, and as LaTeX.
CAPTIONS = r"""
$e^{-1/\rho}$ in 5 % & more → e^(-1/ρ) in 5 % & more → $e^{-1/\rho}$ in 5 \% \& more
$1/\sqrt{\rho}$, $d \ge 2$ → 1/√ρ, d ≥ 2 → $1/\sqrt{\rho}$, $d \ge 2$
my_study costs 5 $ → my_study costs 5 $ → my\_study costs 5 \$
"""


@pytest.mark.parametrize("written, text, latex", rows(CAPTIONS))
def test_a_caption_is_text_and_latex(written, text, latex):
    assert (plain(written), tex(written)) == (text, latex)


# ---- what a study says ----

STUDY = "studies:\n  a: {dims: 1, sizes: 60, replicates: 2, observables: [realization, distances]}\nfigures:\n  f: {kind: tail, studies: a, WORDS}\n"
REFUSED = r"""
width: colum → line 4: figures.f.width: 'colum' is not known here; did you mean 'column'?
panels: dims → line 4: figures.f.panels: 'dims' is not known here; did you mean 'dim'?
format: [pdf, jpg] → line 4: figures.f.format[1]: 'jpg' is not known here
format: [] → line 4: figures.f.format
log: z → line 4: figures.f.log[0]: 'z' is not known here; there are x, y
xlims: [0, 1] → line 4: figures.f.xlims: unknown key 'xlims'; did you mean 'xlim'?
xlim: [1, 0] → line 4: figures.f.xlim: the limits of an axis must be two numbers, the smaller one first
xlim: [1] → line 4: figures.f.xlim
ylim: [0, .inf] → line 4: figures.f.ylim[1]
log: [y], ylim: [0, 1] → line 4: figures.f.ylim: a logarithmic axis has no 0
labels: {b: other} → line 4: figures.f.labels.b: the figure has no study 'b'; there are a
labels: {a: $\frac$} → line 4: figures.f.labels.a: the label is not a formula
style: none.mplstyle → line 4: figures.f.style → none.mplstyle: there is no such style file
style: bad.mplstyle → line 4: figures.f.style → bad.mplstyle, line 2: unknown setting 'axes.labelsze'; did you mean 'axes.labelsize'?
style: worse.mplstyle → line 4: figures.f.style → worse.mplstyle, line 1: font.size:
style: words.mplstyle → line 4: figures.f.style → words.mplstyle, line 1: 'bold letters' is not a setting
style: alien.mplstyle → line 4: figures.f.style → alien.mplstyle, line 1: backend does not belong in a style
style: . → line 4: figures.f.style → cannot be read
usetex: 1 → line 4: figures.f.usetex
octaves: u.csv → line 4: figures.f.octaves: a figure tail does not show octaves; remove it
"""


@pytest.mark.parametrize("row", rows(REFUSED))
def test_what_a_figure_cannot_be_is_told_with_its_line(tmp_path, row):
    for name, text in TABLES["styles"].items():
        (tmp_path / f"{name}.mplstyle").write_text(text)
    option, *parts = row
    line = refusal(studies.load, write_study(tmp_path, STUDY.replace("WORDS", option), "s"))
    assert all(part in line for part in parts)


def test_a_picture_has_no_axes_to_set(tmp_path):
    text = STUDY.replace("kind: tail", "kind: realization").replace("WORDS", "xlim: [0, 1]")
    message = refusal(studies.load, write_study(tmp_path, text, "s"))
    assert "figures.f.xlim: a figure realization has no axes; remove it" in message


def test_what_a_study_says_of_a_figure_is_done(tiny, tmp_path, monkeypatch):
    words = (
        "figures:\n  f: {kind: tail, studies: [one-color, two-color], width: column, panels: dim, xlim: [0.5, 5], ylim: [0.01, 1], "
        "log: [y], labels: {one-color: A $\\rho$ study}, caption: Mine., style: mine.mplstyle, format: [svg, pdf]}\n"
    )
    (tmp_path / "mine.mplstyle").write_text("axes.labelsize: 11  # large\naxes.facecolor: '#eeeeee'\n")
    text = tiny[0].read_text()
    file = studies.load(write_study(tmp_path, text[: text.index("figures:")] + words, "tiny"))
    drawings = []
    with monkeypatch.context() as patch:
        patch.setattr(canvas, "render", lambda drawing, formats: drawings.append(drawing) or {})
        stages.rendered(file, "f", lambda table: load(tiny[1] / f"{table}.parquet"))
    (drawing,) = drawings
    figure = drawing.figure
    assert figure.get_figwidth() == 3.4 and len(figure.axes) == 3
    for ax in figure.axes:
        assert (ax.get_xlim(), ax.get_ylim()) == ((0.5, 5), (0.01, 1))
        assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "log")
        assert ax.xaxis.label.get_fontsize() == 11 and ax.get_facecolor()[0] == pytest.approx(0xEE / 255)
    assert drawing.caption.startswith("Mine. (a) $d = 1$; (b) $d = 2$; (c) mean field.")
    assert any("A $\\rho$ study" in label for label in labels(figure))
    assert set(canvas.render(drawing, ("svg",))) == {".svg", ".txt"}


# ---- in Python ----


@pytest.mark.slow
def test_each_kind_is_a_function_on_a_frame(frames):
    estimates = frames["estimates"]
    assert {kind.replace("-", "_") for kind in KINDS} <= set(dir(pm.figures))
    mine = Figure()
    axes = mine.subplots(1, 2)
    assert pm.figures.fussy(estimates.query("study == 'fussy'"), ax=axes) is mine
    assert pm.figures.caption(mine).startswith("Fussy matching: ρ red points for each green one")
    assert all(len(ax.get_lines()) > 3 for ax in axes) and axes[0].get_legend() is not None
    one = Figure().subplots()
    pm.figures.scaled_tail(estimates.query("study == 'one-color'"), ax=one, xlim=(1, 2))
    assert one.get_xlim() == (1, 2)


# Of the table e, a call and a pattern of its message.
CALLS = r"""
pm.figures.fussy(e.query("study == 'fussy'"), ax=Figure().subplots()) → 2 axes, one for each panel \(linear; logarithmic\), got 1
pm.figures.tail(e, widht="text") → no option 'widht'; did you mean 'width'
pm.figures.tail(e, width="txt") → width: 'txt' is not known here; did you mean 'text'
pm.figures.fussy(e.query("study == 'one-color'")) → nothing to draw: no rows of unmatched_fraction with two colors
pm.figures.tail(e[["value"]]) → no column study
pm.figures.winner(e.query("study == 'fussy'")) → nothing to draw
draw("tail", e, ["nobody"]) → nothing to draw of nobody
draw("tail", e, []) → nothing to draw of no study
draw("fussy", e, ["fussy"], title="$\\frac$") → the title is not a formula
"""


@pytest.mark.parametrize("call, said", rows(CALLS))
def test_what_cannot_be_drawn_is_told(frames, call, said):
    with pytest.raises(BadInput, match=said):
        eval(call, globals(), {"e": frames["estimates"]})


# ---- formats ----

ROWS = [{"dim": np.inf, "ratio": r, "intensity_1": r, "exact": np.exp(-1 / r)} for r in (0.2, 0.5, 1.0)]


def rendered_twice(*formats, **options):
    """The files of a figure in these formats, each time it is drawn."""
    return [canvas.render(draw("fussy", table(*ROWS), **options), formats) for _ in range(2)]


def test_each_format_is_the_same_bytes_each_time():
    one, two = rendered_twice("pdf", "svg", "png")
    assert one == two and set(one) == {".pdf", ".svg", ".png", ".txt"}
    assert b"<svg" in one[".svg"] and b"Date" not in one[".pdf"] and b"<dc:date>" not in one[".svg"]


PREFIX = """
import sys
from matplotlib.backends.backend_pdf import PdfFile
from poissonmatch.studies.figures import canvas
name, canvas.SUBSET_PREFIX = canvas.SUBSET_PREFIX, sys.argv[1]
with canvas._steady_names():
    print(getattr(PdfFile, name)(frozenset("abc")))
"""


@pytest.mark.parametrize("interface, names", [(canvas.SUBSET_PREFIX, 1), ("_of_another_version", 2)])
def test_names_of_fonts_differ_between_processes_only_without_the_private_interface(interface, names):
    """It is that of matplotlib 3.11; without it figures are drawn as before."""
    if not hasattr(backend_pdf.PdfFile, canvas.SUBSET_PREFIX):
        pytest.skip("this version of matplotlib has no such interface")
    seeds = [{"PYTHONHASHSEED": seed} for seed in "12"]
    assert len({python("-c", PREFIX, interface, variables=seed, check=True).stdout for seed in seeds}) == names


def test_a_figure_is_drawn_without_the_private_interface(monkeypatch):
    monkeypatch.setattr(canvas, "SUBSET_PREFIX", "_of_another_version")
    one, two = rendered_twice("pdf")
    assert one == two and one[".pdf"].startswith(b"%PDF")


@pytest.fixture
def latex():
    try:
        style.need_latex("this")
    except OSError as error:
        pytest.skip(str(error))


@pytest.mark.slow
def test_letters_by_latex(latex):
    """usetex, and pgf: the words of our figures can be set by LaTeX, a user's too, and are the same bytes each time."""
    options = {"labels": {"s": "50% of_my $\\rho$ & yours"}, "usetex": True}
    one, two = rendered_twice("pdf", "pgf", "png", **options)
    assert one == two and one[".pdf"].startswith(b"%PDF") and b"pgfpicture" in one[".pgf"]


@pytest.mark.slow
def test_what_latex_cannot_set_is_told_in_a_line(latex):
    with pytest.raises(BadInput, match="LaTeX cannot set the text: ! Undefined control sequence"):
        draw(
            "fussy", table(*ROWS), None, None, usetex=True, labels={"s": r"$\mathdefault{a} \nexists \Join \dotminus$"}
        )


def test_a_style_that_turns_the_layout_off_changes_no_place(tmp_path):
    """The legend would lie on the curves."""
    path = tmp_path / "mine.mplstyle"
    path.write_text("figure.autolayout: True\nfigure.constrained_layout.use: False\nsvg.hashsalt: x\n")
    frame = table(*ROWS)
    figure = draw("fussy", frame, style=str(path)).figure
    assert overlaps(figure) == []
    assert canvas.render(draw("fussy", frame, style=str(path)), ("svg",)) == canvas.render(
        draw("fussy", frame), ("svg",)
    )


def test_without_latex_usetex_is_told_in_a_line(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(OSError, match="usetex needs LaTeX, and there is no latex here; install it"):
        draw("fussy", table(*ROWS), None, None, usetex=True)
    with pytest.raises(OSError, match="the format pgf needs LaTeX"):
        canvas.render(draw("fussy", table(*ROWS)), ("pgf",))


def test_before_anything_is_simulated_it_is_noted_that_latex_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr("shutil.which", lambda name: None)
    for words, noted in (("usetex: true", 1), ("format: [pgf]", 1), ("format: [svg]", 0)):
        file = load_study(tmp_path, STUDY.replace("WORDS", words))
        assert ["figures.f needs LaTeX" in remark for remark in studies.remarks(file)] == [True] * noted
