"""The observable `winner`: who wins the game that the matching solves.

Deijfen, Holroyd, Martin (2016). The game is friendly (one-color), colored-points (two-color),
fussy, misere, or stones(k) (multi(k + 1)). A point is incomplete if it has remaining capacity.
Alice wins if a point (in colored-points an amber point) is incomplete: Prop. 3 with Theorem 1,
Theorem 8, sec. 3.3, sec. 4.1 with its finite sets, Theorem 12.
"""

from __future__ import annotations

import math

from ....matching.desire import last_partner
from ....matching.matching import Matching, pattern_of
from ....points.geometry import Geometry
from ....rules.rule import Rule
from ...tables.tables import NO_X
from ..estimators import CellSample, Estimate
from .interface import FIRST_COLOR, Columns, MatchingObservable, Quantity, needs_capacity, ratio_columns


def exact_alice_wins(sample: CellSample, estimate: Estimate) -> float:
    """Return the probability that Alice wins on a torus of this volume."""
    return sample.rule.law.alice_wins(sample.means) if sample.process.poisson else math.nan


class Winner(MatchingObservable):
    """The winner of a torus, and its incomplete points (their number: Cor. 10)."""

    name = "winner"
    quantities = (
        Quantity("alice_wins", "fraction of the tori on which Alice wins the game that the rule solves: friendly (one-color), "
                 "colored-points (two-color), fussy, misere, stones(k) (multi(k + 1))", "proportion",
                 exact=exact_alice_wins),
        Quantity("incomplete_fraction", "fraction of incomplete points, which have fewer partners than their capacity", "share"),
        Quantity("n_unmatched", "fraction of the tori with exactly $x$ incomplete points", "proportion", x="0, 1, 2"),
    )  # fmt: skip

    def incompatible(self, rule: Rule, space: Geometry) -> str:
        """Return why the rule has no winner, "" if it has."""
        return needs_capacity(rule)

    def measure(self, matching: Matching) -> Columns:
        """Return 1 or 0 for Alice, the number of incomplete points, and whether it is 0, 1 or 2."""
        pattern = pattern_of(matching)
        n = len(pattern)
        incomplete = last_partner(matching) == n
        number = int(incomplete.sum())
        winning = incomplete & (pattern.colors == FIRST_COLOR) if matching.rule.across else incomplete
        return ratio_columns({
            ("alice_wins", NO_X): (float(winning.any()), 1.0),
            ("incomplete_fraction", NO_X): (number, n),
            **{("n_unmatched", float(x)): (float(number == x), 1.0) for x in (0, 1, 2)},
        })  # fmt: skip
