"""The observable `unmatched`: numbers of points and sums of partner distances, by color.

Every study measures it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ....theory.finite_size import MAX_GREEN, MAX_SHIFT, MIN_UNMATCHED, SIZE_FACTOR
from ...tables.tables import REPLICATES
from .. import estimators, exact_values
from ..estimators import Estimate, Sample
from .interface import Columns, Quantity, SumObservable
from .point_sums import Sums


class Unmatched(SumObservable):
    """The row of a replicate in the table `replicates`."""

    name = "unmatched"
    table = REPLICATES
    bytes = 300.0
    quantities = (
        Quantity("unmatched_fraction", "unmatched fraction $u$ of the points of the color", "share",
                 exact=exact_values.unmatched_fraction, exact_torus=exact_values.unmatched_fraction_on_torus),
        Quantity("unmatched_density", "unmatched points of the color per unit volume", "mean",
                 exact=exact_values.unmatched_density, exact_torus=exact_values.unmatched_density_on_torus),
        Quantity("log_inverse_unmatched", r"$\ln(1/u)$, where $u$ is the unmatched fraction of red points (fussy); no row if $u = 0$", "real", curve=True,
                 exact=exact_values.log_inverse_unmatched),
        Quantity("size_converged",
                 "1 if finite-size effects on the unmatched fraction of the reference color of the rule (red) are negligible, else 0. "
                 f"Conditions: at least {MIN_UNMATCHED:g} unmatched red points per torus; at most {MAX_GREEN:g} unmatched points of the other color "
                 "per unmatched red point; a longest pair whose mean length is below a quarter of the side (in $d = 1$, a fifth); "
                 f"and a difference of at most {MAX_SHIFT:g} standard deviations of one torus from tori with 1/{SIZE_FACTOR:g} of the points",
                 "share"),
        Quantity("mean_distance",
                 "mean partner distance of the matched points; if this mean is infinite in infinite volume, the row has a note and no error",
                 "mean"),
    )  # fmt: skip

    def measure(self, sums: Sums) -> Columns:
        """Return numbers of points and of unmatched points, and sums over nearest distances.

        The distances are those to the nearest partners.
        """
        distance, square, ball = sums.totals()
        of_color = {"points": sums.points, "unmatched": sums.unmatched, "sum_distance": distance}
        of_color |= {"sum_square": square, "sum_ball": ball, "longest": sums.longest}
        rows = {f"{n}_{k}": np.atleast_1d(v[..., k]) for n, v in of_color.items() for k in range(sums.colors)}
        return rows if sums.replicates is None else {**rows, "replicate": sums.replicates}

    def estimate(self, sample: Sample, rows: Columns) -> Iterator[Estimate]:
        """Yield the estimates of one cell."""
        for estimate in self.estimates([sample], [rows]):
            yield from estimate.parts()

    def estimates(self, samples: Sequence[Sample], rows: Sequence[Columns]) -> Iterator[Estimate]:
        """Yield unmatched points and mean partner distance of each color."""
        return estimators.unmatched(samples)
