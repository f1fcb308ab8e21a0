"""Drawings of positions: Sprouts as maps against its texts, without crossings; Hackenbush and stones have what the position has."""

import itertools
import re

import numpy as np
import pytest

import poissonmatch_games as games
from helpers import slow_sprouts
from poissonmatch_games.impartial import GreenHackenbush, Sprouts, StonesOnDigraph, sprouts_drawing
from poissonmatch_games.impartial.sprouts import least_text


def crosses(a, b, c, d):
    """Whether two segments cross within both."""

    def side(p, q, r):
        return np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


@pytest.mark.slow
@pytest.mark.parametrize("spots", [1, 2, 3])
def test_the_maps_have_the_moves_of_the_texts(spots):
    """Along random plays, against the texts of the package and the slow maps."""
    game, rng = Sprouts(), np.random.default_rng(spots)
    drawing, slow = sprouts_drawing(spots), slow_sprouts.start(spots)
    assert {after.text() for after in drawing.moves()} == {
        game.validate(slow_sprouts.text(m)) for m in slow_sprouts.moves(slow)
    }
    for _ in range(20):
        play = drawing
        while moves := list(play.moves()):
            assert {least_text(after.text()) for after in moves} == set(map(least_text, game.options(play.text())))
            play = moves[int(rng.integers(len(moves)))]
        assert game.options(play.text()) == []


@pytest.mark.slow
@pytest.mark.parametrize("spots", [1, 2, 4])
def test_no_two_curves_cross(spots):
    rng, drawing = np.random.default_rng(10 + spots), sprouts_drawing(spots)
    for _ in range(5):
        moves = list(itertools.islice(drawing.moves(), 40))
        if not moves:
            break
        drawing = moves[int(rng.integers(len(moves)))]
        places, curves = drawing.places()
        halves = [half for u, middle, v in curves for half in ((places[u], middle), (middle, places[v]))]
        assert not any(crosses(*one, *two) for one, two in itertools.combinations(halves, 2))
        gaps = [np.hypot(*np.subtract(a, b)) for a, b in itertools.combinations(places, 2)]
        assert min(gaps, default=1) > 1e-4 and max(np.hypot(*place) for place in places) <= 1 + 1e-9
        picture = drawing.to_svg("a play")
        assert picture.count("<circle") == len(places) and picture.count("<path") == len(curves)


def test_what_a_drawing_of_sprouts_refuses():
    with pytest.raises(ValueError, match="a drawing begins with 1 to 5 spots, got 6"):
        sprouts_drawing(6)
    with pytest.raises(ValueError, match=r"move 2: no move leads from 1a1a. to '0\.0\.'"):
        sprouts_drawing(2, ["1a1a.", "0.0."])


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
