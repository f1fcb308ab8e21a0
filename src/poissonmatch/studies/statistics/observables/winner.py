"""The observables `winner` and `play_length`: who wins the game that the matching solves, and how long it lasts.

Deijfen, Holroyd, Martin (2016). The game is friendly (one-color), colored-points (two-color),
fussy, misere, or stones(k) (multi(k + 1)). A point is incomplete if it has remaining capacity.
Alice wins if a point (in colored-points an amber point) is incomplete: Prop. 3 with Theorem 1,
Theorem 8, sec. 3.3, sec. 4.1 with its finite sets, Theorem 12.
"""

from __future__ import annotations

import math

import numpy as np

from ....matching.desire import last_partner
from ....matching.matching import Matching
from ....matching.rounds import play_length, why_length_unknown
from ....rules.rule import Rule
from ...tables.tables import NO_X
from ..estimators import CellSample, Estimate
from .interface import FIRST_COLOR, Columns, MatchingObservable, Quantity, ratio_columns


def exact_alice_wins(sample: CellSample, estimate: Estimate) -> float:
    """Return the probability that Alice wins on a torus of this volume."""
    return sample.rule.law.alice_wins(sample.means) if sample.process.poisson else math.nan


class Winner(MatchingObservable):
    """The winner of a torus, and its incomplete points (their number: Cor. 10)."""

    name = "winner"
    needs_capacity = True
    quantities = (
        Quantity("alice_wins", "fraction of the tori on which Alice wins the game that the rule solves: friendly (one-color), "
                 "colored-points (two-color), fussy, misere, stones(k) (multi(k + 1))", "proportion",
                 exact=exact_alice_wins),
        Quantity("incomplete_fraction", "fraction of incomplete points, which have fewer partners than their capacity", "share"),
        Quantity("n_unmatched", "fraction of the tori with exactly $x$ incomplete points", "proportion", x="0, 1, 2"),
    )  # fmt: skip

    def measure(self, matching: Matching) -> Columns:
        """Return 1 or 0 for Alice, the number of incomplete points, and whether it is 0, 1 or 2."""
        pattern = matching.known_pattern
        n = len(pattern)
        incomplete = last_partner(matching) == n
        number = int(incomplete.sum())
        winning = incomplete & (pattern.colors == FIRST_COLOR) if matching.rule.across else incomplete
        return ratio_columns({
            ("alice_wins", NO_X): (float(winning.any()), 1.0),
            ("incomplete_fraction", NO_X): (number, n),
            **{("n_unmatched", float(x)): (float(number == x), 1.0) for x in (0, 1, 2)},
        })  # fmt: skip


MOVES = range(2, 62, 2)  # the length is even, or in misere frogs odd


class PlayLength(MatchingObservable):
    """The number of moves of perfect play if Alice begins on a point on which Bob wins."""

    name = "play_length"
    table_of_pairs = True
    memory_per_point = 300.0
    quantities = (
        Quantity("play_length",
                 "mean number of moves, including both placements, of the game that the rule solves. Alice begins on a point on which Bob wins. "
                 "She plays as slowly as possible, and Bob plays as fast as possible", "mean"),
        Quantity("longest_play", "number of moves if Alice begins on the point of the torus from which this game is longest", "mean"),
        Quantity("play_length_tail", "fraction of these points from which the game has more than $k$ moves", "share", x="k"),
    )  # fmt: skip

    def undefined(self, rule: Rule) -> str:
        """Return why the rule has no game whose length is known, "" if it has."""
        return why_length_unknown(rule)

    def measure(self, matching: Matching) -> Columns:
        """Return the sum and the maximum of the lengths, and the number of games that are longer."""
        lengths = play_length(matching)
        lengths = lengths[lengths > 0]
        longer = {k: int(np.count_nonzero(lengths > k)) for k in MOVES}
        return ratio_columns({
            ("play_length", NO_X): (float(lengths.sum()), len(lengths)),
            ("longest_play", NO_X): (float(lengths.max(initial=0)), 1.0),
            **{("play_length_tail", float(k)): (count, len(lengths)) for k, count in longer.items()},
        })  # fmt: skip
