"""Figures of infinite patterns and their matchings, as far as these are decided.

See Deijfen, Holroyd and Martin (2016), Figure 3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from ..matching.lazy import LazyMatching
from ..points.infinite import Intervals
from ..points.infinite_pattern import Point
from ..utils.errors import BadInput, quoted
from .canvas import Drawing
from .draw import checked_options
from .figure_layout import FigureLayout
from .realizations import NEAREST, ORDERS
from .style import point_color, styled

MAX_POINTS = 500  # of a panel; each is a search
HEIGHT = 0.08  # of a panel in one dimension, over its width


def infinite(
    lazy: LazyMatching | Mapping[str, LazyMatching],
    low: Sequence[float],
    high: Sequence[float],
    *,
    around: Point | None = None,
    ax: Any = None,
    **options: Any,
) -> Drawing:
    """Draw a part of an infinite pattern and the partners of its points.

    The part is between two corners. Partners are drawn as far as they are decided.

    Lines to partners outside the part are clipped at its edge. Points that are not decided are
    open; if the nearest neighbor of such a point is not decided either, a dashed arrow leads to it,
    and may leave the part.

    Parameters
    ----------
    lazy : LazyMatching
        Of points in one or two dimensions; or a mapping from panel captions to several of them.
    low, high : sequence of float
        The corners: low <= x < high.
    around : Point, optional
        A point whose window is drawn: nothing outside it affects its partners.
    ax : matplotlib axes or sequence of axes, optional
        One for each panel; by default those of a new figure.
    **options
        Options of a study file: width, style, usetex, title, caption.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    ValueError
        If the points have more than two dimensions, or the part holds more than 500 points.

    Examples
    --------
    >>> lazy = pm.lazy.LazyMatching(pm.infinite.Intervals(seed=1))
    >>> pm.figures.caption(pm.figures.infinite(lazy, [0], [12]))[:40]
    'Part of an infinite pattern and partners'
    """
    panels = lazy if isinstance(lazy, Mapping) else {"": lazy}
    if not panels or not all(isinstance(each, LazyMatching) for each in panels.values()):
        raise BadInput(f"lazy must be a LazyMatching, or a mapping with one for each title, got {quoted(lazy)}")
    requested = checked_options(options)
    with styled(requested.style, requested.usetex):
        layout = FigureLayout(requested, ax)
        flat = all(each.points.dim == 1 for each in panels.values())
        axes = layout.grid(list(panels), 1 if flat else min(3, len(panels)), 0.9 if flat else None)
        for spot, each in zip(axes, panels.values(), strict=True):
            _part(spot, each, low, high, around, layout)
        return Drawing(
            layout.figure, layout.finish("Part of an infinite pattern and partners of its points."), requested
        )


def _part(ax: Axes, lazy: LazyMatching, low: Any, high: Any, around: Point | None, layout: FigureLayout) -> None:
    dim, rule = lazy.points.dim, lazy.rule
    if dim > 2:
        raise BadInput(f"the points must have one or two dimensions, got {dim}")
    part = lazy.points.window(low, high)
    if len(part) > MAX_POINTS:
        raise BadInput(f"the part must hold at most {MAX_POINTS} points, got {len(part)}. Take closer corners")
    points = [lazy.nearest(place) for place in part.points.tolist()]
    local = {x: lazy.partners(x) for x in points}
    decided = np.array([local[x].answer is not None for x in points], bool)
    for x in points:
        for order, y in enumerate(local[x].answer or ()):
            if x < y or y not in local:  # a pair once
                ax.add_collection(_line(x, y, color=ORDERS[order % len(ORDERS)], linewidths=0.8))
                _key(layout, rule, order)
        if local[x].answer is None and local.get(y := next(lazy.neighbors(x), x), local[x]).answer is None:
            ax.add_collection(_line(x, y, color="#888888", linewidths=0.8, linestyles="--"))
            layout.say(
                "Dashed: from a point without a determined partner to its nearest point, if that has none either."
            )
    places = np.array([_place(x) for x in points]).reshape(-1, 2)
    for color in sorted({x.color for x in points}):
        shade, own = point_color(rule, color), np.array([x.color == color for x in points])
        full: dict[str, Any] = {"s": 12, "color": shade, "lw": 0}
        empty: dict[str, Any] = {"s": 14, "fc": "white", "ec": shade, "lw": 0.9}
        for some, style in ((decided, full), (~decided, empty)):
            ax.scatter(places[own & some, 0], places[own & some, 1], zorder=3, **style)
    if not decided.all():
        layout.say(f"Open: not determined by the points within {lazy.max_distance:g}.")
    if isinstance(lazy.points, Intervals):
        first, last = (math.floor(end) // 3 for end in (np.min(low), np.max(high)))
        ends = [[(3.0 * i, 0.0), (3.0 * i + 1, 0.0)] for i in range(first, last + 1)]
        ax.add_collection(LineCollection(ends, colors="#dddddd", linewidths=5, capstyle="butt", zorder=0))
        layout.say("Gray: the intervals $[3i, 3i+1]$.")
    if around is not None:
        window = lazy.partners(around).window
        turn = np.linspace(0, 2 * np.pi, 200)
        ring = np.array(_place(around)) + window * np.column_stack([np.cos(turn), np.sin(turn)])
        ax.plot(
            *(ring.T if dim == 2 else (around.place[0] + window * np.array([-1, 1]), [0, 0])), color="#009E73", lw=1
        )
        layout.say(
            f"Green: the window, of radius {window:.3g}, outside which nothing affects the partners of one point."
        )
    _frame(ax, np.atleast_1d(low), np.atleast_1d(high))


def _frame(ax: Axes, low: np.ndarray, high: np.ndarray) -> None:
    """Clip the panel at the corners.

    In one dimension points lie on the axis, with arcs above it.
    """
    ax.set_xlim(low[0], high[0])
    if len(low) == 2:
        ax.set_ylim(low[1], high[1])
    else:
        wide = high[0] - low[0]
        ax.set_ylim(-HEIGHT * wide / 4, HEIGHT * wide)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])


def _key(layout: FigureLayout, rule: Any, order: int) -> None:
    """Name the color of a line in the legend."""
    if rule.width > 1:
        name = f"label {order}" if rule.labels else NEAREST[order] if order < len(NEAREST) else f"partner {order + 1}"
        layout.handles.setdefault(name, Line2D([], [], color=ORDERS[order % len(ORDERS)], label=name))


def _place(x: Point) -> tuple[float, float]:
    return (x.place[0], x.place[1] if len(x.place) > 1 else 0.0)


def _line(x: Point, y: Point, **style: Any) -> LineCollection:
    """Return the line between two points; on a line, an arc."""
    start, end = np.array(_place(x)), np.array(_place(y))
    line = np.stack([start, end])
    if len(x.place) == 1:
        angle = np.linspace(0, np.pi, 40)
        turn = (1 - np.cos(angle)) / 2
        line = np.column_stack([start[0] + (end[0] - start[0]) * turn, abs(end[0] - start[0]) / 2 * np.sin(angle)])
    return LineCollection([line], zorder=1, **style)
