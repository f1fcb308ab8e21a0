"""Claims about Toads and Frogs: theorems, lemmas and conjectures.

`claims.json` has their statements, status and certificates.

E1 to E6: Erickson, New Toads and Frogs results (1996). T1 to T5, Theorems 1 and 2, Corollary 1 and
the lemmas: Thanatipanonda [T], sec. 4 to 6.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Literal

from ..checkers.certificates import Conclusion
from ..partisan.values import STAR, ZERO, Game, game, number
from .one_blank_lemmas import Step, one_blank
from .strips import Strip, starting

# allowed values of a position: a list, or a predicate
Allowed = tuple[Game, ...] | Callable[[Game], bool]
Cell = tuple[Strip, Allowed]
Formula = Callable[[int], Iterator[Cell]]
Status = Literal["proved", "refuted", "open"]


@dataclass(frozen=True)
class Claim:
    """Claim about positions, with its status."""

    name: str
    statement: str
    cells: Formula  # the positions of n squares, each with the allowed values
    status: Status = "open"
    by: str = ""  # who proved or refuted it
    certificates: Mapping[str, Conclusion] = field(default_factory=dict)  # stored proofs: what each proves
    witness: str = ""  # counterexample
    max_squares: int = 59  # of a check


def infinitesimal(value: Game) -> bool:
    """Return whether the value is between all negative and all positive numbers."""
    return value.is_infinitesimal


def one_frog(toads: int, blanks: int) -> Game:
    """Return the value of T^toads .^blanks F, by Erickson's formula."""
    if blanks == 1 and toads > 1:
        return game([game([toads - 2], [1])], [0])
    return (toads - 1) * (blanks - 1) + (STAR if blanks % 2 else ZERO)


def _one_frog(n: int) -> Iterator[Cell]:
    for a in range(1, n - 1):
        yield starting(a, n - 1 - a, 1), (one_frog(a, n - 1 - a),)


def two_blanks(toads: int, frogs: int) -> Game:
    """Return the value of T^toads .. F^frogs for toads > frogs >= 2, by E1."""
    return game([game([toads - 3], [toads - frogs])], [game([STAR], [3 - frogs])])


def _e1(n: int) -> Iterator[Cell]:
    for b in range(2, n):
        if (a := n - 2 - b) > b:
            yield starting(a, 2, b), (two_blanks(a, b),)


def _e2(n: int) -> Iterator[Cell]:
    if (a := n - 5) >= 2:
        yield starting(a, 3, 2), (a - 2 + STAR,)


def _e3(n: int) -> Iterator[Cell]:
    if (a := n - 6) >= 5:
        yield starting(a, 3, 3), (number(a - Fraction(7, 2)),)


def _e4(n: int) -> Iterator[Cell]:
    a, rest = divmod(n + 1, 3)
    if a >= 1 and rest == 0:
        yield starting(a, a, a - 1), (number(1), 1 + STAR)


def _e5(n: int) -> Iterator[Cell]:
    for a in range(1, (n + 1) // 2):
        b = n - 2 * a
        if b > 0 and (a, b) != (3, 2):
            yield starting(a, b, a), infinitesimal


def _theorem2(n: int) -> Iterator[Cell]:
    if n % 2 == 0 and n >= 10:
        yield starting(n // 2 - 1, 2, n // 2 - 1), infinitesimal


def _t1(n: int) -> Iterator[Cell]:
    for a in range(2, n):
        for left in range(n - a):
            for b in range(1, n - a - left):
                right = n - a - left - b - 1
                if right < left:
                    continue
                base = number((a - 1) * (b - 1 + right))
                if right > left + 1:
                    value = right - left - 1 + base
                elif right == left + 1:
                    value = base if b % 2 == 0 else base + Fraction(1, 2)
                elif (right, b) == (0, 1):
                    value = game([game([a - 2], [1])], [0])
                else:
                    value = base if b % 2 == 0 else base + STAR
                yield "." * left + starting(a, b, 1) + "." * right, (value,)


def _t2(n: int) -> Iterator[Cell]:
    if (a := n - 4) >= 7:
        yield starting(2, a, 2), (STAR if a % 6 == 1 else ZERO,)


def _t3(n: int) -> Iterator[Cell]:
    for b in range(1, n):
        if b != 2 and (n - b) % 2 == 0 and (n - b) // 2 > b:
            yield starting((n - b) // 2, b, (n - b) // 2), (STAR,)


def _t4(n: int) -> Iterator[Cell]:
    for a in range(1, n):
        if n - 2 * a > a:
            yield starting(a, n - 2 * a, a), (ZERO, STAR)


def _jumps(n: int) -> Iterator[Cell]:
    for squares in product("TF.", repeat=n):
        strip = "".join(squares)
        if ".." not in strip and "T." not in strip and "." in strip:
            yield strip, lambda value: value <= 0


def _lemma(name: str) -> Callable[[int], Iterator[Cell]]:
    """Return the strips with one empty square that a lemma applies to; "" for all lemmas."""

    def cells(n: int) -> Iterator[Cell]:
        for pieces in product("TF", repeat=n - 1):
            for at in range(n):
                strip = "".join(pieces[:at]) + "." + "".join(pieces[at:])
                chain: list[Step] = []
                value = one_blank(strip, chain)
                if chain[0].lemma.startswith(name):
                    yield strip, (value,)

    return cells


def _lemma_5_1(n: int) -> Iterator[Cell]:
    for a in range(n):
        for k in range(n - a):
            if (b := n - a - k - 5) >= 1:
                yield "T" * a + "F." + "T" * k + "FT." + "F" * b, lambda value: value <= Fraction(1, 2**20)


def _no_cells(n: int) -> Iterator[Cell]:
    yield from ()


# claim -> its positions; those without an entry are not about single positions
_FORMULAS: dict[str, Formula] = {
    "E1": _e1,
    "E2": _e2,
    "E3": _e3,
    "E4": _e4,
    "E5": _e5,
    "one frog": _one_frog,
    "Theorem 1": _lemma(""),
    "Theorem 2": _theorem2,
    "Lemma 4.1": _jumps,
    **{f"Lemma 4.{n}": _lemma(f"Lemma 4.{n}") for n in range(2, 10)},
    "Lemma 5.1": _lemma_5_1,
    "T1": _t1,
    "T2": _t2,
    "T3": _t3,
    "T4": _t4,
}
_DATA = json.loads(Path(__file__).with_name("claims.json").read_text(encoding="utf-8"))

#: The claims with their status.
CLAIMS = tuple(Claim(cells=_FORMULAS.get(entry["name"], _no_cells), **entry) for entry in _DATA["claims"])

# certificates of counterexamples b to T^C .^b F^C = 0, which T5 claims for all large b
AGAINST_T5: dict[int, Mapping[str, Conclusion]] = {3: _DATA["against T5 for C = 3"]}
