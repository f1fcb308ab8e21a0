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
from ..tables.tables import names_of_colors, parameters_of, process_of
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
MARGIN = 0.04  # of the extent of points in Euclidean space
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
    name = layout.options.labels.get(study, rule if isinstance(rule, str) and process_of(cell.iloc[0]) else study)
    points, alone = cell["point"].nunique(), int((cell.groupby("point")["partner"].max() < 0).sum())
    partners = f", {alone or 'none'} without a partner" if rule else ""
    return f"{name}, {dim_name(cell['dim'].iloc[0])}: {points} points{partners}"


def _frame(cell: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower corner and the sides of the frame of a picture, in up to three dimensions.

    It is the window, or, in Euclidean space, a box that is a little larger than the points need.
    """
    row, dim = cell.iloc[0], int(cell["dim"].iloc[0])
    if np.isfinite(row["side"]):
        parameters = parameters_of(row)
        window = parameters.get("window", {})
        shape = row["side"] * np.array(parameters.get("shape", np.ones(dim)))
        in_box = row["geometry"] != Torus.name  # points from files on a torus are moved to 0
        low = (window.get("origin") if in_box else None) or np.zeros(dim)
        return np.array(low, float), np.broadcast_to(window.get("side") or shape, dim).astype(float)
    points = cell[["x", "y", "z"][:dim]].to_numpy(float)
    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    margin = MARGIN * np.maximum(extent, (extent.max() or 1.0) / 4)
    return low - margin, extent + 2 * margin


def _highest(cell: pd.DataFrame) -> float:
    """Return the height of the highest arc over the width of the picture."""
    width = _frame(cell)[1][0]
    distance = cell["distance"][np.isfinite(cell["distance"])]
    return float(distance.max() if (cell["partner"] >= 0).any() else 0.0) / 2 / width


def _height_over_width(cell: pd.DataFrame) -> float:
    """Return the height of a picture in d = 2 or 3 over its width."""
    sides = _frame(cell)[1]
    return float(sides[1] / sides[0]) if len(sides) > 1 else 1.0


class _Picture:
    """The picture of one cell."""

    def __init__(self, ax: Axes, cell: pd.DataFrame, layout: FigureLayout, inches: float, highest: float) -> None:
        self.ax, self.layout, self.inches, self.highest = ax, layout, inches, highest
        self.dim, (self.low, self.sides) = int(cell["dim"].iloc[0]), _frame(cell)
        parameters, self.space = parameters_of(cell.iloc[0]), str(cell["geometry"].iloc[0])
        self.names = names_of_colors(cell.iloc[0])
        walls = parameters.get("walls", [] if self.space == Torus.name else range(self.dim))
        self.seams = [axis for axis in range(min(2, self.dim)) if axis not in walls]
        self.intensity = float(np.nansum(cell[intensity_columns(cell)].iloc[0]))
        self.points = cell.drop_duplicates("point").set_index("point")
        self.matched = bool(cell["rule"].iloc[0])  # False: points without a matching
        self.rule = rule_of(cell) if self.matched else rule_named("two-color" if cell["color"].any() else "one-color")
        self.alone = (cell.groupby("point")["partner"].max() < 0) & self.matched
        self.pairs = cell[cell["partner"] >= 0]
        self.seen = pd.Series(True, self.points.index)
        self.bounded = np.isfinite(cell["side"].iloc[0])
        if self.dim == 3:
            self._slab()

    def draw(self) -> None:
        """Draw lines, points, frame and scale bar."""
        self._lines()
        self._dots()
        self.ax.set_xticks([])
        self.ax.set_yticks([])
        self.ax.set_aspect("equal")
        left, width = self.low[0], self.sides[0]
        self.ax.set_xlim(left, left + width)
        if self.dim == 1:
            self.ax.set_ylim(-BELOW / self.inches * width, max(LOWEST, 1.1 * self.highest) * width)
        else:
            self.ax.set_ylim(self.low[1], self.low[1] + self.sides[1])
        self._bar()
        if self.seams and self.matched:
            short = f"On the {self.space}, partners are joined along the shortest path"
            self.layout.say(f"{short}: a line that leaves the frame continues on the opposite side.")

    def _slab(self) -> None:
        thickness = self.sides[2] * min(1.0, max(SLAB / len(self.points), 0.02))
        self.seen = self.points["z"] < self.low[2] + thickness
        self.pairs = self.pairs[self.pairs["point"].map(self.seen)]
        pale = "; pale: partners outside it" if self.matched else ""
        self.layout.say(f"In $d = 3$ a slab of thickness {thickness:.3g} is seen from above{pale}.")

    # ---- lines ----

    def _lines(self) -> None:
        here = self.pairs[["x", "y"]].to_numpy(float)
        step = self.points.loc[self.pairs["partner"], ["x", "y"]].to_numpy(float) - here
        for axis in self.seams:  # the short way; drawn from either end, and the frame clips it
            step[:, axis] -= self.sides[axis] * np.round(step[:, axis] / self.sides[axis])
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
                self._key(self._name(int(color)), color=shade, marker="o", linestyle="")
        if alone.any():
            open_ring = {"color": "#444444", "marker": "o", "markerfacecolor": "none", "markersize": 5}
            self._key(ALONE, linestyle="", **open_ring)

    def _name(self, color: int) -> str:
        """Return the name of a color: that of the data, unless the figure has a label for it."""
        name = self.rule.color_name(color)
        return self.names[color] if color < len(self.names) and name not in self.layout.options.labels else name

    def _key(self, label: str, **style: Any) -> None:
        self.layout.handles.setdefault(
            label, Line2D([], [], label=self.layout.options.labels.get(label, label), **style)
        )

    def _bar(self) -> None:
        """Draw a scale bar of the length of the typical spacing, or 10, 100, ... times that among many points.

        In Euclidean space it has a round length. It is below the frame, or inside it for points on a
        line.
        """
        if self.bounded:
            length = self.intensity ** (-1 / self.dim)
            factor = 10 ** max(0, math.ceil(math.log10(SHORTEST_BAR * self.sides[0] / length)))
            length *= factor
            if self.dim < 3:
                name = f"{factor}/" + {1: "\\lambda", 2: "\\sqrt{\\lambda}"}[self.dim]
            else:
                name = (f"{factor}\\," if factor > 1 else "") + f"\\lambda^{{-1/{self.dim}}}"
            self.layout.say(f"Scale bar: ${name}$ in {dim_name(self.dim)}, $\\lambda$ the intensity of all points.")
        else:
            length = _round_length(self.sides[0] / 5)
            name = f"{length:g}"
        line = self.dim == 1
        start = self.low[0] + (0.01 * self.sides[0] if line else 0.0)
        end, low = start + length, self.ax.get_ylim()[0]
        drop = 8 if line else -8  # points above or below the lower edge
        style: dict[str, Any] = {"color": "#000000", "lw": 1.4, "solid_capstyle": "butt", "clip_on": False}
        shifted = self.ax.transData + ScaledTranslation(0, drop / 72, self.layout.figure.dpi_scale_trans)
        self.ax.plot([start, end], [low, low], transform=shifted, scalex=False, scaley=False, **style)
        font: dict[str, Any] = {"ha": "left", "va": "center", "fontsize": rcParams["legend.fontsize"]}
        self.ax.annotate(texed(f"${name}$"), (end, low), xytext=(3, drop), textcoords="offset points", **font)


def _round_length(length: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is at most a length."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(max(factor * power for factor in (1, 2, 5) if factor * power <= length * (1 + 1e-9)))
