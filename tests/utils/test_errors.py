"""How a message shows what a user wrote: printable, on one line, short."""

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from poissonmatch.utils.errors import MAX_LINE, MAX_QUOTED, BadInput, Problem, printable, quoted, shorten


@pytest.mark.parametrize(
    "value, shown",
    [
        ("fussy", "'fussy'"),
        (17, "17"),
        (float("nan"), "nan"),
        ([1, 2], "[1, 2]"),
        ("a\nb\x1b[31m", r"'a\nb\x1b[31m'"),
        ("right\u202eleft", r"'right\u202eleft'"),
        (np.zeros((2, 2)), "array([[0., 0.], [0., 0.]])"),
        (10**5000, "<int that cannot be displayed>"),
        (list(range(10**6)), "[0, 1, 2, 3, 4, 5, ...]"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_quoted(value, shown):
    assert quoted(value) == shown


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
UNKNOWN = {
    "a strip": lambda: pm.games.ToadsAndFrogs(LONG + "x"),
    "a strip too long for the engine": lambda: pm.games.ToadsAndFrogs("T^9999 .^9999" * 50).value,
    "a run of a strip": lambda: pm.games.ToadsAndFrogs("T^" + "1" * 10**6),
    "a game": lambda: pm.games.parse("1 + x" + LONG),
    "no game": lambda: pm.games.parse([LONG] * 10),
    "an octal code": lambda: pm.games.impartial.OctalGame(LONG),
    "heaps": lambda: pm.games.TriangleGame().grundy(LONG),
    "too many heaps": lambda: pm.games.TriangleGame().grundy((1,) * 10**6),
    "a number of heaps": lambda: pm.games.TriangleGame().grundy((-(10**4000), 1, 1)),
    "a variant": lambda: pm.frogs.solve(None, LONG),
    "colors that may be matched": lambda: pm.Rule(compatible=LONG),
    "a column": lambda: pm.Pattern.from_frame(pd.DataFrame({"long\n" + LONG: [0.5]}), coords=["x"]),
    "a parameter": lambda: pm.frogs.solve([], "shy", **{LONG: 1}),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", UNKNOWN)
def test_messages_have_a_bounded_length(case):
    with pytest.raises((ValueError, TypeError, MemoryError, AttributeError)) as caught:
        UNKNOWN[case]()
    assert len(str(caught.value)) <= MAX_LINE and "\n" not in str(caught.value)
