"""The kinds of figures that a study file may ask for, one entry each: data only, so that no plotting library is needed to read it.

A new kind is a function that draws it and an entry here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

FORMATS = ("pdf", "svg", "png", "pgf")
CAPTION = ".txt"  # the file of a caption, beside those of the formats
WIDTHS = {"column": 3.4, "text": 7.0}  # inches, at which a figure is printed
PANELS = ("study", "dim", "size", "rule")  # of each of which there may be a panel


@dataclass(frozen=True)
class Options:
    """How a figure is to look: the same words in a study file and in Python.

    width: column or text; by default text where there are several panels. style: a matplotlib style file, over ours. usetex:
    letters by LaTeX. xlim, ylim: ends of the axes, (low, high), of all panels. log: the axes that are logarithmic, such as
    ("x", "y"); none of them if it is empty. panels: what there is a panel of each of. labels: what to call the studies, and the colors of a picture. title:
    above the figure. caption: instead of our first words; what is drawn is told after them.
    """

    width: str | None = None
    style: str | None = None
    usetex: bool = False
    xlim: tuple[float, float] | None = None
    ylim: tuple[float, float] | None = None
    log: tuple[str, ...] | None = None
    panels: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    caption: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of figure.

    draws: the function (rows of the table, sheet) -> first words of the caption, which draws on the sheet; or where it is:
    "module of figures/:name". needs: the observables of its studies. table: the one that it is drawn from. ratio: its axis is the
    ratio of the intensities of two colors. reference_color: whether it is about the reference color of the rule (red). axes: it has axes,
    which may be set. beside: a second table, of which it shows what there is. rule: of its example, where that is no plain one.
    """

    name: str
    draws: str | Callable[..., Any]
    needs: frozenset[str] = frozenset()
    table: str = "estimates"
    ratio: bool = False
    reference_color: bool = False
    axes: bool = True
    beside: str = ""
    rule: str = ""

    @property
    def example(self) -> dict[str, Any]:
        """The keywords of a sweep of a second or two that it can be drawn from."""
        rule = self.rule or ("fussy" if self.reference_color else "two-color" if self.ratio else "one-color")
        ratios = {"ratios": [0.5, 1.0]} if self.ratio else {}
        return {
            "rule": rule,
            "dims": 2,
            "sizes": [64, 512],
            **ratios,
            "replicates": 8,
            "observables": sorted(self.needs),
        }

    @property
    def tables(self) -> tuple[str, ...]:
        """All tables that it is drawn from."""
        return (self.table, self.beside) if self.beside else (self.table,)

    @property
    def module(self) -> str:
        """The module of figures/ that draws it, "" for a function that was given."""
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
        _kind("realization", "pictures:realization", "realization", table="realizations", axes=False),
        _kind("tail", "matchings:tail", "distances"),
        _kind("scaled-tail", "matchings:levelled", "distances"),
        _kind("transition", "matchings:transition", "unmatched", ratio=True),
        _kind("fussy", "matchings:fussy", "unmatched", ratio=True, reference_color=True),
        _kind("fussy-log", "matchings:fussy_log", "unmatched", ratio=True, reference_color=True),
        _kind("collapse", "open_problem:collapse", "distances", ratio=True, reference_color=True),
        _kind("response", "open_problem:response", "response"),
        _kind("laws", "open_problem:laws", "unmatched", ratio=True, reference_color=True, beside="laws"),
        _kind("finite-size", "open_problem:finite_size", "unmatched", ratio=True, reference_color=True),
        _kind("winner", "frogs:winner", "winner"),
        _kind("winner-ratio", "frogs:winner_ratio", "winner", ratio=True),
        _kind("n-unmatched", "frogs:n_unmatched", "winner", rule="misere"),
        _kind("incomplete", "frogs:incomplete", "winner", rule="multi(2)"),
        _kind("shy", "frogs:shy", "distances", "desirers"),
        _kind("labels", "frogs:labels", "distances", rule="labels(3)"),
        _kind("components", "frogs:components", "components", rule="multi(2)"),
        _kind("rounds", "locality:rounds", "rounds"),
        _kind("chains", "locality:chains", "chains"),
        _kind("window", "locality:window", "window"),
    )
}
