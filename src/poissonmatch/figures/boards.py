"""Boards: a game of frogs as it was played, or what is legal in a position, from the records of frogs.record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from .canvas import Drawing
from .draw import checked_options
from .sheet import Sheet
from .style import POINTS, styled

SHADES = {"Alice": POINTS["amber"], "Bob": POINTS["blue"], "either": "#555555"}
SAID = {"Alice": "Alice", "Bob": "Bob", "either": "either player"}
GAP = 6.0  # points between a pad and the arrows that touch it


def boards(records: Mapping[str, Mapping[str, Any]], ax: Any = None, /, **asked: Any) -> Drawing:
    """A panel for each record, with the words of the caption as its key."""
    options = checked_options(asked)
    with styled(options.style, options.usetex):
        sheet = Sheet(options, ax)
        for spot, record in zip(sheet.grid(list(records), min(3, len(records))), records.values(), strict=True):
            _board(spot, record, sheet)
        winners = {record["winner"] for record in records.values()} - {None}
        lead = (
            "A game of frogs, move by move."
            if any(_numbered(r) for r in records.values())
            else "Legal moves of the frogs."
        )
        return Drawing(
            sheet.figure,
            sheet.finish(lead + "".join(f" {name} wins." for name in winners if len(records) == 1)),
            options,
        )


def _numbered(record: Mapping[str, Any]) -> bool:
    return any(move["number"] for move in record["moves"])


def _board(ax: Axes, record: Mapping[str, Any], sheet: Sheet) -> None:
    points = np.asarray(record["points"], dtype=float)
    places = np.column_stack([points[:, 0], points[:, 1] if points.shape[1] > 1 else np.zeros(len(points))])
    names = record["colors"] or [None] * len(places)
    shades = [POINTS.get(str(name), "#000000") for name in names]
    ax.scatter(places[:, 0], places[:, 1], s=16, c=shades, linewidths=0, zorder=3, clip_on=False)
    for name in dict.fromkeys(filter(None, names)):
        label = f"{name} pad"
        sheet.handles.setdefault(
            label, Line2D([], [], color=POINTS.get(str(name), "#000000"), marker="o", ls="", label=label)
        )
    for player, pad in record.get("frogs", {}).items():
        _ring(ax, places[pad], SHADES[player if record.get("owned") else "either"])
    if record.get("frogs"):
        sheet.say("Rings: the frogs.")
    seen: dict[Any, int] = {}
    for move in record["moves"]:
        _move(ax, places, move, seen)
        sheet.handles.setdefault(
            move["player"], Line2D([], [], color=SHADES[move["player"]], label=SAID[move["player"]])
        )
    if sides := record.get("sides"):
        x, y = sides[0], sides[1] if len(sides) > 1 else 0.0
        ax.plot([0, x, x, 0, 0], [0, 0, y, y, 0], color="#BBBBBB", lw=0.6, zorder=0)
        sheet.say("Thin lines: the torus, on which distances go over the edges, too.")
    if points.shape[1] > 2:
        sheet.say(f"Of {points.shape[1]} coordinates two are drawn.")
    if any(move["start"] is None for move in record["moves"]):
        sheet.say("Rings: the placements; arrows: the jumps; both are numbered.")
    ax.set_aspect("equal")
    ax.margins(0.14)
    ax.set_axis_off()


def _ring(ax: Axes, place: np.ndarray, shade: str) -> None:
    ring: dict[str, Any] = {"facecolors": "none", "edgecolors": shade, "linewidths": 1.3}
    ax.scatter([place[0]], [place[1]], s=70, zorder=2, clip_on=False, **ring)


def _move(ax: Axes, places: np.ndarray, move: Mapping[str, Any], seen: dict[Any, int]) -> None:
    shade, end = SHADES[move["player"]], places[move["end"]]
    number: dict[str, Any] = {"color": shade, "fontsize": rcParams["legend.fontsize"], "ha": "center", "va": "center"}
    if move["start"] is None:
        _ring(ax, end, shade)
        ax.annotate(str(move["number"]), (end[0], end[1]), xytext=(8, 8), textcoords="offset points", **number)
        return
    start = places[move["start"]]
    pair = frozenset((move["start"], move["end"]))
    seen[pair] = seen.get(pair, 0) + 1
    bend = 0.18 * seen[pair]
    arrow = {
        "arrowstyle": "-|>",
        "color": shade,
        "lw": 1.0,
        "shrinkA": GAP,
        "shrinkB": GAP,
        "connectionstyle": f"arc3,rad={bend}",
    }
    ax.annotate("", tuple(end), tuple(start), arrowprops=arrow, zorder=1)
    if move["number"]:
        step = end - start
        middle = (start + end) / 2 + 0.5 * bend * np.array(
            [step[1], -step[0]]
        )  # where the arc is farthest from its chord
        ax.text(
            middle[0],
            middle[1],
            str(move["number"]),
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
            **number,
        )
