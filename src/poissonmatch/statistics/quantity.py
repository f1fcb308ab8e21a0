"""Classes of the registry of quantities; the entries: quantities.py."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..points.geometry import Geometry
from ..sampling.cells import Cell
from ..tables.tables import NO_X
from . import estimators, observable_checks
from .estimators import Estimate, Sample

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Quantity:
    """A quantity of the table `estimates`.

    The range of a "share" is 0 to 1, of a "mean" from 0. A "proportion" is the share of tori with a property, with the interval of
    Clopper and Pearson.
    """

    name: str
    meaning: str
    kind: Literal["share", "proportion", "mean", "real"]
    x: str = ""  # its argument, "" for none
    cut: Literal["", "x", "value"] = ""  # which of both is a distance, compared with the cutoff
    curve: bool = False  # whether it has a row for each of many x, and is not a number for the report
    exact: Callable[[Sample, Estimate], np.ndarray | float] = lambda sample, estimate: math.nan  # at each x
    exact_torus: Callable[[Sample, Estimate], float] = lambda sample, estimate: math.nan  # on tori of this size
    of_points: bool = (
        False  # whether, in the table `ratios`, it is a whole number over the number of points of the torus
    )
    at: Callable[[Any], Iterable[float]] | None = None  # geometry -> all x in `ratios`, unless x is "" or lists them

    def arguments(self, space: Geometry, values: np.ndarray) -> Iterable[float]:
        """Return all x of each torus in the table `ratios`; the distinct `values` if they are not declared."""
        if self.at is not None:
            return map(float, self.at(space))
        try:
            return [float(number) for number in self.x.split(",")] if self.x else [NO_X]
        except ValueError:
            return map(float, np.unique(values))

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return {"real": (-np.inf, np.inf), "mean": (0.0, np.inf)}.get(self.kind, (0.0, 1.0))


@dataclass(frozen=True)
class Estimation:
    """What is estimated from an observable, and the consistency checks of its rows, except that they are complete."""

    observable: str
    quantities: tuple[Quantity, ...] = ()
    estimate: Callable[[Sample, pd.DataFrame], Iterable[Estimate]] = estimators.ratios
    checks: Callable[[Cell, Any, Any], Iterable[Any]] = observable_checks.nothing
