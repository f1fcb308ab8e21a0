"""Published values of Toads and Frogs (`published_values.json`), and a comparison with computed values.

[T] Thanatipanonda, Further hopping with Toads and Frogs, Electronic J. Combin. 18 (2011), P67:
tables 3.1 to 3.4 and the remarks below table 3.1. A cell is a value, a bound such as 2<V<3 (V||3:
confused with 3; N: an infinitesimal), or "?" (blank or not legible).
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

from ..partisan.value_notation import parse
from ..partisan.values import Game

_TEXT = json.loads(Path(__file__).with_name("published_values.json").read_text(encoding="utf-8"))
# TABLES[k][a]: T^(a+k) .^b F^a for b = 1, 2, ...
TABLES: dict[int, dict[int, list[str]]] = {
    int(k): {int(a): row for a, row in rows.items()} for k, rows in _TEXT.items()
}

# Remarks 1 and 2 of [T], 3.1: row -> (last b, the b > 20 with value *); the other cells with b > 20
# are 0
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
    """Return the published cell of T^(a+k) .^b F^a.

    Parameters
    ----------
    k : int
        Number of toads minus number of frogs.
    a : int
        Number of frogs.
    b : int
        Number of empty squares.

    Returns
    -------
    Published or None
        The value or bound as text, and its source (Thanatipanonda 2011, tables 3.1 to 3.4 and
        remarks). None if nothing is published.

    Examples
    --------
    >>> pm.games.toads.published(0, 1, 2).text
    '0'
    """
    row = TABLES.get(k, {}).get(a, [])
    if 1 <= b <= len(row):
        return None if row[b - 1] == "?" else Published(row[b - 1], f"[T] table 3.{k + 1}")
    if k == 0 and a in _REMARKS and 20 < b <= _REMARKS[a][0]:
        return Published("*" if b in _REMARKS[a][1] else "0", f"[T] remark {a - 1} of 3.1")
    return None
