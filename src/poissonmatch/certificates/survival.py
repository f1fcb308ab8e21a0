"""Certificates that red points survive: that the unmatched fraction u of the fussy matching is positive, in the infinite space.

In an open box whatever could change from outside is marked. The survivors that are not marked then
bound R(r) - G(r), the difference of the intensities of red and green points without a partner
within r, of the infinite process, from below; and R(r) - G(r) <= rho u.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from ..pipeline import provenance
from ..pipeline.atomic_files import parse_json, read_result, to_json, write_atomically
from ..theory.volumes import unit_ball_volume
from ..utils.errors import BadInput, IntegrityError, Problem
from ..utils.memory import available_memory, size_words
from ..utils.validation import check_int, check_real
from ..utils.worker_processes import worker_processes
from . import bounds
from .boxes import MARGIN, Boxes, count

PARAMETERS = ("dim", "ratio", "scale", "box", "boxes", "threshold", "seed")
BYTES = 250  # of memory for each point of a tile
# Points of a tile that are not certain within it: for each unit of its boundary (measured: 1.0 to
# 1.3 in d = 2, 3), and of its survivors, about LEVEL points for each volume of a ball of radius
# `tile_scale`.
UNCERTAIN, LEVEL = 1.3, 0.7


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
        D of each box, in order, see `boxes.count`. It ends at the first box below the threshold.
    code : str
        Digest of the code that made the counts.

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
        volume = bounds.volume(self.sample.dim, self.sample.window) * Fraction(self.sample.ratio)
        return bounds.lower_bound(self.counts, self.packing_bound, volume)

    def __str__(self) -> str:
        """Return what is certified in one line."""
        sample = self.sample
        what = f"d = {sample.dim}, \u03c1 = {sample.ratio:g}"
        if self.failed or not self.complete:
            return f"{what}: nothing is certified"
        return (
            f"{what}: u > 0 with error probability {self.error_probability:.1e}; u \u2265 {self.lower_bound:.3g} with confidence "
            f"{bounds.CONFIDENCE:.0%}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the content of the file of the certificate."""
        return {
            **asdict(self.sample),
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


def survival(
    dim: int,
    ratio: float,
    scale: float,
    box: float,
    boxes: int,
    threshold: int,
    seed: int,
    workers: int = 1,
    *,
    file: str | Path | None = None,
    progress: Callable[[Certificate], object] | None = None,
) -> Certificate:
    """Count survivors in independent boxes, and return the certificate that u(ratio) > 0 for the infinite process, or its failure.

    Parameters
    ----------
    dim : int
        1, 2 or 3.
    ratio : float
        Intensity of the red points, in (0, 1]; that of the green points is 1.
    scale : float
        Distance r up to which the matching is followed.
    box : float
        Side of a box, at least 9 r.
    boxes, threshold, seed : int
        All boxes must have D >= threshold. They are to be fixed before the run, from a pilot with
        other seeds.
    workers : int, optional
        Processes. The result does not depend on it.
    file : path, optional
        Written after each box; an unfinished file of the same parameters and code is continued.
    progress : callable, optional
        Called with the certificate after each box.

    Raises
    ------
    ValueError
        If a parameter is out of range.
    IntegrityError
        If the file is of other parameters or code.

    Examples
    --------
    >>> certificate = pm.certificates.survival(dim=1, ratio=0.9, scale=10, box=480, boxes=3, threshold=1, seed=1)
    >>> certificate.sample.window, certificate.packing_bound
    (400.0, 41)
    """
    check_int("workers", workers, 1, 4096)
    certificate = _checked(dim, ratio, scale, box, boxes, threshold, seed)
    _require_memory(certificate.sample, workers)
    file = None if file is None else Path(file)
    if file is not None and file.exists():
        certificate = _continued(file, certificate)
    return _counted(certificate, workers, file, progress)


def _checked(dim: Any, ratio: Any, scale: Any, box: Any, boxes: Any, threshold: Any, seed: Any) -> Certificate:
    """Return a certificate without counts. Raises BadInput for a parameter out of range."""
    tiny = np.nextafter(0, 1)
    scale = check_real("scale", scale, "a positive number", tiny, 1e6)
    least = (2 * MARGIN + 1) * scale
    if check_real("box", box, "a positive number", tiny, 1e9) < least:
        margins = f"a margin of {MARGIN} scale at each side, and a window of one"
        raise BadInput(f"box must be at least {2 * MARGIN + 1} scale = {least:g}: {margins}, got {box:g}")
    parameters = Boxes(
        check_int("dim", dim, 1, max(bounds.DIMS)),
        check_real("ratio", ratio, "a number in (0, 1]", tiny, 1),
        scale,
        float(box),
        check_int("seed", seed, 0, 2**64),
    )
    numbers = check_int("boxes", boxes, 1, 10**6), check_int("threshold", threshold, 1, 2**53)
    return Certificate(parameters, *numbers, code=provenance.code_digest("certify"))


def _require_memory(sample: Boxes, workers: int) -> None:
    """Raise MemoryError if a tile of each worker, and the points of its box that are not certain within a tile, do not fit into memory."""
    dim, side, density = sample.dim, sample.box / sample.tiles, (1 + sample.ratio) * BYTES * workers
    tile = density * side**dim
    survivors = LEVEL / unit_ball_volume(dim) * (side / sample.tile_scale) ** dim
    left = 0.0 if sample.tiles == 1 else BYTES * workers * (UNCERTAIN * 2 * dim * side ** (dim - 1) + survivors)
    size = tile + sample.tiles**dim * left
    if size > 1 << 24 and size > (free := available_memory()):
        raise MemoryError(
            f"{workers} boxes of side {sample.box:g} at a time, in {sample.tiles**dim} tiles of side {side:.3g}, need about "
            f"{size_words(size)} of memory; {size_words(free)} are available, into which {workers} tiles of side "
            f"{(free / density) ** (1 / dim):.3g} fit: choose a smaller box or fewer workers"
        )


def read(file: str | Path) -> Certificate:
    """Return the certificate of a file.

    Parameters
    ----------
    file : path
        As `survival` and `poissonmatch certify` write it.

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
        certificate = _checked(*(data[key] for key in PARAMETERS))
        counts = tuple(check_int("counts", count, -(2**53), 2**53) for count in data["counts"])
        certificate = replace(certificate, counts=counts, code=str(data["code"]))
    except (KeyError, TypeError, BadInput) as error:
        raise IntegrityError(Problem(file, "damaged", f"no certificate: {error}")) from None
    for key, value in certificate.to_dict().items():
        if data.get(key) != value:
            raise IntegrityError(
                Problem(file, "damaged", f"{key} is {data.get(key)!r}, and {value!r} follows from the rest")
            )
    if unknown := sorted(set(data) - set(certificate.to_dict())):
        raise IntegrityError(Problem(file, "damaged", f"{unknown[0]!r} is unknown"))
    if (
        len(certificate.counts) > certificate.boxes
        or certificate.failed
        and min(certificate.counts[:-1], default=certificate.threshold) < certificate.threshold
    ):
        raise IntegrityError(Problem(file, "damaged", "there are counts after the last or the first that is too small"))
    return certificate


def _continued(file: Path, certificate: Certificate) -> Certificate:
    """Return the certificate of an existing file. Raises IntegrityError if it is of other parameters or code."""
    old = read(file)
    if old.code != certificate.code:
        raise IntegrityError(Problem(file, "made by other code", "remove it, or choose another file"))
    now, before = certificate.to_dict(), old.to_dict()
    for key in PARAMETERS:
        if before[key] != now[key]:
            detail = f"{key} is {before[key]}, not {now[key]}; remove it, or choose another file"
            raise IntegrityError(Problem(file, "not ours", detail))
    return old


def _counted(
    certificate: Certificate, workers: int, file: Path | None, progress: Callable[[Certificate], object] | None
) -> Certificate:
    """Return the certificate with the counts that are missing, up to the first failure. It is written after each box."""
    for count_of_box in _ordered(certificate, workers):
        certificate = replace(certificate, counts=(*certificate.counts, count_of_box))
        if file is not None:
            write_atomically(file, to_json(certificate.to_dict()))
        if progress is not None:
            progress(certificate)
        if certificate.failed:
            break
    return certificate


def _ordered(certificate: Certificate, workers: int) -> Iterator[int]:
    """Yield D of each box that is missing, in order."""
    numbers = () if certificate.failed else range(len(certificate.counts), certificate.boxes)
    if workers == 1 or len(numbers) < 2:
        yield from (count(certificate.sample, number) for number in numbers)
        return
    with worker_processes(min(workers, len(numbers))) as executor:
        yield from executor.map(partial(count, certificate.sample), numbers)
