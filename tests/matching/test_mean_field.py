"""The mean-field matching drawn ring by ring: exact laws for few points, and the law of the table for more."""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

import poissonmatch as pm
from helpers import oracles

CUSTOM = pm.Rule(compatible=((True, True), (True, False)), capacity=(1, 2))
RULES = {
    **pm.RULES,
    "multi(2)": pm.Rule(capacity=(2,)),
    "labels(2)": pm.Rule(labels=2),
    "labels(3)": pm.Rule(labels=3),
    "unlike capacities": CUSTOM,
    "fussy misere": pm.Rule(compatible=CUSTOM.compatible, exclude=pm.RULES["misere"].exclude),
    "nobody": pm.Rule(compatible=((False,),)),
}
COLORS = np.array([0, 1, 1, 0, 1, 0, 0, 1, 1])


def crowd(n, volume=1.0, table=False):
    points = np.zeros((n, 0)) if not table else np.zeros((n, n))
    return pm.Pattern(points, COLORS[:n] if n <= len(COLORS) else np.arange(n) % 2, pm.MeanField(volume, table))


def laws(rule, n):
    """The law of the partners: all orders of the pairs are equally likely, and the oracle walks through each."""
    pairs = list(itertools.combinations(range(n), 2))
    found = Counter()
    for order in itertools.permutations(range(len(pairs))):
        table = np.zeros((n, n))
        for rank, k in enumerate(order):
            i, j = pairs[k]
            table[i, j] = table[j, i] = rank + 1.0
        pattern = pm.Pattern(table, COLORS[:n], pm.MeanField(1.0))
        found[oracles.all_pairs(pattern, rule)[0].tobytes()] += 1
    return found


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("n", (1, 2, 3, 4))
def test_exact_for_few_points(name, n):
    """Chi-square of 20,000 matchings against the enumeration of all orders; p above 1e-4, seeded."""
    rng, draws = np.random.default_rng(11), 20_000
    expected = laws(RULES[name], n)
    found = Counter(pm.match(crowd(n), RULES[name], rng=rng).partners.tobytes() for _ in range(draws))
    assert set(found) <= set(expected)
    weights = np.array(list(expected.values()), float)
    if len(weights) > 1:
        counts = [found[key] for key in expected]
        assert stats.chisquare(counts, weights / weights.sum() * draws).pvalue > 1e-4


def sample(rule, table, count, n, rng):
    """Distances of the partners of each point, (count, n, width), sorted by column."""
    found = []
    for _ in range(count):
        if table:
            distances = np.zeros((n, n))
            upper = np.triu_indices(n, 1)
            distances[upper] = rng.exponential(3.0, len(upper[0]))
            pattern = pm.Pattern(distances + distances.T, COLORS[:n], pm.MeanField(3.0))
            found.append(pm.match(pattern, rule).distances)
        else:
            found.append(pm.match(crowd(n, 3.0), rule, rng=rng).distances)
    return np.array(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in RULES if name != "nobody"])
@pytest.mark.parametrize("n", (5, 9))
def test_distances_have_the_law_of_the_table(name, n):
    """Kolmogorov-Smirnov, for the first and the last point, each of their partners and the longest distance: p above 1e-4."""
    rng = np.random.default_rng(5)
    one, other = (sample(RULES[name], table, 3000, n, rng) for table in (False, True))
    for point, column in itertools.product((0, n - 1), range(one.shape[2])):
        a, b = (np.minimum(x[:, point, column], 1e9) for x in (one, other))
        assert stats.ks_2samp(a, b).pvalue > 1e-4
    longest = [np.where(np.isfinite(x), x, 0).max(axis=(1, 2)) for x in (one, other)]
    assert stats.ks_2samp(*longest).pvalue > 1e-4
    unmatched = [np.isinf(x.min(axis=2)).sum(axis=1) for x in (one, other)]
    assert abs(unmatched[0].mean() - unmatched[1].mean()) <= 4 * np.sqrt((np.var(unmatched, axis=1) / 3000).sum())


@pytest.mark.parametrize("name", RULES)
def test_it_is_a_matching_by_the_rule(name):
    """Symmetric, within capacities, of allowed pairs; and nobody is left who could be matched."""
    rule, pattern = RULES[name], crowd(2000)
    matching = pm.match(pattern, rule, rng=3)
    twin = pm.match(pattern, rule, rng=np.random.default_rng(3))
    assert twin == matching
    partners, colors, reach = matching.partners, pattern.colors, rule.matrix()
    x, column = np.nonzero(partners >= 0)
    y = partners[x, column]
    assert sorted(zip(x, y, strict=True)) == sorted(zip(y, x, strict=True))
    length = dict(zip(zip(x.tolist(), y.tolist(), strict=True), matching.distances[x, column].tolist(), strict=True))
    assert all(length[b, a] == d for (a, b), d in length.items())
    if rule.labels:
        missing = partners < 0
        assert (missing.sum(axis=0) <= 1 + rule.labels).all()
        return
    kind = colors if rule.n_colors > 1 else np.zeros(len(colors), int)
    assert reach[kind[x], kind[y]].all()
    room = np.broadcast_to(rule.capacity, rule.n_colors)[kind] - (partners >= 0).sum(axis=1)
    assert (room >= 0).all()
    left = np.flatnonzero(room > 0)
    free = [(a, b) for a, b in itertools.combinations(left, 2) if reach[kind[a], kind[b]] and b not in partners[a]]
    assert len(free) <= rule.bans_nearest  # that one pair may have been each other's nearest


@pytest.mark.verification
@pytest.mark.parametrize("rho, n", ((1.0, 10**6), (0.3, 3 * 10**6), (0.1, 10**7)))
def test_fussy_leaves_exp_of_minus_one_over_rho(rho, n):
    """u = exp(-1/rho) (definitions and exact values, mean field): 4 standard errors, of binomial counts or more, over 4 tori."""
    reds = round(n * rho / (1 + rho))
    shares = []
    for seed in range(4):
        pattern = pm.processes.binomial(pm.MeanField(float(n - reds), table=False), [n - reds, reds], rng=seed)
        matching = pm.match(pattern, "fussy", rng=seed)
        shares.append((pattern.colors[matching.unmatched] == 1).sum() / reds)
    u = np.exp(-1 / rho)
    assert abs(np.mean(shares) - u) < 4 * max(np.std(shares, ddof=1), np.sqrt(u / reds)) / 2
