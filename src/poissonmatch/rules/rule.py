"""Rules: which pairs of points may be matched, how many partners a point may have, and what else is known of each.

A new rule is a line in RULES (or in FAMILIES, where a number belongs to it), and a row in the tests' table of oracles. A rule of
a user's own has a name as well, which says what it is: `custom(11/10; 1,2)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..utils.errors import BadInput, quoted
from ..utils.immutable import Rebuilt
from ..utils.validation import check_array, check_int
from . import laws

MUTUALLY_NEAREST = "mutually nearest"
MOST_LABELS = 64
MOST_COLORS = 16  # of a rule that has a name, and of a study
MOST_CAPACITY = 999_999_999  # of a rule that has a name: nine digits


@dataclass(frozen=True, eq=False)
class Rule(Rebuilt):
    """What makes a pair allowed, and how many partners a point may have. A matching is unique given its rule.

    The first four make the rule: rules are equal if they are. The rest is what others ask of it.

    Parameters
    ----------
    compatible : (C, C) symmetric, of bool
        May a point of color a be matched to one of color b? A single entry speaks for all colors.
    capacity : sequence of int
        Most partners of a point, for each color; a single entry speaks for all colors.
    exclude : None, "mutually nearest" or (k, 2) array_like of int
        Pairs that are never matched: none, those that are each other's nearest in the whole set, or these pairs of indices.
    labels : int
        0, or the number K <= 64 of Sprague-Grundy labels: a pair gets the smallest label in 0 ... K-1 that no closer pair sharing a
        point with it has, and none if there is none (Deijfen, Holroyd, Martin 2016, Prop. 14); capacity does not count then.
    colors : sequence of str
        Names of the colors 0, 1, ...
    reference_color : int, optional
        The color whose unmatched fraction says how far a study of a rule with colors has come; None: the majority.
    law : laws.Law
        What is known exactly of the matching.

    Raises
    ------
    ValueError
        For a matrix that is not square and symmetric, a capacity below 1, or labels outside 0 ... 64.

    Examples
    --------
    >>> rule = pm.Rule(compatible=[[False, True], [True, False]], capacity=(1, 2))  # a blue point may have two amber partners
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
    colors: tuple[str, ...] = ()
    reference_color: int | None = field(default=None, repr=False)
    law: laws.Law = field(default=laws.Law(), repr=False)

    def __post_init__(self) -> None:
        for name, value in (
            ("compatible", _checked_matrix(self.compatible)),
            ("capacity", _checked_capacity(self.capacity, len(self.compatible))),
            ("exclude", _frozen(self.exclude)),
            ("labels", check_int("labels", self.labels, 0, MOST_LABELS)),
        ):
            object.__setattr__(self, name, value)

    @cached_property
    def _identity(self) -> tuple:
        """What makes the rule, to be compared and hashed: of the excluded pairs, which they are."""
        banned = self.exclude
        if not (banned is None or self.bans_nearest):
            banned = np.unique(np.sort(self.pairs, axis=1), axis=0).tobytes() or None
        return self.compatible, self.capacity, banned, self.labels

    def __eq__(self, other: object) -> bool:
        return self._identity == other._identity if isinstance(other, Rule) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def n_colors(self) -> int:
        """Number of colors that the rule tells apart (1: none)."""
        return max(len(self.compatible), len(self.capacity))

    @property
    def width(self) -> int:
        """Most partners of a point; with labels, their number."""
        return self.labels or max(self.capacity)

    @property
    def plain(self) -> bool:
        """One partner for every point, and no pair excluded."""
        return set(self.capacity) == {1} and self.exclude is None and not self.labels

    @property
    def bans_nearest(self) -> bool:
        """Are the pairs excluded that are mutually nearest in the whole set?"""
        return isinstance(self.exclude, str)

    @cached_property
    def pairs(self) -> np.ndarray:
        """The excluded pairs that are listed, (k, 2) int64; ValueError if they are none. That points have these indices, match
        checks.
        """
        pairs = self.exclude
        if pairs is None or self.bans_nearest or pairs.size == 0:
            pairs = np.zeros((0, 2), np.int64)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
            raise BadInput(f"exclude must be pairs of indices, shape (k, 2), not {pairs.shape} of {pairs.dtype}")
        return pairs.astype(np.int64)

    @property
    def across(self) -> bool:
        """Are points of different colors matched only?"""
        return not any(row[color] for color, row in enumerate(self.compatible))

    def matrix(self) -> np.ndarray:
        """compatible as a (C, C) array."""
        matrix = np.array(self.compatible, dtype=bool)
        return np.broadcast_to(matrix, (self.n_colors,) * 2).copy() if len(matrix) == 1 else matrix

    def capacities(self, colors: np.ndarray) -> np.ndarray:
        """Return the capacity of each point, (n,) int64, from the colors of the points, (n,)."""
        capacity = np.array(self.capacity)
        return capacity[colors] if len(capacity) > 1 else np.full(len(colors), capacity[0])

    def color_name(self, color: int) -> str:
        """What a color is called."""
        return self.colors[color] if color < len(self.colors) else f"color {color}"


def _checked_matrix(compatible: Any) -> tuple[tuple[bool, ...], ...]:
    matrix = check_array("compatible", compatible, "biuf", "True and False")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise BadInput(f"compatible must be a square matrix, one row for each color, not one of shape {matrix.shape}")
    if not ((matrix == 0) | (matrix == 1)).all() or (matrix != matrix.T).any():
        raise BadInput(f"compatible must hold True and False, and be symmetric: {quoted(compatible)}")
    return tuple(tuple(bool(entry) for entry in row) for row in matrix)


def _checked_capacity(given: Any, n_colors: int) -> tuple[int, ...]:
    capacity = np.atleast_1d(np.asarray(given))
    if capacity.ndim != 1 or len(capacity) == 0 or capacity.dtype.kind not in "iu" or (capacity < 1).any():
        raise BadInput(f"capacity must be whole numbers from 1, one for each color or one for all: {quoted(given)}")
    if len(capacity) > 1 and n_colors not in (1, len(capacity)):
        raise BadInput(f"capacity has {len(capacity)} colors, compatible {n_colors}")
    return tuple(int(c) for c in capacity)


def _frozen(exclude: Any) -> Any:
    """None, MUTUALLY_NEAREST, or a read-only copy of what should be pairs."""
    if exclude is None or isinstance(exclude, str):
        if exclude not in (None, MUTUALLY_NEAREST):
            raise BadInput(f"exclude must be None, {MUTUALLY_NEAREST!r} or pairs of indices, not {quoted(exclude)}")
        return exclude
    try:
        pairs = np.array(exclude)
    except ValueError as error:
        raise BadInput(f"exclude must be pairs of indices: {error}") from None
    pairs.setflags(write=False)
    return pairs
