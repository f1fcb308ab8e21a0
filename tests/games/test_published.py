"""Printed cells: transcribed twice, and what it means to agree with them."""

from __future__ import annotations

import pytest

from helpers.strips_of_toads import value
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.toads.published_values import TABLES, Published, published
from poissonmatch_games.toads.strips import starting

# The tables once more, from the printed pages: columns, where the first transcription has rows; "~" is not legible.
AGAIN = {
    0: {
        1: "* * * * * * * * * *",
        2: "0 * {1/8|-1/8} N N N N N N N",
        3: "* * 0 * * * * * * *",
        4: "0 * * 0 * * * * * *",
        5: "* 0 0 0 * * * *",
        6: "0 0 * 0 0 *",
        7: "* * 0 0 * *",
        8: "0 0 0 * 0",
        9: "* 0 0 * 0",
        10: "0 0 0 0 0",
        11: "* 0 0 0 0",
        12: "0 0 0 0",
        13: "* * 0 0",
        14: "0 0 * 0",
        15: "* 0 0 0",
        16: "0 0 0 0",
        17: "* 0 0 0",
        18: "0 0 0 0",
        19: "* * 0 0",
        20: "0 0 0 0",
    },
    1: {
        1: "{1/2|0} * * * * * * *",
        2: "1 {1/2|0} ~ {{2|1}|{*|-1}} {{3|1}|{*|-2}} {{4|1}|{*|-3}} {{5|1}|{*|-4}} {{6|1}|{*|-5}}",
        3: "2* 1* {1|{1/2|0}} 1* 1* 1* 1* 1*",
        4: "3 2* 1* {{2*|1*}|{1/2|0}} 1* 1* 1* 1*",
        5: "4* 3 2 1 1<V<2 2* 2* 2*",
        6: "5 ~ 11/4 2 1 1<V<2",
        7: "6* ~ 15/4 ~ 2<V<3 2<V,V||3",
        8: "7 ~ 9/2",
        9: "8* ~",
        10: "9 ~",
        11: "10* ~",
        12: "11 ~",
        13: "12* ~",
        14: "13 ~",
        15: "14* ~",
        16: "15 ~",
    },
    2: {
        1: "~ * * * * * * *",
        2: "2 {3/2|0} ~ {{3|2}|{*|-1}} {{4|2}|{*|-2}} {{5|2}|{*|-3}} {{6|2}|{*|-4}} {{7|2}|{*|-5}}",
        3: "4* 2* 3/2 2* 2* 2* 2* 2*",
        4: "6 4* ~ {{4*|2*}|{3/2|1}} 2* 2* 2*",
        5: "8* ~ 4 3 3<V<4 4*",
        6: "10 ~ ~ 4 3",
        7: "12* ~ ~ ~ ~",
        8: "14 ~",
        9: "16* ~",
        10: "18 ~",
        11: "20* ~",
        12: "22 17*",
    },
    3: {
        1: "{{2|1}|0} * * * * *",
        2: "3 {5/2|0} {3*|v} {{4|3}|{*|-1}} {{5|3}|{*|-2}} {{6|3}|{*|-3}}",
        3: "6* ~ 5/2 3* 3* 3*",
        4: "9 {6|11/2} ~ 5/2 ~ 3*",
        5: "12* {17/2|8} ~ 5 5<V<6",
        6: "15 11* ~ ~",
        7: "~ 13 ~",
        8: "21 31/2",
    },
}


@pytest.mark.parametrize("k", TABLES)
def test_the_tables_were_transcribed_twice(k):
    read = 0
    for b, column in AGAIN[k].items():
        cells = column.split()
        rows = [a for a in TABLES[k] if len(TABLES[k][a]) >= b]
        for a in rows:
            first = TABLES[k][a][b - 1]
            second = cells[a - 1] if a <= len(cells) else "~"
            if second != "~" and first != "?":
                assert first == second, (k, a, b)
                read += 1
            elif first != "?":
                assert second == "~", (k, a, b)
    assert read >= {0: 115, 1: 58, 2: 38, 3: 28}[k]


@pytest.mark.parametrize(
    ("text", "value", "agreement"),
    [
        ("2v4", "2v4", "equal"),
        ("2v4", "2v3", "differs"),
        ("1<V<2", "2v4", "inside the bound"),
        ("1<V<2", "2", "differs"),
        ("1<V<2", "{2|1}", "differs"),
        ("2<V,V||3", "3*", "inside the bound"),
        ("2<V,V||3", "5/2", "differs"),
        ("2<V,V||3", "{4|1}", "differs"),
        ("N", "^", "inside the bound"),
        ("N", "0", "inside the bound"),
        ("N", "1/16", "differs"),
        ("0", None, None),
        ("1<V<2", None, None),
    ],
)
def test_agreement(text, value, agreement):
    assert Published(text, "").agreement(value and parse(value)) == agreement


@pytest.mark.slow
@pytest.mark.parametrize(("k", "a", "b"), [(1, 5, 5), (2, 5, 5), (0, 4, 2), (0, 5, 2), (0, 6, 2)])
def test_cells_that_hold_bounds_in_print(k, a, b):
    """They were stored as values; [T] prints 1<V<2, 3<V<4 and N."""
    cell = published(k, a, b)
    assert cell.value is None
    if (k, a) != (2, 5):
        assert cell.agreement(value(starting(a + k, b, a))) == "inside the bound"


def test_blank_cells_are_not_published():
    assert published(1, 4, 7) is None and published(1, 9, 1) is None and published(7, 1, 1) is None
