"""Speed of the matching on points that are unfavorable for cells, compared with Poisson points: python benchmarks/inputs.py [--quick | --full]

Each input is matched at several numbers of points, in turn with as many Poisson points. A row is the ratio of the processor times,
of the fastest runs, at the largest number, which is to be at most `bar`, and the exponent of growth: the slope of the logarithm of the
time against that of the number, from the smallest to the largest. --quick: 10^4 and 10^5 points; --full: 10^4, 10^5 and 10^6 points;
by default 10^4 and 3 10^5. --rules, --inputs: by default all. Writes benchmarks/results/inputs.md and inputs.json.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable
from functools import partial

import poissonmatch as pm
from matching import HERE, machine, options_of  # makes the helpers of the tests importable

# isort: split
from helpers.hard_inputs import INPUTS, hard_pattern

RULES = ("one-color", "two-color", "fussy", "multi(3)", "labels(3)")
FIELD = ("halves", "gradient", "strip", "river", "checkerboard")  # what field data look like
BARS = {
    **dict.fromkeys(INPUTS, (25, 1.35)),
    **dict.fromkeys(FIELD, (8, 1.15)),
    "spiral": (10, 1.35),
    "long_spiral": (10, 1.35),
}


def fastest(functions: list[Callable], repeats: int) -> list[float]:
    """Seconds of processor time of the fastest run of each function; they run in turn."""
    times = [math.inf] * len(functions)
    for _ in range(repeats):
        for k, function in enumerate(functions):
            start = time.process_time()
            function()
            times[k] = min(times[k], time.process_time() - start)
    return times


def row(name: str, rule: str, sizes: list[int], repeats: int) -> dict:
    """Ratio and exponent for an input under a rule."""
    for kind in (name, "poisson"):
        pm.match(hard_pattern(kind, sizes[0]), rule)  # compiled
    times = [
        fastest([partial(pm.match, hard_pattern(kind, n), rule) for kind in (name, "poisson")], repeats) for n in sizes
    ]
    growth = math.log(times[-1][0] / times[0][0]) / math.log(sizes[-1] / sizes[0])
    hard, poisson = times[-1]
    bar, growth_bar = BARS[name]
    return {
        "input": name, "rule": rule, "n": sizes[-1], "times Poisson": round(hard / poisson, 1), "bar": bar,
        "growth": round(growth, 2), "bar of growth": growth_bar, "CPU s": round(hard, 4),
        "met": hard / poisson <= bar and growth <= growth_bar,
    }  # fmt: skip


def main() -> None:
    options = options_of(str(__doc__), rules=RULES, inputs=[name for name in INPUTS if name != "poisson"])
    sizes = [10**4, 10**5] if options.quick else [10**4, 10**5, 10**6] if options.full else [10**4, 3 * 10**5]
    words = f"inputs.py {' '.join(sys.argv[1:])}".strip()
    where, rows = machine(), []
    for name in options.inputs:
        for rule in options.rules:
            rows.append(row(name, rule, sizes, options.repeats))
            print(" | ".join(map(str, rows[-1].values())), flush=True)
            lines = [
                "# Speed on patterns that are unfavorable for cells",
                "",
                f"Made by `python benchmarks/{words}`, {where}.",
                f"The fastest of {options.repeats} interleaved runs, on one thread; the growth is measured from {sizes[0]:,} points on.",
                "",
                "| " + " | ".join(rows[0]) + " |",
                "|" + "---|" * len(rows[0]),
                *("| " + " | ".join(map(str, row.values())) + " |" for row in rows),
            ]
            (HERE / "results").mkdir(exist_ok=True)
            (HERE / "results" / "inputs.md").write_text("\n".join(lines) + "\n")
            (HERE / "results" / "inputs.json").write_text(json.dumps({"machine": where, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
