"""Sprouts: who wins, as printed, and all values against maps in the plane."""

import random

import pytest

from helpers import slow_sprouts
from helpers.slow_games import slow
from poissonmatch import games as g


@pytest.mark.parametrize("misere", [False, True])
def test_known_winners(misere):
    """Applegate, Jacobson and Sleator 1991: normal play is N for 3, 4, 5 modulo 6; misere play (Lemoine and Viennot 2009)."""
    outcomes = {False: "PPPNN", True: "NNPPP"}[misere]
    game = g.Sprouts(misere=misere)
    assert "".join(game.outcome(spots) for spots in range(5)) == outcomes


@pytest.mark.slow
def test_known_winners_from_five_spots():
    assert g.Sprouts().outcome(5) == "N" and g.Sprouts(misere=True).outcome(5) == "N"


def test_known_nim_values():
    """The nim-values of 0 to 4 spots, as in the tables of Lemoine and Viennot's program."""
    assert [g.Sprouts().grundy(spots) for spots in range(5)] == [0, 0, 0, 1, 1]


def test_every_position_from_two_spots_against_maps():
    """Each map that can be drawn from at most two spots: its text has the same value, in either play."""
    game, value, seen, todo = g.Sprouts(), slow(slow_sprouts.moves), set(), [slow_sprouts.start(n) for n in range(3)]
    while todo:
        map_ = todo.pop()
        if map_ not in seen:
            seen.add(map_)
            todo += slow_sprouts.moves(map_)
    assert len(seen) > 1000
    for map_ in seen:
        text = slow_sprouts.text(map_)
        assert game.grundy(text) == value(map_) and game.grundy(text, misere=True) == value(map_, True)


def test_random_positions_from_more_spots_against_maps():
    """Maps near the end of a random play: the moves lead to the same pairs of values, of both plays."""
    rng, game, value, checked = random.Random(3), g.Sprouts(), slow(slow_sprouts.moves), 0
    for spots in (3, 3, 4, 4, 5) * 30:
        map_ = slow_sprouts.start(spots)
        while 3 * len(map_.around) - sum(map(len, map_.around)) > rng.choice((3, 4, 4, 5)):  # lives
            map_ = rng.choice(list(slow_sprouts.moves(map_)))
        text = slow_sprouts.text(map_)
        pairs = {(value(option), value(option, True)) for option in slow_sprouts.moves(map_)}
        assert {(game.grundy(o), game.grundy(o, misere=True)) for o in game.options(text)} == pairs, text
        checked += len(pairs) > 1
    assert checked > 20


def test_moves_by_hand():
    """One spot: a loop. Two spots: joined, or one with a loop, the other outside or inside, which is the same."""
    game = g.Sprouts()
    assert game.options(1) == ["ab.|ab."]
    assert set(game.options(2)) == {"1a1a.", "0.ab.|ab."}
    assert game.options("ab.|ab.") == [""] or game.longest_play("ab.|ab.") == 1
    assert [game.longest_play(spots) for spots in range(4)] == [0, 2, 5, 8]  # at most 3 n - 1


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("0.0.ab.|ab.", "ba.0.0.|ba."),
        ("1a1a.", "a1a1."),
        ("ab.|ab.0.", "xy.0.|yx."),
        ("abc.|abc.", "abc.|acb."),
        ("0.ab.|ac.|bc.", "zx.0.|xy.|yz."),
    ],
)
def test_equal_positions_have_one_text(text, same):
    game = g.Sprouts()
    assert game.validate(text) == game.validate(same) == game.validate(game.validate(text))


@pytest.mark.parametrize("wrong", ["x", "0", "a.", "aab.b", "00.", "a.a.", "0..", "3.", "ab.|ab", "|", "é.é.", "0.\n"])
def test_what_is_no_position(wrong):
    with pytest.raises(ValueError, match="a position is a number of spots"):
        g.Sprouts().outcome(wrong)


@pytest.mark.parametrize("wrong", [13, -1])
def test_numbers_of_spots(wrong):
    with pytest.raises(ValueError, match="spots"):
        g.Sprouts().outcome(wrong)
    with pytest.raises(TypeError):
        g.Sprouts().outcome(1.5)
