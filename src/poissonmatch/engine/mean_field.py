"""Matchings of the mean-field model without a table of distances: pair after pair, each after an exponential time.

Each pair of points has an exponential clock, whose time is their distance. The distances are
independent, so all that is known of pairs whose clock has not rung is that they are longer: the
next pair is uniform among them, after an exponential time whose rate is their number over the
volume. Only pairs that may change something are drawn. A pair that rang is recognized by its
effect, and rejected if it is drawn again: that thins the clocks, and leaves the law of the others
unchanged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .jit import Int, inlined, jit


class Lists(NamedTuple):
    """Points in one list for each color."""

    start: np.ndarray  # (C,) first entry of each list
    sizes: np.ndarray  # (C,) int64
    members: np.ndarray  # points; the capacity of a list is the number of points of its color


class Partners(NamedTuple):
    """The partners so far."""

    partners: np.ndarray  # (n, width), -1 for none, nearest first
    distances: np.ndarray  # (n, width), inf for none
    n_partners: np.ndarray  # (n,) number of partners
    first: np.ndarray  # (n,) other point of a pair that was first for both, or -1; empty if such pairs are allowed


@inlined
def below(rng: np.random.Generator, count: int) -> Int:
    """Return a uniform integer from 0 to count - 1."""
    return min(np.int64(rng.random() * count), count - 1)


@inlined
def one_of(rng: np.random.Generator, sizes: np.ndarray, total: int) -> tuple[Int, Int]:
    """Return a uniform member of several lists: (list, entry)."""
    entry = below(rng, total)
    k = 0
    while entry >= sizes[k]:
        entry -= sizes[k]
        k += 1
    return k, entry


@inlined
def two_of(rng: np.random.Generator, count: int) -> tuple[Int, Int]:
    """Return two different integers from 0 to count - 1, the larger first."""
    i = below(rng, count)
    j = below(rng, count - 1)
    j += j >= i
    return max(i, j), min(i, j)


@inlined
def take(lists: Lists, k: int, entry: int) -> Int:
    """Remove an entry of list k, and return it; the last one takes its place."""
    first = lists.start[k]
    x = lists.members[first + entry]
    lists.sizes[k] -= 1
    lists.members[first + entry] = lists.members[first + lists.sizes[k]]
    return x


@inlined
def put(lists: Lists, k: int, x: int) -> None:
    """Add a member to list k."""
    lists.members[lists.start[k] + lists.sizes[k]] = x
    lists.sizes[k] += 1


@inlined
def pairs_of(sizes: np.ndarray, a: int, b: int) -> float:
    """Return the number of pairs of a member of list a and one of list b."""
    return 0.5 * sizes[a] * (sizes[a] - 1) if a == b else float(sizes[a]) * sizes[b]


@inlined
def has_rung(x: int, y: int, result: Partners) -> bool:
    """Return whether the clock of a pair has rung, so that they are partners, or a pair that was first for both."""
    if len(result.first) > 0 and result.first[x] == y:
        return True
    return is_partner(x, y, result.partners)


@inlined
def is_partner(x: Int, y: Int, partners: np.ndarray) -> bool:
    """Return whether x and y are partners."""
    for k in range(partners.shape[1]):
        if partners[x, k] == y:
            return True
    return False


@jit
def any_pair_left(lists: Lists, compatible: np.ndarray, result: Partners) -> bool:
    """Return whether there is a compatible pair whose clock has not rung, among few points: all pairs are visited."""
    start, sizes, members = lists.start, lists.sizes, lists.members
    for a in range(len(sizes)):
        for b in range(a, len(sizes)):
            if not compatible[a, b]:
                continue
            for i in range(sizes[a]):
                for j in range(sizes[b] if b != a else i):
                    if not has_rung(members[start[a] + i], members[start[b] + j], result):
                        return True
    return False


@jit
def match_mean_field(
    rng: np.random.Generator,
    volume: float,
    compatible: np.ndarray,
    capacity: np.ndarray,
    silent: Lists,
    open_: Lists,
    result: Partners,
) -> None:
    """Match until no compatible pair is left, and write the partners to the result, which is empty at first.

    capacity: (n,); 0 only for points of a color that is compatible with none.

    Points with remaining capacity are in two Lists: silent, those without a clock that rang, and
    open_. If all are in open_ at first, it does not matter which pair rings first; if all are in
    silent, pairs that are first for both points, the mutually nearest of all, are not matched.

    Long, because each of the five kinds of pairs moves points between the same lists.
    """
    n_colors = len(open_.sizes)
    n = len(result.n_partners)
    now = 0.0
    rejected = 0.0
    while True:
        n_silent, n_open = silent.sizes.sum(), open_.sizes.sum()
        both_silent = 0.5 * n_silent * (n_silent - 1)
        silent_and_open = float(n_silent) * n_open
        silent_and_full = float(n_silent) * (n - n_silent - n_open)
        both_open = 0.0
        for a in range(n_colors):
            for b in range(a + 1):
                both_open += pairs_of(open_.sizes, a, b) if compatible[a, b] else 0.0
        total = both_open + both_silent + silent_and_open + silent_and_full
        if total <= 0.0:
            return
        if n_silent == 0 and rejected > both_open:
            if not any_pair_left(open_, compatible, result):
                return
            rejected = 0.0
        now += rng.standard_exponential() * volume / total
        which = rng.random() * total
        if which < both_open:
            a, b = n_colors - 1, n_colors - 1
            for c in range(n_colors):
                for e in range(c + 1):
                    weight = pairs_of(open_.sizes, c, e) if compatible[c, e] else 0.0
                    if weight > 0.0 and which >= 0.0:
                        a, b = c, e
                        which -= weight
            if a == b:
                i, j = two_of(rng, open_.sizes[a])
            else:
                i, j = below(rng, open_.sizes[a]), below(rng, open_.sizes[b])
            x, y = open_.members[open_.start[a] + i], open_.members[open_.start[b] + j]
            if has_rung(x, y, result):
                rejected += 1.0
                continue
            rejected = 0.0
            match_pair(x, y, now, result)
            if result.n_partners[x] == capacity[x]:
                take(open_, a, i)
            if result.n_partners[y] == capacity[y]:
                take(open_, b, j)
            continue
        which -= both_open
        a, i = one_of(rng, silent.sizes, n_silent)
        x = take(silent, a, i)
        if which < both_silent:
            b, j = one_of(rng, silent.sizes, n_silent - 1)
            y = take(silent, b, j)
            result.first[x], result.first[y] = y, x
            put(open_, b, y)
        elif which < both_silent + silent_and_open:
            b, j = one_of(rng, open_.sizes, n_open)
            y = open_.members[open_.start[b] + j]
            if compatible[a, b]:
                match_pair(x, y, now, result)
                if result.n_partners[y] == capacity[y]:
                    take(open_, b, j)
        if result.n_partners[x] < capacity[x]:
            put(open_, a, x)


@inlined
def match_pair(x: int, y: int, now: float, result: Partners) -> None:
    """Make x and y partners, after nearer partners of both: later pairs are longer."""
    n_partners = result.n_partners
    result.partners[x, n_partners[x]], result.distances[x, n_partners[x]] = y, now
    result.partners[y, n_partners[y]], result.distances[y, n_partners[y]] = x, now
    n_partners[x] += 1
    n_partners[y] += 1


@jit
def label_mean_field(
    rng: np.random.Generator,
    volume: float,
    labels: int,
    active: np.ndarray,
    used: np.ndarray,
    partners: np.ndarray,
    distances: np.ndarray,
) -> None:
    """Write the matching with Sprague-Grundy labels 0, ..., labels - 1 to partners and distances, (n, labels) each.

    active: all points, changed; used: (n,) uint64, their labels as bits, 0 at first. A pair whose
    clock rings gets the smallest label that neither has; if there is none it is rejected, then and
    if it is drawn again.
    """
    all_labels = ~np.uint64(0) if labels == 64 else (np.uint64(1) << np.uint64(labels)) - np.uint64(1)
    n_active = len(active)
    now = 0.0
    rejected = 0.0
    while n_active > 1:
        pairs = 0.5 * n_active * (n_active - 1)
        if rejected > pairs:
            if not any_label_left(active, n_active, used, all_labels, partners):
                return
            rejected = 0.0
        now += rng.standard_exponential() * volume / pairs
        i, j = two_of(rng, n_active)
        x, y = active[i], active[j]
        free = ~(used[x] | used[y]) & all_labels
        if free == 0 or is_partner(x, y, partners):
            rejected += 1.0
            continue
        rejected = 0.0
        label = 0
        while (free >> np.uint64(label)) & np.uint64(1) == 0:
            label += 1
        partners[x, label], partners[y, label] = y, x
        distances[x, label] = distances[y, label] = now
        used[x] |= np.uint64(1) << np.uint64(label)
        used[y] |= np.uint64(1) << np.uint64(label)
        if used[x] == all_labels:
            n_active -= 1
            active[i] = active[n_active]  # i is the larger entry, so y stays where it is
        if used[y] == all_labels:
            n_active -= 1
            active[j] = active[n_active]


@jit
def any_label_left(
    active: np.ndarray, n_active: int, used: np.ndarray, all_labels: np.uint64, partners: np.ndarray
) -> bool:
    """Return whether there is a pair without a label that would get one."""
    for i in range(n_active):
        for j in range(i):
            x, y = active[i], active[j]
            if ~(used[x] | used[y]) & all_labels != 0 and not is_partner(x, y, partners):
                return True
    return False
