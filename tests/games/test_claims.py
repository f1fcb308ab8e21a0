"""Conjectures and theorems, checked on short strips."""

from __future__ import annotations

import pytest

from poissonmatch.games.partisan.values import ZERO
from poissonmatch.games.toads.claims import CLAIM_COLUMNS, CLAIMS, Claim, check, check_rows_for_zero
from poissonmatch.games.toads.families import Solver


@pytest.fixture(scope="module")
def solver():
    return Solver(10**9, longest=118)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.name)
def test_claims_on_short_strips(solver, claim):
    row = check(claim, solver, 14, 600)
    assert list(row) == list(CLAIM_COLUMNS)
    assert row["holds"] and row["squares"] == 14, row
    assert row["cells"] >= 3


@pytest.mark.long
def test_t2_and_t4_on_longer_strips(solver):
    claims = {claim.name: claim for claim in CLAIMS}
    row = check(claims["T2"], solver, 35, 600)
    assert row["holds"] and row["cells"] == 25
    assert check(claims["T4"], solver, 16, 600)["holds"]


def test_a_false_claim_is_found_out(solver):
    claim = Claim("false", "T . F = 0", lambda n: iter([("T.F", (ZERO,))] if n == 3 else []))
    row = check(claim, solver, 9, 60)
    assert row["holds"] is False and row["counterexample"] == "T . F: V = *"


@pytest.mark.slow
def test_e4_is_false():
    claims = {claim.name: claim for claim in CLAIMS}
    row = check(claims["E4"], Solver(2 * 10**9), 20, 900)
    assert row["holds"] is False and row["counterexample"].startswith("T^7 .^7 F^6: ")


def test_t5_says_no_more_than_was_seen(solver):
    row = check_rows_for_zero(solver, 3, 22, 60)
    assert row["holds"] is None
    assert row["remark"] == "0 for 15 <= b <= 16; not 0 at b = 1, 2, 4, 6, 14"
