"""Observables of a matching as a whole: its points (for pictures), its components, its rounds and its descending chains."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from ....matching.matching import Matching
from ....matching.partner_tables import realization
from ....matching.rounds import rounds
from ....points.descending_chains import chains_within, mean_field_tail
from ....points.geometry import Geometry
from ....rules.rule import Rule
from ....theory.volumes import is_mean_field, unit_ball_volume
from ...tables.tables import NO_X, REALIZATIONS
from ..estimators import CellSample, Estimate, Exact
from .interface import NO_COORDINATES, Columns, MatchingObservable, Quantity, ratio_columns


class Realization(MatchingObservable):
    """The rows of a cell in the table `realizations`."""

    name = "realization"
    needs_all_pairs = False
    table = REALIZATIONS
    bytes_per_point = 60.0
    memory_per_point = 500.0

    def incompatible(self, rule: Rule, space: Geometry) -> str:
        """Return why there is no realization, "" if there is one."""
        return "" if space.has_coordinates else NO_COORDINATES

    def measure(self, matching: Matching) -> Columns:
        """Return points and partners."""
        return realization(matching)


class Components(MatchingObservable):
    """The sizes of the largest components, and the number of all."""

    name = "components"
    needs_all_pairs = False
    quantities = (
        Quantity("largest_component", "fraction of the points in the largest component of the matching as a graph", "share"),
        Quantity("second_component", "fraction of the points in the second largest component", "share"),
        Quantity("component_squares",
                 "sum of the squares of the fractions of all components, that is, the probability that two random points are in the same "
                 "component. It tends to 0 as the torus grows if no component is macroscopic", "share"),
        Quantity("components", "number of components per point", "share"),
    )  # fmt: skip

    def measure(self, matching: Matching) -> Columns:
        """Return sizes over the number of points."""
        n, sizes = len(matching.partners), matching.component_sizes()
        largest, second = [*sizes[:2].tolist(), 0, 0][:2]
        return ratio_columns({
            ("largest_component", NO_X): (largest, n),
            ("second_component", NO_X): (second, n),
            ("component_squares", NO_X): (float((sizes.astype(float) ** 2).sum()) / max(n, 1), n),
            ("components", NO_X): (len(sizes), n),
        })  # fmt: skip


ROUNDS = range(1, 31)  # after each of them the unmatched points are counted


def exact_round_tail(sample: CellSample, estimate: Estimate) -> Exact:
    """Return the fraction of points that are unmatched after the first round; later rounds are not known."""
    known = (
        1 - sample.rule.law.first_round(sample.dim, sample.exact_intensities) if sample.process.uniform else math.nan
    )
    return np.where(estimate.x == 1, known, math.nan)


class Rounds(MatchingObservable):
    """The number of rounds of the matching, and the points unmatched after each of the first 30."""

    name = "rounds"
    needs_capacity = True
    table_of_pairs = True
    memory_per_point = 300.0
    quantities = (
        Quantity("rounds", "number of rounds of the matching; each matches all mutually nearest pairs", "mean"),
        Quantity("round_tail", "fraction of the points that are unmatched after $k$ rounds", "share", x="k",
                 exact=exact_round_tail),
    )  # fmt: skip

    def measure(self, matching: Matching) -> Columns:
        """Return the number of rounds, and of points unmatched after each."""
        table = rounds(matching).reshape(matching.partners.shape)
        first = table[:, 0] if table.size else np.zeros(0, np.int64)
        later = [int(np.count_nonzero((first > k) | (first < 0))) for k in ROUNDS]
        return ratio_columns({
            ("rounds", NO_X): (float(table.max(initial=0)), 1.0),
            **{("round_tail", float(k)): (count, len(table)) for k, count in zip(ROUNDS, later, strict=True)},
        })  # fmt: skip


VOLUMES = tuple(2.0**k for k in range(-3, 4))  # mean number of points within the longest first step
CHAIN_STEPS = range(1, 21)  # numbers of steps at which the tail is measured
solution = cache(mean_field_tail)  # of as many equations as steps, the same for every cell


def exact_chain_tail(sample: CellSample, estimate: Estimate) -> Exact:
    """Return P(at least k steps) for V = 1: for k = 1 in every dimension, and for all k in the mean-field model."""
    if not sample.process.uniform:
        return math.nan
    known = solution(1.0, int(np.max(estimate.x)))[np.asarray(estimate.x, int)]
    return known if is_mean_field(sample.dim) else np.where(estimate.x == 1, known, math.nan)


def exact_steps(sample: CellSample, estimate: Estimate) -> Exact:
    """Return the mean number of steps, known in the mean-field model."""
    if not sample.process.uniform or sample.dim < math.inf:
        return math.nan
    return np.array([solution(float(v), 60)[1:].sum() for v in np.atleast_1d(estimate.x)])


class Chains(MatchingObservable):
    """The sum of steps for each V, and for V = 1 the points whose longest chain has at least k steps."""

    name = "chains"
    table_of_pairs = True
    memory_per_point = 450.0
    quantities = (
        Quantity("chain_steps",
                 "mean number of steps of the longest descending chain from a point whose first step is within a ball that contains $V$ "
                 "points on average", "mean", x="V", exact=exact_steps),
        Quantity("chain_tail",
                 "fraction of the points whose longest descending chain, with first step within $V = 1$, has at least $k$ steps",
                 "share", x="k", exact=exact_chain_tail),
    )  # fmt: skip

    def measure(self, matching: Matching) -> Columns:
        """Return sums of steps and numbers of points. V is for the intensity on this torus."""
        pattern = matching.known_pattern
        space, n = pattern.geometry, len(pattern)
        power = 1 / space.ball_power
        radii = [(v * space.volume / max(n, 1) / unit_ball_volume(space.dim)) ** power for v in VOLUMES]
        steps = dict(zip(VOLUMES, chains_within(pattern, radii), strict=True))
        return ratio_columns({
            **{("chain_steps", v): (int(of_points.sum()), n) for v, of_points in steps.items()},
            **{("chain_tail", float(k)): (int(np.count_nonzero(steps[1.0] >= k)), n) for k in CHAIN_STEPS},
        })  # fmt: skip
