"""Many sets of points that are matched together, against each matched by itself in the phases of large sets."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.rules import RULES, recolored
from poissonmatch.engine import small_sets
from poissonmatch.matching.match import match_sets

SIZES = (50, 0, 1, 2, 300, 3, 10, 1, 2000, 0)


def sets(dim, rng):
    """Yield uniform points, points with ties and duplicates, and two distant clusters, each of one color."""
    for n in SIZES:
        yield rng.random((n, dim)), rng.integers(0, 3, n)
        yield rng.integers(0, 4, (n, dim)) / 4, rng.integers(0, 3, n)
    colors = np.repeat([0, 1], 1000)
    yield 0.01 * rng.random((2000, dim)) + 0.4 * colors[:, None], colors


@pytest.mark.parametrize(
    "dim, name",
    [
        (2, "one-color"),
        (2, "fussy"),
        *(pytest.param(dim, name, marks=pytest.mark.slow) for dim in (1, 2, 3) for name in RULES),
    ],
)
def test_each_set_is_matched_as_by_itself(dim, name, monkeypatch):
    rule, space, rng = RULES[name], pm.Torus(1.0, dim), np.random.default_rng(dim)
    patterns = [recolored(pm.Pattern(*each, space), rule) for each in sets(dim, rng)]
    points, colors = (np.concatenate([getattr(p, each) for p in patterns]) for each in ("points", "colors"))
    ends = np.append(0, np.cumsum([*map(len, patterns)]))
    together = [*match_sets(pm.Pattern(points, colors, space), ends, rule).matchings()]
    monkeypatch.setattr(small_sets, "MAX_POINTS", 0)
    for pattern, matching in zip(patterns, together, strict=True):
        alone = pm.match(pattern, rule)
        assert matching.pattern == pattern and matching.partners.dtype == alone.partners.dtype
        assert matching.partners.tobytes() == alone.partners.tobytes()
        assert matching.distances.tobytes() == alone.distances.tobytes()
