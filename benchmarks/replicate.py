"""The speed of whole replicates, from the seed to rows of tables, beside SciPy's KD-tree: python benchmarks/replicate.py [--quick | --full]

A replicate is drawn, matched and measured (`unmatched`, `distances`). A pass of the KD-tree is a default build and a query of the nearest
neighbor on two threads, of as many uniform points; both are timed in interleaved runs, by wall clock. --quick: a tenth of the points;
--full: 10^8 points as well. Writes benchmarks/results/replicate.md and replicate.json.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np

import poissonmatch as pm
from matching import HERE, Rows, compare, kd_pass, matching, options_of, storing, uniform
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.sampling.cells import Cell
from poissonmatch.studies.statistics import observables

CASES = (  # points, dimension, rule, bar in passes
    (1e7, 2, "one-color", 0.075),
    (1e6, 2, "one-color", 0.11),
    (1e6, 2, "two-color", 0.13),
    (1e6, 2, "fussy", 0.13),
    (1e6, 2, "multi(3)", 0.30),
    (1e6, 3, "one-color", 0.12),
)
PEAK = """
import re, sys, time
sys.path.insert(0, {here!r})
from replicate import cell_of
from poissonmatch.studies.statistics import observables
peak = lambda: 1024 * int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])
observables.measure(cell_of(1e5, 2, "one-color"), 0, threads={threads})
before, start = peak(), time.perf_counter()
observables.measure(cell_of({n}, 2, "one-color"), 0, threads={threads})
print(time.perf_counter() - start, peak() - before, peak())
"""


def cell_of(n: float, dim: int, rule: str) -> Cell:
    """The cell of a study of this size."""
    process = "two_color" if rule in ("two-color", "fussy") else "poisson"
    spec = {"process": process, "rule": rule, "dims": dim, "sizes": n, "replicates": 1, "observables": ["distances"]}
    return studies.cells(studies.StudyFile.model_validate({"studies": {"a": spec}}))[0]


def replicate(n: float, dim: int, rule: str, threads: int = 1) -> Callable[[], object]:
    cell = cell_of(n, dim, rule)
    observables.measure(cell_of(1e5, dim, rule), 0, threads=threads)  # compiled
    return lambda: observables.measure(cell, 0, threads=threads)


def sweep(n: float, dim: int, rule: str) -> Callable[[], object]:
    """A sweep of one replicate, with its tables."""
    return lambda: pm.sweep(process="poisson", rule=rule, dims=dim, sizes=n, replicates=1, observables=["distances"])


def read(points: np.ndarray, rule: str) -> Callable[[], object]:
    """A matching, and its arrays, which are made when somebody asks for them."""
    run = matching(points, rule)
    return lambda: [(found.partner, found.distance) for found in [run()]]


def peak(n: float, threads: int = 1) -> dict[str, float]:
    """Seconds of a replicate in a process of its own, and bytes a point of its peak above the coordinates."""
    code = PEAK.format(here=str(HERE), n=n, threads=threads)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, above, whole = map(float, done.stdout.split())
    return {"engine s": seconds, "bytes a point": above / n - 16, "peak GB": whole / 1e9}


def table(scale: float, repeats: int, full: bool, store: Callable[[list[dict]], None]) -> None:
    """All rows."""
    rows = Rows(store)
    for n, dim, rule, bar in CASES:
        result = compare(replicate(n * scale, dim, rule), kd_pass(uniform(int(n * scale), dim)), repeats)
        rows.add(f"{rule}, d = {dim}, {n:g}", "KD-tree passes", bar, result)
    for dim, bar in ((2, 0.09), (3, 0.10)):
        points = uniform(int(1e6 * scale), dim)
        for words, run in (("matching", matching), ("matching and reading", read)):
            result = compare(run(points, "one-color"), kd_pass(points), repeats)
            rows.add(f"{words} a user's points, d = {dim}, 1e+06", "KD-tree passes", bar, result)
    result = compare(sweep(1e6 * scale, 2, "one-color"), replicate(1e6 * scale, 2, "one-color"), repeats)
    rows.add("a sweep of one replicate, d = 2, 1e+06", "times the replicate", 1.15, result)
    result = compare(replicate(1e7 * scale, 2, "one-color", 2), replicate(1e7 * scale, 2, "one-color"), repeats)
    rows.add("two threads, d = 2, 1e+07", "times faster than one", 1.8, result)
    rows.add("above the points, d = 2, 1e+07", "bytes a point", 45, peak(1e7 * scale), "bytes a point")
    if full:
        found = peak(1e8, threads=2)
        rows.add("two threads, d = 2, 1e+08", "s", 15, dict(found), "engine s")
        rows.add("two threads, d = 2, 1e+08", "GB at the peak", 8, found, "peak GB")


def main() -> None:
    options = options_of(str(__doc__))
    store = storing("replicate", "Speed of whole replicates", options)
    table(0.1 if options.quick else 1.0, options.repeats, options.full, store)


if __name__ == "__main__":
    main()
