"""Pictures of points and pairs in one to three dimensions: arcs in d = 1, and a slab seen from above in d = 3."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.transforms import ScaledTranslation

from ...points.spaces import Torus
from ...points.sphere import Sphere
from ...rules.catalogue import rule_named
from ...rules.rule import Rule
from ...utils.libraries import pd
from ..tables.tables import intensities_of, names_of_colors, parameters_of, process_of
from .figure_layout import FigureLayout, texed
from .figure_rows import rule_of
from .figure_text import CAPTIONS, PARTS, UNMATCHED, dim_name, partner_name
from .kinds import WIDTHS, NothingToDraw
from .style import PALETTE, color_of_points, lighter
from .text_format import filled, spacing_text

# Colors of lines by partner or label, none of which is the color of a point: black, violet, gray;
# then yellow, teal, brown.
ORDERS = ("#000000", "#7B3FA0", "#A6A6A6", PALETTE[4], PALETTE[1], PALETTE[3])
SLAB = 150  # points of a slab, about
PALE = 0.3
BELOW, AROUND = 0.26, 0.42  # inches below the points of a line, and above and below the frame
MARGIN = 0.04  # of the extent of points in Euclidean space
SHORTEST_BAR = 0.02  # length of a scale bar over the width of the picture, at least
LOWEST = 0.05  # height of a picture on a line over its width, at least


def realization(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the points and pairs of replicate 0, a panel for each cell."""
    rows = rows[np.isfinite(rows["dim"])]
    pictures = [_PictureOfCell(cell, layout) for _, cell in rows.groupby(["study", "cell"], sort=False)]
    if not pictures:
        raise NothingToDraw("there is nothing to draw: the table has no points")
    if (rows["geometry"] == Sphere.name).any():
        raise NothingToDraw("a figure realization shows no sphere; pm.match(pattern).plot() draws a map")
    several = len(pictures) > 1
    width = layout.options.width or ("text" if several else "column")
    flat = all(picture.dim == 1 for picture in pictures)  # then below each other, as high as the arcs
    across = 1 if flat else min(len(pictures), 3 if width == "text" and len(pictures) != 4 else 2)
    each = WIDTHS[width] / across
    arc = max(picture.highest_arc for picture in pictures)
    if flat:  # so that the frame is as wide as the figure
        high = each * max(LOWEST, 1.1 * arc) + BELOW + AROUND
    else:
        high = min(each, each * max(picture.height for picture in pictures) + AROUND)
    titles = [picture.title for picture in pictures]
    heads = [title.partition(":")[0] for title in titles] if several else ()
    axes = layout.grid(titles, across, high, heads)
    if layout.axes is None:  # margin for circles that cross the edge
        engine: Any = layout.figure.get_layout_engine()
        engine.set(w_pad=0.08, h_pad=0.08)
    for ax, picture in zip(axes, pictures, strict=True):
        picture.draw(ax, each if layout.axes is None else ax.get_window_extent().width / layout.figure.dpi, arc)
    if ring := layout.handles.pop(UNMATCHED, None):  # the last entry of the legend
        layout.handles[UNMATCHED] = ring
    if not any(picture.matched for picture in pictures):
        return CAPTIONS["points"]
    return CAPTIONS["matchings" if several else "matching"]


def rule_of_points(colors: Any) -> Rule:
    """Return the rule that names the colors of points without a matching."""
    return rule_named("two-color" if colors.any() else "one-color")


def arcs(start: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return half circles between points on a line, one from each start, as an array (n, 40, 2)."""
    turn = np.linspace(0, np.pi, 40)
    left, width = start[:, :1], step[:, :1]
    return np.stack([left + width * (1 - np.cos(turn)) / 2, np.abs(width) / 2 * np.sin(turn)], axis=2)


def dots(ax: Axes, points: Any, clip_on: bool = False, **style: Any) -> None:
    """Draw points, given as rows (x, y); those at the edge are whole unless they are clipped."""
    points = np.reshape(points, (-1, 2))
    ax.scatter(points[:, 0], points[:, 1], clip_on=clip_on, **style)


class _PictureOfCell:
    """The picture of one cell."""

    def __init__(self, cell: pd.DataFrame, layout: FigureLayout) -> None:
        self.cell, self.layout, self.first, parameters = cell, layout, cell.iloc[0], parameters_of(cell.iloc[0])
        self.dim, self.on_torus = int(self.first["dim"]), self.first["geometry"] == Torus.name
        self.low, self.sides = self._frame(parameters)
        walls = parameters.get("walls", [] if self.on_torus else range(self.dim))
        self.seams = [axis for axis in range(min(2, self.dim)) if axis not in walls]
        self.matched = bool(self.first["rule"])  # False: points without a matching
        unmatched = (cell.groupby("point")["partner"].max() < 0) & self.matched
        self.points = cell.drop_duplicates("point").set_index("point").assign(unmatched=unmatched)
        self.rule = rule_of(cell) if self.matched else rule_of_points(cell["color"])
        self.pairs = cell[cell["partner"] >= 0]
        self.seen = pd.Series(True, self.points.index)

    def _frame(self, parameters: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower corner and the sides of the window, or in Euclidean space of a box that holds the points."""
        side, dim = self.first["side"], self.dim
        if np.isfinite(side):
            window = parameters.get("window", {})
            shape = side * np.array(parameters.get("shape", np.ones(dim)))
            low = np.zeros(dim) if self.on_torus else window.get("origin") or np.zeros(dim)
            return np.array(low, float), np.broadcast_to(window.get("side") or shape, dim).astype(float)
        points = self.cell[["x", "y", "z"][:dim]].to_numpy(float)
        low, extent = points.min(axis=0), np.ptp(points, axis=0)
        margin = MARGIN * np.maximum(extent, (extent.max() or 1.0) / 4)
        return low - margin, extent + 2 * margin

    @property
    def title(self) -> str:
        """Description of the panel."""
        study, rule = self.first["study"], self.first["rule"]
        own = rule if isinstance(rule, str) and process_of(self.first) else study
        name = self.layout.options.labels.get(study, own)
        title = filled(PARTS["picture"], name=name, dim=dim_name(self.dim), count=len(self.points))
        unmatched = self.points["unmatched"].sum() or PARTS["none"]
        return title + filled(PARTS["unmatched-points"], count=unmatched) if rule else title

    @property
    def highest_arc(self) -> float:
        """Height of the highest arc over the width of a picture on a line."""
        distance = self.pairs["distance"][np.isfinite(self.pairs["distance"])]
        return distance.max() / 2 / self.sides[0] if self.dim == 1 and len(distance) else 0.0

    @property
    def height(self) -> float:
        """Height of the picture in d = 2 or 3 over its width."""
        return self.sides[1] / self.sides[0] if self.dim > 1 else 1.0

    def draw(self, ax: Axes, inches: float, arc: float) -> None:
        """Draw lines, points, frame and scale bar. inches: the width. arc: the height over the width on a line."""
        self.ax = ax
        if self.dim == 3:
            self._slab()
        many = max(1, self.seen.sum())
        across = np.sqrt(many) if self.dim > 1 else many / 4
        spacing = 72 * inches / (across if self.dim > 1 else 4)  # of neighbors, in points of print
        # From about 10,000 points on, the diameter of a dot is a fraction of the spacing, and lines are thin.
        area = min(16.0, 36 * inches / max(1.0, across), (0.45 * spacing) ** 2)
        self.size, self.thin = self.layout.options.s or max(area, 0.05), min(1.0, spacing / 2.4)
        self._lines(np.clip(0.35 * inches, 0.5, 0.9) * self.thin)
        self._points()
        left, width = self.low[0], self.sides[0]
        low, high = -BELOW / inches * width, max(LOWEST, 1.1 * arc) * width
        if self.dim > 1:
            low, high = self.low[1], self.low[1] + self.sides[1]
        ax.set(
            xscale="linear",  # given axes may have other scales
            yscale="linear",
            xticks=[],
            yticks=[],
            aspect="equal",
            xlim=(left, left + width),
            ylim=(low, high),
        )
        self._bar()
        if self.seams and self.matched:
            self.layout.say("shortest-path", geometry=self.first["geometry"])

    def _slab(self) -> None:
        thickness = self.sides[2] * min(1.0, max(SLAB / len(self.points), 0.02))
        self.seen = self.points["z"] < self.low[2] + thickness
        self.pairs = self.pairs[self.pairs["point"].map(self.seen)]
        pale = PARTS["pale-partners"] * self.matched
        self.layout.say("slab", thickness=f"{thickness:.3g}", pale=pale)

    def _lines(self, width: float) -> None:
        here = self.pairs[["x", "y"]].to_numpy(float)
        step = self.points.loc[self.pairs["partner"], ["x", "y"]].to_numpy(float) - here
        for axis in self.seams:  # the short way; drawn from either end, and the frame clips it
            step[:, axis] -= self.sides[axis] * np.round(step[:, axis] / self.sides[axis])
        inside = self.pairs["partner"].map(self.seen).to_numpy(bool)
        shades = ["#666666"] * len(here)
        if self.rule.width > 1:
            orders = self.pairs["order"]
            if not self.rule.labels:  # one point's nearest may be the other's second
                ends = np.sort(self.pairs[["point", "partner"]].to_numpy(), axis=1)
                orders = orders.groupby([ends[:, 0], ends[:, 1]]).transform("min")
                self.layout.say("orders")
            shades = [ORDERS[k % len(ORDERS)] for k in orders]
            for k in sorted(set(orders)):
                self.layout.key(partner_name(self.rule, k), color=ORDERS[k % len(ORDERS)])
        colors = [shade if near else lighter(shade, PALE) for shade, near in zip(shades, inside, strict=True)]
        lines = arcs(here, step) if self.dim == 1 else np.stack([here, here + step], axis=1)
        self.ax.add_collection(LineCollection(list(lines), colors=colors, linewidths=width, zorder=1))
        if not inside.all():
            far = (here + step)[~inside]
            dots(self.ax, far, s=self.size / 2, color="#bbbbbb", linewidths=0, zorder=1.5, clip_on=True)

    def _points(self) -> None:
        shown, names = self.points[self.seen], names_of_colors(self.first)
        for color in map(int, sorted(set(shown["color"]))):
            shade = color_of_points(self.layout.options.colors, self.rule, color)
            own = shown[shown["color"] == color]
            points, unmatched = own[["x", "y"]].to_numpy(float), own["unmatched"].to_numpy(bool)
            dots(self.ax, points[~unmatched], s=self.size, color=shade, linewidths=0, zorder=2)
            dots(
                self.ax,
                points[unmatched],
                s=3.5 * self.size,
                facecolors="none",
                edgecolors=shade,
                linewidths=0.9 * self.thin,
                zorder=3,
            )
            if self.rule.n_colors > 1:  # the name of the data, unless the figure has a label for that of the rule
                name = self.rule.color_name(color)
                own_name = color < len(names) and name not in self.layout.options.labels
                self.layout.key(names[color] if own_name else name, color=shade, marker="o")
        if shown["unmatched"].any():
            self.layout.key(UNMATCHED, color="#444444", marker="o", markerfacecolor="none", markersize=5)

    def _bar(self) -> None:
        """Draw a scale bar of the typical spacing, or 10, 100, ... times that; in Euclidean space of a round length.

        It is below the frame, or inside it for points on a line.
        """
        if np.isfinite(self.first["side"]):
            length = sum(intensities_of(self.first)) ** (-1 / self.dim)
            factor = 10 ** max(0, math.ceil(math.log10(SHORTEST_BAR * self.sides[0] / length)))
            length *= factor
            name = spacing_text(self.dim, factor)
            self.layout.say("scale-bar", length=name, dim=dim_name(self.dim))
        else:
            fifth = self.sides[0] / 5
            power = 10.0 ** np.floor(np.log10(fifth))
            length = max(factor * power for factor in (1, 2, 5) if factor * power <= fifth * (1 + 1e-9))
            name = f"{length:g}"
        inset, drop = (0.01, 8) if self.dim == 1 else (0.0, -8)  # points above or below the lower edge
        start = self.low[0] + inset * self.sides[0]
        end, low = start + length, self.ax.get_ylim()[0]
        self.ax.plot(
            [start, end],
            [low, low],
            transform=self.ax.transData + ScaledTranslation(0, drop / 72, self.layout.figure.dpi_scale_trans),
            scalex=False,
            scaley=False,
            color="#000000",
            lw=1.4,
            solid_capstyle="butt",
            clip_on=False,
        )
        self.ax.annotate(
            texed(f"${name}$"),
            (end, low),
            xytext=(3, drop),
            textcoords="offset points",
            ha="left",
            va="center",
            fontsize=rcParams["legend.fontsize"],
        )
