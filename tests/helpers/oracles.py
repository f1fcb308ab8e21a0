"""Slow, obvious twins of the engine. They share no code with the package; they read the pattern and the rule's data."""

from __future__ import annotations

import itertools

import numpy as np


def pair_list(pattern):
    """All pairs i < j as (squared distance, i, j), in the order of matching; with a table: (distance, i, j)."""
    points, side = pattern.points, getattr(pattern.geometry, "side", None)
    n = len(points)
    i, j = np.triu_indices(n, 1)
    if side is None:  # the mean-field model
        key = points[i, j]
    else:
        key = np.zeros(len(i))
        for axis, length in enumerate(np.broadcast_to(side, pattern.geometry.dim).tolist()):
            gap = np.abs(points[i, axis] - points[j, axis])
            gap = np.where(length - gap < gap, length - gap, gap)
            key = key + gap * gap
    order = np.lexsort((j, i, key))
    return list(zip(key[order].tolist(), i[order].tolist(), j[order].tolist(), strict=True))


def integer_pairs(whole, side=None):
    """All pairs of points with whole coordinates as (squared distance, i, j), in Python integers; side: of a torus."""

    def square(a, b):
        gaps = [abs(int(x) - int(y)) for x, y in zip(a, b, strict=True)]
        return sum((gap if side is None else min(gap, side - gap)) ** 2 for gap in gaps)

    return sorted((square(whole[i], whole[j]), i, j) for i, j in itertools.combinations(range(len(whole)), 2))


def first_pairs(pairs):
    """The pairs that come first in the order of both their points: the mutually nearest ones."""
    first = {}
    for _, i, j in pairs:
        first.setdefault(i, (i, j))
        first.setdefault(j, (i, j))
    return {pair for pair in first.values() if first[pair[0]] == first[pair[1]] == pair}


def allowed_pairs(pattern, rule, pairs):
    """The pairs of the list that the rule allows."""
    banned = set()
    if isinstance(rule.exclude, str):
        banned = first_pairs(pairs)
    elif rule.exclude is not None:
        banned = {(min(a, b), max(a, b)) for a, b in np.asarray(rule.exclude).reshape(-1, 2).tolist()}
    compatible, colors = np.asarray(rule.compatible, bool), pattern.colors
    colors = colors if len(compatible) > 1 else np.zeros_like(colors)
    allowed = compatible[colors[:, None], colors].tolist()
    return [(key, i, j) for key, i, j in pairs if allowed[i][j] and (i, j) not in banned]


def capacities(pattern, rule):
    if len(rule.capacity) == 1:
        return [rule.capacity[0]] * len(pattern)
    return [rule.capacity[color] for color in pattern.colors.tolist()]


def all_pairs(pattern, rule, pairs=None):
    """(partner, distance) of the stable matching, by walking through all pairs from the shortest to the longest."""
    n = len(pattern)
    metric = not hasattr(pattern.geometry, "side")
    width = rule.labels or max(rule.capacity)
    partner, distance = np.full((n, width), -1, np.int64), np.full((n, width), np.inf)
    room, used = capacities(pattern, rule), [set() for _ in range(n)]
    for key, i, j in allowed_pairs(pattern, rule, pair_list(pattern) if pairs is None else pairs):
        if rule.labels:
            label = 0  # the smallest that no closer pair has
            while label in used[i] or label in used[j]:
                label += 1
            if label >= rule.labels:
                continue
            used[i].add(label)
            used[j].add(label)
            columns = label, label
        elif room[i] and room[j]:
            columns = sum(partner[i] >= 0), sum(partner[j] >= 0)
            room[i] -= 1
            room[j] -= 1
        else:
            continue
        length = key if metric else np.sqrt(key)
        partner[i, columns[0]], partner[j, columns[1]] = j, i
        distance[i, columns[0]] = distance[j, columns[1]] = length
    if width == 1 and not rule.labels:
        return partner[:, 0], distance[:, 0]
    return partner, distance


def desires(pattern, rule, partner, pairs=None):
    """(n, n): whether x has y, or has room for y, or would rather have y than its last partner."""
    pairs = pair_list(pattern) if pairs is None else pairs
    rank = {(i, j): k for k, (_, i, j) in enumerate(pairs)}
    room, worst = capacities(pattern, rule), []
    for i, row in enumerate(np.atleast_2d(np.asarray(partner).T).T.tolist()):
        ranks = sorted(rank[min(i, j), max(i, j)] for j in row if j >= 0)
        worst.append(ranks[-1] if len(ranks) >= room[i] else len(pairs))
    wants = np.zeros((len(pattern),) * 2, bool)
    for _, i, j in allowed_pairs(pattern, rule, pairs):
        wants[i, j], wants[j, i] = rank[i, j] <= worst[i], rank[i, j] <= worst[j]
    return wants


def blocking(pattern, rule, partner, pairs=None):
    """The allowed pairs that are not matched, though each of the two has room or would rather have the other."""
    wants, table = desires(pattern, rule, partner, pairs), np.atleast_2d(np.asarray(partner).T).T
    both = np.argwhere(np.triu(wants & wants.T))
    return [[i, j] for i, j in both.tolist() if j not in table[i]]


def rounds(points, colors, side, reach):
    """Partners, by rounds of mutually nearest allowed pairs on SciPy's KD-trees (no ties, one partner each)."""
    from scipy.spatial import cKDTree

    n, n_colors = len(points), len(reach)
    box = None if side == np.inf else side
    partner = np.full(n, -1, np.int64)
    living = [np.flatnonzero(colors == color) for color in range(n_colors)]
    while True:
        best, best_distance = np.full(n, -1, np.int64), np.full(n, np.inf)
        for other in range(n_colors):
            if len(living[other]) == 0:
                continue
            tree = cKDTree(points[living[other]], boxsize=box)
            for own in range(n_colors):
                if not reach[own][other] or len(living[own]) == 0:
                    continue
                k = 2 if own == other else 1
                distance, hit = tree.query(points[living[own]], k=[k])
                distance, hit, here = distance[:, 0], hit[:, 0], living[own]
                found = np.isfinite(distance) & (distance < best_distance[here])
                best[here[found]] = living[other][hit[found]]
                best_distance[here[found]] = distance[found]
        asked = np.flatnonzero(best >= 0)
        mutual = asked[best[best[asked]] == asked]
        if len(mutual) == 0:
            return partner
        partner[mutual] = best[mutual]
        living = [points_of[partner[points_of] < 0] for points_of in living]
