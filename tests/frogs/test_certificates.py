"""A claimed set of P-positions: those of the solution hold, and any other has a violation that the rules confirm."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.agreement import PARAMETERS, SINGLE, small
from poissonmatch.frogs.retrograde import Analysis

LINE = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], geometry=pm.Euclidean(1))


def pairs_of(rules):
    return [(x, y) for x in range(rules.n) for y in range(rules.n) if x != y and not rules.impossible(x, y)]


@pytest.mark.parametrize("variant", SINGLE)
def test_the_p_positions_hold_and_no_other_set_does(variant):
    rng, extra = np.random.default_rng(7), PARAMETERS.get(variant, {})
    for repeat in range(8):
        pattern = small(rng, 6, ties=repeat % 4 == 3)
        analysis = Analysis(pattern, variant, **extra)
        pairs = pairs_of(analysis.rules)
        true = {pair for pair in pairs if analysis.is_p_position(pair)}
        assert pm.frogs.check(pattern, variant, true, **extra) is None
        for pair in pairs[:: 1 + repeat]:
            other = {pair} if analysis.rules.owned else {pair, pair[::-1]}
            claim = true ^ other
            violation = pm.frogs.check(pattern, variant, claim, **extra)
            position = analysis.rules.position(violation.position)
            after = {analysis.rules.after(position, move).frogs: move for move in analysis.rules.moves(position)}
            if violation.move is not None:
                assert violation.position in claim and after[analysis.rules.after(position, violation.move).frogs]
                assert analysis.rules.after(position, violation.move).frogs in claim
            elif violation.position in claim:
                assert not after and variant.startswith("misere")
            else:
                assert not claim & after.keys()


def test_the_first_violation_is_said():
    found = pm.frogs.check(LINE, "friendly", [(0, 1), (2, 3), (0, 2)])
    assert found.position == (0, 2) and found.reason == (
        "the position with frogs on (0, 2) is claimed to be a P-position, but the jump from 2 to 1 leads to one, (1, 0)"
    )
    assert (found.move.frog, found.move.to) == (2, 1)
    assert pm.frogs.check(LINE, "misere", [(0, 1)]).reason.endswith("a player who cannot jump wins")


def test_the_cost_bounds_the_moves_of_all_positions():
    for variant, extra in (("friendly", {}), ("colored", {}), ("stones", {"k": 1}), ("stones", {"k": 2})):
        analysis = Analysis(LINE, variant, **extra)
        rules = analysis.rules
        blocked = [frozenset(), *rules.stones()]
        moves = sum(len(list(rules.moves(pm.frogs.Position(pair, b)))) for pair in pairs_of(rules) for b in blocked)
        assert 0 < moves <= analysis.cost < 1e7
    assert Analysis(LINE).cost == 2 * 4**3
