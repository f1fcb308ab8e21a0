"""What an observable and a quantity are, as studies, tables, estimates and the report see them; the entries: observables.py."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..points.space import Geometry
from ..rules.rule import Rule
from ..sampling.cells import Cell
from ..tables.tables import NO_X, Table
from . import estimators, observable_checks
from .estimators import Estimate, Sample

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Quantity:
    """A quantity of the table `estimates`.

    kind: what values it can have. share: from 0 to 1. proportion: the share of the tori of which something is true, with
    the interval of Clopper and Pearson. mean: from 0. real: any. x: its argument, "" if it has none.
    cut: where it is about a distance that a torus may be too small for: that is its x, or its value. curve: a row for each
    of many x, and not a single number for a table in the report. exact: its exact value at each x, where one is known.

    In the table `ratios`: of_points: a whole number over that of all points of the torus. at: all its arguments, from the
    torus or mean-field model; not needed where x is "", or lists them.
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

    def arguments(self, space: Geometry, found: np.ndarray) -> Iterable[float]:
        """All x that the table `ratios` has of each torus; those that are found there if no one said so."""
        if self.at is not None:
            return map(float, self.at(space))
        try:
            return [float(word) for word in self.x.split(",")] if self.x else [NO_X]
        except ValueError:
            return map(float, np.unique(found))

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the largest possible value."""
        return {"real": (-np.inf, np.inf), "mean": (0.0, np.inf)}.get(self.kind, (0.0, 1.0))


@dataclass(frozen=True)
class Observable:
    """What a study may list under `observables`.

    measure: (pattern, matching) -> rows of the table, as Columns; for the table `ratios` as Numbers. summed: it is (Sums) -> Columns,
    which there are of a torus in tiles, too. estimate: a cell's
    rows -> estimates; the default is the ratio of sums for each quantity of `ratios`. laws: what is always true of what it
    measured (laws.py); that all rows are there, and of their kind, is looked at anyway.
    always: measured whether it is listed or not. first_only: on replicate 0 only. flat: needs coordinates. torus: needs a torus. room: needs to
    know which points have room for another partner, so no labels. table_of_pairs: needs distances of pairs that are not
    matched, in the mean-field model from its table. unfit: (rule, dim) -> why it is not defined there, "" if it is.
    most_points: of a torus, for which it is meant.
    bytes, bytes_per_point: of disk, for a replicate; memory_per_point, microseconds(dim) of a point: while a block is made (cost.py).
    """

    name: str
    table: Table
    measure: Callable[..., Any]
    quantities: tuple[Quantity, ...] = ()
    estimate: Callable[[Sample, pd.DataFrame], Iterable[Estimate]] = estimators.ratios
    laws: Callable[[Cell, Any, Any], Iterable[Any]] = observable_checks.nothing
    always: bool = False
    first_only: bool = False
    flat: bool = False
    torus: bool = False
    room: bool = False
    table_of_pairs: bool = False
    unfit: Callable[[Rule, float], str] = lambda rule, dim: ""
    most_points: float = math.inf
    bytes: float = 0.0
    bytes_per_point: float = 0.0
    memory_per_point: float = 0.0
    microseconds: Callable[[float], float] = lambda dim: 0.0
    summed: bool = False
