"""How a message shows what a user wrote: printable, on one line, short."""

import numpy as np  # noqa: F401 (of a value)
import pandas as pd  # noqa: F401 (of a call)
import pytest

import poissonmatch as pm  # noqa: F401 (of a call)
from helpers.refusals import rows
from poissonmatch.utils.errors import MAX_LINE, MAX_QUOTED, BadInput, Problem, printable, quoted, shorten

QUOTED = r"""
"fussy" → 'fussy'
17 → 17
float("nan") → nan
[1, 2] → [1, 2]
"a\nb\x1b[31m" → 'a\nb\x1b[31m'
"right\u202eleft" → 'right\u202eleft'
np.zeros((2, 2)) → array([[0., 0.], [0., 0.]])
10**5000 → <int that cannot be displayed>
list(range(10**6)) → [0, 1, 2, 3, 4, 5, ...]
"""


@pytest.mark.parametrize("value, shown", rows(QUOTED))
def test_quoted(value, shown):
    assert quoted(eval(value)) == shown


def test_what_is_long_is_shortened_in_the_middle():
    text = "T" * 10**6 + "F"
    assert quoted(text).startswith("'TTT") and quoted(text).endswith("TTF'") and len(quoted(text)) <= MAX_QUOTED
    assert [shorten("abcdefghijkl", most) for most in (12, 11, 8)] == ["abcdefghijkl", "abc ... jkl", "ab ... l"]


def test_printable():
    assert printable("é — ∞ 日本") == "é — ∞ 日本"
    assert printable("a\tb\x07\x9b\ud800\u2028") == r"a\tb\x07\x9b\ud800\u2028"


def test_lines_of_bad_input_are_printable_and_short():
    first, second = str(BadInput("one\x1b[2J\n" + "x" * 10**6)).split("\n")
    assert first == r"one\x1b[2J" and len(second) == MAX_LINE


def test_a_problem_is_one_line():
    assert str(Problem("a\nb: verified", "damaged")) == r"a\nb: verified: damaged"


LONG = "T" * 10**6
UNKNOWN = """
pm.games.ToadsAndFrogs(LONG + "x")
pm.games.ToadsAndFrogs("T^9999 .^9999" * 50).value
pm.games.ToadsAndFrogs("T^" + "1" * 10**6)
pm.games.parse("1 + x" + LONG)
pm.games.parse([LONG] * 10)
pm.games.impartial.OctalGame(LONG)
pm.games.TriangleGame().grundy(LONG)
pm.games.TriangleGame().grundy((1,) * 10**6)
pm.games.TriangleGame().grundy((-(10**4000), 1, 1))
pm.frogs.solve(None, LONG)
pm.Rule(compatible=LONG)
pm.Pattern.from_frame(pd.DataFrame({"long\\n" + LONG: [0.5]}), coords=["x"])
pm.frogs.solve([], "shy", **{LONG: 1})
"""


@pytest.mark.slow
@pytest.mark.parametrize("call", UNKNOWN.strip().splitlines())
def test_messages_have_a_bounded_length(call):
    with pytest.raises((ValueError, TypeError, MemoryError, AttributeError)) as caught:
        eval(call)
    assert len(str(caught.value)) <= MAX_LINE and "\n" not in str(caught.value)
