"""What the engine is told of a pattern and a rule."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from .errors import BadInput
from .geometry import MeanField
from .given import whole
from .pattern import Pattern
from .rules import Rule

if TYPE_CHECKING:
    from .engine import phases


def counts_of(pattern: Pattern, rule: Rule) -> np.ndarray:
    """Number of points of each color that the rule tells apart. Raises BadInput for a color that it does not know."""
    if rule.n_colors == 1:
        return np.array([len(pattern)])
    counts = pattern.count(rule.n_colors)
    if len(counts) > rule.n_colors:
        row = int(np.argmax(pattern.colors >= rule.n_colors))
        raise BadInput(f"colors, row {row}: color {pattern.colors[row]} is unknown to a rule of {rule.n_colors} colors")
    return counts


def task_of(pattern: Pattern, rule: Rule, threads: int) -> phases.Task:
    """What the engine is told of a pattern and a rule. Raises BadInput for colors or excluded pairs that do not fit."""
    from .engine import phases

    threads = whole("threads", threads, 1)
    n, reach, counts = len(pattern), rule.matrix(), counts_of(pattern, rule)
    colors = pattern.colors if len(reach) > 1 else None
    metric = isinstance(pattern.geometry, MeanField)
    points, sides = (np.zeros((n, 1)), np.array([np.inf])) if metric else pattern.scaled()
    task = phases.Task(
        points=points,
        colors=colors,
        sides=sides,
        reach=reach,
        starter=vertex_cover(reach, counts),
        counts=counts,
        table=pattern.points if metric else None,
        misere=rule.bans_nearest,
        width=rule.width,
        labels=rule.labels,
        threads=threads,
    )
    if not rule.plain:
        room = 2**rule.labels - 1 if rule.labels else np.array(rule.capacity, np.uint64)
        task.room = np.broadcast_to(
            np.uint64(room) if rule.labels else room[pattern.colors if len(room) > 1 else 0], n
        ).copy()
    if rule.exclude is not None and not task.misere:
        task.banned_start, task.banned = _banned(rule.pairs, n)
    return task


def _banned(pairs: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Excluded pairs, as the engine takes them: the first banned partner of each point, and the partners."""
    bad = ((pairs < 0) | (pairs >= n)).any(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise BadInput(f"exclude, row {row}: {pairs[row].tolist()} is not a pair of the {n} points")
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    return np.searchsorted(both[:, 0], np.arange(n + 1)), np.ascontiguousarray(both[:, 1])


def vertex_cover(reach: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Colors such that every allowed pair has one of them, and few points do; beyond 12 colors, all that can match."""
    colors = range(len(reach))
    useful = np.asarray(reach.any(axis=1))
    if len(reach) > 12:
        return useful
    covers = (np.isin(colors, c) for size in range(len(reach) + 1) for c in itertools.combinations(colors, size))
    valid = [cover for cover in covers if not (reach & ~cover[:, None] & ~cover[None, :]).any()]
    return np.asarray(min(valid, key=lambda cover: int(counts[: len(reach)][cover].sum())))
