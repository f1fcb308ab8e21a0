"""The puzzle of Lucas."""

from __future__ import annotations

import pytest

from poissonmatch.games.limits import MemoryBound
from poissonmatch.games.toads.puzzle import shortest_solution, timeline


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
