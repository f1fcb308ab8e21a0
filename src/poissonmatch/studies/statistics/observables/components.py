"""The observable `components`: the components of the matching as a graph.

Deijfen, Holroyd, Martin (2016), sec. 4.2.
"""

from __future__ import annotations

from ....matching.matching import Matching
from ...tables.tables import NO_X
from .interface import Columns, MatchingObservable, Quantity, ratio_columns


class Components(MatchingObservable):
    """The sizes of the largest components, and the number of all."""

    name = "components"
    needs_all_pairs = False
    quantities = (
        Quantity("largest_component", "fraction of the points in the largest component of the matching as a graph", "share"),
        Quantity("second_component", "fraction of the points in the second largest component", "share"),
        Quantity("component_squares",
                 "sum of the squares of the fractions of all components, that is, the probability that two random points are in the same "
                 "component. It tends to 0 as the torus grows if no component is macroscopic", "share"),
        Quantity("components", "number of components per point", "share"),
    )  # fmt: skip

    def measure(self, matching: Matching) -> Columns:
        """Return sizes over the number of points."""
        n, sizes = len(matching.partners), matching.component_sizes()
        largest, second = [*sizes[:2].tolist(), 0, 0][:2]
        return ratio_columns({
            ("largest_component", NO_X): (largest, n),
            ("second_component", NO_X): (second, n),
            ("component_squares", NO_X): (float((sizes.astype(float) ** 2).sum()) / max(n, 1), n),
            ("components", NO_X): (len(sizes), n),
        })  # fmt: skip
