"""Patterns: finite sets of colored points, which stay as they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..utils import display
from ..utils.errors import BadInput, quoted
from ..utils.immutable import as_immutable, immutable_copy, readonly_view
from ..utils.validation import INEXACT, check_array, inexact
from . import frames
from .geometry import LARGEST, Euclidean, Geometry, MeanField, Torus, squared_distance

if TYPE_CHECKING:
    import pandas as pd

FINEST = -511  # the square of less than 2**FINEST has lost bits
FEW = 16  # colors, for which it is faster to count each
SHORT = 2.0**-300  # a side; uniform points of a longer one have coordinates that are 0 or above 2**(FINEST + 52)


class Pattern:
    """A finite set of colored points, which stays as it is: nothing that is done to an array changes it.

    Patterns are equal if geometry, points and colors are, in this order of the points. Copies and pickles are made, and checked, as
    patterns are.

    Parameters
    ----------
    points : array_like
        (n, d) of any real dtype and layout, or a pandas frame with a column for each coordinate; for MeanField the (n, n) symmetric
        table of distances, or (n, 0) nothing if it has no table. The pattern has a float64 copy, and shows it read-only.
    colors : array_like of int, optional
        n small integers, 0 amber or green, 1 blue or red; without them all points are 0.
    geometry : Torus, Euclidean or MeanField
        Where the points live.
    wrap : bool, optional
        Move points that lie outside [0, L) into the torus instead of refusing them.

    Raises
    ------
    ValueError
        Naming the row and the value, for coordinates that are masked, NaN, infinite, outside [0, L) or too small beside others for
        float64 to hold the squares of both, a wrong shape or dtype, and colors that are not integers from 0 to 254.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.5], [2.0], [9.0]], [0, 1, 1], pm.Torus(10.0, 1))
    >>> pattern
    Pattern(3 points: 1 of color 0, 2 of color 1; Torus(side=10.0, dim=1))
    >>> float(pattern.distance(0, 2))
    1.5
    """

    __slots__ = ("_colors", "_exponent", "_geometry", "_points", "_scaled")

    def __init__(
        self, points: Any, colors: Any = None, geometry: Geometry | None = None, *, wrap: bool = False
    ) -> None:
        if not isinstance(geometry, Torus | Euclidean | MeanField):
            raise BadInput(f"geometry must be a Torus, Euclidean or MeanField, not {quoted(geometry)}")
        self._geometry: Geometry = geometry
        given = check_array("points", points, "fiu", "real numbers")
        self._points: np.ndarray = (
            _mean_field(given, geometry.table) if isinstance(geometry, MeanField) else _points(given, geometry, wrap)
        )
        self._colors: np.ndarray = _colors(colors, len(self._points))
        self._exponent: int = 0 if isinstance(geometry, MeanField) else _exponent(self._points, geometry.sides)
        self._scaled = immutable_copy(np.ldexp(self._points, self._exponent)) if self._exponent else self._points

    @classmethod
    def _drawn(cls, points: np.ndarray, colors: np.ndarray, torus: Torus) -> Pattern:
        """Of uniform points (n, d) float64 of a torus and colors (n,) uint8, in arrays that nobody else holds: no copy, no check."""
        pattern = cls.__new__(cls)
        pattern._geometry, pattern._points, pattern._colors = torus, as_immutable(points), as_immutable(colors)
        pattern._exponent = 0 if torus.sides.min() > SHORT else _exponent(points, torus.sides)
        pattern._scaled = immutable_copy(np.ldexp(points, pattern._exponent)) if pattern._exponent else pattern._points
        return pattern

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        coords: Sequence[str] | None = None,
        color: str | None = None,
        geometry: Geometry | None = None,
        *,
        color_names: Sequence[Any] | None = None,
        wrap: bool = False,
    ) -> Pattern:
        """The points of a data frame, one a row.

        Parameters
        ----------
        frame : pandas.DataFrame
        coords : sequence of str, optional
            The columns of coordinates; without them x, y, z or those of them that there are.
        color : str, optional
            The column of colors: whole numbers, or names, which get the numbers 0, 1, ...
        geometry : Torus, Euclidean or MeanField, optional
            Euclidean space without one.
        color_names : sequence, optional
            Names of the colors 0, 1, ...; by default the categories of a categorical column, otherwise all names, sorted.
        wrap : bool, optional
            As for Pattern.

        Raises
        ------
        ValueError
            Naming column and row.

        Examples
        --------
        >>> import pandas as pd
        >>> trees = pd.DataFrame({"x": [0.0, 3.0], "y": [0.0, 4.0], "kind": ["oak", "ash"]})
        >>> pm.Pattern.from_frame(trees, color="kind", color_names=["oak", "ash"])
        Pattern(2 points: 1 of color 0, 1 of color 1; Euclidean(dim=2))
        """
        coords, column = frames.columns_of(frame, coords, color)
        colors = None if column is None else frames.numbered(column, color_names)
        return cls(frame[coords], colors, Euclidean(len(coords)) if geometry is None else geometry, wrap=wrap)

    def to_frame(self, coords: Sequence[str] | None = None, color: str = "color") -> pd.DataFrame:
        """A data frame with a row for each point: its coordinates and its color.

        Parameters
        ----------
        coords : sequence of str, optional
            The columns of coordinates: x, y, z (x1, x2, ... in more dimensions) without them.
        color : str, optional
            The column of colors.
        """
        if isinstance(self.geometry, MeanField):
            raise BadInput(
                "the points of a mean-field pattern have no coordinates; pattern.points is the table of distances"
            )
        return frames.points_frame(self._points, self._colors, coords, color)

    @property
    def points(self) -> np.ndarray:
        """(n, d) float64 coordinates, or the (n, n) table of distances; read-only."""
        return readonly_view(self._points)

    @property
    def colors(self) -> np.ndarray:
        """(n,) uint8; read-only."""
        return readonly_view(self._colors)

    @property
    def geometry(self) -> Geometry:
        """Where the points live."""
        return self._geometry

    def __len__(self) -> int:
        return len(self._points)

    def __repr__(self) -> str:
        counts = ", ".join(f"{c} of color {k}" for k, c in enumerate(self.count()))
        return f"Pattern({len(self)} points: {counts}; {self.geometry})"

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """The points, by color, as a matplotlib Figure; `match(pattern).plot()` shows partners as well.

        Parameters
        ----------
        ax : matplotlib axes, optional
            To draw in.
        **options
            width, style, labels, title, ..., as of the functions in `pm.figures`.

        Raises
        ------
        BadInput
            A ValueError, for what has no picture: the mean-field model, more than three dimensions, a torus with a side for each axis.
        """
        return display.plot(self, ax, **options)

    def _repr_svg_(self) -> str | None:
        return display.svg(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pattern):
            return NotImplemented
        return (
            self.geometry == other.geometry
            and np.array_equal(self._colors, other._colors)
            and np.array_equal(self._points, other._points, equal_nan=True)  # nan: on the diagonal of a table
        )

    def __hash__(self) -> int:
        return hash((self.geometry, self._points.shape, self._colors.tobytes()))

    def __reduce__(self) -> tuple:
        return type(self), (self.points, self.colors, self.geometry)

    def count(self, n_colors: int = 1) -> np.ndarray:
        """Number of points of each color; at least n_colors entries."""
        colors = range(max(n_colors, 1 + int(self._colors.max(initial=0))))
        if len(colors) > FEW:
            return np.bincount(self._colors, minlength=n_colors)
        return np.array([np.count_nonzero(self._colors == color) for color in colors])

    @property
    def exponent(self) -> int:
        """Lengths are multiplied by 2**exponent before they are squared: 0, unless squares would underflow.

        That changes no bit of the others.
        """
        return self._exponent

    def scaled(self) -> tuple[np.ndarray, np.ndarray]:
        """The points and the sides, times 2**exponent."""
        return readonly_view(self._scaled), np.ldexp(self.geometry.sides, self._exponent)  # type: ignore[union-attr]

    def distance(self, i: Any, j: Any) -> np.ndarray:
        """Distances between points i and j (integers or arrays of them, broadcast).

        Raises
        ------
        ValueError
            For a mean-field pattern without a table.
        """
        order = self.squared_distance(i, j)
        return order if isinstance(self.geometry, MeanField) else self.length(order)

    def length(self, squared: np.ndarray) -> np.ndarray:
        """The lengths that have these squared distances (mean-field: distances)."""
        if isinstance(self.geometry, MeanField):
            return squared
        return np.ldexp(np.sqrt(squared), -self._exponent) if self._exponent else np.sqrt(squared)

    def squared_distance(self, i: Any, j: Any) -> np.ndarray:
        """The numbers by which pairs are ordered: squared distances (mean-field: distances) of points i and j.

        In units of 4**-exponent.
        """
        if isinstance(self.geometry, MeanField):
            if not self.geometry.table:
                raise BadInput("the distances of this mean-field pattern have not been drawn: it has no table")
            return np.asarray(self._points[i, j])
        return squared_distance(self._scaled[i], self._scaled[j], np.ldexp(self.geometry.sides, self._exponent))

    def closer(self, x: int, z: Any, y: int) -> Any:
        """Is the pair x, z before the pair x, y? For one x pairs are ordered by (squared distance, other index)."""
        to_z, to_y = self.squared_distance(x, z), self.squared_distance(x, y)
        return (to_z < to_y) | ((to_z == to_y) & (np.asarray(z) < y))

    def pair_order(self) -> tuple[np.ndarray, np.ndarray]:
        """All pairs i < j, two index arrays, in the order (squared distance, i, j); the n^2 / 2 pairs are formed."""
        i, j = np.triu_indices(len(self), 1)
        order = np.argsort(self.squared_distance(i, j), kind="stable")
        return i[order], j[order]


def as_pattern(value: Any) -> Pattern:
    """The value, if it is a Pattern; raises BadInput, and says how to make one, if it is not."""
    if isinstance(value, Pattern):
        return value
    shape = getattr(value, "shape", None)
    dim = shape[1] if isinstance(shape, tuple) and len(shape) == 2 else "d"
    kind = f"{type(value).__name__}" + (f" of shape {shape}" if shape is not None else "")
    raise BadInput(f"this takes a Pattern, not {kind}: write pm.Pattern(points, geometry=pm.Euclidean({dim}))")


def _refuse(array: np.ndarray, bad: np.ndarray, what: str) -> None:
    if bad.any():
        row, column = (int(k) for k in np.argwhere(bad)[0])
        more = int(bad.any(axis=1).sum()) - 1
        also = f" (and {more} more rows)" if more else ""
        raise BadInput(f"points, row {row}, coordinate {column}: {array[row, column].item()!r} {what}{also}")


def _floats(array: np.ndarray) -> np.ndarray:
    """A sealed copy as float64, of whole numbers if they are the same then."""
    _refuse(array, inexact(array), INEXACT)
    with np.errstate(over="ignore"):  # of a longer float, to inf: it is refused then
        return immutable_copy(np.asarray(array, np.float64))


def _points(given: np.ndarray, geometry: Torus | Euclidean, wrap: bool) -> np.ndarray:
    if given.size == 0 and given.ndim <= 1:
        given = given.reshape(0, geometry.dim)
    if given.ndim != 2 or given.shape[1] != geometry.dim:
        raise BadInput(f"points must have shape (n, {geometry.dim}) for dim={geometry.dim}, not {given.shape}")
    array = _floats(given)
    low, high = (array.min(), array.max()) if array.size else (0.0, 0.0)
    if not (np.isfinite(low) and np.isfinite(high)):
        _refuse(array, ~np.isfinite(array), "is not finite")
    if isinstance(geometry, Euclidean):
        if max(-low, high) > LARGEST:
            _refuse(array, np.abs(array) > LARGEST, f"is beyond {LARGEST:g}, where squared distances overflow")
    elif not (0 <= low and high < geometry.sides.min()) and ((array < 0) | (array >= geometry.sides)).any():
        if wrap:
            return immutable_copy(geometry.wrap(array))
        outside = (array < 0) | (array >= geometry.sides)
        side = geometry.sides[np.argwhere(outside)[0][1]]
        _refuse(array, outside, f"is outside [0, {side:g}); wrap=True moves it inside")
    return array


def _exponent(points: np.ndarray, sides: np.ndarray) -> int:
    """The power of two that makes the square of every difference of coordinates a normal number, or 0.

    Coordinates are multiples of the spacing of floats next to the smallest of them that is not 0, and so are their
    differences; numbers times a power of two, and their differences, have the same bits.
    """
    size = np.abs(points)
    if not size.size or size.min() >= 2.0 ** (FINEST + 52):
        return 0
    least, most = size.min(where=size > 0, initial=math.inf), sides.max() if sides[0] < math.inf else size.max()
    if least == math.inf:
        return 0
    exponent = max(0, FINEST - math.frexp(np.spacing(least))[1] + 1)
    if math.ldexp(most, exponent) > LARGEST:
        works = most / LARGEST * 2.0 ** (FINEST + 54)
        what = f"is too close to 0 beside {most:g} for float64 to hold the squares of both"
        _refuse(points, size == least, f"{what}; write 0, or at least {works:.1e}")
    return exponent


def _mean_field(given: np.ndarray, table: bool) -> np.ndarray:
    if not table:
        if given.ndim != 2 or given.shape[1]:
            raise BadInput(f"a mean-field pattern without a table has points of shape (n, 0), not {given.shape}")
        return _floats(given)
    if given.size == 0:
        given = given.reshape(0, 0)
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        raise BadInput(f"a mean-field pattern is a square table of distances, not one of shape {given.shape}")
    array = _floats(given)
    apart = ~np.eye(len(array), dtype=bool)
    _refuse(array, apart & ~(np.isfinite(array) & (array >= 0)), "is not a distance")
    _refuse(array, apart & (array != array.T), "differs from its mirror image")
    return array


def _colors(colors: Any, n: int) -> np.ndarray:
    try:
        array = np.zeros(n, np.uint8) if colors is None else check_array("colors", colors, "iub", "integers")
    except BadInput as error:
        words = "; names of colors are for Pattern.from_frame" if "not <U" in str(error) else ""
        raise BadInput(f"{error}{words}") from None
    if array.size == 0:
        array = array.astype(np.uint8)
    if array.shape != (n,):
        raise BadInput(f"colors must have shape ({n},), one for each point, not {array.shape}")
    bad = (array < 0) | (array > 254)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise BadInput(f"colors, row {row}: {array[row]} is not a color; colors are integers from 0 to 254")
    return immutable_copy(array.astype(np.uint8))
