"""Games on a graph in a text file: read, solved as by the definition, and refused with line and vertex."""

import pytest

import poissonmatch_games as g
from helpers.command_line import call
from helpers.tables import tables

TABLES = tables(__file__, "impartial.toml")

TEXT = "# a game\na: b c\nb: c d\n\nc: d  # one move\nd:\n"
LOOP = "a: b\nb: a c\nc: d\nd:\n"


def test_the_values_are_those_of_the_graph():
    game, graph = g.impartial.GraphGame(TEXT), {"a": "bc", "b": "cd", "c": "d"}
    assert [game.grundy(v) for v in "abcd"] == list(g.option_graph(graph, "a").values) == [0, 2, 1, 0]
    assert game.winning_moves("b") == ["d"] and game.start == "a" and game.read(" b ") == "b"
    assert g.impartial.GraphGame(TEXT, misere=True).outcome("d") == "N"
    assert (game + g.Nim()).grundy(("b", (1,))) == 3


@pytest.mark.parametrize("text, said", TABLES["no_graph"])
def test_what_is_refused(text, said):
    with pytest.raises(ValueError, match=said):
        g.impartial.GraphGame(text)


def test_a_cycle_has_outcomes_and_no_values():
    game = g.impartial.GraphGame(LOOP)
    with pytest.raises(ValueError, match="a play can return to 'a': a -> b -> a; the game need not end"):
        game.grundy("a")
    assert [game.outcome(vertex) for vertex in "abcd"] == list("DDNP") and game.drawing_moves("b") == ["a"]
    assert game.grundy("d") == 0
    with pytest.raises(ValueError, match="the graph has no vertex 'e'"):
        game.grundy("e")


def test_the_command_line(here):
    (here / "mine.txt").write_text(TEXT)
    (here / "loop.txt").write_text(LOOP)
    code, said = call("games", "trace", "mine.txt")
    assert code == 0 and said.splitlines()[0] == "round 1, step 1: d is P, terminal"
    assert "nim-value: 2" in call("games", "solve", "mine.txt", "b")[1]
    assert call("games", "graph", "mine.txt", "--output", "mine.svg") == (0, "mine.svg: 4 positions\n")
    assert "c is N" in call("games", "trace", "loop.txt")[1]
    code, said = call("games", "solve", "loop.txt")
    assert code == 0 and "loop.txt a: D (normal play)\nnim-value: none: a play can return to 'a': a -> b -> a" in said
    for name, start in (("mine.txt", "b"), ("loop.txt", "c")):
        code, said = call("play", name, start, "--human", "nobody")
        assert code == 0 and said.endswith("Bob cannot move: Alice wins.\n"), said
    assert call("play", "loop.txt", "--human", "nobody")[1].endswith("The position has occurred three times: a draw.\n")
    assert call("games", "trace", "none.txt")[0] == call("games", "trace", "mine.txt", "z")[0] == 2
