"""Sums of positions, positions that can return, and rulesets that are wrong."""

import itertools
import random

import pytest

import poissonmatch_games as g
from helpers.slow_games import forced
from poissonmatch_games import ToadsAndFrogs, parse
from poissonmatch_games.partisan import Domineering, Hackenbush, ImpartialPosition, Ruleset


class Clobber(Ruleset):
    """Left's x and Right's o take a neighbor of the other kind (Albert, Grossman, Nowakowski, Wolfe, 2005)."""

    @staticmethod
    def _moves_of(strip, mine, other):
        for i in range(len(strip) - 1):
            pair = strip[i : i + 2]
            if pair == mine + other:
                yield strip[:i] + "." + mine + strip[i + 2 :]
            if pair == other + mine:
                yield strip[:i] + mine + "." + strip[i + 2 :]

    left_moves = staticmethod(lambda strip: Clobber._moves_of(strip, "x", "o"))
    right_moves = staticmethod(lambda strip: Clobber._moves_of(strip, "o", "x"))


class There(Ruleset):
    """There and back, without end."""

    left_moves = right_moves = staticmethod(lambda s: [1 - s])


POSITIONS = [Clobber("xo"), Clobber("xxo"), ToadsAndFrogs("TT.FF"), Domineering(".../.#."), Hackenbush("LRG")]


def test_sums_have_the_sum_of_the_values():
    assert (Clobber("xo") + Clobber("xxo")).value is parse("^*") is Clobber("xo").value + Clobber("xxo").value
    for one, two in itertools.product(POSITIONS, repeat=2):
        assert (one + two).value is one.value + two.value and (one - two).value is one.value - two.value
        assert (2 * one - 3 * two).value is 2 * one.value - 3 * two.value
        assert (one + two).outcome == (one.value + two.value).outcome


def test_the_value_of_a_sum_is_that_of_its_moves():
    for one, two in itertools.combinations(POSITIONS[:4], 2):
        total = one - two
        graph = g.option_graph(total)
        assert graph.values[0] is total.value and graph.positions[0] == total.position
        for player, wins in (("Left", lambda value: value >= 0), ("Right", lambda value: value <= 0)):
            assert total.winning_moves(player) == [p for p in total.moves(player) if wins(type(total)(p).value)]


def test_equal_positions():
    one, two = POSITIONS[:2]
    assert one == Clobber("xo") != two and one + two == two + one and one - one == two - two and 2 * one == one + one
    negative = -one
    assert -negative == one and len({one, Clobber("xo"), -one, one + two, two + one}) == 2  # xo is its own negative, *
    assert one != "xo" and 0 * one == 0 * two
    assert repr(2 * one - two) == "Clobber('xo') + Clobber('xo') - Clobber('xxo')"
    assert (one - two).show((one - two).position) == "xo - xxo" and repr(0 * one) == "0"
    assert one == Clobber("ox") == ToadsAndFrogs("TT.FF") == parse("*") and parse("*") == one != parse("^")
    assert len({one, ToadsAndFrogs("TT.FF"), parse("*"), Domineering("../.#")}) == 1
    for this, that in itertools.product(POSITIONS, repeat=2):
        assert (this == that) == ((this - that).outcome == "P") and (this != that or hash(this) == hash(that))


def test_positions_without_a_value_are_equal_to_the_same_summands():
    assert There(0) == There(0) != There(1) and There(0) != POSITIONS[0] and There(0) != parse("*")
    assert There(0) + POSITIONS[0] == POSITIONS[0] + There(0) and len({There(0), There(0), There(1)}) == 2
    long = ToadsAndFrogs("T^12 .^12 F^12")  # whose value takes too long
    assert long == ToadsAndFrogs("T^12 .^12 F^12") and len({long, ToadsAndFrogs(long.position)}) == 1


def test_values_and_impartial_positions_are_summands():
    strip = ToadsAndFrogs("TT..F")
    assert (strip + parse("^") - 2).value is strip.value + parse("^") - 2 == (1 + strip - 3 + parse("^")).value
    nim = ImpartialPosition((g.Nim(), (1, 2)))
    assert (nim + strip).value is parse("*3") + strip.value and nim.outcome == "N"
    assert len((nim + 0 * strip).moves("Left")) == 3


# ---- plays that need not end ----
class OnGraph(Ruleset):
    """A game on a graph with edges of Left and of Right."""

    graph = ()

    left_moves = classmethod(lambda cls, vertex: cls.graph[vertex][0])
    right_moves = classmethod(lambda cls, vertex: cls.graph[vertex][1])


def test_a_position_that_can_return_is_named_with_the_play():
    with pytest.raises(ValueError, match="a play can return to '0': 0 -> 1 -> 0; so there is no value, but an outcome"):
        There(0).value  # noqa: B018
    assert There(0).outcome == "D" and There(0).winning_moves("Left") == []
    assert (There(0) + ToadsAndFrogs("TT.")).outcome == "D"


def test_outcomes_of_random_loopy_games_against_search_by_length():
    """Who can force a win within k moves, by recursion on k."""
    rng, met = random.Random(5), set()
    for _ in range(60):
        size = rng.randrange(2, 7)
        edges = [[[q for q in range(size) if rng.random() < 0.2] for _ in range(2)] for _ in range(size)]
        ruleset = type("Drawn", (OnGraph,), {"graph": edges})
        result = forced(lambda at, edges=edges: [(vertex, 1 - at[1]) for vertex in edges[at[0]][at[1]]])
        for vertex in range(size):
            found = "".join({1: "LR", -1: "RL", 0: "DD"}[result((vertex, side), 9)][side] for side in (0, 1))
            names = {"LL": "L", "RR": "R", "LR": "N", "RL": "P", "DD": "D"}
            outcome = ruleset(vertex).outcome
            assert outcome == names.get(found, found)
            met.add(outcome)
    assert len(met) >= 7


def test_endless_plays_are_found_by_a_budget():
    class On(Ruleset):
        max_positions = 1000
        left_moves = right_moves = staticmethod(lambda n: [n + 1])

    with pytest.raises(MemoryError, match="a play of 1001 moves was found, perhaps plays need not end"):
        On(0).value  # noqa: B018
    game = g.impartial.FunctionGame(lambda n: [n + 1])
    game.max_positions = 1000
    with pytest.raises(
        MemoryError, match="3 needs more than max_positions = 1000 positions, perhaps since plays need not end"
    ):
        game.outcome(3)
    with pytest.raises(ValueError, match="a play can return to '0': 0 -> 1 -> 2 -> 0; the game need not end"):
        g.impartial.FunctionGame(lambda n: [(n + 1) % 3]).outcome(0)


@pytest.mark.parametrize(
    "moves, message",
    [
        (
            lambda n: 5,
            r"Wrong.left_moves\(1\) must return hashable positions, but raises TypeError: 'int'",
        ),
        (lambda n: [[n]], r"Wrong.left_moves\(1\) must return .* but raises TypeError: unhashable type: 'list'"),
        (lambda n: 1 / 0, r"Wrong.left_moves\(1\) raises ZeroDivisionError: division by zero"),
    ],
)
def test_wrong_rulesets_are_named(moves, message):
    wrong = type("Wrong", (Ruleset,), {"left_moves": staticmethod(moves), "right_moves": staticmethod(lambda n: [])})
    for ask in (lambda: wrong(1).value, lambda: wrong(1).moves("Left"), lambda: (wrong(1) + wrong(1)).moves("Left")):
        with pytest.raises(TypeError, match=message):
            ask()


def test_wrong_impartial_rulesets_are_named():
    game = g.impartial.FunctionGame(lambda n: [[n]])
    with pytest.raises(
        TypeError, match=r"FunctionGame.options\(3\) must return hashable positions, but raises TypeError: unhas"
    ):
        game.outcome(3)


# ---- Domineering by regions ----
def test_domineering_by_regions_against_the_moves_alone():
    class Plain(Domineering):
        _evaluate = Ruleset.__dict__["_evaluate"]

    rng = random.Random(2)
    for _ in range(60):
        board = "/".join("".join(rng.choice("...#") for _ in range(4)) for _ in range(3))
        assert Plain(board).value is Domineering(board).value
    assert Domineering("").value == 0
