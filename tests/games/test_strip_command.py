"""`poissonmatch games strip`: pictures of strips."""

import pytest

from helpers.command_line import call
from poissonmatch.cli.main import BAD_INPUT

SHOWN = {"board": "<circle", "play": "5. ", "graph": "dashed red", "tree": "dashed red"}


@pytest.mark.parametrize("show", SHOWN)
def test_pictures_in_the_terminal(here, show):
    assert call("games", "strip", "TT.FF", "--show", show) == (0, "results/games/strip.svg\n")
    assert SHOWN[show] in (here / "results" / "games" / "strip.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words, said",
    [
        ("TT.FF --show film", "must be one of board, play, graph, tree"),
        ("TT.FF --first Alice", "a player is Left or Right, not 'Alice'"),
        ("TT.FX", "character 4 of the strip 'TT.FX'"),
        ("TT.FF --output a.png", "a.png: the file must end in .svg"),
        ("TT.FF --show tree --output a.png", "must end in .svg or .dot"),
        ("TTT...FFF --show graph", "more than 1000 positions"),
        ("TT..FF --show tree", "more than 1000 nodes"),
        ("T^300 --show board", "300 squares are too many"),
        ("T^20.^30F^20 --show play", "at most 63"),
    ],
)
def test_what_cannot_be_drawn_is_said(here, words, said):
    code, text = call("games", "strip", *words.split())
    assert code == BAD_INPUT and said in text and len(text.splitlines()) == 1 and not list(here.iterdir())


def test_a_graph_for_graphviz(tmp_path):
    path = tmp_path / "g.dot"
    assert call("games", "strip", "T.F", "--show", "graph", "--output", str(path))[0] == 0
    assert path.read_text(encoding="utf-8").startswith("digraph game {")
