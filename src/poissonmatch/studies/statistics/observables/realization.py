"""The observable `realization`: the points of replicate 0 and their partners, for pictures."""

from __future__ import annotations

from ....matching.matching import Matching
from ....matching.partner_tables import realization
from ....points.geometry import Geometry
from ....rules.rule import Rule
from ...tables.tables import REALIZATIONS
from .interface import Columns, MatchingObservable


class Realization(MatchingObservable):
    """The rows of a cell in the table `realizations`."""

    name = "realization"
    needs_all_pairs = False
    table = REALIZATIONS
    bytes_per_point = 60.0
    memory_per_point = 500.0

    def incompatible(self, rule: Rule, space: Geometry) -> str:
        """Return why there is no realization, "" if there is one."""
        return "" if space.has_coordinates else "needs coordinates, which a mean-field pattern does not have"

    def measure(self, matching: Matching) -> Columns:
        """Return points and partners."""
        return realization(matching)
