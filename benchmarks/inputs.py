"""The speed of the matching on points that are hard for cells, beside Poisson points: python benchmarks/inputs.py [--quick | --full]

Each input is matched at several numbers of points, in interleaved runs with as many Poisson points. A row is the ratio of the times at
the largest number, which is to be at most `bar`, and the exponent of its growth: the slope of the logarithm of the time against that
of the number, from the smallest to the largest. --quick: 10^4 and 10^5 points; --full: 10^4, 10^5 and 10^6 points; by default
10^4, 3 10^4 and 3 10^5. Writes benchmarks/results/inputs.md and inputs.json.
"""

from __future__ import annotations

import json
import math
from functools import partial

import poissonmatch as pm
from matching import HERE, compare, machine, options_of  # makes the helpers of the tests importable

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


def row(name: str, rule: str, sizes: list[int], repeats: int) -> dict:
    """Ratio and exponent for an input under a rule."""
    for kind in (name, "poisson"):
        pm.match(hard_pattern(kind, sizes[0]), rule)  # compiled
    times = []
    for n in sizes:
        hard, poisson = (partial(pm.match, hard_pattern(kind, n), rule) for kind in (name, "poisson"))
        times.append(compare(hard, poisson, repeats))
    growth = math.log(times[-1]["engine s"] / times[0]["engine s"]) / math.log(sizes[-1] / sizes[0])
    bar, growth_bar = BARS[name]
    return {
        "input": name, "rule": rule, "n": sizes[-1], "times Poisson": round(times[-1]["ratio"], 1), "bar": bar,
        "growth": round(growth, 2), "bar of growth": growth_bar, "s": round(times[-1]["engine s"], 4),
        "met": times[-1]["ratio"] <= bar and growth <= growth_bar,
    }  # fmt: skip


def main() -> None:
    options = options_of(str(__doc__))
    sizes = (
        [10**4, 10**5] if options.quick else [10**4, 10**5, 10**6] if options.full else [10**4, 3 * 10**4, 3 * 10**5]
    )
    words = f"inputs.py{' --quick' * options.quick}{' --full' * options.full} --repeats {options.repeats}"
    where, rows = machine(), []
    for name in INPUTS:
        for rule in RULES:
            rows.append(row(name, rule, sizes, options.repeats))
            print(" | ".join(map(str, rows[-1].values())), flush=True)
            lines = [
                "# Speed on inputs that are hard for cells",
                "",
                f"Made by `python benchmarks/{words}`, {where}. Medians of interleaved runs on one thread, from {sizes[0]:,} points on.",
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
