"""A variant is one entry: one that is added at run time is solved, played and shown."""

import json
import re

import numpy as np
import pytest

from helpers.agreement import disagreements, small
from helpers.throwaway import OWN, THROWAWAY
from poissonmatch.frogs import VARIANTS, retrograde, rules_of, solve
from poissonmatch_games.play.frog_play import play, random_pattern
from poissonmatch_games.play.page import page, variants_on_page

SHIPPED = tuple(VARIANTS)


@pytest.fixture(params=THROWAWAY)
def added(request, monkeypatch):
    """The name of a variant that is there for one test."""
    monkeypatch.setitem(VARIANTS, request.param, THROWAWAY[request.param])
    return request.param


def test_a_new_variant_is_solved(added):
    rng = np.random.default_rng(1)
    for repeat in range(20):
        pattern = small(rng, 8, ties=repeat % 4 == 3)
        assert type(rules_of(pattern, added, **OWN[added])) is THROWAWAY[added]
        assert solve(pattern, added, **OWN[added]).winner == retrograde.Analysis(pattern, added, **OWN[added]).winner
        assert disagreements(pattern, added, **OWN[added]) == []


def test_a_new_variant_is_played_in_the_terminal(added):
    said = []
    pattern = random_pattern(9, 2, np.random.default_rng(2))
    winner = play(pattern, added, human="nobody", say=said.append, **OWN[added])
    assert winner == solve(pattern, added, **OWN[added]).winner
    text = "\n".join(said)
    assert said[0].startswith(THROWAWAY[added].__doc__)
    color, other = THROWAWAY[added].pads
    assert f"{color[0]} {color} pad, {other[0]} {other} pad" in text
    assert re.search(rf"\b\d{other[0]}\b", text)


def data_of(text):
    """The data in a page."""
    return json.loads(re.search(r"const DATA = (.*);\n", text)[1])


def test_a_new_variant_is_on_the_page(added):
    assert variants_on_page()[-1] == added
    pattern = random_pattern(9, 2, np.random.default_rng(3))
    data = data_of(page(pattern, added, c=0.3))
    game, rules = data["variants"][added], THROWAWAY[added]
    assert list(data["variants"]) == [*(name for name in SHIPPED if VARIANTS[name].on_page), added]
    assert game["about"] == rules.__doc__ and game["owned"] == rules.owned
    assert [pad["name"] for pad in game["pads"]] == [f"{color} pad" for color in rules.pads]
    assert game["clashes"] == [list(pair) for pair in rules.clashes] and game["beginsOn"] == rules.begins_on
    assert game["clash"] == rules.clash.capitalize() + "."
    assert game["c"] == (0.3 if "c" in rules.parameters else -1)


def test_a_new_variant_that_is_not_on_the_page(added, monkeypatch):
    monkeypatch.setattr(THROWAWAY[added], "on_page", False)
    pattern = random_pattern(9, 2, np.random.default_rng(3))
    assert added not in data_of(page(pattern))["variants"]
    with pytest.raises(ValueError, match="in the terminal"):
        page(pattern, added)


def test_a_page_takes_the_parameters_that_a_variant_has():
    pattern = random_pattern(9, 2, np.random.default_rng(3))
    found = data_of(page(pattern, c=0.5))["variants"]
    assert {name: game["parameters"] for name, game in found.items() if game["parameters"]} == {
        "shy": {"c": 0.5},
        "shy-colored": {"c": 0.5},
        "stones": {"k": 1},
    }
    with pytest.raises(ValueError, match="no variant has a parameter 'd'"):
        page(pattern, d=1)
