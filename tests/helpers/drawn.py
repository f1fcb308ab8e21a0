"""What is on a figure, found through its artists; and tables to draw from, made by hand."""

import itertools

import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch
from matplotlib.text import Text

from poissonmatch.rules.catalogue import rule_named
from poissonmatch.studies.figures.draw import draw
from poissonmatch.studies.figures.kinds import KINDS
from poissonmatch.studies.tables.estimate_tables import ESTIMATES

ROW = {
    "study": "s", "cell": "c", "process": "two_color", "rule": "fussy", "dim": 1.0, "geometry": "torus", "size": 100.0, "volume": 50.0, "side": 50.0,
    "intensity_0": 1.0, "intensity_1": 1.0, "ratio": 1.0, "quantity": "unmatched_fraction", "color": 1, "order": 0, "x": np.nan,
    "value": 0.5, "standard_error": 0.01, "lower": 0.48, "upper": 0.52, "n_replicates": 16,
    "interval": "logit", "dispersion": np.nan, "total": np.nan, "exact": np.nan, "exact_torus": np.nan, "cutoff": np.inf,
    "below_cutoff": True, "note": "",
}  # fmt: skip

ONE = {
    "rule": "one-color",
    "process": "poisson",
    "color": 0,
    "intensity_1": np.nan,
    "ratio": np.nan,
}
# Of the fixture `frames`: the studies that a figure of each kind shows.
STUDIES = {
    **dict.fromkeys(KINDS, ["frogs"]),
    **dict.fromkeys(("fussy", "fussy-log"), ["fussy"]),
    **dict.fromkeys(("collapse", "laws", "finite-size"), ["reference_color"]),
    **dict.fromkeys(("incomplete", "components"), ["graph"]),
    "realization": ["picture"],
    "tail": ["one-color", "two-color", "fussy"],
    "scaled-tail": ["one-color"],
    "transition": ["two-color"],
    "response": ["answer"],
    "winner": ["frogs", "misere"],
    "winner-ratio": ["fussy-frogs"],
    "n-unmatched": ["misere"],
    "labels": ["labels"],
    **dict.fromkeys(("structure-factor", "number-variance"), ["lattice"]),
}


def of_kind(frames, kind, **options):
    """The drawing of a kind from the fixture `frames`."""
    entry = KINDS[kind]
    return draw(kind, frames[entry.table], STUDIES[kind], second=frames.get(entry.second), **options)


def table(*rows):
    """A table `estimates` of these rows; what they do not say is as in ROW, the cell is named by the rest."""
    whole = [ROW | row for row in rows]
    for row in whole:
        rule = rule_named(row["rule"])
        row["color_name"] = rule.color_name(row["color"]) if rule.n_colors > 1 else None
        row["cell"] = str([row[key] for key in ("study", "dim", "size", "ratio", "intensity_0", "rule")])
        if "value" in row and "lower" not in row:
            row |= {"lower": row["value"] - 0.01, "upper": row["value"] + 0.01}
    return pd.DataFrame(whole)[ESTIMATES.names]


def labels(figure):
    """The words of all legends."""
    legends = [*figure.legends, *(ax.get_legend() for ax in figure.axes if ax.get_legend())]
    return [text.get_text() for legend in legends for text in legend.get_texts()]


def curves(ax):
    """(x, y) of each line as tuples, sorted by x."""
    return [tuple(map(tuple, np.asarray(line.get_xydata(), float).tolist())) for line in ax.get_lines()]


def heights(ax):
    """The y of each line."""
    return [tuple(y for _, y in curve) for curve in curves(ax)]


def marked(ax, *marks):
    """The lines with one of these marks."""
    return [line for line in ax.get_lines() if line.get_marker() in marks]


def dotted(ax):
    return [line for line in ax.get_lines() if line.get_linestyle() == ":"]


def texts(figure):
    """All words that one sees, with their boxes in pixels: (text, box, size in points)."""
    FigureCanvasAgg(figure).draw()
    renderer = figure.canvas.get_renderer()
    hidden = set()
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            slack = 1e-9 * (high - low)
            for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
                if not (ax.axison and low - slack <= tick.get_loc() <= high + slack):
                    hidden |= {id(tick.label1), id(tick.label2)}
    seen = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip() and id(t) not in hidden]
    return [(t.get_text(), t.get_window_extent(renderer), t.get_fontsize()) for t in seen]


def overlaps(figure):
    """Pairs of words that lie on each other, words of a legend that lie on axes, words that leave the figure."""
    found = texts(figure)
    wrong = [(a, b) for (a, one, _), (b, two, _) in itertools.combinations(found, 2) if _share(one, two)]
    renderer = figure.canvas.get_renderer()
    for legend in figure.legends:
        box = legend.get_window_extent(renderer)
        wrong += [("legend", ax.get_ylabel()) for ax in figure.axes if _share(box, ax.get_window_extent(renderer))]
    width, height = figure.get_size_inches() * figure.dpi
    wrong += [
        (text, "edge")
        for text, box, _ in found
        if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1
    ]
    return wrong


def _share(one, two):
    """Do two boxes share more than a pixel either way?"""
    across = min(one.x1, two.x1) - max(one.x0, two.x0)
    down = min(one.y1, two.y1) - max(one.y0, two.y0)
    return across > 1 and down > 1


def shade_of(color, entry):
    """Whether a color is that of an entry, or this mixed with white: sizes of one curve differ in lightness."""
    there, here = (1 - np.array(to_rgb(c)) for c in (color, entry))
    share = there.sum() / here.sum()
    return 0.5 < share < 1.01 and np.abs(there - share * here).max() < 0.01


def unmarked(figure):
    """Entries of the legends that nothing in the panels looks like, of which nothing is seen among them; a gray entry is one of any color."""
    lines = [
        line for ax in figure.axes for line in ax.get_lines() if np.isfinite(np.asarray(line.get_ydata(), float)).any()
    ]
    missing = []
    for legend in [*figure.legends, *(ax.get_legend() for ax in figure.axes if ax.get_legend())]:
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
            if not text.get_text().strip():  # a gap, after which a row begins
                continue
            patch = isinstance(handle, Patch)
            red, green, blue = color = to_rgb(handle.get_facecolor() if patch else handle.get_color())
            gray = red == green == blue != 0
            alike = [line for line in lines if gray or shade_of(line.get_color(), color)]
            if patch:
                missing += [] if alike else [f"{text.get_text()}: color"]
                continue
            if {handle.get_marker(), handle.get_linestyle()} <= {"None", "none", ""}:
                missing.append(f"{text.get_text()}: neither line nor marker")
            for trait in ("marker", "linestyle"):
                wanted = getattr(handle, f"get_{trait}")()
                if wanted not in ("None", "") and not any(getattr(line, f"get_{trait}")() == wanted for line in alike):
                    missing.append(f"{text.get_text()}: {trait} {wanted}")
    return missing
