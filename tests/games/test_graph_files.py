"""Games on a graph in a text file: read, solved as by the definition, and refused with line and vertex."""

import pytest

import poissonmatch_games as g

TEXT = "# a game\na: b c\nb: c d\n\nc: d  # one move\nd:\n"
LOOP = "a: b\nb: a c\nc: d\nd:\n"


def test_the_values_are_those_of_the_graph():
    game, graph = g.impartial.GraphGame(TEXT), {"a": "bc", "b": "cd", "c": "d"}
    assert [game.grundy(v) for v in "abcd"] == list(g.option_graph(graph, "a").values) == [0, 2, 1, 0]
    assert game.winning_moves("b") == ["d"] and game.start == "a" and game.read(" b ") == "b"
    assert g.impartial.GraphGame(TEXT, misere=True).outcome("d") == "N"
    assert (game + g.Nim()).grundy(("b", (1,))) == 3


def test_a_cycle_has_outcomes_and_no_values():
    game = g.impartial.GraphGame(LOOP)
    with pytest.raises(ValueError, match="a play can return to 'a': a -> b -> a; the game need not end"):
        game.grundy("a")
    assert [game.outcome(vertex) for vertex in "abcd"] == list("DDNP") and game.drawing_moves("b") == ["a"]
    assert game.grundy("d") == 0
