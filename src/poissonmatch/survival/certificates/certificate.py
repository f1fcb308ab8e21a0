"""What certificates of single ratios state, and those of intervals of ratios."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, Self

from ...theory import lipschitz
from ...utils import code_digests
from ...utils.errors import BadInput
from ...utils.immutable import cached_property
from ...utils.validation import TINY, check_int, check_real
from . import bounds
from .boxes import MARGIN, Boxes

PARAMETERS = ("dim", "ratio", "scale", "box", "boxes", "threshold", "seed")
ALPHA = 1 - Fraction(str(bounds.CONFIDENCE))  # of the lower bound


@dataclass(frozen=True)
class Certificate:
    """Counts of survivors in independent boxes, and what follows from them.

    Parameters
    ----------
    sample : Boxes
        Dimension, ratio rho, scale r, side of a box, and seed; the window in the middle of a box
        has side `box - 8 scale`.
    boxes : int
        Number n of boxes.
    threshold : int
        The number c.
    counts : tuple of int
        D of each box, in order, see `boxes.count`. It ends at the first box below the threshold. By
        default none was drawn.
    code, engine : str
        Digests of the code that made the counts, and of its matching engine alone. By default unknown.

    Examples
    --------
    >>> certificate = pm.certificates.survival(dim=1, ratio=0.9, scale=20, box=1600, boxes=20, threshold=20, seed=1)
    >>> print(certificate)
    d = 1, ρ = 0.9: u > 0 with error probability 7.9e-03; u ≥ 0.318 with confidence 95%
    >>> [round(ratio, 3) for ratio in certificate.covers]
    [0.568, 1.14]
    """

    sample: Boxes
    boxes: int
    threshold: int
    counts: tuple[int, ...] = ()
    code: str = ""
    engine: str = ""

    @cached_property
    def packing_bound(self) -> int:
        """Largest possible number of green points of the window without a partner within r (B)."""
        return bounds.packing_bound(self.sample.dim, self.sample.window, self.sample.scale)

    @property
    def volume(self) -> Fraction:
        """Volume of the window Q."""
        return Fraction(self.sample.window) ** self.sample.dim

    @property
    def failed(self) -> bool:
        """Whether a box is below the threshold: nothing is certified."""
        return any(count < self.threshold for count in self.counts)

    @property
    def complete(self) -> bool:
        """Whether all boxes are counted."""
        return len(self.counts) == self.boxes

    @property
    def finished(self) -> bool:
        """Whether no box is left to count."""
        return self.failed or self.complete

    @property
    def certified(self) -> bool:
        """Whether the counts prove u > 0, with the error probability that was fixed before."""
        return self.complete and not self.failed

    @property
    def error_probability(self) -> float | None:
        """Bound on the probability that the counts certify u > 0 if it were 0, rounded up; None unless they do."""
        if not self.certified:
            return None
        return bounds.rounded_up(bounds.error_probability(self.packing_bound, self.threshold, self.boxes))

    @property
    def lower_bound(self) -> float | None:
        """Lower confidence bound of u, with probability 0.95; None unless u > 0 is certified."""
        if not self.certified:
            return None
        return bounds.lower_bound(self.counts, self.packing_bound, self.volume * Fraction(self.sample.ratio), ALPHA)

    @property
    def covers(self) -> tuple[float, float] | None:
        """Ends of an interval of ratios on which u > 0 with the same error probability; None unless it is certified."""
        if self.error_probability is None:
            return None
        alpha = Fraction(self.error_probability)
        return lipschitz.covers(
            self.sample.ratio, bounds.lower_bound(self.counts, self.packing_bound, self.volume, alpha)
        )

    @property
    def shortfall(self) -> str:
        """Why nothing is certified, for display."""
        if self.failed:
            return f"box {len(self.counts)} has D = {self.counts[-1]}, below {self.threshold}"
        return f"{len(self.counts)} of {self.boxes} boxes are counted"

    def with_counts(self, counts: tuple[int, ...], code: str, engine: str) -> Self:
        """Return the certificate with these counts. Raises BadInput if they go on after the last box."""
        if counts and replace(self, counts=counts[:-1]).finished:
            raise BadInput("there are counts after the last box")
        return replace(self, counts=counts, code=code, engine=engine)

    @property
    def digests(self) -> dict[str, str]:
        """Digests of code, for a file; older files have none of the engine."""
        return {"code": self.code, **({"engine": self.engine} if self.engine else {})}

    def __str__(self) -> str:
        """Return what is certified in one line."""
        what = f"d = {self.sample.dim}, \u03c1 = {self.sample.ratio:g}"
        if not self.certified:
            return f"{what}: nothing is certified: {self.shortfall}"
        return (
            f"{what}: u > 0 with error probability {self.error_probability:.1e}; u \u2265 {self.lower_bound:.3g} with confidence "
            f"{bounds.CONFIDENCE:.0%}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the content of the file of the certificate.

        Returns
        -------
        dict
            Keys and values of the JSON file.
        """
        sample = asdict(self.sample)
        del sample["name"], sample["margin"]
        return {
            **sample,
            "boxes": self.boxes,
            "threshold": self.threshold,
            "counts": [*self.counts],
            **self.digests,
            "window": self.sample.window,
            "tiles": self.sample.tiles,
            "packing_bound": self.packing_bound,
            "failed": self.failed,
            "error_probability": self.error_probability,
            "lower_bound": self.lower_bound,
            "confidence": bounds.CONFIDENCE,
        }


@dataclass(frozen=True)
class IntervalCertificate(Certificate):
    """Counts of survivors in boxes for one ratio, and what follows from them for every ratio of an interval around it.

    The parameters are those of `Certificate`; `boxes` is the largest number of boxes, and
    `threshold` the e-value 1/alpha at which the counts end.

    Parameters
    ----------
    interval : pair of float
        The ends of the interval, which were fixed before the counts.
    """

    interval: tuple[float, float] = (0.0, 0.0)

    @cached_property
    def loss(self) -> float:
        """Largest possible rho u(rho) if u were 0 in the interval, rounded up."""
        return bounds.rounded_up(lipschitz.loss(self.sample.ratio, self.interval))

    @cached_property
    def e_value(self) -> float:
        """Product of all (D + B)/(|Q| loss + B), rounded down, see `bounds.e_value`."""
        exact = bounds.e_value(self.counts, self.packing_bound, self.volume * Fraction(self.loss))
        return math.nextafter(float(exact), 0)

    @property
    def complete(self) -> bool:
        """Whether the e-value has reached the threshold."""
        return self.e_value >= self.threshold

    @property
    def failed(self) -> bool:
        """Whether the e-value is 0, or below the threshold after all boxes: nothing is certified."""
        return self.e_value == 0 or (len(self.counts) == self.boxes and not self.complete)

    @property
    def error_probability(self) -> float | None:
        """The number alpha, one over the threshold, rounded up; None below it."""
        return bounds.rounded_up(1 / self.threshold) if self.certified else None

    @property
    def covers(self) -> tuple[float, float] | None:
        """Ends of the interval; None unless it is certified."""
        return self.interval if self.certified else None

    @property
    def shortfall(self) -> str:
        """Why nothing is certified, for display."""
        advice = "; choose more intervals or a larger box" if self.failed else ""
        return f"the e-value is {self.e_value:.2g} after {len(self.counts)} boxes{advice}"

    def to_dict(self) -> dict[str, Any]:
        """Return the row of the interval in the file of a cover."""
        return {
            "interval": [*self.interval],
            "ratio": self.sample.ratio,
            "scale": self.sample.scale,
            "box": self.sample.box,
            "packing_bound": self.packing_bound,
            "loss": self.loss,
            "counts": [*self.counts],
            "e_value": self.e_value,
            "lower_bound": self.lower_bound,
            **self.digests,
        }


def checked(
    dim: Any,
    ratio: Any,
    scale: Any,
    box: Any,
    boxes: Any,
    threshold: Any,
    seed: Any,
    name: str = "",
    margin: float = MARGIN,
    interval: tuple[float, float] | None = None,
) -> Any:
    """Return a certificate without counts, of a single ratio or of an interval. Raises BadInput for a parameter out of range."""
    scale = check_real("scale", scale, "a positive number", TINY, 1e6)
    least = (2 * margin + 1) * scale
    if check_real("box", box, "a positive number", TINY, 1e9) < least:
        margins = f"a margin of {margin:g} scale at each side, and a window of one"
        raise BadInput(f"box must be at least {2 * margin + 1:g} scale = {least:g}: {margins}, got {box:g}")
    ratio = check_real("ratio", ratio, "a number in (0, 1]", TINY, 1)
    dim, seed = check_int("dim", dim, 1, max(bounds.DIMS)), check_int("seed", seed, 0, 2**128 - 1)
    sample = Boxes(dim, ratio, scale, float(box), seed, name, margin)
    numbers = check_int("boxes", boxes, 1, 10**6), check_int("threshold", threshold, 1, 2**53)
    start = sample, *numbers, (), code_digests.of_stage("certify"), code_digests.of_stage("match")
    return Certificate(*start) if interval is None else IntervalCertificate(*start, interval)
