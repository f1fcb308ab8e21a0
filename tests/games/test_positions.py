"""Positions are checked, and tables that would not fit are refused."""

import numpy as np
import pytest

import poissonmatch_games as g
from helpers.tables import tables

TABLES = tables(__file__, "impartial.toml")


@pytest.mark.parametrize("name, text, heaps", TABLES["positions"])
def test_positions_are_checked(name, text, heaps):
    game = g.game_named(name).game
    legal = game.read(text)
    game.grundy(np.array(legal))
    for method in (game.grundy, game.outcome, game.winning_moves, game.genus, game.is_tame):
        with pytest.raises(ValueError, match="at least"):
            method((*legal[:-1], -1))
        for wrong in (1.0, np.bool_(True), None):
            with pytest.raises(TypeError, match="must be an integer"):
                method((*legal[:-1], wrong))
        with pytest.raises(TypeError):
            method("12")
    if heaps:
        with pytest.raises(ValueError, match=heaps):
            game.grundy((1, 1, 1, 1))
