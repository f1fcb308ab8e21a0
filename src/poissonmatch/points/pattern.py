"""Patterns: immutable finite sets of colored points."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..utils import drawing
from ..utils.errors import BadInput, quoted
from ..utils.immutable import as_immutable, readonly_view
from ..utils.libraries import pd
from ..utils.validation import check_array, check_int, checked
from . import frame_columns, frames
from .coordinates import check_colors
from .decimal_grid import as_decimals, is_single, on_grid, rounding_note
from .geometry import Geometry
from .pair_distances import PairOrder
from .spaces import Euclidean

MAX_COLORS = 2**16  # of `count`


class Pattern(PairOrder):
    """An immutable finite set of colored points.

    Patterns are equal if geometry, points and colors are equal, in this order of the points. Copies
    and pickles are validated.

    Parameters
    ----------
    points : array_like
        (n, d) of any real dtype and layout, or a pandas frame with a column for each coordinate.
        For DistanceTable and MeanField the (n, n) symmetric table of distances; for MeanField
        without a table an (n, 0) array. It is copied as float64; the attribute is read-only.
    colors : array_like of int, optional
        n integers from 0 to 254, 0 for amber or green and 1 for blue or red; by default all are 0.
    geometry : Torus, Euclidean, MeanField or another space
        The space of the points; required.
    wrap : bool, default False
        Whether points outside [0, L) are moved into the torus instead of raising an error.
    grid : float or "auto", optional
        A step of which all coordinates are multiples, such as 0.1 for coordinates with one decimal.
        Squared distances are then compared as whole numbers, so equal distances are ties and the
        matching does not depend on the unit. "auto" looks for 0 to 6 decimals; without them there
        is no grid. By default there is none.
    color_names : sequence of str, optional
        Names of the colors 0, 1, ..., for legends and frames. By default there are none.

    Raises
    ------
    ValueError
        If coordinates are masked, NaN, infinite, outside the space, or nonzero with absolute values
        below 1e-150 or above 1e150 (their squares underflow or overflow); if a shape or dtype is
        wrong; if a color is not an integer from 0 to 254, or has no name; or if a coordinate is not
        a multiple of the grid. The message names the row and the value.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.5], [2.0], [9.0]], [0, 1, 1], pm.Torus(10.0, 1))
    >>> pattern
    Pattern(3 points: 1 of color 0, 2 of color 1; Torus(side=10.0, dim=1))
    >>> float(pattern.distance(0, 2))
    1.5
    >>> points = [[0.1], [0.2], [0.3]]
    >>> len(pm.Pattern(points, None, pm.Euclidean(1)).ties())  # 0.2 - 0.1 is not 0.3 - 0.2 as float64
    0
    >>> pm.Pattern(points, None, pm.Euclidean(1), grid=0.1).ties()
    array([[0, 1, 1, 2]])
    """

    __slots__ = ("_color_names", "_colors", "_embedded", "_geometry", "_metric", "_points")

    def __init__(
        self,
        points: Any,
        colors: Any = None,
        geometry: Geometry | None = None,
        *,
        wrap: bool = False,
        grid: float | Literal["auto"] | None = None,
        color_names: Sequence[str] | None = None,
    ) -> None:
        self._geometry = geometry = as_geometry(geometry)
        array = as_decimals(check_array("points", points, "fiu", "real numbers"), grid)
        self._points = geometry.check_points(array, wrap)
        self._colors = check_colors(colors, len(self._points))
        self._color_names = None if color_names is None else frame_columns.checked_names(color_names)
        if self._color_names is not None and len(self.count()) > len(self._color_names):
            row = int(np.argmax(self._colors >= len(self._color_names)))
            raise BadInput(
                f"color_names: color {self._colors[row]} of row {row} is not one of {len(self._color_names)}"
            )
        decimals = None if grid is None else on_grid(geometry, np.asarray(array, float), grid)
        self._metric = decimals or geometry
        self._embedded = as_immutable(self._metric.embed(self._points))
        if decimals and wrap:
            self._points = as_immutable(decimals.coordinates(self._embedded))

    @classmethod
    def _drawn(cls, points: np.ndarray, colors: np.ndarray, geometry: Geometry) -> Pattern:
        """Return the pattern of float64 points and uint8 colors that no other object references, without copy or check."""
        pattern = cls.__new__(cls)
        pattern._geometry, pattern._points, pattern._colors = geometry, as_immutable(points), as_immutable(colors)
        pattern._metric, pattern._color_names = geometry, None
        pattern._embedded = as_immutable(geometry.embed(pattern._points))
        return pattern

    @classmethod
    def _joined(cls, patterns: Sequence[Pattern]) -> Pattern:
        """Return one pattern of the points of several ones in the same space, one after the other."""
        points, colors = (np.concatenate([getattr(p, name) for p in patterns]) for name in ("_points", "_colors"))
        return cls._drawn(points, colors, patterns[0].geometry)

    def part_of(self, ends: np.ndarray, s: int) -> Pattern:
        """Return the pattern of the points ends[s] <= i < ends[s + 1], as a copy.

        Parameters
        ----------
        ends : (S + 1,) int
            Ends of the sets in the order of the points.
        s : int
            Number of the set.

        Returns
        -------
        Pattern
            The points of the set.
        """
        own = slice(ends[s], ends[s + 1])
        return Pattern._drawn(self._points[own].copy(), self._colors[own].copy(), self.geometry)

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
        grid: float | Literal["auto"] | None = "auto",
    ) -> Pattern:
        """Return the pattern of the rows of a table.

        Parameters
        ----------
        frame : pandas.DataFrame
            One row for each point; also a table of polars, Arrow or DuckDB.
        coords : sequence of str, optional
            Columns of coordinates, by default those of x, y, z that exist; or one column of points
            in WKB or WKT, or of shapely, by default `geometry`.
        color : str, optional
            Column of colors: whole numbers, or names, which get the numbers 0, 1, ... By default
            there are no colors.
        geometry : Torus, Euclidean or MeanField, optional
            By default Euclidean space.
        color_names : sequence, optional
            Names of the colors 0, 1, ..., by default the categories of a categorical column,
            otherwise all names, sorted.
        wrap : bool, default False
            See Pattern.
        grid : float or "auto", optional
            See Pattern; by default coordinates with at most 6 decimals are on a grid, and float32
            coordinates are taken as the shortest decimals that round to them.

        Returns
        -------
        Pattern
            One point for each row, in the same order.

        Raises
        ------
        ValueError
            If a column is missing or a value is invalid, or rounding hides the distances between
            neighbors; the message names the column and the row.

        Warns
        -----
        UserWarning
            If columns called lon, lat, ra, dec or the like are coordinates of a flat space, float32
            coordinates are taken as decimals, or rounding may decide many partners.

        Examples
        --------
        >>> import pandas as pd
        >>> trees = pd.DataFrame({"x": [0.0, 3.0], "y": [0.0, 4.0], "kind": ["oak", "ash"]})
        >>> pm.Pattern.from_frame(trees, color="kind", color_names=["oak", "ash"])
        Pattern(2 points: 1 oak, 1 ash; Euclidean(dim=2), grid 1)
        """
        frame = frame_columns.as_frame(frame)
        coords, column = frame_columns.columns_of(frame, coords, color)
        colors, names = (None, color_names) if column is None else frame_columns.numbered(column, color_names)
        points = frame_columns.coordinates(frame, coords, grid)
        space = Euclidean(points.shape[1]) if geometry is None else as_geometry(geometry)
        pattern, notes = cls._of_columns(frame, coords, points, colors, space, wrap=wrap, grid=grid, color_names=names)
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return pattern

    @classmethod
    def _of_columns(
        cls, frame: Any, coords: Sequence[str], points: np.ndarray, colors: Any, space: Geometry, *,
        moved: np.ndarray | None = None, grid: Any, **options: Any,
    ) -> tuple[Pattern, list[str]]:  # fmt: skip
        """Return the pattern of the coordinates in columns of a frame, and notes on what may be wrong with them.

        moved: the coordinates in the space, if they are not those in the frame.

        Raises BadInput naming the row and the column.
        """
        try:
            pattern = cls(points if moved is None else moved, colors, space, grid=grid, **options)
            rounded = rounding_note(points, pattern.metric, pattern.embedded)
        except BadInput as error:
            raise BadInput(frame_columns.in_columns(str(error), coords)) from None
        has_single = grid is not None and points.dtype == float and any(map(is_single, frame[coords].dtypes))
        step = "" if pattern.grid is None else f", on a grid of {pattern.grid:g}"
        notes = [
            frame_columns.in_degrees(frame, coords) if space.is_flat else "",
            f"float32 coordinates are taken as the shortest decimals that round to them{step}" if has_single else "",
            rounded,
        ]
        return pattern, list(filter(None, notes))

    @checked()
    def to_frame(self, coords: Sequence[str] | None = None, color: str = "color") -> pd.DataFrame:
        """Return a data frame with a row for each point: its coordinates and its color.

        Parameters
        ----------
        coords : sequence of str, optional
            Names of the coordinate columns, by default x, y, z, or x1, x2, ... in more dimensions.
        color : str, default "color"
            Name of the column of colors: their names, if the pattern has them, or integers.

        Returns
        -------
        pandas.DataFrame
            A new frame.

        Raises
        ------
        ValueError
            If the points have no coordinates.
        """
        if not self.geometry.has_coordinates:
            raise BadInput(
                f"the points of a {self.geometry.name} pattern have no coordinates; pattern.points is the table of distances"
            )
        names = self.geometry.axis_names if coords is None else list(coords)
        if len(names) != self.geometry.dim:
            raise BadInput(f"coords must name {self.geometry.dim} columns, got {quoted(names)}")
        frame = pd.DataFrame(np.array(self._points), columns=names)
        frame[color] = self.colors_as_named
        return frame

    @property
    def points(self) -> np.ndarray:
        """Coordinates, (n, d) float64, or the (n, n) table of distances; read-only."""
        return readonly_view(self._points)

    @property
    def embedded(self) -> np.ndarray:
        """Coordinates in which distances are Euclidean and points are matched, (n, k); read-only."""
        return readonly_view(self._embedded)

    @property
    def colors(self) -> np.ndarray:
        """Colors, (n,) uint8; read-only."""
        return readonly_view(self._colors)

    @property
    def color_names(self) -> tuple[str, ...] | None:
        """Names of the colors 0, 1, ...; None if they have none."""
        return self._color_names

    @property
    def colors_as_named(self) -> Any:
        """Colors as a column: a categorical of their names, or integers without names."""
        if self._color_names is None:
            return np.array(self._colors)
        return pd.Categorical.from_codes(np.array(self._colors), pd.Index(self._color_names))

    @property
    def geometry(self) -> Geometry:
        """The space of the points."""
        return self._geometry

    @property
    def metric(self) -> Geometry:
        """The space that orders the pairs: the geometry, or on a grid its multiples of the step."""
        return self._metric

    @property
    def grid(self) -> float | None:
        """The step of which all coordinates are multiples; None without a grid."""
        return getattr(self._metric, "step", None)

    def __len__(self) -> int:
        return len(self._points)

    def _no_sequence(self, *_: Any, **__: Any) -> Any:
        raise TypeError(
            "a Pattern is not a sequence of points: they are pattern.points, and their colors pattern.colors"
        )

    __iter__ = __contains__ = __array__ = _no_sequence

    def __repr__(self) -> str:
        of_color = self._color_names or [f"of color {k}" for k in range(255)]
        counts = ", ".join(f"{count} {of_color[k]}" for k, count in enumerate(self.count()))
        grid = "" if self.grid is None else f", grid {self.grid:g}"
        return f"Pattern({len(self)} points: {counts}; {self.geometry}{grid})"

    def save(self, path: str | Path) -> Path:
        """Write the points, colors, space, grid and names to a Parquet file, for `load_pattern`.

        Parameters
        ----------
        path : str or Path
            The file, whose name ends in .parquet; it is replaced if it exists.

        Returns
        -------
        Path
            The file.
        """
        if self._geometry.has_coordinates:
            frame = self.to_frame().drop(columns="color")
        else:
            frame = pd.DataFrame(self._points).add_prefix("distance_")
        about = {"geometry": self._geometry.parameters, "grid": self.grid, "color_names": self._color_names}
        return frames.save(frame.assign(color=self._colors), about, path)

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the points by color as a matplotlib Figure.

        `match(pattern).plot()` draws the partners as well.

        Parameters
        ----------
        ax : matplotlib axes, optional
            By default those of a new figure.
        **options
            As in the functions of `pm.figures`: width, style, labels, title, caption, legend (False
            for none), colors (one for each color of points, or a mapping from their names or
            numbers) and s (area of a point in square points, by default from the number of points).

        Returns
        -------
        matplotlib Figure

        Raises
        ------
        ValueError
            In the mean-field model, and in more than three dimensions.
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
        return _rebuilt, (self.points, self.colors, self.geometry, self.grid, self._color_names)

    def __getitem__(self, which: Any) -> Pattern:
        """Return the pattern of some points: a boolean mask, an array of indices or a slice."""
        if not isinstance(which, slice):
            which = check_array("the points of pattern[...]", which, "iub", "a boolean mask, indices or a slice")
            if which.ndim != 1:
                raise BadInput("pattern[...] takes a boolean mask, indices or a slice; pattern[[i]] has one point")
            which = which if which.size else []
        try:
            which = np.arange(len(self))[which]
        except IndexError as error:
            raise BadInput(f"pattern[...]: {error}") from None
        points = self._geometry.take(self._points, which)
        return _rebuilt(points, self._colors[which], self._geometry, self.grid, self._color_names)

    def count(self, n_colors: int = 1) -> np.ndarray:
        """Return the number of points of each color.

        Parameters
        ----------
        n_colors : int, default 1
            Smallest length of the result.

        Returns
        -------
        (C,) int64
            Number of points of each color 0, 1, ...

        Raises
        ------
        ValueError
            If `n_colors` is not an integer from 0 to 65,536.
        """
        n_colors = check_int("n_colors", n_colors, 0, MAX_COLORS)
        return np.bincount(self._colors, minlength=n_colors)


def _rebuilt(
    points: np.ndarray, colors: np.ndarray, geometry: Geometry, grid: Any = None, names: Any = None
) -> Pattern:
    """Return a pattern of the attributes of another one."""
    return Pattern(points, colors, geometry, grid=grid, color_names=names)


def as_geometry(value: Any) -> Geometry:
    """Return the value if it is a space. Raises BadInput otherwise."""
    if not isinstance(value, Geometry):
        raise BadInput(f"geometry must be a space, such as pm.Torus(10.0, dim=2), got {quoted(value)}")
    return value


def as_pattern(value: Any) -> Pattern:
    """Return the value if it is a Pattern. Raises BadInput, with the way to make one, otherwise."""
    if isinstance(value, Pattern):
        return value
    shape = getattr(value, "shape", None)
    dim = shape[1] if isinstance(shape, tuple) and len(shape) == 2 else "d"
    kind = f"{type(value).__name__}" + (f" of shape {shape}" if shape is not None else "")
    raise BadInput(f"the pattern must be a Pattern, got {kind}: write pm.Pattern(points, geometry=pm.Euclidean({dim}))")
