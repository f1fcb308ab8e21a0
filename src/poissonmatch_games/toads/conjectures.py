"""Registry of the claims about Toads and Frogs: theorems, lemmas and conjectures, with their status.

E1 to E6: Erickson, New Toads and Frogs results (1996). T1 to T5, Theorems 1 and 2, Corollary 1 and the lemmas:
Thanatipanonda [T], sec. 4 to 6.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Literal

from ..checkers.conclusions import Conclusion
from ..partisan.values import STAR, ZERO, Game, game, number
from .one_blank_lemmas import Step, one_blank
from .strips import Strip, starting

# allowed values of a position: a list, or a predicate
Allowed = tuple[Game, ...] | Callable[[Game], bool]
Cell = tuple[Strip, Allowed]
Status = Literal["proved", "refuted", "open"]


@dataclass(frozen=True)
class Claim:
    """Claim about positions, with its status."""

    name: str
    statement: str
    cells: Callable[[int], Iterator[Cell]]  # the positions of n squares, each with the allowed values
    status: Status = "open"
    by: str = ""  # who proved or refuted it
    certificates: Mapping[str, Conclusion] = field(
        default_factory=dict
    )  # stored proofs of the status: what each proves
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


def _e1(n: int) -> Iterator[Cell]:
    for b in range(2, n):
        if (a := n - 2 - b) > b:
            yield starting(a, 2, b), (game([game([a - 3], [a - b])], [game([STAR], [3 - b])]),)


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


def _none(n: int) -> Iterator[Cell]:
    yield from ()


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


_T = "Thanatipanonda [T]"
_TZ = "Thanatipanonda and Zeilberger ([4] of [T])"
_ONE = {
    "4.2": "L T^a . = a, and nothing changes behind TTFF",
    "4.3": "one empty square and only jumps for both: 0 (Death Leap Principle)",
    "4.4": "L T.F R = *",
    "4.5": "L T^a . F^b R = * for a, b >= 2",
    "4.6": "L T^a . (TF)^b = {a-1|1/2^(b-1)} for a, b >= 1",
    "4.7": "L T^a . F (TF)^b = {{a-2|1/2^b}|0} for a >= 2",
    "4.8": "L T^a . (TF)^b T F^c R = {a-1|O^b(x)}, x = L T^a F (TF)^b T . F^(c-1) R, for a >= 1, c >= 2",
    "4.9": "L T^a . F (TF)^b T F^c R = {{a-2|O^(b+1)(x)}|0}, x = L T^(a-1) F (TF)^(b+1) T . F^(c-1) R, for a, c >= 2",
}


def _win(toads: int, blanks: int, frogs: int, star: int = 0, free: int = 0, first: str = "Left") -> Conclusion:
    """Return the conclusion that Left wins T^toads .^blanks F^frogs, plus the star and her free moves, if `first` starts."""
    return {"strip": starting(toads, blanks, frogs), "star": star, "free": free, "first": first}


# what the certificates prove
WINS = {
    "T4-zero": _win(6, 12, 6),
    "T4-star": _win(6, 12, 6, star=1),
    "E4": _win(7, 7, 6, free=-2, first="Right"),
    **{f"row-3-{b}": _win(3, b, 3) for b in (14, 29, 59)},
}
LEMMA_5_1 = {
    "name": "Lemma 5.1", "position": "L T^a F . T^k F T . F^b", "bound": "1/2^n", "least": dict(a=0, k=0, b=1, n=0),
}  # fmt: skip
THEOREM_2 = {"name": "Theorem 2", "position": "T^a .^2 F^a", "bound": "1/2^n", "least": dict(a=4, n=0)}


def _equality(name: str, position: str, value: str, **least: int) -> Conclusion:
    return {"name": name, "position": position, "value": value, "least": least}


# lemmas about one empty square, with any pieces L and R beyond; 4.6 and 4.7 for few pairs TF
ONE_BLANK = (
    _equality("Lemma 4.2", "L T^a . T^b", "a", a=0, b=0),
    _equality("Lemma 4.2 before toads", "L T^a . T^b R", "a", a=0, b=1),
    _equality("Lemma 4.2 before TTF", "L T^a . T^b F^c R", "a", a=0, b=2, c=1),
    _equality("Lemma 4.3", "L . R", "0"),
    _equality("Lemma 4.4", "L T . F R", "*"),
    _equality("Lemma 4.5", "L T^a . F^b R", "*", a=2, b=2),
    *(_equality(f"Lemma 4.6-{b}", "L T^a ." + " T F" * b, f"{{a-1|{Fraction(2, 2**b)}}}", a=2) for b in (1, 2, 3)),
    *(
        _equality(f"Lemma 4.7-{b}", "L T^a . F" + " T F" * b, f"{{{{a-2|{Fraction(1, 2**b)}}}|0}}", a=3)
        for b in (0, 1, 2)
    ),
)


def _of_one_blank(name: str) -> dict[str, Conclusion]:
    return next(({"one-blank": claim} for claim in ONE_BLANK if claim["name"] == name), {})


E1 = {
    "name": "E1",
    "position": "T^(b+k+1) .^2 F^b",
    "value": "{{b+k-2|k+1}|{*|3-b}}",
    "least": {"b": 3, "k": 0},
}
_E1_FOR_2 = {"symbol": "T", "letters": "..FF", "word": "..FF", "runs": ["a+3", *"0000"], "value": "{a+1/2|0}"}
_E2 = {"symbol": "T", "letters": "...FF", "word": "...FF", "runs": ["a+2", *"00000"], "value": "{a|a}"}
_E3 = {"symbol": "T", "letters": "...FFF", "word": "...FFF", "runs": ["a+5", *"000000"], "value": "a+3/2"}

_proved = partial(Claim, status="proved", by=_T)

#: The claims with their status.
CLAIMS: tuple[Claim, ...] = (
    Claim(
        "E1",
        "T^a .. F^b = {{a-3|a-b}|{*|3-b}} for a > b >= 2",
        _e1,
        "proved",
        "Thanatipanonda ([5] of [T])",
        {"E1": E1, "A22": _E1_FOR_2},
    ),
    Claim("E2", "T^a ... FF = {a-2|a-2} for a >= 2", _e2, "proved", _TZ, {"A32": _E2}),
    Claim("E3", "T^a ... FFF = a - 7/2 for a >= 5", _e3, "proved", "Thanatipanonda ([5] of [T])", {"A33": _E3}),
    Claim("E4", "T^a .^a F^(a-1) = 1 or {1|1}", _e4, "refuted", _T, {"E4": WINS["E4"]}, "T^7 .^7 F^6 >= 2"),
    Claim("E5", "T^a .^b F^a is infinitesimal except (a, b) = (3, 2)", _e5),
    Claim("E6", "it is NP-hard to say who wins a position", _none, "proved", "Hull (2000, [3] of [T])"),
    Claim(
        "one frog",
        "T^a .^b F = (a-1)(b-1), plus * if b is odd, but {{a-2|1}|0} for b = 1 < a",
        _one_frog,
        "proved",
        "Erickson (1996)",
    ),
    _proved("Theorem 1", "Lemmas 4.2 to 4.9 settle every strip with one empty square", _lemma(""), max_squares=11),
    _proved("Theorem 2", "T^a .. F^a is infinitesimal for a >= 4", _theorem2, certificates={"Theorem-2": THEOREM_2}),
    _proved("Corollary 1", "E4 is false", _none, certificates={"E4": WINS["E4"]}),
    _proved("Lemma 4.1", "no two adjacent empty squares and only jumps for Left: <= 0", _jumps, max_squares=9),
    *(
        _proved(
            f"Lemma {n}",
            text,
            _lemma(f"Lemma {n}"),
            certificates=_of_one_blank(f"Lemma {n}"),
            max_squares=10,
        )
        for n, text in _ONE.items()
    ),
    _proved(
        "Lemma 5.1",
        "L T^a F . T^k F T . F^b <= 1/2^n for b >= 1, all n",
        _lemma_5_1,
        certificates={"Theorem-2": LEMMA_5_1},
        max_squares=16,
    ),
    Claim("T1", "the values of .^L T^a .^b F .^R, a > 1, b > 0, R >= L", _t1),
    Claim("T2", "for a >= 7, TT .^a FF = * exactly when a = 7 + 6n, else 0", _t2),
    Claim("T3", "T^a .^b F^a = * for a > b > 0, b != 2", _t3),
    Claim(
        "T4",
        "T^a .^b F^a = 0 or * for b > a > 0",
        _t4,
        "refuted",
        "this package",
        {name: WINS[name] for name in ("T4-zero", "T4-star")},
        "T^6 .^12 F^6 is neither",
    ),
)

# certificates of counterexamples b to T^C .^b F^C = 0, which T5 claims for all large b
AGAINST_T5: dict[int, Mapping[str, Conclusion]] = {3: {name: x for name, x in WINS.items() if name.startswith("row-3")}}
