"""Claims: what is told of each is true, and refuted ones never hold."""

import pytest

from poissonmatch.utils.errors import IntegrityError
from poissonmatch_games.checkers import certificates
from poissonmatch_games.checkers.certificates import concludes
from poissonmatch_games.partisan.values import ZERO
from poissonmatch_games.toads import claims
from poissonmatch_games.toads.claims import CLAIM_COLUMNS, check, check_rows_for_zero, line
from poissonmatch_games.toads.conjectures import AGAINST_T5, CLAIMS, Claim
from poissonmatch_games.toads.families import Solver

BY_NAME = {claim.name: claim for claim in CLAIMS}
UNCHECKABLE = ("E6", "Corollary 1")
REFUTED = ("E4", "T4")


@pytest.fixture(scope="module")
def solver():
    return Solver(10**9, longest=118)


@pytest.fixture
def replayed(monkeypatch):
    """The names of the certificates that a test would check; the checks themselves are in other tests."""
    names = []
    monkeypatch.setattr(certificates, "check", lambda found: names.append(found["name"]))
    return names


@pytest.mark.slow
@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.name not in (*UNCHECKABLE, *REFUTED)], ids=lambda c: c.name)
def test_claims_on_short_strips(solver, claim):
    row = check(claim, solver, min(claim.max_squares, 14), 600)
    assert list(row) == list(CLAIM_COLUMNS)
    assert row["holds"] and row["squares"] == min(claim.max_squares, 14) and row["status"] in ("proved", "open"), row
    assert row["cells"] >= 3 and row["remark"].startswith(f"checked on {row['cells']} positions")


def test_every_claim_of_the_paper_is_listed():
    names = {"E1", "E2", "E3", "E4", "E5", "E6", "T1", "T2", "T3", "T4", "Theorem 1", "Theorem 2", "Corollary 1"}
    names.add("one frog")
    assert set(BY_NAME) == names | {f"Lemma 4.{n}" for n in range(1, 10)} | {"Lemma 5.1"}
    for claim in CLAIMS:
        assert (claim.status == "open") == (not claim.by), claim.name
        assert (claim.status == "refuted") == bool(claim.witness), claim.name
        assert set(claim.certificates) <= set(certificates.stored()), claim.name


@pytest.mark.parametrize("name", REFUTED)
@pytest.mark.parametrize("squares", [2, 11])
def test_a_refuted_claim_never_holds(solver, replayed, name, squares):
    """Its witness is replayed, however short the strips are that were asked for."""
    row = check(BY_NAME[name], solver, squares, 60)
    assert row["status"] == "refuted" and row["holds"] is False and row["counterexample"] == BY_NAME[name].witness
    assert line(row).startswith(f"{name}: refuted (") and "holds" not in line(row)
    assert replayed == list(BY_NAME[name].certificates)


def test_a_witness_that_is_refused_stops_the_check(solver, monkeypatch):
    monkeypatch.setattr(certificates, "load", lambda name: {"kind": "table", "name": name, "statement": ""})
    with pytest.raises(IntegrityError, match="A32 is damaged"):
        check(BY_NAME["E2"], solver, 5, 60)


@pytest.mark.parametrize("name", [*(claim.name for claim in CLAIMS if claim.certificates), "T5"])
def test_a_true_certificate_under_another_name_is_refused(solver, monkeypatch, name):
    found = certificates.load("A11")
    monkeypatch.setattr(certificates, "load", lambda name: found)
    with pytest.raises(IntegrityError, match=f"a certificate of a statement other than {name}"):
        check_rows_for_zero(solver, 3, 6, 1) if name == "T5" else check(BY_NAME[name], solver, 2, 1)


def test_each_certificate_proves_its_claim_and_no_other(monkeypatch):
    """All pairs of a stored certificate and a conclusion."""
    wanted = {}
    for listed in (*(claim.certificates for claim in CLAIMS), *AGAINST_T5.values()):
        for name, conclusion in listed.items():
            wanted.setdefault(name, []).append(conclusion)
    for name in certificates.stored():
        found = certificates.load(name)
        for other, conclusions in wanted.items():
            assert {concludes(found, conclusion) for conclusion in conclusions} == {other == name}


@pytest.mark.parametrize("name", REFUTED)
def test_the_time_for_certificates_is_not_taken_from_the_cells(solver, name, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(claims, "monotonic", lambda: now[0])
    monkeypatch.setattr(certificates, "check", lambda found: now.__setitem__(0, now[0] + 1000))
    row = check(BY_NAME[name], solver, 8, 1)
    assert row["squares"] == 8 and "not settled" not in row["remark"] and row["seconds"] >= 1000


NO_INSTANCE = [*((name, 9) for name in UNCHECKABLE), ("E3", 10), ("T2", 10), ("Theorem 2", 9), ("T5", 5)]


@pytest.mark.parametrize("name, squares", NO_INSTANCE)
def test_what_was_not_checked_says_so(solver, replayed, name, squares):
    row = check_rows_for_zero(solver, 6, squares, 60) if name == "T5" else check(BY_NAME[name], solver, squares, 60)
    assert row["holds"] is None and row["cells"] == row["squares"] == 0 and "not checked" in line(row)


def test_t2_and_t4_on_longer_strips(solver, replayed):
    """T^2 .^a F^2 = * at a = 7, 13 and 19 is among the 14 strips."""
    row = check(BY_NAME["T2"], solver, 24, 600)
    assert row["holds"] and row["cells"] == 14
    row = check(BY_NAME["T4"], solver, 12, 600)
    assert row["remark"] == f"checked on {row['cells']} positions of up to 12 squares, where it is true"


def test_a_false_claim_is_found_out(solver):
    claim = Claim("false", "T . F = 0", lambda n: iter([("T.F", (ZERO,))] if n == 3 else []))
    row = check(claim, solver, 9, 60)
    assert row["holds"] is False and row["status"] == "refuted" and row["counterexample"] == "T . F: V = *"
    assert line(row).startswith("false: refuted (this run): T . F: V = *")


@pytest.mark.slow
def test_t5_says_no_more_than_was_seen(solver, replayed):
    row = check_rows_for_zero(solver, 3, 22, 600)
    assert row["holds"] is None and row["status"] == "open"
    assert row["remark"] == "0 for 15 <= b <= 16; not 0 at b = 1, 2, 4, 6, 14"
    assert row["certificates"] == "row-3-14, row-3-29, row-3-59"
