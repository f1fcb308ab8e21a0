"""Sprouts: who wins, as printed, and all values against maps in the plane."""

import functools
import random

import pytest

import poissonmatch_games as g
from helpers import slow_sprouts
from helpers.slow_games import both_plays, slow
from helpers.tables import tables
from poissonmatch_games.impartial.impartial_play import OptionGame
from poissonmatch_games.impartial.sprouts import least_text

TABLES = tables(__file__, "impartial.toml")


@both_plays
def test_known_winners(misere):
    """Applegate, Jacobson and Sleator 1991: normal play is N for 3, 4, 5 modulo 6; misere play (Lemoine and Viennot 2009)."""
    outcomes = {False: "PPPNN", True: "NNPPP"}[misere]
    game = g.impartial.Sprouts(misere=misere)
    assert "".join(game.outcome(spots) for spots in range(5)) == outcomes


@pytest.mark.slow
def test_known_winners_from_five_spots():
    assert g.impartial.Sprouts().outcome(5) == "N" and g.impartial.Sprouts(misere=True).outcome(5) == "N"


@pytest.mark.slow
@pytest.mark.long
def test_known_nim_values():
    """The nim-values of 0 to 4 spots, as in the tables of Lemoine and Viennot's program."""
    assert [g.impartial.Sprouts().grundy(spots) for spots in range(5)] == [0, 0, 0, 1, 1]


TREES: dict[frozenset, int] = {}


def shape_of(options):
    """shape(position): a number for the whole game tree from there, equal for two positions exactly if their trees are, in which
    equal options count once."""

    @functools.cache
    def shape(position):
        return TREES.setdefault(frozenset(map(shape, options(position))), len(TREES))

    return shape


SHAPE_OF_MAP, SHAPE_OF_TEXT = shape_of(slow_sprouts.moves), shape_of(g.impartial.Sprouts().options)


@pytest.mark.slow
@pytest.mark.long
def test_every_position_from_two_spots_against_maps():
    """Each map that can be drawn from at most two spots: its text has the same game tree, and the same values, in either play."""
    game, value, seen, todo = (
        g.impartial.Sprouts(),
        slow(slow_sprouts.moves),
        set(),
        [slow_sprouts.start(n) for n in range(3)],
    )
    while todo:
        map_ = todo.pop()
        if map_ not in seen:
            seen.add(map_)
            todo += slow_sprouts.moves(map_)
    assert len(seen) > 1000
    for map_ in seen:
        text = slow_sprouts.text(map_)
        assert SHAPE_OF_MAP(map_) == SHAPE_OF_TEXT(game.validate(text))
        assert game.grundy(text) == value(map_) and game.grundy(text, misere=True) == value(map_, True)


def lives(map_):
    return 3 * len(map_.around) - sum(map(len, map_.around))


def joins_a_branch(map_):
    """Is there a spot with one end, on a boundary with other spots, in a region with another boundary? Then it can be joined on
    either side."""
    regions = [region.split(".")[:-1] for region in slow_sprouts.text(map_).split("|")]
    return lives(map_) < 6 and any("1" in b and len(b) > 1 and len(region) > 1 for region in regions for b in region)


BRANCHES = (97, 143, 168, 195, 200, 220, 261, 300, 306, 315, 761, 1374, 1392)  # seeds of plays that come to one
PLAYS = [(seed, 3, joins_a_branch) for seed in BRANCHES] + [
    (seed, 3 + seed % 3, lambda map_, most=most: lives(map_) <= most) for most in (4, 5) for seed in range(8)
]


@pytest.mark.slow
@pytest.mark.long
def test_random_positions_from_more_spots_against_maps():
    """Maps near the end of a random play, and those where a branch is joined: the same game trees."""
    checked = set()
    for seed, spots, stop in PLAYS:
        rng, map_ = random.Random(seed), slow_sprouts.start(spots)
        while not stop(map_) and (after := list(slow_sprouts.moves(map_))):
            map_ = rng.choice(after)
        assert stop(map_) or stop is not joins_a_branch
        assert SHAPE_OF_MAP(map_) == SHAPE_OF_TEXT(g.impartial.Sprouts().validate(slow_sprouts.text(map_)))
        checked.add(SHAPE_OF_MAP(map_))
    assert len(checked) > 5


def test_moves_by_hand():
    """One spot: a loop. Two spots: joined, or one with a loop, the other outside or inside, which is the same."""
    game = g.impartial.Sprouts()
    assert game.options(1) == ["ab.|ab."]
    assert set(game.options(2)) == {"1a1a.", "0.ab.|ab."}
    assert game.options("ab.|ab.") == [""]
    joined = {"ab1bac1c.", "11a1a."}  # a spot is joined to an end of a line, or to its middle, which is then dead
    assert {game.validate(text) for text in joined} <= set(game.options("0.1a1a."))
    assert [game.longest_play(spots) for spots in range(4)] == [0, 2, 5, 8]  # at most 3 n - 1


@pytest.mark.parametrize("text, same", TABLES["equal"])
def test_equal_positions_have_one_text(text, same):
    game = g.impartial.Sprouts()
    assert game.validate(text) == game.validate(same) == game.validate(game.validate(text))


def test_a_position_with_two_texts_may_be_typed_as_either():
    """Letters of equal rank, in every order, are one position: in a record, in a drawing and in play."""
    one, two = "ab.|abcd.|cd.", "ab.|abdc.|cd."
    game = g.impartial.Sprouts()
    assert game.validate(one) != game.validate(two) and least_text(one) == least_text(two)
    assert OptionGame(game, False, "").read("1abca.|bc.", two, 0) in (one, two)
    assert g.impartial.record(game, "1abca.|bc.", [two])[1]["outcome"] == game.outcome(one) == game.outcome(two)
    rng, seen = random.Random(4), {game.validate(3)}
    while more := {option for position in seen for option in game.options(position)} - seen:
        seen |= more
    for text in seen:
        letters = sorted({spot for spot in text if spot.isalpha()})
        other = text.translate({ord(a): b for a, b in zip(letters, rng.sample(letters, len(letters)), strict=True)})
        other = "|".join(rng.sample(other.split("|"), other.count("|") + 1))
        assert least_text(other) == least_text(text) and game.outcome(least_text(text)) == game.outcome(text)
