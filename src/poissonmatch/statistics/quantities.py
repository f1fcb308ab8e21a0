"""The quantities of the table `estimates`, one entry for each observable: meaning, exact value, estimator, consistency checks.

The table of quantities in results/README.md, the estimates, the checks of tables and the report come from these entries. No block depends
on them.
"""

from __future__ import annotations

from ..theory.finite_size import MAX_GREEN, MAX_SHIFT, MIN_UNMATCHED, SIZE_FACTOR
from . import (
    balls,
    estimators,
    exact_values,
    flips,
    flow,
    locality,
    measures,
    observable_checks,
    ratio_checks,
    responses,
    survivor_pairs,
    volume_curves,
)
from .quantity import Estimation, Quantity

ESTIMATIONS: dict[str, Estimation] = {e.observable: e for e in (
    Estimation("unmatched", (
        Quantity("unmatched_fraction", "unmatched fraction $u$ of the points of the color", "share",
                 exact=exact_values.unmatched_fraction, exact_torus=exact_values.unmatched_fraction_on_torus),
        Quantity("unmatched_density", "unmatched points of the color per unit volume", "mean",
                 exact=exact_values.unmatched_density, exact_torus=exact_values.unmatched_density_on_torus),
        Quantity("log_inverse_unmatched", r"$\ln(1/u)$, where $u$ is the unmatched fraction; no row if $u = 0$", "real", curve=True,
                 exact=exact_values.log_inverse_unmatched),
        Quantity("size_converged",
                 "1 if finite-size effects on the unmatched fraction of the reference color of the rule (red) are negligible, else 0. "
                 f"Conditions: at least {MIN_UNMATCHED:g} unmatched red points per torus, at most {MAX_GREEN:g} unmatched points of the "
                 "other color for each of them, the longest pair, on average over the tori, shorter than a quarter of the side (in $d = 1$, a fifth), "
                 f"and a difference of at most {MAX_SHIFT:g} standard deviations of one torus from tori with 1/{SIZE_FACTOR:g} of the points",
                 "share"),
        Quantity("mean_distance",
                 "mean partner distance of the matched points; if it is infinite in infinite volume, the row has a note and no error",
                 "mean"),
    ), estimators.unmatched, observable_checks.moments),
    Estimation("distances", (
        Quantity("tail", "$P(X > r)$, where $X$ is the partner distance, infinite if unmatched", "share", x="r", cut="x", curve=True,
                 exact=exact_values.tail),
        Quantity("scaled_tail", "$V P(X > r)$, where $V$ is the expected number of points of all colors in a ball of radius $r$", "mean", x="r",
                 cut="x", curve=True, exact=exact_values.scaled_tail),
        Quantity("tail_exponent", r"local exponent $d \ln P(X > r) / d \ln r$, over a fifth of a decade", "real", x="r", cut="x",
                 curve=True, exact=exact_values.tail_exponent),
        Quantity("quantile", "the $r$ with $P(X > r) = 1 - q$", "mean", x="q", cut="value"),
        Quantity("red_green_ratio",
                 r"$\epsilon = R / G$ of a fussy matching, where $R$ and $G$ are the intensities of the red and green points with $X > r$; "
                 "$V$ is the expected number of green points within $r$", "mean", x="V", curve=True, exact=exact_values.red_green_ratio),
        Quantity("ratio_excess", r"$\epsilon - \rho$, where $\rho$ is the ratio of the intensities of red and green points", "real", x="V", curve=True,
                 exact=exact_values.ratio_excess),
        Quantity("red_surplus", "$(R - G) / R(0)$, at every $V$ a lower bound of the unmatched fraction $u$ of red points; "
                 "the tail of the red points is an upper bound",
                 "real", x="V", curve=True, exact=exact_values.red_surplus),
        Quantity("ratio_slope", r"$d \ln \epsilon / d \ln V$, over a factor of about 2 in $V$", "real", x="V", curve=True,
                 exact=exact_values.ratio_slope),
        Quantity("collapse", r"$(d \ln \epsilon / d \ln V)^2 / (\epsilon - \rho)$, if its relative error is at most 1/2", "mean", x="V", curve=True,
                 exact=exact_values.collapse),
    ), flow.of_distances, observable_checks.histogram),
    Estimation("realization", checks=observable_checks.realization),
    Estimation("winner", (
        Quantity("alice_wins", "share of the tori on which Alice wins the game that the rule solves: friendly (one-color), "
                 "colored-points (two-color), fussy, misere, stones(k) (multi(k + 1))", "proportion",
                 exact=exact_values.alice_wins),
        Quantity("incomplete_fraction", "share of incomplete points, which have fewer partners than their capacity", "share", of_points=True),
        Quantity("n_unmatched", "share of the tori with exactly $x$ incomplete points", "proportion", x="0, 1, 2"),
    ), checks=ratio_checks.winner),
    Estimation("desirers", (
        Quantity("desirers",
                 "mean number of points within $r$ that desire a point, which means that they may be matched to it and are at most as "
                 "far from it as from their partners", "mean", x="r", curve=True, of_points=True,
                 at=lambda space: measures.radii_of(space.cutoff)),
    )),
    Estimation("balls", (
        Quantity("outside",
                 "share of the points of a ball of radius $r$ (two-color: of the first color) that have no partner in the ball",
                 "share", x="r", cut="x", curve=True, exact=exact_values.outside, at=lambda space: balls.radii_of(space.cutoff)),
        *(Quantity(f"farther_than_{k}r",
                   f"share of the balls of radius $r$ that contain a point (two-color: of the first color) without a partner within ${k} r$ of "
                   "the center; it shows how far Bob must go if Alice is confined to the ball",
                   "share", x="r", cut="x", curve=True, at=lambda space: balls.radii_of(space.cutoff)) for k in balls.TIMES),
    ), checks=ratio_checks.balls),
    Estimation("response", (
        Quantity("response",
                 r"$Y(V) = P(X \le r < X') / P(X > r)$, where $X$ is the partner distance of a point and $X'$ its partner distance if its own "
                 "pair, and no other, is forbidden; $V$ is the expected number of points within $r$", "mean", x="V", curve=True, exact=exact_values.response,
                 at=responses.volumes_of),
        Quantity("response_slope", r"$d Y / d \ln V$, computed as $(Y(2 V) - Y(V / 2)) / \ln 4$", "real", x="V", curve=True,
                 exact=exact_values.response_slope),
    ), volume_curves.response, ratio_checks.response),
    Estimation("survivor_pairs", (
        Quantity("survivor_pairs",
                 "$N(r)$, the mean number of red points (color 1, which may not be matched to each other) with $X > r$ within $r$ of "
                 "a red point with $X > r$; $V$ is the expected number of green points within $r$", "mean", x="V", curve=True,
                 at=survivor_pairs.grid),
    ), volume_curves.survivor_pairs, ratio_checks.survivor_pairs),
    Estimation("flip", (
        Quantity("flip_excess",
                 r"$\epsilon - \rho$ computed as $R' / G$ by the flip identity, where $R'$ is the intensity of the red points with $X > r$ within "
                 "$r$ of a red point that is nearer to them than to its partner; for Poisson processes it has the same mean as ratio_excess "
                 "and a smaller error", "mean", x="V", curve=True,
                 exact=exact_values.ratio_excess, at=flips.grid),
    ), volume_curves.flip, ratio_checks.flip),
    Estimation("octaves", (
        Quantity("log_inverse_octaves",
                 r"$\ln(1/u)$, where the survivors of a torus are followed octave by octave with delayed colors (see the page on the open "
                 "problem), at a cost proportional to this number; its bias is not in the error; no row if the survivors of a torus became too few",
                 "real", exact=exact_values.log_inverse_unmatched),
    ), estimators.octaves, ratio_checks.octaves),
    Estimation("components", (
        Quantity("largest_component", "share of the points in the largest component of the matching as a graph", "share",
                 of_points=True),
        Quantity("second_component", "share of the points in the second largest component", "share", of_points=True),
        Quantity("component_squares",
                 "sum of the squares of the shares of all components, which is the probability that two random points are in the same one; "
                 "it tends to 0 as the torus grows if no component is macroscopic", "share"),
        Quantity("components", "number of components per point", "share", of_points=True),
    ), checks=ratio_checks.component_fractions),
    Estimation("rounds", (
        Quantity("rounds", "number of rounds of the matching; each matches all mutually nearest pairs", "mean"),
        Quantity("round_tail", "share of the points that are unmatched after $k$ rounds", "share", x="k", curve=True,
                 exact=exact_values.round_tail, of_points=True, at=lambda space: locality.ROUNDS),
    ), checks=ratio_checks.rounds),
    Estimation("chains", (
        Quantity("chain_steps",
                 "mean number of steps of the longest descending chain from a point whose first step is within a ball that contains $V$ "
                 "points on average", "mean", x="V", curve=True, exact=exact_values.chain_steps, of_points=True,
                 at=lambda space: locality.VOLUMES),
        Quantity("chain_tail",
                 "share of the points whose longest descending chain, with first step within $V = 1$, has at least $k$ steps",
                 "share", x="k", curve=True, exact=exact_values.chain_tail, of_points=True, at=lambda space: locality.STEPS),
    ), checks=ratio_checks.chains),
    Estimation("window", (
        Quantity("window_tail",
                 "share of the points (one in a hundred is measured) whose partner is not determined by the points within $r$", "share",
                 x="r", cut="x", curve=True, at=lambda space: measures.radii_of(space.cutoff)),
    ), checks=ratio_checks.window),
)}  # fmt: skip


def quantities() -> dict[str, Quantity]:
    """Return all quantities by name, in the order of the entries."""
    return {q.name: q for e in ESTIMATIONS.values() for q in e.quantities}


def markdown() -> str:
    """Return the table of quantities in results/README.md."""
    rows = [f"| `{q.name}` | {q.x} | {q.meaning} |" for q in quantities().values()]
    return "\n".join(["| quantity | x | value |", "|---|---|---|", *rows]).replace("|  |", "| |")
