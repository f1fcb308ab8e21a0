"""The observable `rounds`: after how many rounds the points are matched."""

from __future__ import annotations

import math

import numpy as np

from ....matching.matching import Matching
from ....matching.rounds import rounds
from ....points.geometry import Geometry
from ....rules.rule import Rule
from ...tables.tables import NO_X
from ..estimators import CellSample, Estimate
from .interface import Columns, MatchingObservable, Quantity, needs_capacity, ratio_columns

ROUNDS = range(1, 31)  # after each of them the unmatched points are counted


def exact_tail(sample: CellSample, estimate: Estimate) -> np.ndarray | float:
    """Return the fraction of points that are unmatched after the first round; later rounds are not known."""
    known = (
        1 - sample.rule.law.first_round(sample.dim, sample.exact_intensities) if sample.process.uniform else math.nan
    )
    return np.where(estimate.x == 1, known, math.nan)


class Rounds(MatchingObservable):
    """The number of rounds of the matching, and the points unmatched after each of the first 30."""

    name = "rounds"
    table_of_pairs = True
    memory_per_point = 300.0
    quantities = (
        Quantity("rounds", "number of rounds of the matching; each matches all mutually nearest pairs", "mean"),
        Quantity("round_tail", "fraction of the points that are unmatched after $k$ rounds", "share", x="k", curve=True,
                 exact=exact_tail),
    )  # fmt: skip

    def incompatible(self, rule: Rule, space: Geometry) -> str:
        """Return why rounds are not defined, "" if they are."""
        return needs_capacity(rule)

    def measure(self, matching: Matching) -> Columns:
        """Return the number of rounds, and of points unmatched after each."""
        table = rounds(matching).reshape(matching.partners.shape)
        first = table[:, 0] if table.size else np.zeros(0, np.int64)
        later = [int(np.count_nonzero((first > k) | (first < 0))) for k in ROUNDS]
        return ratio_columns({
            ("rounds", NO_X): (float(table.max(initial=0)), 1.0),
            **{("round_tail", float(k)): (count, len(table)) for k, count in zip(ROUNDS, later, strict=True)},
        })  # fmt: skip
