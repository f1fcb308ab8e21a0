"""The matching of a mean-field pattern without a table, drawn with the distances that it needs, in linear time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..points.pattern import Pattern
from ..rules.rule import MUTUALLY_NEAREST, Rule
from ..utils.errors import BadInput


def match_without_table(pattern: Pattern, rule: Rule, rng: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return (partners, distances), (n, width) each, with the law of the stable matching for a table of independent exponentials.

    Exact for every rule but those that exclude pairs by their indices, which raise BadInput. See engine/mean_field.py.
    """
    from ..engine import mean_field  # here, because numba takes longer to import than all the rest

    n, width = len(pattern), rule.width
    partners, distances = np.full((n, width), -1), np.full((n, width), np.inf)
    volume = pattern.geometry.volume
    if rule.exclude is not None and not rule.bans_nearest:
        raise BadInput(f"without a table of distances only the pairs {MUTUALLY_NEAREST!r} can be excluded")
    if rule.labels:
        active, used = np.arange(n), np.zeros(n, np.uint64)
        mean_field.label_mean_field(rng, volume, rule.labels, active, used, partners, distances)
        return partners, distances
    n_colors = rule.n_colors
    color = pattern.colors.astype(np.int64) if n_colors > 1 else np.zeros(n, np.int64)
    sizes = np.bincount(color, minlength=n_colors)
    start = np.concatenate([[0], np.cumsum(sizes)])
    every = mean_field.Lists(start, sizes, np.argsort(color, kind="stable"))
    capacity = np.broadcast_to(np.array(rule.capacity), n_colors).copy()
    none = np.zeros(n_colors, np.int64)
    if rule.bans_nearest:
        silent, open_, first = every, mean_field.Lists(start, none, np.zeros_like(every.members)), np.full(n, -1)
    else:
        silent, open_, first = mean_field.Lists(start, none, np.zeros(0, np.int64)), every, np.zeros(0, np.int64)
    result = mean_field.Partners(partners, distances, np.zeros(n, np.int64), first)
    mean_field.match_mean_field(rng, volume, rule.matrix(), capacity, silent, open_, result)
    return partners, distances
