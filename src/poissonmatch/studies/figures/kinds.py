"""Kinds of figures of a study file, without importing a plotting library.

A new kind is a drawing function and an entry in KINDS.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...utils.errors import BadInput
from ...utils.validation import check_real

CAPTION = ".txt"  # suffix of the file of a caption
WIDTHS = {"column": 3.4, "text": 7.0}  # printed width in inches
MIN_NUMBER, MAX_NUMBER = 1e-15, 1e15  # a number other than 0: what is beyond is a slip, or wants another unit of length
PANELS = ("study", "dim", "size", "rule")  # columns whose values may have one panel each


class NothingToDraw(BadInput):
    """Error about rows that have nothing which a figure shows."""


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
    legend: bool = True  # whether there is a legend
    colors: Any = None  # of points in a picture: a color for each color of points, or a mapping from names or numbers
    s: float | None = None  # area of the points of a picture, in square points; by default derived from their number


def check_limits(ends: Any) -> None:
    """Raise BadInput unless these are limits of an axis: two numbers, the smaller one first."""
    values = []
    for end in ends if isinstance(ends, list | tuple) else ():
        value = check_real("the limit of an axis", end, f"at most {MAX_NUMBER:g}", -MAX_NUMBER, MAX_NUMBER)
        if value and abs(value) < MIN_NUMBER:
            raise BadInput(f"the limit of an axis must be 0 or at least {MIN_NUMBER:g}, got {value:g}")
        values.append(value)
    if len(values) != 2 or not values[0] < values[1]:
        raise BadInput("the limits of an axis must be two numbers, the smaller one first")
    low, high = values
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        raise BadInput(f"the limits of an axis must differ by more than rounding, got {low!r} and {high!r}")


@dataclass(frozen=True)
class Kind:
    """A kind of figure.

    draws: a function of the rows of the table and of a layout, on which it draws; or the module of
    figures/ that has this function, under the name of the kind. The function returns the first
    sentence of the caption, or None for that in figure_text.CAPTIONS.
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
    quantities: frozenset[str] = frozenset()  # that it shows
    rule: str = ""  # of its example, by default derived from `ratio` and `reference_color`
    entries: int = 1  # of its legend at most, for exact curves, limits and constants

    @property
    def example(self) -> dict[str, Any]:
        """Keywords of a short sweep that it can be drawn from."""
        rule = self.rule or ("fussy" if self.reference_color else "two-color" if self.ratio else "one-color")
        ratios = {"ratios": [0.5, 1.0]} if self.ratio else {}
        observables = sorted(self.needs)
        return {"rule": rule, "dims": 2, "sizes": [64, 512], **ratios, "replicates": 8, "observables": observables}

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables that it is drawn from."""
        return (self.table, self.second) if self.second else (self.table,)

    @property
    def function(self) -> Callable[..., Any]:
        """The function that draws it."""
        if not isinstance(self.draws, str):
            return self.draws
        return getattr(importlib.import_module(f".{self.draws}", __package__), self.name.replace("-", "_"))


def _kind(module: str, name: str, needs: str, shows: str, **more: Any) -> Kind:
    """Return a kind that a module draws; observables and quantities are separated by spaces."""
    return Kind(name, module, frozenset(needs.split()), quantities=frozenset(shows.split()), **more)


RED = {"ratio": True, "reference_color": True}  # of the unmatched fraction of the reference color
RED_OCTAVES = {**RED, "octaves": True, "entries": 2}
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        _kind("realizations", "realization", "realization", "", table="realizations", axes=False),
        _kind("matchings", "tail", "distances", "tail"),
        _kind("matchings", "scaled-tail", "distances", "scaled_tail", entries=3),
        _kind("matchings", "transition", "unmatched", "unmatched_density", ratio=True),
        _kind("open_problem", "fussy", "unmatched", "unmatched_fraction", **RED_OCTAVES),
        _kind("open_problem", "fussy-log", "unmatched", "unmatched_fraction log_inverse_unmatched", **RED_OCTAVES),
        _kind("open_problem", "collapse", "flow", "ratio_excess ratio_slope", **RED),
        _kind("open_problem", "response", "response", "response response_slope"),
        _kind(
            "open_problem", "laws", "unmatched", "log_inverse_unmatched size_converged", second="laws", **RED_OCTAVES
        ),
        _kind("open_problem", "finite-size", "unmatched", "unmatched_fraction", **RED),
        _kind("frog_figures", "winner", "winner", "alice_wins"),
        _kind("frog_figures", "winner-ratio", "winner", "alice_wins n_unmatched unmatched_fraction", ratio=True),
        _kind("frog_figures", "n-unmatched", "winner", "n_unmatched", rule="misere"),
        _kind("frog_figures", "incomplete", "winner", "incomplete_fraction", rule="multi(2)"),
        _kind("frog_figures", "shy", "distances desirers", "tail desirers"),
        _kind("frog_figures", "labels", "distances", "tail quantile", rule="labels(3)"),
        _kind("frog_figures", "balls", "balls", "outside farther_than_2r farther_than_4r"),
        _kind(
            "frog_figures",
            "components",
            "components",
            "largest_component second_component component_squares",
            rule="multi(2)",
        ),
        _kind("frog_figures", "rounds", "rounds", "rounds round_tail"),
        _kind("frog_figures", "play-length", "play_length", "longest_play play_length_tail"),
        _kind("frog_figures", "chains", "chains", "chain_steps chain_tail"),
        _kind("frog_figures", "window", "window", "window_tail"),
        _kind(
            "matchings",
            "structure-factor",
            "structure_factor",
            "structure_factor_matched structure_factor_unmatched",
            rule="two-color",
        ),
        _kind(
            "matchings",
            "number-variance",
            "number_variance",
            "number_variance_matched number_variance_unmatched",
            rule="two-color",
        ),
    )
}
