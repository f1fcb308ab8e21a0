"""Coarse coordinates: 32-bit integers that exclude most candidates of a search from the computation of exact distances.

An axis is divided into 2^32 steps, and the step in which a point lies is its coarse coordinate.
Differences modulo 2^32 wrap around a torus as distances do; where there is no seam, twice the
extent is divided, so that no difference wraps. Eight coarse distances take a third of the time of
eight exact ones.

A coarse difference vector is off by less than ERROR steps along each axis, and its square by a few
more roundings of float32. With Q the length of the vector of these errors, a distance x and its
coarse value z satisfy z / (1 + eps) - Q <= x <= z (1 + eps) + Q. So a point that is first by more
than 2 Q, and a little, is the nearest; otherwise the exact distances decide.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .jit import Int, inlined

STEPS = 2.0**32
INACTIVE = -(2**31)  # first coarse coordinate of a point without remaining capacity; no other point has it
ERROR = 3  # steps: one for rounding down, one for avoiding INACTIVE, one to be safe
ROUNDINGS = 8  # of float32 in the square of a coarse difference, at most; one more for each axis
KEY_BITS = 11  # bits of its mantissa in a key
MAX_STEP = 2.0**20  # in radii: the square of a difference is finite in float32
MAX_SQUARE = 1e38  # a finite float32
MIN_LENGTH = 2.0**-511  # a length whose square is a normal number


class Coarse(NamedTuple):
    """Coarse coordinates of a phase; coarse squares are in units of the squared radius."""

    low: np.ndarray  # (d,)
    steps: np.ndarray  # (d,) float64: number of steps in a unit of length
    step: np.ndarray  # (d,) float32: length of a step
    square: float  # factor from exact squares to coarse ones
    exact: float  # factor from coarse squares to exact ones
    factor: float  # points nearer than one at coarse square z have coarse squares of at most z * factor + margin
    margin: float


def coarse_of_phase(origin: np.ndarray, extent: np.ndarray, sides: np.ndarray, radius: float) -> Coarse:
    """Return the coarse coordinates, arrays (d,), for points of a box, that decide pairs up to the radius."""
    steps, step = np.empty(len(extent)), np.empty(len(extent), np.float32)
    with np.errstate(over="ignore"):  # to inf, where coarse coordinates distinguish nothing
        return Coarse(origin, steps, step, *write_coarse(extent, sides, radius, steps, step))


def write_coarse(
    extent: np.ndarray, sides: np.ndarray, radius: float, steps: np.ndarray, step: np.ndarray
) -> tuple[float, float, float, float]:
    """Write the arrays of coarse_of_phase, and return its numbers: a plain function, which kernels inline."""
    double = 1.0 if sides[0] < np.inf else 2.0
    diagonal = 0.0
    for axis in range(len(extent)):
        diagonal = np.hypot(diagonal, double * extent[axis])
    scale = max(min(radius, diagonal / 2), MIN_LENGTH)
    for axis in range(len(extent)):
        period = double * extent[axis]
        steps[axis] = STEPS / period if period > 0 else 0.0
        step[axis] = min(period / STEPS / scale, MAX_STEP)
    error = 2 * ERROR * (diagonal / STEPS / scale)
    factor = 1 + 3 * (ROUNDINGS + len(extent)) * 2.0**-24 + 2.0 ** (1 - KEY_BITS)
    margin = min((2 + error) * error * factor**2, MAX_SQUARE)
    return 1 / scale**2, scale**2, factor, margin


@inlined
def coarse_coordinate(t: float, axis: int, coarse: Coarse) -> Int:
    """Return the coarse coordinate of t: int32 from -2^31 + 1 to 2^31 - 1."""
    z: Int = np.int64((t - coarse.low[axis]) * coarse.steps[axis])
    z = ((z + 2**31) & (2**32 - 1)) - 2**31
    return np.int32(max(z, INACTIVE + 1))


@inlined
def nearer_bound(square: float, coarse: Coarse) -> float:
    """Return the largest coarse square of a point nearer than one at this coarse square."""
    return min(square * coarse.factor + coarse.margin, MAX_SQUARE)
