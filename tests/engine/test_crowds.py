"""However clustered the points are, a phase looks at a few of them from each: work is counted, in pairs of a common cell, not timed."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.rules import RULES, wrong
from poissonmatch.engine import grids, phases
from poissonmatch.utils import thread_pool

N = 20_000


def uniform(u, rng):
    return u


def one_outlier(u, rng):
    """netCDF's fill value beside distances of planets."""
    u *= 1e12
    u[7] = 9.96920996838687e36
    return u


def far_below(u, rng):
    u[[3, 5]] = [[-1e140], [-1e100]]
    return u


def outliers_everywhere(u, rng):
    far = 10.0 ** rng.uniform(12, 140, (50, u.shape[1]))
    u[:50] = rng.choice([-1.0, 1.0], far.shape) * far
    return u


def two_crowds(u, rng):
    u[::2] += 1e13
    return u


def tiny_crowd(u, rng):
    u[::2] *= 1e-30
    return u


def cauchy(u, rng):
    return rng.standard_cauchy(u.shape)


def log_uniform(u, rng):
    return 10.0 ** rng.uniform(-20, 20, (len(u), 1)) * u


def first_axis_constant(u, rng):
    u[:, 0] = 0.3
    return u


def along_the_first_axis(u, rng):
    u[:, 1:] = 0.3
    return u


def diagonal(u, rng):
    return np.repeat(u[:, :1], u.shape[1], axis=1)


def slanted(u, rng):
    return u[:, :1] / np.arange(1, u.shape[1] + 1) ** 2.5


def nearly_a_line(u, rng):
    return np.clip(u[:, :1] + 1e-9 * u, 0, 1 - 1e-16)


def circle(u, rng):
    points = np.full_like(u, 0.5)
    points[:, 0] += 0.4 * np.cos(2 * np.pi * u[:, 0])
    points[:, 1] += 0.4 * np.sin(2 * np.pi * u[:, 0])
    return points


def slab_on_the_seam(u, rng):
    u[:, 0] = (1e-9 * (u[:, 0] - 0.5)) % 1.0
    return u


def corner_on_the_seam(u, rng):
    return (1e-9 * (u - 0.5)) % 1.0


COLLINEAR = (along_the_first_axis, diagonal, slanted, nearly_a_line)
FAR = (one_outlier, far_below, outliers_everywhere, two_crowds)
THIN = (first_axis_constant, circle)
CROWDS = (tiny_crowd, corner_on_the_seam, slab_on_the_seam)
HEAVY = (cauchy, log_uniform)
IN_SPACE = (*FAR, *COLLINEAR, *THIN, *HEAVY, tiny_crowd)
ON_TORUS = (*COLLINEAR, *THIN, *CROWDS)
ALL = [*((kind, "space") for kind in IN_SPACE), *((kind, "torus") for kind in ON_TORUS)]


def pattern_of(kind, space, dim, n, n_colors=2):
    rng = np.random.default_rng([n, dim])
    points = kind(rng.random((n, dim)), rng)
    geometry = pm.Torus(1.0, dim) if space == "torus" else pm.Euclidean(dim)
    return pm.Pattern(points, rng.integers(0, n_colors, n), geometry)


def name_of(value):
    return getattr(value, "__name__", None)


@pytest.fixture
def work(monkeypatch):
    """Return a function that counts the work of a matching: points in all phases, and pairs in common cells that may match."""
    sort, counts = phases.sort_points, []

    def counted(task, layer, n_active, *arguments):
        sorted_layer, order = sort(task, layer, n_active, *arguments)
        together = np.diff(sorted_layer.start.astype(float)).reshape(len(task.compatible), -1)
        counts.append(n_active + (task.compatible @ together * together).sum())
        return sorted_layer, order

    monkeypatch.setattr(phases, "sort_points", counted)

    def of(pattern, rule):
        counts.clear()
        pm.match(pattern, rule)
        return sum(counts)

    return of


def cases(kinds, dims):
    return [(kind, space, dim) for kind, space in ALL for dim in dims if kind in kinds]


@pytest.mark.parametrize(
    "kind, space, dim, most",
    [
        *((*case, 5) for case in cases((*FAR, tiny_crowd), (1, 2, 3))),
        *((*case, 5) for case in cases(COLLINEAR, (2, 3))),
        *((*case, 8) for case in cases((*THIN, *CROWDS), (2, 3))),
        *((*case, 100) for case in cases(HEAVY, (1, 2, 3))),  # a phase for each of their scales
    ],
    ids=name_of,
)
def test_work_grows_with_the_points_only(kind, space, dim, most, work):
    """Times that of uniform points. With one outlier it was 20 000^2 / 6, for lines on a torus 60 times."""
    for rule in ("one-color", "two-color"):
        usual = work(pattern_of(uniform, "torus", dim, N), rule)
        assert work(pattern_of(kind, space, dim, N), rule) < most * usual


@pytest.mark.parametrize("kind, space", ALL, ids=name_of)
def test_crowds_are_matched_as_the_oracle_says(kind, space, monkeypatch):
    monkeypatch.setattr(thread_pool, "PARALLEL", 1)
    monkeypatch.setattr(phases, "ROWS", 3)
    for dim, n in ((2, 150), (3, 70)) if kind in THIN else ((1, 70), (2, 150), (3, 70)):
        pattern = pattern_of(kind, space, dim, n, n_colors=3)
        pairs = oracles.pair_list(pattern)
        for name in ("one-color", "two-color", "multi(3)", "misere"):
            assert wrong(pattern, RULES[name], pairs, (1, 2)) == []


def test_clusters_in_high_dimension_do_not_fill_the_memory():
    """There were 10^18 places for 10^5 points in dimension 20."""
    for dim in (2, 3, 6, 8, 10, 16, 20, 64):
        X = 1e-3 * np.random.default_rng(0).random((dim, 10_000))
        X[:, 0] = 0.9
        grid, radius = grids.choose_grid(X, 10_000, np.full(dim, np.inf), np.zeros(dim), np.full(dim, 0.9), 0.0, 1.5)
        assert np.prod(grid.cells.astype(float)) < 30_000 and radius > 0


def test_points_that_may_not_match_are_no_cluster():
    """300 points of one color on one spot kept the cells as narrow as they, for 60 phases."""
    rng = np.random.default_rng(0)
    X = rng.random((2, 4000))
    X[:, :300] = 0.5 + 1e-12 * X[:, :300]
    colors = np.where(np.arange(4000) < 300, 0, rng.integers(0, 2, 4000))
    box, apart = (np.zeros(2), np.ones(2)), np.array([[False, True], [True, False]])
    one, _ = grids.choose_grid(X, 4000, np.ones(len(X)), *box, 0.0, 3.0)
    two, _ = grids.choose_grid(X, 4000, np.ones(len(X)), *box, 0.0, 3.0, colors.__getitem__, apart)
    assert one.width.max() < 1e-6 and two.width.min() > 1e-3
