"""Stones as rejections: the table against the rules, where every line of play is searched."""

import functools

import numpy as np
import pytest

import poissonmatch as pm
from helpers.command_line import call
from poissonmatch.frogs import rules_of, solve
from poissonmatch.frogs.moves import Position
from poissonmatch_games.play.frog_play import play
from poissonmatch_games.play.rejections import Proposal, RejectionTable


def slow_winner(rules, k):
    """Return a function of (frogs, rejected pads, proposed pad) that says whether the player to move wins, from the rules."""

    def targets(frogs):
        return {move.to: rules.after(Position(frogs), move).frogs for move in rules.steps(Position(frogs))}

    @functools.cache
    def wins(frogs, rejected=frozenset(), proposed=None):
        """The player to move answers a proposal, or proposes if there is none."""
        if proposed is not None:
            if frogs and len(rejected) < k and not wins(frogs, rejected | {proposed}):
                return True
            frogs, rejected = targets(frogs)[proposed], frozenset()
        return any(not wins(frogs, rejected, pad) for pad in targets(frogs) if pad not in rejected)

    return wins


@pytest.mark.parametrize("k", [1, 2])
def test_the_table_knows_every_position(k):
    rng, outcomes = np.random.default_rng(k), set()
    for n in (2, 3, 4, 5, 5):
        pattern = pm.Pattern(rng.random((n, 2)), None, pm.Euclidean(2))
        table = RejectionTable(solve(pattern, "stones", k=k))
        wins = slow_winner(rules_of(pattern, "colored"), k)
        seen, todo = set(), [Proposal(())]
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            won = wins(state.frogs, state.rejected, state.move and state.move.to)
            assert bool(table._answers(state)) == won, state
            for move in table._answers(state):
                after = table.after(state, move)
                assert not wins(after.frogs, after.rejected, after.move and after.move.to)
            todo += [table.after(state, move) for move in table.legal(state)]
            outcomes.add(won)
    assert outcomes == {True, False}


def test_the_command_line():
    """--reject of `play`: a game to its end, and what is refused."""
    code, said = call("play", "stones", "--k", "2", "--reject", "--points", "6", "--human", "nobody")
    assert code == 0 and said.rstrip().endswith(" wins.")
    code, said = call("play", "fussy", "--reject", "--human", "nobody")
    assert code == 2 and "fussy has no stones" in said
    code, said = call("play", "nim", "--reject", "--human", "nobody")
    assert code == 2 and "--reject is for the variant stones" in said


def test_a_game_with_rejections():
    line = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], None, pm.Euclidean(1))
    typed, said = iter(["no", "0", "hint", "moves", "no", "quit"]), []
    assert play(line, "stones", k=2, reject=True, human="both", ask=lambda _: next(typed), say=said.append) is None
    text = "\n".join(said)
    assert "Not legal: a move cannot be rejected here, since no move is proposed." in text
    assert "Not legal: a move cannot be rejected here, since Alice's first move is free." in text
    said.clear()
    winner = play(line, "stones", k=2, reject=True, human="nobody", say=said.append)
    assert winner == solve(line, "stones", k=2).winner and said[-1].endswith(f"{winner} wins.")
    with pytest.raises(ValueError, match="with k of at least 1, in place of stones; fussy has no stones"):
        play(line, "fussy", reject=True)
