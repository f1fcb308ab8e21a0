"""Deletion tolerance: the proof of Theorem 7 (ii) of Deijfen, Holroyd and Martin (2016) on a finite set.

Let x be a point and D the set of points that desire it. Delete D and the partners of its points,
except x. All remaining points but x keep their partners, and a blocking pair would consist of x and
a point that desires x, so the restricted matching is stable and x is unmatched. In a Poisson
process a point is unmatched with probability 0, also after the deletion of finitely many points; so
D is infinite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..points.pattern import Pattern
from ..rules.rule import Rule
from ..utils import drawing
from ..utils.errors import BadInput
from ..utils.immutable import as_immutable
from ..utils.validation import check_int
from .desire import desiring_pairs
from .match import match
from .matching import Matching

__all__ = ["Deletion", "without_desirers"]


def __dir__() -> list[str]:
    return sorted(__all__)


@dataclass(frozen=True, eq=False)
class Deletion:
    """The points deleted in the proof for a point x; all indices are increasing.

    Parameters
    ----------
    x : int
        Index of the point.
    matching : Matching
        The matching of the pattern.
    desirers : (a,) int64
        Indices of the points that desire x.
    deleted : (b,) int64
        Indices of the desirers and their partners, except x.
    remaining : (k,) int64
        Indices of the other points, including x.
    rest : Pattern
        The remaining points.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> deletion = pm.deletion.without_desirers(pattern, 1)
    >>> deletion.desirers, deletion.remaining, deletion.restricted()
    (array([0, 2]), array([1]), array([-1]))
    """

    x: int
    matching: Matching
    desirers: np.ndarray
    deleted: np.ndarray
    remaining: np.ndarray
    rest: Pattern

    def restricted(self) -> np.ndarray:
        """Return the partners of the remaining points as indices into `remaining`.

        Returns
        -------
        (k,) int64
            Index of the partner; -1 for unmatched points and x.
        """
        index = np.full(len(self.matching.partners) + 1, -1)
        index[self.remaining] = np.arange(len(self.remaining))
        return index[self.matching.partners[self.remaining, 0]]  # the partner -1 reads the last entry, which is -1

    def record(self) -> dict[str, Any]:
        """Return the data of the picture as a dict.

        Returns
        -------
        dict
            points (n, d); colors (n,), names or None; toward_partner and toward_x (n, d), the
            shortest steps from each point to its partner and from each desirer to x, nan otherwise;
            x; deleted, indices; sides, of the torus or None.

        Raises
        ------
        ValueError
            If the points have no coordinates.
        """
        pattern, rule = self.matching.known_pattern, self.matching.rule
        pattern.geometry.check_flat("a picture of a deletion")
        matched = np.flatnonzero(self.matching.partner >= 0)
        names = [rule.color_name(color) for color in pattern.colors.tolist()]
        return {
            "points": np.asarray(pattern.points),
            "colors": names if rule.n_colors > 1 else None,
            "toward_partner": _steps(pattern, matched, self.matching.partner[matched]),
            "toward_x": _steps(pattern, self.desirers, np.full(len(self.desirers), self.x)),
            "x": self.x,
            "deleted": self.deleted,
            "sides": pattern.geometry.seams,
        }

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the matching before and after the deletion as a matplotlib Figure.

        Parameters
        ----------
        ax : two matplotlib axes, optional
            By default those of a new figure.
        **options
            Options of a study file: width, style, usetex, title, caption.

        Returns
        -------
        matplotlib Figure

        Raises
        ------
        ValueError
            If the points have no coordinates, or an option is invalid.
        """
        return drawing.plot(self, ax, **options)


def _steps(pattern: Pattern, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the shortest steps from points `start` to `end`, a row for each point of the pattern, nan for others."""
    steps = np.full(pattern.points.shape, np.nan)
    gap, periods = pattern.points[end] - pattern.points[start], pattern.geometry.periods
    with np.errstate(invalid="ignore"):  # inf - inf
        steps[start] = np.where(np.abs(gap) > periods / 2, gap - np.sign(gap) * periods, gap)
    return steps


def without_desirers(pattern: Pattern, x: int, rule: str | Rule = "one-color") -> Deletion:
    """Delete the points that desire x and their partners, except x (Deijfen, Holroyd, Martin 2016, Theorem 7 (ii)).

    The matching of the remaining points is the old one restricted to them, without the partner of
    x.

    Parameters
    ----------
    pattern : Pattern
        Any points.
    x : int
        Index of a point.
    rule : str or Rule, optional
        By default "one-color".

    Returns
    -------
    Deletion
        The result also has `restricted()` (partners in the old matching), `record()` (data of the
        picture) and `plot(ax, **options)`.

    Raises
    ------
    ValueError
        If the rule has a capacity above 1, labels or excluded pairs, or there is no point x.

    Examples
    --------
    >>> pattern = pm.processes.binomial(pm.Torus(10.0, 2), 50, rng=4)
    >>> deletion = pm.deletion.without_desirers(pattern, 7)
    >>> deletion.desirers, deletion.deleted
    (array([ 6,  8, 25, 29]), array([ 6,  8, 15, 25, 29]))
    >>> bool((pm.match(deletion.rest).partner == deletion.restricted()).all())
    True
    >>> len(deletion.plot().axes)
    2
    """
    matching = match(pattern, rule)
    if not matching.rule.plain:
        raise BadInput("the rule must have capacity 1, no labels and no excluded pairs")
    x = check_int("x", x, 0, len(pattern) - 1, what="the index of a point,")
    in_parts = [z for z, _ in desiring_pairs(matching, np.inf, np.arange(len(pattern)), np.array([x]))]
    desirers = np.unique(np.concatenate([*in_parts, np.zeros(0, np.int64)]))
    gone = np.zeros(len(pattern) + 1, bool)  # the last for the partner -1
    gone[desirers] = gone[matching.partners[desirers, 0]] = True
    gone[x] = gone[-1] = False
    remaining = np.flatnonzero(~gone[:-1])
    rest = pattern[remaining]
    desirers, deleted, remaining = map(as_immutable, (desirers, np.flatnonzero(gone), remaining))
    return Deletion(x, matching, desirers, deleted, remaining, rest)
