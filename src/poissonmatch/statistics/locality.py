"""Measures of locality: rounds of a matching, lengths of descending chains, and the window that decides a partner."""

from __future__ import annotations

import math

import numpy as np

from ..matching.lazy import LazyMatching
from ..matching.matching import Matching
from ..matching.rounds import rounds as rounds_of
from ..points.descending_chains import chains_within
from ..points.infinite import Periodic
from ..points.pattern import Pattern
from ..rules.rule import Rule
from ..tables.tables import NO_X
from ..theory.volumes import ball_power, unit_ball_volume
from ..utils.errors import BadInput
from .measures import Numbers, radii_of

ROUNDS = range(1, 31)  # after each of them the unmatched points are counted
VOLUMES = tuple(2.0**k for k in range(-3, 4))  # mean number of points within the longest first step of a chain
STEPS = range(1, 21)  # numbers of steps at which the tail of chains is measured
CHAIN_BYTES = 450.0  # of memory for each point
CHAIN_MICROSECONDS = 2.5  # for each point in d = 1, without the matching; times 1.8 for each further dimension
WINDOW_DIM = 4  # a search looks at 3^d cells
EACH = 100  # one in EACH points is measured
WINDOW_BYTES, WINDOW_MICROSECONDS, WINDOW_POINTS = 1200.0, 8.0, 2**18  # in d = 1, two colors take longer
ROUND_BYTES, ROUND_MICROSECONDS = 300.0, 3.5


def rounds(pattern: Pattern, matching: Matching) -> Numbers:
    """Return `rounds`, the number of rounds of the matching, and `round_tail`: the points unmatched after k = 1 ... 30 rounds."""
    table = rounds_of(matching).reshape(matching.partners.shape)
    first = table[:, 0] if table.size else np.zeros(0, np.int64)
    later = [int(np.count_nonzero((first > k) | (first < 0))) for k in ROUNDS]
    return {
        ("rounds", NO_X): (float(table.max(initial=0)), 1.0),
        **{("round_tail", float(k)): (count, len(pattern)) for k, count in zip(ROUNDS, later, strict=True)},
    }


def chains(pattern: Pattern, matching: Matching) -> Numbers:
    """Return `chain_steps` and `chain_tail` of the longest descending chains from each point.

    The first step of a chain is within a ball of V points in the mean, for the intensity of the points on this torus. chain_steps:
    the sum of steps for each V. chain_tail: for V = 1, the points whose longest chain has at least k = 1 ... 20 steps.
    """
    space, n = pattern.geometry, len(pattern)
    if not space.finite:
        why = "otherwise the number of points in a ball is not known"
        raise BadInput(f"chains need a torus or the mean-field model: {why}")
    power = 1 / ball_power(space.dim)
    radii = [(v * space.volume / max(n, 1) / unit_ball_volume(space.dim)) ** power for v in VOLUMES]
    steps = dict(zip(VOLUMES, chains_within(pattern, radii), strict=True))
    return {
        **{("chain_steps", v): (int(found.sum()), n) for v, found in steps.items()},
        **{("chain_tail", float(k)): (int(np.count_nonzero(steps[1.0] >= k)), n) for k in STEPS},
    }


def window(pattern: Pattern, matching: Matching) -> Numbers:
    """Return `window_tail` at the radii of desirers: points, of one in a hundred, whose partner is not decided within r."""
    torus = pattern.geometry
    torus.check_torus("window")
    radii, n = radii_of(torus.cutoff), len(pattern)
    chosen = range(0, n, EACH)
    lazy = LazyMatching(periodic := Periodic(pattern), matching.rule, float(radii[-1])) if n else None
    results = [lazy.partner(periodic.point(index)) for index in chosen] if lazy else []
    windows = np.array([result.window if result.answer is not None else math.inf for result in results])
    return {("window_tail", float(r)): (int(np.count_nonzero(windows > r)), len(chosen)) for r in radii}


def window_incompatible(rule: Rule, dim: float) -> str:
    """Return the reason why a window is not measured for a rule and dimension, "" if it is."""
    if not rule.plain:
        return "needs a rule with one partner for every point and without excluded pairs"
    return f"is measured in d = 1 to {WINDOW_DIM}" if WINDOW_DIM < dim < math.inf else ""
