"""The observables `structure_factor` and `number_variance`, of all, of the matched and of the unmatched points of a color.

Matched points of a Poisson process with a lattice of smaller intensity are hyperuniform: their
structure factor tends to 0 at 0 (Klatt, Last and Yogeshwaran 2020). The number variance is the variance of the number of
points in a ball over its mean.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from ....matching.matching import Matching
from ....points.second_moments import Shells, ball_counts
from ....theory.volumes import ball_volume
from ...sampling.cells import Cell
from ...tables.tables import COLOR_RATIOS, parameters_of
from ..estimators import CellSample, Estimate, Exact, by_argument, chosen, jackknife_ratio, ratio
from .desirers import radii_of
from .interface import CellObservable, Columns, Quantity, at_distance, curve_columns

MODES = 2**18  # wave vectors of a torus at most
PER_DECADE = 10  # shells of wave vectors
PARTS = ("", "_matched", "_unmatched")  # endings of quantities: all points of a color, those with and without a partner


class ByPartner(CellObservable):
    """An observable of all, of the matched and of the unmatched points of each color: ratios at each argument."""

    table = COLOR_RATIOS
    max_dim = 3
    bytes = 4000.0
    min_points: ClassVar[float]  # smallest mean denominator with a value

    @abstractmethod
    def sums(self, points: np.ndarray, cell: Cell) -> list[np.ndarray]:
        """Return sums over the points."""

    @abstractmethod
    def ratios(self, sums: list[np.ndarray], n: int, cell: Cell) -> tuple[np.ndarray, Any, Any]:
        """Return arguments, numerators and denominators from the sums over n points."""

    def measure(self, matching: Matching, cell: Cell, rng: np.random.Generator) -> Columns:
        """Return the rows of each color and part."""
        pattern = matching.known_pattern
        unmatched = np.zeros(len(pattern), bool)
        unmatched[matching.unmatched] = True
        rows = []
        for color in range(len(cell.intensities)):
            parts = [pattern.points[(pattern.colors == color) & some] for some in (~unmatched, unmatched)]
            sums = [self.sums(points, cell) for points in parts]
            together = [of_matched + of_unmatched for of_matched, of_unmatched in zip(*sums, strict=True)]
            numbers = [len(points) for points in parts]
            for part, total, n in zip(PARTS, (together, *sums), (sum(numbers), *numbers), strict=True):
                columns = curve_columns(self.name + part, *self.ratios(total, n, cell))
                rows.append({**columns, "color": np.full(len(columns["x"]), color)})
        return {name: np.concatenate([part[name] for part in rows]) for name in rows[0]}

    def estimate(self, sample: CellSample, rows: Columns) -> Iterator[Estimate]:
        """Yield the values of each color and part with `min_points`."""
        for color in range(len(sample.intensities)):
            for part in PARTS:
                name = self.name + part
                x, numerator, denominator = by_argument(
                    sample, chosen(rows, (rows["color"] == color) & (rows["quantity"] == name))
                )
                some = denominator.mean(axis=1) >= self.min_points
                yield Estimate(name, *self.values(numerator[some].T, denominator[some].T), color=color, x=x[some])

    def values(self, numerator: np.ndarray, denominator: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return values and influences from the numbers of the replicates (axis 0)."""
        return jackknife_ratio(numerator, denominator)


def shells_of(cell: Cell) -> Shells:
    """Return the wave vectors of a cell, up to twice the first peak of a lattice with the same number of points."""
    sides, dim = np.asarray(cell.space().sides), int(cell.dim)
    density = min(2 * (cell.size / cell.volume) ** (1 / dim), (MODES / cell.volume) ** (1 / dim) / 2)
    steps = range(int(PER_DECADE * math.log10(max(density * sides.max(), 1))) + 1)
    ends = sorted({0.5, *(round(10 ** (step / PER_DECADE)) + 0.5 for step in steps)})
    return Shells.between(tuple(sides.tolist()), tuple(ends))


def exact_structure_factor(sample: CellSample, estimate: Estimate) -> Exact:
    """Return S(k) of all points of the color, nan where it is not known."""
    about = sample.dim, sample.exact_intensities, estimate.color
    return sample.process.structure_factor_of_color(np.asarray(estimate.x), *about, **parameters_of(sample.row))


class StructureFactors(ByPartner):
    """Squared sums of exp(i k x), averaged over wave vectors k of nearly equal length, over numbers of points."""

    name = "structure_factor"
    memory_per_point = 100.0
    min_points = 2.0  # of the torus; S of one point is 1
    quantities = (
        Quantity("structure_factor",
                 "structure factor of the points of the color, averaged over wave vectors of length near $k$; of mean square length $k^2$",
                 "positive", x="k", exact=exact_structure_factor),
        Quantity("structure_factor_matched", "structure factor of the points of the color with a partner", "positive", x="k"),
        Quantity("structure_factor_unmatched", "structure factor of the points of the color without a partner", "positive", x="k"),
    )  # fmt: skip

    def sums(self, points: np.ndarray, cell: Cell) -> list[np.ndarray]:
        """Return the sum of exp(i k x) at each wave vector."""
        return [shells_of(cell).sums(points)]

    def ratios(self, sums: list[np.ndarray], n: int, cell: Cell) -> tuple[np.ndarray, Any, Any]:
        """Return |k|, the mean of the squares in each shell, and the number of points."""
        shells = shells_of(cell)
        return shells.k, shells.mean_squares(sums[0], n), n


RADII = slice(-21, None, 2)  # of `radii_of`: two decades up to the cutoff, five a decade
CENTERS_PER_BALL = 4  # as many times as disjoint balls would fill the torus,
CENTERS = 200  # at most, so that counting takes no longer than matching


def exact_number_variance(sample: CellSample, estimate: Estimate) -> Exact:
    """Return 1 for independent uniform points, nan for others."""
    return 1.0 if sample.process.uniform else math.nan


def exact_number_variance_on_torus(sample: CellSample, estimate: Estimate) -> Any:
    """Return the value for independent uniform points, of which a fixed number is on the torus."""
    if not sample.process.uniform or sample.process.poisson:
        return math.nan
    return 1 - ball_volume(sample.dim, estimate.x) / sample.volume


class NumberVariance(ByPartner):
    """Variances of numbers of points in balls, over mean numbers."""

    name = "number_variance"
    memory_per_point = 150.0
    min_points = 0.1  # in a ball
    quantities = (
        at_distance("number_variance", "variance of the number of points of the color in a ball of radius $r$, over its mean",
                    "mean", exact=exact_number_variance, exact_torus=exact_number_variance_on_torus),
        at_distance("number_variance_matched", "variance of the number of those with a partner, over its mean", "mean"),
        at_distance("number_variance_unmatched", "variance of the number of those without a partner, over its mean", "mean"),
    )  # fmt: skip

    def sums(self, points: np.ndarray, cell: Cell) -> list[np.ndarray]:
        """Return the numbers of points in balls of each radius."""
        torus = cell.space()
        radii = radii_of(torus)[RADII]
        fill = CENTERS_PER_BALL * torus.volume / torus.ball_volume(radii)
        return ball_counts(points, torus, radii, np.ceil(np.minimum(fill, CENTERS)).astype(int))  # type: ignore[arg-type]

    def ratios(self, sums: list[np.ndarray], n: int, cell: Cell) -> tuple[np.ndarray, Any, Any]:
        """Return radii, the variances over the centers, and the mean number of points."""
        torus = cell.space()
        radii = radii_of(torus)[RADII]
        mean = n * torus.ball_volume(radii) / torus.volume
        squares = [((counts - each) ** 2).mean() for counts, each in zip(sums, mean, strict=True)]
        return radii, np.array(squares), mean

    def values(self, numerator: np.ndarray, denominator: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the variance over the mean: that over the centers, and that of the mean number among tori."""
        tori, mean = len(denominator), denominator.mean(axis=0)
        among = (denominator - mean) ** 2 * tori / max(tori - 1, 1)
        return ratio(numerator + among, denominator)
