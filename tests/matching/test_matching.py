"""Every rule against the oracles, bit for bit, and symmetries."""

import itertools
import pickle

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.rules import FORBIDDEN, RULES, recolored, rule_for, wrong
from helpers.strategies import KINDS, make_pattern, table_pattern
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


def test_oracle_mean_field():
    rng = np.random.default_rng(2)
    for n, ties in itertools.product((0, 1, 2, 3, 17, 100), (False, True)):
        table = rng.exponential(1.0, (n, n)) if not ties else rng.integers(0, 5, (n, n)).astype(float)
        pattern = table_pattern(table, rng.integers(0, 3, n))
        pairs = oracles.pair_list(pattern)
        for name in (*RULES, *FORBIDDEN):
            assert wrong(pattern, rule_for(name, pattern), pairs) == []


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


def test_labels_of_pairs_are_those_of_the_oracle():
    """That these are the Grundy values of the game is a statement of tests/statements."""
    pattern = make_pattern("lattice", 14, 2, seed=6)
    partner, _ = oracles.all_pairs(pattern, RULES["labels(64)"])
    x, label = np.nonzero(partner > np.arange(14)[:, None])
    found = pm.sprague_grundy(pattern, labels=64)
    expected = set(zip(x.tolist(), partner[x, label].tolist(), label.tolist(), strict=True))
    assert {(*pair, k) for pair, k in zip(found.pairs.tolist(), found.label.tolist(), strict=True)} == expected


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
