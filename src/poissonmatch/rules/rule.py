"""Rules: which pairs of points may be matched, and how many partners a point may have.

A new rule is an entry of RULES (of FAMILIES, if its parameter is a number), and a row in the tests'
table of oracles. Any other rule is named by its definition: `custom(11/10; 1,2)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..utils.display import html_table
from ..utils.errors import BadInput, quoted
from ..utils.immutable import Rebuilt, cached_property, immutable_copy
from ..utils.validation import check_array, check_int, checked
from . import laws

MUTUALLY_NEAREST = "mutually nearest"
MAX_LABELS = 64
MAX_COLORS = 16  # of a rule with a name, and of a study


@dataclass(frozen=True, eq=False)
class Rule(Rebuilt):
    """A matching rule: which pairs may be matched, and how many partners a point may have.

    A rule determines a unique matching of a pattern. Rules are equal if their first four parameters
    are.

    Parameters
    ----------
    compatible : (C, C) array_like of bool, optional
        Symmetric: whether points of colors a and b may be matched. A 1 x 1 matrix applies to all
        colors; by default all pairs may.
    capacity : sequence of int, optional
        Maximal number of partners of a point, for each color; a single entry applies to all colors.
        By default 1.
    exclude : None, "mutually nearest" or (k, 2) array_like of int, optional
        Pairs that are never matched: none, pairs of points that are each other's nearest in the
        whole set, or pairs of indices. By default none.
    labels : int, default 0
        Number K of Sprague-Grundy labels, 0 (none) to 64. A pair gets the smallest label below K
        that no closer pair sharing a point with it has, or no label (Deijfen, Holroyd, Martin 2016,
        Prop. 14). With labels, `capacity` is ignored.
    color_names : sequence of str, optional
        Names of the colors 0, 1, ... By default there are none.
    reference_color : int, optional
        The color whose unmatched fraction measures the precision of a study; by default the
        majority.
    law : Law, optional
        Exact results for the matching in infinite volume. By default none is known.

    Raises
    ------
    ValueError
        If the matrix is not square and symmetric, a capacity is below 1, labels is not from 0 to
        64, or another argument is not as described.

    Examples
    --------
    A blue point may have two amber partners:

    >>> rule = pm.Rule(compatible=[[False, True], [True, False]], capacity=(1, 2))
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], [0, 1, 0], pm.Euclidean(1))
    >>> pm.match(pattern, rule).pairs
    array([[0, 1],
           [1, 2]])
    >>> pm.RULES["two-color"] == pm.Rule([[False, True], [True, False]])
    True
    """

    compatible: tuple[tuple[bool, ...], ...] = ((True,),)
    capacity: tuple[int, ...] = (1,)
    exclude: Any = None
    labels: int = 0
    color_names: tuple[str, ...] = ()
    reference_color: int | None = field(default=None, repr=False)
    law: laws.Law = field(default=laws.Law(), repr=False)

    def __post_init__(self) -> None:
        vars(self).update(
            compatible=_checked_matrix(self.compatible),
            capacity=_checked_capacity(self.capacity, len(self.compatible)),
            exclude=_frozen(self.exclude),
            labels=check_int("labels", self.labels, 0, MAX_LABELS),
            color_names=_checked_names(self.color_names),
        )
        if self.reference_color is not None:
            color = check_int("reference_color", self.reference_color, 0, self.n_colors - 1, what="a color")
            vars(self).update(reference_color=color)
        if not isinstance(self.law, laws.Law):
            raise BadInput(f"law must be a Law, got {quoted(self.law)}")

    @cached_property
    def _identity(self) -> tuple:
        """The defining fields as a hashable value; excluded pairs as a set."""
        banned = self.exclude
        if self.excludes_by_index:
            banned = np.unique(np.sort(self.pairs, axis=1), axis=0).tobytes() or None
        return self.compatible, self.capacity, banned, self.labels

    def __eq__(self, other: object) -> bool:
        return self._identity == other._identity if isinstance(other, Rule) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def n_colors(self) -> int:
        """Number of colors that the rule distinguishes."""
        return max(len(self.compatible), len(self.capacity))

    @property
    def width(self) -> int:
        """Maximal number of partners of a point; with labels, their number."""
        return self.labels or max(self.capacity)

    @property
    def plain(self) -> bool:
        """Whether every point has capacity 1 and no pair is excluded."""
        return set(self.capacity) == {1} and self.exclude is None and not self.labels

    @property
    def excludes_by_index(self) -> bool:
        """Whether pairs are excluded by the indices of their points."""
        return self.exclude is not None and not self.bans_nearest

    @property
    def bans_nearest(self) -> bool:
        """Whether mutually nearest pairs are excluded."""
        return isinstance(self.exclude, str)

    @cached_property
    def pairs(self) -> np.ndarray:
        """The listed excluded pairs of indices, (k, 2) int64, of points that `match` checks to exist."""
        pairs = self.exclude
        if pairs is None or self.bans_nearest or pairs.size == 0:
            pairs = np.zeros((0, 2), np.int64)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
            raise BadInput(f"exclude must be pairs of indices, shape (k, 2), got {pairs.shape} of {pairs.dtype}")
        return immutable_copy(pairs.astype(np.int64))

    @property
    def across(self) -> bool:
        """Whether only points of different colors may be matched."""
        return not any(row[color] for color, row in enumerate(self.compatible))

    def matrix(self) -> np.ndarray:
        """Return `compatible` as a (C, C) array of bool.

        Returns
        -------
        (C, C) bool
            Whether points of two colors may be matched.
        """
        matrix = np.array(self.compatible, dtype=bool)
        return matrix if len(matrix) == self.n_colors else np.full((self.n_colors,) * 2, matrix[0, 0])

    def seen(self, colors: np.ndarray) -> np.ndarray:
        """Return the colors of points as the rule distinguishes them: all 0 if it does not.

        Parameters
        ----------
        colors : (n,) int
            Color of each point.

        Returns
        -------
        (n,) int
            Colors that the rule distinguishes.
        """
        return colors if self.n_colors > 1 else np.zeros_like(colors)

    def capacities(self, colors: np.ndarray) -> np.ndarray:
        """Return the capacity of each point, from its color; with labels, the number of labels.

        Parameters
        ----------
        colors : (n,) int
            Color of each point.

        Returns
        -------
        (n,) int64
            Largest number of partners of each point.
        """
        capacity = np.array((self.labels,) if self.labels else self.capacity)
        return capacity[colors] if len(capacity) > 1 else np.full(len(colors), capacity[0])

    @checked(color=(0, 2**16))
    def color_name(self, color: int) -> str:
        """Return the name of a color.

        Parameters
        ----------
        color : int
            Number of the color, from 0.

        Returns
        -------
        str
            Its name, or "color" and its number if it has none.
        """
        return self.color_names[color] if color < len(self.color_names) else f"color {color}"

    def _repr_html_(self) -> str:
        """Return an HTML table: which colors may be matched, and the capacity of each color."""
        colors = range(self.n_colors)
        names = [self.color_name(color) for color in colors] if self.n_colors > 1 else ["any point"]
        last = f"{self.labels} labels" if self.labels else "capacity"
        widths = ["" if self.labels else capacity for capacity in self.capacities(np.array(colors))]
        head = ["may be matched with", *names, last]
        marks = [["yes" if entry else "no" for entry in row] for row in self.matrix()]
        excluded = (
            "" if self.exclude is None else MUTUALLY_NEAREST if self.bans_nearest else f"{len(self.pairs)} listed"
        )
        caption = "Rule" + (f"; excluded pairs: {excluded}" if excluded else "")
        return html_table(head, [[n, *m, w] for n, m, w in zip(names, marks, widths, strict=True)], caption)


def _checked_matrix(compatible: Any) -> tuple[tuple[bool, ...], ...]:
    matrix = check_array("compatible", compatible, "biuf", "True and False")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise BadInput(f"compatible must be a square matrix, one row for each color, got shape {matrix.shape}")
    if not ((matrix == 0) | (matrix == 1)).all() or (matrix != matrix.T).any():
        raise BadInput(f"compatible must hold True and False, and be symmetric: {quoted(compatible)}")
    return tuple(tuple(bool(entry) for entry in row) for row in matrix)


def _checked_capacity(value: Any, n_colors: int) -> tuple[int, ...]:
    capacity = np.atleast_1d(np.asarray(value))
    if capacity.ndim != 1 or len(capacity) == 0 or capacity.dtype.kind not in "iu" or (capacity < 1).any():
        raise BadInput(f"capacity must be whole numbers from 1, one for each color or one for all, got {quoted(value)}")
    if len(capacity) > 1 and n_colors not in (1, len(capacity)):
        raise BadInput(f"capacity has {len(capacity)} colors, compatible {n_colors}")
    return tuple(int(c) for c in capacity)


def _checked_names(names: Any) -> tuple[str, ...]:
    if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
        raise BadInput(f"color_names must be a list of strings, got {quoted(names)}")
    return tuple(names)


def _frozen(exclude: Any) -> Any:
    """Return None, MUTUALLY_NEAREST, or a read-only copy of the pairs."""
    if exclude is None or isinstance(exclude, str):
        if exclude not in (None, MUTUALLY_NEAREST):
            raise BadInput(f"exclude must be None, {MUTUALLY_NEAREST!r} or pairs of indices, got {quoted(exclude)}")
        return exclude
    return immutable_copy(check_array("exclude", exclude, "iuf", "pairs of indices"))
