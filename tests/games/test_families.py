"""Tables of families, and the readers of ranges and bounds."""

import pytest

from poissonmatch_games.cost_bounds import MemoryBound
from poissonmatch_games.partisan.forms import KNOWN
from poissonmatch_games.partisan.values import Game
from poissonmatch_games.toads.families import Solver, read_bytes, read_range, read_seconds, toads_and_frogs

MEMORY = 512 * 10**6


def test_a_disagreement_would_be_reported(monkeypatch):
    from poissonmatch_games.toads import families
    from poissonmatch_games.toads.published_values import Published

    monkeypatch.setattr(families, "published", lambda k, a, b: Published("7*", "made up"))
    (row,) = toads_and_frogs(k=[0], a=[2], b=[3], memory=MEMORY)
    assert (row["agrees"], row["published"], row["value"]) == ("differs", "7*", "*")


def test_memory_bound_gives_bounds():
    """A cell that the canonical engine cannot hold: bounds or a simple value from search, never an error."""
    solver = Solver(MEMORY)
    answer, engine, positions = solver.solve("TTTTTTTT..FFFFFF", 60)
    assert engine in ("canonical", "outcome") and positions > 0
    with pytest.raises(MemoryBound):
        Solver(10**6)


def test_what_a_process_remembers_leaves_memory_for_a_strip():
    KNOWN.update({(-1, k): True for k in range(400_000)})  # 160 MB, as they are counted
    answer, engine, _ = Solver(512 * 10**6).solve("TTT..FFF", 60)
    assert isinstance(answer, Game) and engine == "canonical"


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
