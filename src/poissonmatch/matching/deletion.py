"""Deletion tolerance at work: the proof of Theorem 7 (ii) of Deijfen, Holroyd and Martin (2016), on a finite set.

Let x be a point and D the points that desire it. Delete D and the partners of its points, all but x itself. Then the old matching,
restricted, is that of what is left: whoever is left has kept the partner, but for x, and a pair that blocks would have x in it, and
somebody who desires x. So x is without a partner. On a Poisson process that has probability 0, also after finitely many points are
deleted; so D is infinite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..points.pattern import Pattern
from ..rules.rule import Rule
from ..utils.errors import BadInput
from ..utils.validation import check_int
from .desire import desiring_pairs
from .match import match
from .matching import Matching


@dataclass(frozen=True, eq=False)
class Deletion:
    """What the proof deletes, for the point x: indices in the pattern, all increasing. `without_desirers` makes it.

    Parameters
    ----------
    x : int
    matching : Matching
        That of the pattern.
    desirers : (a,) int64
        The points that desire x.
    deleted : (b,) int64
        Those and their partners, but not x.
    kept : (k,) int64
        The others, x among them.
    rest : Pattern
        Of those that are kept.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [3.5]], None, pm.Euclidean(1))
    >>> pm.deletion.without_desirers(pattern, 1).restricted()
    array([-1,  2,  1])
    """

    x: int
    matching: Matching
    desirers: np.ndarray
    deleted: np.ndarray
    kept: np.ndarray
    rest: Pattern

    def restricted(self) -> np.ndarray:
        """(k,) the partners of the points that are kept, by their places among them; -1 for x and whoever had none."""
        place = np.full(len(self.matching.partners) + 1, -1)
        place[self.kept] = np.arange(len(self.kept))
        return place[self.matching.partners[self.kept, 0]]  # of -1: the last place, which is -1


def without_desirers(pattern: Pattern, x: int, rule: str | Rule = "one-color") -> Deletion:
    """Delete all that desire a point, and their partners but for the point itself.

    `match(deletion.rest, rule).partner` is `deletion.restricted()`: x has lost its partner, and nobody else one that is there.

    Parameters
    ----------
    pattern : Pattern
    x : int
        Index of the point.
    rule : str or Rule, optional

    Returns
    -------
    Deletion

    Raises
    ------
    ValueError
        For a rule with more than one partner a point, labels or pairs that are excluded, and for a point that there is not.

    Examples
    --------
    >>> pattern = pm.processes.binomial(pm.Torus(10.0, 2), 50, rng=4)
    >>> found = pm.deletion.without_desirers(pattern, 7)
    >>> found.desirers, found.deleted
    (array([ 6,  8, 25, 29]), array([ 6,  8, 15, 25, 29]))
    >>> bool((pm.match(found.rest).partner == found.restricted()).all())
    True
    """
    matching = match(pattern, rule)
    if not matching.rule.plain:
        raise BadInput("the proof is for a rule with one partner for every point and no pair excluded")
    x = check_int("x", x, 0, len(pattern) - 1, what="the index of a point,")
    found = [z for z, _ in desiring_pairs(pattern, matching, np.inf, np.arange(len(pattern)), np.array([x]))]
    desirers = np.unique(np.concatenate([*found, np.zeros(0, np.int64)]))
    gone = np.zeros(len(pattern) + 1, bool)  # the last for the partner -1
    gone[desirers] = gone[matching.partners[desirers, 0]] = True
    gone[x] = gone[-1] = False
    kept = np.flatnonzero(~gone[:-1])
    points = pattern.geometry.take(pattern.points, kept)
    rest = Pattern(points, pattern.colors[kept], pattern.geometry)
    return Deletion(x, matching, desirers, np.flatnonzero(gone), kept, rest)
