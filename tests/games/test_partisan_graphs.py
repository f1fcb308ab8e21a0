"""Graphs of partisan games: positions, who may make each move, values and outcomes; and how they are drawn."""

import itertools
from xml.etree import ElementTree

import pytest

import poissonmatch_games as g
from games.test_sums import There
from helpers import slow_toads
from poissonmatch_games.partisan.partisan_graphs import BOTH, FILL, LEFT, RIGHT

SVG = "{http://www.w3.org/2000/svg}"


def steps(strip, piece):
    """The strips after a move of Toads and Frogs."""
    return [after for _, after in slow_toads.moves(strip, piece)]


OUTCOME = {(True, True): "N", (True, False): "L", (False, True): "R", (False, False): "P"}


@pytest.mark.parametrize("start", ["TT.FF", "T..F", "T.T.FF", "TF..TF", "TT..FF", "F.T", "", "."])
def test_toads_and_frogs_against_the_rules(start):
    """The positions that can be reached, each with the moves of both, its value and who wins."""
    graph = g.option_graph(g.ToadsAndFrogs(start))
    assert graph.positions[0] == start and sorted(graph.positions) == sorted(slow_toads.reached(start))
    for place, strip in enumerate(graph.positions):
        for side, piece in ((graph.left, "T"), (graph.right, "F")):
            assert sorted(graph.positions[option] for option in side[place]) == sorted(steps(strip, piece))
        assert graph.values[place] is g.ToadsAndFrogs(strip).value  # the compiled engine, which sees no graph
        assert graph.outcomes[place] == OUTCOME[slow_toads.wins(strip, "T"), slow_toads.wins(strip, "F")]


@pytest.mark.parametrize(
    "position, names, value",
    [
        (g.partisan.Hackenbush("LRG"), {"LRG", "LR", "L", ""}, "1/2*"),
        (g.partisan.Domineering("../.#"), {"../.#", "#/.", "#."}, "*"),
        (g.parse("{2|^*}"), {"{2|^*}", "2", "1", "0", "^*", "*"}, "{2|^*}"),
    ],
)
def test_other_games_and_values(position, names, value):
    graph = g.option_graph(position)
    assert value == str(graph.values[0]) and {graph.name(place) for place in range(len(graph))} == names


def test_the_tree_has_a_node_for_each_sequence_of_moves():
    graph = g.option_graph(g.ToadsAndFrogs("TT.FF"))
    tree = graph.tree()
    assert len(tree) > len(graph)
    assert dict(zip(tree.positions, tree.values, strict=True)) == dict(zip(graph.positions, graph.values, strict=True))
    assert sorted(option for after in tree.followers for option in after) == list(range(1, len(tree)))
    both = g.option_graph(g.partisan.Hackenbush("G"))  # either player comes to "", in a node each
    assert both.left == both.right == ((1,), ()) and len(both.tree()) == 3
    with pytest.raises(MemoryError, match=f"more than {len(tree) - 1} nodes"):
        graph.tree(len(tree) - 1)


def test_what_is_drawn():
    """Each position with its value, in the color of who wins; each move in that of who makes it, Left's to the left in a tree."""
    graph = g.option_graph(g.ToadsAndFrogs("T.T.FF")).tree()
    assert {graph.fill(k) for k in range(len(graph)) if graph.outcomes[k] == "L"} == {FILL["L"]}
    for k, (left, right) in enumerate(zip(graph.left, graph.right, strict=True)):
        assert [graph.line_style(k, option) for option in (*left, *right)] == [LEFT] * len(left) + [RIGHT] * len(right)
        name, value = graph.box_text(k)  # a long value is shortened in the middle
        head, _, tail = value.partition(" ... ")
        assert name == graph.positions[k] and str(graph.values[k]).startswith(head)
        assert str(graph.values[k]).endswith(tail) and len(value) <= 32
    root = ElementTree.fromstring(g.option_graph(g.ToadsAndFrogs("T.F")).tree().to_svg())
    x = {node.text: float(node.get("x")) for node in root.iter(f"{SVG}text")}
    assert x[".TF"] < x["T.F"] < x["TF."]
    either = g.option_graph(g.partisan.Hackenbush("LG"))  # LG to L by either, to "" by Left; L to "" by Left
    assert either.line_style(0, either.names.index("L")) == BOTH and "gray: either" in either.legend
    assert either.to_dot().count("->") == 3


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: g.option_graph(g.ToadsAndFrogs("TTT...FFF"), max_positions=20), MemoryError, "more than 20 positions"),
        (lambda: g.option_graph(g.ToadsAndFrogs("TTT...FFF")).to_svg(), ValueError, "at most 1000"),
        (lambda: g.option_graph(There(0)).values, ValueError, "need not end"),
    ],
)
def test_what_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_board_is_shown_as_it_is_read():
    boards = ["../.#", ".#/..", "#", ".", "..#/#.."]
    for board, cells in itertools.product(boards, [None, {(-1, 0), (0, 2)}]):
        position = g.partisan.Domineering(cells or board).position
        shown = g.partisan.Domineering.show(position)
        shift = min(0, *(r for r, _ in position)) if position else 0
        assert {(r + shift, c) for r, c in g.partisan.Domineering(shown).position} == position
