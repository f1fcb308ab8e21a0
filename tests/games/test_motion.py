"""Strips as pictures: boards, and plays strip under strip, read back from their elements."""

import itertools
from xml.etree import ElementTree

import pytest

import poissonmatch_games as g
from poissonmatch_games.toads.lucas_puzzle import shortest_solution
from poissonmatch_games.toads.strip_pictures import SIDE

SVG = "{http://www.w3.org/2000/svg}"
WINNING_WAYS = ["TT.FF", "T.TFF", "TFT.F", "TF.TF", "TFFT.", "TFF.T"]  # Left begins and wins


def spot(group):
    x, y = group.get("transform").removeprefix("translate(").rstrip(")").split()
    return float(x), float(y)


def letter(group):
    return group.find(f"{SVG}text").text


def rows(root):
    """The strips of a picture, from the top down, with the left end of the first square."""
    squares = [(float(r.get("y")), float(r.get("x"))) for r in root.iter(f"{SVG}rect") if r.get("x")]
    pieces = {(round(y - SIDE / 2, 1), x): letter(piece) for piece in root.iter(f"{SVG}g") for x, y in [spot(piece)]}
    found = []
    for y, group in itertools.groupby(sorted(squares), key=lambda place: place[0]):
        found.append("".join(pieces.get((y, round(x + SIDE / 2, 1)), ".") for _, x in group))
    assert sum(strip.count("T") + strip.count("F") for strip in found) == len(pieces)
    return found


@pytest.mark.parametrize("strip", ["TT.FF", "T", ".", "T^3 .. (TF)^2 F", "FF..T"])
def test_a_board_shows_the_strip(strip):
    position = g.ToadsAndFrogs(strip)
    for title in ("", "a <title>"):
        root = ElementTree.fromstring(position.to_svg(title))
        assert rows(root) == [position.position]
        texts = [node.text for node in root.findall(f"{SVG}text")]
        assert texts == ([title] if title else [])


@pytest.mark.parametrize(
    "strips", [WINNING_WAYS, ["T.F"], shortest_solution(3, 3), shortest_solution(2, 3, 2), ["T..F", "T.F.", "TF.."]]
)
def test_strip_under_strip(strips):
    """Every position, every number, and an arrow from the square that is left to the one that is come to; jumps are thick."""
    root = ElementTree.fromstring(g.toads.motion(strips).to_svg("a title"))
    assert rows(root) == list(strips)
    texts = ["".join(node.itertext()) for node in root.findall(f"{SVG}text")]
    assert texts[0] == "a title" and texts[2:] == [
        f"{k}. {next(a for a, b in zip(old, new, strict=True) if a != '.' == b)}"
        for k, (old, new) in enumerate(itertools.pairwise(strips), 1)
    ]
    left = min(float(r.get("x")) for r in root.iter(f"{SVG}rect") if r.get("x"))
    arrows = [node for node in root.findall(f"{SVG}path") if node.get("marker-end")]
    assert len(arrows) == len(strips) - 1
    for (old, new), arrow in zip(itertools.pairwise(strips), arrows, strict=True):
        start, end = (
            (float(place.split()[0]) - left) / SIDE - 0.5 for place in arrow.get("d").removeprefix("M").split("L")
        )
        assert old[round(start)] == new[round(end)] != "." == old[round(end)] == new[round(start)]
        assert (float(arrow.get("stroke-width")) > 2) == (abs(end - start) == 2)


@pytest.mark.parametrize("first", ["Left", "Right"])
@pytest.mark.parametrize("start", ["TT.FF", "TTT..FF", "T.T.FF", "TF..", "TT...FFF"])
def test_two_perfect_players(start, first):
    """They alternate; who should win by the value makes the last move."""
    play = g.toads.motion(start, first)
    players = ["TF"[(k + (first == "Right")) % 2] for k in range(len(play.strips) - 1)]
    assert [move["piece"] for move in play.moves[1:]] == players
    value, last = g.ToadsAndFrogs(start).value, players[-1] if players else "TF"[first == "Left"]
    first_wins = value.outcome in ("N", "L" if first == "Left" else "R")
    assert (last == ("T" if first == "Left" else "F")) == first_wins
    stuck = "Left" if last == "F" else "Right"
    assert g.ToadsAndFrogs(play.strips[-1]).moves(stuck) == []
