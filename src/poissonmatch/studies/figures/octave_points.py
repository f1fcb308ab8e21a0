"""Points of ln u that were followed octave by octave, from the observable `octaves` and from a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ...points.frames import read_frame
from ...utils.errors import BadInput, quoted
from ...utils.libraries import pd
from .figure_rows import of
from .figure_text import OCTAVES
from .panel_elements import Panel

COLUMNS = ("dim", "ratio", "log_u", "standard_error")
MAX_BYTES = 10_000_000  # of a file
MAX_NUMBER = 1e15
NORMAL = 1.96  # standard errors of half a 95 % interval
MARK = "*"


def read_octaves(source: Any) -> pd.DataFrame:
    """Return the table of ln u, from a data frame or the path of a CSV file.

    Raises BadInput unless it has the columns COLUMNS, of numbers.
    """
    if isinstance(source, pd.DataFrame):
        name, table = "octaves", source
    elif isinstance(source, str | Path):
        name, table = Path(source).name, read_frame(source, MAX_BYTES)
    else:
        raise BadInput(f"octaves must be a data frame or the path of a CSV file, got {quoted(source)}")
    if missing := [column for column in COLUMNS if column not in table]:
        raise BadInput(f"{name} must have the columns {', '.join(COLUMNS)}; missing: {', '.join(missing)}")
    try:
        table = table[list(COLUMNS)].apply(pd.to_numeric, errors="coerce").astype(float)
        within = (np.abs(table) <= MAX_NUMBER).all(axis=None)  # and not nan
    except OverflowError:  # a whole number of 400 digits
        within = False
    if not within or (table["ratio"] < 1 / MAX_NUMBER).any() or (table["standard_error"] < 0).any():
        raise BadInput(
            f"{name} must have numbers up to {MAX_NUMBER:g}, with ratios above 0 and standard errors from 0, in its columns"
        )
    return table


def draw_octaves(panel: Panel, rows: pd.DataFrame, power: float, y: Callable[[Any, Any], Any]) -> pd.DataFrame:
    """Draw ln u of the estimates `rows` and of the option `octaves`, in the dimensions of the panel.

    The points are at ratio^power and y(ln u, ratio). Return what was drawn, with the columns dim, ratio,
    log_u and the ends of its interval, `low` and `high`.
    """
    notes, columns = panel.notes, ["dim", "ratio", "log_u", "low", "high"]
    own = of(rows, "log_inverse_octaves")
    table = own.assign(log_u=-own["value"], low=-own["upper"], high=-own["lower"])[columns]
    if notes.options.octaves is not None:
        octaves = read_octaves(notes.options.octaves)
        width = NORMAL * octaves["standard_error"]
        table = pd.concat([table, octaves.assign(low=octaves["log_u"] - width, high=octaves["log_u"] + width)[columns]])
    colors = panel.color_of_dim()
    drawn = table[table["dim"].isin(colors)]
    for dim, part in drawn.groupby("dim", sort=False):
        ends = np.sort([y(part[name], part["ratio"]) for name in ("low", "high")], axis=0)
        interval = [y(part["log_u"], part["ratio"]), *ends]
        panel.errorbars(part["ratio"] ** power, interval, colors[dim], fmt=MARK, mfc="white", ms=7, zorder=3)
    if len(drawn):
        panel.limit_to_marks()
        notes.key(OCTAVES, color="#444444", marker=MARK, mfc="white", ms=7)
        notes.say("octaves")
    return drawn
