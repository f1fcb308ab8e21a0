"""Strips as pictures: boards, plays strip under strip, and animations, read back from their elements."""

import itertools
from xml.etree import ElementTree

import pytest

import poissonmatch_games as g
from poissonmatch_games.toads.puzzle import shortest_solution
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


def at(values, times, now):
    """What an animation shows at a time, between its key times in a straight line."""
    for (t0, v0), (t1, v1) in itertools.pairwise(zip(times, values, strict=True)):
        if t0 <= now <= t1:
            share = (now - t0) / (t1 - t0) if t1 > t0 else 1.0
            return tuple(a + share * (b - a) for a, b in zip(v0, v1, strict=True))
    raise AssertionError(now)


@pytest.mark.parametrize("strips", [WINNING_WAYS, shortest_solution(3, 3), shortest_solution(2, 1, 2)])
def test_the_animation_shows_each_strip_at_its_time(strips):
    """After move k, at (k + 0.8) s, the pieces stand as after move k, level with the board; and the number says k."""
    root = ElementTree.fromstring(g.toads.motion(strips).to_animation(seconds=0.5))
    whole = 0.5 * (len(strips) + 1)
    squares = [float(r.get("x")) for r in root.iter(f"{SVG}rect") if r.get("x")]
    level = {float(r.get("y")) for r in root.iter(f"{SVG}rect") if r.get("x")}
    for k, strip in enumerate(strips):
        shown = ["."] * len(strip)
        for group in root.iter(f"{SVG}g"):
            x, y = spot(group)
            if (moves := group.find(f"{SVG}animateTransform")) is not None:
                values = [tuple(map(float, pair.split())) for pair in moves.get("values").split(";")]
                times = list(map(float, moves.get("keyTimes").split(";")))
                assert times == sorted(times) and (times[0], times[-1]) == (0, 1) and values[0] == (x, y)
                assert float(moves.get("dur").removesuffix("s")) == pytest.approx(whole)
                x, y = at(values, times, (k + 0.8) * 0.5 / whole)
            shown[squares.index(round(x - SIDE / 2, 6))] = letter(group)
            assert {round(y - SIDE / 2, 6)} == level
        assert "".join(shown) == strip
        visible = []
        for text in root.findall(f"{SVG}text"):
            turns = text.find(f"{SVG}animate")
            values, times = turns.get("values").split(";"), list(map(float, turns.get("keyTimes").split(";")))
            assert len(values) == len(times) and values[0] == text.get("visibility")
            visible += [text.text] * (
                [v for v, t in zip(values, times, strict=True) if t <= (k + 0.8) * 0.5 / whole][-1] == "visible"
            )
        assert [text.partition(".")[0] for text in visible] == [str(k)]


def test_a_jump_goes_over_the_other_piece():
    root = ElementTree.fromstring(g.toads.motion(["TF.", ".FT"]).to_animation())
    (moves,) = root.iter(f"{SVG}animateTransform")
    (_, y0), (_, y1), (_, top), (_, y2), _ = [tuple(map(float, p.split())) for p in moves.get("values").split(";")]
    assert y0 == y1 == y2 and top < y0 - 0.8 * SIDE and top - 0.4 * SIDE > 0


def test_pictures_need_nothing_else():
    for picture in (g.toads.motion(WINNING_WAYS).to_svg(), g.toads.motion(WINNING_WAYS).to_animation()):
        assert "script" not in picture and "href" not in picture and picture.count("http") == 1  # the name space
    assert "animate" not in g.toads.motion(["T.F"]).to_animation()


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


def test_winning_ways():
    """Left begins in TT.FF = * and wins."""
    assert list(g.toads.motion("TT.FF").strips) == WINNING_WAYS


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: g.toads.motion([]), "at least one strip"),
        (lambda: g.toads.motion(["T.F", "TF.", "FT."]), "move 2: no move of a toad or a frog leads from 'TF.'"),
        (lambda: g.toads.motion(["T.F", "T.F"]), "move 1"),
        (lambda: g.toads.motion(["T.F", ".TF."]), "move 1"),
        (lambda: g.toads.motion("T.F", first="Alice"), "a player is Left or Right, not 'Alice'"),
        (lambda: g.toads.motion(["TX"]), "character 1"),
        (lambda: g.ToadsAndFrogs("T^201").to_svg(), "201 squares are too many"),
        (lambda: g.toads.motion(["T^201"]).to_animation(), "201 squares"),
        (lambda: g.toads.motion(["T.F", "TF."]).to_animation(seconds=0), "from 0.05 to 60, got 0"),
    ],
)
def test_what_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
