"""Pictures of points and pairs in one to three dimensions, on the torus or in a finite set.

They are arcs in d = 1; in d = 3 a slab is drawn, seen from above.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from ..points.spaces import Torus
from ..rules.catalogue import rule_named
from ..utils.errors import BadInput
from ..utils.libraries import pd
from .figure_layout import FigureLayout, texed
from .figure_text import dim_name, intensity_columns, rule_of
from .kinds import WIDTHS
from .style import PALETTE, color_of_points, lighter

# Colors of lines by partner or label, none of which is the color of a point: black, violet, gray;
# then yellow, teal, brown.
ORDERS = ("#000000", "#7B3FA0", "#A6A6A6", PALETTE[4], PALETTE[1], PALETTE[3])
NEAREST = ("nearest partner", "second partner", "third partner")
ALONE = "without a partner"
SLAB = 150  # points of a slab, about
PALE = 0.3
BELOW, AROUND = 0.26, 0.42  # inches below the points of a line, and above and below the frame
SHORTEST_BAR = 0.02  # length of a scale bar over the width of the picture, at least
LOWEST = 0.05  # height of a picture on a line over its width, at least


def realization(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the points and pairs of replicate 0, a panel for each cell."""
    rows = rows[np.isfinite(rows["dim"])]
    cells = [cell for _, cell in rows.groupby(["study", "cell"], sort=False)]
    if not cells:
        raise BadInput("there is nothing to draw: the table has no points")
    several = len(cells) > 1
    width = layout.options.width or ("text" if several else "column")
    flat = all(cell["dim"].iloc[0] == 1 for cell in cells)  # then below each other, as high as the arcs
    across = 1 if flat else min(len(cells), (3 if len(cells) != 4 else 2) if width == "text" else 2)
    each = WIDTHS[width] / across
    highest = max([_highest(cell) for cell in cells if cell["dim"].iloc[0] == 1], default=0.0)
    if flat:  # so that the frame is as wide as the figure
        high = each * max(LOWEST, 1.1 * highest) + BELOW + AROUND
    else:
        high = min(each, each * max(_height_over_width(cell) for cell in cells) + AROUND)
    titles = [_panel_title(cell, layout) for cell in cells]
    axes = layout.grid(titles, across, high, heads=[title.partition(":")[0] for title in titles] if several else None)
    if layout.axes is None:  # margin for circles that cross the edge
        engine: Any = layout.figure.get_layout_engine()
        engine.set(w_pad=0.08, h_pad=0.08)
    for ax, cell in zip(axes, cells, strict=True):
        if layout.axes is not None:
            each = ax.get_window_extent().width / layout.figure.dpi
        _Picture(ax, cell, layout, each, highest).draw()
    if ring := layout.handles.pop(ALONE, None):  # the last entry of the legend
        layout.handles[ALONE] = ring
    if not any(cell["rule"].iloc[0] for cell in cells):
        return "Points."
    return "Points and their partners under each rule." if several else "Points and their partners."


def _panel_title(cell: pd.DataFrame, layout: FigureLayout) -> str:
    study = cell["study"].iloc[0]
    rule = cell["rule"].iloc[0]
    name = layout.options.labels.get(study, rule if isinstance(rule, str) and cell["process"].iloc[0] else study)
    points, alone = cell["point"].nunique(), int((cell.groupby("point")["partner"].max() < 0).sum())
    partners = f", {alone or 'none'} without a partner" if rule else ""
    return f"{name}, {dim_name(cell['dim'].iloc[0])}: {points} points{partners}"


def _highest(cell: pd.DataFrame) -> float:
    """Return the height of the highest arc over the width of the picture."""
    side = float(cell["side"].iloc[0])
    width = side if np.isfinite(side) else float(np.ptp(cell["x"])) or 1.0
    distance = cell["distance"][np.isfinite(cell["distance"])]
    return float(distance.max() if (cell["partner"] >= 0).any() else 0.0) / 2 / width


def _height_over_width(cell: pd.DataFrame) -> float:
    """Return the height of a picture in d = 2 or 3 over its width; that of a window is 1."""
    if np.isfinite(cell["side"].iloc[0]) or cell["dim"].iloc[0] == 1:
        return 1.0
    width, height = np.ptp(cell["x"]), np.ptp(cell["y"])
    return float(height / width) if width else 1.0


class _Picture:
    """The picture of one cell."""

    def __init__(self, ax: Axes, cell: pd.DataFrame, layout: FigureLayout, inches: float, highest: float) -> None:
        self.ax, self.layout, self.inches, self.highest = ax, layout, inches, highest
        self.side, self.dim = float(cell["side"].iloc[0]), int(cell["dim"].iloc[0])
        self.intensity = float(np.nansum(cell[intensity_columns(cell)].iloc[0]))
        self.points = cell.drop_duplicates("point").set_index("point")
        self.matched = bool(cell["rule"].iloc[0])  # False: points without a matching
        self.rule = rule_of(cell) if self.matched else rule_named("two-color" if cell["color"].any() else "one-color")
        self.alone = (cell.groupby("point")["partner"].max() < 0) & self.matched
        self.pairs = cell[cell["partner"] >= 0]
        self.seen = pd.Series(True, self.points.index)
        self.framed, self.torus = np.isfinite(self.side), cell["geometry"].iloc[0] == Torus.name
        if self.dim == 3:
            self._slab()

    def draw(self) -> None:
        """Draw lines, points, frame and scale bar."""
        self._lines()
        self._dots()
        self.ax.set_xticks([])
        self.ax.set_yticks([])
        self.ax.set_aspect("equal")
        if self.framed:
            self.ax.set_xlim(0, self.side)
            top = max(LOWEST, 1.1 * self.highest)
            below = BELOW / self.inches * self.side  # space for the scale bar
            self.ax.set_ylim(*((-below, top * self.side) if self.dim == 1 else (0, self.side)))
            self._bar()
        else:
            self.ax.margins(0.08)
            self.ax.set_axis_off()
        if self.torus and self.matched:
            short = "On the torus, partners are joined along the shortest path"
            self.layout.say(f"{short}: a line that leaves the frame continues on the opposite side.")

    def _slab(self) -> None:
        high = self.points["z"].max() if not self.framed else self.side
        thickness = high * min(1.0, max(SLAB / len(self.points), 0.02))
        self.seen = self.points["z"] < thickness
        self.pairs = self.pairs[self.pairs["point"].map(self.seen)]
        pale = "; pale: partners outside it" if self.matched else ""
        self.layout.say(f"In $d = 3$ a slab of thickness {thickness:.3g} is seen from above{pale}.")

    # ---- lines ----

    def _lines(self) -> None:
        here = self.pairs[["x", "y"]].to_numpy(float)
        step = self.points.loc[self.pairs["partner"], ["x", "y"]].to_numpy(float) - here
        if self.torus:  # the short way; drawn from either end, and the frame clips it
            step -= self.side * np.round(step / self.side)
        inside = self.pairs["partner"].map(self.seen).to_numpy(bool)
        shades = np.array(["#666666"] * len(here), dtype=object)
        if self.rule.width > 1:
            orders = self.pairs["order"]
            if not self.rule.labels:  # one point's nearest may be the other's second
                ends = np.sort(self.pairs[["point", "partner"]].to_numpy(), axis=1)
                orders = orders.groupby([ends[:, 0], ends[:, 1]]).transform("min")
                what = "The color of a line shows which partner it leads to"
                self.layout.say(f"{what}, for the end at which this number is smaller.")
            shades = np.array([ORDERS[k % len(ORDERS)] for k in orders], dtype=object)
            for k in sorted(set(orders)):
                name = f"label {k}" if self.rule.labels else NEAREST[k] if k < len(NEAREST) else f"partner {k + 1}"
                self._key(name, color=ORDERS[k % len(ORDERS)], linestyle="-")
        colors = [shade if near else lighter(shade, PALE) for shade, near in zip(shades, inside, strict=True)]
        lines = self._arcs(here, step) if self.dim == 1 else np.stack([here, here + step], axis=1)
        width = float(np.clip(0.35 * self.inches, 0.5, 0.9)) * self._thin
        self.ax.add_collection(LineCollection(list(lines), colors=colors, linewidths=width, zorder=1))
        if not inside.all():
            far = (here + step)[~inside]
            self.ax.scatter(far[:, 0], far[:, 1], s=self._size / 2, color="#bbbbbb", linewidths=0, zorder=1.5)

    def _arcs(self, here: np.ndarray, step: np.ndarray) -> np.ndarray:
        turn = np.linspace(0, np.pi, 40)
        start, width = here[:, :1], step[:, :1]
        return np.stack([start + width * (1 - np.cos(turn)) / 2, np.abs(width) / 2 * np.sin(turn)], axis=2)

    # ---- points ----

    @property
    def _size(self) -> float:
        """Area of a dot in square points, smaller in panels with many points.

        From about 10,000 points on, its diameter is a fraction of the spacing of the points.
        """
        many = np.sqrt(max(1, int(self.seen.sum()))) if self.dim > 1 else self.seen.sum() / 4
        area = min(16.0, 36 * self.inches / max(1.0, many), (0.45 * self._spacing) ** 2)
        return float(self.layout.options.s or max(area, 0.05))

    @property
    def _spacing(self) -> float:
        """Mean distance of neighbors in points of print; of points on a line, a fourth of the width."""
        many = np.sqrt(max(1, int(self.seen.sum()))) if self.dim > 1 else 4.0
        return float(72 * self.inches / many)

    @property
    def _thin(self) -> float:
        """Factor of the widths of lines: 1 for up to about 10,000 points, then smaller."""
        return float(min(1.0, self._spacing / 2.4))

    def _dots(self) -> None:
        shown, alone = self.points[self.seen], self.alone[self.seen]
        for color in sorted(set(shown["color"])):
            mine = shown["color"] == color
            shade = color_of_points(self.layout.options.colors, self.rule, int(color))
            dots, rings = shown[mine & ~alone], shown[mine & alone]
            over: dict[str, Any] = {"clip_on": False}  # a circle at the edge is a whole circle
            self.ax.scatter(dots["x"], dots["y"], s=self._size, color=shade, zorder=2, linewidths=0, **over)
            ring: dict[str, Any] = {"facecolors": "none", "edgecolors": shade, "linewidths": 0.9 * self._thin}
            self.ax.scatter(rings["x"], rings["y"], s=3.5 * self._size, zorder=3, **ring, **over)
            if self.rule.n_colors > 1:
                self._key(self.rule.color_name(int(color)), color=shade, marker="o", linestyle="")
        if alone.any():
            open_ring = {"color": "#444444", "marker": "o", "markerfacecolor": "none", "markersize": 5}
            self._key(ALONE, linestyle="", **open_ring)

    def _key(self, label: str, **style: Any) -> None:
        self.layout.handles.setdefault(
            label, Line2D([], [], label=self.layout.options.labels.get(label, label), **style)
        )

    def _bar(self) -> None:
        """Draw a scale bar of the length of the typical spacing, or 10, 100, ... times that among many points.

        It is below the frame, or inside it for points on a line.
        """
        length = self.intensity ** (-1 / self.dim)
        factor = 10 ** max(0, math.ceil(math.log10(SHORTEST_BAR * self.side / length)))
        length *= factor
        if self.dim < 3:
            name = f"{factor}/" + {1: "\\lambda", 2: "\\sqrt{\\lambda}"}[self.dim]
        else:
            name = (f"{factor}\\," if factor > 1 else "") + f"\\lambda^{{-1/{self.dim}}}"
        line = self.dim == 1
        start = 0.01 * self.side if line else 0.0
        end, low = start + length, self.ax.get_ylim()[0]
        drop = 8 if line else -8  # points above or below the lower edge
        style: dict[str, Any] = {"color": "#000000", "lw": 1.4, "solid_capstyle": "butt", "clip_on": False}
        shifted = self.ax.transData + ScaledTranslation(0, drop / 72, self.layout.figure.dpi_scale_trans)
        self.ax.plot([start, end], [low, low], transform=shifted, scalex=False, scaley=False, **style)
        font: dict[str, Any] = {"ha": "left", "va": "center", "fontsize": rcParams["legend.fontsize"]}
        self.ax.annotate(texed(f"${name}$"), (end, low), xytext=(3, drop), textcoords="offset points", **font)
        self.layout.say(f"Scale bar: ${name}$ in {dim_name(self.dim)}, $\\lambda$ the intensity of all points.")
