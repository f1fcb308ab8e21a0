"""The observable `octaves`: ln(1/u) of a fussy matching, followed octave by octave."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ....matching.matching import Matching
from ....survival.octaves import log_u_of_torus
from ...sampling.cells import Cell
from ...tables.tables import NO_X
from ..estimators import CellSample, Estimate, by_argument, ratio
from .interface import CellObservable, Columns, Quantity, ratio_columns
from .unmatched import exact_log_inverse

SHARE = 0.25  # of the survivors of the torus to which the pool may shrink


class FollowedOctaves(CellObservable):
    """ln(1/u) over 1, or 0 over 0 if the pool of survivors becomes too small."""

    name = "octaves"
    only_rule = "fussy"
    max_dim = 3
    max_points = 1e8
    bytes = 100.0
    memory_per_point = 700.0
    quantities = (
        Quantity("log_inverse_octaves",
                 r"$\ln(1/u)$, computed by following the survivors of a torus octave by octave with delayed colors (see the page Measurements). "
                 r"The cost is proportional to $\ln(1/u)$. The error does not contain the bias. No row if too few survivors remain on a torus",
                 "real", exact=exact_log_inverse),
    )  # fmt: skip

    def measure(self, matching: Matching, cell: Cell, rng: np.random.Generator) -> Columns:
        """Return ln(1/u) from the survivors at the scale at which a run of `pm.octaves` begins."""
        value = math.nan
        if 0 < cell.ratio < math.inf:
            value = log_u_of_torus(matching, cell.ratio, cell.size, cell.intensities[0], SHARE, rng)
        return ratio_columns({("log_inverse_octaves", NO_X): (0.0, 0.0) if math.isnan(value) else (-value, 1.0)})

    def estimate(self, sample: CellSample, rows: Columns) -> Iterator[Estimate]:
        """Yield ln(1/u) of red points if it exists for all tori."""
        _, numerator, denominator = by_argument(sample, rows)
        if len(numerator) and (denominator == 1).all():
            estimate = ratio(numerator.T, denominator.T)
            yield Estimate("log_inverse_octaves", *estimate, color=sample.rule.reference_color or 0)
