"""Alternative texts of pictures, made from what they consist of."""

from __future__ import annotations

import re
from typing import Any

from matplotlib.collections import LineCollection, PathCollection
from matplotlib.image import AxesImage


def seen(made: Any) -> str:
    """What there is to see in a picture, from its parts, without mathematics."""
    if isinstance(made, str):
        return f"{made.count('<rect') - 1} boxes, with arrows for {made.count('marker-end')} moves between them"
    panels = [ax for ax in made.axes if ax.has_data()]
    axes = dict.fromkeys(f"{ax.get_ylabel()} against {ax.get_xlabel()}" for ax in panels if ax.get_xlabel())
    legends = [*made.legends, *filter(None, (ax.get_legend() for ax in panels))]
    names = dict.fromkeys(text.get_text() for legend in legends for text in legend.get_texts())
    points = sum(len(part.get_offsets()) for part in made.findobj(PathCollection))
    parts = {
        f"{points} points in a square": points,
        "lines between them": made.findobj(LineCollection),
        "arrows for moves": made.findobj(lambda part: getattr(part, "arrow_patch", None) is not None),
        "a table of numbers on colored cells": made.findobj(AxesImage),
    }
    panel = f"{len(panels)} panels" if len(panels) > 1 else "a panel"
    what = "; ".join(axes) or " and ".join(name for name, found in parts.items() if found)
    words = f"{panel} with {what}{'; legend: ' * bool(names)}{', '.join(names)}"
    return " ".join(re.sub(r"\\math\w\w|[$\\{}\[\]]", "", words).split())
