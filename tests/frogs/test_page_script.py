"""The page of games without a browser: links, places of the pads, and games played to their end by a script."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.page_script import script
from poissonmatch.frogs.page import page
from poissonmatch.frogs.play import random_pattern

LINKS = {
    "#game=angry": 'there is no such game, "angry"',
    "#gmae=nim": '"gmae=nim" is not understood; there are game=, human=',
    "#human=Carol": 'human is winner, Alice, Bob, both, nobody, not "Carol"',
    "#errs=2": 'errs is a chance from 0 to 1, not "2"',
    "#pads=1,x,0": 'a pad is x,y,0 or x,y,1, not "1,x,0"',
    "#pads=1,,0": 'a pad is x,y,0 or x,y,1, not "1,,0"',
    "#dim=3": 'dim is 1 or 2, not "3"',
    "#misere=yes": 'misere is 0 or 1, not "yes"',
    "#side=-3": 'the side of a torus is a positive number, not "-3"',
    "#side=2&pads=1,3,0": 'the pad "1,3,0" lies beyond the side',
    "#pads=%E0%A4": '"pads=%E0%A4" is not understood',
    "#game=stones&k=1.5": 'k is a whole number from 0, not "1.5"',
}


def test_a_bad_link_says_what_was_not_understood():
    said = script(
        f"""return {list(LINKS)}.map(hash => {{
          location.hash = hash; load(); return document.getElementById("status").textContent; }});"""
    )
    for link, text in zip(LINKS, said, strict=True):
        assert LINKS[link] in text, (link, text)


def test_the_page_has_a_heading_and_names_its_sources():
    assert "<h1>Games against a perfect player</h1>" in page()
    sources = script(
        """return [...$("variant").options].map(({value}) => {
          $("variant").value = value; $("variant").onchange(); return [value, $("source").textContent]; });"""
    )
    assert len(sources) > 20 and all(text.startswith("Source: ") and len(text) > 30 for _, text in sources)
    assert "Deijfen" in dict(sources)["friendly"] and "Thanatipanonda" in dict(sources)["toads-and-frogs"]


@pytest.mark.parametrize("wide", [370, 900])
def test_pads_are_large_enough_to_touch_and_do_not_overlap(wide):
    """Of 44 pixels; the box of the picture is scrolled. Two pads at one place cannot be told apart."""
    pattern = random_pattern(30, 2, np.random.default_rng(3), torus=True)
    found = script(
        """const circles = () => all("touch").map(e => [e.attributes.cx, e.attributes.cy, e.attributes.r].map(Number));
        const given = circles(), own = [[60, 2, true], [60, 2, false], [30, 1, false]].map(([count, dim, torus]) => {
          ui.ponds = [randomPond(count, torus, dim)]; ui.begin(); return circles(); });
        return [given, ...own];""",
        pattern=pattern,
        wide=wide,
    )
    for circles, count in zip(map(np.array, found), (30, 60, 60, 30), strict=True):
        assert circles.shape == (count, 3) and (circles[:, 2] >= 22).all()
        gaps = np.linalg.norm(circles[:, None, :2] - circles[None, :, :2], axis=2)[np.triu_indices(count, 1)]
        assert gaps.min() > 43.9
    twice = pm.Pattern([[1.0, 1.0], [1.0, 1.0], [3.0, 1.0]], None, pm.Euclidean(2))
    assert script('return all("touch").length;', pattern=twice, wide=wide) == 3


def test_whole_games_by_a_script():
    """The perfect player against itself: the side that can win wins."""
    games = script(
        """$("human").value = "both";
        return Object.keys(DATA.variants).map(name => {
          $("variant").value = name; $("variant").onchange();
          const side = ui.game.winning(ui.state).length ? "Alice" : "Bob";
          while (!ui.over()) ui.play(ui.game.best(ui.state));
          return [name, side, $("status").textContent];
        });"""
    )
    assert len(games) > 8
    for name, side, status in games:
        assert status.startswith(f"{side} wins."), name
