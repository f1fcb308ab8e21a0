"""Ticks of an axis, few enough to be read."""

from __future__ import annotations

import math
from typing import Any

from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

FEW = (1.0, 2.0, 5.0)  # ticks of a decade
MORE = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0)
SHORT = 0.5  # decades, below which an axis has more of them


def readable_ticks(axis: Axis) -> None:
    """Label a logarithmic axis with fewer than two powers of ten at 1, 2 and 5.

    By default matplotlib labels all of its minor ticks.
    """
    if axis.get_scale() != "log":
        return
    low, high = sorted(axis.get_view_interval())
    if math.floor(math.log10(high) + 1e-9) - math.ceil(math.log10(low) - 1e-9) >= 1:
        axis.set_minor_formatter(NullFormatter())
        return
    axis.set_major_locator(LogLocator(subs=MORE if math.log10(high / low) < SHORT else FEW))
    axis.set_major_formatter(FuncFormatter(_number))
    axis.set_minor_formatter(NullFormatter())


def whole_ticks(axis: Axis) -> None:
    """Put ticks of a linear axis at whole numbers."""
    if axis.get_scale() == "linear":
        axis.set_major_locator(MaxNLocator(6, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))


def _number(value: float, _: Any = None) -> str:
    if 1e-3 <= value < 1e6:
        return f"{value:,.0f}" if value >= 1000 else f"{value:g}"
    power = math.floor(math.log10(value) + 1e-9)
    factor = value / 10.0**power
    return f"$10^{{{power}}}$" if abs(factor - 1) < 1e-9 else f"${factor:g}\\times10^{{{power}}}$"
