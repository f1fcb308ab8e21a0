"""`match`, and the engine's task for a pattern and a rule."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from ..points.pattern import Pattern, as_pattern
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..utils.errors import BadInput
from ..utils.validation import check_rng, check_threads
from .duration import warn_if_long
from .matching import Matching
from .mean_field import match_without_table

if TYPE_CHECKING:
    from ..engine import phases


def counts_of(pattern: Pattern, rule: Rule) -> np.ndarray:
    """Return the number of points of each color that the rule distinguishes. Raises BadInput for an unknown color."""
    if rule.n_colors == 1:
        return np.array([len(pattern)])
    counts = pattern.count(rule.n_colors)
    if len(counts) > rule.n_colors:
        row = int(np.argmax(pattern.colors >= rule.n_colors))
        raise BadInput(f"colors, row {row}: color {pattern.colors[row]} is unknown to a rule of {rule.n_colors} colors")
    return counts


def task_of(pattern: Pattern, rule: Rule, threads: int) -> phases.Task:
    """Return the engine's task for a pattern and a rule. Raises BadInput for colors or excluded pairs that do not fit."""
    from ..engine import phases

    threads = check_threads(threads)
    n, compatible, counts = len(pattern), rule.matrix(), counts_of(pattern, rule)
    colors = pattern.colors if len(compatible) > 1 else None
    points, table = pattern.embedded, None
    if not pattern.geometry.has_coordinates:
        points, table = np.zeros((n, 1)), pattern.points
    task = phases.Task(
        points=points,
        colors=colors,
        sides=pattern.geometry.periods,
        compatible=compatible,
        starter=vertex_cover(compatible, counts),
        counts=counts,
        table=table,
        misere=rule.bans_nearest,
        width=rule.width,
        labels=rule.labels,
        threads=threads,
    )
    if not rule.plain:
        remaining = 2**rule.labels - 1 if rule.labels else rule.capacities(pattern.colors)
        task.remaining = np.broadcast_to(np.asarray(remaining, np.uint64), n).copy()
    if rule.exclude is not None and not task.misere:
        task.excluded_start, task.excluded = _excluded(rule.pairs, n)
    return task


def _excluded(pairs: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the excluded pairs for the engine: the first excluded partner of each point, (n + 1,), and the partners."""
    bad = ((pairs < 0) | (pairs >= n)).any(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise BadInput(f"exclude, row {row}: {pairs[row].tolist()} is not a pair of the {n} points")
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    return np.searchsorted(both[:, 0], np.arange(n + 1)), np.ascontiguousarray(both[:, 1])


def vertex_cover(compatible: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return colors, (C,) bool, such that every compatible pair has one of them, with few points; beyond 12 colors all that may match."""
    colors = range(len(compatible))
    useful = np.asarray(compatible.any(axis=1))
    if len(compatible) > 12:
        return useful
    covers = (np.isin(colors, c) for size in range(len(compatible) + 1) for c in itertools.combinations(colors, size))
    valid = [cover for cover in covers if not (compatible & ~cover[:, None] & ~cover[None, :]).any()]
    return np.asarray(min(valid, key=lambda cover: int(counts[: len(compatible)][cover].sum())))


def match(pattern: Pattern, rule: str | Rule = "one-color", *, threads: int = 1, rng: Any = None) -> Matching:
    """Return the stable matching of a pattern under a rule.

    Allowed pairs are visited in increasing order of distance, and matched if both points have remaining capacity. Ties go to the smaller
    index, then to the smaller partner index, so the result is unique (Deijfen, Holroyd, Martin 2016, Prop. 2, for one color).

    On Poisson points the time is linear in the number of points n; other points take longer (see "How fast" in the documentation). A
    search looks at up to 3^(d - 1) rows of cells, so the time of a point triples with each further dimension. In d > 6 it also grows
    with n up to about 1.5 * 3^d points (d = 8: like n^1.7). A RuntimeWarning is issued if more than an hour is predicted.

    Parameters
    ----------
    pattern : Pattern
    rule : str or Rule, optional
        A key of RULES, "multi(m)", "labels(K)", "custom(11/10; 1,2)" (rows of `compatible`; capacities), or a Rule.
    threads : int, optional
        From 1 to 4096; the result does not depend on it. No more are started than have enough points, or than twice the number of cores.
    rng : NumPy generator or seed, optional
        Required for mean-field patterns without a distance table; not accepted otherwise.

    Raises
    ------
    ValueError
        If the rule is unknown, the pattern is not a Pattern or has colors unknown to the rule, or capacity or exclude does not fit.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], [0, 1, 1, 1], pm.Torus(10.0, 1))
    >>> pm.match(pattern).partner, pm.match(pattern, "two-color").partner
    (array([1, 0, 3, 2]), array([ 1,  0, -1, -1]))
    >>> pm.match(pattern, "multi(2)").partner.tolist()
    [[1, 2], [0, 2], [1, 0], [-1, -1]]
    """
    from ..engine import phases  # here, because numba takes longer to import than all the rest

    rule = rule_named(rule)
    geometry = as_pattern(pattern).geometry
    if not geometry.has_distances:
        if rng is None:
            raise BadInput("a mean-field pattern without a table is matched with an rng, which draws the distances")
        counts_of(pattern, rule)
        return Matching.__new__(Matching)._hold(*match_without_table(pattern, rule, check_rng(rng)), rule, pattern)
    if rng is not None:
        raise BadInput(
            "rng is for a mean-field pattern without a table: the points of this one determine all distances"
        )
    task = task_of(pattern, rule, threads)
    warn_if_long(geometry.dim, len(pattern))
    return Matching._found(phases.run(task), rule, pattern)
