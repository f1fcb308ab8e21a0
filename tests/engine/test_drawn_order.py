"""Points in the order in which uniform points are drawn: the first phase takes them as they come, and matches as ever."""

import numpy as np
import pytest
from scipy import stats

import poissonmatch as pm
from helpers import oracles
from helpers.rules import RULES, wrong
from helpers.strategies import KINDS, make_pattern
from poissonmatch.engine import grids, phases, thread_pool
from poissonmatch.points.uniform import drawn_by, uniform_points
from poissonmatch.rules.catalogue import rule_named


def in_rows(pattern):
    """The same points, by color, row of cells and last coordinate."""
    cells = grids.cell_counts(pattern.geometry.sides, len(pattern))
    rows = np.floor(pattern.points * (cells / pattern.geometry.sides))[:, :-1].T
    order = np.lexsort((pattern.points[:, -1], *rows[::-1], pattern.colors))
    return pm.Pattern(pattern.points[order], pattern.colors[order], pattern.geometry)


@pytest.fixture
def taken(monkeypatch):
    """Two threads work on however few points; a list of whether a first phase took the points as they came."""
    found, really = [], phases.presorted_layer

    def spy(*arguments):
        layer = really(*arguments)
        found.append(layer is not None)
        return layer

    monkeypatch.setattr(phases, "presorted_layer", spy)
    monkeypatch.setattr(thread_pool, "PARALLEL", 1)
    monkeypatch.setattr(phases, "ROWS", 3)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", (1, 2, 3))
def test_oracle_in_the_order_of_rows(kind, dim, taken):
    """The points of however crowded a pattern may come so; only if they are spread evenly are they taken as they come."""
    for name, rule in RULES.items():
        for n in (2, 5, 150):
            pattern = in_rows(make_pattern(kind, n, dim, seed=1, n_colors=rule.n_colors))
            assert wrong(pattern, rule, oracles.pair_list(pattern), (1, 2)) == [], (name, n)
    assert kind != "uniform" or (len(taken) > 2 * len(RULES) and all(taken))


SPACES = [
    pm.Torus(1.0, 1),
    pm.Torus(20.0, 2),
    pm.Torus(7.0, 3),
    pm.Torus(3.0, 4),
    pm.Torus((40.0, 1.0)),
    pm.Torus((1.0, 60.0, 3.0)),
]


@pytest.mark.slow
@pytest.mark.parametrize("torus", SPACES, ids=str)
@pytest.mark.parametrize("rule", ["one-color", "two-color", "fussy", "multi(3)", "labels(3)", "misere"])
def test_drawn_and_shuffled_points_have_the_same_partners(torus, rule, taken):
    pattern = pm.processes.binomial(torus, (1500, 500) if rule_named(rule).n_colors > 1 else 2000, rng=3)
    order = np.random.default_rng(0).permutation(2000)
    shuffled = pm.Pattern(pattern.points[order], pattern.colors[order], torus)
    one, other = (pm.match(pattern, rule, threads=t) for t in (1, 2))
    assert one == other and taken == [True, True]
    third = pm.match(shuffled, rule)
    assert np.array_equal(np.where(third.partners < 0, -1, order[third.partners]), one.partners[order])
    assert taken == [True, True, False]


def test_what_is_nearly_in_order_is_sorted(taken):
    """One point in the row before its own, or one color after another that is larger."""
    pattern = pm.processes.binomial(pm.Torus(20.0, 2), 400, rng=1)
    points = pattern.points.copy()
    points[[200, 201]] = points[[201, 200]]
    assert pm.match(pm.Pattern(points[::-1], None, pattern.geometry)).pairs.size
    late = pm.Pattern(np.concatenate([points[1:], points[:1]]), None, pattern.geometry)
    assert np.array_equal(np.sort(pm.match(late).pair_distance), np.sort(pm.match(pattern).pair_distance))
    colors = np.repeat([1, 0], 200)
    mixed = pm.Pattern(pattern.points, colors, pattern.geometry)
    assert wrong(mixed, RULES["two-color"], oracles.pair_list(mixed)) == []
    assert taken == [False, False, True, False, False]  # twice by `wrong`: a small set has fewer points than PARALLEL


# ---- the law of what is drawn ----


@pytest.mark.parametrize("piece", [2**15, 97])  # points of a piece: some rows, or parts of a row
@pytest.mark.parametrize("sides", [(1.0,), (3.0, 4.0), (1.0, 1.0, 1.0), (9.0, 1.0)], ids=str)
def test_counts_in_boxes_are_multinomial(sides, piece, monkeypatch):
    """Chi-square over boxes that know nothing of rows, and of all of the pattern's pieces together: 400 sets of 300 points."""
    monkeypatch.setattr("poissonmatch.points.uniform.PIECE", piece)
    rng, per_axis = np.random.default_rng(2), 4 if len(sides) < 3 else 3
    counts = np.zeros((per_axis,) * len(sides))
    spread = []
    for _ in range(400):
        points = uniform_points(np.array(sides), [300], rng)
        cells = np.floor(points / sides * per_axis).astype(int)
        mine = np.zeros_like(counts)
        np.add.at(mine, tuple(cells.T), 1)
        counts += mine
        spread.append(stats.chisquare(mine.ravel()).statistic)
    assert stats.chisquare(counts.ravel()).pvalue > 1e-4
    boxes = counts.size - 1
    assert abs(np.mean(spread) - boxes) < 4 * np.sqrt(2 * boxes / 400)


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox])
@pytest.mark.parametrize("sides", [(400.0,), (20.0, 20.0), (1.0, 400.0), (7.0, 8.0, 9.0)])
def test_threads_draw_the_same_points(kind, sides, monkeypatch):
    """And leave the generator as one thread does, half a number that it keeps included."""
    monkeypatch.setattr("poissonmatch.points.uniform.PIECE", 100)

    def drawn(threads):
        rng = np.random.Generator(kind(3))
        rng.integers(0, 9, dtype=np.uint32)
        with drawn_by(threads):
            points = uniform_points(np.array(sides), [1500, 0, 730], rng)
        return points.tobytes(), rng.integers(0, 2**32, 5, dtype=np.uint32).tolist()

    assert drawn(1) == drawn(2) == drawn(3) == drawn(50)
