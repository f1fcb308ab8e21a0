"""Proofs by cases found by the search: of what is true, and of nothing else."""

from __future__ import annotations

import pytest

from poissonmatch_games.checkers import certificates
from poissonmatch_games.checkers.certificates import concludes
from poissonmatch_games.checkers.check_cases import check_cases
from poissonmatch_games.checkers.check_families import Lookup
from toads_proofs.find_cases import find_cases
from toads_proofs.provers import LEMMA_5_1, THEOREM_2


def test_proofs_are_found_anew():
    tables = {name: Lookup(certificates.load(name)) for name in ("A21", "A22")}
    certificate = find_cases([LEMMA_5_1, THEOREM_2], tables)
    assert check_cases(certificate, tables)["claims"] == 2


@pytest.mark.parametrize(
    "claim",
    [
        {"name": "false", "position": "T^a .^2 F^a", "bound": "0", "least": {"a": 4}},
        {"name": "false", "position": "T^a . F^b", "bound": "1/2^n", "least": {"a": 1, "b": 0, "n": 0}},
    ],
)
def test_no_proof_of_what_is_false(claim):
    with pytest.raises(ValueError, match="no proof of false"):
        find_cases([claim], {}, depth=3)


def test_values_are_proved_from_both_sides():
    """Right's strategy in position - value, and in the mirror image plus the value."""
    claim = {"name": "toads", "position": "T^a . T^b", "value": "a", "least": {"a": 0, "b": 0}}
    proved = {"kind": "cases", "name": "x", "statement": "", "uses": [], **find_cases([claim], {}, depth=4)}
    assert certificates.check(proved)["claims"] == 1
    assert set(proved["claims"][0]) == {*claim, "proof", "mirror"}
    assert concludes(proved, claim) and not concludes(proved, {**claim, "value": "a+1"})


def test_claims_help_each_other_below_a_move():
    """Check two claims that need each other.

    For each a, the claim about odd ones needs that about even ones, and the other way round. Their
    order is arbitrary.
    """
    even = {"name": "even", "position": "T^(2a) . T^b", "bound": "2a", "least": {"a": 0, "b": 0}}
    odd = {"name": "odd", "position": "T^(2a+1) . T^b", "bound": "2a+1", "least": {"a": 0, "b": 0}}
    for claims in ([even, odd], [odd, even]):
        certificate = find_cases(claims, {}, depth=1)
        assert check_cases(certificate, {})["claims"] == 2
