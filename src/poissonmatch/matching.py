"""The stable matching that a rule defines."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from . import frames
from .errors import BadInput
from .geometry import MeanField
from .given import array_of, generator, owned
from .mean_field import by_rings
from .pattern import Pattern, as_pattern
from .rules import Rule, rule_named
from .shown import figure_of, svg_of
from .tasks import counts_of, task_of

if TYPE_CHECKING:
    import networkx
    import pandas as pd

    from .engine.task import Result


class Matching:
    """A matching of n points: who is whose partner, how far away, and under which rule.

    `len(matching)` is the number of pairs. Two matchings are equal if rule, partners and distances are. The arrays are read-only; copies
    and pickles are made, and checked, as matchings are.

    Parameters
    ----------
    partner : (n,) or (n, m) int64
        Index of the partner, -1 where there is none: (n,) where a point has one partner at most; for multi(m) (n, m), nearest first,
        padded; for labels(K) (n, K), and column k is the partner with label k.
    distance : float64 of the same shape
        Distance to it in the unit of the torus side, inf where there is none.
    rule : str or Rule
    pattern : Pattern, optional
        The points that were matched, or None if they are not known.

    Raises
    ------
    ValueError
        Naming the point, for partners that are no other points, nor -1, and distances that do not fit.

    Examples
    --------
    >>> matching = pm.match(pm.processes.poisson(pm.Torus(100.0, 2), rng=1))
    >>> matching
    Matching(10003 points, 5001 pairs, 1 unmatched)
    >>> round(float(np.median(matching.distance)), 3), int(matching.round.max())
    (0.524, 12)
    """

    def __init__(self, partner: Any, distance: Any, rule: str | Rule, pattern: Pattern | None = None) -> None:
        partners = _checked(partner)
        distances = array_of("distance", distance, "fiu", "numbers").astype(float)
        distances = distances[:, None] if distances.ndim == 1 else distances
        if distances.shape != partners.shape:
            raise BadInput(f"distance must have the shape of partner, {partners.shape}, not {distances.shape}")
        wrong = ~(distances >= 0) | (np.isinf(distances) != (partners < 0))
        if wrong.any():
            row, column = np.argwhere(wrong)[0].tolist()
            raise BadInput(f"distance, row {row}: {distances[row, column]} to the partner {partners[row, column]}")
        if pattern is not None and len(as_pattern(pattern)) != len(partners):
            raise BadInput(f"the matching is of {len(partners)} points, the pattern has {len(pattern)}")
        self._hold(partners, distances, rule_named(rule), pattern)

    _result: Result  # of the engine, where it is not told yet

    def _hold(
        self, partners: np.ndarray, distances: np.ndarray, rule: Rule, pattern: Pattern | None = None
    ) -> Matching:
        """Take these arrays, (n, m) also where m is 1, without a copy."""
        self.partners, self.distances = owned(partners), owned(distances)
        self.rule, self.pattern = rule, pattern
        return self

    @classmethod
    def _found(cls, result: Result, rule: Rule, pattern: Pattern) -> Matching:
        """What the engine has found: its arrays are made when somebody asks for them."""
        matching = cls.__new__(cls)
        matching._result, matching.rule, matching.pattern = result, rule, pattern
        return matching

    @cached_property
    def partners(self) -> np.ndarray:
        """(n, m) int64: `partner`, also where m is 1."""
        return owned(self._result.partners)

    @cached_property
    def distances(self) -> np.ndarray:
        """(n, m) float64: `distance`, also where m is 1."""
        return owned(self._result.distances)

    def __reduce__(self) -> tuple:
        return type(self), (self.partners, self.distances, self.rule, self.pattern)

    @property
    def partner(self) -> np.ndarray:
        """The partner of each point, of the shape in which it is given, read-only; `partners` is (n, m) also where m is 1."""
        return self._squeezed(self.partners)

    @property
    def distance(self) -> np.ndarray:
        """The distance to it; `distances` is (n, m) also where m is 1."""
        return self._squeezed(self.distances)

    def _squeezed(self, table: np.ndarray) -> np.ndarray:
        return table[:, 0] if table.shape[1] == 1 and not self.rule.labels else table

    def __len__(self) -> int:
        return int(np.count_nonzero(self.partners >= 0)) // 2

    def __bool__(self) -> bool:
        return True  # also without pairs

    def __repr__(self) -> str:
        return f"Matching({len(self.partners)} points, {len(self)} pairs, {len(self.unmatched)} unmatched)"

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """The points and their partners as a matplotlib Figure. ax, options and what is raised: as of `Pattern.plot`.

        Raises BadInput for a matching whose points are not known, too.
        """
        return figure_of(self, ax, **options)

    def _repr_svg_(self) -> str | None:
        return None if self.pattern is None else svg_of(self, self.pattern.geometry, len(self.pattern))

    def to_frame(self) -> pd.DataFrame:
        """A data frame with a row for each point and partner: point, partner, distance, for labels also label.

        A point without partners has one row with partner -1, distance inf (and label -1).
        """
        return frames.frame_of_matching(self)

    def to_networkx(self) -> networkx.Graph:
        """A networkx Graph: nodes 0, ..., n - 1 (with `pos` and `color`), edges with `distance` (and `label`)."""
        return frames.graph_of(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matching):
            return NotImplemented
        return (
            self.rule == other.rule
            and np.array_equal(self.partners, other.partners)
            and np.array_equal(self.distances, other.distances)
        )

    def __hash__(self) -> int:
        return hash((self.rule, self.partners.tobytes()))

    @classmethod
    def from_partners(cls, pattern: Pattern, partner: Any, rule: str | Rule = "one-color") -> Matching:
        """A matching made by hand; distances are computed. Whether the rule allows the pairs is not checked.

        Parameters
        ----------
        pattern : Pattern
        partner : (n,) or (n, m) array_like of int
            -1 where there is none. ValueError is raised, naming the point, for a partner that is no other point of the pattern, that
            does not have the point as a partner in turn, or that a point has twice.
        rule : str or Rule, optional

        Examples
        --------
        >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
        >>> pm.Matching.from_partners(pattern, [-1, 2, 1]).distance
        array([inf,  2.,  2.])
        """
        rule, n = rule_named(rule), len(as_pattern(pattern))
        table = _checked(partner, n)
        row, column = np.nonzero(table >= 0)
        there, back = row * n + table[row, column], table[row, column] * n + row
        once, count = np.unique(there, return_counts=True)
        if (count > 1).any():
            raise BadInput(f"partner, row {once[count > 1][0] // n}: {once[count > 1][0] % n} is there twice")
        if not (returned := np.isin(there, back)).all():
            k = int(np.argmin(returned))
            raise BadInput(f"partner, row {row[k]}: {table[row[k], column[k]]} does not have {row[k]} as a partner")
        distance = np.full(table.shape, np.inf)
        distance[row, column] = pattern.distance(row, table[row, column])
        order = np.lexsort((np.where(table < 0, n, table), distance), axis=1)  # nearest first
        table, distance = np.take_along_axis(table, order, 1), np.take_along_axis(distance, order, 1)
        return cls.__new__(cls)._hold(table, distance, rule, pattern)

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of the entries that stand for a pair: those of its smaller index."""
        row, column = np.nonzero(self.partners > np.arange(len(self.partners))[:, None])
        return row, column

    @cached_property
    def pairs(self) -> np.ndarray:
        """(k, 2) int64: the matched pairs i < j, ordered by i, for one i nearest first (for labels by label)."""
        row, column = self._ends
        return np.stack([row, self.partners[row, column]], axis=1)

    @cached_property
    def pair_distance(self) -> np.ndarray:
        """(k,) distances of the pairs."""
        row, column = self._ends
        return self.distances[row, column]

    @cached_property
    def unmatched(self) -> np.ndarray:
        """Indices of the points without any partner."""
        return np.flatnonzero(self.partners.max(axis=1, initial=-1) < 0)

    @cached_property
    def round(self) -> np.ndarray:
        """The round in which each point got each partner, from 1, int64 of the shape of `partner`, -1 where there is none.

        In each round all pairs are matched that are mutually first among those that the rule allows and that have room at both
        ends (rounds.py; Deijfen, Holroyd, Martin 2016, the proof of Prop. 2); round.max() rounds are needed.

        Raises
        ------
        ValueError
            For a rule with labels, and for a matching whose points are not known, or that is seen not to be stable.
        """
        if self.pattern is None:
            raise BadInput("the rounds of a matching are found from its points, and those of this one are not known")
        found = import_module(".rounds", __package__).rounds(self.pattern, self)  # which stands on this file
        found.setflags(write=False)
        return self._squeezed(found)


def _checked(partner: Any, n: int | None = None) -> np.ndarray:
    """A table of partners, (n, m) int64, as a copy."""
    given = array_of("partner", partner, "iu", "integers")
    n = len(np.atleast_1d(given)) if n is None else n
    if given.shape[:1] != (n,) or given.ndim > 2:
        raise BadInput(f"partner must be integers, ({n},) or ({n}, m), not {given.dtype} of shape {given.shape}")
    given = given.reshape(n, 1 if given.ndim == 1 else given.shape[1])
    row, column = np.nonzero((given < -1) | (given >= n) | (given == np.arange(n)[:, None]))
    if len(row):
        raise BadInput(f"partner, row {row[0]}: {given[row[0], column[0]]} is no other point, nor -1")
    return given.astype(np.int64)


def check_fit(pattern: Pattern, matching: Matching) -> None:
    """Raises ValueError unless these are a pattern, and a matching of as many points."""
    as_pattern(pattern)
    if not isinstance(matching, Matching):
        raise BadInput(f"this takes a Matching, as match makes it, not {type(matching).__name__}")
    if len(matching.partners) != len(pattern):
        raise BadInput(f"the matching is of {len(matching.partners)} points, the pattern has {len(pattern)}")


def match(pattern: Pattern, rule: str | Rule = "one-color", *, threads: int = 1, rng: Any = None) -> Matching:
    """The stable matching of a pattern under a rule.

    Allowed pairs are walked through in increasing order of distance, and matched whenever both points have room; ties
    go to the smaller index, then to the smaller partner index, so the result is unique (Deijfen, Holroyd, Martin 2016,
    Prop. 2, for one color). Linear in the number of points.

    Parameters
    ----------
    pattern : Pattern
    rule : str or Rule, optional
        A key of RULES, "multi(m)", "labels(K)", "custom(11/10; 1,2)" (rows of `compatible`; capacities), or a Rule.
    threads : int, optional
        They change the time only.
    rng : NumPy generator or seed, optional
        For a mean-field pattern without a table, whose distances are drawn as they are needed; for no other.

    Returns
    -------
    Matching

    Raises
    ------
    ValueError
        For anything but a Pattern, an unknown rule, colors that the rule does not know, or a capacity or exclude that does not fit.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], [0, 1, 1, 1], pm.Torus(10.0, 1))
    >>> pm.match(pattern).partner, pm.match(pattern, "two-color").partner
    (array([1, 0, 3, 2]), array([ 1,  0, -1, -1]))
    >>> pm.match(pattern, "multi(2)").partner.tolist()
    [[1, 2], [0, 2], [1, 0], [-1, -1]]
    """
    from .engine import phases  # here, because numba takes longer to import than all the rest

    rule = rule_named(rule)
    geometry = as_pattern(pattern).geometry
    if isinstance(geometry, MeanField) and not geometry.table:
        if rng is None:
            raise BadInput("a mean-field pattern without a table is matched with an rng, which draws the distances")
        counts_of(pattern, rule)
        return Matching.__new__(Matching)._hold(*by_rings(pattern, rule, generator(rng)), rule, pattern)
    if rng is not None:
        raise BadInput("rng is for a mean-field pattern without a table: the points of this one tell all distances")
    result = phases.run(task_of(pattern, rule, threads))
    if pattern.exponent:
        result.distance = np.ldexp(result.distance, -pattern.exponent)
    return Matching._found(result, rule, pattern)
