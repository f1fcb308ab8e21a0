"""Guesses of tables: formulas around strips, and trees grown from regions of exponents."""

from __future__ import annotations

import copy
import random
import re
from functools import cache
from itertools import product

import pytest

from helpers.slow_families import form_of, leaf_of, parsed, strip_of
from poissonmatch_games.checkers import certificates
from poissonmatch_games.checkers.check_families import NAMES, Lookup, check_families
from poissonmatch_games.toads.canonical import CanonicalEngine
from toads_proofs import guess_families
from toads_proofs.guess_families import prove_class
from toads_proofs.refuted import refuted
from toads_proofs.word_values import WordValues


@cache
def as_pair(value):
    """A value of the engine as a pair (left options, right options)."""
    return tuple(sorted(map(as_pair, value.left))), tuple(sorted(map(as_pair, value.right)))


def at(text, runs):
    """The canonical form of a formula at these exponents."""
    return parsed(text, **{name: n for name, n in zip(NAMES, runs, strict=False) if name in text})


@pytest.mark.parametrize(("symbol", "word"), [("T", "..F"), ("T", ".F.F"), (".", "TF"), (".", "TFF")])
def test_the_formula_around_a_strip_is_right_there(symbol, word):
    """And for some of its neighbors, or it would be a constant."""
    values, varying = WordValues(symbol, word, CanonicalEngine()), 0
    for runs in product(range(3), repeat=len(word) + 1):
        text = values.text(values.formula(runs))
        assert at(text, runs) == form_of(strip_of(symbol, word, runs)), (runs, text)
        varying += any(name in text for name in NAMES)
    assert varying > 10


def test_what_is_proved_holds_for_strips_that_were_not_chosen():
    """On all short strips of a class with three frogs, and long ones, by the engine."""
    words, rng = prove_class("T", ".FFF")["words"], random.Random(7)
    chosen = [*product(range(3), repeat=5), *(tuple(rng.randrange(7) for _ in range(5)) for _ in range(60))]
    engine = CanonicalEngine()
    for word, tree in words.items():
        for runs in chosen:
            value = as_pair(engine.value(strip_of("T", word, runs)))
            text = leaf_of(tree, **dict(zip(NAMES, runs, strict=False)))
            assert at(text, runs) == value, (word, runs, text)


@pytest.mark.parametrize("name", ["A11", "A12", "B11"])
def test_a_tree_agrees_with_the_strips_of_its_word(name):
    certificate, engine = certificates.load(name), CanonicalEngine()
    for word, tree in certificate["words"].items():
        values = WordValues(certificate["symbol"], word, engine)
        for runs in product(range(4), repeat=len(word) + 1):
            assert values.agrees(tree, runs)
            text = leaf_of(tree, **dict(zip(NAMES, runs, strict=False)))
            assert not values.agrees(one_more(text), runs), (runs, text)


def one_more(value):
    """The first number of a value, plus 1."""
    form = re.search(r"[^{}|,*]+", value)
    return value[: form.start()] + form[0] + "+1" + value[form.end() :]


@pytest.mark.parametrize("word", [".F", "F."])
def test_a_wrong_formula_is_refuted_by_one_of_its_strips(word):
    """Change every formula of A11 by 1.

    Among the strips of the cones that are refused is one of the word for which the tree is wrong.
    """
    certificate = certificates.load("A11")
    values = WordValues("T", word, CanonicalEngine())
    assert not list(refuted(Lookup(certificate)))

    def places(tree, path=()):
        if isinstance(tree, str):
            yield path
        else:
            yield from places(tree[1], (*path, 1))
            yield from places(tree[2], (*path, 2))

    for path in places(certificate["words"][word]):
        wrong = copy.deepcopy(certificate)
        parent, key = wrong["words"], word
        for step in path:
            parent, key = parent[key], step
        parent[key] = one_more(parent[key])
        assert any(
            other == word and not values.agrees(wrong["words"][word], runs) for other, runs in refuted(Lookup(wrong))
        ), path


@pytest.mark.parametrize(("symbol", "letters", "words"), [("T", ".F", 2), (".", "TF", 2), ("T", ".FF", 3)])
def test_small_classes_are_proved(symbol, letters, words):
    assert check_families(prove_class(symbol, letters))["words"] == words


def test_values_that_no_question_separates(monkeypatch):
    monkeypatch.setattr(guess_families, "_MAX_DEPTH", 1)
    with pytest.raises(ValueError, match=r"no question separates the values of \.F at"):
        prove_class("T", ".F")


@pytest.mark.parametrize("often", [1, 99])
def test_a_table_is_mended_where_it_is_refused(monkeypatch, often):
    """The first trees of .F are wrong; if all are, there is no table."""
    grown, whole = [], guess_families._Grower.tree

    def tree(grower):
        grown.append(grower._word.word)
        return "a" if grown.count(".F") <= often and grown[-1] == ".F" else whole(grower)

    monkeypatch.setattr(guess_families._Grower, "tree", tree)
    if often == 1:
        assert check_families(prove_class("T", ".F"))["words"] == 2
        assert grown.count(".F") == 2
    else:
        with pytest.raises(ValueError, match=r"no table of \.F with runs of T: words, \.F: a is not the value where"):
            prove_class("T", ".F")
