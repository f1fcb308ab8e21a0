"""Many small sets of points, each matched by itself, in few compiled calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..points.pattern import Pattern
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..utils.immutable import as_immutable
from .match import match, task_of
from .matching import Matching


class MatchedSets(NamedTuple):
    """The matchings of sets: points ends[s] <= i < ends[s + 1] of a pattern are those of set s."""

    rule: Rule
    pattern: Pattern
    ends: np.ndarray  # (S + 1,)
    partners: np.ndarray  # (n, m): indices in the set, -1 for none
    distances: np.ndarray  # (n, m), inf for none

    def matchings(self) -> Iterator[Matching]:
        """Yield the matching of each set, with its points."""
        for s, (first, end) in enumerate(zip(self.ends[:-1].tolist(), self.ends[1:].tolist(), strict=True)):
            partners, distances = (as_immutable(a[first:end].copy()) for a in (self.partners, self.distances))
            pattern = self.pattern.part_of(self.ends, s)
            yield Matching._of(self.rule, pattern, None, partners=partners, distances=distances)


def match_sets(pattern: Pattern, ends: np.ndarray, rule: str | Rule) -> MatchedSets:
    """Return the stable matching of each set; sets in which searches are long are matched one by one.

    The rule must not exclude pairs by their indices.
    """
    from ..engine import jit, phases

    jit.announcement.rule = rule if isinstance(rule, str) else "a rule"
    rule = rule_named(rule)
    result, done = phases.run_sets(task_of(pattern, rule, None, 1), ends)
    partners, distances = result.partners, pattern.metric.arc(result.distances)
    partners -= np.repeat(ends[:-1], np.diff(ends))[:, None]
    partners[distances == np.inf] = -1
    for s in np.flatnonzero(~done).tolist():
        matching, own = match(pattern.part_of(ends, s), rule), slice(ends[s], ends[s + 1])
        partners[own], distances[own] = matching.partners, matching.distances
    return MatchedSets(rule, pattern, ends, partners, as_immutable(distances))
