"""The observable `distances`: counts of partner distances in logarithmic bins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from functools import cache

import numpy as np

from ....utils.immutable import as_immutable
from ...tables.tables import DISTANCES, PER_DECADE
from .. import distance_tails, exact_values, infinite_volume
from ..estimators import Estimate, Sample
from .interface import Columns, Quantity, SumObservable
from .point_sums import Sums

BINS = range(-5 * PER_DECADE, 7 * PER_DECADE + 1)


@cache
def edges() -> np.ndarray:
    """Return the lower ends of the bins, 10^(bin / PER_DECADE)."""
    return as_immutable(powers_of_ten(BINS, PER_DECADE))


def powers_of_ten(steps: range, per_decade: int) -> np.ndarray:
    """Return 10^(k / per_decade) for each step k, correctly rounded: the same on every machine."""
    with localcontext() as context:
        context.prec = 40
        return np.array([float(Decimal(10) ** (Decimal(k) / per_decade)) for k in steps])


class Distances(SumObservable):
    """The rows of a replicate in the table `distances`."""

    name = "distances"
    table = DISTANCES
    bytes = 900.0
    quantities = (
        Quantity("tail", "$P(X > r)$, where $X$ is the partner distance, infinite if unmatched", "share", x="r", cut="x", curve=True,
                 exact=exact_values.tail),
        Quantity("scaled_tail", "$V P(X > r)$, where $V$ is the expected number of points of all colors in a ball of radius $r$", "mean", x="r",
                 cut="x", curve=True, exact=exact_values.scaled_tail),
        Quantity("tail_exponent", r"local exponent $d \ln P(X > r) / d \ln r$, over a fifth of a decade", "real", x="r", cut="x",
                 curve=True, exact=exact_values.tail_exponent),
        Quantity("quantile", "the $r$ with $P(X > r) = 1 - q$", "mean", x="q", cut="value"),
        Quantity("infinite_volume_mean",
                 "mean distance from a matched point to its nearest partner in infinite volume, if it is finite. A tail that is a power law is "
                 "measured up to the cutoff and fitted beyond it. For other tails it is `mean_distance`, if nearly all pairs are shorter than the cutoff",
                 "mean"),
    )  # fmt: skip

    def measure(self, sums: Sums) -> Columns:
        """Return counts of partner distances by color, order and bin."""
        *number, color, order, place = np.nonzero(sums.bins)
        count = sums.bins[*number, color, order, place]
        rows = {"color": color, "order": order, "bin": place + BINS.start, "r": edges()[place], "count": count}
        return rows if sums.replicates is None else {**rows, "replicate": sums.replicates[number[0]]}

    def estimate(self, sample: Sample, rows: Columns) -> Iterator[Estimate]:
        """Yield the estimates of one cell."""
        for estimate in self.estimates([sample], [rows]):
            yield from estimate.parts()

    def estimates(self, samples: Sequence[Sample], rows: Sequence[Columns]) -> Iterator[Estimate]:
        """Yield the tails, their exponents and quantiles, and the mean in infinite volume."""
        yield from distance_tails.tails(samples, rows)
        for cell, of_cell in enumerate(zip(samples, rows, strict=True)):
            for estimate in infinite_volume.means(*of_cell):
                yield estimate.of(cell=cell)
