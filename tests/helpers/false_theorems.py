"""False theorems written by hand, for the checkers to refuse: each with a position where it is false.

An entry is (certificate, witness). The witness says what the certificate claims of one strip: (strip, "<=", bound) or (strip, "=", value);
or (strip, star, free, first): that Left wins it.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import poissonmatch.games.checkers as checkers
from poissonmatch.games.proofs.find_cases import find_cases

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


# true: .^(c+d) F .^m T .^c <= 0, and .^c T .^(2b) F .^c <= 0
EVEN = find_cases(
    [
        {"name": "apart", "position": ".^(c+d) F .^m T .^c", "bound": "0", "least": {"c": 0, "d": 0, "m": 0}},
        {"name": "even", "position": ".^c T .^(2b) F .^c", "bound": "0", "least": {"c": 0, "b": 0}},
    ],
    {},
)["claims"]
ADJACENT = claim("r", "R .", at("R . <= 0", **JUMPS))

TWO = claim("two", "T .^2", at("T .^2 <= 2", by="play"), bound="2")


def value_claim(name, position, value, proof, **least):
    return {"name": name, "position": position, "value": value, "least": least, "proof": proof}


# true: T^a . T^b <= a
[TOADS] = find_cases([{"name": "toads", "position": "T^a . T^b", "bound": "a", "least": {"a": 0, "b": 0}}], {})[
    "claims"
]

CASES = {
    "R first": (cases(ADJACENT, claim("t", "T .", by_claim("T . <= 0", "r", R="T"))), ("T.", "<=", 0)),
    "R first, two empty squares": (
        cases(claim("r", "R .^2", at("R .^2 <= 0", moves=[])), claim("t", "T .^2", by_claim("T .^2 <= 0", "r", R="T"))),
        ("T..", "<=", 0),
    ),
    "R in the middle": (
        cases(claim("r", "T R .", at("T R . <= 0", moves=[])), claim("t", "T .", by_claim("T . <= 0", "r", R=""))),
        ("T.", "<=", 0),
    ),
    "R twice": (
        cases(claim("r", "R . R", at("R . R <= 0", **JUMPS)), claim("t", "T .", by_claim("T . <= 0", "r", R="T"))),
        ("T.", "<=", 0),
    ),
    "L behind a toad": (
        cases(
            claim("l", "T L .^2", at("T L .^2 <= 0", moves=[])), claim("t", "T .^2", by_claim("T .^2 <= 0", "l", L=""))
        ),
        ("T..", "<=", 0),
    ),
    "L last": (
        cases(claim("l", "T L", at("T L <= 0", moves=[])), claim("t", "T . F", by_claim("T . F <= 0", "l", L=". F"))),
        ("T.F", "<=", 0),
    ),
    "L ends in a toad": (
        cases(claim("l", "L .", at("L . <= 0", **JUMPS)), claim("t", "T .", by_claim("T . <= 0", "l", L="T"))),
        ("T.", "<=", 0),
    ),
    "L with an empty square": (
        cases(
            claim("l", "L .", at("L . <= 0", **JUMPS)), claim("t", "T . F .", by_claim("T . F . <= 0", "l", L="T . F"))
        ),
        ("T.F.", "<=", 0),
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
    "least of one half": (
        cases(
            EVEN[0],
            {**EVEN[1], "position": ".^c T .^(2b-1) F .^c", "least": {"b": "1/2", "c": 0}},
            claim("star", "T . F", by_claim("T . F <= 0", "even", b="1", c="0")),
        ),
        ("T.F", "<=", 0),
    ),
    "half a power": (
        cases(
            claim(
                "t",
                "T F .^2",
                at("T F .^2 <= 1/2^(1/2)", moves=[[1, at(". F T . <= 0", moves=[[0, at("F .^2 T <= 0", moves=[])]])]]),
                bound="1/2^(1/2)",
            )
        ),
        ("TF..", "<=", Fraction(5, 7)),
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
    "a bound below zero": (
        cases(claim("t", "F .", at("F . <= 1/2^(-5)", moves=[]), bound="-5")),
        ("F.", "<=", -5),
    ),
    "a claim by itself": (cases(claim("t", "T .", by_claim("T . <= 0", "t"))), ("T.", "<=", 0)),
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
    "each other, after moves in the bound only": (
        cases(
            claim(
                "t",
                "T .",
                at(
                    "T . <= {0|{{1|0}|0}}",
                    moves=[[0, at(". T <= 0", **JUMPS)], [0, by_claim("T . <= {1|0}", "u")]],
                ),
                bound="{0|{{1|0}|0}}",
            ),
            claim("u", "T .", by_claim("T . <= {1|0}", "t"), bound="{1|0}"),
        ),
        ("T.", "<=", 0),
    ),
    "a value with one proof": (
        cases(value_claim("t", "T .^2", "3", at("T .^2 <= 3", by="play"))),
        ("T..", "=", "3"),
    ),
    "a value with a proof for another": (
        cases({**value_claim("t", "T .^2", "3", at("T .^2 <= 3", by="play")), "mirror": at(".^2 F <= -2", by="play")}),
        ("T..", "=", "3"),
    ),
    "a bound and a value": (
        cases({**claim("t", "T .^2", at("T .^2 <= 3", by="play"), bound="3"), "value": "3"}),
        ("T..", "=", "3"),
    ),
    "a bound with two proofs": (
        cases({**claim("t", "T .", at("T . <= 0", by="play")), "mirror": at(". F <= 0", by="play")}),
        ("T.", "<=", 0),
    ),
    "played with a parameter": (cases(claim("t", "T^(a+1) .", at("T^(a+1) . <= 0", by="play"), a=0)), ("T.", "<=", 0)),
    "played with L": (cases(claim("t", "L . T .", at("L . T . <= 0", by="play"))), (".T.", "<=", 0)),
    "played badly": (cases(claim("t", "T F .^2", at("T F .^2 <= 0", by="play"))), ("TF..", "<=", 0)),
    "half a parameter in a bound": (
        cases(claim("t", "T .^a", at("T .^a <= 1/2a", by="play"), bound="1/2a", a=0)),
        ("T.", "<=", Fraction(1, 2)),
    ),
    "a smaller bound of the same claim": (
        cases(TWO, claim("t", "T .^2", by_claim("T .^2 <= 1", "two"), bound="1")),
        ("T..", "<=", 1),
    ),
    "a power for a value": (
        cases(TWO, claim("t", "T .^2", by_claim("T .^2 <= 1/2^0", "two"), bound="1/2^0")),
        ("T..", "<=", 1),
    ),
    "both jumps and moves": (cases(claim("t", "T .", {**at("T . <= 0", moves=[]), **JUMPS})), ("T.", "<=", 0)),
    "an exponent in superscript": (
        cases(claim("t", "T^\N{SUPERSCRIPT TWO} .", at("T^2 . <= 1", by="play"), bound="1")),
        ("TT.", "<=", 1),
    ),
    "an exponent in digits of another script": (
        cases(claim("t", "T^\N{FULLWIDTH DIGIT TWO} .", at("T . <= 1", by="play"), bound="1")),
        ("TT.", "<=", 1),
    ),
    "a minus of another script": (
        cases(claim("t", "F .", at("F . <= 0", **JUMPS), bound="\N{MINUS SIGN}1")),
        ("F.", "<=", -1),
    ),
    "a negative exponent": (
        cases(claim("t", "T^(2-a) .", at("T^(2-a) . <= 2-a", moves=[]), bound="1-a", a=0)),
        ("TT.", "<=", 1),
    ),
    "a negative exponent in an instance": (
        cases(TOADS, claim("t", "T .", by_claim("T . <= 0", "toads", a="1", b="-1"))),
        ("T.", "<=", 0),
    ),
    "an exponent beyond the toads": (
        cases(TOADS, claim("t", "T .^2", by_claim("T .^2 <= 1", "toads", a="1", b="0"), bound="1")),
        ("T..", "<=", 1),
    ),
    "a parameter that the claim has not": (
        cases(TOADS, claim("t", "T^2 .", by_claim("T^2 . <= 1", "toads", a="1", b="0", c="1"), bound="1")),
        ("TT.", "<=", 1),
    ),
    "a parameter left out": (
        cases(TOADS, claim("t", "T^2 .", by_claim("T^2 . <= 0", "toads", b="2"))),
        ("TT.", "<=", 0),
    ),
    "parameters exchanged": (
        cases(TOADS, claim("t", "T^a . T^b", by_claim("T^a . T^b <= b", "toads", a="b", b="a"), bound="b", a=0, b=0)),
        ("T.", "<=", 0),
    ),
    "a least value that is true": (
        cases({**TOADS, "position": "T^a . T", "least": {"a": True}}, claim("t", "T .", at("T . <= 0", by="play"))),
        ("T.", "<=", 0),
    ),
    "a least value without end": (
        cases({**claim("t", "T^a .", at("T^a . <= 0", **JUMPS)), "least": {"a": float("inf")}}),
        ("T.", "<=", 0),
    ),
    "a least value that is no number": (
        cases({**claim("t", "T^a .", at("T^a . <= 0", **JUMPS)), "least": {"a": float("nan")}}),
        ("T.", "<=", 0),
    ),
    "a least value of -0.0": (
        cases({**claim("t", "T^a .", at("T^a . <= 0", **JUMPS)), "least": {"a": -0.0}}),
        ("T.", "<=", 0),
    ),
    "a least value below zero": (
        cases({**claim("t", "T^(a+1) .", at("T^(a+1) . <= 0", **JUMPS)), "least": {"a": -1}}),
        ("T.", "<=", 0),
    ),
    "an empty position below zero": (cases(claim("t", "", at(" <= -1", moves=[]), bound="-1")), ("", "<=", -1)),
    "an empty position below zero, by jumps": (
        cases(claim("t", "", at(" <= -1", **JUMPS), bound="-1")),
        ("", "<=", -1),
    ),
    "an empty position below a value": (
        cases(claim("t", "", at(" <= {1|-1}", moves=[]), bound="{1|-1}")),
        ("", "<=", "{1|-1}"),
    ),
    "a wall alone": (cases(claim("t", "T^2 F^2", at("T^2 F^2 <= -1", by="wall"), bound="-1")), ("TTFF", "<=", -1)),
    "a wall of one toad or more": (
        cases(
            claim("t", ". T^a F^2", at(". T^(a+1) F^2 <= 0", by="wall"), a=1),
            claim("u", "T^2 . T F^2 .", at("T^2 . T F^2 . <= 1", by="wall"), bound="1"),
        ),
        ("TT.TFF.", "<=", 1),
    ),
    "a wall behind unknown pieces": (
        cases(
            claim("l", "L T^2 F^2", at("L T^2 F^2 <= 0", by="wall")),
            claim("t", "T F T^2 F^2", by_claim("T F T^2 F^2 <= -1", "l", L="T F"), bound="-1"),
        ),
        ("TFTTFF", "<=", -1),
    ),
    "jumps over an exponent that may be 1": (
        cases(claim("t", "F T F .^a", at("F T F .^(a+1) <= 0", **JUMPS), a=1)),
        ("FTF..", "<=", 0),
    ),
    "jumps of unknown pieces": (
        cases(claim("l", "L T^a .", at("L T^a . <= 0", **JUMPS), a=0)),
        ("T.", "<=", 0),
    ),
    "a case is missing": (
        cases(claim("t", "T^a .", {"split": "a", "cases": []}, a=0)),
        ("T.", "<=", 0),
    ),
    "a split along another parameter": (
        cases(
            claim(
                "t",
                "T^a . T^b",
                {"split": "a-b", "cases": [at("T^a . T^a <= 0", **JUMPS), at("T^a . T^b <= 0", **JUMPS)]},
                a=0,
                b=0,
            )
        ),
        ("T.", "<=", 0),
    ),
    "a split with no parameter": (
        cases(claim("t", "T .", {"split": "z-1", "cases": [at("T . <= 0", **JUMPS), by_claim("T . <= 0", "t")]})),
        ("T.", "<=", 0),
    ),
    "a split that its cases do not cover": (
        cases(
            claim("t", "F T^a .", {"split": "a-2", "cases": [at("F . <= 0", **JUMPS), at("F . <= 0", **JUMPS)]}, a=0)
        ),
        ("FT.", "<=", 0),
    ),
    "three cases": (
        cases(claim("t", "F T^a .", {"split": "a-2", "cases": [at("F . <= 0", **JUMPS)] * 3}, a=0)),
        ("FT.", "<=", 0),
    ),
    "its own mirror image": (
        cases({**value_claim("t", ".", "*", by_claim(". <= {0|0}", "t")), "mirror": by_claim(". <= {0|0}", "t")}),
        (".", "=", "*"),
    ),
    "its mirror image, proved later": (
        cases({**value_claim("t", "T . F", "0", by_claim("T . F <= 0", "t")), "mirror": by_claim("T . F <= 0", "t")}),
        ("T.F", "=", "0"),
    ),
    "three claims in a circle": (
        cases(*(claim(name, "T .", by_claim("T . <= 0", then)) for name, then in ("ab", "bc", "ca"))),
        ("T.", "<=", 0),
    ),
    "a claim with two names": (
        cases(claim(["t"], "T .", by_claim("T . <= 0", ["t"]))),
        ("T.", "<=", 0),
    ),
    "reply -1": (
        cases(claim("t", "T . F", at("T . F <= 0", moves=[[-1, at("T F . <= 0", **JUMPS)]]))),
        ("T.F", "<=", 0),
    ),
    "reply true": (
        cases(claim("t", "T . F .", at("T . F . <= 0", moves=[[True, at("F T . . <= 0", **JUMPS)]]))),
        ("T.F.", "<=", 0),
    ),
    "a reply of a toad": (
        cases(claim("t", "T .^2", at("T .^2 <= 1", moves=[[0, at(".^2 T <= 1", by="play")]]), bound="1")),
        ("T..", "<=", 1),
    ),
    "a bound of 1/2^-1": (
        cases(claim("t", "T F .^2", at("T F .^2 <= 1/2^-1", moves=[]), bound="1/2^-1")),
        ("TF..", "<=", Fraction(5, 7)),
    ),
    "a bound in braces that is a number": (
        cases(claim("t", "T .^2", at("T .^2 <= {1|2}", by="play"), bound="{1|2}")),
        ("T..", "<=", Fraction(3, 2)),
    ),
    "a bound in braces that is a number for one exponent": (
        cases(
            claim("t", "T .^2", by_claim("T .^2 <= {1|2}", "u"), bound="{1|2}"),
            claim("u", "T .^2", at("T .^2 <= {a+1|2}", by="play"), bound="{a+1|2}", a=0),
        ),
        ("T..", "<=", Fraction(3, 2)),
    ),
    "a bound without end": (
        cases({**claim("t", "T .^2", at("T .^2 <= 0", by="play")), "bound": float("inf")}),
        ("T..", "<=", 1),
    ),
    "a bound of a third": (
        cases(claim("t", "T F .^2", at("T F .^2 <= 1/3", by="play"), bound="1/3")),
        ("TF..", "<=", Fraction(1, 2)),
    ),
    "two stars": (cases(claim("t", "T . F", at("T . F <= 0**", by="play"), bound="0**")), ("T.F", "<=", 0)),
    "an exponent twice": (cases(claim("t", "T^2^0 .", at(". <= 0", **JUMPS))), ("TT.", "<=", 0)),
    "an unknown piece many times": (cases(claim("t", "L^0 T .", at("T . <= 0", **JUMPS))), ("T.", "<=", 0)),
    "a piece in small letters": (cases(claim("t", "T . f", at("T . f <= 0", **JUMPS))), ("T.F", "<=", 0)),
    "a table that is not used": (
        cases(claim("t", "T . F", at("T . F <= 0", by="values", table="A11"))),
        ("T.F", "<=", 0),
    ),
    "a value of the mirror image": (
        cases(claim("t", "T .", at("T . <= -1", by="values", table="A11"), bound="-1"), uses=["A11"]),
        ("T.", "<=", -1),
    ),
    "a table of another start": (
        cases(claim("t", "T^a . F", at("T^(a+1) . F <= 0", by="values", table="A11"), bound="0", a=1), uses=["A11"]),
        ("T.F", "<=", 0),
    ),
}


# true base proofs of the entries above, which must be accepted, so that the forgery alone is refused
TRUE = [cases(*EVEN), cases(TWO), cases(TOADS), cases(claim("l", "L .", at("L . <= 0", **JUMPS)))]
