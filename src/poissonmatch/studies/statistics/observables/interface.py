"""The three classes of observables: what is measured, what is estimated from it, and its cost.

An entry is a class in a file of this folder.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from ....matching.matching import Matching
from ....points.geometry import Geometry
from ....rules.catalogue import RULES
from ....rules.rule import Rule
from ....utils.immutable import cached_property
from ...sampling.cells import Cell
from ...tables.tables import RATIOS, REPLICATE, Columns, Table
from ..estimators import CellSample, Estimate, Exact, by_argument, chosen, curve, ratio
from .point_sums import Sums

Numbers = Mapping[tuple[str, float], tuple[float, float]]  # (quantity, x) -> (numerator, denominator)
FIRST_COLOR = 0  # amber: the color of Alice where each player has a color
NO_COORDINATES = "needs coordinates, which a mean-field pattern does not have"


@dataclass(frozen=True)
class Quantity:
    """A quantity of the table `estimates`.

    The range of a "share" is 0 to 1, of a "mean" from 0; a "positive" mean has the interval of its
    logarithm. A "count" is a mean number of points or pairs, which may be few. A "proportion" is the
    fraction of tori with a property, with the interval of Clopper and Pearson.
    """

    name: str
    meaning: str
    kind: Literal["share", "proportion", "mean", "count", "positive", "real"]
    x: str = ""  # its argument, "" for none
    cut: Literal["", "x", "value"] = ""  # which of both is a distance, compared with the cutoff
    exact: Callable[[CellSample, Estimate], Exact] = lambda sample, estimate: math.nan  # at each x
    exact_torus: Callable[[CellSample, Estimate], float] = lambda sample, estimate: math.nan  # on tori of this size

    @property
    def is_curve(self) -> bool:
        """Whether it has a row for each of many x."""
        return self.x in ("r", "V", "k")

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        unbounded = {"real": (-np.inf, np.inf), "share": (0.0, 1.0), "proportion": (0.0, 1.0)}
        return unbounded.get(self.kind, (0.0, np.inf))


at_distance = partial(Quantity, x="r", cut="x")  # a quantity at each distance r


class Observable(ABC):
    """What a study may list under `observables`: a subclass of one of the three classes below."""

    name: ClassVar[str]
    table: ClassVar[Table] = RATIOS  # of its rows
    quantities: ClassVar[tuple[Quantity, ...]] = ()  # that are estimated from its rows
    measured_by: ClassVar[str] = ""  # the observable from whose rows it is estimated, if it has no rows of its own
    needs_all_pairs: ClassVar[bool] = True  # whether it is not measured with a `max_distance`
    table_of_pairs: ClassVar[bool] = False  # whether it needs the distances of all pairs in the mean-field model
    only_rule: ClassVar[str] = ""  # the rule for which alone it is defined, "" for none
    needs_capacity: ClassVar[bool] = False  # whether it is defined for rules without labels only
    max_dim: ClassVar[int] = 0  # largest dimension of a torus on which it is measured; 0: it is measured in any space
    max_points: ClassVar[float] = math.inf  # of a torus
    bytes: ClassVar[float] = 0.0  # on disk for each replicate,
    bytes_per_point: ClassVar[float] = 0.0  # and in addition for each point
    memory_per_point: ClassVar[float] = 0.0  # bytes for each point while a block is made

    @cached_property
    def first_only(self) -> bool:
        """Whether it is measured on replicate 0 only, since its table has no column for the replicate."""
        return REPLICATE not in self.table.columns

    @property
    def of_colors(self) -> bool:
        """Whether its quantities are about the points of a color."""
        return self.table is not RATIOS and not self.measured_by

    def undefined(self, rule: Rule) -> str:
        """Return why it is not defined for a rule, "" if it is."""
        if self.only_rule and rule != RULES[self.only_rule]:
            return f"is defined for the rule {self.only_rule}"
        return "needs a rule with capacities, not with labels" if self.needs_capacity and rule.labels else ""

    def incompatible(self, rule: Rule, space: Geometry) -> str:
        """Return why it is not measured for a rule and a space, "" if it is."""
        if (reason := self.undefined(rule)) or not self.max_dim:
            return reason
        if not space.has_coordinates:
            return NO_COORDINATES
        if space.seams is None:
            return f"needs a torus, not a {space.name}"
        return f"is measured in d = 1 to {self.max_dim}, not in d = {space.dim}" if space.dim > self.max_dim else ""

    def estimate(self, sample: CellSample, rows: Columns) -> Iterator[Estimate]:
        """Yield the estimates from the rows of a cell in its table, as arrays: by default ratios of sums."""
        for quantity in sorted(set(rows["quantity"])):
            x, numerator, denominator = by_argument(sample, chosen(rows, rows["quantity"] == quantity))
            total = denominator.sum(axis=1)
            some = total > 0
            yield Estimate(quantity, *ratio(numerator[some].T, denominator[some].T), x=x[some], total=total[some])

    def estimates(self, samples: Sequence[CellSample], rows: Sequence[Columns]) -> Iterator[Estimate]:
        """Yield the estimates of cells with equally many replicates: by default of one after the other."""
        for cell, of_cell in enumerate(zip(samples, rows, strict=True)):
            for estimate in self.estimate(*of_cell):
                yield estimate.of(cell=cell)


class SumObservable(Observable):
    """An observable that is measured from sums over the points, also of a torus in tiles."""

    @abstractmethod
    def measure(self, sums: Sums) -> Columns:
        """Return the rows of a replicate, or of several with the column `replicate`, without those of the cell."""


class MatchingObservable(Observable):
    """An observable of a matching with its points."""

    @abstractmethod
    def measure(self, matching: Matching) -> Columns:
        """Return the rows of a replicate without the columns of its cell."""


class GreenCurve(MatchingObservable):
    """An observable of one quantity at V, the expected number of green points within r."""

    min_count: ClassVar[float]  # smallest sum of denominators with a value

    def estimate(self, sample: CellSample, rows: Columns) -> Iterator[Estimate]:
        """Yield the quantity at each V with a denominator of at least `min_count`."""
        green, _ = sample.green_and_red
        yield curve(sample, rows, sample.intensities[green], self.quantities[0].name, self.min_count)


class CellObservable(Observable):
    """An observable that also depends on the cell and on random numbers of its own."""

    @abstractmethod
    def measure(self, matching: Matching, cell: Cell, rng: np.random.Generator) -> Columns:
        """Return the rows of a replicate without the columns of its cell."""


def ratio_columns(numbers: Numbers) -> Columns:
    """Return rows of the table `ratios`. x is the argument, NO_X for none."""
    return curve_columns(*zip(*((*key, *both) for key, both in numbers.items()), strict=True))


def curve_columns(quantity: Any, x: Any, numerator: Any, denominator: Any) -> Columns:
    """Return rows of the table `ratios` at each x. The quantity and the numbers are one, or one for each x."""
    numbers = {"x": x, "numerator": numerator, "denominator": denominator}
    return {"quantity": np.full(len(x), quantity)} | {n: np.full(len(x), v, float) for n, v in numbers.items()}


def counts_within(radii: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Return how many of these distances are at most r, for each of the increasing radii."""
    return np.bincount(np.searchsorted(radii, distance), minlength=len(radii) + 1)[:-1].cumsum()
