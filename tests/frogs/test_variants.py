"""A variant is one entry: one that is added at run time is solved, played and shown, and nobody asks for its name."""

import ast
import json
import re
from pathlib import Path

import numpy as np
import pytest

import poissonmatch as pm
from helpers.agreement import disagreements, small
from helpers.throwaway import OWN, THROWAWAY
from poissonmatch import frogs
from poissonmatch.frogs import VARIANTS, retrograde, rules_of, solve
from poissonmatch_games.play.frog_play import play, random_pattern
from poissonmatch_games.play.page import page, variants_on_page

ROOM = Path(frogs.__file__).parent
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
    """What a page tells its script."""
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


def literals(tree):
    """String literals of a file, without docstrings and the defaults of arguments."""
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            skipped.add(node.value)
        elif isinstance(node, ast.arguments):
            skipped |= {*node.defaults, *node.kw_defaults}
        elif isinstance(node, ast.Dict):
            skipped |= {*node.keys}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield node.value


def comparisons_of_names(tree):
    """Comparisons and searches (startswith and such) of what is called variant or .name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Attribute):
            parts = [node.value]
        else:
            continue
        for part in parts:
            named = isinstance(part, ast.Attribute) and part.attr == "name"
            if named or isinstance(part, ast.Name) and part.id == "variant":
                yield ast.unparse(node)


@pytest.mark.parametrize("path", sorted(set(ROOM.glob("*.py")) - {ROOM / "variants.py"}), ids=lambda path: path.stem)
def test_nobody_asks_for_the_name_of_a_variant(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert set(literals(tree)) & set(SHIPPED) == set()
    assert list(comparisons_of_names(tree)) == []


@pytest.mark.parametrize("name", ["matching.js", "frogs.js", "pond.js"])
def test_the_page_does_not_ask_for_the_name_of_a_variant(name):
    text = (ROOM / "browser" / name).read_text(encoding="utf-8")
    assert set(re.findall(r"""["'`]([\w-]+)["'`]""", text)) & set(SHIPPED) == set()
    assert re.findall(r"\b(?:variant|name)\s*(?:[!=]==?|\.\w+).*", text) == []


def test_what_the_wing_offers():
    for name in frogs.__all__:
        assert getattr(pm.frogs, name) is not None
    assert pm.frogs.retrograde is retrograde
