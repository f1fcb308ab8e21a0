"""How long a game lasts under best play; Alice confined to a ball; refusing moves instead of blocking them."""

import functools
import math

import numpy as np
import pytest

import poissonmatch as pm
from helpers.agreement import PARAMETERS, SINGLE, disagreements, small
from poissonmatch.frogs import Move, rules_of, solve
from poissonmatch.frogs.retrograde import Analysis
from poissonmatch_games.play.frog_play import play


def by_definition(rules):
    """(does the player to move win, how many moves are left): who wins wants few, who loses many."""

    @functools.cache
    def outcome(position):
        replies = [outcome(rules.after(position, move)) for move in rules.moves(position)]
        if not replies:
            return rules.stuck_wins and len(position.frogs) == 2, 0
        wins = [length for won, length in replies if not won]
        return (True, 1 + min(wins)) if wins else (False, 1 + max(length for _, length in replies))

    return outcome


@pytest.mark.parametrize("variant", [*SINGLE, "confined", "stones"])
def test_the_length_of_the_game_under_best_play(variant):
    rng = np.random.default_rng(len(variant))
    for repeat in range(12):
        pattern = small(rng, 4 if variant == "stones" else 6, ties=repeat % 4 == 3)
        analysis = Analysis(pattern, variant, **PARAMETERS.get(variant, {}))
        outcome = by_definition(analysis.rules)
        start = analysis.rules.position(())
        for position in [start, *(analysis.rules.after(start, move) for move in analysis.rules.moves(start))]:
            won, length = outcome(position)
            assert analysis.length(position) == length and analysis.is_p_position(position) == (not won)
        assert analysis.length() == outcome(start)[1]


def test_confined_alice_against_the_rules():
    rng = np.random.default_rng(1)
    for repeat in range(16):
        pattern = small(rng, 6, ties=repeat % 4 == 3)
        for reach in (0.0, 0.25, 0.6, 2.0, math.inf):
            analysis, solution = Analysis(pattern, "confined", reach=reach), solve(pattern, "confined", reach=reach)
            assert disagreements(pattern, "confined", reach=reach) == []
            free = solve(pattern)
            near = [
                a
                for a in free.placements.tolist()
                if pattern.geometry.distance(pattern.points[a], 0 * pattern.points[a]) <= reach
            ]
            assert solution.placements.tolist() == near and analysis.winner == solution.winner == (
                "Alice" if near else "Bob"
            )


def test_what_a_confined_alice_may_do():
    pattern = pm.Pattern([[0.1], [0.9], [0.5]], geometry=pm.Torus(1.0, 1))
    rules = rules_of(pattern, "confined", reach=0.2)
    assert rules.reached().tolist() == [True, True, False]  # the torus is round
    assert rules.objection(rules.position(()), Move(None, 2)) == "the first frog must be within 0.2 of the origin"
    assert rules.objection(rules.position((0,)), Move(None, 2)) == ""  # Bob may go anywhere
    said = []
    assert (
        play(pattern, "confined", human="nobody", say=said.append, reach=0.2)
        == solve(pattern, "confined", reach=0.2).winner
    )


def refusals_winner(rules, k):
    """Colored frogs where a move may be refused up to k times in a row, then another one must be tried: who wins, from the rules.

    Sec. 4.2: "the previous player can reject it and request that they try a different move, up to k times". Nobody refuses Alice's
    first frog.
    """

    @functools.cache
    def mover_wins(position, refused=frozenset()):
        for move in rules.moves(position):
            if move in refused:
                continue
            accepted = not mover_wins(rules.after(position, move))
            must_accept = len(refused) == k or not position.frogs
            if accepted and (must_accept or mover_wins(position, refused | {move})):
                return True
        return False

    return "Alice" if mover_wins(rules.position(())) else "Bob"


@pytest.mark.parametrize("k, most", [(0, 6), (1, 5), (2, 5)])
def test_refusing_up_to_k_times_is_blocking_with_k_stones(k, most):
    """The other form of stones: the same winner on every set, so the variant is that of the stones."""
    rng, winners = np.random.default_rng(k), set()
    for repeat in range(16):
        pattern = small(rng, most, ties=repeat % 4 == 3)
        winner = refusals_winner(rules_of(pattern, "colored"), k)
        assert winner == solve(pattern, "stones", k=k).winner
        if len(pattern) <= 4 - (k > 1):
            assert winner == Analysis(pattern, "stones", k=k).winner
        winners.add(winner)
    assert winners == {"Alice", "Bob"}
