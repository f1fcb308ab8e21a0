"""The observable `play_length`: how long the game lasts that the rule solves."""

from __future__ import annotations

import numpy as np

from ....matching.matching import Matching
from ....matching.rounds import play_length, why_length_unknown
from ....points.geometry import Geometry
from ....rules.rule import Rule
from ...tables.tables import NO_X
from .interface import Columns, MatchingObservable, Quantity, ratio_columns

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
        Quantity("play_length_tail", "fraction of these points from which the game has more than $k$ moves", "share", x="k",
                 curve=True),
    )  # fmt: skip

    def incompatible(self, rule: Rule, space: Geometry) -> str:
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
