"""The trees that match where cells do not suit the points: ties, tori and every rule as the oracle, and work that grows with n log n."""

import json
import subprocess
import sys

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.hard_inputs import INPUTS, MORE_INPUTS, hard_pattern
from helpers.rules import FORBIDDEN, RULES, rule_for, wrong
from helpers.strategies import KINDS, make_pattern
from poissonmatch.engine import phases, trees
from poissonmatch.utils import thread_pool

AT_ONCE = 0.0  # of TREE_WORK and SLACK_WORK: no search in cells is allowed
LONG_WORKS = (
    trees.LONG_WORK,
    -1.0,
)  # without sectors, as there are few points; and with sectors from the first search on
ALL_RULES = (*RULES, *FORBIDDEN)


def spaces(kind, n, dim):
    """The points of a kind on a torus, on one of unequal sides, in a box and in space; and the pairs of each in order."""
    torus = make_pattern(kind, n, dim, seed=n)
    stretch, side = np.arange(1, dim + 1), torus.geometry.side
    for points, geometry in (
        (torus.points, torus.geometry),
        (torus.points * stretch, pm.Torus(tuple((side * stretch).tolist()))),
        (torus.points, pm.Box(side, dim)),
        (torus.points, pm.Euclidean(dim)),
    ):
        pattern = pm.Pattern(points, torus.colors, geometry)
        walls = isinstance(geometry, pm.Box)  # distances are those of space
        yield pattern, oracles.pair_list(pm.Pattern(points, None, pm.Euclidean(dim)) if walls else pattern)


@pytest.mark.parametrize("long_work", LONG_WORKS)
@pytest.mark.parametrize("dim", (1, 2, 3))
@pytest.mark.parametrize("kind", KINDS)
def test_a_tree_matches_as_the_oracle(kind, dim, long_work, monkeypatch):
    monkeypatch.setattr(trees, "LONG_WORK", long_work)
    for setting in ("TREE_WORK", "SLACK_WORK"):
        monkeypatch.setattr(phases, setting, AT_ONCE)
    monkeypatch.setattr(phases, "GRIDS_FOR_NEIGHBORS", 1)
    for n in (2, 9, 60, 61):
        for number, (pattern, pairs) in enumerate(spaces(kind, n, dim)):
            for name in ALL_RULES[number::4]:
                assert wrong(pattern, rule_for(name, pattern), pairs) == [], (n, pattern.geometry, name)


@pytest.mark.slow
@pytest.mark.parametrize("work", (1.0, 2.5))
def test_a_tree_goes_on_where_cells_stop(work, monkeypatch):
    """In the middle of a phase, and by several threads."""
    monkeypatch.setattr(thread_pool, "PARALLEL", 1)
    for name, value in (("TREE_WORK", work), ("SLACK_WORK", AT_ONCE), ("ROWS", 3)):
        monkeypatch.setattr(phases, name, value)
    for kind in ("uniform", "clustered", "lattice", "seam"):
        for dim in (1, 2, 3):
            pattern = make_pattern(kind, 200, dim, seed=3)
            pairs = oracles.pair_list(pattern)
            for name in ALL_RULES:
                assert wrong(pattern, rule_for(name, pattern), pairs, (1, 3)) == []


@pytest.mark.parametrize("name", (*INPUTS, *MORE_INPUTS))
def test_hard_inputs_are_matched_as_the_oracle_says(name, monkeypatch):
    pattern = hard_pattern(name, 150)
    pairs = oracles.pair_list(pattern)
    for works in (None, *LONG_WORKS):
        if works is not None:
            monkeypatch.setattr(phases, "TREE_WORK", AT_ONCE)
            monkeypatch.setattr(phases, "SLACK_WORK", AT_ONCE)
            monkeypatch.setattr(trees, "LONG_WORK", works)
        for rule in ("two-color", "fussy", "misere two-color", "polygamy", "labels(3)"):
            assert wrong(pattern, RULES[rule], pairs) == []


@pytest.mark.parametrize("rule", ("one-color", "two-color"))
def test_cells_match_points_on_many_scales(rule, monkeypatch):
    """On both sides of the origin: the cell of a small negative coordinate is not that of a small positive one."""
    monkeypatch.setattr(phases, "TREE_WORK", 1e9)
    for name, seed in (("spiral", 1), ("spiral", 2), ("long_spiral", 1)):
        pattern = hard_pattern(name, 500, seed)
        assert wrong(pattern, RULES[rule], oracles.pair_list(pattern)) == []


@pytest.fixture
def n_trees(monkeypatch):
    """Return a list that grows with each tree in which points are matched."""
    used, match_in_tree = [], phases._match_in_tree

    def counted(*arguments):
        used.append(arguments)
        match_in_tree(*arguments)

    monkeypatch.setattr(phases, "_match_in_tree", counted)
    return used


@pytest.mark.parametrize("dim", (1, 2, 3))
@pytest.mark.parametrize("rule", ("one-color", "two-color", "fussy", "misere", "multi(3)", "labels(3)"))
def test_uniform_points_need_no_tree(rule, dim, n_trees):
    for ratio in (1.0, 0.3, 0.01):
        for geometry in (pm.Torus(1.0, dim), pm.Euclidean(dim)):
            rng = np.random.default_rng(dim)
            colors = rng.random(20_000) < ratio / (1 + ratio)
            pm.match(pm.Pattern(rng.random((20_000, dim)), colors.astype(int), geometry), rule)
    assert n_trees == []


@pytest.mark.parametrize(
    "name", ("halves", "gradient", "two_balls", "ball_in_a_ring", "clump", "center_and_circle", "long_spiral")
)
def test_hard_inputs_need_one(name, n_trees):
    """And the result is that of cells alone, if sectors are used in the middle of a chain as well."""
    pattern = hard_pattern(name, 6000)
    matching = pm.match(pattern, "two-color")
    assert len(n_trees) == 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phases, "TREE_WORK", 1e9)
        patch.setattr(phases, "LOW_SHARE", 0)
        in_cells = pm.match(pattern, "two-color")
    assert len(n_trees) == 1
    np.testing.assert_array_equal(matching.partner, in_cells.partner)
    np.testing.assert_array_equal(matching.distance, in_cells.distance)


@pytest.mark.parametrize("name, needed", (("center_and_circle", 1), ("halves", 0), ("gradient", 0)))
def test_sectors_are_used_if_boxes_exclude_little(name, needed, monkeypatch):
    used, with_sectors = [], trees.with_sectors

    def counted(*arguments):
        used.append(arguments)
        return with_sectors(*arguments)

    monkeypatch.setattr(trees, "with_sectors", counted)
    pm.match(hard_pattern(name, 6000), "two-color")
    assert len(used) == needed


COUNT = """
import json
import sys
import poissonmatch as pm
from helpers.hard_inputs import hard_pattern
from poissonmatch.engine import chains, nearest, trees

work = {"searches": 0, "gaps": 0, "cells": 0}
def counted(module, function, what):
    inner = getattr(module, function)
    def outer(*arguments):
        work[what] += 1
        return inner(*arguments)
    setattr(module, function, outer)
counted(trees, "gap_to", "gaps")
counted(chains, "nearest_in_tree", "searches")
counted(nearest, "coarse_squares", "cells")
pm.match(hard_pattern(sys.argv[1], int(sys.argv[2])), sys.argv[3])
print(json.dumps(work))
"""


def work_of(name, n, rule):
    """Searches in trees, gaps between points and nodes, and comparisons in cells, each for a point: counted in Python."""
    environment = {"NUMBA_DISABLE_JIT": "1", "PATH": "", "PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-W", "ignore", "-c", COUNT, name, str(n), rule]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {what: number / n for what, number in json.loads(done.stdout).items()}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", ("gradient", "two_balls", "ball_in_a_ring", "clump", "spiral"))
def test_work_is_at_most_n_log_n(name):
    """A search visits O(log n) nodes. The constant is one and a half times that of `clump`, the hardest input, from 1000 to 8000 points."""
    work = work_of(name, 4000, "two-color")
    assert work["searches"] < 2 and work["cells"] < 100
    assert work["gaps"] < 16 * np.log2(4000)
