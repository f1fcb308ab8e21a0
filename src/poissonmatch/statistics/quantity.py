"""Classes of the registry of quantities; the entries: quantities.py."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..points.space import Geometry
from ..sampling.cells import Cell
from ..tables.tables import NO_X
from . import estimators, observable_checks
from .estimators import Estimate, Sample

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Quantity:
    """A quantity of the table `estimates`.

    Parameters
    ----------
    name, meaning : str
    kind : {"share", "proportion", "mean", "real"}
        Its range. "share": from 0 to 1. "proportion": the share of tori with a property, with the interval of Clopper and Pearson.
        "mean": from 0. "real": any.
    x : str
        Its argument, "" for none.
    cut : {"", "x", "value"}
        Which of both is a distance, compared with the cutoff.
    curve : bool
        Whether it has a row for each of many x, and is not a number for the report.
    exact : callable
        (sample, estimate) -> its exact value at each x, nan where it is not known.
    of_points : bool
        Whether, in the table `ratios`, it is a whole number over the number of points of the torus.
    at : callable, optional
        Geometry -> all its arguments in the table `ratios`; not needed if x is "" or lists them.
    """

    name: str
    meaning: str
    kind: Literal["share", "proportion", "mean", "real"]
    x: str = ""
    cut: Literal["", "x", "value"] = ""
    curve: bool = False
    exact: Callable[[Sample, Estimate], np.ndarray | float] = lambda sample, estimate: math.nan
    of_points: bool = False
    at: Callable[[Any], Iterable[float]] | None = None

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
    """What is estimated from an observable, and what is always true of its rows.

    Parameters
    ----------
    observable : str
    quantities : tuple of Quantity
    estimate : callable
        (sample, rows of a cell) -> estimates; by default the ratio of sums for each quantity of `ratios`.
    checks : callable
        (cell, rows, tables) -> consistency checks of the rows; that they are complete is checked in any case.
    """

    observable: str
    quantities: tuple[Quantity, ...] = ()
    estimate: Callable[[Sample, pd.DataFrame], Iterable[Estimate]] = estimators.ratios
    checks: Callable[[Cell, Any, Any], Iterable[Any]] = observable_checks.nothing
