"""Drawings of positions: Hackenbush and stones have what the position has."""

import re

import pytest

import poissonmatch_games as games
from poissonmatch_games.impartial import GreenHackenbush, StonesOnDigraph


def test_hackenbush_has_a_line_for_each_edge():
    """Loops and multiple edges as well, at different places."""
    edges = [(0, 1), (0, 1), (1, 1), (1, 2), (2, 3), (0, 3), (0, 4), (4, 5), (1, 4)]
    picture = GreenHackenbush().to_svg(edges)
    paths = re.findall(r'<path d="([^"]*)" fill="none"', picture)
    assert len(paths) == len(set(paths)) == len(edges) and picture.count("<circle") == 5
    with pytest.raises(ValueError, match="not connected to the ground"):
        GreenHackenbush().to_svg([(1, 2)])


def test_stones_are_on_their_vertices():
    picture = games.TriangleGame().to_svg((1, 3, 9), "Figure 1")
    assert picture.count('r="5.5"') == 4 and ">9</text>" in picture and "Figure 1" in picture
    assert picture.count("marker-end") == 3
    assert StonesOnDigraph([(0, 1), (1, 0), (2, 0)]).to_svg((2, 1, 0)).count("marker-end") == 3
