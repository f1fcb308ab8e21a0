"""What certificates state, and their files."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...utils import code_digests
from ...utils.errors import BadInput, IntegrityError, Problem
from ...utils.manifests import parse_json, read_result
from ...utils.validation import check_int, check_real
from . import bounds
from .boxes import MARGIN, MARGIN_OF_INTERVALS, MAX_POINTS, Boxes

PARAMETERS = ("dim", "ratio", "scale", "box", "boxes", "threshold", "seed")
# Keys of a file of intervals: of all of them, and of each.
SHARED = ("boxes", "code", "confidence", "dim", "name", "seed", "threshold")
ROW = ("box", "counts", "e_value", "lower_bound", "packing_bound", "ratio", "scale")


@dataclass(frozen=True)
class Certificate:
    """Counts of survivors in independent boxes, and what follows from them.

    Parameters
    ----------
    sample : Boxes
        Dimension, ratio rho, scale r, side of a box, and seed; the window in the middle of a box
        has side `box - 8 scale`, for an interval `box - 4 scale`.
    boxes : int
        Number n of boxes.
    threshold : int
        The number c.
    counts : tuple of int
        D of each box, in order, see `boxes.count`. It ends at the first box below the threshold. By
        default none was drawn.
    code : str
        Digest of the code that made the counts. By default unknown.

    Examples
    --------
    >>> print(pm.certificates.survival(dim=1, ratio=0.9, scale=20, box=1600, boxes=20, threshold=20, seed=1))
    d = 1, ρ = 0.9: u > 0 with error probability 7.9e-03; u ≥ 0.318 with confidence 95%
    """

    sample: Boxes
    boxes: int
    threshold: int
    counts: tuple[int, ...] = ()
    code: str = ""

    @cached_property
    def packing_bound(self) -> int:
        """Largest possible number of green points of the window without a partner within r (B)."""
        return bounds.packing_bound(self.sample.dim, self.sample.window, self.sample.scale)

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
    def error_probability(self) -> float | None:
        """Bound on the probability of these counts if u were 0; None unless all boxes reach the threshold."""
        if self.failed or not self.complete:
            return None
        exact = bounds.error_probability(self.packing_bound, self.threshold, self.boxes)
        return float(np.nextafter(float(exact), 1))

    @property
    def lower_bound(self) -> float | None:
        """Lower confidence bound of u, with probability 0.95; None unless all boxes reach the threshold."""
        if self.failed or not self.complete:
            return None
        volume = Fraction(self.sample.window) ** self.sample.dim * Fraction(float(np.max(self.sample.ratio)))
        return bounds.lower_bound(self.counts, self.packing_bound, volume)

    @property
    def shortfall(self) -> str:
        """Why nothing is certified, for display."""
        if self.failed:
            return f"box {len(self.counts)} has D = {self.counts[-1]}, below {self.threshold}"
        return f"{len(self.counts)} of {self.boxes} boxes are counted"

    @property
    def ratio_text(self) -> str:
        """The ratio, or the ends of the interval, for display."""
        return " to ".join(f"{ratio:g}" for ratio in np.atleast_1d(self.sample.ratio))

    def __str__(self) -> str:
        """Return what is certified in one line."""
        sample = self.sample
        what = f"d = {sample.dim}, \u03c1 = {self.ratio_text}"
        if self.failed or not self.complete:
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
        del sample["name"]
        return {
            **sample,
            "boxes": self.boxes,
            "threshold": self.threshold,
            "counts": [*self.counts],
            "code": self.code,
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
    """Counts of survivors in boxes, and what follows from them for every ratio of an interval.

    The parameters are those of `Certificate`; `sample.ratio` is a pair, `boxes` the largest number
    of boxes, and `threshold` the e-value at which the counts end.
    """

    @cached_property
    def e_value(self) -> float:
        """Product of all (D + B)/B, rounded down, see `bounds.e_value`."""
        return float(np.nextafter(float(bounds.e_value(self.counts, self.packing_bound)), 0))

    @property
    def complete(self) -> bool:
        """Whether the e-value has reached the threshold."""
        return self.e_value >= self.threshold

    @property
    def failed(self) -> bool:
        """Whether the e-value is 0, or below the threshold after all boxes: nothing is certified."""
        return self.e_value == 0 or (len(self.counts) == self.boxes and not self.complete)

    @property
    def shortfall(self) -> str:
        """Why nothing is certified, for display."""
        advice = "; choose a narrower interval or a larger box" if self.failed else ""
        return f"the e-value is {self.e_value:.2g} after {len(self.counts)} boxes{advice}"

    @property
    def error_probability(self) -> float | None:
        """Bound on the probability of this e-value if u were 0; None below the threshold."""
        return float(np.nextafter(1 / self.threshold, 1)) if self.complete else None

    def to_dict(self) -> dict[str, Any]:
        """Return the content of the file of the certificate."""
        ratio = np.atleast_1d(self.sample.ratio).tolist()
        return {**super().to_dict(), "ratio": ratio, "name": self.sample.name, "e_value": self.e_value}


@dataclass(frozen=True)
class Intervals:
    """Certificates of intervals from above to below, with one name, seed and threshold."""

    certificates: tuple[Certificate, ...]

    @property
    def ranges(self) -> list[tuple[float, float]]:
        """Ends of the ranges that the intervals of complete certificates join to."""
        joined: list[tuple[float, float]] = []
        for low, high in (np.atleast_1d(one.sample.ratio).tolist() for one in self.certificates if one.complete):
            joins = bool(joined) and joined[-1][0] == high
            joined.append((low, joined.pop()[1] if joins else high))
        return joined

    @property
    def error_probability(self) -> float:
        """Sum of the error probabilities of all certificates, including those that failed."""
        return float(np.nextafter(sum(1 / one.threshold for one in self.certificates), 1))

    def __str__(self) -> str:
        """Return what is certified in one line."""
        ranges = " and ".join(f"[{low:g}, {high:g}]" for low, high in self.ranges)
        if not ranges:
            return "nothing is certified"
        return (
            f"d = {self.certificates[0].sample.dim}: u > 0 for every \u03c1 in {ranges} with error probability "
            f"{self.error_probability:.1e}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the content of the file: what all certificates share, and a row for each."""
        every = [one.to_dict() for one in self.certificates]
        shared = {key: every[0][key] for key in SHARED} if every else {}
        rows = [{key: values[key] for key in ROW} for values in every]
        return {**shared, "error_probability": self.error_probability, "intervals": rows}


def checked(
    dim: Any, ratio: Any, scale: Any, box: Any, boxes: Any, threshold: Any, seed: Any, name: Any = ""
) -> Certificate:
    """Return a certificate without counts. Raises BadInput for a parameter out of range."""
    tiny = np.nextafter(0, 1)
    scale = check_real("scale", scale, "a positive number", tiny, 1e6)
    pair = isinstance(ratio, list | tuple) and len(ratio) == 2
    ends = [check_real("ratio", end, "a number in (0, 1]", tiny, 1) for end in (ratio if pair else [ratio])]
    if pair and ends[0] >= ends[1]:
        raise BadInput(f"ratio must be a pair of numbers, the smaller first, got {ends[0]:g} and {ends[1]:g}")
    margin = MARGIN_OF_INTERVALS if pair else MARGIN
    least = (2 * margin + 1) * scale
    if check_real("box", box, "a positive number", tiny, 1e9) < least:
        margins = f"a margin of {margin} scale at each side, and a window of one"
        raise BadInput(f"box must be at least {2 * margin + 1} scale = {least:g}: {margins}, got {box:g}")
    parameters = Boxes(
        check_int("dim", dim, 1, max(bounds.DIMS)),
        (ends[0], ends[1]) if pair else ends[0],
        scale,
        float(box),
        check_int("seed", seed, 0, 2**64),
        str(name) if pair else "",
    )
    if pair and parameters.tiles > 1:
        raise BadInput(
            f"a box for an interval of ratios must have at most {MAX_POINTS:.0e} points: choose a smaller box"
        )
    numbers = check_int("boxes", boxes, 1, 10**6), check_int("threshold", threshold, 1, 2**53)
    kind = IntervalCertificate if pair else Certificate
    return kind(parameters, *numbers, code=code_digests.of_stage("certify"))


def read(file: str | Path) -> Certificate | Intervals:
    """Return the certificate of a file, or those of the intervals of a range of ratios.

    Parameters
    ----------
    file : path
        File that `survival` or `poissonmatch certify` wrote.

    Returns
    -------
    Certificate or Intervals
        The certificate; Intervals for a range of ratios.

    Raises
    ------
    IntegrityError
        If it is damaged or edited; the message names the key.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "line.json")
    >>> certificate = pm.certificates.survival(dim=1, ratio=0.9, scale=20, box=1600, boxes=20, threshold=20, seed=1, file=file)
    >>> pm.certificates.read(file) == certificate
    True
    """
    file = Path(file)
    data = parse_json(file, read_result(file))
    try:
        if "intervals" not in data:
            certificate: Certificate | Intervals = _certificate(data)
        else:
            shared = {key: data[key] for key in SHARED}
            certificate = Intervals(tuple(_certificate({**shared, **row}) for row in data["intervals"]))
    except (KeyError, TypeError, BadInput) as error:
        why = f"the key {error} is missing" if isinstance(error, KeyError) else str(error)
        raise IntegrityError(Problem(file, "damaged", f"no certificate of this version: {why}")) from None
    _compare(file, data, certificate.to_dict())
    return certificate


def _certificate(data: dict[str, Any]) -> Certificate:
    """Return the certificate of these parameters and counts."""
    certificate = checked(**{key: data[key] for key in PARAMETERS}, name=data.get("name", ""))
    counts = tuple(check_int("counts", count, -(2**53), 2**53) for count in data["counts"])
    certificate = replace(certificate, counts=counts, code=str(data["code"]))
    if counts and replace(certificate, counts=counts[:-1]).finished:
        raise BadInput("there are counts after the last box")
    return certificate


def _compare(file: Path, data: dict[str, Any], expected: dict[str, Any]) -> None:
    """Raise IntegrityError for the first key whose value does not follow from the rest."""
    for key, value in expected.items():
        if key == "intervals":
            for row, right in zip(data[key], value, strict=True):
                _compare(file, row, right)
        elif data.get(key) != value:
            raise IntegrityError(
                Problem(file, "damaged", f"{key} is {data.get(key)!r}, and {value!r} follows from the rest")
            )
    if unknown := sorted(set(data) - set(expected)):
        raise IntegrityError(Problem(file, "damaged", f"{unknown[0]!r} is unknown"))
