"""Guessed trees of words whose values bend along given linear forms, and mirror images."""

from __future__ import annotations

import pytest

from poissonmatch_games.checkers import certificates
from poissonmatch_games.checkers.check_families import check_families
from poissonmatch_games.toads.canonical import CanonicalEngine
from toads_proofs.guess_pieces import Pieces, mirrored


def table(words):
    return {"kind": "families", "symbol": ".", "letters": "TF", "words": words}


def test_b11_is_guessed_from_the_form_where_it_bends():
    """.^a T .^b F .^c bends where a - c is near 0."""
    engine = CanonicalEngine()
    words = {word: Pieces(word, 14, ["-a+c"], engine).tree() for word in ("TF", "FT")}
    assert check_families(table(words))["words"] == 2


def test_forms_that_do_not_separate_the_values():
    with pytest.raises(ValueError, match="no question separates"):
        Pieces("TF", 14, ["b"], CanonicalEngine()).tree()


def test_mirror_images_of_tables():
    """Check that the mirror image of B11 is a table of B11.

    Twice mirrored it is as it was, up to the order of names.
    """
    words = certificates.load("B11")["words"]
    assert check_families(table(mirrored(words)))["formulas"] == check_families(table(words))["formulas"]
    assert mirrored(mirrored(mirrored(words))) == mirrored(words)
    questions = {"TF": ["3 divides a-2b+1", "a+1/2", "{b|{c|0,-1}}"]}
    assert mirrored(questions) == {"TF": ["3 divides -2b+c+1", "-c-1/2", "{{0,1|-a}|-b}"]}


def test_b12_and_b21_are_mirror_images():
    one, other = (certificates.load(name)["words"] for name in ("B12", "B21"))
    assert mirrored(one) == other and mirrored(other) == one
