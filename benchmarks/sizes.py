"""The speed of `pm.match` at every size, beside SciPy's KD-trees: python benchmarks/sizes.py [--quick]

Uniform points on a torus, half of them of each color. A pass of the KD-tree is a default build and a query of the nearest neighbor of
every point, on one thread. Runs are interleaved; times are medians of processor time. --quick: up to 10^4 points.
A second table has the time of a replicate of a study in a block, which is drawn, matched and measured (`unmatched`, `distances`).
Writes benchmarks/results/sizes.md and sizes.json.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable

from replicate import cell_of
from scipy.spatial import cKDTree

import poissonmatch as pm
from matching import HERE, colors, machine, options_of, uniform
from poissonmatch.studies.sampling.cells import Block
from poissonmatch.studies.statistics import observables

SIZES = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000)
RULES = ("one-color", "fussy", "multi(3)")
BARS = {
    10: "0.12 ms",
    100: "1.0",
    1000: "0.5",
    10_000: "0.3",
}  # in d = 2; in d = 1 and 3 ratios may be 1.3 times as large
REPLICATES = {100: 1000, 300: 1000, 1000: 300, 3000: 100, 10_000: 30}  # of a block, by the number of points
SECONDS = 0.02  # of a run, in which few points are matched many times


def milliseconds(functions: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median processor time of a call of each function, in interleaved runs."""
    calls, times = {}, {name: [] for name in functions}
    for name, function in functions.items():
        function()  # compiled
        start = time.process_time()
        function()
        calls[name] = max(1, int(SECONDS / max(time.process_time() - start, 1e-5)))
    for _ in range(repeats):
        for name, function in functions.items():
            start = time.process_time()
            for _ in range(calls[name]):
                function()
            times[name].append(1e3 * (time.process_time() - start) / calls[name])
    return {name: statistics.median(of_name) for name, of_name in times.items()}


def row(n: int, dim: int, repeats: int) -> dict[str, float]:
    """Times and ratios of the rules for n points."""
    points = uniform(n, dim)
    pattern = pm.Pattern(points, colors(n, 1.0), pm.Torus(1.0, dim))
    functions: dict[str, Callable[[], object]] = {"pass": lambda: cKDTree(points, boxsize=1.0).query(points, k=2)}
    for rule in RULES:
        functions[rule] = lambda rule=rule: pm.match(pattern, rule)
    times = milliseconds(functions, repeats)
    return {"dim": dim, "points": n, **times, **{f"{rule} ratio": times[rule] / times["pass"] for rule in RULES}}


def block_row(n: int, repeats: int) -> dict[str, float]:
    """Times of a replicate in a block and of its matching alone, one color in the plane."""
    block = Block(cell_of(n, 2, "one-color"), 0, REPLICATES[n])
    pattern = block.cell.pattern(0)
    times = milliseconds(
        {"block": lambda: observables.measure_block(block), "match": lambda: pm.match(pattern)}, repeats
    )
    replicate = times["block"] / REPLICATES[n]
    return {"points": n, "replicate": replicate, "match": times["match"], "ratio": replicate / times["match"]}


def table(rows: list[dict[str, float]], made: str) -> str:
    head = [
        "d",
        "points",
        "KD-tree pass, ms",
        *(f"{rule}, {what}" for rule in RULES for what in ("ms", "ratio")),
        "bar",
    ]
    lines = ["# Speed at every size", "", made, "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for each in rows:
        values = [f"{each[rule + key]:.2g}" for rule in RULES for key in ("", " ratio")]
        bar = BARS.get(int(each["points"]), "") if each["dim"] == 2 else ""
        cells = [f"{each['dim']}", f"{each['points']:g}", f"{each['pass']:.2g}", *values, bar]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def block_table(rows: list[dict[str, float]]) -> str:
    head = ["points", "replicate in a block, ms", "pm.match alone, ms", "ratio"]
    lines = ["", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(f"{value:.3g}" for value in each.values()) + " |" for each in rows]
    return "\n".join(lines) + "\n"


def main() -> None:
    options = options_of(str(__doc__))
    where = machine()
    made = f"Made by `python benchmarks/sizes.py{' --quick' * options.quick} --repeats {options.repeats}`, {where}.\n"
    made += f"Medians of processor time in {options.repeats} interleaved runs, one thread."
    rows: list[dict[str, float]] = []
    blocks = [block_row(n, options.repeats) for n in REPLICATES]
    print(block_table(blocks), flush=True)
    for dim in (1, 2, 3):
        for n in SIZES:
            if not options.quick or n <= 10_000:
                rows.append(row(n, dim, options.repeats))
                print(" | ".join(f"{value:.3g}" for value in rows[-1].values()), flush=True)
                (HERE / "results" / "sizes.md").write_text(table(rows, made) + block_table(blocks))
                results = {"machine": where, "rows": rows, "blocks": blocks}
                (HERE / "results" / "sizes.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
