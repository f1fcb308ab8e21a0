"""Rounds, descending chains and windows from their definitions: the slow twins of matching/rounds, points/descending_chains and matching/lazy."""

from __future__ import annotations

import math

from helpers import oracles


def rounds_of_pairs(pattern, rule):
    """The round of each pair of the matching by a rule."""
    pairs = [(i, j) for _, i, j in oracles.allowed_pairs(pattern, rule, oracles.pair_list(pattern))]
    return in_rounds(pairs, oracles.capacities(pattern, rule))


def in_rounds(pairs, capacities):
    """The round of each pair that is matched: in a round, all pairs that are first among the open pairs of both their points."""
    room, found = list(capacities), {}
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


def balls_of_a_question(pattern, partner, allowed, x):
    """What must be looked at to know the partner of x, as (point, radius): the ball out to the partner, and what is to be known of all in
    it, whether they have a partner that is nearer to them than the one who asks; of the partner, too."""
    n, balls, asked = len(pattern), set(), set()

    def ask(z, bound):
        own = float(pattern.distance(z, partner[z])) if partner[z] >= 0 else math.inf
        radius = min(own, bound)
        if (z, radius) in asked:
            return
        asked.add((z, radius))
        balls.add((z, radius))
        for w in range(n):
            gap = float(pattern.distance(z, w))
            if w != z and allowed(z, w) and (gap < radius or (gap == own and own < bound)):
                ask(w, gap)

    ask(x, math.inf)
    return balls
