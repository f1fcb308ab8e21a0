"""Certificates that red points survive: that the unmatched fraction u of the fussy matching is positive, in the infinite space.

In an open box whatever could change from outside is marked. The survivors that are not marked then
bound R(r) - G(r), the difference of the intensities of red and green points without a partner
within r, of the infinite process, from below; and R(r) - G(r) <= rho u.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ...theory.volumes import unit_ball_volume
from ...utils import code_digests
from ...utils.atomic_writer import write_atomically
from ...utils.errors import IntegrityError, Problem
from ...utils.files import exists
from ...utils.manifests import to_json
from ...utils.memory import available_memory, size_words
from ...utils.validation import check_int
from ...utils.worker_processes import in_order
from .boxes import Boxes, count
from .certificate import PARAMETERS, Certificate, checked
from .certificate_files import read
from .cover import Cover

BYTES = 250  # of memory for each point of a tile
# Points of a tile that are not certain within it: for each unit of its boundary (measured: 1.0 to
# 1.3 in d = 2, 3), and of its survivors, about LEVEL points for each volume of a ball of radius
# `tile_scale`.
UNCERTAIN, LEVEL = 1.3, 0.7
SECONDS = 60.0  # after which an unfinished cover is written again


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
        All boxes must have D >= threshold. Fix them before the run, from a pilot with other seeds.
    workers : int, default 1
        Number of processes. The result does not depend on it.
    file : path, optional
        Written after each box; an unfinished file of the same parameters and code is continued. By
        default none.
    progress : callable, optional
        Called with the certificate after each box. By default none.

    Returns
    -------
    Certificate
        The counts, whether they prove u > 0, and on which interval of ratios (`covers`).

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
    certificate = checked(dim, ratio, scale, box, boxes, threshold, seed)
    _require_memory(certificate.sample, workers)
    if file is not None and exists(Path(file)):
        certificate = _continued(Path(file), certificate)

    def keep(now: Certificate) -> None:
        if file is not None:
            write_atomically(Path(file), to_json(now.to_dict()))
        if progress is not None:
            progress(now)

    return _counted(certificate, workers, keep)


def cover(
    name: str, design: Mapping[str, Any], file: str | Path, progress: Callable[[Cover], object] | None = None
) -> Cover:
    """Count survivors for the intervals of a design, and return their certificates; the file is written after each, and every minute.

    Parameters
    ----------
    name : str
        Name of the cover; it makes its points independent of those of others.
    design : mapping
        See `cover.planned`.
    file : path
        An unfinished file of the same design is continued, also one of other code: each row has the
        digests of the code and of the matching engine that counted it last.
    progress : callable, optional
        Called with the cover after each interval. By default none.

    Returns
    -------
    Cover
        The certificates of all intervals.

    Raises
    ------
    BadInput
        If the design is not valid.
    IntegrityError
        If the file is of another design.
    """
    file, now = Path(file), Cover(name, design)
    if exists(file):
        before = read(file)
        if not isinstance(before, Cover) or (before.name, before.design) != (now.name, now.design):
            raise IntegrityError(Problem(file, "not ours", "it has another design; remove it, or choose another file"))
        now = before
    written, code, engine = time.monotonic(), code_digests.of_stage("certify"), code_digests.of_stage("match")

    def keep(one: Any) -> None:
        nonlocal now, written
        now = replace(now, done=(*(before for before in now.done if before.finished), one))
        if one.finished or time.monotonic() > written + SECONDS:
            write_atomically(file, to_json(now.to_dict()))
            written = time.monotonic()
        if one.finished and progress is not None:
            progress(now)

    for one in [*now.done, *now.plan[len(now.done) :]]:
        if not one.finished:
            _require_memory(one.sample, 1)
            _counted(replace(one, code=code, engine=engine), 1, keep)
    return now


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


def _continued(file: Path, certificate: Certificate) -> Certificate:
    """Return the certificate of an existing file. Raises IntegrityError if it is of other parameters or code."""
    old = read(file)
    if isinstance(old, Cover):
        raise IntegrityError(Problem(file, "not ours", "it has several intervals; choose another file"))
    if old.code != certificate.code:
        raise IntegrityError(Problem(file, "made by other code", "remove it, or choose another file"))
    now, before = certificate.to_dict(), old.to_dict()
    for key in PARAMETERS:
        if before[key] != now[key]:
            detail = f"{key} is {before[key]}, not {now[key]}; remove it, or choose another file"
            raise IntegrityError(Problem(file, "not ours", detail))
    return old


def _counted(certificate: Certificate, workers: int, keep: Callable[[Certificate], object]) -> Certificate:
    """Return the certificate with the counts that are missing, up to the first failure; `keep` is called after each box."""
    numbers = () if certificate.finished else range(len(certificate.counts), certificate.boxes)
    for count_of_box in in_order(partial(count, certificate.sample), numbers, min(workers, len(numbers))):
        certificate = replace(certificate, counts=(*certificate.counts, count_of_box))
        keep(certificate)
        if certificate.finished:
            break
    return certificate
