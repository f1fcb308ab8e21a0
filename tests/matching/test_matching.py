"""Every rule against the oracles, bit for bit, and symmetries."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poissonmatch as pm
from helpers import oracles
from helpers.rules import FORBIDDEN, RULES, recolored, rule_for, wrong
from helpers.strategies import KINDS, dyadic_patterns, make_pattern, table_pattern
from helpers.tables import tables
from poissonmatch.engine import grids, phases
from poissonmatch.utils import thread_pool

SIZES = (0, 1, 2, 3, 5, 17)
FEW_CELLS, MANY_CELLS = (8.0,) * 3, (0.3,) * 3


@pytest.fixture
def both_threads(monkeypatch):
    """Let two threads work on however few points."""
    monkeypatch.setattr(thread_pool, "PARALLEL", 1)
    monkeypatch.setattr(phases, "ROWS", 3)


def every_rule(kind, n, dim, euclidean, threads):
    """What is wrong by any rule."""
    pattern = make_pattern(kind, n, dim, seed=0, euclidean=euclidean)
    pairs = oracles.pair_list(pattern)
    return [w for name in (*RULES, *FORBIDDEN) for w in wrong(pattern, rule_for(name, pattern), pairs, threads)]


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", (1, 2, 3))
def test_oracle(kind, dim, both_threads):
    for n, euclidean in (*itertools.product(SIZES, (False, True)), (90, False), (40, True)):
        assert every_rule(kind, n, dim, euclidean, (1, 2) if n > 5 else (1,)) == []


@pytest.mark.slow  # each is compiled
@pytest.mark.parametrize("dim", (4, 5, 6))
def test_oracle_high_dimension(dim, both_threads):
    for kind, n in itertools.product(KINDS, (0, 1, 2, 3, 5, 17, 60)):
        assert every_rule(kind, n, dim, n == 17, (1, 2) if n > 5 else (1,)) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", range(1, 7))
def test_oracle_1000(kind, dim, both_threads):
    for n, euclidean in itertools.product((150, 1000), (False, True)):
        assert every_rule(kind, n, dim, euclidean, (1, 2)) == []


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("crowd", (FEW_CELLS, MANY_CELLS))
@pytest.mark.parametrize("dim", (1, 2, 3))
def test_oracle_cell_size(crowd, dim, both_threads, monkeypatch):
    """The size of the cells changes nothing: few cells a side, and many empty ones."""
    monkeypatch.setattr(grids, "POINTS_PER_CELL", crowd)
    for kind in ("uniform", "lattice", "seam", "diagonal", "clustered"):
        assert every_rule(kind, 120, dim, False, (1, 2, 3)) == []


@pytest.mark.parametrize("scale", (1e-140, 1e-130, 1e-100, 1e140, 1e149))
def test_oracle_extreme_scales(scale):
    """The oracle sees tiny points times a power of two, which is exact."""
    rng = np.random.default_rng(1)
    up = 400 if scale < 1 else 0
    for dim, n in ((1, 60), (2, 150), (3, 60)):
        pattern = pm.Pattern(scale * rng.random((n, dim)), rng.integers(0, 3, n), pm.Euclidean(dim))
        seen = pm.Pattern(np.ldexp(pattern.points, up), pattern.colors, pattern.geometry)
        pairs = oracles.pair_list(seen)
        for name in ("one-color", "two-color", "multi(3)", "misere", "labels(3)"):
            assert wrong(seen, RULES[name], pairs) == []
            small = recolored(pattern, RULES[name])
            matching, expected = pm.match(small, RULES[name]), pm.match(recolored(seen, RULES[name]), RULES[name])
            np.testing.assert_array_equal(matching.partner, expected.partner)
            np.testing.assert_array_equal(matching.distance, np.ldexp(expected.distance, -up))
            if not RULES[name].labels:
                assert pm.blocking_pairs(small, matching).shape == (0, 2)
    for side in (1e-140, 1e149):
        pattern = pm.Pattern(side * rng.random((100, 2)), rng.integers(0, 3, 100), pm.Torus(side, 2))
        assert wrong(pattern, RULES["fussy"], oracles.pair_list(pattern)) == []


def test_oracle_mean_field():
    rng = np.random.default_rng(2)
    for n, ties in itertools.product((0, 1, 2, 3, 17, 100), (False, True)):
        table = rng.exponential(1.0, (n, n)) if not ties else rng.integers(0, 5, (n, n)).astype(float)
        pattern = table_pattern(table, rng.integers(0, 3, n))
        pairs = oracles.pair_list(pattern)
        for name in (*RULES, *FORBIDDEN):
            assert wrong(pattern, rule_for(name, pattern), pairs) == []


@pytest.mark.slow  # for the compiler, which compiles for each dimension; test_jit.py does the same without it
def test_dimension_64():
    pattern = make_pattern("uniform", 40, 64, seed=3)
    assert wrong(pattern, RULES["one-color"], oracles.pair_list(pattern)) == []


# ---- foreign oracles ----


B_MATCHINGS = ("one-color", "two-color", "fussy", "polygamy", "multi(3)", "capacity by color", *FORBIDDEN)


@pytest.mark.parametrize("name", B_MATCHINGS)
def test_networkit(name):
    """b-suitor finds the greedy matching of heaviest edges: with weight = constant - rank it is the stable one."""
    networkit = pytest.importorskip("networkit")
    for n, dim in ((2, 1), (30, 2), (80, 3)):
        pattern = make_pattern("uniform", n, dim, seed=4)
        rule = rule_for(name, pattern)
        pattern = recolored(pattern, rule)
        allowed = oracles.allowed_pairs(pattern, rule, oracles.pair_list(pattern))
        graph = networkit.Graph(n, weighted=True)
        for rank, (_, i, j) in enumerate(allowed):
            graph.addEdge(i, j, float(len(allowed) + 1 - rank))
        matcher = networkit.matching.BSuitorMatcher(graph, oracles.capacities(pattern, rule))
        matcher.run()
        matcher.buildBMatching()
        result = matcher.getBMatching()
        found = {(i, j) for i, row in enumerate(result.getMatches()) for j in row if i < j}
        assert found == set(map(tuple, pm.match(pattern, rule).pairs.tolist()))


@pytest.mark.parametrize("n", (20_000, pytest.param(1_000_000, marks=pytest.mark.slow)))
@pytest.mark.parametrize("name", ("one-color", "two-color", "fussy", "three colors"))
def test_rounds_on_kd_trees(name, n):
    rule = RULES[name]
    for dim, side in ((1, 1.0), (2, 1.0), (3, np.inf)):
        pattern = recolored(make_pattern("uniform", n, dim, seed=5, euclidean=side == np.inf), rule)
        colors = pattern.colors if rule.n_colors > 1 else np.zeros(n, int)
        partner = oracles.rounds(pattern.points, colors, side, rule.compatible)
        for threads in (1, 2):
            np.testing.assert_array_equal(pm.match(pattern, rule, threads=threads).partner, partner)


# ---- labels ----


def test_labels_are_the_recursive_mex():
    """A pair's label is the smallest that no closer pair sharing a point with it has: the Grundy value of the game."""
    pattern = make_pattern("lattice", 14, 2, seed=6)
    pairs = oracles.pair_list(pattern)
    grundy = {}
    for k, (_, i, j) in enumerate(pairs):
        options = {grundy[a, b] for _, a, b in pairs[:k] if {a, b} & {i, j}}
        grundy[i, j] = min(set(range(len(pairs) + 1)) - options)
    result = pm.sprague_grundy(pattern, labels=64)
    assert {tuple(p): int(k) for p, k in zip(result.pairs.tolist(), result.label, strict=True)} == grundy


def test_labels_are_not_multi():
    """DHM Figure 6: pairs with label <= m are not the (m + 1)-matching."""
    pattern = make_pattern("uniform", 100, 2, seed=8)
    labelled = pm.sprague_grundy(pattern, labels=2).pairs.tolist()
    assert sorted(labelled) != sorted(pm.match(pattern, "multi(2)").pairs.tolist())


# ---- invariants and symmetries ----


@pytest.mark.parametrize("kind", ("uniform", "lattice"))
def test_invariants(kind):
    """How many points are left over, of which color, and after misere play which two."""
    for n in (0, 1, 2, 31, 60):
        pattern = recolored(make_pattern(kind, n, 2, seed=9), RULES["fussy"])
        a, b = pattern.count(2)
        one, two, fussy, misere = (pm.match(pattern, rule) for rule in ("one-color", "two-color", "fussy", "misere"))
        assert len(one.pairs) == n // 2 and len(two.unmatched) == abs(a - b)
        assert (pattern.colors[two.unmatched] == int(b > a)).all()
        left = np.bincount(pattern.colors[fussy.unmatched], minlength=2)
        assert left.min() == 0 and left[0] <= 1 and (left.sum() - n) % 2 == 0
        nearest = oracles.first_pairs(oracles.pair_list(pattern))
        assert not nearest & set(map(tuple, misere.pairs.tolist()))
        assert len(misere.unmatched) == n % 2 or tuple(misere.unmatched.tolist()) in nearest


NAMES = st.sampled_from([*pm.RULES, "multi(3)", "labels(3)"])


@settings(deadline=None, max_examples=60)
@given(dyadic_patterns(), NAMES, st.integers(0, 2**32))
def test_translation(pattern, name, seed):
    shift = np.random.default_rng(seed).integers(0, 256, pattern.geometry.dim) / 64
    moved = pm.Pattern((pattern.points + shift) % 4.0, pattern.colors, pattern.geometry)
    assert same(pm.match(pattern, name), pm.match(moved, name))


def same(a, b):
    """The same pairs at the same distances."""
    return np.array_equal(a.partner, b.partner) and np.array_equal(a.distance, b.distance)


# ---- input, output ----


def test_pairs_and_unmatched():
    pattern = make_pattern("uniform", 51, 2, seed=11)
    for name in ("one-color", "fussy", "multi(3)", "labels(3)"):
        pattern = recolored(pattern, RULES["fussy"])
        matching = pm.match(pattern, name)
        table = np.atleast_2d(matching.partner.T).T
        expected = sorted((i, j) for i, row in enumerate(table.tolist()) for j in row if i < j)
        assert sorted(map(tuple, matching.pairs.tolist())) == expected
        np.testing.assert_array_equal(matching.pair_distance, pattern.distance(*matching.pairs.T))
        assert matching.unmatched.tolist() == [i for i, row in enumerate(table.tolist()) if max(row) < 0]


EDITED = tables(__file__)


@pytest.mark.parametrize("case", EDITED)
def test_a_matching_is_checked_also_if_it_was_edited_in_a_pickle(case):
    partner, distance, rule, message = EDITED[case]
    pattern = pm.Pattern([[0.0], [1.0], [3.0], [4.5]], None, pm.Euclidean(1))
    edited = pm.match(pattern, rule)
    vars(edited).update(partners=np.reshape(partner, (4, -1)), distances=np.reshape(np.array(distance, float), (4, -1)))
    for make in (lambda: pm.Matching(partner, distance, rule, pattern), lambda: pickle.loads(pickle.dumps(edited))):
        with pytest.raises(ValueError, match=message):
            make()
    if case != "another distance":
        with pytest.raises(ValueError, match=message):
            pm.Matching(partner, distance, rule)


@pytest.mark.parametrize("rule", ("one-color", "fussy", "multi(3)", "labels(3)"))
@pytest.mark.parametrize("geometry", (pm.Torus(5.0, 2), pm.Sphere(2.0), pm.MeanField(25.0)))
def test_what_match_returns_is_accepted(rule, geometry):
    pattern = pm.processes.two_color(geometry, rng=3)
    pattern = pm.Pattern(pattern.points, pattern.colors if rule == "fussy" else None, geometry)
    matching = pm.match(pattern, rule)
    assert pm.Matching.from_partners(pattern, matching.partners, rule) == matching
    assert pickle.loads(pickle.dumps(matching)) == matching
