"""What a replicate costs: seconds, memory, disk. The same on every machine, because blocks are cut by it.

The constants were measured on one core (2.5 GHz) for 10^5 points; only their ratios matter for the size of a block. How
fast this machine is, plan.py measures.
"""

from __future__ import annotations

import math
import re

JOB_SECONDS = 30.0  # what a block should take on one core
LONGEST_BLOCK = 1000  # replicates: their rows are held in memory together
OVERHEAD = 4e-3  # seconds of a replicate, however small
MICROSECONDS = {1: 0.35, 2: 0.45, 3: 0.75, 4: 1.4, 5: 2.8, 6: 7.0}  # of a point, by dimension
PROCESS_BYTES = 400e6  # of Python with its libraries, and of the compiler, which the first job on a machine needs


def partners(rule: str) -> int:
    """How many partners or labels a point may have under a rule."""
    number = re.search(r"\((\d+)\)", rule)
    return int(number[1]) if number else 1


def seconds_per_replicate(dim: float, size: float, rule: str = "one-color") -> float:
    """Rough time of one replicate on one core."""
    if dim == math.inf:
        return OVERHEAD + 5e-8 * size * size
    point = MICROSECONDS.get(int(dim)) or MICROSECONDS[6] * 2.5 ** (dim - 6)
    many = partners(rule)
    if many > 1:
        point = many * (point + 1.0)
    elif rule == "misere":
        point = 2 * point + 0.4
    elif rule == "two-color":
        point *= 1.3
    return OVERHEAD + 1e-6 * point * size


def block_size(dim: float, size: float, rule: str) -> int:
    """Replicates that make a job of about JOB_SECONDS."""
    return max(1, min(LONGEST_BLOCK, int(JOB_SECONDS / seconds_per_replicate(dim, size, rule))))


def job_bytes(dim: float, size: float, rule: str, observables: tuple[str, ...] = (), block: int = 1) -> float:
    """Memory that a job needs at its peak, Python included, with a margin of a third."""
    if dim == math.inf:
        work = 20 * size * size
    else:
        many = partners(rule)
        work = size * (90 + 24 * dim + (70 * many if many > 1 else 0) + (100 if rule == "misere" else 0))
    if "realisation" in observables:
        work += 500 * size
    return PROCESS_BYTES + 1.33 * work + 40e3 * block


def disk_bytes(size: float, observables: tuple[str, ...], replicates: int, jobs: int) -> float:
    """Disk that a cell takes, shards and its part of the tables."""
    per_replicate = 300 + (900 if "distances" in observables else 0)
    realisation = 60 * size if "realisation" in observables else 0
    return 2 * (per_replicate * replicates + realisation) + jobs * 20e3 * (1 + ("distances" in observables))
