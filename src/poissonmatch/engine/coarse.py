"""Coarse coordinates: 32-bit integers that tell which points may be the nearest, before anyone looks at their floats.

An axis is cut into 2^32 steps, and the step in which a point lies is its coarse coordinate. Differences modulo 2^32 go round a torus as
distances do; where there is no seam, twice the extent is cut, so that no difference goes round. Eight coarse distances take a
third of the time of eight exact ones.

A coarse difference vector is off by less than ERROR steps along each axis, and what is made of it by a few roundings of float32.
With Q the length of the vector of these errors, a distance x and its coarse twin z obey z / (1 + eps) - Q <= x <= z (1 + eps) + Q. So who
is first by more than 2 Q, and a bit, is the nearest; where nobody is, the floats decide.
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np

from .jit import inlined

STEPS = 2.0**32
DEAD = -(2**31)  # coarse coordinate of a point without room, along the first axis; no other point has it
ERROR = 3  # steps: one for rounding down, one for giving way to DEAD, one for good measure
ROUNDINGS = 8  # of float32 in the square of a coarse difference, and some; one more for each axis
KEPT = 11  # bits of its mantissa in a key
LONGEST_STEP = 2.0**20  # in radii: the square of a difference is finite in float32
LARGEST = 1e38  # a finite float32
SHORTEST = 2.0**-511  # a length whose square is a normal number


class Coarse(NamedTuple):
    """How the coordinates of a phase become coarse, and what a coarse square says; squares are in units of that of the radius."""

    low: np.ndarray  # (d,)
    steps: np.ndarray  # (d,) float64: in a unit of length
    step: np.ndarray  # (d,) float32: length of a step
    square: float  # an exact square times this is in the unit of coarse ones,
    exact: float  # and a coarse one times this in that of exact ones
    wider: float  # who may be nearer than a point at coarse square z is at most at z * wider + margin
    margin: float


def coarse_of_phase(origin: np.ndarray, extent: np.ndarray, sides: np.ndarray, radius: float) -> Coarse:
    """For the points of a box, (d,) each, of which pairs up to the radius are decided."""
    period = extent if sides[0] < np.inf else 2 * extent
    cut = period > 0
    reach = max(min(radius, np.hypot.reduce(period) / 2), SHORTEST)
    with np.errstate(over="ignore"):  # to inf, where steps tell nothing
        step = period / STEPS / reach
        error = 2 * ERROR * np.hypot.reduce(step)
        wider = 1 + 3 * (ROUNDINGS + len(step)) * 2.0**-24 + 2.0 ** (1 - KEPT)
        margin = min((2 + error) * error * wider**2, LARGEST)
    steps = np.divide(STEPS, period, out=np.zeros(len(step)), where=cut)
    in_steps = np.minimum(step, LONGEST_STEP).astype(np.float32)
    return Coarse(origin, steps, in_steps, 1 / reach**2, reach**2, wider, margin)


@inlined
def coarse_coordinate(t, axis, coarse):
    """The step in which coordinate t lies, as a number from -2^31 + 1 to 2^31 - 1."""
    z = np.int64((t - coarse.low[axis]) * coarse.steps[axis])
    z = ((z + 2**31) & (2**32 - 1)) - 2**31
    return np.int32(max(z, DEAD + 1))


@inlined
def rival(square, coarse):
    """Who may be nearer than a point at this coarse square is at most at this one."""
    return min(square * coarse.wider + coarse.margin, LARGEST)
