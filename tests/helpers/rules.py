"""The rules that the engine is checked on, each of which oracles.py understands; a new rule is a row here."""

from unittest import mock

import numpy as np

import poissonmatch as pm
from helpers import oracles
from poissonmatch.engine import small_sets
from poissonmatch.rules.rule import MUTUALLY_NEAREST

RULES = {
    **pm.RULES,
    "multi(3)": pm.Rule(capacity=(3,)),
    "labels(1)": pm.Rule(labels=1),
    "labels(3)": pm.Rule(labels=3),
    "labels(64)": pm.Rule(labels=64),
    "polygamy": pm.Rule(compatible=((0, 1), (1, 0)), capacity=(1, 3)),
    "capacity by color": pm.Rule(capacity=(2, 1, 3)),
    "three colors": pm.Rule(compatible=((0, 1, 1), (1, 0, 1), (1, 1, 0))),
    "a loner and a cycle": pm.Rule(compatible=((0, 1, 0), (1, 1, 0), (0, 0, 0))),
    "misere two-color": pm.Rule(compatible=((0, 1), (1, 0)), exclude=MUTUALLY_NEAREST),
    "misere multi(2)": pm.Rule(capacity=(2,), exclude=MUTUALLY_NEAREST),
    "misere labels(2)": pm.Rule(labels=2, exclude=MUTUALLY_NEAREST),
    "fussy labels(2)": pm.Rule(compatible=((1, 1), (1, 0)), labels=2),
}
SMALL = 20_000  # points of a small set
FORBIDDEN = ("forbidden", "forbidden multi(2)")  # made for each pattern: the pairs depend on n


def rule_for(name, pattern):
    if name not in FORBIDDEN:
        return RULES[name]
    n = len(pattern)
    rng = np.random.default_rng(n)
    pairs = rng.integers(0, n, (3 * n, 2)) if n > 1 else np.zeros((0, 2), int)
    return pm.Rule(capacity=(2,) if "multi" in name else (1,), exclude=pairs[pairs[:, 0] != pairs[:, 1]])


def recolored(pattern, rule):
    """The pattern with the colors that the rule knows."""
    return pattern if rule.n_colors in (1, 3) else pm.Pattern(pattern.points, pattern.colors % 2, pattern.geometry)


def wrong(pattern, rule, pairs, threads=(1,)):
    """What of a matching is not as the oracle has it: by the phases of each number of threads, and as a small set."""
    pattern = recolored(pattern, rule)
    partner, distance = oracles.all_pairs(pattern, rule, pairs)
    differences = []
    for t, max_points in (*((t, 0) for t in threads), (1, SMALL)):
        with mock.patch.object(small_sets, "MAX_POINTS", max_points):
            matching = pm.match(pattern, rule, threads=t)
        for name, got, expected in (("partner", matching.partner, partner), ("distance", matching.distance, distance)):
            type_ = np.int64 if name == "partner" else np.float64
            if got.dtype != type_ or not np.array_equal(got, expected):
                differences.append(f"{name} by {t} threads, small sets up to {max_points}: {got!r}, not {expected!r}")
    return differences
