"""The mean-field model of any rule, from its definition: shares of points by color and partners, every two kinds of points meeting.

The slow twin of the closed forms in theory.py.
"""

import itertools

import numpy as np
from scipy.integrate import solve_ivp


def tail(rule, intensities, color, order, t):
    """P(a point of this color has no partner of this order within volume t), for each t > 0."""
    per_point = 2**rule.labels if rule.labels else max(rule.capacity) + 1  # sets of labels, or numbers of partners
    kinds = list(itertools.product(range(len(intensities)), range(per_point)))
    allowed = rule.matrix() if rule.n_colors > 1 else np.ones((len(intensities),) * 2, bool)
    place = {kind: k for k, kind in enumerate(kinds)}
    capacity = np.broadcast_to(rule.capacity, len(intensities))

    def step(one, other):
        """What a point of the first kind becomes when it meets one of the other."""
        (a, had), (b, has) = one, other
        if not allowed[a, b]:
            return one
        if not rule.labels:
            return (a, had + 1) if had < capacity[a] and has < capacity[b] else one
        free = [k for k in range(rule.labels) if not (had | has) >> k & 1]
        return (a, had | 1 << free[0]) if free else one

    becomes = [(place[one], place[other], place[step(one, other)]) for one in kinds for other in kinds]
    becomes = np.array([(one, other, to) for one, other, to in becomes if one != to])

    def rates(t, density):
        one, other, to = becomes.T
        met = density[one] * density[other]
        return np.bincount(to, met, len(kinds)) - np.bincount(one, met, len(kinds))

    start = np.zeros(len(kinds))
    start[[place[c, 0] for c in range(len(intensities))]] = intensities
    solved = solve_ivp(rates, (0, t[-1]), start, "LSODA", t, rtol=1e-10, atol=1e-14).y
    missing = [not has >> order & 1 if rule.labels else has <= order for _, has in kinds]
    mine = [c == color and lacks for (c, _), lacks in zip(kinds, missing, strict=True)]
    return solved[mine].sum(axis=0) / intensities[color]
