"""`match`, the same for many small sets of points, and the engine's task for a pattern and a rule."""

from __future__ import annotations

import itertools
import math
import time
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.grids import points_per_cell_in
from ..points.pattern import Pattern, as_pattern
from ..rules.catalogue import rule_named
from ..rules.rule import MUTUALLY_NEAREST, Rule
from ..utils.errors import BadInput
from ..utils.immutable import as_immutable
from ..utils.validation import check_rng, check_threads
from .matching import TOLERANCE, Matching, check_capacity, check_max_distance, within

if TYPE_CHECKING:
    from ..engine import phases


MAX_COLOR = 255  # largest number of a color: colors are uint8
MIN_COLUMNS = 16  # of a rule of more partners, so that small samples have tables of one shape
LONG = 3600.0  # seconds from which work is announced
POINT_SECONDS, ROW_SECONDS = 4e-7, 3e-8  # of a point on a core of 2.5 GHz, and of each row of cells around it


class Input(NamedTuple):
    """The input of a matching besides the places of the points."""

    colors: np.ndarray | None  # (n,) uint8, or None for one color
    compatible: np.ndarray  # (C, C) bool
    counts: np.ndarray  # (C,) points of each color
    width: int  # largest number of partners


def input_of(pattern: Pattern, rule: Rule, capacity: np.ndarray | None) -> Input:
    """Return the input of a matching. Raises BadInput for a color unknown to the rule.

    Points of capacity 0 get a separate color, which is compatible with none.
    """
    n, compatible = len(pattern), rule.matrix()
    width, few = (rule.width, MIN_COLUMNS) if capacity is None else (int(capacity.max(initial=1)), 1)
    if not rule.labels:
        width = max(1, min(width, max(n - 1, few)))  # there are no more partners
    colors, counts = None, np.array([n])
    if rule.n_colors > 1:
        colors, counts = pattern.colors, pattern.count(rule.n_colors)
    if len(counts) > rule.n_colors:
        row = int(np.argmax(pattern.colors >= rule.n_colors))
        raise BadInput(
            f"colors, row {row}: color {pattern.colors[row]} is unknown to a rule of {rule.n_colors} colors"
            + color_remedy(counts, rule.n_colors, pattern.color_names)
        )
    if capacity is not None and not capacity.all():
        if len(compatible) > MAX_COLOR:
            raise BadInput(f"a capacity of 0 needs a rule of at most {MAX_COLOR} colors, got {len(compatible)}")
        active_colors = 0 if colors is None else colors
        colors = as_immutable(np.where(capacity > 0, active_colors, len(compatible)).astype(np.uint8))
        compatible = np.pad(compatible, (0, 1))
        counts = np.bincount(colors, minlength=len(compatible))
    return Input(colors, compatible, counts, width)


def color_remedy(counts: np.ndarray, n_colors: int, names: tuple[str, ...] | None) -> str:
    """Return the remedy for more colors than a rule or a study has, as the end of a message; "" if none is known.

    counts: the number of points of each color.
    """
    used = np.flatnonzero(counts)
    if names is not None and len(used) <= n_colors:
        return f"; without those that no point has they are color_names={[names[k] for k in used]}"
    if names is not None:
        return f"; the colors are {', '.join(names[k] for k in used)}: keep the points of some, as in pattern[mask]"
    return "; colors are counted from 0: subtract 1" if counts[0] == 0 and len(counts) == n_colors + 1 else ""


def task_of(pattern: Pattern, rule: Rule, capacity: np.ndarray | None, threads: int) -> phases.Task:
    """Return the engine's task for a pattern and a rule.

    Raises BadInput for colors or excluded pairs that do not fit.
    """
    from ..engine import phases

    threads = check_threads(threads)
    n, inputs = len(pattern), input_of(pattern, rule, capacity)
    points, table = pattern.embedded, None
    if not pattern.geometry.has_coordinates:
        points, table = np.zeros((n, 1)), pattern.points
    task = phases.Task(
        points=points,
        colors=inputs.colors,
        sides=pattern.metric.periods,
        compatible=inputs.compatible,
        starter=vertex_cover(inputs.compatible, inputs.counts),
        counts=inputs.counts,
        table=table,
        misere=rule.bans_nearest,
        width=inputs.width,
        labels=rule.labels,
        threads=threads,
    )
    if capacity is not None or not rule.plain:
        remaining = 2**rule.labels - 1 if rule.labels else _capacities(pattern, rule, capacity)
        task.remaining = np.full(n, remaining, np.uint64)
    if rule.excludes_by_index:
        task.excluded_start, task.excluded = _excluded(rule.pairs, n)
    return task


def _capacities(pattern: Pattern, rule: Rule, capacity: np.ndarray | None) -> np.ndarray:
    return rule.capacities(pattern.colors) if capacity is None else capacity


def _excluded(pairs: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the excluded pairs for the engine: first excluded partner of each point, (n + 1,), and the partners."""
    bad = ((pairs < 0) | (pairs >= n)).any(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise BadInput(f"exclude, row {row}: {pairs[row].tolist()} is not a pair of the {n} points, counted from 0")
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    return np.searchsorted(both[:, 0], np.arange(n + 1)), np.ascontiguousarray(both[:, 1])


def vertex_cover(compatible: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return colors, (C,) bool, that cover every compatible pair and have few points; beyond 12 all that may match."""
    if len(compatible) == 1:
        return compatible[0]
    if len(compatible) > 12:
        return np.asarray(compatible.any(axis=1))
    covers = _covers(compatible.tobytes(), len(compatible))
    return covers[(covers @ counts).argmin()]


@lru_cache
def _covers(compatible: bytes, n_colors: int) -> np.ndarray:
    """Return all sets of colors that cover every compatible pair, (k, C) bool, the smaller ones first."""
    pairs = np.frombuffer(compatible, bool).reshape(n_colors, n_colors)
    colors = range(n_colors)
    sets = (np.isin(colors, c) for size in range(n_colors + 1) for c in itertools.combinations(colors, size))
    return np.array([cover for cover in sets if not (pairs & ~cover[:, None] & ~cover[None, :]).any()])


def _match_without_table(
    pattern: Pattern, rule: Rule, capacity: np.ndarray | None, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Return partners and distances, (n, width), with the law of a mean-field matching for independent exponentials.

    Exact for every rule but those that exclude pairs by their indices, and labels with colors,
    which raise BadInput. See engine/mean_field.py.
    """
    from ..engine import mean_field

    inputs = input_of(pattern, rule, capacity)
    if rule.excludes_by_index:
        raise BadInput(f"without a table of distances only the pairs {MUTUALLY_NEAREST!r} can be excluded")
    if rule.labels and not (rule.exclude is None and rule.matrix().all()):
        raise BadInput("without a table of distances, labels are for rules under which any two points may be matched")
    n, volume = len(pattern), pattern.geometry.volume
    partners, distances = np.full((n, inputs.width), -1), np.full((n, inputs.width), np.inf)
    if rule.labels:
        active, used = np.arange(n), np.zeros(n, np.uint64)
        mean_field.label_mean_field(rng, volume, rule.labels, active, used, partners, distances)
    else:
        sizes = inputs.counts.astype(np.int64)  # a copy, which the kernel changes
        start, none = np.append(0, np.cumsum(sizes)), np.zeros_like(sizes)
        members = np.arange(n) if inputs.colors is None else np.argsort(inputs.colors, kind="stable")
        all_points = mean_field.Lists(start, sizes, members)
        no_points = mean_field.Lists(start, none, np.zeros_like(members))
        silent, open_ = (all_points, no_points) if rule.bans_nearest else (no_points, all_points)
        first = np.full(n if rule.bans_nearest else 0, -1)
        result = mean_field.Partners(partners, distances, np.zeros(n, np.int64), first)
        capacities = _capacities(pattern, rule, capacity).copy()  # of the type that is compiled
        mean_field.match_mean_field(rng, volume, inputs.compatible, capacities, silent, open_, result)
    return {"partners": as_immutable(partners), "distances": as_immutable(distances)}


def point_seconds(dim: float, size: float) -> float:
    """Return the rough time of each of `size` uniform points, with one partner a point.

    A search looks at min(3, m)^(d - 1) rows of cells, where m is the number of cells along an axis.
    So the time of a point grows until m = 3, that is up to 1.5 * 3^d points.
    """
    if dim == math.inf:
        return POINT_SECONDS
    cells = max(1.0, (size / points_per_cell_in(int(dim))) ** (1 / dim))
    return POINT_SECONDS + ROW_SECONDS * min(3.0, cells) ** (dim - 1)


def warn_if_long(seconds: float, what: str) -> None:
    """Warn of work that is predicted to take longer than LONG."""
    if seconds > LONG:
        warnings.warn(f"{what} may take about {seconds / 3600:.2g} hours", RuntimeWarning, stacklevel=3)


def compile_seconds(work: Callable[[], object]) -> float:
    """Call a function and return its processor time, or 0 if no kernels were compiled for it."""
    from ..engine.jit import compilations

    with compilations() as events:
        start = time.process_time()
        work()
        return time.process_time() - start if events else 0.0


def match(
    pattern: Pattern,
    rule: str | Rule = "one-color",
    *,
    capacity: Any = None,
    threads: int = 1,
    rng: Any = None,
    max_distance: float | None = None,
) -> Matching:
    """Return the stable matching of a pattern under a rule.

    Allowed pairs are visited in increasing order of distance, and matched if both points have
    remaining capacity. Ties go to the smaller index, then to the smaller partner index, so the
    result is unique (Deijfen, Holroyd, Martin 2016, Prop. 2, for one color). Distances are equal if
    their squares are equal as float64 numbers; on a grid (see Pattern) these are exact.

    On Poisson points the time is linear in the number of points n; other points take longer (see
    "How fast" in the documentation). A search looks at up to 3^(d - 1) rows of cells, so the time
    of a point triples with each further dimension. In d > 6 it also grows with n up to about 1.5 *
    3^d points (d = 8: like n^1.7). A RuntimeWarning is issued if more than an hour is predicted.

    Parameters
    ----------
    pattern : Pattern
        The n points, their colors and their geometry.
    rule : str or Rule, optional
        A key of RULES, "multi(m)", "labels(K)", "custom(11/10; 1,2)" (rows of `compatible`;
        capacities), or a Rule; by default "one-color".
    capacity : (n,) array_like of int, optional
        Maximal number of partners of each point, at least 0, instead of those that the rule gives
        its color, which is the default. Not for rules with labels.
    threads : int, optional
        From 1 to 4096, by default 1; the result does not depend on it. No more are started than
        have enough points, or than twice the number of cores.
    rng : NumPy generator or seed, optional
        Required for mean-field patterns without a distance table; not accepted otherwise.
    max_distance : float, optional
        Largest distance of a pair, above 0, by default none. The matching consists of the pairs of
        the whole matching up to this distance; with one thread the engine does not search beyond.

    Returns
    -------
    Matching
        The partner of each point, -1 if it has none, and its distance in the unit of the side, inf
        if it has none; for rules with several partners, one column for each, at most max(n - 1, 16).

    Raises
    ------
    ValueError
        If the rule is unknown, the pattern is not a Pattern or has colors unknown to the rule,
        capacity or exclude does not fit, or max_distance is not a number above 0.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], [0, 1, 1, 1], pm.Torus(10.0, 1))
    >>> pm.match(pattern).partner, pm.match(pattern, "two-color").partner
    (array([1, 0, 3, 2]), array([ 1,  0, -1, -1]))
    >>> pm.match(pattern, "multi(2)").partner.tolist()
    [[1, 2], [0, 2], [1, 0], [-1, -1]]

    With a capacity for each point:

    >>> pm.match(pattern, capacity=[1, 2, 0, 1]).partner.tolist()
    [[1, -1], [0, 3], [-1, -1], [1, -1]]
    """
    from ..engine import jit, phases  # here, because numba takes longer to import than all the rest

    jit.announcement.rule = rule if isinstance(rule, str) else "a rule"
    rule = rule_named(rule)
    geometry = as_pattern(pattern).geometry
    if capacity is not None:
        capacity = check_capacity(capacity, len(pattern), rule)
    max_distance = check_max_distance(max_distance)
    if not geometry.has_distances:
        if rng is None:
            raise BadInput("a mean-field pattern without a table is matched with an rng, which draws the distances")
        whole = _match_without_table(pattern, rule, capacity, check_rng(rng))
        arrays = {name: as_immutable(within(whole[name], whole["distances"], max_distance)) for name in whole}
        return Matching._of(rule, pattern, capacity, max_distance=max_distance, **arrays)
    if rng is not None:
        raise BadInput(
            "rng is for a mean-field pattern without a table: the points of this one determine all distances"
        )
    task = task_of(pattern, rule, capacity, threads)
    n, dim = len(pattern), geometry.dim
    warn_if_long(n * point_seconds(dim, n), f"matching {n} points in dimension {dim:g}")
    if max_distance < math.inf:
        task.max_distance = float(pattern.metric.chord(max_distance)) * (1 + TOLERANCE)
    return Matching._of(rule, pattern, capacity, max_distance=max_distance, _result=phases.run(task))


# ---- many small sets, each matched by itself, in few compiled calls ----


class MatchedSets(NamedTuple):
    """The matchings of sets: points ends[s] <= i < ends[s + 1] of a pattern are those of set s."""

    rule: Rule
    pattern: Pattern
    ends: np.ndarray  # (S + 1,)
    partners: np.ndarray  # (n, m): indices in the set, -1 for none
    distances: np.ndarray  # (n, m), inf for none

    def matchings(self) -> Iterator[Matching]:
        """Yield the matching of each set, with its points."""
        for s, (first, end) in enumerate(zip(self.ends[:-1].tolist(), self.ends[1:].tolist(), strict=True)):
            partners, distances = (as_immutable(a[first:end].copy()) for a in (self.partners, self.distances))
            pattern = self.pattern.part_of(self.ends, s)
            yield Matching._of(self.rule, pattern, None, partners=partners, distances=distances)


def match_sets(pattern: Pattern, ends: np.ndarray, rule: str | Rule) -> MatchedSets:
    """Return the stable matching of each set under a rule without pairs of indices; sets with long searches one by one."""
    from ..engine import jit, phases

    jit.announcement.rule = rule if isinstance(rule, str) else "a rule"
    rule = rule_named(rule)
    result, done = phases.run_sets(task_of(pattern, rule, None, 1), ends)
    partners, is_alone = result.partners, np.isinf(result.distances)
    distances = np.where(is_alone, np.inf, pattern.metric.arc(result.distances))
    partners -= np.repeat(ends[:-1], np.diff(ends))[:, None]
    partners[is_alone] = -1
    for s in np.flatnonzero(~done).tolist():
        matching, own = match(pattern.part_of(ends, s), rule), slice(ends[s], ends[s + 1])
        partners[own], distances[own] = matching.partners, matching.distances
    return MatchedSets(rule, pattern, ends, partners, as_immutable(distances))
