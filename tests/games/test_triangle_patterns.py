"""The patterns of the nim-values of the Triangle Game."""

import poissonmatch_games as g
from triangle_statements import triangle_patterns


def test_patterns_up_to_180():
    """Verified up to 180 here (docs/impartial-games.md: further); exceptions listed by the program."""
    patterns = {pattern.statement: pattern for pattern in triangle_patterns(g.TriangleGame(), 180)}
    failing = {s: p.first_failures for s, p in patterns.items() if p.failures}
    assert failing == {
        "value 1 has total 4k + 1, and a heap with 2k or 2k + 1": ((1, 1, 1), (3, 3, 3)),
        "a heap at least twice the other two together: value = total": (
            (1, 3, 0), (2, 5, 0), (2, 6, 0), (4, 10, 1), (4, 11, 0), (4, 11, 1), (4, 12, 0),
        ),
    }  # fmt: skip
    assert all(
        pattern.checked > 700 and pattern.failures == len(pattern.first_failures) for pattern in patterns.values()
    )
