"""Figures of infinite patterns and their matchings, as Figure 3 of Deijfen, Holroyd and Martin (2016)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from ...matching.lazy import LazyMatching
from ...points.infinite import Intervals
from ...points.infinite_pattern import Point
from ...utils.errors import BadInput, quoted
from .canvas import Drawing
from .draw import drawn
from .figure_layout import FigureLayout
from .figure_text import CAPTIONS, partner_name
from .realizations import ORDERS, arcs, dots
from .style import point_color

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
    """Draw the part of an infinite pattern between two corners, and the partners of its points.

    Partners are drawn as far as they are decided. Lines to partners outside the part are clipped at
    its edge. Points that are not decided are open; if the nearest neighbor of such a point is not
    decided either, a dashed arrow leads to it, and may leave the part.

    Parameters
    ----------
    lazy : LazyMatching
        Of points in one or two dimensions; or a mapping from panel captions to several of them.
    low, high : sequence of float
        The corners: low <= x < high.
    around : Point, optional
        A point whose window is drawn: nothing outside it affects its partners. By default there is
        none.
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

    def paint(layout: FigureLayout) -> str:
        flat = all(each.points.dim == 1 for each in panels.values())
        axes = layout.grid(list(panels), 1 if flat else min(3, len(panels)), 0.9 if flat else None)
        for spot, each in zip(axes, panels.values(), strict=True):
            _part(spot, each, low, high, around, layout)
        return CAPTIONS["infinite"]

    return drawn(paint, ax, options)


def _part(ax: Axes, lazy: LazyMatching, low: Any, high: Any, around: Point | None, layout: FigureLayout) -> None:
    dim, rule = lazy.points.dim, lazy.rule
    if dim > 2:
        raise BadInput(f"the points must have one or two dimensions, got {dim}")
    part = lazy.points.window(low, high)
    if len(part) > MAX_POINTS:
        raise BadInput(f"the part must hold at most {MAX_POINTS} points, got {len(part)}. Take closer corners")
    points = [lazy.nearest(coordinates) for coordinates in part.points.tolist()]
    partners = {x: lazy.partners(x).answer for x in points}
    for x, answer in partners.items():
        for order, y in enumerate(answer or ()):
            if x < y or y not in partners:  # a pair once
                shade = ORDERS[order % len(ORDERS)]
                _line(ax, x, y, color=shade)
                if rule.width > 1:
                    layout.key(partner_name(rule, order), color=shade)
        if answer is None and partners.get(y := next(lazy.neighbors(x), x)) is None:
            _line(ax, x, y, color="#888888", linestyles="--")
            layout.say("undetermined-neighbor")
    for color in sorted({x.color for x in points}):
        shade = point_color(rule, color)
        own = [x for x in points if x.color == color]
        at, decided = np.array(list(map(_in_plane, own))), np.array([partners[x] is not None for x in own])
        dots(ax, at[decided], s=12, color=shade, lw=0, zorder=3, clip_on=True)
        dots(ax, at[~decided], s=14, fc="white", ec=shade, lw=0.9, zorder=3, clip_on=True)
    if None in partners.values():
        layout.say("undetermined", distance=f"{lazy.max_distance:g}")
    if isinstance(lazy.points, Intervals):
        first, last = (math.floor(end) // 3 for end in (np.min(low), np.max(high)))
        ends = [[(3.0 * i, 0.0), (3.0 * i + 1, 0.0)] for i in range(first, last + 1)]
        ax.add_collection(LineCollection(ends, colors="#dddddd", linewidths=5, capstyle="butt", zorder=0))
        layout.say("intervals")
    if around is not None:
        window = lazy.partners(around).window
        turn = np.linspace(0, 2 * np.pi, 200)
        ring = window * np.stack([np.cos(turn), np.sin(turn)] if dim == 2 else [[-1, 1], [0, 0]])
        ax.plot(*(ring.T + _in_plane(around)).T, color="#009E73", lw=1)
        layout.say("window", radius=f"{window:.3g}")
    (left, *bottom), (right, *top) = np.atleast_1d(low), np.atleast_1d(high)
    height = HEIGHT * (right - left)  # on a line, of the arcs above the points
    ends_of_y = (bottom[0], top[0]) if dim == 2 else (-height / 4, height)
    ax.set(xlim=(left, right), ylim=ends_of_y, aspect="equal", xticks=[], yticks=[])


def _in_plane(x: Point) -> tuple[float, float]:
    return (x.coordinates[0], x.coordinates[1] if len(x.coordinates) > 1 else 0.0)


def _line(ax: Axes, x: Point, y: Point, **style: Any) -> None:
    """Draw the line between two points; on a line, an arc."""
    start, end = np.array([_in_plane(x)]), np.array([_in_plane(y)])
    line = arcs(start, end - start) if len(x.coordinates) == 1 else np.stack([start, end], axis=1)
    ax.add_collection(LineCollection(list(line), zorder=1, linewidths=0.8, **style))
