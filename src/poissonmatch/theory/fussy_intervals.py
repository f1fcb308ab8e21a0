"""Bounds of the fussy matching on the line by the equations of fussy_line.py in interval arithmetic.

Each entry of K_r(x) is enclosed on the cells j h <= x < (j + 1) h by two numbers. K falls in r and is
not negative, so in a step from r = i h to (i + 1) h, at s in between, x in cell j and y = x - s in the
cells j - i - 1 and j - i:

    K_s(y) is at most its upper bound before the step, and at least its lower bound after it (0 for
    GG and GR up to y = (i + 1) h); W_s = K_s(s+) is at most the upper bound of cell i before the
    step, and at least the lower bound of x in cell i after the step.

So the loss of K_r(x), the integral of W K + K W, has an upper bound from the upper bounds before
the step, which gives the new lower bounds, and a lower bound from these, which gives the new upper
bounds. There is no truncation error apart from these bounds, h is a power of 2, and every rounded
operation is followed by a step to the next float64 outwards. What is used of the equations is
proved in docs/paper/theorem-on-the-line.md.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..utils.errors import BadInput
from ..utils.validation import checked

GG, GR, RR = range(3)
MAX_STEPS = 2**16


@checked()
def fussy_bounds(rho: float, r: float = 2.0, steps: int = 512) -> tuple[float, float]:
    """Return bounds (a, b) with a <= u(rho) <= b.

    The bounds are proved if the floating-point arithmetic is that of IEEE 754.

    They are lower and upper bounds of (R(r) - G(r)) / rho and R(r) / rho, see docs/paper/theorem-on-the-line.md.
    a > 0 proves u > 0, also on the interval `lipschitz.covers(rho, rho * a)` around rho.

    Parameters
    ----------
    rho : float
        Ratio of the intensities of red and green points, in (0, 1].
    r : float, default 2.0
        Distance at which survivors are counted, a power of 2.
    steps : int, default 512
        Number of steps up to r, a power of 2 up to 65536. The distance of the bounds is of order 1
        / steps.

    Returns
    -------
    tuple of float
        The bounds a and b.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> [round(u, 4) for u in pm.theory.fussy_bounds(1.0, r=1.0, steps=128)]
    [0.3259, 0.5298]
    """
    if not 0 < rho <= 1:
        raise BadInput(f"rho must be a number in (0, 1], got {rho!r}")
    if not (_power_of_two(r) and _power_of_two(steps) and 2 <= steps <= MAX_STEPS):
        raise BadInput(f"r and steps must be powers of 2, steps up to {MAX_STEPS}, got {r!r} and {steps!r}")
    green, red = survivor_bounds(float(rho), float(r), int(steps))
    return float(_down(_down(red[0] - green[1]) / rho)), float(min(_up(red[1] / rho), 1.0))


def survivor_bounds(rho: float, r: float, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper bounds (2,) of G(r) and of R(r)."""
    h = r / steps  # exact: powers of 2
    lower, upper = np.empty((3, steps)), np.empty((3, steps))
    lower[:], upper[:] = [[1.0], [_down(math.sqrt(rho))], [rho]], [[1.0], [_up(math.sqrt(rho))], [rho]]
    g, q = np.array([1.0, 1.0]), np.array([lower[GR, 0], upper[GR, 0]])  # roots of G and R
    for i in range(steps):
        v, w = upper[:2, i]
        lower[:, i:] = np.maximum(_down(lower[:, i:] - _loss(v, w, h, _wider(upper, steps - i, np.maximum), _up)), 0.0)
        least = np.maximum(lower[:2, i], 0.0)
        lower[:2, i] = 0.0
        upper[:, i:] = _up(upper[:, i:] - _loss(least[0], least[1], h, _wider(lower, steps - i, np.minimum), _down))
        upper[:2, i] = 0.0
        smaller = _roots(v, w, h, g[1], q[1], _up)
        g[0], q[0] = (max(float(_down(old - change)), 0.0) for old, change in zip((g[0], q[0]), smaller, strict=True))
        g[1], q[1] = (
            float(_up(old - change))
            for old, change in zip((g[1], q[1]), _roots(least[0], least[1], h, g[0], q[0], _down), strict=True)
        )
    bounds = [np.array([max(float(_down(x[0] * x[0])), 0.0), _up(x[1] * x[1])]) for x in (g, q)]
    return bounds[0], bounds[1]


def _wider(k: np.ndarray, n: int, choose: Any) -> np.ndarray:
    """Return, for the first n cells, the larger or smaller value of a cell and the one before it."""
    chosen = k[:, :n].copy()
    choose(k[:, 1:n], k[:, : n - 1], out=chosen[:, 1:])
    return chosen


def _loss(v: float, w: float, h: float, k: np.ndarray, outward: Any) -> np.ndarray:
    """Return a bound of h (W K + K W) for W = ((v, w), (w, 0)), all operations rounded outwards; h is a power of 2."""
    gg, gr, rr = k
    cross = outward(w * gr)
    return h * np.stack(
        [
            2 * outward(outward(v * gg) + cross),
            outward(outward(v * gr) + outward(w * outward(gg + rr))),
            2 * cross,
        ]
    )


def _roots(v: float, w: float, h: float, g: float, q: float, outward: Any) -> tuple[Any, Any]:
    """Return a bound of h W s for s = (g, q)."""
    return h * outward(outward(v * g) + outward(w * q)), h * outward(w * g)


def _up(x: Any) -> Any:
    """Return the next float64 above."""
    return np.nextafter(x, np.inf)


def _down(x: Any) -> Any:
    """Return the next float64 below."""
    return np.nextafter(x, -np.inf)


def _power_of_two(x: Any) -> bool:
    return isinstance(x, int | float | np.number) and math.frexp(x)[0] == 0.5
