"""Decimal coordinates as multiples of a step.

0.1, 0.2 and 0.3 are not equally spaced as float64. In units of the step, coordinates, sides and
squared distances are whole numbers below 2^53, so equal distances are equal numbers.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np

from ..utils.errors import BadInput
from ..utils.validation import MAX_EXACT, check_real
from .coordinates import bounds, check_extent, refuse
from .geometry import Geometry

MAX_DECIMALS = 6  # that are looked for
MAX_DIGITS = 15  # of a step that is a decimal number for itself
TOLERANCE = 1e-9  # steps, against rounding of coordinates
ROUNDING, MANY_CLOSE = 1e-12, 0.01  # relative difference of distances; fraction of the points
SAMPLE = 100  # coordinates that usually decide the number of decimals


class OnGrid(Geometry):
    """A flat space whose points have multiples of a step as coordinates, embedded in units of the step."""

    def __init__(self, space: Geometry, step: float) -> None:
        if not (space.has_coordinates and space.is_flat):
            raise BadInput(f"grid is for points in a torus, a box or Euclidean space, got {space}")
        self.step = check_extent("grid", step)
        self._up, self._down = _fraction(self.step)
        self.dim = space.dim
        self._periods = self._scaled(space.periods)
        wrong = np.flatnonzero(self._periods != np.rint(self._periods))
        if len(wrong):
            side = float(space.periods[wrong[0]])
            raise BadInput(f"grid: the side {side!r} of {space} is not a multiple of {self.step!r}")

    @property
    def periods(self) -> np.ndarray:
        """Periods of the axes in units of the step, (d,)."""
        return self._periods

    def embed(self, points: np.ndarray) -> np.ndarray:
        """Return the points in units of the step, as whole numbers.

        Raises BadInput naming the row, the value and the nearest multiple, or if a squared distance
        may be beyond 2^53.
        """
        scaled = self._scaled(points)
        wrong = scaled != np.rint(scaled)
        if wrong.any():
            row, axis = np.argwhere(wrong)[0]
            nearest = float(np.rint(scaled[row, axis]) * self._up / self._down)
            refuse(points, wrong, f"is not a multiple of the grid {self.step!r}; the nearest is {nearest!r}")
        largest = max(bounds(np.abs(scaled)))
        scaled = np.mod(scaled, self._periods) if np.isfinite(self._periods).all() else scaled
        extent = np.minimum(np.ptp(scaled, axis=0), self._periods / 2) if len(scaled) else np.zeros(1)
        if max(largest, float((extent**2).sum())) >= MAX_EXACT:
            raise BadInput(
                f"grid: coordinates or squared distances in units of {self.step!r} may be beyond 2^53, "
                "where float64 lacks whole numbers; choose a coarser grid, or none"
            )
        return scaled

    def coordinates(self, embedded: np.ndarray) -> np.ndarray:
        """Return the coordinates of points in units of the step."""
        return embedded * self._up / self._down

    def arc(self, chord: np.ndarray) -> np.ndarray:
        """Return distances of the embedding in the unit of the coordinates."""
        return np.asarray(chord) * self._up / self._down

    def chord(self, arc: Any) -> Any:
        """Return distances in units of the step."""
        return arc * self._down / self._up

    def _scaled(self, lengths: np.ndarray) -> np.ndarray:
        """Return lengths in units of the step, rounded to whole numbers where they are close to one."""
        scaled = lengths * (self._down / self._up)
        whole = np.rint(scaled)
        error = np.minimum(TOLERANCE + 8 * np.finfo(float).eps * np.abs(whole), 0.01)
        return np.where((whole - error <= scaled) & (scaled <= whole + error), whole, scaled)


def on_grid(space: Geometry, points: np.ndarray, grid: Any) -> OnGrid | None:
    """Return the space in units of a grid, or None without one.

    grid: a step, "auto" or None, as for Pattern.
    """
    if grid is None:
        return None
    if isinstance(grid, str) and grid == "auto":
        return _automatic(space, points)
    check_real("grid", grid, "a positive number, 'auto' or None")
    return OnGrid(space, grid)


def _automatic(space: Geometry, points: np.ndarray) -> OnGrid | None:
    """Return the space on the coarsest grid 1, 0.1, ..., 1e-6 that has all points; None if there is none."""
    if not (space.has_coordinates and space.is_flat and len(points)):
        return None
    numbers = np.append(points.ravel(), space.periods[np.isfinite(space.periods)])
    for decimals in range(MAX_DECIMALS + 1):
        if _has_decimals(numbers[:SAMPLE], decimals) and _has_decimals(numbers, decimals):
            grid = OnGrid(space, float(f"1e-{decimals}"))
            try:
                grid.embed(points)
            except BadInput:  # distances beyond 2^53
                return None
            return grid
    return None


def _has_decimals(numbers: np.ndarray, decimals: int) -> bool:
    """Return whether numbers are the float64 values of decimals with so many digits after the point."""
    return bool((np.round(numbers, decimals) == numbers).all())


def _fraction(step: float) -> tuple[float, float]:
    """Return two numbers whose quotient is the step: whole numbers for a short decimal number."""
    number = Decimal(repr(step))
    _, digits, exponent = number.as_tuple()
    if len(digits) <= MAX_DIGITS and abs(int(exponent)) <= MAX_DIGITS:
        up, down = number.as_integer_ratio()
        return float(up), float(down)
    return step, 1.0


def is_single(dtype: Any) -> bool:
    """Return whether numbers of a type have fewer digits than float64."""
    return getattr(dtype, "kind", "O") == "f" and dtype.itemsize < np.dtype(float).itemsize


def as_decimals(points: np.ndarray, grid: Any) -> np.ndarray:
    """Return float32 numbers as the shortest decimals that round to them, if these have few digits; others unchanged.

    The decimals must be farther apart than float32 numbers of this size. Without a grid, nothing is changed.
    """
    if grid is None or not is_single(points.dtype) or not points.size:
        return points
    decimals = points.astype(str).astype(float)
    step = next((10.0**-k for k in range(MAX_DECIMALS + 1) if _has_decimals(decimals, k)), 0.0)
    with np.errstate(invalid="ignore"):  # of infinite numbers, which are refused later
        return decimals if step >= np.spacing(np.abs(points).max()) else points


def rounding_note(points: np.ndarray, metric: Geometry, embedded: np.ndarray) -> str:
    """Return a note if rounding may decide between the two nearest neighbors of many points, otherwise "".

    points: the coordinates as given, whose type has their rounding error.

    Raises BadInput if rounding hides the distances to nearest neighbors.
    """
    n = len(embedded)
    is_exact = isinstance(metric, OnGrid) and not is_single(points.dtype)
    if n < 2 or not metric.has_coordinates or is_exact:
        return ""
    near = metric.tree(embedded).query(embedded, k=min(n, 3))[0][:, 1:]
    near = metric.arc(near) if metric.is_flat else near
    size = np.abs(points if metric.is_flat else embedded).max(axis=1)
    error = 2 * np.spacing(size).astype(float) if size.dtype.kind == "f" else np.zeros(n)
    is_large = error > 2  # beyond 2^53, where equal numbers may have been different
    is_hidden = (near[:, 0] <= error) & ((near[:, 0] > 0) | is_large)
    if np.count_nonzero(is_hidden) > MANY_CLOSE * n or (is_hidden & is_large).any():
        row = int(np.argmax(is_hidden))
        raise BadInput(
            f"points, row {row}: coordinates of {size[row]:g} are multiples of {error[row] / 2:g} as {points.dtype}, "
            f"and the nearest point is {near[row, 0]:.2g} away: subtract a common origin, or give more digits"
        )
    if n < 3:
        return ""
    close = int(np.count_nonzero(near[:, 1] - near[:, 0] <= np.maximum(ROUNDING * near[:, 1], error)))
    if close < max(MANY_CLOSE * n, 1):
        return ""
    remedy = (
        "pass the step of the coordinates as grid=, see Pattern.ties"
        if metric.is_flat
        else "Pattern.count_ties(1e-12) counts them, and in a table of rounded distances (pm.DistanceTable) they are equal"
    )
    return (
        f"the two nearest neighbors of {close} of {n} points are equally far up to rounding, "
        f"so rounding may decide which is nearer: {remedy}"
    )
