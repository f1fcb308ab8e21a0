"""Kinds of figures of a study file: one entry each, without importing a plotting library.

A new kind is a drawing function and an entry here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..utils.errors import BadInput
from ..utils.validation import check_real

CAPTION = ".txt"  # suffix of the file of a caption
WIDTHS = {"column": 3.4, "text": 7.0}  # printed width in inches
MIN_NUMBER, MAX_NUMBER = 1e-15, 1e15  # a number other than 0: what is beyond is a slip, or wants another unit of length
PANELS = ("study", "dim", "size", "rule")  # columns whose values may have one panel each


@dataclass(frozen=True)
class Options:
    """Options of a figure, the same in a study file and in Python."""

    width: str | None = None  # "column" or "text"; by default "text" for several panels
    style: str | None = None  # path of a matplotlib style file that overrides the default style
    usetex: bool = False  # whether LaTeX sets the text
    xlim: tuple[float, float] | None = None  # limits of the axes of all panels
    ylim: tuple[float, float] | None = None
    log: tuple[str, ...] | None = None  # logarithmic axes, such as ("x", "y"); () for none
    panels: str | None = None  # column (one of PANELS) whose values have one panel each
    labels: Mapping[str, str] = field(default_factory=dict)  # names of the studies, and of the colors of a picture
    title: str = ""  # above the figure
    caption: str = ""  # replaces the first sentence of the caption
    octaves: Any = None  # path of a CSV file with ln u, or a data frame, which is drawn as well (kinds with `octaves`)


def check_limits(ends: Any) -> None:
    """Raise BadInput unless these are limits of an axis: two numbers, the smaller one first."""
    pair: Any = ends if isinstance(ends, list | tuple) and len(ends) == 2 else ("", "")
    low, high = pair
    for end in (low, high):
        value = check_real("the limit of an axis", end, f"at most {MAX_NUMBER:g}", -MAX_NUMBER, MAX_NUMBER)
        if value and abs(value) < MIN_NUMBER:
            raise BadInput(f"the limit of an axis must be 0 or at least {MIN_NUMBER:g}, got {value:g}")
    if not low < high:
        raise BadInput("the limits of an axis must be two numbers, the smaller one first")
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        raise BadInput(f"the limits of an axis must differ by more than rounding, got {low!r} and {high!r}")


@dataclass(frozen=True)
class Kind:
    """A kind of figure.

    draws: a function (rows of the table, layout) -> first sentence of the caption, which draws on
    the layout; or its "module:name" in figures/.
    """

    name: str  # in study files
    draws: str | Callable[..., Any]
    needs: frozenset[str] = frozenset()  # observables that its studies must have
    table: str = "estimates"  # that it is drawn from
    ratio: bool = False  # whether its axis is the ratio of the intensities of two colors
    reference_color: bool = False  # whether it shows the reference color of the rule
    axes: bool = True  # whether its axes have options (xlim, ylim, log, panels)
    second: str = ""  # a second table, of which rows are drawn if it has any
    octaves: bool = False  # whether it can show ln u from a file
    rule: str = ""  # of its example, by default derived from `ratio` and `reference_color`

    @property
    def example(self) -> dict[str, Any]:
        """Keywords of a short sweep that it can be drawn from."""
        rule = self.rule or ("fussy" if self.reference_color else "two-color" if self.ratio else "one-color")
        ratios = {"ratios": [0.5, 1.0]} if self.ratio else {}
        cells = {"rule": rule, "dims": 2, "sizes": [64, 512], **ratios}
        return {**cells, "replicates": 8, "observables": sorted(self.needs)}

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables that it is drawn from."""
        return (self.table, self.second) if self.second else (self.table,)

    @property
    def module(self) -> str:
        """The module of figures/ that draws it, or "" if `draws` is a function."""
        return self.draws.partition(":")[0] if isinstance(self.draws, str) else ""

    @property
    def function(self) -> Callable[..., Any]:
        """The function that draws it."""
        if not isinstance(self.draws, str):
            return self.draws
        return getattr(importlib.import_module(f".{self.module}", __package__), self.draws.partition(":")[2])


def _kind(name: str, draws: str, *needs: str, **more: Any) -> Kind:
    return Kind(name, draws, frozenset(needs), **more)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        _kind("realization", "realizations:realization", "realization", table="realizations", axes=False),
        _kind("tail", "matchings:tail", "distances"),
        _kind("scaled-tail", "matchings:scaled_tail", "distances"),
        _kind("transition", "matchings:transition", "unmatched", ratio=True),
        _kind("fussy", "matchings:fussy", "unmatched", ratio=True, reference_color=True, octaves=True),
        _kind("fussy-log", "matchings:fussy_log", "unmatched", ratio=True, reference_color=True, octaves=True),
        _kind("collapse", "open_problem:collapse", "distances", ratio=True, reference_color=True),
        _kind("response", "open_problem:response", "response"),
        _kind("laws", "open_problem:laws", "unmatched", ratio=True, reference_color=True, octaves=True, second="laws"),
        _kind("finite-size", "open_problem:finite_size", "unmatched", ratio=True, reference_color=True),
        _kind("winner", "frog_figures:winner", "winner"),
        _kind("winner-ratio", "frog_figures:winner_ratio", "winner", ratio=True),
        _kind("n-unmatched", "frog_figures:n_unmatched", "winner", rule="misere"),
        _kind("incomplete", "frog_figures:incomplete", "winner", rule="multi(2)"),
        _kind("shy", "frog_figures:shy", "distances", "desirers"),
        _kind("labels", "frog_figures:labels", "distances", rule="labels(3)"),
        _kind("balls", "frog_figures:balls", "balls"),
        _kind("components", "frog_figures:components", "components", rule="multi(2)"),
        _kind("rounds", "locality_figures:rounds", "rounds"),
        _kind("chains", "locality_figures:chains", "chains"),
        _kind("window", "locality_figures:window", "window"),
    )
}
