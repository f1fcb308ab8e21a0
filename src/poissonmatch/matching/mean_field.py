"""The matching of a mean-field pattern without a table: drawn with the distances that it needs, in a time linear in n."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..points.pattern import Pattern
from ..rules.rule import MUTUALLY_NEAREST, Rule
from ..utils.errors import BadInput


def by_rings(pattern: Pattern, rule: Rule, rng: Any) -> tuple[np.ndarray, np.ndarray]:
    """(partners, distances) of a matching with the law that the stable matching has for a table of independent exponentials.

    Exact for every rule but those that exclude pairs by their indices, which raise BadInput. engine/rings.py says why.
    """
    from ..engine import mean_field  # here, because numba takes longer to import than all the rest

    n, width = len(pattern), rule.width
    partners, distances = np.full((n, width), -1), np.full((n, width), np.inf)
    volume = pattern.geometry.volume
    if rule.exclude is not None and not rule.bans_nearest:
        raise BadInput(f"without a table of distances only the pairs {MUTUALLY_NEAREST!r} can be excluded")
    if rule.labels:
        living, used = np.arange(n), np.zeros(n, np.uint64)
        mean_field.label_by_rings(rng, volume, rule.labels, living, used, partners, distances)
        return partners, distances
    n_colors = rule.n_colors
    color = pattern.colors.astype(np.int64) if n_colors > 1 else np.zeros(n, np.int64)
    sizes = np.bincount(color, minlength=n_colors)
    members = np.argsort(color, kind="stable")
    capacity = np.broadcast_to(np.array(rule.capacity), n_colors).copy()
    none = np.zeros(n_colors, np.int64)
    if rule.bans_nearest:
        fresh, fresh_sizes, unfresh, open_sizes, mate = members, sizes, np.zeros_like(members), none, np.full(n, -1)
    else:
        fresh, fresh_sizes, unfresh, open_sizes, mate = (
            np.zeros(0, np.int64),
            none,
            members,
            sizes,
            np.zeros(0, np.int64),
        )
    mean_field.match_by_rings(
        rng, volume, rule.matrix(), capacity, np.concatenate([[0], np.cumsum(sizes)]),
        fresh, fresh_sizes, unfresh, open_sizes, mate, np.zeros(n, np.int64), partners, distances,
    )  # fmt: skip
    return partners, distances
