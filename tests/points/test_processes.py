"""Processes: the right laws, the same bytes, clear errors."""

import hashlib
import inspect

import numpy as np
import pytest
from scipy import stats
from scipy.spatial import cKDTree

import poissonmatch as pm
from helpers.tables import tables
from poissonmatch import processes
from poissonmatch.points.processes import PROCESSES
from poissonmatch.theory.volumes import unit_ball_volume

TORUS = pm.Torus(20.0, 2)


def make(name, torus=TORUS, seed=3, **parameters):
    if name == "binomial":
        parameters.setdefault("counts", (100, 30))
    return processes.PROCESSES[name](torus, **parameters, rng=np.random.default_rng(seed))


@pytest.mark.parametrize("name", processes.PROCESSES)
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_points_lie_on_the_torus_and_repeat(name, dim):
    side = {1: 81.0, 2: 9.0, 3: 5.0}[dim]
    torus = pm.Torus(side, dim)
    one, two = make(name, torus), make(name, torus)
    assert one.points.tobytes() == two.points.tobytes() and one.colors.tobytes() == two.colors.tobytes()
    assert len(one) > 0 and (one.points >= 0).all() and (one.points < side).all()
    assert (np.diff(one.colors.astype(int)) >= 0).all()
    if name != "binomial":
        assert make(name, torus, seed=4).points.tobytes() != one.points.tobytes()


def test_bytes_are_those_of_every_machine():
    pattern = processes.two_color(TORUS, (1.0, 0.5), rng=np.random.default_rng(7))
    assert list(pattern.count()) == [407, 212]
    assert hashlib.sha256(pattern.points.tobytes()).hexdigest()[:16] == "2aa0c1867d240d8c"


@pytest.mark.parametrize("name", ["poisson", "thomas", "matern", "perturbed_lattice", "lattice"])
@pytest.mark.parametrize("intensity", [0.25, 1.0])
def test_intensity(name, intensity):
    counts = np.array([len(make(name, seed=s, intensity=intensity)) for s in range(400)])
    error = max(counts.std(ddof=1) / 20, 1e-12)
    assert abs(counts.mean() - 400 * intensity) < 4 * error + 1e-9


@pytest.mark.slow
def test_counts_are_poisson_and_not_rounded_means():
    counts = np.array([make("two_color", seed=s, intensities=(0.05, 0.02)).count(2) for s in range(2000)])
    for column, mean in ((0, 20.0), (1, 8.0)):
        k = np.arange(0, int(3 * mean))
        expected = stats.poisson.pmf(k, mean) * 2000
        keep = expected > 5
        found = np.array([(counts[:, column] == j).sum() for j in k])
        chi2 = ((found - expected)[keep] ** 2 / expected[keep]).sum()
        assert stats.chi2.sf(chi2, keep.sum() - 1) > 1e-4
    assert abs(np.corrcoef(counts.T)[0, 1]) < 4 / np.sqrt(2000)


def test_matern_is_hard_core_and_thomas_is_clustered():
    matern = make("matern", intensity=0.5, distance=0.6).points
    assert cKDTree(matern, boxsize=20.0).query(matern, k=2)[0][:, 1].min() > 0.6
    thomas = make("thomas", intensity=1.0, offspring=10.0, spread=0.1).points
    near = np.median(cKDTree(thomas, boxsize=20.0).query(thomas, k=2)[0][:, 1])
    poisson = make("poisson").points
    assert near < 0.3 * np.median(cKDTree(poisson, boxsize=20.0).query(poisson, k=2)[0][:, 1])


def test_lattice_is_shifted_uniformly():
    shifts = np.array([make("lattice", seed=s).points.min(axis=0) for s in range(400)])
    assert stats.kstest(shifts[:, 0], "uniform").pvalue > 1e-4
    assert len(make("lattice")) == 400
    spread = make("perturbed_lattice", spread=0.25)
    sites = make("lattice")  # same seed, same shift is drawn first
    move = spread.points - sites.points
    move -= 20 * np.round(move / 20)
    assert abs(move.std() - 0.25) < 4 * 0.25 / np.sqrt(2 * 800)


@pytest.mark.slow
@pytest.mark.parametrize("space", [TORUS, pm.MeanField(300.0)])
def test_thinning_colors_the_points_that_there_are(space):
    """Each point has color k with probability intensities[k] / sum, independently; color 0 comes first, and nothing moves."""
    counts, shares = np.zeros(4), np.array([3.0, 0.0, 1.0, 2.0])
    for seed in range(20):
        drawn = processes.poisson(space, rng=seed)
        thinned = processes.thinned(drawn, shares, rng=1000 + seed)
        counts += thinned.count(4)
        assert (np.diff(thinned.colors.astype(int)) >= 0).all() and thinned.geometry == space
        assert np.array_equal(np.sort(thinned.points, axis=None), np.sort(drawn.points, axis=None))
        if space is TORUS:  # points of one color keep their order
            places = [drawn.points.tolist().index(point) for point in thinned.points.tolist()]
            assert all((np.diff(np.array(places)[thinned.colors == k]) > 0).all() for k in range(4))
    keep = shares > 0
    assert counts[~keep] == 0
    assert stats.chisquare(counts[keep], counts.sum() * shares[keep] / shares.sum()).pvalue > 1e-4


def test_thinned_poisson_points_are_independent_poisson_processes():
    entry = PROCESSES["poisson"]
    counts = np.array(
        [entry.pattern(pm.Torus(4.0, 2), 48, (2.0, 1.0), np.random.default_rng(s)).count(2) for s in range(2000)]
    )
    for column, mean in ((0, 32.0), (1, 16.0)):
        assert abs(counts[:, column].mean() - mean) < 4 * np.sqrt(mean / 2000)
        assert abs(counts[:, column].var(ddof=1) / mean - 1) < 4 * np.sqrt(2 / 2000) * 1.05
    assert abs(np.corrcoef(counts.T)[0, 1]) < 4 / np.sqrt(2000)


def test_binomial():
    assert list(make("binomial", counts=(7, 0, 2)).count()) == [7, 0, 2]
    assert len(make("binomial", counts=5)) == 5
    assert len(make("binomial", counts=0)) == 0


def test_mean_field_distances_are_exponential():
    pattern = processes.two_color(pm.MeanField(300.0), (1.0, 0.5), rng=np.random.default_rng(1))
    upper = pattern.points[np.triu_indices(len(pattern), 1)]
    assert (pattern.points == pattern.points.T).all()
    assert abs(upper.mean() / 300 - 1) < 4 / np.sqrt(len(upper))
    assert stats.kstest(upper / 300, "expon").pvalue > 1e-4


@pytest.mark.parametrize("name", [name for name, entry in PROCESSES.items() if entry.holds])
def test_what_a_process_holds_is_asked_in_its_own_words(name):
    entry = PROCESSES[name]
    wanted = set(inspect.signature(entry.draw).parameters) - {"rng"}
    assert wanted <= set(inspect.signature(entry.holds).parameters)


@pytest.mark.parametrize("name, parameters, points", tables(__file__)["held"])
def test_points_that_a_process_holds(name, parameters, points):
    space = pm.Torus(10.0, 2)
    assert PROCESSES[name].held(space, 100, (1.0,), **parameters) == pytest.approx(points)


@pytest.mark.parametrize("name", ["poisson", "two_color", "binomial", "lattice", "thomas", "matern"])
def test_more_points_than_memory_are_refused_before_one_is_drawn(name):
    parameters = {"counts": 10**12} if name == "binomial" else {}
    with pytest.raises(MemoryError, match="points in Torus"):
        make(name, pm.Torus(1e7, 2), **parameters)
    if name in ("poisson", "two_color"):
        with pytest.raises(MemoryError, match="points in MeanField"):
            make(name, pm.MeanField(1e7))


@pytest.mark.parametrize("enter", [processes.process, processes.process(flat=True)], ids=["plain", "with words"])
def test_a_function_is_entered_with_or_without_words_and_may_give_an_array(enter):
    def corner(torus, intensity=1.0, *, rng):
        return rng.random((3, torus.dim))

    try:
        entered = enter(corner)
        torus = pm.Torus(4.0, 2)
        pattern = entered(torus, rng=5)
        assert "corner" in PROCESSES and pattern.geometry == torus
        assert np.array_equal(pattern.points, np.random.default_rng(5).random((3, 2)))
    finally:
        PROCESSES.pop("corner")


def test_uniform_points_in_a_ball():
    """The volume of the ball within each point, over that of all, is uniform."""
    for dim in (1, 2, 5):
        pattern = pm.processes.in_ball(4000, dim, 2.0, rng=dim)
        radius = (2000 / unit_ball_volume(dim)) ** (1 / dim)
        share = np.sort((np.linalg.norm(pattern.points, axis=1) / radius) ** dim)
        assert (
            np.abs(share - np.arange(4000) / 4000).max() < 0.04
            and np.abs(pattern.points.mean(axis=0)).max() < 0.05 * radius
        )
    assert len(pm.processes.in_ball(0, rng=1)) == 0


@pytest.mark.parametrize("count", [50, 50_000])
@pytest.mark.parametrize("dim", [1, 2, 3, 4])
def test_points_are_uniform_along_each_axis(dim, count):
    """They are drawn cell by cell; 50 of 2^d cells, or more, and many."""
    points = np.concatenate(
        [processes.binomial(pm.Torus(2.0, dim), count, rng=seed).points for seed in range(50_000 // count)]
    )
    for axis in points.T:
        assert stats.kstest(axis / 2, "uniform").pvalue > 1e-6


def test_the_distance_of_a_matern_process_may_be_half_the_side():
    assert len(processes.matern(pm.Torus(10.0, 2), 1e-3, 5.0, rng=1)) <= 1
