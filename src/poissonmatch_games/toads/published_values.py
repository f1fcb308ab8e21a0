"""Published values of Toads and Frogs, for comparison only.

[T] Thanatipanonda, Further hopping with Toads and Frogs, Electronic J. Combin. 18 (2011), P67: tables 3.1 to 3.4 and
the remarks below table 3.1. A cell is a value, a bound such as 2<V<3 (V||3: confused with 3; N: an infinitesimal), or "?" (blank or
not legible).
"""

import re
from typing import NamedTuple

from ..partisan.value_notation import parse
from ..partisan.values import Game

# TABLES[k][a]: T^(a+k) .^b F^a for b = 1, 2, ...
_TEXT = {
    0: """
    1: * ; 0 ; * ; 0 ; * ; 0 ; * ; 0 ; * ; 0 ; * ; 0 ; * ; 0 ; * ; 0 ; * ; 0 ; * ; 0
    2: * ; * ; * ; * ; 0 ; 0 ; * ; 0 ; 0 ; 0 ; 0 ; 0 ; * ; 0 ; 0 ; 0 ; 0 ; 0 ; * ; 0
    3: * ; {1/8|-1/8} ; 0 ; * ; 0 ; * ; 0 ; 0 ; 0 ; 0 ; 0 ; 0 ; 0 ; * ; 0 ; 0 ; 0 ; 0 ; 0 ; 0
    4: * ; N ; * ; 0 ; 0 ; 0 ; 0 ; * ; * ; 0 ; 0 ; 0 ; 0 ; 0 ; 0 ; 0 ; 0 ; 0 ; 0 ; 0
    5: * ; N ; * ; * ; * ; 0 ; * ; 0 ; 0 ; 0
    6: * ; N ; * ; * ; * ; * ; *
    7: * ; N ; * ; * ; *
    8: * ; N ; * ; * ; *
    9: * ; N ; * ; *
    10: * ; N ; * ; *""",
    1: """
    1: {1/2|0} ; 1 ; 2* ; 3 ; 4* ; 5 ; 6* ; 7 ; 8* ; 9 ; 10* ; 11 ; 12* ; 13 ; 14* ; 15
    2: * ; {1/2|0} ; 1* ; 2* ; 3 ; 7/2 ; 5* ; 11/2 ; 13/2 ; 15/2 ; 17/2 ; 19/2 ; ? ; 23/2 ; 12* ; 13
    3: * ; {1*|v} ; {1|{1/2|0}} ; 1* ; 2 ; 11/4 ; 15/4 ; 9/2
    4: * ; {{2|1}|{*|-1}} ; 1* ; {{2*|1*}|{1/2|0}} ; 1 ; 2 ; ?
    5: * ; {{3|1}|{*|-2}} ; 1* ; 1* ; 1<V<2 ; 1 ; 2<V<3
    6: * ; {{4|1}|{*|-3}} ; 1* ; 1* ; 2* ; 1<V<2 ; 2<V,V||3
    7: * ; {{5|1}|{*|-4}} ; 1* ; 1* ; 2*
    8: * ; {{6|1}|{*|-5}} ; 1* ; 1* ; 2*""",
    2: """
    1: {1*|0} ; 2 ; 4* ; 6 ; 8* ; 10 ; 12* ; 14 ; 16* ; 18 ; 20* ; 22
    2: * ; {3/2|0} ; 2* ; 4* ; ? ; 15/2 ; 9* ; 11^ ; 12 ; 29/2 ; 15* ; 17*
    3: * ; {2*|v} ; 3/2 ; {{3*|5/2}|2} ; 4 ; {11/2|41/8} ; 7
    4: * ; {{3|2}|{*|-1}} ; 2* ; {{4*|2*}|{3/2|1}} ; 3 ; 4 ; 5*
    5: * ; {{4|2}|{*|-2}} ; 2* ; 2* ; 3<V<4 ; 3
    6: * ; {{5|2}|{*|-3}} ; 2* ; 2* ; 4*
    7: * ; {{6|2}|{*|-4}} ; 2* ; 2*
    8: * ; {{7|2}|{*|-5}} ; 2*""",
    3: """
    1: {{2|1}|0} ; 3 ; 6* ; 9 ; 12* ; 15 ; 18* ; 21
    2: * ; {5/2|0} ; 3* ; {6|11/2} ; {17/2|8} ; 11* ; 13 ; 31/2
    3: * ; {3*|v} ; 5/2 ; {{5*|7/2}|3,3^*} ; 41/8 ; {8,8v*|{15/2|7}}
    4: * ; {{4|3}|{*|-1}} ; 3* ; 5/2 ; 5 ; ?
    5: * ; {{5|3}|{*|-2}} ; 3* ; ? ; 5<V<6
    6: * ; {{6|3}|{*|-3}} ; 3* ; 3*""",
}


def _read(text: str) -> dict[int, list[str]]:
    rows = (line.split(":") for line in text.strip().splitlines())
    return {int(a): [cell.strip() for cell in cells.split(";")] for a, cells in rows}


TABLES: dict[int, dict[int, list[str]]] = {k: _read(text) for k, text in _TEXT.items()}

# Remarks 1 and 2 of [T], 3.1: row -> (last b, the b > 20 with value *); the other cells with b > 20 are 0
_REMARKS = {2: (103, range(25, 104, 6)), 3: (53, (29,))}


AGREEMENT = ("equal", "inside the bound", "differs")  # of a value with the published one; None if not known


class Published(NamedTuple):
    """Published cell, a value or a bound, with its source."""

    text: str
    source: str

    @property
    def value(self) -> Game | None:
        """The published value; None for a bound."""
        return None if "V" in self.text or self.text == "N" else parse(self.text)

    def agreement(self, value: Game | None) -> str | None:
        """Return one of AGREEMENT; None if the value is not known."""
        if value is None:
            return None
        if self.value is not None:
            return AGREEMENT[0 if value is self.value else 2]
        return AGREEMENT[1 if all(self._keeps(value)) else 2]

    def _keeps(self, value: Game) -> list[bool]:
        if self.text == "N":
            return [value.is_infinitesimal]
        kept = []
        for part in self.text.split(","):
            terms = re.split(r"(<|\|\|)", part)
            for left, relation, right in zip(terms[::2], terms[1::2], terms[2::2], strict=False):
                one, other = (value if term == "V" else parse(term) for term in (left, right))
                kept.append(one.compare(other) == {"<": "<", "||": "|"}[relation])
        return kept


def published(k: int, a: int, b: int) -> Published | None:
    """Return the published cell of T^(a+k) .^b F^a, or None."""
    row = TABLES.get(k, {}).get(a, [])
    if 1 <= b <= len(row):
        return None if row[b - 1] == "?" else Published(row[b - 1], f"[T] table 3.{k + 1}")
    if k == 0 and a in _REMARKS and 20 < b <= _REMARKS[a][0]:
        return Published("*" if b in _REMARKS[a][1] else "0", f"[T] remark {a - 1} of 3.1")
    return None
