"""Point sets that are hard for cells: ties, seams, clusters of clusters."""

from __future__ import annotations

import numpy as np

import poissonmatch as pm


def uniform(n, dim, rng):
    return rng.random((n, dim)), 1.0


def clustered(n, dim, rng):
    centers = rng.random((max(1, n // 20), dim))
    points = centers[rng.integers(0, len(centers), n)] + 1e-3 * rng.standard_normal((n, dim))
    return np.mod(points, 1.0) % 1.0, 1.0


def lattice(n, dim, rng):
    """A small piece of Z^d, some sites twice, some empty: nearly all distances are ties."""
    side = max(2, int(np.ceil((0.8 * max(n, 1)) ** (1 / dim))))
    return rng.integers(0, side, (n, dim)).astype(float), float(side)


def coincident(n, dim, rng):
    sites = rng.random((3, dim))
    return sites[rng.integers(0, 3, n)], 1.0


def all_equal(n, dim, rng):
    return np.tile(rng.random(dim), (n, 1)), 1.0


def seam(n, dim, rng):
    """Within 1e-3 of the faces, and some points on them."""
    points = rng.choice([0.0, 1.0], (n, dim)) + 1e-3 * rng.standard_normal((n, dim))
    points = np.mod(points, 1.0)
    points[points >= 1.0] = 0.0
    points[rng.random((n, dim)) < 0.1] = 0.0
    points[rng.random((n, dim)) < 0.1] = np.nextafter(1.0, 0.0)
    return points, 1.0


def diagonal(n, dim, rng):
    """On the diagonal, so that the cells of the box are nearly all empty."""
    t = rng.random((n, 1))
    return np.clip(t + 1e-4 * rng.random((n, dim)), 0.0, np.nextafter(1.0, 0.0)), 1.0


def strip(n, dim, rng):
    points = rng.random((n, dim))
    points[:, 1:] *= 1e-6
    return points, 1.0


def multiscale(n, dim, rng):
    """Clusters inside clusters, over twelve orders of magnitude."""
    scale = 10.0 ** -rng.integers(0, 12, (n, 1))
    return 0.3 + 0.69 * rng.random((n, dim)) * scale, 1.0


def wobbly_lattice(n, dim, rng):
    """Distances that differ by less, or by little more, than the coarse coordinates of the engine tell."""
    points, side = lattice(n, dim, rng)
    return np.mod(points + rng.standard_normal((n, dim)) * 10.0 ** -rng.integers(6, 15, (n, 1)), side) % side, side


KINDS = {
    f.__name__: f
    for f in (
        uniform,
        clustered,
        lattice,
        coincident,
        all_equal,
        seam,
        diagonal,
        strip,
        multiscale,
        wobbly_lattice,
    )
}


def make_pattern(kind, n, dim, seed, *, euclidean=False, n_colors=3):
    rng = np.random.default_rng([seed, n, dim, sorted(KINDS).index(kind)])
    points, side = KINDS[kind](n, dim, rng)
    geometry = pm.Euclidean(dim) if euclidean else pm.Torus(side, dim)
    return pm.Pattern(points, rng.integers(0, n_colors, n), geometry)


def table_pattern(table, colors=None, volume=1.0):
    """The distances above the diagonal of a table, as a pattern of the mean-field model."""
    upper = np.triu(table, 1)
    return pm.Pattern(upper + upper.T, colors, pm.MeanField(volume))
