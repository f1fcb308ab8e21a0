"""Pictures of patterns, finite and infinite, of matchings and deletions; on a sphere as a map.

Figure 3 of Deijfen, Holroyd and Martin (2016) is of infinite patterns.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from ...matching.deletion import Deletion
from ...matching.lazy import LazyMatching
from ...matching.match import match
from ...matching.matching import Matching
from ...matching.partner_tables import realization
from ...points.infinite import Intervals
from ...points.infinite_pattern import Point
from ...points.pattern import Pattern
from ...points.spaces import Slab
from ...rules.catalogue import entry_name
from ...rules.rule import Rule
from ...utils.errors import BadInput, quoted
from ...utils.libraries import pd
from ..tables.tables import REALIZATIONS
from . import svg as svg_of_rows
from .canvas import Drawing
from .draw import draw, drawn
from .figure_layout import FigureLayout
from .figure_text import CAPTIONS, CUSTOM_RULE, MAP, MATCHING, PARTS, POINTS, partner_name
from .kinds import KINDS, NothingToDraw
from .realizations import LOWEST, ORDERS, arcs, dots, rule_of_points
from .recorded_games import deletion
from .style import color_of_points, point_color
from .text_format import filled

MAX_POINTS = 2000  # drawn automatically in a notebook
MAX_PART = 500  # points of an infinite pattern in a panel; each is a search
HEIGHT = 0.08  # of a panel with the points of an infinite pattern on a line, over its width
TAIL_POINTS = 400  # distances at which the tail of one matching is drawn
STEPS = 64  # points of the line of an arc on a sphere


def picture(pattern: Pattern, rule: str | Rule = "one-color", name: str = "") -> pd.DataFrame:
    """Match a pattern and return the rows that `figures.realization` draws.

    pandas.concat joins the rows of several patterns.

    Parameters
    ----------
    pattern : Pattern
        Points in one, two or three dimensions.
    rule : str or Rule, optional
        By default "one-color".
    name : str, optional
        Name in the caption, by default the rule.

    Returns
    -------
    pandas.DataFrame
        One row for each point and partner: the table `realizations` of a study.

    Raises
    ------
    ValueError
        If the points have no coordinates or more than three dimensions.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0, 0.0], [3.0, 4.0]], None, pm.Torus(10.0, 2))
    >>> pm.figures.picture(pattern)[["point", "partner", "distance"]]
       point  partner  distance
    0      0        1       5.0
    1      1        0       5.0
    """
    return _rows(pattern, match(pattern, rule), rule, name)


def rows_of(item: Pattern | Matching) -> pd.DataFrame:
    """Return the rows of `picture` for a given matching, or for points without a matching, whose rule is "".

    Raises BadInput if the matching has no pattern.
    """
    if isinstance(item, Pattern):
        return _rows(item, Matching.from_partners(item, np.full(len(item), -1)), "", POINTS)
    if item.pattern is None:
        raise BadInput("a picture needs the points, but this matching has no pattern")
    return _rows(item.pattern, item, entry_name(item.rule) or item.rule)


def _rows(pattern: Pattern, matching: Matching, rule: str | Rule, name: str = "") -> pd.DataFrame:
    geometry = pattern.geometry
    if not geometry.is_flat or not 1 <= geometry.dim <= 3:
        raise BadInput(f"a picture needs points in one, two or three dimensions, got {geometry!r}")
    title = name or (rule if isinstance(rule, str) else CUSTOM_RULE)
    counts = pattern.count(2)
    parameters: dict[str, Any] = {}
    if not geometry.is_cube or (geometry.finite and geometry.low.any()):
        parameters["window"] = {"side": geometry.sides.tolist(), "origin": geometry.low.tolist()}
    if isinstance(geometry, Slab):
        parameters["walls"] = list(geometry.walls)
    if pattern.color_names is not None:
        parameters["color_names"] = list(pattern.color_names)
    columns: dict[str, Any] = {
        **realization(matching),
        "study": title,
        "cell": title,
        "process": json.dumps(parameters) if parameters else "",
        "rule": rule,
        "dim": float(geometry.dim),
        "geometry": geometry.name,
        "size": float(len(pattern)),
        "volume": geometry.volume,
        "side": geometry.sides.min(),
        **_composition(counts.tolist(), geometry.volume),
    }
    return pd.DataFrame(columns)[REALIZATIONS.wide(len(counts)).names]


def _composition(counts: Sequence[int], volume: float) -> dict[str, float]:
    """Return the columns with the intensities of the colors and their ratio."""
    columns = {f"intensity_{k}": count / volume if count or not k else np.nan for k, count in enumerate(counts)}
    return {**columns, "ratio": counts[1] / counts[0] if counts[0] and counts[1] else np.nan}


def tail_of(matching: Matching) -> pd.DataFrame:
    """Return the tail of the partner distance of one matching, as rows of the table `estimates`.

    The distance is that to the nearest partner, and infinite for an unmatched point. Each color has
    a row at each of TAIL_POINTS distances.
    """
    nearest, pattern, rule = matching.distances[:, 0], matching.pattern, matching.rule
    finite = nearest[np.isfinite(nearest) & (nearest > 0)]
    if not len(finite):
        raise NothingToDraw("there is nothing to draw: the matching has no pairs at a distance above 0")
    x = np.geomspace(finite.min() / 2, finite.max(), TAIL_POINTS)
    colors = np.zeros(len(nearest), np.int64) if pattern is None or rule.n_colors == 1 else pattern.colors
    dim, volume, cutoff = np.nan, np.nan, np.inf
    if pattern is not None:
        dim, volume = float(pattern.geometry.dim), pattern.geometry.volume
        cutoff = pattern.geometry.cutoff if np.isfinite(volume) else np.inf
    name = entry_name(rule)
    row = {
        "study": name or MATCHING,
        "cell": MATCHING,
        "process": "",
        "rule": name or rule,
        "dim": dim,
        "size": float(len(nearest)),
        "quantity": "tail",
        "order": 0,
        "n_replicates": 1,
        **dict.fromkeys(("standard_error", "lower", "upper", "exact"), np.nan),
        **_composition(np.bincount(colors, minlength=2).tolist(), volume),
        "x": x,
        "below_cutoff": x <= cutoff,
    }
    parts = []
    for color in np.unique(colors):
        own = np.sort(nearest[colors == color])
        beyond = 1 - np.searchsorted(own, x, side="right") / len(own)
        parts.append(pd.DataFrame({**row, "color": color, "value": beyond}))
    rows = pd.concat(parts, ignore_index=True)
    return rows[rows["value"] > 0]


# ---- plot methods ----


def plot(item: Pattern | Matching | Deletion, ax: Any = None, **options: Any) -> Any:
    """Draw a pattern, a matching with its pairs, or a deletion, as a matplotlib Figure."""
    if isinstance(item, Deletion):
        return deletion(item.record(), ax, **options).figure
    pattern = item if isinstance(item, Pattern) else item.pattern
    if pattern is not None and pattern.geometry.has_coordinates:
        if not pattern.geometry.is_flat:
            return _map_of_sphere(item, pattern, ax, options).figure
        if not len(pattern):
            return _empty_window(pattern, ax, options).figure
    return draw("realization", rows_of(item), None, ax, **options).figure


def _empty_window(pattern: Pattern, ax: Any, options: dict[str, Any]) -> Drawing:
    """Draw the window of a pattern without points; of an unbounded space a unit square."""
    sides = np.where(np.isfinite(pattern.geometry.sides), pattern.geometry.sides, 1.0)
    ends = [*zip(pattern.geometry.low, pattern.geometry.low + sides, strict=True)]
    width, height = (ends + [(0.0, LOWEST * sides[0])])[:2]

    def paint(layout: FigureLayout) -> str:
        (spot,) = layout.grid([""])
        spot.set(xlim=width, ylim=height, xticks=[], yticks=[], aspect="equal")
        return CAPTIONS["points"]

    return drawn(paint, ax, options, KINDS["realization"])


def _map_of_sphere(item: Pattern | Matching, pattern: Pattern, ax: Any, options: dict[str, Any]) -> Drawing:
    """Draw points on a sphere by longitude and latitude, and the pairs of a matching as arcs of great circles."""
    if isinstance(item, Matching):
        rule, pairs, drawn_pairs = item.rule, item.pairs, PARTS["pairs-on-a-sphere"]
    else:
        rule, pairs, drawn_pairs = rule_of_points(pattern.colors), np.zeros((0, 2), int), ""

    def paint(layout: FigureLayout) -> str:
        (spot,) = layout.grid([""])
        for start, end in pattern.embedded[pairs]:
            spot.plot(*_great_circle(start, end), color="#555555", lw=0.8, zorder=1)
        for color in range(len(pattern.count())):
            here = np.where(pattern.points > 180, pattern.points - 360, pattern.points)[pattern.colors == color]
            shade = color_of_points(layout.options.colors, rule, color)
            dots(spot, here, s=layout.options.s or 8, color=shade, linewidths=0, zorder=2, clip_on=True)
            if pattern.color_names is not None:
                layout.key(pattern.color_names[color], color=shade, marker="o")
        spot.set(
            xlim=(-180, 180),
            ylim=(-90, 90),
            xlabel=MAP[0],
            ylabel=MAP[1],
            aspect="equal",
            xticks=range(-180, 181, 90),
            yticks=range(-90, 91, 45),
        )
        return filled(CAPTIONS["sphere"], pairs=drawn_pairs)

    return drawn(paint, ax, options, KINDS["realization"])


def _great_circle(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return longitudes and latitudes, (2, k), on the arc between two unit vectors, with nan at the date line."""
    x, y, z = (start + np.linspace(0, 1, STEPS)[:, None] * (end - start)).T
    longitude, latitude = np.degrees([np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))])
    crossing = np.flatnonzero(np.abs(np.diff(longitude)) > 180) + 1
    return np.insert([longitude, latitude], crossing, np.nan, axis=1)


def svg(item: Pattern | Matching) -> str | None:
    """Return a pattern or a matching as SVG, for a notebook; None if it has no picture or too many points."""
    pattern = item if isinstance(item, Pattern) else item.pattern
    if pattern is None or not 0 < len(pattern) <= MAX_POINTS:
        return None
    try:
        return svg_of_rows(rows_of(item))
    except BadInput:
        return None


# ---- infinite patterns ----


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
    if len(part) > MAX_PART:
        raise BadInput(f"the part must hold at most {MAX_PART} points, got {len(part)}. Take closer corners")
    partners = {x: lazy.partners(x).answer for x in map(lazy.nearest, part.points.tolist())}
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
    for color in sorted({x.color for x in partners}):
        shade = point_color(rule, color)
        own = [x for x in partners if x.color == color]
        at, decided = np.array([*map(_in_plane, own)]), np.array([partners[x] is not None for x in own])
        dots(ax, at[decided], s=12, color=shade, lw=0, zorder=3, clip_on=True)
        dots(ax, at[~decided], s=14, fc="white", ec=shade, lw=0.9, zorder=3, clip_on=True)
    if None in partners.values():
        layout.say("undetermined", distance=f"{lazy.max_distance:g}")
    if isinstance(lazy.points, Intervals):
        first, last = (math.floor(end) // 3 for end in (np.min(low), np.max(high)))
        ends = [[(3.0 * i, 0.0), (3.0 * i + 1, 0.0)] for i in range(first, last + 1)]
        ax.add_collection(LineCollection(ends, colors="#dddddd", linewidths=5, zorder=0))
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


def _in_plane(x: Point) -> tuple[float, ...]:
    return (*x.coordinates, 0.0)[:2]


def _line(ax: Axes, x: Point, y: Point, **style: Any) -> None:
    """Draw the line between two points; on a line, an arc."""
    start, end = np.array([_in_plane(x)]), np.array([_in_plane(y)])
    line = arcs(start, end - start) if len(x.coordinates) == 1 else np.stack([start, end], axis=1)
    ax.add_collection(LineCollection(list(line), zorder=1, linewidths=0.8, **style))
