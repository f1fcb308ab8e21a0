"""The length of play, against retrograde analysis of the rules."""

from __future__ import annotations

import numpy as np
import pytest

import poissonmatch as pm
from helpers.strategies import make_pattern
from poissonmatch.frogs.retrograde import Analysis

GAMES = {"friendly": "one-color", "fussy": "fussy", "misere": "misere", "colored-points": "two-color"}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_the_length_is_that_of_the_rules(game, dim):
    for seed in range(2):
        pattern = make_pattern("uniform", 7, dim, seed, n_colors=2)
        analysis, lengths = Analysis(pattern, game), pm.frogs.play_length(pm.match(pattern, GAMES[game]))
        matched = np.flatnonzero(lengths > 0)
        assert len(matched)
        assert [1 + analysis.length((x,)) for x in matched.tolist()] == lengths[matched].tolist()


def by_retrograde(distance):
    """Lengths of friendly frogs from the pairs of pads in order of distance: no matching is used."""
    n = len(distance)
    won, longest = np.full(n, np.inf), np.zeros(n)  # of the lost position with a frog on x; of the others so far
    order = np.argsort(distance, axis=None)
    for x, y in zip(*np.unravel_index(order, distance.shape), strict=True):
        if x < y:
            fastest = min(won[x], won[y])  # the player to move goes to a lost position if there is one
            if fastest < np.inf:
                longest[[x, y]] = np.maximum(longest[[x, y]], 1 + fastest)
            else:
                options = max(longest[x], longest[y])
                won[x] = won[y] = 1 + options if options else 0
    return won + 2


@pytest.mark.parametrize(
    "n, dim", [(60, 1), (60, 2), (60, 3), *(pytest.param(1000, dim, marks=pytest.mark.slow) for dim in (1, 2, 3))]
)
def test_the_length_on_many_pads(n, dim):
    pattern = pm.processes.binomial(pm.Torus(1.0, dim), n, rng=dim)
    x, y = np.indices((n, n)).reshape(2, -1)
    expected = by_retrograde(pattern.distance(x, y).reshape(n, n))
    lengths = pm.frogs.play_length(pm.match(pattern))
    assert lengths.tolist() == expected.tolist()
    assert lengths.max() > 4


def test_the_observable_counts_the_games():
    sweep = pm.sweep(process="binomial", sizes=36, dims=2, replicates=3, observables=["play_length"], progress=False)
    rows = sweep.estimates.set_index("quantity")
    matchings = pm.replicates("binomial", pm.Torus(6.0, 2), "one-color", 3)
    lengths = [pm.frogs.play_length(matching) for matching in matchings]
    assert rows["value"]["play_length"] == pytest.approx(np.mean(lengths))
    assert rows["value"]["longest_play"] == pytest.approx(np.mean([one.max() for one in lengths]))
    tail = rows.loc["play_length_tail"].set_index("x")["value"]
    assert tail[4.0] == pytest.approx(np.mean(np.array(lengths) > 4))
