"""Matchings of the mean-field model without its table: pairs ring one after the other, each after an exponential time.

The distances of pairs are independent and exponential, so nothing is known of those of pairs that have not rung but that
they are longer: the next pair to ring is uniform among them, after an exponential time whose rate is their number over the
volume. Only pairs that may change something are listened to. A pair that has rung is told by what it did, and is passed
over if it is drawn again: that thins the clocks, and leaves the law of the others as it is.
"""

import numpy as np

from .jit import inlined, jit


@inlined
def below(rng, count):
    """A uniform index below count."""
    return min(np.int64(rng.random() * count), count - 1)


@inlined
def one_of(rng, sizes, total):
    """A uniform member of several lists: (list, place in it)."""
    place = below(rng, total)
    k = 0
    while place >= sizes[k]:
        place -= sizes[k]
        k += 1
    return k, place


@inlined
def two_of(rng, count):
    """Two different places below count, the larger first."""
    i = below(rng, count)
    j = below(rng, count - 1)
    j += j >= i
    return max(i, j), min(i, j)


@inlined
def take(members, start, sizes, k, place):
    """Remove a member of list k: the last one takes its place."""
    found = members[start[k] + place]
    sizes[k] -= 1
    members[start[k] + place] = members[start[k] + sizes[k]]
    return found


@inlined
def put(members, start, sizes, k, x):
    """Add a member to list k."""
    members[start[k] + sizes[k]] = x
    sizes[k] += 1


@inlined
def pairs_of(sizes, a, b):
    """Number of pairs of a member of list a and one of list b."""
    return 0.5 * sizes[a] * (sizes[a] - 1) if a == b else float(sizes[a]) * sizes[b]


@inlined
def are_partners(x, y, partners, mate):
    """Has the pair rung? Then they are partners, or the first that each other heard (mate)."""
    if len(mate) > 0 and mate[x] == y:
        return True
    for k in range(partners.shape[1]):
        if partners[x, k] == y:
            return True
    return False


@jit
def any_pair_left(members, start, sizes, reach, partners, mate):
    """Is there an allowed pair of points with room that has not rung? By looking at all pairs, so for few points only."""
    for a in range(len(sizes)):
        for b in range(a, len(sizes)):
            if not reach[a, b]:
                continue
            for i in range(sizes[a]):
                for j in range(sizes[b] if b != a else i):
                    if not are_partners(members[start[a] + i], members[start[b] + j], partners, mate):
                        return True
    return False


@jit
def match_by_rings(
    rng, volume, reach, capacity, start, fresh, fresh_sizes, open_, open_sizes, mate, count, partners, distances
):
    """Match until no allowed pair is left. count: of partners, 0 at first; partners and distances are filled.

    Points with room are in two lists a color, which begin at start[color]: fresh, those that have not heard a ring, and
    open_. If all begin as open, nobody asks who rang first; if all begin as fresh, the pairs that ring first at both ends,
    those mutually nearest in the whole set, are not matched, and mate says who they are.

    Long, because each of its five kinds of rings moves points between the same lists.
    """
    n_colors = len(open_sizes)
    n = len(count)
    now = 0.0
    passed = 0.0
    while True:
        n_fresh, n_open = fresh_sizes.sum(), open_sizes.sum()
        apart = 0.5 * n_fresh * (n_fresh - 1)
        between = float(n_fresh) * n_open
        behind = float(n_fresh) * (n - n_fresh - n_open)
        together = 0.0
        for a in range(n_colors):
            for b in range(a + 1):
                together += pairs_of(open_sizes, a, b) if reach[a, b] else 0.0
        total = together + apart + between + behind
        if total <= 0.0:
            return
        if n_fresh == 0 and passed > together:
            if not any_pair_left(open_, start, open_sizes, reach, partners, mate):
                return
            passed = 0.0
        now += rng.standard_exponential() * volume / total
        which = rng.random() * total
        if which < together:
            a, b = n_colors - 1, n_colors - 1
            for c in range(n_colors):
                for e in range(c + 1):
                    weight = pairs_of(open_sizes, c, e) if reach[c, e] else 0.0
                    if weight > 0.0 and which >= 0.0:
                        a, b = c, e
                        which -= weight
            if a == b:
                i, j = two_of(rng, open_sizes[a])
            else:
                i, j = below(rng, open_sizes[a]), below(rng, open_sizes[b])
            x, y = open_[start[a] + i], open_[start[b] + j]
            if are_partners(x, y, partners, mate):
                passed += 1.0
                continue
            passed = 0.0
            pair(x, y, now, partners, distances, count)
            if count[x] == capacity[a]:
                take(open_, start, open_sizes, a, i)
            if count[y] == capacity[b]:
                take(open_, start, open_sizes, b, j)
            continue
        which -= together
        a, i = one_of(rng, fresh_sizes, n_fresh)
        x = take(fresh, start, fresh_sizes, a, i)
        if which < apart:
            b, j = one_of(rng, fresh_sizes, n_fresh - 1)
            y = take(fresh, start, fresh_sizes, b, j)
            mate[x], mate[y] = y, x
            put(open_, start, open_sizes, b, y)
        elif which < apart + between:
            b, j = one_of(rng, open_sizes, n_open)
            y = open_[start[b] + j]
            if reach[a, b]:
                pair(x, y, now, partners, distances, count)
                if count[y] == capacity[b]:
                    take(open_, start, open_sizes, b, j)
        if count[x] < capacity[a]:
            put(open_, start, open_sizes, a, x)


@inlined
def pair(x, y, now, partners, distances, count):
    """Match x and y: later pairs are longer, so each one's partners stand nearest first."""
    partners[x, count[x]], distances[x, count[x]] = y, now
    partners[y, count[y]], distances[y, count[y]] = x, now
    count[x] += 1
    count[y] += 1


@jit
def label_by_rings(rng, volume, labels, living, used, partners, distances):
    """The matching with Sprague-Grundy labels 0 ... labels - 1. living: all points; used: their labels as bits, 0 at first.

    A pair that rings gets the smallest label that neither has; with none it is passed over, now and if it is drawn again.
    """
    every = ~np.uint64(0) if labels == 64 else (np.uint64(1) << np.uint64(labels)) - np.uint64(1)
    left = len(living)
    now = 0.0
    passed = 0.0
    while left > 1:
        pairs = 0.5 * left * (left - 1)
        if passed > pairs:
            if not any_label_left(living, left, used, every, partners):
                return
            passed = 0.0
        now += rng.standard_exponential() * volume / pairs
        i, j = two_of(rng, left)
        x, y = living[i], living[j]
        free = ~(used[x] | used[y]) & every
        if free == 0 or is_partner(x, y, partners):
            passed += 1.0
            continue
        passed = 0.0
        label = 0
        while (free >> np.uint64(label)) & np.uint64(1) == 0:
            label += 1
        partners[x, label], partners[y, label] = y, x
        distances[x, label] = distances[y, label] = now
        used[x] |= np.uint64(1) << np.uint64(label)
        used[y] |= np.uint64(1) << np.uint64(label)
        if used[x] == every:
            left -= 1
            living[i] = living[left]  # i is the larger place, so y stays where it is
        if used[y] == every:
            left -= 1
            living[j] = living[left]


@inlined
def is_partner(x, y, partners):
    """Does the pair have a label?"""
    for k in range(partners.shape[1]):
        if partners[x, k] == y:
            return True
    return False


@jit
def any_label_left(living, left, used, every, partners):
    """Is there a pair without a label that would get one?"""
    for i in range(left):
        for j in range(i):
            x, y = living[i], living[j]
            if ~(used[x] | used[y]) & every != 0 and not is_partner(x, y, partners):
                return True
    return False
