"""Time and memory of the response and of tori in tiles: python benchmarks/openproblem.py [--quick | --full]

Seconds are of processor time, medians of interleaved runs (tiles, whole, tiles, whole, ...). --quick: a tenth of the points; --full: 10^9 points
in tiles as well, which takes minutes. Writes benchmarks/results/openproblem.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import poissonmatch as pm
from poissonmatch.studies.sampling.cells import Cell
from poissonmatch.studies.statistics import observables
from poissonmatch.studies.statistics.observables import responses

HERE = Path(__file__).parent
TILES = {1: 8, 2: 4, 3: 2}  # along an axis, of 10^7 points
PEAK = """
import re, time
from poissonmatch.studies.sampling.cells import Cell
from poissonmatch.studies.statistics import observables
from poissonmatch.studies.statistics.observables import responses
peak = lambda: 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
start = time.process_time()
observables.measure({cell!r}, 0)
print((time.process_time() - start) / {size} * 1e6, peak() / 1e9)
"""


def cell(rule: str, dim: int, size: float, tiles: int | None) -> Cell:
    """One color, or green and red at rho = 0.1."""
    process, intensities = ("poisson", (1.0,)) if rule == "one-color" else ("binomial", (1.0, 0.1))
    return Cell(
        study="bench", process=(("name", process),), rule=rule, dim=dim, size=size, intensities=intensities,
        observables=("distances", "unmatched"), replicates=1, block=1, seed=1, tiles=tiles,
    )  # fmt: skip


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def response_row(dim: int, n: int, bar: float, repeats: int) -> dict:
    """Microseconds a point of the response, beside those of the matching."""
    pattern = pm.processes.poisson(pm.Torus(n ** (1 / dim), dim), rng=np.random.default_rng(dim))
    matching, most = pm.match(pattern), pattern.geometry.cutoff
    found = statistics.median(seconds(lambda: responses.new_distances(matching, most)) for _ in range(repeats + 1))
    beside = statistics.median(seconds(lambda: pm.match(pattern)) for _ in range(repeats))
    scale = 1e6 / len(pattern)
    return row(
        f"response, d = {dim}, {n:g} points", "us a point", bar, found * scale, f"matching: {beside * scale:.2f} us"
    )


def tiles_row(rule: str, dim: int, n: float, repeats: int) -> dict:
    """Time in tiles over the time in the whole: points, matching and tables, in both."""
    tiled, whole = cell(rule, dim, n, TILES[dim]), cell(rule, dim, n, None)
    for each in (tiled, whole):
        observables.measure(replace(each, size=1e4), 0)  # compiles, or loads what was compiled
    times = [
        (seconds(lambda: observables.measure(tiled, 0)), seconds(lambda: observables.measure(whole, 0)))
        for _ in range(repeats)
    ]
    tiled_s, whole_s = (statistics.median(column) for column in zip(*times, strict=True))
    note = f"{tiled_s / n * 1e6:.2f} us a point in {TILES[dim]}^{dim} tiles, {whole_s / n * 1e6:.2f} in the whole"
    return row(f"{rule} in tiles, d = {dim}, {n:g} points", "times the whole", 2.0, tiled_s / whole_s, note)


def memory_row(n: float, tiles: int, bar: float) -> dict:
    """Peak memory of a process that makes one torus in tiles, Python included."""
    code = PEAK.format(cell=cell("fussy", 2, n, tiles), size=n)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    point, peak = map(float, done.stdout.split())
    return row(f"fussy in {tiles}^2 tiles, d = 2, {n:g} points", "GB at the peak", bar, peak, f"{point:.2f} us a point")


def row(case: str, unit: str, bar: float, measured: float, note: str) -> dict:
    found = {"case": case, "in": unit, "bar": bar, "measured": round(measured, 2), "met": measured <= bar, "note": note}
    print(" | ".join(str(value) for value in found.values()), flush=True)
    return found


def rows(scale: float, repeats: int, full: bool) -> list[dict]:
    found = [response_row(dim, int(1e6 * scale), bar, repeats) for dim, bar in ((1, 5), (2, 5), (3, 10))]
    found += [tiles_row(rule, dim, 1e7 * scale, repeats) for rule in ("one-color", "fussy") for dim in (1, 2, 3)]
    found += [memory_row(n * scale, k, 1.0) for n, k in ((1e7, 4), (4e7, 8))]
    return found + ([memory_row(1e9, 16, 2.0)] if full else [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the points")
    parser.add_argument("--full", action="store_true", help="10^9 points as well")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    found = rows(0.1 if options.quick else 1.0, options.repeats, options.full)
    lines = [
        "# Time and memory of the open problem's tools",
        "",
        f"Made by `python benchmarks/openproblem.py{' --quick' * options.quick}{' --full' * options.full} --repeats {options.repeats}`, "
        f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}{load}. Processor time of one thread, medians of {options.repeats}.",
        "",
        "| " + " | ".join(found[0]) + " |",
        "|" + "---|" * len(found[0]),
        *("| " + " | ".join(str(value) for value in each.values()) + " |" for each in found),
    ]
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "openproblem.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
