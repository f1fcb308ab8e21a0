"""Tables of families, claims, the puzzle of Lucas."""

from __future__ import annotations

import pytest

from poissonmatch.games.limits import MemoryBound
from poissonmatch.games.partisan.values import ZERO
from poissonmatch.games.toads.bounds import Bounds, bracket
from poissonmatch.games.toads.claims import CLAIM_COLUMNS, CLAIMS, Claim, check, check_rows_for_zero
from poissonmatch.games.toads.families import COLUMNS, Solver, read_bytes, read_range, read_seconds, toads_and_frogs
from poissonmatch.games.toads.outcome import OutcomeEngine
from poissonmatch.games.toads.puzzle import shortest_solution, timeline
from poissonmatch.games.toads.ruleset import ToadsAndFrogs

MEMORY = 512 * 10**6


def test_rows_are_the_declared_columns_and_agree_with_print():
    rows = list(toads_and_frogs(k=range(0, 3), a=range(1, 4), b=range(1, 5), memory=MEMORY))
    assert len(rows) == 36
    for row in rows:
        assert list(row) == list(COLUMNS)
        assert row["value"] is not None and row["bounds"] is None and row["seconds"] >= 0
        assert row["agrees"] is (True if row["published"] else None)
    assert sum(row["agrees"] is True for row in rows) == 36
    cell = next(row for row in rows if (row["k"], row["a"], row["b"]) == (1, 3, 2))
    assert (cell["value"], cell["kind"], cell["source"]) == ("{1*|v}", "hot", "[T] table 3.2")


def test_a_table_resumes_where_it_stopped():
    ranges = {"k": range(0, 2), "a": range(1, 4), "b": range(1, 4), "memory": MEMORY}
    everything = list(toads_and_frogs(**ranges))
    first = everything[:5]
    rest = list(toads_and_frogs(**ranges, done=first))
    cells = [(row["k"], row["a"], row["b"], row["value"]) for row in first + rest]
    assert cells == [(row["k"], row["a"], row["b"], row["value"]) for row in everything]
    assert list(toads_and_frogs(**ranges, done=everything)) == []
    assert list(toads_and_frogs(**ranges, seconds=0)) == []


def test_a_disagreement_would_be_reported(monkeypatch):
    from poissonmatch.games.toads import families
    from poissonmatch.games.toads.published import Published

    monkeypatch.setattr(families, "published", lambda k, a, b: Published("7*", "made up"))
    (row,) = toads_and_frogs(k=[0], a=[2], b=[3], memory=MEMORY)
    assert (row["agrees"], row["published"], row["value"]) == (False, "7*", "*")


def test_both_engines_fill_the_same_table():
    ranges = {"k": range(0, 3), "a": range(1, 4), "b": range(1, 6), "memory": MEMORY}
    canonical = list(toads_and_frogs(**ranges, engine="canonical"))
    outcome = list(toads_and_frogs(**ranges, engine="outcome"))
    bounded = 0
    for x, y in zip(canonical, outcome, strict=True):
        assert (x["k"], x["a"], x["b"]) == (y["k"], y["a"], y["b"])
        if y["value"] is None:
            bounded += 1
            assert y["bounds"]
        else:
            assert y["value"] == x["value"]
    assert 0 < bounded < len(outcome)


@pytest.mark.parametrize("strip", "TTT..FF TT..FFF TTTT..FFF TTT....FF TTT...F.F T.T...FF. TTTT....FF".split())
def test_bounds_are_true(strip):
    value = ToadsAndFrogs(strip).value
    answer = bracket(OutcomeEngine(2**24), strip, float("inf"))
    if isinstance(answer, Bounds):
        assert answer.below is not None and answer.above is not None
        assert answer.below < value < answer.above
        assert all(value.confused(x) for x in answer.confused)
    else:
        assert answer is value


def test_bounds_are_printed():
    bounds = Bounds()
    assert str(bounds) == "V not bounded"
    bounds.add(2, ">")
    bounds.add(3, "|")
    assert str(bounds) == "2 < V, V confused with 3"
    bounds.add(4, "<")
    bounds.add(1, ">")
    assert str(bounds) == "2 < V < 4, V confused with 3"


def test_memory_bound_gives_bounds():
    """A cell that the canonical engine cannot hold: bounds or a simple value from search, never an error."""
    solver = Solver(MEMORY)
    solver.quick = 0
    answer, engine, positions = solver.solve("TTTTTTTT..FFFFFF", 60)
    assert engine in ("canonical", "outcome") and positions > 0
    with pytest.raises(MemoryBound):
        Solver(10**6)
    with pytest.raises(ValueError):
        Solver(MEMORY, "magic")


@pytest.mark.parametrize("cells", [{"k": [-1]}, {"a": [-2]}, {"b": [-1]}])
def test_negative_counts(cells):
    with pytest.raises(ValueError):
        list(toads_and_frogs(**{"k": [0], "a": [1], "b": [1]} | cells, memory=MEMORY))
    with pytest.raises(TypeError):
        list(toads_and_frogs(k=[0], a=[1.5], b=[1], memory=MEMORY))


def test_readers():
    assert read_range("0..3") == range(0, 4) and read_range("7") == range(7, 8)
    assert [read_bytes(s) for s in ("4GB", "512 MB", "2GiB", "10")] == [4 * 10**9, 512 * 10**6, 2**31, 10]
    assert (read_seconds("10min"), read_seconds("1.5h"), read_seconds("90s")) == (600, 5400, 90)
    for reader, text in ((read_range, "3..1"), (read_range, "-1..2"), (read_bytes, "4 horses"), (read_seconds, "soon")):
        with pytest.raises(ValueError):
            reader(text)


# ---- claims ----
@pytest.fixture(scope="module")
def solver():
    return Solver(10**9, longest=118)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.name)
def test_claims_on_short_strips(solver, claim):
    row = check(claim, solver, 14, 600)
    assert list(row) == list(CLAIM_COLUMNS)
    assert row["holds"] and row["squares"] == 14, row
    assert row["cells"] >= 3


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


# ---- the puzzle of Lucas ----
@pytest.mark.parametrize("a", range(0, 5))
@pytest.mark.parametrize("b", range(0, 5))
def test_lucas(a, b):
    """a*b + a + b moves, a*b of them jumps."""
    rows = timeline(shortest_solution(a, b))
    assert rows[-1]["move"] == a * b + a + b
    assert sum(row["jump"] for row in rows) == a * b
    assert (rows[0]["strip"], rows[-1]["strip"]) == ("T" * a + "." + "F" * b, "F" * b + "." + "T" * a)
    for old, new in zip(rows, rows[1:], strict=False):
        assert old["strip"][new["start"]] == new["strip"][new["end"]] == new["piece"]
        assert (new["end"] > new["start"]) == (new["piece"] == "T")
        assert abs(new["end"] - new["start"]) == 1 + new["jump"]


def test_lucas_errors():
    with pytest.raises(ValueError, match="no solution"):
        shortest_solution(2, 2, blanks=0)
    with pytest.raises(MemoryBound):
        shortest_solution(5, 5, limit=10)
    with pytest.raises(TypeError):
        shortest_solution(1.5, 2)
