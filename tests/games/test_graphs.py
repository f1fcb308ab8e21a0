"""The graph of a game: the labelling procedure, draws, nim-values, sums, trees and pictures, of games that end and that need not."""

import itertools
import random
import re
from xml.etree import ElementTree

import pytest

import poissonmatch_games as g
from helpers.slow_games import both_plays, bowling, forced, nim_moves, slow, slow_win
from helpers.tables import tables
from poissonmatch_games.pictures.position_graphs import MAX_DRAWN

TABLES = tables(__file__, "impartial.toml")


class Options:
    """What a graph is made of, and nothing else."""

    def __init__(self, options):
        self.options = options


def named(graph, found):
    return dict(zip(graph.positions, found, strict=True))


def random_digraph(rng):
    """Up to eleven positions, any moves: most of these games need not end."""
    size = rng.randrange(1, 12)
    return {p: [q for q in range(size) if rng.random() < rng.choice((0.05, 0.25))] for p in range(size)}


# ---- the labelling procedure ----


def test_the_procedure_step_by_step():
    """0 is terminal, 1, 3, 4 reach it, 2 reaches 1 only; then 5 and 6 reach 2, ..."""
    graph = g.option_graph(g.impartial.SubtractionGame((1, 3, 4)), 14)
    assert sorted(graph.trace()) == TABLES["trace"]


@both_plays
def test_every_step_is_allowed_by_the_ones_before(misere):
    """Each label follows from those of its round and before by the rule that it names."""
    rng = random.Random(5)
    for _ in range(200):
        graph = g.option_graph(random_digraph(rng), *range(1), misere=misere)
        labels = {}
        for line in graph.rounds:
            after = [labels.get(option) for option in graph.followers[line.vertex]]
            assert {
                1: not after and line.label == "PN"[misere],
                2: "P" in after and line.label == "N",
                3: bool(after) and set(after) == {"N"} and line.label == "P",
            }[line.step]
            labels[line.vertex] = line.label
        left = [place for place in range(len(graph)) if place not in labels]
        assert all(graph.labels[place] == "D" for place in left)
        for place in left:  # the procedure went on as long as it could
            after = {labels.get(option) for option in graph.followers[place]}
            assert after and "P" not in after and None in after


@both_plays
def test_draws_and_remoteness_against_search_by_length(misere):
    """Who can force an end within k moves, by recursion on k."""
    rng = random.Random(7)
    met = set()
    for _ in range(150):
        table = random_digraph(rng)
        result = forced(table.__getitem__)
        graph = g.option_graph(table, *table, misere=misere)
        for position, label, far in zip(graph.positions, graph.labels, graph.remoteness, strict=True):
            assert label == {1: "N", -1: "P", 0: "D"}[result(position, 30, misere)]
            assert far == next((k for k in range(30) if result(position, k, misere)), None)
            met.add((label, far))
    assert {"P", "N", "D"} == {label for label, _ in met} and max(far or 0 for _, far in met) > 4


@both_plays
@pytest.mark.parametrize("moves", [nim_moves, bowling((1, 2)), bowling((2,))])
def test_labels_and_values_against_recursion(moves, misere):
    graph = g.option_graph(Options(moves), (1, 3, 4), misere=misere)
    value, wins = slow(moves), slow_win(moves)
    for place, position in enumerate(graph.positions):
        assert graph.values[place] == value(position, misere)
        assert graph.labels[place] == ("N" if wins(position, misere) else "P")


def test_a_play_that_comes_back_has_labels_and_no_values():
    graph = g.option_graph({0: [1, 2], 1: [0], 3: [3]}, 0, 3)
    assert named(graph, graph.labels) == {0: "N", 1: "P", 2: "P", 3: "D"}
    for read in ("values", "longest", "upward"):
        with pytest.raises(ValueError, match="need not end"):
            getattr(graph, read)


# ---- sums and trees ----


def test_the_tree_has_a_node_for_each_line_of_play():
    graph = g.option_graph(g.Nim(), (1, 3))
    tree = graph.tree()
    assert len(tree) == 28
    assert named(graph, graph.values).items() >= set(zip(tree.positions, tree.values, strict=True))
    with pytest.raises(MemoryError):
        g.option_graph({0: [0]}, 0).tree(100)


def test_too_many_positions():
    with pytest.raises(MemoryError, match="more than 100 positions"):
        g.option_graph(g.Nim(), (20, 20), max_positions=100)
    with pytest.raises(ValueError, match="needs a start"):
        g.option_graph(g.Nim())


def test_draws_of_a_sum():
    """Against the graph on the pairs."""
    options = {0: [1, 2], 1: [0, 3], 2: [1], 3: []}
    loop = g.impartial.FunctionGame(options.__getitem__)
    both = g.option_graph(loop + loop, (0, 0))
    table = {(a, b): [*((c, b) for c in options[a]), *((a, c) for c in options[b])] for a, b in both.positions}
    assert both.labels == g.option_graph(table, *table).labels and set(both.labels) > {"D"}


@pytest.mark.parametrize("name, start", TABLES["longest"])
def test_longest_plays_against_the_graph(name, start):
    game = g.game_named(name).game
    graph = g.option_graph(game, game.read(start))
    assert [game.longest_play(position) for position in graph.positions] == list(graph.longest)


PICTURES = {
    "nim": g.option_graph(g.Nim(), (3, 4, 5)),
    "a tree": g.option_graph(g.Nim(), (1, 2)).tree(),
    "a sum": g.option_graph(g.game_named("twenty-one + nim").game, (4, 2)),
    "a loop": g.option_graph({"<a>": ["<a>", "&b"], "&b": ["<a>", "c"], "c": ["&b"]}, "<a>"),
    "poker": g.option_graph(g.impartial.loopy.PokerNim(misere=True), ((1, 1), 1, 0)),
    "one position": g.option_graph(g.Nim(), 0),
    "partisan": g.option_graph(g.ToadsAndFrogs("TT..FF")),
    "partisan tree": g.option_graph(g.ToadsAndFrogs("TT.FF")).tree(),
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("graph", PICTURES.values(), ids=PICTURES)
def test_every_move_is_drawn_past_the_boxes(graph):
    """The boxes of a row do not touch; the lines from a box lead to the boxes of its options below, and to no others."""
    root = ElementTree.fromstring(graph.to_svg())
    boxes = [[float(box.get(name)) for name in ("x", "y", "width")] for box in list(root.iter(f"{SVG}rect"))[1:]]
    assert len(boxes) == len(graph)
    for (x, y, _), (u, v, wide) in itertools.permutations(boxes, 2):
        assert y != v or x > u + wide or u > x
    ends = [re.findall(r"[\d.]+ [\d.]+", path.get("d")) for path in root.iter(f"{SVG}path") if path.get("stroke")]
    after = {}
    for points in ends:
        after.setdefault(points[0], set()).add(points[-1])
    top = {f"{x + wide / 2:.1f} {y:.1f}": vertex for vertex, (x, y, wide) in enumerate(boxes)}
    bottom = {f"{x + wide / 2:.1f} {y + 34:.1f}" for x, y, wide in boxes}
    for vertex, (x, y, wide) in enumerate(boxes):
        reached, todo = set(), [f"{x + wide / 2:.1f} {y + 34:.1f}"]
        for point in todo:
            todo += [end for end in after.get(point, ()) if end not in top and end not in bottom]
            reached |= {top[end] for end in after.get(point, ()) if end in top}
        assert reached == {option for option in graph.followers[vertex] if boxes[option][1] > y}
        assert "D" in getattr(graph, "labels", ()) or len(reached) == len(set(graph.followers[vertex]))


@pytest.mark.parametrize("graph", PICTURES.values(), ids=PICTURES)
def test_svg_and_dot_hold_every_position_and_move(graph):
    texts = [node.text for node in ElementTree.fromstring(graph.to_svg("<title> & more")).iter(f"{SVG}text")]
    assert texts[0] == "<title> & more"
    assert list(zip(texts[2::2], texts[3::2], strict=True)) == list(map(graph.box_text, range(len(graph))))
    dot = graph.to_dot("a title")
    assert len(re.findall(r"^  n\d+ \[label=", dot, re.M)) == len(graph) and dot.count("{") == dot.count("}")
    arrows = {(int(a), int(b), c) for a, b, c in re.findall(r'^  n(\d+) -> n(\d+) \[color="(\S+)"', dot, re.M)}
    moves = [(vertex, option) for vertex, options in enumerate(graph.followers) for option in options]
    assert arrows == {(*move, graph.line_style(*move).color) for move in moves}


def test_boxes_and_lines_of_impartial_games():
    graph = g.option_graph(g.Nim(), (1, 2))
    assert [graph.box_text(k) for k in range(2)] == [("1 2", "N 3"), ("0 2", "N 2")]
    thick = {
        option
        for k, options in enumerate(graph.followers)
        for option in options
        if graph.line_style(k, option).width > 2
    }
    assert thick == {k for k in range(1, len(graph)) if graph.labels[k] == "P"}
    dot = g.option_graph({'"a\\': ["b\n"]}, '"a\\').to_dot('"t"')
    assert r'label="\"a\\\nN 1"' in dot and r'label="\"t\""' in dot and "b\\\\n" in dot
    with pytest.raises(ValueError, match=f"at most {MAX_DRAWN}"):
        g.option_graph(g.Nim(), (40, 40)).to_svg()
