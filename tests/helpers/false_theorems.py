"""False theorems written by hand, for the checkers to refuse: each with a position where it is false.

An entry is (certificate, witness). The witness says what the certificate claims of one strip: (strip, "<=", bound) or (strip, "=", value);
or (strip, star, free, first): that Left wins it.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import poissonmatch_games.checkers as checkers

DATA = Path(checkers.__file__).with_name("data")
JUMPS = {"by": "jumps"}


class Anything(str):
    """Text that equals every other text."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


def with_any_statement(part):
    """The part of a certificate in which each node says of itself what the checker wants to read."""
    if isinstance(part, list):
        return list(map(with_any_statement, part))
    if not isinstance(part, dict):
        return part
    return {key: Anything() if key == "at" else with_any_statement(x) for key, x in part.items()}


def words_of(letters):
    """Return the different orders of the letters."""
    if not letters:
        return [""]
    return sorted(first + rest for first in set(letters) for rest in words_of(letters.replace(first, "", 1)))


def stored(name):
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def claim(name, position, proof, bound="0", **least):
    return {"name": name, "position": position, "bound": bound, "least": least, "proof": proof}


def cases(*claims, uses=()):
    return {"name": "x", "statement": "", "kind": "cases", "uses": list(uses), "claims": list(claims)}


def at(statement, **reason):
    return {"at": statement, **reason}


def by_claim(statement, name, **given):
    return at(statement, by="claim", name=name, **{"with": given})


# true, and proved by the finder of proofs: .^(c+d) F .^m T .^c <= 0, .^c T .^(2b) F .^c <= 0, and T^a . T^b <= a
*EVEN, TOADS = json.loads(Path(__file__).with_name("true_lemmas.json").read_text(encoding="utf-8"))
ADJACENT = claim("r", "R .", at("R . <= 0", **JUMPS))

TWO = claim("two", "T .^2", at("T .^2 <= 2", by="play"), bound="2")


def value_claim(name, position, value, proof, **least):
    return {"name": name, "position": position, "value": value, "least": least, "proof": proof}


CASES = {
    "R first": (cases(ADJACENT, claim("t", "T .", by_claim("T . <= 0", "r", R="T"))), ("T.", "<=", 0)),
    "R in the middle": (
        cases(claim("r", "T R .", at("T R . <= 0", moves=[])), claim("t", "T .", by_claim("T . <= 0", "r", R=""))),
        ("T.", "<=", 0),
    ),
    "L behind a toad": (
        cases(
            claim("l", "T L .^2", at("T L .^2 <= 0", moves=[])), claim("t", "T .^2", by_claim("T .^2 <= 0", "l", L=""))
        ),
        ("T..", "<=", 0),
    ),
    "L ends in a toad": (
        cases(claim("l", "L .", at("L . <= 0", **JUMPS)), claim("t", "T .", by_claim("T . <= 0", "l", L="T"))),
        ("T.", "<=", 0),
    ),
    "L given as R": (
        cases(
            claim("l", "L .", at("L . <= 0", **JUMPS)),
            claim("r", "R .", by_claim("R . <= 0", "l", L="R")),
            claim("t", "T .", by_claim("T . <= 0", "r", R="T")),
        ),
        ("T.", "<=", 0),
    ),
    "half an exponent": (
        cases(*EVEN, claim("star", "T . F", by_claim("T . F <= 0", "even", b="1/2", c="0"))),
        ("T.F", "<=", 0),
    ),
    "a bound that is read as a power": (
        cases(
            claim(
                "t",
                "T . F .",
                at("T . F . <= 1/2^(1/4)", moves=[[1, at(". T F . <= 0", moves=[[0, at("F . T <= 0")]])]]),
                bound="1/4",
            )
        ),
        ("T.F.", "<=", Fraction(1, 4)),
    ),
    "two claims by each other": (
        cases(claim("t", "T .", by_claim("T . <= 0", "u")), claim("u", "T .", by_claim("T . <= 0", "t"))),
        ("T.", "<=", 0),
    ),
    "no answers": (cases(claim("t", "T .", at("T . <= 0", moves=[]))), ("T.", "<=", 0)),
    "only jumps beside a step": (cases(claim("t", "T .", at("T . <= 0", **JUMPS))), ("T.", "<=", 0)),
    "a wall of one frog": (
        cases(claim("t", "T . T^2 F .^2", at("T . T^2 F .^2 <= 0", by="wall"))),
        ("T.TTF..", "<=", 0),
    ),
    "half of the cone": (
        cases(claim("t", "F T^a .", {"split": "a-1", "cases": [at("F . <= 0", **JUMPS)]}, a=0)),
        ("FT.", "<=", 0),
    ),
    "a value of another sign": (
        cases(claim("t", "T^a .^2 F", at("T^(a+2) .^2 F <= 0", by="values", table="A21"), a=2), uses=["A21"]),
        ("TT..F", "<=", 0),
    ),
    "values of a table with runs of empty squares": (
        cases(claim("t", "T . F", at("T . F <= 0", by="values", table="B11")), uses=["B11"]),
        ("T.F", "<=", 0),
    ),
    "twice a number in braces": (
        cases(TWO, claim("t", "T .^2", by_claim("T .^2 <= {0|4}", "two"), bound="{0|4}")),
        ("T..", "<=", 1),
    ),
    "itself, after moves in the bound only": (
        cases(
            claim(
                "t",
                "T .",
                at(
                    "T . <= {0|{{1|0}|0}}",
                    moves=[[0, at(". T <= 0", **JUMPS)], [0, by_claim("T . <= {1|0}", "t")]],
                ),
                bound="{0|{{1|0}|0}}",
            )
        ),
        ("T.", "<=", 0),
    ),
    "a value with a proof for another": (
        cases({**value_claim("t", "T .^2", "3", at("T .^2 <= 3", by="play")), "mirror": at(".^2 F <= -2", by="play")}),
        ("T..", "=", "3"),
    ),
    "a bound and a value": (
        cases({**claim("t", "T .^2", at("T .^2 <= 3", by="play"), bound="3"), "value": "3"}),
        ("T..", "=", "3"),
    ),
    "played with a parameter": (cases(claim("t", "T^(a+1) .", at("T^(a+1) . <= 0", by="play"), a=0)), ("T.", "<=", 0)),
    "half a parameter in a bound": (
        cases(claim("t", "T .^a", at("T .^a <= 1/2a", by="play"), bound="1/2a", a=0)),
        ("T.", "<=", Fraction(1, 2)),
    ),
    "both jumps and moves": (cases(claim("t", "T .", {**at("T . <= 0", moves=[]), **JUMPS})), ("T.", "<=", 0)),
}


# true base proofs of the entries above, which must be accepted, so that the forgery alone is refused
TRUE = [cases(*EVEN), cases(TWO), cases(TOADS), cases(claim("l", "L .", at("L . <= 0", **JUMPS)))]
