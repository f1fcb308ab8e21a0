"""How local a matching is: the rounds that it takes, how long chains of ever shorter steps are, and how far one must look."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..matching.lazy import LazyMatching
from ..matching.matching import Matching
from ..matching.rounds import rounds as rounds_of
from ..points.descending_chains import chains_within, mean_field_tail
from ..points.infinite import Periodic
from ..points.pattern import Pattern
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..sampling.cells import Cell
from ..tables.tables import NO_X, RATIOS, REPLICATES
from ..theory.formulas import unit_ball_volume
from ..utils.errors import BadInput
from .estimators import Estimate, Sample
from .measures import Numbers, radii_of
from .observable_checks import Found, Numerators, Tables, by_color, denominators_of
from .quantities import Observable, Quantity

ROUNDS = range(1, 31)  # after each of which the points without a partner are counted
VOLUMES = tuple(2.0**k for k in range(-3, 4))  # points within the longest first step of a chain, in the mean
STEPS = range(1, 21)  # of chains, whose tail is measured
CHAIN_BYTES = 450.0  # of memory, a point
CHAIN_MICROSECONDS = 2.5  # a point in d = 1, beside the matching, and 1.8 times as much for each dimension more
WINDOW_DIM = 4  # a search looks at 3^d cells
EACH = 100  # one point of so many is asked how far it must look
WINDOW_BYTES, WINDOW_MICROSECONDS, WINDOW_POINTS = 1200.0, 8.0, 2**18  # in d = 1, two colors take longer
ROUND_BYTES, ROUND_MICROSECONDS = 300.0, 3.5


def rounds(pattern: Pattern, matching: Matching) -> Numbers:
    """rounds: how many the matching takes. round_tail, for k = 1 ... 30: points that have no partner after k rounds."""
    table = rounds_of(matching).reshape(matching.partners.shape)
    first = table[:, 0] if table.size else np.zeros(0, np.int64)
    later = [int(np.count_nonzero((first > k) | (first < 0))) for k in ROUNDS]
    return {
        ("rounds", NO_X): (float(table.max(initial=0)), 1.0),
        **{("round_tail", float(k)): (count, len(pattern)) for k, count in zip(ROUNDS, later, strict=True)},
    }


def round_laws(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[Found]:
    """Each round matches a pair; the tail falls, by whole pairs, to the points without a partner, which it has after the last."""
    needed, tori = numerators["rounds", NO_X], tables.get(REPLICATES.name)
    yield "a whole number of rounds", ("rounds", NO_X), needed % 1 == 0
    before: np.ndarray | float = np.inf
    single = rule_named(cell.rule).width == 1
    for k in ROUNDS:
        key = "round_tail", float(k)
        yield "no more points than after the round before", key, numerators[key] <= before
        before = numerators[key]
        if tori is None:
            continue
        points, alone = (by_color(tori, name).sum(axis=1) for name in ("points", "unmatched"))
        yield "the points without a partner, at least", key, numerators[key] >= alone
        yield "just those after the last round", key, (needed > k) | (numerators[key] == alone)
        if single:
            yield "points get partners in pairs", key, (points - numerators[key]) % 2 == 0
            yield "more than those before the last round", key, (needed <= k) | (numerators[key] > alone)


def first_round(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """What is known of round_tail: its value after the first round."""
    known = 1 - sample.rule.law.first_round(sample.dim, sample.intensities) if sample.process.uniform else math.nan
    return np.where(estimate.x == ROUNDS[0], known, math.nan)


def chains(pattern: Pattern, matching: Matching) -> Numbers:
    """Longest descending chains (points/descending_chains.py) whose first step is within a ball of V points in the mean, the torus having the
    intensity that its points give it. chain_steps: the sum of their steps, for each V. chain_tail, for k = 1 ... 20 and V = 1: points
    whose longest chain has k steps or more."""
    space, n = pattern.geometry, len(pattern)
    if not space.finite:
        raise BadInput("chains need a torus or the mean-field model, which say how many points a ball holds")
    power = 1.0 if space.dim == math.inf else 1 / space.dim
    radii = [(v * space.volume / max(n, 1) / unit_ball_volume(space.dim)) ** power for v in VOLUMES]
    steps = dict(zip(VOLUMES, chains_within(pattern, radii), strict=True))
    return {
        **{("chain_steps", v): (int(found.sum()), n) for v, found in steps.items()},
        **{("chain_tail", float(k)): (int(np.count_nonzero(steps[1.0] >= k)), n) for k in STEPS},
    }


def chain_laws(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[Found]:
    """Chains get longer with their first step; the tail falls, and its sum is the mean."""
    before: np.ndarray | float = 0.0
    for v in VOLUMES:
        key = "chain_steps", v
        yield "no fewer steps than where the first one must be shorter", key, numerators[key] >= before
        before = numerators[key]
    before, total = np.inf, np.zeros_like(numerators["chain_tail", 1.0])
    for k in STEPS:
        key = "chain_tail", float(k)
        yield "no more points than have a chain that is a step shorter", key, numerators[key] <= before
        before, total = numerators[key], total + numerators[key]
    short = numerators["chain_tail", float(STEPS[-1])] == 0
    text, mean = "the steps of all chains, which the tail gives", numerators["chain_steps", 1.0]
    yield text, ("chain_steps", 1.0), (total <= mean) & (~short | (total == mean))


def chain_tail(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """P(k steps or more) for V = 1: 1 - 1/e for k = 1 in every dimension, all of it in the mean-field model."""
    if not sample.process.uniform:
        return math.nan
    known = mean_field_tail(1.0, STEPS[-1])[np.asarray(estimate.x, int)]
    return known if sample.dim == math.inf else np.where(estimate.x == 1, known, math.nan)


def chain_steps(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """The mean in the mean-field model."""
    if not sample.process.uniform or sample.dim < math.inf:
        return math.nan
    return np.array([mean_field_tail(float(v), 60)[1:].sum() for v in np.atleast_1d(estimate.x)])


def window(pattern: Pattern, matching: Matching) -> Numbers:
    """window_tail, for the radii of desirers: of one point in a hundred, whose partner cannot be decided within r (lazy.py)."""
    torus = pattern.geometry
    if not torus.is_torus:
        raise BadInput("window needs a torus, which says how far to look")
    radii, n = radii_of(torus.cutoff), len(pattern)
    asked = range(0, n, EACH)
    lazy = LazyMatching(endless := Periodic(pattern), matching.rule, float(radii[-1])) if n else None
    found = [lazy.partner(endless.point(index)) for index in asked] if lazy else []
    seen = np.array([answer.window if answer.answer is not None else math.inf for answer in found])
    return {("window_tail", float(r)): (int(np.count_nonzero(seen > r)), len(asked)) for r in radii}


def window_laws(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[Found]:
    """The tail falls from all that were asked, one in a hundred."""
    before: np.ndarray | float = np.inf
    tori = tables.get(REPLICATES.name)
    radii, denominators = denominators_of(tables, "window_tail")
    for r, denominator in zip(radii.tolist(), denominators, strict=True):
        key = "window_tail", r
        yield (
            "a whole number of points, and no more than within a smaller r",
            key,
            (numerators[key] % 1 == 0) & (numerators[key] <= before),
        )
        before = numerators[key]
        if tori is not None:
            points = by_color(tori, "points").sum(axis=1)
            yield "one point in a hundred is asked", key, denominator == -(-points // EACH)


def window_unfit(rule: Rule, dim: float) -> str:
    """Why a window is not measured for a rule and dimension; "" if it is."""
    if not rule.plain:
        return "is that of a matching with one partner for every point and no pair excluded"
    return f"is measured in d = 1 to {WINDOW_DIM}" if WINDOW_DIM < dim < math.inf else ""


ENTRIES = (
    Observable(
        "rounds",
        RATIOS,
        rounds,
        (
            Quantity(
                "rounds",
                "number of rounds that the matching takes; in each all pairs are matched that are mutually first",
                "mean",
            ),
            Quantity(
                "round_tail",
                "share of the points that have no partner after k rounds",
                "share",
                x="k",
                curve=True,
                exact=first_round,
                of_points=True,
                at=lambda space: ROUNDS,
            ),
        ),
        laws=round_laws,
        room=True,
        table_of_pairs=True,
        memory_per_point=ROUND_BYTES,
        microseconds=lambda dim: ROUND_MICROSECONDS * 1.5 ** (dim - 1),
    ),
    Observable(
        "chains",
        RATIOS,
        chains,
        (
            Quantity(
                "chain_steps",
                "mean number of steps of the longest descending chain from a point, its first step within the ball that holds V points "
                "in the mean",
                "mean",
                x="V",
                curve=True,
                exact=chain_steps,
                of_points=True,
                at=lambda space: VOLUMES,
            ),
            Quantity(
                "chain_tail",
                "share of the points whose longest descending chain, its first step within V = 1, has k steps or more",
                "share",
                x="k",
                curve=True,
                exact=chain_tail,
                of_points=True,
                at=lambda space: STEPS,
            ),
        ),
        laws=chain_laws,
        table_of_pairs=True,
        memory_per_point=CHAIN_BYTES,
        microseconds=lambda dim: CHAIN_MICROSECONDS * 1.8 ** (dim - 1),
    ),
    Observable(
        "window",
        RATIOS,
        window,
        (
            Quantity(
                "window_tail",
                "share of the points, of one in a hundred, whose partner is not decided by the points within r, whatever the others are",
                "share",
                x="r",
                cut="x",
                curve=True,
                at=lambda space: radii_of(space.cutoff),
            ),
        ),
        laws=window_laws,
        flat=True,
        torus=True,
        unfit=window_unfit,
        most_points=WINDOW_POINTS,
        memory_per_point=WINDOW_BYTES,
        microseconds=lambda dim: WINDOW_MICROSECONDS * 2.0 ** (dim - 1),
    ),
)
