"""The fussy matching on the line: a numerical solution of equations for the points that survive to scale r.

Green points have intensity 1, red points rho, red-red pairs are forbidden; all are Poisson
processes on the line. A surviving point screens its two sides from each other, so the survivors
(the points with X > r, X the partner distance) are a Markov renewal process. With G, R their
intensities, s = (sqrt G, sqrt R) and K_r(x), symmetric 2 x 2, the two-point density of survivors c
at 0, c' at x over sqrt(lambda_c lambda_c'):

    d/dr K_r(x) = -W K_r(x - r) - K_r(x - r) W for x > r,   ds/dr = -W s,   W = K_r(r+) but W_RR =
    0,

K_0 = s s^T, and K_GG = K_GR = 0 below r. Then rho u = (1 + rho) exp(-2 int W_GG dr), which the
tests compare with u = (R - G)/rho.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
import scipy  # imports scipy.interpolate on first use

from ..utils.errors import BadInput, quoted
from ..utils.immutable import as_immutable, cached_property
from ..utils.validation import checked

MIN_RHO, MAX_RHO = 0.001, 100.0
LEVELS = (50, 100, 150, 200)  # numbers of steps in an octave of r, 1 to 4 times the first
FIRST = 2 * LEVELS[0]  # steps of the coarsest level before its first coarsening
ACCURACY = 1e-6  # relative, of u
NO_GREEN = 1e-7  # greens per red below which the number of reds is constant
WIDTH = 8
# Chebyshev coefficients of ln ln(1/u) in ln rho, from MIN_RHO to MAX_RHO, since solving takes up
# to a second. A slow test recomputes them.
SERIES = (
    0.304568877687, -4.499603718963, -0.459124086281, 0.008491037275, 0.044230602007, 0.002625690911,
    -0.008312017713, -0.001772231241, 0.001863693953, 0.000766684779, -0.000432654189, -0.000293339263,
    9.4539806e-05, 0.000105594755, -1.6452431e-05, -3.6334632e-05, 5.89829e-07, 1.1954552e-05,
    1.42217e-06, -3.727715e-06, -9.97991e-07, 1.080551e-06, 4.92591e-07, -2.7963e-07,
    -2.07911e-07, 5.812e-08, 7.8801e-08, -5.607e-09, -2.7122e-08, -2.99e-09,
    8.409e-09, 2.498e-09, -2.284e-09, -1.201e-09, 5.11e-10, 4.21e-10,
    -8.9e-11,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class FussyLine:
    """The fussy matching of Poisson processes on the line, green points of intensity 1 and red ones of intensity rho.

    Parameters
    ----------
    u : float
        P(a red point is unmatched). Almost surely no green point is.
    error : float
        Estimated relative discretization error of u.
    crossing : float
        The distance r beyond which more red than green points have X > r; 0 for rho >= 1.
    r : (k,) float64
        Distances, ascending from 0.
    green, red : (k,) float64
        P(X > r) for green and red points at these distances.
    contact_moment : float
        The integral of r W_GG(r) over r > 0, W_GG the rate per surviving green point and unit of r,
        on one side, of green-green pairs.

    Examples
    --------
    >>> line = pm.theory.fussy_line(1.0)
    >>> line.tail(np.array([0.0, 1.0]), 0).round(4), line.tail(np.array([0.0, 1.0]), 1).round(4)
    (array([1.    , 0.0948]), array([1.    , 0.4945]))
    """

    u: float
    error: float
    crossing: float
    r: np.ndarray
    green: np.ndarray
    red: np.ndarray
    contact_moment: float

    @checked()
    def tail(self, r: np.ndarray | float, color: Any) -> np.ndarray:
        """Return P(X > r) at each r for points of a color, 0 (green) or 1 (red).

        The logarithms are interpolated between the stored distances by a cubic spline. Beyond the last one,
        where at most one green point per 10^7 red points is left, the green tail is extrapolated
        exponentially.

        Parameters
        ----------
        r : array_like of float
            Distances, if green points have intensity 1.
        color : int
            0 (green) or 1 (red).

        Returns
        -------
        ndarray of float64
            Probabilities, of the same shape.

        Raises
        ------
        ValueError
            For any other color.
        """
        if color not in (0, 1):
            raise BadInput(f"color must be 0 (green) or 1 (red), got {color!r}")
        r = np.asarray(r, dtype=float)
        green, red = self._logarithms
        end, inside = self.r[-1], _place(np.clip(r, 0, self.r[-1]), self.r)
        if color == 0:
            fall = green(_place(end, self.r), 1) / (end + self.r[FIRST])  # d ln P / dr at the end
            return np.exp(green(inside) + fall * np.maximum(r - end, 0))
        share = (self.red[-1] - self.u) / self.green[-1]
        return np.where(r > end, self.u + share * self.tail(r, 0), np.exp(red(inside)))

    @cached_property
    def _logarithms(self) -> tuple[Any, Any]:
        """Interpolated ln P of green and of red."""
        return _curve(self.r, np.log(self.green)), _curve(self.r, np.log(self.red))


def fussy_line(rho: float) -> FussyLine:
    """Solve the fussy matching on the line at a ratio of the intensities; results are cached.

    The relative error of u is estimated from three grids. The estimate is at most 10^-6, but it is
    not a bound. Solving takes about a second at rho = 0.001 and a twentieth of it at rho = 1.

    Parameters
    ----------
    rho : float
        Intensity of red over that of green points, from 0.001 to 100.

    Returns
    -------
    FussyLine
        u with its error, the crossing, and the tails of both colors.

    Raises
    ------
    ValueError
        If rho is out of range.

    Examples
    --------
    >>> round(pm.theory.fussy_line(1.0).u, 6)
    0.419052
    """
    return _line(_checked(rho))


def _checked(rho: Any) -> float:
    real = isinstance(rho, Real) and not isinstance(rho, bool)
    if not (real and MIN_RHO <= rho <= MAX_RHO):
        raise BadInput(
            "rho, the intensity of red over that of green points, "
            f"must be a number from {MIN_RHO:g} to {MAX_RHO:g}, got {quoted(rho)}"
        )
    return float(rho)


@lru_cache(maxsize=2048)  # of about 50 kB each; the cells of a study have the same ratios again and again
def _line(rho: float) -> FussyLine:
    """Solve the equations on all levels, and extrapolate the logarithms."""
    solved, octaves = [], 0
    for multiple, steps in enumerate(LEVELS, 1):
        r, green, red, contacts, octaves = survivors(rho, steps, octaves, extra=1)
        moment = contacts @ (r[1:] + r[:-1]) / 2  # W_GG falls more slowly than G: hence the octave more
        r, green, red = (array[:-steps] for array in (r, green, red))
        tails = [*green[::multiple], *(red / red[0])[::multiple]]
        solved.append(np.log([*tails, moment, (red[-1] - green[-1]) / rho]))
    radii = r[::multiple]
    logarithms, change = _extrapolated(solved)
    error = abs(float(change[-1]))
    if not error <= ACCURACY:
        raise ArithmeticError(f"fussy_line({rho!r}): the levels differ by {error:.1g}")
    green, red = np.exp(logarithms[:-2]).reshape(2, -1)
    radii, green, red = map(as_immutable, (radii, green, red))
    crossing = 0.0 if rho >= 1 else _root(radii, np.log(rho * red / green))
    return FussyLine(math.exp(logarithms[-1]), error, crossing, radii, green, red, math.exp(logarithms[-2]))


def _extrapolated(levels: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the limit of the LEVELS, whose errors are of order h^2, h^3 and h^4, and its difference from that of the first three.

    The latter takes no account of h^4.
    """
    powers, h = np.array([0, 2, 3, 4]), 1 / np.arange(1, 5)
    best, coarser = (
        np.linalg.inv(h[:number, None] ** powers[:number])[0] @ levels[:number] for number in (len(LEVELS), 3)
    )
    return best, best - coarser


def fussy_curve(rho: Any) -> np.ndarray:
    """Return fussy_line(rho).u at many rho, (k,), by a Chebyshev series with an estimated relative error of 10^-6.

    Raises BadInput if a rho is out of range.
    """
    return np.exp(-np.exp(_series([_checked(x) for x in np.asarray(rho, dtype=float).tolist()])))


def _series(rho: Any, derivatives: int = 0) -> Any:
    """Return ln ln(1/u), or a derivative of it by ln rho."""
    low, high = math.log(MIN_RHO), math.log(MAX_RHO)
    coefficients = np.polynomial.chebyshev.chebder(SERIES, derivatives, 2 / (high - low))
    return np.polynomial.chebyshev.chebval((2 * np.log(rho) - low - high) / (high - low), coefficients)


@checked()
def fussy_dispersion(rho: float, fixed: bool = False) -> float:
    r"""Return Var(U) / E(U) of the number U of unmatched red points on a long torus, fussy matching in d = 1.

    With Poisson numbers of points it is :math:`4 \rho u \int_0^\infty r W_{GG}(r) \, dr + \rho u /
    (1 + \rho)`. If the numbers of points of both colors are fixed, :math:`(\rho^4 u'^2 + \rho (u +
    \rho u')^2) / (\rho u)` is subtracted, u' the derivative of u.

    Parameters
    ----------
    rho : float
        Intensity of red over that of green points, from 0.001 to 100.
    fixed : bool, optional
        Whether the numbers of points are fixed, by default False.

    Returns
    -------
    float
        Ratio of the variance to the mean.

    Raises
    ------
    ValueError
        If rho is out of range.

    Examples
    --------
    >>> round(pm.theory.fussy_dispersion(1.0), 3)
    2.169
    >>> round(pm.theory.fussy_dispersion(0.2, fixed=True), 2)
    2.6
    """
    line = fussy_line(rho)
    red = rho * line.u  # unmatched
    index = 4 * red * line.contact_moment + red / (1 + rho)
    if fixed:
        slope = line.u * math.log(line.u) * float(_series(rho, 1))  # rho u'
        index -= (rho**2 * slope**2 + rho * (line.u + slope) ** 2) / red
    return index


def _place(r: Any, radii: np.ndarray) -> Any:
    """Return a coordinate in which the distances are about evenly spaced."""
    return np.log1p(r / radii[FIRST])


def _curve(radii: np.ndarray, values: np.ndarray) -> Any:
    return scipy.interpolate.CubicSpline(_place(radii, radii), values)


def _root(radii: np.ndarray, values: np.ndarray) -> float:
    """Return the first r at which the interpolated values are 0."""
    return float(radii[FIRST] * np.expm1(_curve(radii, values).roots(extrapolate=False)[0]))


# ---- the solver ----


def survivors(
    rho: float, steps: int, octaves: int = 0, extra: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
    """Return distances, intensities of the survivors, int W_GG dr over each step, and the number of octaves.

    The distances r ascend from 0. The intensities G and R are those of the points with X > r. The
    octaves are those of r.

    steps: number in an octave, from 3, since with 2 the numbers may overflow; the first octave has
    twice as many. octaves: 0 continues until there are NO_GREEN greens per red. extra: number of
    further octaves, which are not counted in the returned number.
    """
    flow = _Flow(rho, steps)
    radii: list[np.ndarray] = [np.zeros(1)]
    rows = [np.array([[*flow.roots**2, 0.0]])]
    octave, end = 0, octaves + extra if octaves else 0
    while True:
        first = steps if octave else 0
        radii.append(np.arange(first + 1, flow.n + 1) * flow.h)
        rows.append(flow.advance(first))
        octave += 1
        green, red = flow.roots**2
        if not end and green < NO_GREEN * red:
            end = octave + extra
        if octave == end:
            break
        flow.coarsen(first=octave == 1)
    green, red, contacts = np.ascontiguousarray(np.concatenate(rows).T)
    return np.concatenate(radii), green, red, contacts[1:], octave - extra


class _Flow:
    """K_r as means over the cells (j h, (j + 1) h), rows GG, GR, RR, and s; second order in h.

    The cells reach to WIDTH times the r of the next coarsening; beyond, survivors are independent.
    theta: the position of the mass of K_RR within each cell, from 0 to 1. K_RR(x) is constant from
    r = x / 2 on and steep near 0: a uniform distribution within cells would change u by 2.6 % at
    rho = 0.02. skew: the correction by theta to the sum of two cells of K_RR.
    """

    def __init__(self, rho: float, steps: int) -> None:
        from ..engine.survivors_on_line import advance  # here, since it imports numba

        self._advance = advance
        self.n = 2 * steps
        cells = WIDTH * self.n
        self.h = 2 / (steps * max(1, rho))
        self.roots = np.sqrt([1, rho])
        self.k = np.empty((3, cells))
        self._uncorrelated(0)
        self.theta = np.full(cells, 0.5)
        self.skew = np.zeros(cells)
        self._change = np.empty((3, cells))

    def _uncorrelated(self, start: int) -> None:
        g, s = self.roots
        self.k[:, start:] = np.array([[g * g], [g * s], [s * s]])

    def advance(self, i: int) -> np.ndarray:
        """Advance from r = i h to n h; return both intensities after each step, and its h W_GG: (steps, 3)."""
        made = np.empty((self.n - i, 3))
        self._advance(self.k, self.roots, i, self.h, self.theta[0], self.skew, self._change, made)
        return made

    def coarsen(self, first: bool) -> None:
        """Double the width of the cells."""
        n, half = self.n, self.k.shape[1] // 2
        c = self.k[2]
        new = 1 if first else n  # the cells from here to 2 n were frozen since the last coarsening
        self.theta[new : 2 * n] = 0.5 + (c[new + 1 : 2 * n + 1] - c[new - 1 : 2 * n - 1]) / (24 * c[new : 2 * n])
        left, right = c[0 : 2 * n : 2], c[1 : 2 * n : 2]
        moment = left * self.theta[0 : 2 * n : 2] / 2 + right * (0.5 + self.theta[1 : 2 * n : 2] / 2)
        self.theta[:n], self.theta[n:] = moment / (left + right), 0.5
        self.k[:, :half] = (self.k[:, 0::2] + self.k[:, 1::2]) / 2
        self._uncorrelated(half)
        self.h *= 2
        moved = (1 - 2 * self.theta[: n + 1]) * self.k[2, : n + 1]  # of cells constant until the next coarsening
        self.skew[: n + 1] = np.diff(moved, prepend=0)
