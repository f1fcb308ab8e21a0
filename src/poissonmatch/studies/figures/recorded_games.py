"""Figures of frog games and legal moves, and of the deletion in a proof, drawn from the records of frogs.record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...utils.errors import BadInput, quoted
from .canvas import Drawing
from .draw import drawn
from .figure_layout import FigureLayout
from .figure_text import BEFORE_AND_AFTER, CAPTIONS, PAD, PARTS, PLAYERS, sentence
from .realizations import dots
from .style import POINTS, lighter
from .text_format import filled

SHADES = {"Alice": POINTS["amber"], "Bob": POINTS["blue"], "either": "#555555"}
STONE = "#6F7472"
NUMBER = 0.05  # distance of a number from its arrow, over the extent of the pads
GAP = 6.0  # points between a pad and the arrows that touch it


def game(record: Mapping[str, Any], ax: Any = None, **options: Any) -> Drawing:
    """Draw a frog game move by move, or the legal moves in a position.

    Parameters
    ----------
    record : dict
        From `pm.frogs.record` or `pm.frogs.options`; or a mapping from panel captions to several of
        them.
    ax : matplotlib axes or sequence of axes, optional
        One for each record; by default those of a new figure.
    **options
        Options of a study file: width, style, usetex, title, caption.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    ValueError
        If the record is invalid, or an option is unknown.

    Examples
    --------
    >>> pattern = pm.Pattern([[1.0, 1.0], [3.0, 4.0], [8.0, 2.0]], None, pm.Torus(10.0, 2))
    >>> pm.figures.caption(pm.figures.game(pm.frogs.record(pattern)))[:42]
    'A game of frogs, move by move. Alice wins.'
    """
    if not isinstance(record, Mapping):
        raise BadInput(f"record must be a mapping, as pm.frogs.record returns, got {quoted(record)}")
    return boards(record if "points" not in record else {"": record}, ax, **options)


def boards(records: Mapping[str, Mapping[str, Any]], ax: Any = None, /, **requested: Any) -> Drawing:
    """Draw a panel for each record; the keys are the captions of the panels."""

    def paint(layout: FigureLayout) -> str:
        for spot, record in zip(layout.grid(list(records), min(3, len(records))), records.values(), strict=True):
            _board(spot, record, layout)
        winners = {record["winner"] for record in records.values()} - {None}
        played = any(move["number"] for record in records.values() for move in record["moves"])
        one = len(records) == 1 or set(records) == {f"pond {k}" for k in range(len(records))}
        sentences = (filled(PARTS["winner"], name=name) for name in winners if one)
        return CAPTIONS["game" if played else "moves"] + "".join(sentences)

    return drawn(paint, ax, requested)


def deletion(record: Mapping[str, Any], ax: Any = None, /, **requested: Any) -> Drawing:
    """Draw the proof of Theorem 7 (ii): the points that desire x, and the matching after their deletion."""
    if (dim := np.shape(record["points"])[1]) > 2:
        raise BadInput(f"the points must have one or two dimensions, got {dim}")
    points, steps, desires = (_in_plane(record[name]) for name in ("points", "toward_partner", "toward_x"))
    gone = np.isin(np.arange(len(points)), record["deleted"])
    shades, x = np.array(_shades(record)), record["x"]

    def paint(layout: FigureLayout) -> str:
        spots = layout.grid(BEFORE_AND_AFTER, 2)
        for spot, rows in zip(spots, (np.full(len(points), True), ~gone), strict=True):
            for k in np.flatnonzero(rows & ~np.isnan(steps[:, 0])):  # a pair is drawn as two halves, one from each end
                if k != x or rows.all():
                    half = np.stack([points[k], points[k] + steps[k] / 2])
                    spot.plot(*half.T, color="#555555", lw=1.0, zorder=1)
            full, empty = rows & ~gone, rows & gone
            for some, style in ((full, {"c": shades[full]}), (empty, {"c": "white", "edgecolors": shades[empty]})):
                dots(spot, points[some], s=16, linewidths=1.0, zorder=3, **style)
            _ring(spot, points[x], SHADES["Alice"])
            spot.set_aspect("equal")
            spot.set_axis_off()
        desiring = np.flatnonzero(~np.isnan(desires[:, 0]))
        for k in desiring:
            _desire(spots[0], points[k], desires[k], points[x])
        for spot in spots:  # the same part of the plane
            spot.set(xlim=spots[0].get_xlim(), ylim=spots[0].get_ylim())
            if sides := record["sides"]:
                _clip(spot, sides)
                layout.say("clipped")
        layout.say("desirers", count=len(desiring))
        layout.say("deleted", count=gone.sum())
        kind = "deletion" if record["colors"] is None else "deletion-of-colors"
        return sentence(CAPTIONS[kind], deleted=PARTS["deleted"])

    return drawn(paint, ax, requested)


def _desire(ax: Axes, start: np.ndarray, step: np.ndarray, end: np.ndarray) -> None:
    """Draw an arrow in two halves, which may cross the boundary of the torus."""
    style: Any = {"color": SHADES["Alice"], "lw": 0.8, "ls": "--"}
    ax.plot(*np.stack([start, start + step / 2]).T, zorder=2, **style)
    arrow = {"arrowstyle": "-|>", "shrinkA": 0.0, "shrinkB": GAP, **style}
    note = ax.annotate("", tuple(end), tuple(end - step / 2), arrowprops=arrow, annotation_clip=False, zorder=2)
    assert note.arrow_patch is not None
    note.arrow_patch.set_clip_box(ax.bbox)
    note.arrow_patch.set_clip_on(True)


def _clip(ax: Axes, sides: Any) -> None:
    """Show the torus only, with its edge."""
    ax.set_xlim(0, sides[0])
    if len(sides) > 1:
        ax.set_ylim(0, sides[1])
        ax.add_patch(Rectangle((0, 0), *sides, fill=False, color="#BBBBBB", lw=0.6, zorder=0, clip_on=False))


def _in_plane(vectors: Any) -> np.ndarray:
    """Return the first two coordinates; the second is 0 on a line."""
    vectors = np.asarray(vectors, dtype=float)[:, :2]
    return np.pad(vectors, ((0, 0), (0, 2 - vectors.shape[1])))


def _shades(record: Mapping[str, Any]) -> list[str]:
    """Return the color of each point."""
    return [POINTS.get(str(name), "#000000") for name in record["colors"] or [None] * len(record["points"])]


def _board(ax: Axes, record: Mapping[str, Any], layout: FigureLayout) -> None:
    points, dim = _in_plane(record["points"]), np.shape(record["points"])[1]
    shades, moves = _shades(record), record["moves"]
    dots(ax, points, s=16, c=shades, linewidths=0, zorder=3)
    for name, shade in zip(record["colors"] or (), shades, strict=False):
        if name:
            layout.key(filled(PAD, name=name), color=shade, marker="o")
    for player, pad in record.get("frogs", {}).items():
        _ring(ax, points[pad], SHADES[player if record.get("owned") else "either"])
        layout.say("frogs")
    _moves(ax, points, moves)
    for move in moves:
        layout.key(PLAYERS[move["player"]], color=SHADES[move["player"]])
    _frogs_at_the_end(ax, points, moves, layout)
    _stones(ax, points, moves, layout)
    if sides := record.get("sides"):
        x, y = (*sides, 0.0)[:2]
        ax.plot([0, x, x, 0, 0], [0, 0, y, y, 0], color="#BBBBBB", lw=0.6, zorder=0)
        layout.say("torus")
    if dim > 2:
        layout.say("coordinates", dim=dim)
    if any(move["start"] is None for move in moves):
        layout.say("moves")
    ax.set_aspect("equal")
    ax.margins(0.14)
    ax.set_axis_off()


def _frogs_at_the_end(ax: Axes, points: np.ndarray, moves: Any, layout: FigureLayout) -> None:
    """Draw pale discs at the pads where the frogs are after the last move of a game."""
    frogs: dict[int, str] = {}
    for move in moves:
        if move["number"]:
            frogs[move["end"]] = frogs.pop(move["start"], move["player"])
    for pad, player in frogs.items():
        dots(ax, points[pad], s=130, color=lighter(SHADES[player], 0.35), linewidths=0, zorder=0.5)
        layout.say("frogs-at-the-end")


def _stones(ax: Axes, points: np.ndarray, moves: Any, layout: FigureLayout) -> None:
    """Draw the stones of each move as a cross with the number of the move."""
    numbers: dict[int, list[str]] = {}
    for move in moves:
        for pad in move["stones"]:
            numbers.setdefault(pad, []).append(str(move["number"]))
    for pad, after in numbers.items():
        dots(ax, points[pad], s=48, marker="x", color=STONE, linewidths=1.6, zorder=4)
        ax.annotate(", ".join(after), tuple(points[pad]), xytext=(0, -9), textcoords="offset points", **_font(STONE))
        layout.say("stones")


def _font(color: str) -> dict[str, Any]:
    return {"color": color, "fontsize": rcParams["legend.fontsize"], "ha": "center", "va": "center"}


def _ring(ax: Axes, point: np.ndarray, shade: str) -> None:
    dots(ax, point, s=70, facecolors="none", edgecolors=shade, linewidths=1.3, zorder=2)


def _moves(ax: Axes, points: np.ndarray, moves: Any) -> None:
    """Draw rings and arrows, and the number of each move where it is farthest from all else."""
    seen: dict[Any, int] = {}
    gap = NUMBER * np.ptp(points, axis=0).max()  # of a number from its arrow
    along = np.array(sorted(np.linspace(0.1, 0.9, 17), key=lambda part: abs(part - 0.5)))[:, None]  # of an arrow
    spots: list[tuple[Any, np.ndarray]] = []  # of each numbered move: where its number may be
    taken = [points]
    for move in moves:
        shade, end = SHADES[move["player"]], points[move["end"]]
        if move["start"] is None:
            _ring(ax, end, shade)
            turn = np.arange(1, 9) * np.pi / 4
            spots.append((move, end + 1.6 * gap * np.column_stack([np.cos(turn), np.sin(turn)])))
            continue
        start, pair = points[move["start"]], frozenset((move["start"], move["end"]))
        seen[pair] = seen.get(pair, 0) + 1
        bend = 0.18 * seen[pair]
        arrow = {"arrowstyle": "-|>", "color": shade, "lw": 1.0, "shrinkA": GAP, "shrinkB": GAP}
        ax.annotate("", end, start, arrowprops={**arrow, "connectionstyle": f"arc3,rad={bend}"}, zorder=1)
        across = (end - start)[::-1] * (1, -1)
        arc = start + along * (end - start) + 2 * bend * along * (1 - along) * across
        outside = gap * across / max(np.hypot(*across), 1e-300)
        taken.append(arc)
        spots.append((move, np.concatenate([arc + outside, arc - outside])))
    for move, candidates in spots:
        if move["number"]:
            gaps = np.linalg.norm(candidates[:, None] - np.concatenate(taken), axis=2).min(axis=1)
            spot = candidates[np.argmax(np.minimum(gaps, 0.99 * gap))]  # the first one that is free
            ax.text(spot[0], spot[1], str(move["number"]), **_font(SHADES[move["player"]]))
            taken.append(spot[None])
