"""Points and colors that are hard for cells of one size: colors that lie apart, and points on many scales. Each is (points, colors)."""

from __future__ import annotations

import numpy as np

import poissonmatch as pm


def in_disc(n, rng):
    radius, angle = np.sqrt(rng.random(n)), 2 * np.pi * rng.random(n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def on_circle(radius, angle):
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def coin(n, rng):
    return rng.integers(0, 2, n)


def where(colors, one, zero):
    return np.where(colors[:, None] == 1, one, zero)


def poisson(n, rng):
    return rng.random((n, 2)), coin(n, rng)


def halves(n, rng):
    """Two species, each in its half of the window."""
    points = rng.random((n, 2))
    return points, points[:, 0] > 0.5


def gradient(n, rng):
    """One species gives way to the other along the window."""
    points = rng.random((n, 2))
    return points, rng.random(n) < points[:, 0]


def strip(n, rng):
    points = rng.random((n, 2))
    return points, np.abs(points[:, 0] - 0.5) < 0.05


def river(n, rng):
    points = rng.random((n, 2))
    return points, np.abs(points[:, 1] - 0.5 - 0.2 * np.sin(2 * np.pi * points[:, 0])) < 0.1


def two_piles(n, rng):
    colors = coin(n, rng)
    return 0.01 * rng.random((n, 2)) + where(colors, [0.7, 0.5], [0.2, 0.5]), colors


def two_balls(n, rng):
    colors = coin(n, rng)
    return 0.1 * in_disc(n, rng) + where(colors, [0.75, 0.5], [0.25, 0.5]), colors


def ball_in_a_ring(n, rng):
    colors = coin(n, rng)
    ring = on_circle(0.4 + 0.02 * rng.random(n), 2 * np.pi * rng.random(n))
    return 0.5 + where(colors, ring, 0.1 * in_disc(n, rng)), colors


def clump(n, rng):
    """A clump of one color under uniform points of the other."""
    colors = coin(n, rng)
    return where(colors, rng.random((n, 2)), 0.5 + 0.01 * in_disc(n, rng)), colors


def spiral(n, rng, decades=17):
    t = rng.random(n)
    return on_circle(0.45 * 10.0 ** (-decades * t), 2 * np.pi * decades * t), coin(n, rng)


def long_spiral(n, rng):
    return spiral(n, rng, 130)


def checkerboard(n, rng):
    points = rng.random((n, 2))
    return points, np.floor(8 * points).sum(axis=1) % 2


def two_lines(n, rng):
    points, colors = rng.random((n, 2)), coin(n, rng)
    points[:, 0] = np.where(colors == 1, 0.3, 0.6)
    return points, colors


def two_circles(n, rng):
    """With one center: every distance between them is nearly the same for each point."""
    colors = coin(n, rng)
    return 0.5 + on_circle(np.where(colors == 1, 0.4, 0.1), 2 * np.pi * rng.random(n)), colors


def center_and_circle(n, rng):
    colors = coin(n, rng)
    return 0.5 + on_circle(np.where(colors == 1, 0.4, 1e-9), 2 * np.pi * rng.random(n)), colors


def one_site(n, rng):
    """All points of one color at one place."""
    points, colors = rng.random((n, 2)), coin(n, rng)
    points[colors == 1] = 0.5
    return points, colors


def two_lattices(n, rng):
    """Ties everywhere, and the colors apart."""
    points = rng.integers(0, max(2, int(np.sqrt(n))), (n, 2)) / 2.0 ** np.ceil(np.log2(max(2, np.sqrt(n)) + 1))
    return points, points[:, 0] > 0.25


def dust(n, rng):
    """The middle-thirds Cantor set squared, colors by its left and right half."""
    points = (2 * rng.integers(0, 2, (n, 2, 30)) / 3.0 ** np.arange(1, 31)).sum(axis=2)
    return points, points[:, 0] > 0.5


def comet(n, rng):
    """One color as dense as r^-2 near a place."""
    colors = coin(n, rng)
    tail = on_circle(0.5 * 10.0 ** (-6 * rng.random(n)), 2 * np.pi * rng.random(n))
    return where(colors, rng.random((n, 2)), 0.5 + 0.99 * tail), colors


def few_far_away(n, rng):
    """A hundredth of the points in a corner, the others in the middle."""
    colors = rng.random(n) < 0.01
    return 0.01 * rng.random((n, 2)) + where(colors, [0.1, 0.1], [0.6, 0.6]), colors


def pareto(n, rng):
    """Heavy tails, one color to the left and one to the right."""
    colors = coin(n, rng)
    return rng.pareto(0.5, (n, 2)) * where(colors, [1.0, 1.0], [-1.0, 1.0]), colors


def clump_at_the_seam(n, rng):
    colors = coin(n, rng)
    return where(colors, rng.random((n, 2)), 0.01 * in_disc(n, rng)) % 1.0, colors


def ring_across_the_seam(n, rng):
    colors = coin(n, rng)
    return where(colors, on_circle(0.3, 2 * np.pi * rng.random(n)), 1e-7 * in_disc(n, rng)) % 1.0, colors


def site_and_antipode(n, rng):
    """The points of one color at the place that is farthest from the others on the torus: four images are equally far."""
    colors = coin(n, rng)
    return where(colors, 0.5 + 1e-3 * in_disc(n, rng), [0.0, 0.0]) % 1.0, colors


def fan(n, rng):
    """Rays of one color from a clump of the other."""
    colors = coin(n, rng)
    rays = on_circle(rng.random(n), rng.integers(0, 7, n) * 2 * np.pi / 7)
    return where(colors, 3.0 + rays, 3.0 + 1e-6 * rng.standard_normal((n, 2))), colors


def far_from_the_origin(n, rng):
    """A circle around a clump at coordinates of which few digits are left."""
    colors = coin(n, rng)
    return 1e12 + where(colors, on_circle(1.0, 2 * np.pi * rng.random(n)), 1e-3 * in_disc(n, rng)), colors


ON_TORUS = (
    poisson, halves, gradient, strip, river, two_piles, two_balls, ball_in_a_ring, clump, checkerboard, two_lines, two_circles,
    center_and_circle, one_site, two_lattices, dust, comet, few_far_away,
)  # fmt: skip
IN_PLANE = (spiral, long_spiral, pareto)
INPUTS = {kind.__name__: kind for kind in (*ON_TORUS, *IN_PLANE)}

MORE_ON_TORUS = (clump_at_the_seam, ring_across_the_seam, site_and_antipode)
MORE_INPUTS = {kind.__name__: kind for kind in (*MORE_ON_TORUS, fan, far_from_the_origin)}  # in no benchmark


def hard_pattern(name, n, seed=1):
    """The pattern with about n points of two colors: on the torus of side 1, or in the plane if it would not fit."""
    kinds = INPUTS if name in INPUTS else MORE_INPUTS
    kind = kinds[name]
    points, colors = kind(n, np.random.default_rng([seed, n, sorted(kinds).index(name)]))
    on_torus = kind in (*ON_TORUS, *MORE_ON_TORUS)
    return pm.Pattern(points, np.asarray(colors).astype(int), pm.Torus(1.0, 2) if on_torus else pm.Euclidean(2))
