"""Certificates that red points survive: that the unmatched fraction u of the fussy matching is positive, in the infinite space.

In an open box whatever could change from outside is marked. The survivors that are not marked then
bound R(r) - G(r), the difference of the intensities of red and green points without a partner
within r, of the infinite process, from below; and R(r) - G(r) <= rho u.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...theory.volumes import unit_ball_volume
from ...utils.atomic_writer import write_atomically
from ...utils.errors import IntegrityError, Problem
from ...utils.files import exists
from ...utils.manifests import to_json
from ...utils.memory import available_memory, size_words
from ...utils.validation import check_int
from ...utils.worker_processes import worker_processes
from .boxes import Boxes, count
from .certificate import PARAMETERS, Certificate, Intervals, checked, read

BYTES = 250  # of memory for each point of a tile
# Points of a tile that are not certain within it: for each unit of its boundary (measured: 1.0 to
# 1.3 in d = 2, 3), and of its survivors, about LEVEL points for each volume of a ball of radius
# `tile_scale`.
UNCERTAIN, LEVEL = 1.3, 0.7


def survival(
    dim: int,
    ratio: float | tuple[float, float],
    scale: float,
    box: float,
    boxes: int,
    threshold: int,
    seed: int,
    workers: int = 1,
    *,
    name: str = "",
    file: str | Path | None = None,
    progress: Callable[[Certificate], object] | None = None,
) -> Certificate:
    """Count survivors in independent boxes, and return the certificate that u(ratio) > 0 for the infinite process, or its failure.

    Parameters
    ----------
    dim : int
        1, 2 or 3.
    ratio : float or pair of float
        Intensity of the red points, in (0, 1]; that of the green points is 1. A pair gives a
        certificate for every intensity from the first to the second.
    scale : float
        Distance r up to which the matching is followed.
    box : float
        Side of a box, at least 9 r, for a pair 5 r.
    boxes, threshold, seed : int
        All boxes must have D >= threshold. For an interval, the product of their e-values must
        reach the threshold, after at most `boxes` of them. Fix them before the run, from a pilot
        with other seeds.
    workers : int, default 1
        Number of processes. The result does not depend on it.
    name : str, optional
        Name of a certificate for an interval: other names and other intervals have other points. By
        default none.
    file : path, optional
        Written after each box; an unfinished file of the same parameters and code is continued. By
        default none.
    progress : callable, optional
        Called with the certificate after each box. By default none.

    Returns
    -------
    Certificate
        The counts, and whether they prove u > 0.

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
    >>> print(pm.certificates.survival(dim=1, ratio=(0.9, 0.901), scale=5, box=80, boxes=60, threshold=10**6, seed=1))
    d = 1, ρ = 0.9 to 0.901: u > 0 with error probability 1.0e-06; u ≥ 0.217 with confidence 95%
    """
    check_int("workers", workers, 1, 4096)
    certificate = checked(dim, ratio, scale, box, boxes, threshold, seed, name)
    _require_memory(certificate.sample, workers)
    file = None if file is None else Path(file)
    if file is not None and exists(file):
        certificate = _continued(file, certificate)
    return _counted(certificate, workers, file, progress)


def planned(name: str, entry: Mapping[str, Any]) -> list[Certificate]:
    """Return the certificates of an entry of config/certificates.yaml, without counts.

    An entry has the parameters of `survival`; or those of several intervals of ratios: `dim`,
    `boxes`, `threshold`, `seed`, and a list `parts` of mappings with `ratio`, the ends of a part,
    `intervals`, the number of intervals it is divided into, equal in rho**-2, `scale` and `box`.
    """
    if "parts" not in entry:
        return [checked(**entry, name=name)]
    shared = {key: value for key, value in entry.items() if key != "parts"}
    return [
        checked(**shared, ratio=pair, scale=part["scale"], box=part["box"], name=name)
        for part in entry["parts"]
        for pair in _divided(part["ratio"], part["intervals"])
    ]


def cover(
    name: str, entry: Mapping[str, Any], file: str | Path, progress: Callable[[Intervals], object] | None = None
) -> Intervals:
    """Return the certificates of several intervals, see `planned`, in one file, written after each.

    An unfinished file is continued; IntegrityError is raised if it is of other parameters or code.
    progress: called with all certificates after each interval.
    """
    file, plan = Path(file), planned(name, entry)
    done = read(file) if exists(file) else Intervals(())
    before = done.certificates if isinstance(done, Intervals) else (done,)
    if any(replace(one, counts=()) != certificate for one, certificate in zip(before, plan, strict=False)):
        raise IntegrityError(Problem(file, "not ours", "other parameters or code; remove it, or choose another file"))
    for certificate in plan[len(before) :]:
        before = (*before, _counted(certificate, 1, None, None))
        write_atomically(file, to_json(Intervals(before).to_dict()))
        if progress is not None:
            progress(Intervals(before))
    return Intervals(before)


def _divided(ratio: tuple[float, float], intervals: int) -> list[tuple[float, float]]:
    """Return intervals from above to below that join, equal in rho**-2, with ends of six decimals."""
    ends = [round(float(end), 6) for end in np.linspace(ratio[1] ** -2, ratio[0] ** -2, intervals + 1) ** -0.5]
    return [(below, above) for above, below in itertools.pairwise(ends)]


def _require_memory(sample: Boxes, workers: int) -> None:
    """Raise MemoryError if a tile of each worker, and the points of its box that are not certain within a tile, do not fit into memory."""
    dim, side, density = sample.dim, sample.box / sample.tiles, sum(sample.intensities) * BYTES * workers
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


def _continued(file: Path, certificate: Certificate) -> Certificate:
    """Return the certificate of an existing file. Raises IntegrityError if it is of other parameters or code."""
    old = read(file)
    if isinstance(old, Intervals):
        raise IntegrityError(Problem(file, "not ours", "it has several intervals; choose another file"))
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
        if certificate.finished:
            break
    return certificate


def _ordered(certificate: Certificate, workers: int) -> Iterator[int]:
    """Yield D of each box that is missing, in order."""
    numbers = () if certificate.finished else range(len(certificate.counts), certificate.boxes)
    if workers == 1 or len(numbers) < 2:
        yield from (count(certificate.sample, number) for number in numbers)
        return
    with worker_processes(min(workers, len(numbers))) as executor:
        yield from executor.map(partial(count, certificate.sample), numbers)
