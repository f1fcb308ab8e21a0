"""The kinds of figures that a study file may ask for, one entry each: data only, so that no plotting library is needed to read it.

A new kind is a function that draws it and an entry here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SUFFIXES = (".pdf", ".png", ".txt")  # the files of a figure; the last is its caption


@dataclass(frozen=True)
class Kind:
    """A kind of figure.

    draws: the function (rows of the table) -> (figure, caption), or where it is: "module of figures/:name". needs: the
    observables of its studies. table: the one that it is drawn from. ratio: its axis is the ratio of the intensities of two
    colors. judged: it is about the color by which the rule is judged (red).
    """

    name: str
    draws: str | Callable[..., Any]
    needs: frozenset[str] = frozenset()
    table: str = "estimates"
    ratio: bool = False
    judged: bool = False

    @property
    def function(self) -> Callable[..., Any]:
        """The function that draws it."""
        if not isinstance(self.draws, str):
            return self.draws
        module, _, name = self.draws.partition(":")
        return getattr(importlib.import_module(f".{module}", __package__), name)


def _kind(name: str, draws: str, *needs: str, **more: Any) -> Kind:
    return Kind(name, draws, frozenset(needs), **more)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        _kind("realisation", "matchings:realisation", "realisation", table="realisations"),
        _kind("tail", "matchings:tail", "distances"),
        _kind("levelled-tail", "matchings:levelled", "distances"),
        _kind("transition", "matchings:transition", "unmatched", ratio=True),
        _kind("fussy", "matchings:fussy", "unmatched", ratio=True, judged=True),
        _kind("fussy-log", "matchings:fussy_log", "unmatched", ratio=True, judged=True),
        _kind("winner", "frogs:winner", "winner"),
        _kind("winner-ratio", "frogs:winner_ratio", "winner", ratio=True),
        _kind("leftovers", "frogs:leftovers", "winner"),
        _kind("incomplete", "frogs:incomplete", "winner"),
        _kind("shy", "frogs:shy", "distances", "desirers"),
        _kind("labels", "frogs:labels", "distances"),
        _kind("components", "frogs:components", "components"),
    )
}
