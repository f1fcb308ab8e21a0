"""The puzzle of Lucas."""

import itertools

import pytest

from helpers import slow_toads
from helpers.tables import tables
from poissonmatch_games.toads.lucas_puzzle import lucas_plays, shortest_solution, timeline

TABLES = tables(__file__, "strips.toml")


@pytest.mark.parametrize("a", range(0, 5))
@pytest.mark.parametrize("b", range(0, 5))
@pytest.mark.parametrize("n", range(1, 4))
def test_lucas(a, b, n):
    """a*b jumps and n*(a + b) steps: with one empty square, a*b + a + b moves."""
    rows = timeline(shortest_solution(a, b, n))
    assert rows[-1]["move"] == a * b + n * (a + b)
    assert sum(row["jump"] for row in rows) == a * b
    assert (rows[0]["strip"], rows[-1]["strip"]) == ("T" * a + "." * n + "F" * b, "F" * b + "." * n + "T" * a)
    for old, new in itertools.pairwise(rows):
        assert (new["start"], new["strip"]) in slow_toads.moves(old["strip"], new["piece"])
        assert new["strip"][new["end"]] == new["piece"] and abs(new["end"] - new["start"]) == 1 + new["jump"]


def slow_plays(strip, goal, cache):
    """(moves of a longest play, how many there are, plays that come to the goal), by recursion."""
    if strip not in cache:
        found = [slow_plays(after, goal, cache) for piece in "TF" for _, after in slow_toads.moves(strip, piece)]
        longest = max((moves for moves, _, _ in found), default=-1) + 1
        count = sum(ways for moves, ways, _ in found if moves + 1 == longest) if found else 1
        cache[strip] = longest, count, sum(ends for *_, ends in found) + (strip == goal)
    return cache[strip]


@pytest.mark.parametrize("a", range(0, 4))
@pytest.mark.parametrize("b", range(0, 4))
@pytest.mark.parametrize("n", range(0, 4))
def test_every_play_counted(a, b, n):
    """The longest plays are the solutions."""
    start = "T" * a + "." * n + "F" * b
    found = lucas_plays(a, b, n)
    assert tuple(found) == slow_plays(start, start[::-1], {})
    if n:
        assert found.longest == a * b + n * (a + b) and found.longest_plays == found.solutions > 0


def test_how_many_solutions():
    """One empty square: two solutions; with a single frog a Fibonacci number. Toads alone: Young tableaux of a rows of n."""
    assert {lucas_plays(a, b).solutions for a in range(2, 7) for b in range(2, 7)} == {2}
    for a, b in itertools.product(range(2, 5), repeat=2):  # one begins with a toad, one with a frog
        goal = "F" * b + "." + "T" * a
        firsts = ["T" * (a - 1) + ".T" + "F" * b, "T" * a + "F." + "F" * (b - 1)]
        assert [slow_plays(strip, goal, {})[2] for strip in firsts] == [1, 1]
    for toads, frogs, blanks, number in TABLES["solutions"]:
        assert lucas_plays(toads, frogs, blanks).solutions == number
