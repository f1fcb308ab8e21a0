"""A second solver for the fussy matching on the line: the equations at the nodes of one even grid, from 0 to the largest r.

No cells, no coarsening, no cut. K_r(x) at x = 0, h, 2 h, ... by the trapezoidal rule in r, implicit, by iteration. On its right
stands K_r(x - r), whose green parts jump to 0 where x - r falls below r: for a node between two, in the middle of a step.
"""

import numpy as np

SWEEPS = 3  # of the iteration: each gains an order in h


def rates(v, w, gg, gr, rr):
    """d/dr of GG, GR, RR at x, from W_GG = v, W_GR = w, and K at x - r."""
    return np.array([-2 * (v * gg + w * gr), -(v * gr + w * (gg + rr)), -2 * w * gr])


def intensities(rho, h, end):
    """G and R, the intensities of greens and reds with X > r, and W_GG, at r = 0, h, 2 h, ... up to `end`, (k, 3)."""
    n = round(end / h)
    k = np.outer([1, rho**0.5, rho], np.ones(n + 1))
    s = np.array([1, rho**0.5])
    found = [[*s**2, 1]]
    for i in range(n):
        v, w = k[:2, i]
        k[:2, i] = 0  # seen from x - r < r
        near = k[:, i + 1].copy()
        before = rates(v, w, *k[:, 1 : n - i + 1])  # at x = (i + 1) h ... n h
        old = k[:, i + 1 :].copy()
        for _ in range(SWEEPS):
            v1, w1 = k[:2, i + 1]
            change = h / 2 * (before + rates(v1, w1, *k[:, : n - i]))
            if i < n - i:  # x = (2 i + 1) h: green parts for half of the step only
                green = rates(v, w, near[0], near[1], 0)
                jump = rates((v + v1) / 2, (w + w1) / 2, (v + v1) / 2, (w + w1) / 2, 0)
                change[:, i] += h / 4 * (jump - green)
            k[:, i + 1 :] = old + change
        v1, w1 = k[:2, i + 1]
        now, then = np.array([[v, w], [w, 0]]), np.array([[v1, w1], [w1, 0]])
        s = np.linalg.solve(np.eye(2) + h / 2 * then, s - h / 2 * now @ s)
        found.append([*s**2, v1])
    return np.array(found)


def extrapolated(rho, h, end):
    """ln G, ln R, ln(R - G) and W_GG at r = 0, h, 2 h, ...: Richardson's extrapolation over h, h / 2 and h / 4."""
    levels = []
    for k in (1, 2, 4):
        green, red, contacts = intensities(rho, h / k, end)[::k].T
        left = np.maximum(red - green, 1e-300)  # at first there may be more greens
        levels.append(np.array([*np.log([green, red, left]), contacts]))
    first, second = (fine + (fine - coarse) / 3 for coarse, fine in zip(levels, levels[1:], strict=False))
    return second + (second - first) / 7
