"""Certificates of intervals of ratios that join, and their plan.

A certificate of one ratio proves u > 0 on an interval around it, since rho u(rho) changes slowly.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...theory import lipschitz
from ...utils.errors import BadInput
from ...utils.immutable import cached_property
from ...utils.validation import TINY, check_int, check_real
from .bounds import rounded_up
from .certificate import IntervalCertificate, checked

DESIGN = ("boxes", "dim", "margin", "parts", "seed", "threshold")  # keys of an entry
PART = ("box", "intervals", "ratio", "scale")
POWER = 3.0  # of 1/rho: in equal steps of it the intervals of a part are of nearly equal cost
DECIMALS = 9  # of the ends of intervals; all are displayed


@dataclass(frozen=True)
class Cover:
    """Certificates of intervals from above to below, as far as they are done.

    Parameters
    ----------
    name : str
        Of the entry of config/certificates.yaml.
    design : mapping
        The entry, see `planned`.
    done : tuple of IntervalCertificate
        The first ones of the plan with their counts; the last may be unfinished. By default none.
    """

    name: str
    design: Mapping[str, Any]
    done: tuple[IntervalCertificate, ...] = ()

    @cached_property
    def plan(self) -> list[IntervalCertificate]:
        """All intervals that are registered, without counts."""
        return planned(self.name, self.design)

    @property
    def ranges(self) -> list[tuple[float, float]]:
        """Ends of the ranges that the certified intervals join to."""
        joined: list[tuple[float, float]] = []
        for low, high in (one.interval for one in self.done if one.certified):
            joins = bool(joined) and joined[-1][0] == high
            joined.append((low, joined.pop()[1] if joins else high))
        return joined

    @property
    def error_probability(self) -> float:
        """Sum of the error probabilities of all registered intervals, whether they are done or not."""
        return rounded_up(len(self.plan) / self.plan[0].threshold)

    def __str__(self) -> str:
        """Return what is certified in one line."""
        ranges = " and ".join(f"[{low:.9g}, {high:.9g}]" for low, high in self.ranges)
        number = f"{sum(one.certified for one in self.done)} of {len(self.plan)} registered intervals"
        if not ranges:
            return f"nothing is certified: {number}"
        return (
            f"d = {self.design['dim']}: u > 0 for every \u03c1 in {ranges} with error probability "
            f"{self.error_probability:.1e}; {number}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the content of the file: the design, the sum of the error probabilities, and a row for each interval."""
        rows = [one.to_dict() for one in self.done]
        return {**self.design, "name": self.name, "error_probability": self.error_probability, "intervals": rows}


def planned(name: str, design: Mapping[str, Any]) -> list[IntervalCertificate]:
    """Return the certificates of a design without counts, from above to below.

    The ratio of each is the one at which the losses of both ends of its interval are equal.

    Parameters
    ----------
    name : str
        It makes the points of a cover independent of those of others.
    design : mapping
        `dim`, `boxes` (largest number for an interval), `threshold` (1/alpha, the e-value at which
        an interval is certified), `seed`, `margin` (depth of the window in the box, in units of the
        scale), and `parts`, a list of mappings with `ratio` (both ends of a part), `intervals`
        (number of intervals it is divided into, equal in rho**-3), `scale` and `box`.

    Raises
    ------
    BadInput
        If a value is out of range, or the parts do not join.
    """
    for keys, known in ((design, DESIGN), *((part, PART) for part in design.get("parts", ()))):
        if unfit := sorted(set(keys) ^ set(known)):
            raise BadInput(
                f"a cover has the keys {', '.join(DESIGN)}, and a part {', '.join(PART)}: look at {unfit[0]}"
            )
    for above, below in itertools.pairwise(design["parts"]):
        if below["ratio"][1] != above["ratio"][0]:
            raise BadInput(
                f"the part {below['ratio']} does not join {above['ratio']}: its upper end must be {above['ratio'][0]}"
            )
    margin = check_real("margin", design["margin"], "a number from 0 to 100", 0, 100)
    shared = {key: design[key] for key in ("dim", "boxes", "threshold", "seed")} | {"name": name, "margin": margin}
    return [
        checked(**shared, ratio=lipschitz.center(ends), scale=part["scale"], box=part["box"], interval=ends)
        for part in design["parts"]
        for ends in _divided(part["ratio"], part["intervals"])
    ]


def _divided(ratio: Any, number: Any) -> list[tuple[float, float]]:
    """Return intervals from above to below that join."""
    number = check_int("intervals", number, 1, 10**6)
    low, high = (check_real("ratio", end, "two numbers in (0, 1]", TINY, 1) for end in ratio)
    if low >= high:
        raise BadInput(f"ratio must be two numbers, the smaller first, got {low:g} and {high:g}")
    ends = np.linspace(high**-POWER, low**-POWER, number + 1) ** (-1 / POWER)
    inner = [round(float(end), DECIMALS) for end in ends[1:-1]]
    return [(below, above) for above, below in itertools.pairwise([high, *inner, low])]
