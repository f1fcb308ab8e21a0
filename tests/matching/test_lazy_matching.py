"""Lazy matching: the same as that of a large part of the pattern, and the same whatever lies outside the window."""

import itertools
import math

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.slow_locality import balls_of_a_question
from poissonmatch.matching.lazy import LazyMatching
from poissonmatch.points.infinite import (
    DecreasingGaps,
    InfiniteLattice,
    InfiniteMatern,
    InfinitePattern,
    InfinitePoisson,
    InfiniteThomas,
    Intervals,
    Periodic,
)
from poissonmatch.points.infinite_pattern import Point, cell_stream
from poissonmatch.rules.catalogue import rule_named


@pytest.mark.parametrize(
    "rule", ["one-color", "two-color", "fussy", "misere", "multi(2)", "labels(3)", "custom(01/10; 1,3)"]
)
@pytest.mark.parametrize("dim", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_all_partners_hold_whatever_lies_outside_the_window(rule, dim):
    """The points within the window are kept, those outside are others each time: the partners of all orders stay."""
    rng, decided = np.random.default_rng(dim), 0
    for seed in range(6):
        infinite = InfinitePoisson(dim, (1.0, 0.6), seed=seed)
        lazy = LazyMatching(infinite, rule, max_distance={1: 30.0, 2: 7.0, 3: 3.5}[dim])
        x = lazy.nearest([0.0] * dim)
        partners, window = lazy.partners(x)
        if partners is None:
            continue
        decided += 1
        center = np.array(x.coordinates)
        around = infinite.window(center - window - 1, center + window + 1)
        inside = np.linalg.norm(around.points - center, axis=1) <= window * (1 + 1e-12)
        for turn in range(3):
            other = rng.uniform(center - window - 1, center + window + 1, (rng.poisson(turn * 15), dim))
            other = other[np.linalg.norm(other - center, axis=1) > window * (1 + 1e-12)]
            places = np.concatenate([around.points[inside], other if turn else around.points[~inside]])
            colors = np.concatenate(
                [around.colors[inside], rng.integers(0, 2, len(other)) if turn else around.colors[~inside]]
            )
            partner, _ = oracles.all_pairs(pm.Pattern(places, colors, pm.Euclidean(dim)), rule_named(rule))
            (own,) = np.flatnonzero((places == x.coordinates).all(axis=1))
            expected = [tuple(places[k].tolist()) for k in partner[own].ravel() if k >= 0]
            assert [p.coordinates for p in partners] == expected
        for order, y in enumerate(partners):
            found = lazy.partner(x, order)
            assert found.answer == y and found.window <= window and lazy.are_partners(x, y).answer is True
            assert lazy.partners(y).answer is None or x in lazy.partners(y).answer
        for z in itertools.islice(lazy.neighbors(x), 4):
            assert lazy.are_partners(x, z).answer is (z in partners)
    assert decided >= 2


@pytest.mark.parametrize("rule", ["one-color", "two-color", "fussy", "misere", "multi(2)"])
def test_desire_is_that_of_the_torus(rule):
    """Of a torus that is repeated: a point desires those no farther than its last partner that it may be matched to."""
    torus, full = pm.Torus(6.0, 2), False
    for seed in itertools.count():
        pattern = pm.processes.binomial(torus, (18, 18) if rule == "two-color" else (26, 10), rng=seed)
        matching = pm.match(pattern, rule)
        if full := bool((matching.partners >= 0).all()):
            break
    assert full
    i, j = np.indices((36, 36)).reshape(2, -1)
    gap = pattern.distance(i, j).reshape(36, 36)
    wants = oracles.desires(pattern, rule_named(rule), matching.partners)
    periodic = Periodic(pattern)
    lazy = LazyMatching(periodic, rule)
    for x in range(8):
        desirers = lazy.desirers(periodic.point(x), 2.9).answer
        indices = [
            np.abs((np.array(y.coordinates) - pattern.points + 3) % 6 - 3).sum(axis=1).argmin() for y in desirers
        ]
        assert sorted(indices) == np.flatnonzero(wants[:, x] & (gap[x] <= 2.9)).tolist()
        assert all(lazy.desires(y, periodic.point(x)).answer is True for y in desirers)
        assert lazy.desires(periodic.point(x), periodic.point(x)).answer is False


def test_desire_is_undecided_beyond_the_largest_distance():
    lazy = LazyMatching(Intervals(single=[0], seed=1), max_distance=9.0)
    (alone,) = lazy.points.points((0,))
    assert lazy.desirers(alone, 4.5).answer == ()
    assert lazy.desirers(alone, 9.0) == (None, 9.0)


@pytest.mark.parametrize("dim", [1, 2])
def test_infinite_processes_are_those_of_their_definitions(dim):
    low, high = [0.0] * dim, [{1: 60.0, 2: 8.0}[dim]] * dim
    hard, clusters = InfiniteMatern(dim, 0.5, seed=3), InfiniteThomas(dim, seed=3)
    proposals = [
        p
        for cell in itertools.product(range(-3, 63 if dim == 1 else 11), repeat=dim)
        for p in hard._proposals.points(cell)
    ]
    marks = [cell_stream(3, (p.number, *p.cell)).random() for p in proposals]
    places = np.array([p.coordinates for p in proposals])
    gaps = np.linalg.norm(places[:, None] - places, axis=2)
    kept = places[~((gaps < 0.5) & (np.array(marks) < np.array(marks)[:, None])).any(axis=1)]
    moved = np.concatenate([clusters._clusters(cell) for cell in itertools.product(range(-3, 40), repeat=dim)])
    lattice = InfiniteLattice(dim, 0.5, seed=3)
    sites = np.array([lattice._moved(site) for site in itertools.product(range(-2, int(high[0]) + 2), repeat=dim)])
    for infinite, points in ((hard, kept), (clusters, moved), (lattice, sites)):
        points = points[((points >= low) & (points < high)).all(axis=1)]
        assert sorted(points.tolist()) == sorted(infinite.window(low, high).points.tolist())


@pytest.mark.parametrize(
    "cls, expected", [(InfiniteThomas, 1.0), (InfiniteMatern, 1 - math.exp(-1.0)), (InfiniteLattice, 1.0)]
)
def test_infinite_processes_have_their_intensities(cls, expected):
    """The mean of windows with independent seeds, within four standard errors; the window lies across no cell by chance."""
    counts = [len(cls(1, seed=seed).window([0.3], [40.3])) / 40 for seed in range(60)]
    assert abs(np.mean(counts) - expected) < 4 * np.std(counts) / math.sqrt(60) + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(
    "rule, dim", [("one-color", 1), ("one-color", 2), ("one-color", 3), ("two-color", 2), ("fussy", 2)]
)
def test_the_window_holds_what_must_be_looked_at_and_no_more(rule, dim):
    """On a torus, repeated: the balls that the answer needs, from the finished matching; the window is the farthest they reach."""
    decided = 0
    for seed in range(3):
        torus = pm.Torus(150 ** (1 / dim), dim)
        pattern = pm.processes.binomial(torus, [75, 75], rng=seed)
        matching, infinite = pm.match(pattern, rule), Periodic(pattern)
        lazy = LazyMatching(infinite, rule, max_distance=torus.side / 2)
        reach = pm.RULES[rule].matrix()
        assert sum(len(infinite.points(cell)) for cell in np.ndindex((infinite.parts,) * dim)) == 150

        def allowed(x, y, pattern=pattern, reach=reach):
            return len(reach) == 1 or reach[pattern.colors[x], pattern.colors[y]]

        for x in range(0, 150, 7):
            partner, window = lazy.partner(infinite.point(x))
            balls = balls_of_a_question(pattern, matching.partner, allowed, x)
            needed = max(float(pattern.distance(x, z)) + radius for z, radius in balls)
            assert (partner is None) == (needed > torus.side / 2) and infinite.point(x).coordinates == tuple(
                pattern.points[x].tolist()
            )
            if partner is not None:
                decided += 1
                assert window == pytest.approx(needed, rel=1e-9)
                assert np.mod(partner.coordinates, torus.side) == pytest.approx(pattern.points[matching.partner[x]])
    assert decided > (10 if dim == 3 else 20)


def test_a_pattern_is_the_same_wherever_one_looks_first():
    infinite, again = InfinitePoisson(2, (1.0, 2.0), seed=5), InfinitePoisson(2, (1.0, 2.0), seed=5)
    far = infinite.window([-7.5, 3.0], [-2.0, 8.0])
    assert again.window([-20, -20], [20, 20]).count().tolist()[1] > 1.7 * again.window([-20, -20], [20, 20]).count()[0]
    assert sorted(map(tuple, far.points.tolist())) == sorted(
        tuple(p) for p in again.window([-10, 0], [0, 10]).points.tolist() if -7.5 <= p[0] < -2 and 3 <= p[1] < 8
    )
    assert len(InfinitePoisson(2, (1.0, 2.0), seed=6).window([0, 0], [30, 30])) == pytest.approx(
        2700, abs=5 * 2700**0.5
    )


def test_figure_3_bottom_alice_has_a_point_without_a_partner():
    """The point that is alone in [0, 1] never is decided; that nobody whom Bob may choose is its partner, is."""
    lazy = LazyMatching(Intervals(single=[0], seed=1), max_distance=200.0)
    (x,) = lazy.points.points((0,))
    assert lazy.partner(x) == (None, 200.0)
    for i in (*range(-20, 0), *range(1, 20)):
        for y, mate in zip(lazy.points.points((i,)), lazy.points.points((i,))[::-1], strict=True):
            answer, window = lazy.are_partners(x, y)
            assert answer is False and window < 62
            partner, window = lazy.partner(y)
            assert partner == mate and window <= 2 and lazy.are_partners(y, mate).answer is True


def test_two_colors_on_intervals():
    """Sec. 3.2: amber and blue are equally dense, and yet Alice wins, on the amber point that is alone."""
    lazy = LazyMatching(Intervals(single=[0], colored=True, seed=2), "two-color", max_distance=100.0)
    (x,) = lazy.points.points((0,))
    assert x.color == 0 and lazy.partner(x) == (None, 100.0)
    one, two = lazy.points.points((5,))
    assert lazy.partner(one).answer == two and (one.color, two.color) == (0, 1)
    assert lazy.are_partners(x, one) == (False, 0.0)  # both are amber


def test_figure_3_top_an_infinite_chain_is_never_decided():
    lazy = LazyMatching(DecreasingGaps(), max_distance=300.0)
    x = lazy.nearest([0.0])
    assert x.coordinates == (0.0,) and lazy.partner(x) == (None, 300.0)
    assert lazy.are_partners(x, lazy.nearest([1.5])) == (None, 300.0)


class Grid(InfinitePattern):
    """The whole numbers, with all their ties."""

    dim, side = 1, 1.0

    def draw(self, cell):
        return [[float(cell[0])]], [0]


def test_ties_go_to_the_smaller_point():
    """A custom pattern. The pair of the smallest point would be first, but there is none: a chain without end to the left."""
    lazy = LazyMatching(Grid(), max_distance=50.0)
    assert lazy.partner(lazy.nearest([0.2])) == (None, 50.0)

    class Half(Grid):
        def draw(self, cell):
            return ([[float(cell[0])]], [0]) if cell[0] >= 0 else ([], [])

    lazy = LazyMatching(Half(), max_distance=50.0)
    for k in range(6):
        assert lazy.partner(lazy.nearest([k])).answer.coordinates == (float(k ^ 1),)


def test_a_point_is_known_by_its_cell_and_number():
    assert DecreasingGaps().points((3,)) == (Point((3,), 0, (3.75,), 0),) and DecreasingGaps().points((-1,)) == ()
