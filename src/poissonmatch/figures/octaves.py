"""Points of ln u that come from a file of estimates, such as those of pm.octaves, in addition to those of a study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from ..utils.errors import BadInput

COLUMNS = ("dim", "ratio", "log_u", "standard_error")
NORMAL = 1.96  # standard errors of half a 95 % interval
MARK, LABEL = "*", "octave by octave"


def read_octaves(source: Any) -> pd.DataFrame:
    """Return the table of ln u, given as a data frame or the path of a CSV file; BadInput unless it has the columns COLUMNS, of numbers."""
    if isinstance(source, pd.DataFrame):
        name, table = "octaves", source
    else:
        name = Path(source).name
        try:
            table = pd.read_csv(source)
        except FileNotFoundError:
            raise BadInput(f"{name}: there is no such file of octaves") from None
        except (OSError, ValueError) as error:
            raise BadInput(f"{name} must be a CSV file, got {error}") from None
    if missing := [column for column in COLUMNS if column not in table]:
        raise BadInput(f"{name} must have the columns {', '.join(COLUMNS)}; missing: {', '.join(missing)}")
    table = table[list(COLUMNS)].apply(pd.to_numeric, errors="coerce")
    if not np.isfinite(table).all(axis=None) or (table["ratio"] <= 0).any() or (table["standard_error"] < 0).any():
        raise BadInput(
            f"{name} must have finite numbers, with ratios above 0 and standard errors from 0, in its columns"
        )
    return table


def draw_octaves(panel: Any, x: Callable[[Any], Any], y: Callable[[Any, Any], Any]) -> pd.DataFrame:
    """Draw the points of the option `octaves` for the dimensions of the panel, at x(ratio) and y(ln u, ratio); return their rows."""
    sheet = panel.sheet
    table = read_octaves(sheet.options.octaves)
    drawn = []
    for dim, color in {curve.rows["dim"].iloc[0]: curve.color for curve in panel.looks.curves(panel.rows)}.items():
        mine = table[table["dim"] == dim]
        if mine.empty:
            continue
        drawn.append(mine)
        width = NORMAL * mine["standard_error"]
        value, *ends = (y(mine["log_u"] + shift, mine["ratio"]).to_numpy(float) for shift in (0 * width, -width, width))
        around = [value - np.minimum(*ends), np.maximum(*ends) - value]
        look: dict[str, Any] = {"color": color, "mfc": "white", "ms": 7, "elinewidth": 0.8, "zorder": 3}
        panel.ax.errorbar(x(mine["ratio"]), value, yerr=around, fmt=MARK, **look)
    if drawn:
        gray: dict[str, Any] = {"color": "#444444", "marker": MARK, "mfc": "white", "ms": 7, "linestyle": "none"}
        sheet.handles[LABEL] = Line2D([], [], label=LABEL, **gray)
        sheet.say("Stars: octave by octave, with 95 % intervals of 1.96 standard errors.")
    return pd.concat(drawn) if drawn else table[:0]
