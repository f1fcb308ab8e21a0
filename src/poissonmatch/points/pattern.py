"""Patterns: immutable finite sets of colored points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..utils import drawing
from ..utils.errors import BadInput, quoted
from ..utils.immutable import as_immutable, immutable_copy, readonly_view
from ..utils.libraries import pd
from ..utils.validation import check_array
from . import frames
from .geometry import Geometry
from .order import all_pairs, nearer
from .spaces import Euclidean

FEW, MANY = 16, 1000  # up to FEW colors of MANY points it is faster to count each
MAX_TIES = 2000  # points among which equal distances are looked for


class Pattern:
    """An immutable finite set of colored points.

    Patterns are equal if geometry, points and colors are equal, in this order of the points. Copies
    and pickles are validated.

    Parameters
    ----------
    points : array_like
        (n, d) of any real dtype and layout, or a pandas frame with a column for each coordinate.
        For MeanField the (n, n) symmetric table of distances, or an (n, 0) array without a table.
        It is copied as float64; the attribute is read-only.
    colors : array_like of int, optional
        n integers from 0 to 254, 0 for amber or green and 1 for blue or red; by default all are 0.
    geometry : Torus, Euclidean, MeanField or another space
        The space of the points.
    wrap : bool, optional
        Whether points outside [0, L) are moved into the torus instead of raising an error.

    Raises
    ------
    ValueError
        If coordinates are masked, NaN, infinite, outside the space, or nonzero with absolute values
        below 1e-150 or above 1e150 (their squares underflow or overflow); if a shape or dtype is
        wrong; or if a color is not an integer from 0 to 254. The message names the row and the
        value.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.5], [2.0], [9.0]], [0, 1, 1], pm.Torus(10.0, 1))
    >>> pattern
    Pattern(3 points: 1 of color 0, 2 of color 1; Torus(side=10.0, dim=1))
    >>> float(pattern.distance(0, 2))
    1.5
    """

    __slots__ = ("_colors", "_embedded", "_geometry", "_points")

    def __init__(
        self, points: Any, colors: Any = None, geometry: Geometry | None = None, *, wrap: bool = False
    ) -> None:
        if not isinstance(geometry, Geometry):
            raise BadInput(f"geometry must be a space, such as pm.Torus(10.0, dim=2), got {quoted(geometry)}")
        self._geometry: Geometry = geometry
        self._points: np.ndarray = geometry.check_points(check_array("points", points, "fiu", "real numbers"), wrap)
        self._colors: np.ndarray = _colors(colors, len(self._points))
        self._embedded: np.ndarray = as_immutable(geometry.embed(self._points))

    @classmethod
    def _drawn(cls, points: np.ndarray, colors: np.ndarray, geometry: Geometry) -> Pattern:
        """Return the pattern of float64 points and uint8 colors, without copy or check.

        No other object may reference the arrays.
        """
        pattern = cls.__new__(cls)
        pattern._geometry, pattern._points, pattern._colors = geometry, as_immutable(points), as_immutable(colors)
        pattern._embedded = as_immutable(geometry.embed(pattern._points))
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
        """Return the pattern of the rows of a data frame.

        Parameters
        ----------
        frame : pandas.DataFrame
        coords : sequence of str, optional
            Columns of coordinates, by default those of x, y, z that exist.
        color : str, optional
            Column of colors: integers, or names, which get the numbers 0, 1, ...
        geometry : Torus, Euclidean or MeanField, optional
            By default Euclidean space.
        color_names : sequence, optional
            Names of the colors 0, 1, ..., by default the categories of a categorical column,
            otherwise all names, sorted.
        wrap : bool, optional
            See Pattern.

        Raises
        ------
        ValueError
            If a column is missing or a value is invalid; the message names the column and the row.

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
        """Return a data frame with a row for each point: its coordinates and its color.

        Parameters
        ----------
        coords : sequence of str, optional
            Names of the coordinate columns, by default x, y, z, or x1, x2, ... in more dimensions.
        color : str, optional
            Name of the column of colors.
        """
        if not self.geometry.has_coordinates:
            raise BadInput(
                "the points of a mean-field pattern have no coordinates; pattern.points is the table of distances"
            )

        names = self.geometry.axis_names if coords is None else list(coords)
        if len(names) != self.geometry.dim:
            raise BadInput(f"coords must name {self.geometry.dim} columns, got {quoted(names)}")
        frame = pd.DataFrame(np.array(self._points), columns=names)
        frame[color] = np.array(self._colors)
        return frame

    @property
    def points(self) -> np.ndarray:
        """Coordinates, (n, d) float64, or the (n, n) table of distances; read-only."""
        return readonly_view(self._points)

    @property
    def embedded(self) -> np.ndarray:
        """The coordinates in which distances are Euclidean, (n, k), read-only.

        The matching is computed in these coordinates.
        """
        return readonly_view(self._embedded)

    @property
    def colors(self) -> np.ndarray:
        """Colors, (n,) uint8; read-only."""
        return readonly_view(self._colors)

    @property
    def geometry(self) -> Geometry:
        """The space of the points."""
        return self._geometry

    def __len__(self) -> int:
        return len(self._points)

    def __repr__(self) -> str:
        counts = ", ".join(f"{c} of color {k}" for k, c in enumerate(self.count()))
        return f"Pattern({len(self)} points: {counts}; {self.geometry})"

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the points by color as a matplotlib Figure.

        `match(pattern).plot()` draws the partners as well.

        Parameters
        ----------
        ax : matplotlib axes, optional
            By default those of a new figure.
        **options
            As in the functions of `pm.figures`: width, style, labels, title, caption, and legend
            (False for none), colors (a color for each color of points, or a mapping from their
            names or numbers) and s (area of a point in square points; by default it follows from
            the number of points).

        Raises
        ------
        ValueError
            In the mean-field model, in more than three dimensions, and on a torus with different
            sides.
        """
        return drawing.plot(self, ax, **options)

    def _repr_svg_(self) -> str | None:
        return drawing.svg(self)

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
        """Return the number of points of each color, (C,), with at least `n_colors` entries."""
        if len(self) < MANY or (colors := max(n_colors, 1 + int(self._colors.max()))) > FEW:
            return np.bincount(self._colors, minlength=n_colors)
        return np.array([np.count_nonzero(self._colors == color) for color in range(colors)])

    def distance(self, i: Any, j: Any) -> np.ndarray:
        """Return the distances between points i and j, integers or arrays, broadcast.

        Raises ValueError for a mean-field pattern without a table of distances.
        """
        return self.length(self.squared_distance(i, j))

    def length(self, squared: np.ndarray) -> np.ndarray:
        """Return the distances with these squares (mean-field: with these values)."""
        return self.geometry.length(squared)

    def squared_distance(self, i: Any, j: Any) -> np.ndarray:
        """Return the keys by which the pairs of points i and j are ordered.

        They are squared distances; in the mean-field model they are distances.
        """
        return self.geometry.key(self._embedded, i, j)

    def closer(self, x: int, z: Any, y: int) -> Any:
        """Return whether the pair x, z is before the pair x, y.

        Pairs are ordered by squared distance, then by the index z or y.
        """
        return nearer(self.squared_distance(x, z), np.asarray(z), self.squared_distance(x, y), y)

    def pair_order(self) -> tuple[np.ndarray, np.ndarray]:
        """Return all n (n - 1) / 2 pairs i < j in the order (squared distance, i, j).

        They are two index arrays.
        """
        return all_pairs(len(self), self.squared_distance)

    def ties(self) -> np.ndarray:
        """Return the equal distances between points.

        The papers exclude them; here the pair order breaks ties.

        Returns
        -------
        (k, 4) int64
            Rows i, j, k, l: the pairs i, j and k, l have the same distance, and follow each other
            in the pair order.

        Raises
        ------
        ValueError
            If there are more than 2000 points.

        Examples
        --------
        >>> pm.Pattern([[0.0], [1.0], [2.0]], None, pm.Euclidean(1)).ties()
        array([[0, 1, 1, 2]])
        """
        if len(self) > MAX_TIES:
            raise BadInput(f"ties are found among at most {MAX_TIES} points, got {len(self)}")
        i, j = self.pair_order()
        key = self.squared_distance(i, j)
        (first,) = np.nonzero(key[1:] == key[:-1])
        return np.column_stack([i[first], j[first], i[first + 1], j[first + 1]]).astype(np.int64)


def as_pattern(value: Any) -> Pattern:
    """Return the value if it is a Pattern. Raises BadInput, with the way to make one, otherwise."""
    if isinstance(value, Pattern):
        return value
    shape = getattr(value, "shape", None)
    dim = shape[1] if isinstance(shape, tuple) and len(shape) == 2 else "d"
    kind = f"{type(value).__name__}" + (f" of shape {shape}" if shape is not None else "")
    raise BadInput(f"the pattern must be a Pattern, got {kind}: write pm.Pattern(points, geometry=pm.Euclidean({dim}))")


def _colors(colors: Any, n: int) -> np.ndarray:
    try:
        array = np.zeros(n, np.uint8) if colors is None else check_array("colors", colors, "iub", "integers")
    except BadInput as error:
        hint = "; names of colors are for Pattern.from_frame" if "not <U" in str(error) else ""
        raise BadInput(f"{error}{hint}") from None
    if array.size == 0:
        array = array.astype(np.uint8)
    if array.shape != (n,):
        raise BadInput(f"colors must have shape ({n},), one for each point, got {array.shape}")
    bad = (array < 0) | (array > 254)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise BadInput(f"colors, row {row}: {array[row]} is not a color; colors are integers from 0 to 254")
    return immutable_copy(array.astype(np.uint8))
