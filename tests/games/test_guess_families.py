"""Guesses of tables: formulas around strips, and trees grown from regions of exponents."""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import pytest

from helpers.slow_families import form_of, leaf_of, parsed, strip_of
from poissonmatch.games.checkers.check_families import NAMES
from poissonmatch.games.proofs import guess_families
from poissonmatch.games.proofs.guess_families import guess, prove_class
from poissonmatch.games.proofs.word_values import WordValues
from poissonmatch.games.toads.canonical import CanonicalEngine


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


def test_guesses_hold_for_strips_that_were_not_chosen():
    """On all short strips of a class with three frogs, and long ones; the checker is not asked."""
    words, rng = guess("T", ".FFF", 150), random.Random(7)
    chosen = [*product(range(3), repeat=5), *(tuple(rng.randrange(7) for _ in range(5)) for _ in range(60))]
    engine = CanonicalEngine()
    for word, tree in words.items():
        for runs in chosen:
            value = as_pair(engine.value(strip_of("T", word, runs)))
            text = leaf_of(tree, **dict(zip(NAMES, runs, strict=False)))
            assert at(text, runs) == value, (word, runs, text)


def test_a_class_of_three_frogs_is_proved():
    assert prove_class("T", ".FF")["words"].keys() == {".FF", "F.F", "FF."}


def test_values_that_no_question_separates(monkeypatch):
    monkeypatch.setattr(guess_families, "_MAX_DEPTH", 1)
    with pytest.raises(ValueError, match=r"no table of \.F with runs of T: no question separates the values of \.F at"):
        prove_class("T", ".F")


def test_a_refused_guess_is_made_again_from_more_strips(monkeypatch):
    asked = []

    def refuse(table):
        raise ValueError(f"refused {len(table['words'])} words")

    monkeypatch.setattr(guess_families, "guess", lambda symbol, letters, count, leave: asked.append(count) or {})
    monkeypatch.setattr(guess_families, "check_families", refuse)
    with pytest.raises(ValueError, match="refused 0 words"):
        prove_class("T", ".F")
    assert asked == [150, 300, 600]
