"""Which step of a replicate varies with two threads, and why: `python benchmarks/threads.py` writes benchmarks/results/threads.md.

Replicates of 10^7 points on one thread and on two are alternated. Each step is timed by wall clock. The kernel's processor time of a step
is that of the first access to memory.
"""

from __future__ import annotations

import argparse
import functools
import os
import platform
import resource
import time
from types import ModuleType

import numpy as np
from replicate import cell_of

from matching import HERE, SETTING
from poissonmatch.engine import phases
from poissonmatch.points import uniform
from poissonmatch.studies.statistics import observables

STEPS = {  # functions that are called one after another
    "draw the points": (uniform, "_draw"),
    "cells of the first phase, without a sort": (phases, "presorted_layer"),
    "allocate the result": (phases, "_empty_result"),
    "sorts of the later phases": (phases, "sort_points"),
    "chains of all phases": (phases, "_phase"),
}
WHOLE = "replicate"


def clocks() -> np.ndarray:
    """Wall clock and processor time of the kernel for this process, in ms."""
    return 1e3 * np.array([time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_stime])


def timed(module: ModuleType, name: str, taken: dict[str, np.ndarray], step: str) -> None:
    """Let a function add its times to those of a step."""
    function = getattr(module, name)

    @functools.wraps(function)
    def run(*args: object, **options: object) -> object:
        start = clocks()
        result = function(*args, **options)
        taken[step] = taken.get(step, 0) + clocks() - start
        return result

    setattr(module, name, run)


def table(n: float, repeats: int) -> list[str]:
    """The rows of the table."""
    taken: dict[str, np.ndarray] = {}
    for step, (module, name) in STEPS.items():
        timed(module, name, taken, step)
    timed(observables, "measure", taken, WHOLE)
    found: dict[int, list[dict[str, np.ndarray]]] = {1: [], 2: []}
    for repeat in range(-1, repeats):  # the first run compiles, and is not counted
        for threads, runs in found.items():
            taken.clear()
            observables.measure(cell_of(n, 2, "one-color"), 0, threads=threads)
            if repeat >= 0:
                runs.append(dict(taken))
    return [row(step, *([run[step] for run in runs] for runs in found.values())) for step in (*STEPS, WHOLE)]


def row(step: str, one: list[np.ndarray], two: list[np.ndarray]) -> str:
    """A row: medians and ranges."""
    (wall_one, kernel_one), (wall_two, kernel_two) = np.transpose(one), np.transpose(two)
    numbers = [
        f"{np.median(wall):.0f} ({wall.min():.0f} to {wall.max():.0f}) | {kernel.min():.0f} to {kernel.max():.0f}"
        for wall, kernel in ((wall_one, kernel_one), (wall_two, kernel_two))
    ]
    ratios = f"{np.median(wall_one) / np.median(wall_two):.2f} | {wall_one.min() / wall_two.min():.2f}"
    return f"| {step} | {' | '.join(numbers)} | {ratios} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=float, default=1e7)
    parser.add_argument("--repeats", type=int, default=12)
    parser.add_argument("--set", **SETTING)
    options = parser.parse_args()
    lines = [
        "# One thread and two, step by step",
        "",
        f"`python benchmarks/threads.py --repeats {options.repeats}`, {options.points:g} points in the plane, one-color matching; "
        f"{os.cpu_count()} cores of {platform.processor() or platform.machine()}, load {os.getloadavg()[0]:.1f} at the start.",
        "Medians (and ranges) of wall-clock time in ms, kernel time in ms, and the ratio of medians and of fastest runs.",
        "",
        "| step | one thread | of it kernel | two threads | of it kernel | ratio | fastest |",
        "|---|---|---|---|---|---|---|",
        *table(options.points, options.repeats),
        "",
    ]
    (HERE / "results" / "threads.md").write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
