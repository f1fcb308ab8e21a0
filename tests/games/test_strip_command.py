"""`poissonmatch games strip`: pictures of strips."""

import pytest

from helpers.command_line import call

SHOWN = {"board": "<circle", "play": "5. ", "graph": "dashed red", "tree": "dashed red"}


@pytest.mark.parametrize("show", SHOWN)
def test_pictures_in_the_terminal(here, show):
    assert call("games", "strip", "TT.FF", "--show", show) == (0, "results/games/strip.svg\n")
    assert SHOWN[show] in (here / "results" / "games" / "strip.svg").read_text(encoding="utf-8")


def test_a_graph_for_graphviz(tmp_path):
    path = tmp_path / "g.dot"
    assert call("games", "strip", "T.F", "--show", "graph", "--output", str(path))[0] == 0
    assert path.read_text(encoding="utf-8").startswith("digraph game {")
