"""The speed of the matching phases, beside SciPy's KD-trees: python benchmarks/matching.py [--quick | --full]

Rows are timed in interleaved runs (peer, phases, peer, phases, ...). `measured` is the ratio of the medians of
wall-clock time, `fastest` that of the fastest runs, which says more where other people's work slows some of them.
--quick: a tenth of the points; --full: 10^8 points as well. Writes benchmarks/results/matching.md and matching.json.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numba
import numpy as np
import scipy
from scipy.spatial import cKDTree

import poissonmatch as pm
from poissonmatch.engine import grids, phases
from poissonmatch.utils import thread_pool

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))


def uniform(n: int, dim: int) -> np.ndarray:
    return np.random.default_rng(1).random((n, dim))


def thomas(n: int, dim: int) -> np.ndarray:
    rng = np.random.default_rng(2)
    centers = rng.random((max(1, n // 20), dim))
    spread = 0.2 / len(centers) ** (1 / dim)
    return np.mod(centers[rng.integers(0, len(centers), n)] + spread * rng.standard_normal((n, dim)), 1.0) % 1.0


def perturbed_lattice(n: int, dim: int) -> np.ndarray:
    m = int(n ** (1 / dim))
    sites = np.stack(np.meshgrid(*[np.arange(m) / m] * dim), axis=-1).reshape(-1, dim)
    return np.mod(sites + 0.3 / m * np.random.default_rng(3).standard_normal(sites.shape), 1.0) % 1.0


def corner(n: int, dim: int) -> np.ndarray:
    return 0.01 * uniform(n, dim)


def diagonal(n: int, dim: int) -> np.ndarray:
    return np.repeat(uniform(n, 1), dim, axis=1)


def far_outlier(n: int, dim: int) -> np.ndarray:
    """netCDF's fill value among points of the unit cube."""
    return np.concatenate([uniform(n - 1, dim), np.full((1, dim), 9.97e36)])


def colors(n: int, ratio: float) -> np.ndarray:
    """Color 1 has `ratio` times the intensity of color 0."""
    return (np.random.default_rng(4).random(n) < ratio / (1 + ratio)).astype(np.uint8)


def matching(
    points: np.ndarray, rule: str, ratio: float = 1.0, threads: int = 1, seam: bool = True
) -> Callable[[], pm.Matching]:
    dim = points.shape[1]
    pattern = pm.Pattern(points, colors(len(points), ratio), pm.Torus(1.0, dim) if seam else pm.Euclidean(dim))
    small = pm.Pattern(points[:60_000], pattern.colors[:60_000], pattern.geometry)
    pm.match(small, rule, threads=threads)  # compiled
    return lambda: pm.match(pattern, rule, threads=threads)


def kd_pass(points: np.ndarray) -> Callable[[], object]:
    return lambda: cKDTree(points, boxsize=1.0).query(points, k=2, workers=2)


def fair_kd_pass(points: np.ndarray) -> Callable[[], object]:
    """Points presorted by cell, and the quicker way to build."""
    side = int(np.sqrt(len(points) / 2))
    cell = (points[:, 0] * side).astype(np.int64) * side + (points[:, 1] * side).astype(np.int64)
    points = points[np.argsort(cell)]
    tree = lambda: cKDTree(points, boxsize=1.0, balanced_tree=False, compact_nodes=False)  # noqa: E731
    return lambda: tree().query(points, k=2, workers=2)


def rounds(points: np.ndarray) -> Callable[[], object]:
    from helpers import oracles

    return lambda: oracles.rounds(points, colors(len(points), 1.0), 1.0, ((False, True), (True, False)))


def first_sort(points: np.ndarray) -> Callable[[], object]:
    sides = np.ones(points.shape[1])
    task = phases.Task(points, None, sides, np.ones((1, 1), bool), np.ones(1, bool), np.array([len(points)]))
    box, per_cell = grids.bounding_box(points, sides), grids.points_per_cell(task.compatible, points.shape[1], 1)

    def run() -> object:
        grid, radius = grids.choose_grid(points.T, len(points), sides, *box, 0.0, per_cell)
        return phases.sort_points(
            task, None, len(points), grid, radius, np.dtype(np.int32), thread_pool.Threads(None, 1)
        )

    return run


@numba.njit
def counting_sort(
    points: np.ndarray, side: int, cell: np.ndarray, start: np.ndarray, sorted_points: np.ndarray
) -> None:
    """Points sorted by cell in one pass, as one writes it down at first."""
    n, dim = points.shape
    for i in range(n):
        c = 0
        for axis in range(dim):
            c = c * side + np.int64(points[i, axis] * side)
        cell[i] = c
        start[c + 1] += 1
    for c in range(len(start) - 1):
        start[c + 1] += start[c]
    for i in range(n):
        to = start[cell[i]]
        start[cell[i]] += 1
        for axis in range(dim):
            sorted_points[to, axis] = points[i, axis]


def one_pass_sort(points: np.ndarray) -> Callable[[], object]:
    n, dim = points.shape
    side = max(1, int((n / grids.points_per_cell(np.ones((1, 1)), dim, 1)) ** (1 / dim)))

    def run() -> None:
        cell, start, out = np.empty(n, np.int32), np.zeros(side**dim + 1, np.int32), np.empty((n, dim))
        counting_sort(points, side, cell, start, out)

    run()  # compiled
    return run


def compare(ours: Callable, peer: Callable, repeats: int) -> dict[str, float]:
    """Medians of wall-clock and CPU seconds, and how the engine's relate to the peer's."""
    wall: dict[str, list[float]] = {"engine": [], "peer": []}
    cpu: dict[str, list[float]] = {"engine": [], "peer": []}
    for _ in range(repeats):
        for name, function in (("peer", peer), ("engine", ours)):
            gc.collect()
            start, start_cpu = time.perf_counter(), time.process_time()
            function()
            wall[name].append(time.perf_counter() - start)
            cpu[name].append(time.process_time() - start_cpu)
    row = {f"{name} s": statistics.median(wall[name]) for name in wall}
    row |= {f"{name} CPU s": statistics.median(cpu[name]) for name in cpu}
    return row | {"ratio": row["engine s"] / row["peer s"], "fastest": min(wall["engine"]) / min(wall["peer"])}


def peak_memory(n: int) -> dict[str, float]:
    """Seconds, and bytes a point above the input, of a one-color matching in d = 2 in a process of its own.

    The peak is read from /proc: getrusage would tell that of this process, which a child inherits.
    """
    code = (
        "import re, time, numpy as np, poissonmatch as pm\n"
        "peak = lambda: 1024 * int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "pm.match(pm.Pattern(np.random.default_rng(0).random((10**5, 2)), None, pm.Torus(1.0, 2)))\n"
        f"points = np.random.default_rng(0).random(({n}, 2)); points.setflags(write=False)\n"
        "pattern = pm.Pattern(points, None, pm.Torus(1.0, 2))\n"
        "before = peak()\n"
        "start = time.perf_counter(); pm.match(pattern); seconds = time.perf_counter() - start\n"
        "print(seconds, peak() - before, peak())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, above, peak = map(float, done.stdout.split())
    return {"engine s": seconds, "bytes a point": above / n, "peak GB": peak / 1e9}


def first_call(cold: bool) -> dict[str, float]:
    """Seconds of the first one-color matching (1000 points, d = 2) in a new process, compiled anew if cold."""
    code = (
        "import time, numpy as np, poissonmatch as pm\n"
        "pattern = pm.Pattern(np.random.default_rng(0).random((1000, 2)), None, pm.Torus(1.0, 2))\n"
        "start = time.perf_counter(); pm.match(pattern); print(time.perf_counter() - start)"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | ({"NUMBA_CACHE_DIR": folder} if cold else {})
        runs = [
            float(subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout)
            for _ in range(1 if cold else 3)
        ]
    return {"engine s": statistics.median(runs)}


AGAINST_KD = (  # case, points, dimension, rule, bar, ratio of the intensities
    ("one-color", 1e6, 2, "one-color", 0.16, 1.0),
    ("two-color", 1e6, 2, "two-color", 0.18, 1.0),
    ("fussy rho = 1", 1e6, 2, "fussy", 0.18, 1.0),
    ("fussy rho = 0.1", 1e6, 2, "fussy", 0.18, 0.1),
    ("one-color", 1e6, 1, "one-color", 0.18, 1.0),
    ("one-color", 1e6, 3, "one-color", 0.18, 1.0),
    ("two-color", 1e6, 3, "two-color", 0.22, 1.0),
    ("multi(3)", 1e6, 2, "multi(3)", 0.45, 1.0),
    ("labels(3)", 1e6, 2, "labels(3)", 0.45, 1.0),
    ("misere", 1e6, 2, "misere", 0.45, 1.0),
    ("one-color", 1e6, 4, "one-color", 0.35, 1.0),
    ("one-color", 3e5, 5, "one-color", 1, 1.0),
    ("one-color", 1e5, 6, "one-color", 2.5, 1.0),
)


class Rows:
    """The rows of the table, printed and stored one by one."""

    def __init__(self, store: Callable[[list[dict]], None]) -> None:
        self.rows: list[dict] = []
        self.store = store

    def add(
        self, case: str, unit: str, bar: float, result: dict[str, float], of: str = "ratio", times: float = 1.0
    ) -> None:
        faster = unit.startswith("times faster")
        values = {"measured": result.pop(of), **({"fastest": result.pop("fastest")} if "fastest" in result else {})}
        values = {k: round(1 / v if faster else v * times, 3) for k, v in values.items()}
        met = values["measured"] >= bar if faster else values["measured"] <= bar
        self.rows.append({"case": case, "in": unit, "bar": bar, **values, "met": met})
        self.rows[-1] |= {k: round(v, 4) for k, v in result.items()}
        print(" | ".join(f"{v}" for v in self.rows[-1].values()), flush=True)
        self.store(self.rows)


def table(scale: float, repeats: int, full: bool, store: Callable[[list[dict]], None]) -> None:
    rows = Rows(store)
    for case, n, dim, rule, bar, ratio in (*AGAINST_KD, ("one-color", 1e7, 2, "one-color", 0.10, 1.0)):
        points = uniform(int(n * scale), dim)
        result = compare(matching(points, rule, ratio), kd_pass(points), repeats if dim < 5 else 2)
        rows.add(f"{case}, d = {dim}, {n:g}", "KD-tree passes", bar, result)
    of_a_million(rows, scale, repeats)
    of_ten_million(rows, scale, repeats)
    for cold, bar in ((False, 1.0), (True, 15.0)):
        case = f"first call in a new process, {'compiling' if cold else 'warm cache'}"
        rows.add(case, "s", bar, first_call(cold), "engine s")
    for n in (int(1e7 * scale), *([10**8] if full else [])):
        case = f"memory above the input, d = 2, {'1e+08' if n == 10**8 else '1e+07'}"
        rows.add(case, "bytes a point", 64, peak_memory(n), "bytes a point")


def of_a_million(rows: Rows, scale: float, repeats: int) -> None:
    """What one million points cost beside sorting them, beside rounds of KD-trees, and beside uniform ones."""
    n = int(1e6 * scale)
    for dim in (1, 2, 3):
        points = uniform(n, dim)
        result = compare(matching(points, "one-color"), first_sort(points), repeats)
        rows.add(f"one-color, d = {dim}, 1e+06", "own first cell sorts", 5, result)
        result = compare(matching(points, "one-color"), one_pass_sort(points), repeats)
        rows.add(f"one-color, d = {dim}, 1e+06", "counting sorts in one pass", 5, result)
    points = uniform(n, 2)
    result = compare(matching(points, "two-color"), rounds(points), min(repeats, 3))
    rows.add("two-color, d = 2, 1e+06", "times faster than rounds on cKDTree", 20, result)
    for case, other, rule, ratio, bar in (
        ("thomas clusters", thomas(n, 2), "one-color", 1.0, 3),
        ("perturbed lattice", perturbed_lattice(n, 2), "one-color", 1.0, 3),
        ("two-color 1:100", points, "two-color", 0.01, 3),
        ("all in a corner of 1 %", corner(n, 2), "one-color", 1.0, 5),
    ):
        result = compare(matching(other, rule, ratio), matching(points, rule), repeats)
        rows.add(f"{case}, d = 2, 1e+06", "uniform times per point", bar, result, times=n / len(other))
    for case, far in (("on a diagonal", diagonal(n, 2)), ("one point at 1e37", far_outlier(n, 2))):
        result = compare(matching(far, "one-color", seam=False), matching(points, "one-color", seam=False), repeats)
        rows.add(f"{case}, in the plane, 1e+06", "uniform times per point", 5, result)


def of_ten_million(rows: Rows, scale: float, repeats: int) -> None:
    """The fairest KD-tree, two threads, and linear time."""
    few, many = uniform(int(1e5 * scale), 2), uniform(int(1e7 * scale), 2)
    result = compare(matching(many, "one-color"), fair_kd_pass(many), repeats)
    rows.add("one-color, d = 2, 1e+07", "fairest KD-tree passes", 0.5, result)
    result = compare(matching(many, "one-color", threads=2), matching(many, "one-color"), repeats)
    rows.add("two threads, d = 2, 1e+07", "times faster than one", 1.7, result)
    result = compare(matching(many, "one-color"), matching(few, "one-color"), repeats)
    rows.add("time a point, 1e+07 to 1e+05", "ratio", 2, result, times=len(few) / len(many))


def machine() -> str:
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        name = names[0] if names else name
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    libraries = ", ".join(f"{library.__name__} {library.__version__}" for library in (np, scipy, numba))
    return (
        f"{os.cpu_count()} cores of {name}{load}; {platform.system()}; Python {platform.python_version()}, {libraries}"
    )


def set_constant(setting: str) -> str:
    """Set a constant of the engine that Python reads; one that a kernel reads is edited in its file."""
    place, value = setting.split("=")
    module, name = place.split(".")
    setattr(importlib.import_module(f"poissonmatch.engine.{module}"), name, ast.literal_eval(value))
    return setting


SETTING = {
    "nargs": "+",
    "type": set_constant,
    "metavar": "MODULE.NAME=VALUE",
    "help": "constants of poissonmatch.engine",
}


def options_of(words: str, **choices: Sequence[str]) -> argparse.Namespace:
    """--quick, --full, --repeats and --NAME for each of the choices of a benchmark, by default all of them; words: of its own."""
    parser = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the points")
    parser.add_argument("--full", action="store_true", help="10^8 points as well")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--set", **SETTING)
    for name, choice in choices.items():
        parser.add_argument(f"--{name}", nargs="+", choices=choice, default=choice, help="by default all")
    return parser.parse_args()


def storing(name: str, title: str, options: argparse.Namespace) -> Callable[[list[dict]], None]:
    """What writes results/name.md and .json, after each row: a run that is stopped has shown something."""
    where = machine()
    note = " Quick run: a tenth of the points that the rows say." if options.quick else ""
    head = ["case", "in", "bar", "measured", "fastest", "met", "engine s", "peer s", "engine CPU s", "peer CPU s"]
    words = f"{name}.py{' --quick' * options.quick}{' --full' * options.full} --repeats {options.repeats}"

    def store(rows: list[dict]) -> None:
        lines = [
            f"# {title}",
            "",
            f"Made by `python benchmarks/{words}`, {where}.",
            f"Medians of {options.repeats} interleaved runs; one thread unless stated otherwise.{note}",
            "",
            "| " + " | ".join(head) + " |",
            "|" + "---|" * len(head),
            *("| " + " | ".join(str(row.get(k, "")) for k in head) + " |" for row in rows),
        ]
        (HERE / "results").mkdir(exist_ok=True)
        (HERE / "results" / f"{name}.md").write_text("\n".join(lines) + "\n")
        (HERE / "results" / f"{name}.json").write_text(json.dumps({"machine": where, "rows": rows}, indent=1) + "\n")

    return store


def main() -> None:
    options = options_of(str(__doc__))
    store = storing("matching", "Speed of the matching engine", options)
    table(0.1 if options.quick else 1.0, options.repeats, options.full, store)


if __name__ == "__main__":
    main()
