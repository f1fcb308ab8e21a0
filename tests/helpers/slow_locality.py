"""Rounds and descending chains from their definitions: the slow twins of poissonmatch.rounds and poissonmatch.descents."""

from __future__ import annotations

import math

from helpers import oracles


def rounds_of_pairs(pattern, rule):
    """Rounds by pairs: in each round, all pairs that are first among the open pairs of both their points."""
    pairs = [(i, j) for _, i, j in oracles.allowed_pairs(pattern, rule, oracles.pair_list(pattern))]
    room, found = oracles.capacities(pattern, rule), {}
    while pairs := [(i, j) for i, j in pairs if (i, j) not in found and room[i] and room[j]]:
        number = 1 + max(found.values(), default=0)
        for i, j in oracles.first_pairs((0, i, j) for i, j in pairs):
            found[i, j] = number
            room[i] -= 1
            room[j] -= 1
    return found


def every_chain(pattern, radius):
    """All descending chains, each a list of points: grown step by step from the definition."""
    rank, n, within = {}, len(pattern), set()
    metric = not hasattr(pattern.geometry, "side")
    for place, (key, i, j) in enumerate(oracles.pair_list(pattern)):
        rank[i, j] = rank[j, i] = place
        if (key if metric else math.sqrt(key)) <= radius:
            within |= {(i, j), (j, i)}
    grown = [[x] for x in range(n)]
    while grown:
        chain = grown.pop()
        yield chain
        for z in set(range(n)) - {chain[-1]}:
            step = (chain[-1], z)
            if step in within and (len(chain) == 1 or rank[step] < rank[chain[-2], chain[-1]]):
                grown.append([*chain, z])
