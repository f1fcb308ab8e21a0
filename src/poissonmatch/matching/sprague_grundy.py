"""The pairs of a pattern by their Sprague-Grundy labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..points.pattern import Pattern
from ..rules.rule import MAX_LABELS, Rule
from ..utils.immutable import Rebuilt, immutable_copy
from ..utils.validation import check_array, check_int
from .match import match


@dataclass(frozen=True, eq=False)
class LabeledPairs(Rebuilt):
    """Labeled pairs in lexicographic order; the arrays are read-only.

    Parameters
    ----------
    pairs : (k, 2) int64
        Indices i < j.
    label : (k,) int64
        Sprague-Grundy label of each pair.
    pair_distance : (k,) float64
        Distance of each pair, in the unit of the side.
    """

    pairs: np.ndarray
    label: np.ndarray
    pair_distance: np.ndarray

    def __post_init__(self) -> None:
        for name in ("pairs", "label", "pair_distance"):
            object.__setattr__(self, name, immutable_copy(check_array(name, getattr(self, name), "iuf", "numbers")))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LabeledPairs):
            return NotImplemented
        return all(map(np.array_equal, vars(self).values(), vars(other).values()))

    def __hash__(self) -> int:
        return hash((self.pairs.tobytes(), self.label.tobytes()))


def sprague_grundy(pattern: Pattern, labels: int, *, threads: int = 1) -> LabeledPairs:
    """Return all pairs with a Sprague-Grundy label below `labels`, their labels and distances.

    Label 0 is the one-color matching (Deijfen, Holroyd, Martin 2016, Prop. 14).

    Parameters
    ----------
    pattern : Pattern
        The n points and their geometry; colors are ignored.
    labels : int
        Number of labels, from 1 to 64: the labels 0 to labels - 1 are computed.
    threads : int, optional
        From 1 to 4096, by default 1; the result does not depend on it.

    Returns
    -------
    LabeledPairs
        `pairs` (k, 2) with the smaller index first, in lexicographic order; `label` (k,); and
        `pair_distance` (k,) in the unit of the side.

    Raises
    ------
    ValueError
        If `labels` is not from 1 to 64.

    Examples
    --------
    >>> labeled = pm.sprague_grundy(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)), 3)
    >>> labeled.pairs.tolist(), labeled.label, labeled.pair_distance
    ([[0, 1], [0, 2], [1, 2]], array([0, 2, 1]), array([1., 3., 2.]))
    """
    matching = match(pattern, Rule(labels=check_int("labels", labels, 1, MAX_LABELS)), threads=threads)
    order = np.lexsort((matching.pairs[:, 1], matching.pairs[:, 0]))
    return LabeledPairs(matching.pairs[order], matching._ends[1][order], matching.pair_distance[order])
