"""Marked points: whatever lies outside of a box changes no other point up to the scale."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from poissonmatch.survival.certificates import boxes


def stable(points: np.ndarray, red: np.ndarray, end: float) -> np.ndarray:
    """Partner distances up to `end` of the fussy matching, inf beyond: all pairs in order of distance."""
    distance = [np.inf] * len(points)
    first, second = cKDTree(points).query_pairs(end, output_type="ndarray").T
    apart = np.sqrt(((points[first] - points[second]) ** 2).sum(axis=1))
    for k in np.argsort(apart).tolist():
        a, b = first[k], second[k]
        if distance[a] == distance[b] == np.inf and not red[a] & red[b]:
            distance[a] = distance[b] = apart[k]
    return np.array(distance)


@pytest.mark.slow
@pytest.mark.parametrize(
    "dim, side, scale, around, cases",
    [(1, 45.0, 3.0, 9.0, 1500), (2, 14.0, 1.2, 2.0, 1200), (3, 9.5, 1.0, 0.7, 500)],
)
def test_no_outside_changes_a_point_that_is_not_marked(dim, side, scale, around, cases):
    """Algorithm 1 and Lemma 13 of the paper; D is never above the true difference, with each margin."""
    rng = np.random.default_rng(dim)
    unmarked = changed = tight = largest = 0
    for case in range(cases):
        ratio, margin = float(rng.choice([0.2, 0.5, 1.0])), float(rng.choice([1.0, 2.0, 4.0]))
        sample = boxes.Boxes(dim, ratio, scale, side, case, "outsides", margin)
        points, red = inside = boxes.tile_points(sample, 0, 0)
        distance, marked = boxes.influenced(inside, side, scale)
        more = rng.random((rng.poisson((side + 2 * around) ** dim), dim)) * (side + 2 * around) - around
        more = more[((more < 0) | (more > side)).any(axis=1)]
        kinds = np.concatenate([red, rng.random(len(more)) < rng.choice([0.1, 0.5])])
        now = stable(np.concatenate([points, more]), kinds, scale)[: len(points)]
        before = np.where(distance <= scale, distance, np.inf)
        differs = ~np.isclose(before, now, rtol=1e-12)
        assert not (differs & ~marked).any()
        window = ((points > sample.edge) & (points < side - sample.edge)).all(axis=1) & (now > scale)
        truth = int((window & red).sum()) - int((window & ~red).sum())
        assert (count := boxes.difference(sample, inside)) <= truth
        unmarked += (~marked).sum()
        changed += differs.sum()
        tight += count == truth
        largest = max(largest, count)
    assert changed > 100 and unmarked > 1000 and tight > cases / 20 and largest > 0  # the test sees all four
