"""The class of matchings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..points.pattern import Pattern, as_pattern
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..utils import drawing
from ..utils.errors import BadInput
from ..utils.immutable import as_immutable, cached_property, immutable_copy
from ..utils.libraries import pd
from ..utils.validation import MAX_CAPACITY, TINY, check_array, check_real
from .partner_tables import checked_partners, mutual_entries

if TYPE_CHECKING:
    import networkx

    from ..engine.task import TaskResult

TOLERANCE = 1e-9  # relative, of given distances


class Matching:
    """A matching of n points: partners, distances, and the rule.

    `len(matching)` is the number of pairs. Two matchings are equal if rule, given capacities,
    partners and distances are. The arrays are read-only. Copies and pickles are validated.

    Parameters
    ----------
    partner : (n,) or (n, m) int64
        Index of the partner, -1 for none: (n,) if a point has at most one; (n, m) for multi(m),
        nearest first, padded; (n, K) for labels(K), where column k is the partner with label k.
    distance : float64 of the same shape
        Distance to the partner in the unit of the side, inf for no partner.
    rule : str or Rule
        Rule of the matching, or its name.
    pattern : Pattern, optional
        The matched points; by default they are unknown.
    capacity : (n,) array_like of int, optional
        Capacity of each point; by default the rule determines it.
    max_distance : float, optional
        Largest distance of a pair, above 0, as in `match`; by default none.

    Raises
    ------
    ValueError
        If a partner is neither another point nor -1, is repeated or does not have the point as a
        partner; if a point has more partners than its capacity; or if distances are not those of
        the points; the message names the point.

    Examples
    --------
    >>> matching = pm.match(pm.processes.poisson(pm.Torus(100.0, 2), rng=1))
    >>> matching
    Matching(10003 points, 5001 pairs, 1 unmatched)
    >>> round(float(np.median(matching.distance)), 3), int(pm.rounds(matching).max())
    (0.524, 12)
    """

    def __init__(
        self,
        partner: Any,
        distance: Any,
        rule: str | Rule,
        pattern: Pattern | None = None,
        capacity: Any = None,
        max_distance: float | None = None,
    ) -> None:
        self.max_distance = check_max_distance(max_distance)
        partners = checked_partners(partner)
        distances = check_array("distance", distance, "fiu", "numbers").astype(float)
        distances = distances[:, None] if distances.ndim == 1 else distances
        if distances.shape != partners.shape:
            raise BadInput(f"distance must have the shape of partner, {partners.shape}, got {distances.shape}")
        wrong = ~(distances >= 0) | (np.isinf(distances) != (partners < 0))
        wrong |= (distances > self.max_distance) & (partners >= 0)
        if wrong.any():
            row, column = np.argwhere(wrong)[0].tolist()
            raise BadInput(f"distance, row {row}: {distances[row, column]} to the partner {partners[row, column]}")
        if pattern is not None and len(as_pattern(pattern)) != len(partners):
            raise BadInput(f"the matching is of {len(partners)} points, the pattern has {len(pattern)}")
        self.rule, self.pattern = rule_named(rule), pattern
        self._capacity = None if capacity is None else check_capacity(capacity, len(partners), self.rule)
        self.partners, self.distances = as_immutable(partners), as_immutable(distances)
        self._check_distances(*mutual_entries(partners, bool(self.rule.labels)))
        self._check_capacity()

    max_distance: float = math.inf  # largest distance of a pair
    _result: TaskResult  # of the engine, until its arrays are made; it may have longer pairs

    @property
    def known_pattern(self) -> Pattern:
        """The matched points. Raises ValueError if they are unknown."""
        if self.pattern is None:
            raise BadInput("the points are needed, and this matching has no pattern")
        return self.pattern

    def _check_distances(self, entry: np.ndarray, reverse: np.ndarray) -> None:
        """Raise BadInput unless distances are those of the points, or equal at both ends of a pair if these are unknown."""
        distance, partners, width = self.distances.ravel(), self.partners, self.partners.shape[1]
        expected = distance[reverse]
        if self.pattern is not None and self.pattern.geometry.has_distances:
            expected = self.pattern.distance(entry // width, partners.ravel()[entry])
        wrong = np.abs(distance[entry] - expected) > TOLERANCE * expected
        if wrong.any():
            k, row = int(np.argmax(wrong)), int(entry[np.argmax(wrong)]) // width
            raise BadInput(f"distance, row {row}: {distance[entry[k]]} to {partners.flat[entry[k]]}, not {expected[k]}")
        disordered = (self.distances[:, 1:] < self.distances[:, :-1]).any(axis=1)
        if not self.rule.labels and disordered.any():
            raise BadInput(f"distance, row {int(np.argmax(disordered))}: partners must be nearest first, then -1")

    def _check_capacity(self) -> None:
        """Raise BadInput if a point has more partners than its capacity, as far as capacities are known."""
        if self._capacity is None and self.pattern is None and self.rule.n_colors > 1:
            return
        count = np.count_nonzero(self.partners >= 0, axis=1)
        above = count > self.capacity
        if above.any():
            row = int(np.argmax(above))
            raise BadInput(f"partner, row {row}: {count[row]} partners, and the capacity is {self.capacity[row]}")

    @classmethod
    def _of(cls, rule: Rule, pattern: Pattern, capacity: np.ndarray | None, **arrays: Any) -> Matching:
        """Return a matching of checked `partners` and `distances`, (n, m) for m = 1 too, or the engine's `_result`."""
        matching = cls.__new__(cls)
        vars(matching).update(arrays, rule=rule, pattern=pattern, _capacity=capacity)
        return matching

    @cached_property
    def partners(self) -> np.ndarray:
        """Partners, (n, m) int64 also for m = 1."""
        return as_immutable(within(self._result.partners, self.distances, self.max_distance))

    @cached_property
    def distances(self) -> np.ndarray:
        """Distances, (n, m) float64 also for m = 1."""
        chords = self._result.distances
        distances = np.where(np.isinf(chords), np.inf, self.known_pattern.metric.arc(chords))
        return as_immutable(within(distances, distances, self.max_distance))

    def __reduce__(self) -> tuple:
        arrays = self.partners, self.distances
        return type(self), (*arrays, self.rule, self.pattern, self._capacity, self.max_distance)

    @cached_property
    def capacity(self) -> np.ndarray:
        """Capacity of each point, (n,) int64: as passed, from its color, or the number of labels.

        Raises ValueError if it depends on the colors and the points are unknown.
        """
        if self._capacity is not None:
            return self._capacity
        if self.pattern is None and self.rule.n_colors > 1:
            raise BadInput("the capacities depend on the colors, and this matching has no pattern")
        colors = np.zeros(len(self.partners), np.uint8) if self.pattern is None else self.pattern.colors
        return as_immutable(self.rule.capacities(colors))

    @property
    def partner(self) -> np.ndarray:
        """Partner of each point, in the shape of the constructor, read-only; `partners` is (n, m) also for m = 1."""
        return self._squeezed(self.partners)

    @property
    def distance(self) -> np.ndarray:
        """Distance to the partner; `distances` is (n, m) also for m = 1."""
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
        """Draw the points and their partners as a matplotlib Figure.

        Parameters
        ----------
        ax : matplotlib axes, optional
            By default those of a new figure.
        **options
            As in `Pattern.plot`.

        Returns
        -------
        matplotlib Figure

        Raises
        ------
        ValueError
            As in `Pattern.plot`, or if the points are unknown.
        """
        return drawing.plot(self, ax, **options)

    def _repr_svg_(self) -> str | None:
        return drawing.svg(self)

    def to_frame(self, points: bool = False) -> pd.DataFrame:
        """Return a data frame with a row for each point and partner.

        Parameters
        ----------
        points : bool, default False
            Whether coordinates and colors of the point and, with the prefix ``partner_``, of the
            partner are added; they are missing without a partner.

        Returns
        -------
        pandas.DataFrame
            The columns point, partner, distance, and label for a rule with labels. A point without
            partners has one row without a partner (and label), and with distance inf.

        Raises
        ------
        ValueError
            If the points are to be added, and are unknown or have no coordinates.

        Examples
        --------
        >>> pattern = pm.Pattern([[0.0], [2.0]], [0, 1], pm.Euclidean(1), color_names=["oak", "fir"])
        >>> print(pm.match(pattern).to_frame(points=True).to_string(index=False))
         point  partner  distance   x color  partner_x partner_color
             0        1       2.0 0.0   oak        2.0           fir
             1        0       2.0 2.0   fir        0.0           oak
        """
        row, column = np.nonzero(self.partners >= 0)
        n_alone = len(self.unmatched)
        point = np.concatenate([row, self.unmatched])
        frame = pd.DataFrame(
            {
                "point": point,
                "partner": _or_null(self.partners[row, column], n_alone),
                "distance": np.concatenate([self.distances[row, column], np.full(n_alone, np.inf)]),
            }
        )
        if self.rule.labels:
            frame["label"] = _or_null(column, n_alone)
        frame = frame.iloc[np.argsort(point, kind="stable")].reset_index(drop=True)
        if not points:
            return frame
        table = pattern_of(self).to_frame()
        own = table.iloc[frame["point"]].reset_index(drop=True)
        mates = table.reindex(frame["partner"].astype(float)).reset_index(drop=True)
        return pd.concat([frame, own, mates.add_prefix("partner_")], axis=1)

    def to_networkx(self) -> networkx.Graph:
        """Return a networkx Graph with an edge for each pair.

        Returns
        -------
        networkx.Graph
            Nodes are 0, ..., n - 1 (with `pos` and `color`); edges have `distance` (and `label`).
        """
        try:
            import networkx
        except ImportError:
            raise BadInput("to_networkx needs the package networkx: pip install networkx") from None
        graph: networkx.Graph = networkx.Graph()
        graph.add_nodes_from(range(len(self.partners)))
        ends = [tuple(pair) for pair in self.pairs.tolist()]
        graph.add_edges_from(ends)
        edges = {"distance": self.pair_distance, **({"label": self._ends[1]} if self.rule.labels else {})}
        for name, values in edges.items():
            networkx.set_edge_attributes(graph, dict(zip(ends, values.tolist(), strict=True)), name)
        if self.pattern is not None:
            networkx.set_node_attributes(graph, dict(enumerate(self.pattern.colors.tolist())), "color")
            if self.pattern.geometry.has_coordinates:
                networkx.set_node_attributes(graph, dict(enumerate(map(tuple, self.pattern.points.tolist()))), "pos")
        return graph

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matching):
            return NotImplemented
        return (
            self.rule == other.rule
            and self.max_distance == other.max_distance
            and np.array_equal(self._capacity, other._capacity)  # type: ignore[arg-type]  # None equals None
            and np.array_equal(self.partners, other.partners)
            and np.array_equal(self.distances, other.distances)
        )

    def __hash__(self) -> int:
        return hash((self.rule, self.partners.tobytes()))

    @classmethod
    def from_partners(
        cls,
        pattern: Pattern,
        partner: Any,
        rule: str | Rule = "one-color",
        *,
        capacity: Any = None,
        max_distance: float | None = None,
    ) -> Matching:
        """Return a matching with given partners and computed distances.

        Parameters
        ----------
        pattern : Pattern
            The matched points.
        partner : (n,) or (n, m) array_like of int
            Index of the partner, -1 for none.
        rule : str or Rule, default "one-color"
            Rule of the matching, or its name.
        capacity : (n,) array_like of int, optional
            Capacity of each point; by default the rule determines it.
        max_distance : float, optional
            Largest distance of a pair, above 0; by default none.

        Returns
        -------
        Matching
            Whether the rule allows the pairs is not checked.

        Raises
        ------
        ValueError
            If a partner is not another point, does not have the point as a partner, or is repeated,
            or a point has more partners than its capacity; the message names the point.

        Examples
        --------
        >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
        >>> pm.Matching.from_partners(pattern, [-1, 2, 1]).distance
        array([inf,  2.,  2.])
        """
        rule, n = rule_named(rule), len(as_pattern(pattern))
        table = checked_partners(partner, n)
        distance = np.full(table.shape, np.inf)
        row, column = np.nonzero(table >= 0)
        distance[row, column] = pattern.distance(row, table[row, column])
        arrays = (table, distance) if rule.labels else _nearest_first(table, distance)
        return cls(*arrays, rule, pattern, capacity, max_distance)

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of one entry of each pair, that of its smaller index."""
        row, column = np.nonzero(self.partners > np.arange(len(self.partners))[:, None])
        return row, column

    @cached_property
    def pairs(self) -> np.ndarray:
        """Matched pairs i < j, (k, 2) int64, ordered by i, then by distance or label."""
        row, column = self._ends
        return as_immutable(np.stack([row, self.partners[row, column]], axis=1))

    @cached_property
    def pair_distance(self) -> np.ndarray:
        """Distances of the pairs, (k,)."""
        row, column = self._ends
        return as_immutable(self.distances[row, column])

    def component_sizes(self) -> np.ndarray:
        """Return the sizes of the connected components of the matching as a graph (sec. 4.2).

        Returns
        -------
        (k,) int64
            Sizes, largest first. A point without a partner is a component of size 1.

        Examples
        --------
        >>> pattern = pm.processes.binomial(pm.Torus(10.0, 2), 100, rng=2)
        >>> pm.match(pattern, "multi(2)").component_sizes()
        array([72,  3,  3,  3,  3,  3,  3,  3,  3,  3,  1])
        """
        from scipy.sparse import coo_array  # here, because few matchings need it
        from scipy.sparse.csgraph import connected_components

        n, pairs = len(self.partners), self.pairs
        if n == 0:
            return np.zeros(0, np.int64)
        graph = coo_array((np.ones(len(pairs), np.int8), tuple(pairs.T)), shape=(n, n))
        return np.sort(np.bincount(connected_components(graph, directed=False)[1]))[::-1]

    @cached_property
    def unmatched(self) -> np.ndarray:
        """Indices of the points without any partner."""
        return as_immutable(np.flatnonzero(self.partners.max(axis=1, initial=-1) < 0))


def _or_null(values: np.ndarray, n_missing: int) -> Any:
    """Return whole numbers, followed by missing ones, as a nullable column."""
    is_missing = np.arange(len(values) + n_missing) >= len(values)
    return pd.arrays.IntegerArray(np.pad(values.astype(np.int64), (0, n_missing)), is_missing)


def check_capacity(capacity: Any, n: int, rule: Rule) -> np.ndarray:
    """Return given capacities as an immutable (n,) int64 array. Raises BadInput."""
    if rule.labels:
        raise BadInput("capacity is not for rules with labels, which give each point one partner for each label")
    what = f"whole numbers from 0 to {MAX_CAPACITY}, one for each of the {n} points"
    capacity = check_array("capacity", capacity, "fiu", what)
    if capacity.shape != (n,):
        raise BadInput(f"capacity must be {what}, got an array of shape {capacity.shape}")
    if (broken := capacity != np.rint(capacity)).any():  # missing ones in a column are nan
        raise BadInput(f"capacity must be {what}, got {capacity[broken][0]} in row {int(np.argmax(broken))}")
    outside = (capacity < 0) | (capacity > MAX_CAPACITY)
    if outside.any():
        row = int(np.argmax(outside))
        raise BadInput(f"capacity, row {row}: must be from 0 to {MAX_CAPACITY}, got {capacity[row]}")
    return immutable_copy(capacity.astype(np.int64))


def check_fit(pattern: Pattern, matching: Matching, rule: Rule | None = None) -> Matching:
    """Return the matching as one of this pattern, under this rule if one is given.

    Raises ValueError unless they are a pattern and a matching of the same number of points.
    """
    as_pattern(pattern)
    _as_matching(matching)
    if len(matching.partners) != len(pattern):
        raise BadInput(f"the matching is of {len(matching.partners)} points, the pattern has {len(pattern)}")
    if rule is None and matching.pattern is pattern:
        return matching
    capacity = matching._capacity if rule is None else None
    partners, distances = matching.partners, matching.distances
    if matching.rule.labels and rule is not None:
        partners, distances = _nearest_first(partners, distances)
    return Matching._of(rule or matching.rule, pattern, capacity, partners=partners, distances=distances)


def _nearest_first(partners: np.ndarray, distances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return partners and distances, (n, m) each, sorted along the rows."""
    order = np.lexsort((np.where(partners < 0, len(partners), partners), distances))
    return np.take_along_axis(partners, order, 1), np.take_along_axis(distances, order, 1)


def _as_matching(value: Any) -> Matching:
    if not isinstance(value, Matching):
        raise BadInput(f"the matching must be a Matching, as match makes it, got {type(value).__name__}")
    return value


def pattern_of(matching: Matching) -> Pattern:
    """Return the points of a matching. Raises ValueError if they are unknown, or for anything but a Matching."""
    return _as_matching(matching).known_pattern


def check_max_distance(value: float | None) -> float:
    """Return the largest distance of a pair, inf for None."""
    if value is None:
        return math.inf
    return check_real("max_distance", value, "a number above 0", TINY)


def within(values: np.ndarray, distances: np.ndarray, max_distance: float) -> np.ndarray:
    """Return partners, -1 for those beyond the largest distance, or distances, then inf."""
    if max_distance == math.inf:
        return values
    return np.where(distances <= max_distance, values, -1 if values.dtype.kind == "i" else np.inf)
