"""The searches of one-color matchings, counted by dimension: python benchmarks/comparisons.py [--quick]

A comparison is that of a point with eight others. 10^6 uniform points (--quick: 10^5), which are not in the order of the cells; processor
times of the fastest run. Writes benchmarks/results/comparisons.md.
"""

from __future__ import annotations

import time

import numpy as np

import poissonmatch as pm
from matching import HERE, machine, options_of
from poissonmatch.engine import chains


def counted(n: int, dim: int) -> dict:
    """Comparisons, and seconds of the whole matching and of its chains."""
    side = n ** (1 / dim)
    pattern = pm.Pattern(np.random.default_rng(1).random((n, dim)) * side, geometry=pm.Torus(side=side, dim=dim))
    match_chains, calls = chains.match_chains, []

    def timed(*arguments: object) -> tuple[int, int]:
        start = time.process_time()
        work, pairs = match_chains(*arguments)
        calls.append((work, time.process_time() - start))
        return work, pairs

    chains.match_chains = timed
    start = time.process_time()
    try:
        pm.match(pattern)
    finally:
        chains.match_chains = match_chains
    return {"whole": time.process_time() - start, "chains": sum(t for _, t in calls), "work": sum(w for w, _ in calls)}


def main() -> None:
    options = options_of(str(__doc__))
    n = 10**5 if options.quick else 10**6
    lines = [
        "# Comparisons of a search",
        "",
        f"Made by `python benchmarks/comparisons.py{' --quick' * options.quick} --repeats {options.repeats}`, {machine()}.",
        "",
        "| d | comparisons per point | ns per comparison | share of the time in chains |",
        "|---|---|---|---|",
    ]
    for dim in (1, 2, 3, 4):
        counted(1000, dim)  # compiled
        runs = [counted(n, dim) for _ in range(options.repeats)]
        whole, inside = (min(run[key] for run in runs) for key in ("whole", "chains"))
        work = runs[0]["work"]
        lines.append(f"| {dim} | {work / n:.2f} | {inside / work * 1e9:.0f} | {inside / whole:.2f} |")
        print(lines[-1], flush=True)
    (HERE / "results" / "comparisons.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
