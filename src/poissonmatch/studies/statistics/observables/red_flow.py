"""The observable `flow`: the ratio of red to green survivors of a fussy matching, from the counts of `distances`."""

from __future__ import annotations

from collections.abc import Iterator

from ....points.geometry import Geometry
from ....rules.rule import Rule
from ...tables.tables import DISTANCES
from .. import exact_values, flow
from ..estimators import Estimate, Sample
from .distances import Distances
from .interface import Columns, Observable, Quantity


class Flow(Observable):
    """Quantities of the open problem that are estimated from the table `distances`."""

    name = "flow"
    table = DISTANCES
    measured_by = Distances.name
    quantities = (
        Quantity("red_green_ratio",
                 r"$\epsilon = R / G$ of a fussy matching, where $R$ and $G$ are the intensities of the red and green points with $X > r$; "
                 "$V$ is the expected number of green points within $r$", "mean", x="V", curve=True, exact=exact_values.red_green_ratio),
        Quantity("ratio_excess", r"$\epsilon - \rho$, where $\rho$ is the ratio of the intensities of red and green points", "real", x="V", curve=True,
                 exact=exact_values.ratio_excess),
        Quantity("red_surplus", "$(R - G) / R(0)$, a lower bound of the unmatched fraction $u$ of red points at every $V$. "
                 "The tail of the red points is an upper bound",
                 "real", x="V", curve=True, exact=exact_values.red_surplus),
        Quantity("ratio_slope", r"$d \ln \epsilon / d \ln V$, over a factor of about 2 in $V$", "real", x="V", curve=True,
                 exact=exact_values.ratio_slope),
        Quantity("collapse", r"$(d \ln \epsilon / d \ln V)^2 / (\epsilon - \rho)$, if its relative error is at most 1/2", "mean", x="V", curve=True,
                 exact=exact_values.collapse),
    )  # fmt: skip

    def incompatible(self, rule: Rule, space: Geometry) -> str:
        """Return why there is no flow of red and green points under a rule, "" if there is."""
        return "" if rule.reference_color is not None else "needs a rule with a reference color, such as fussy"

    def estimate(self, sample: Sample, rows: Columns) -> Iterator[Estimate]:
        """Yield the flow; nothing if a color has no points."""
        return flow.of_survivors(sample, rows)
