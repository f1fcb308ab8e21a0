"""A slow, obvious twin of the response: the whole pattern is matched again for each pair, without that pair."""

import numpy as np

from helpers import oracles


def new_distances(pattern, most):
    """X' of each point: inf beyond `most` and for the unmatched, nan where the pair itself is longer."""
    pairs = oracles.pair_list(pattern)

    def matched(pairs):
        partner, key = [-1] * len(pattern), [np.inf] * len(pattern)
        for d2, i, j in pairs:
            if partner[i] < 0 and partner[j] < 0:
                partner[i], partner[j], key[i], key[j] = j, i, d2, d2
        return partner, np.sqrt(key)

    partner, distance = matched(pairs)
    found = np.full(len(pattern), np.inf)
    for x, y in enumerate(partner):
        if x < y:
            _, again = matched([pair for pair in pairs if pair[1:] != (x, y)])
            for p in (x, y):
                found[p] = np.nan if distance[p] > most else again[p] if again[p] <= most else np.inf
    return found
