"""More false proofs by cases written by hand, as those of `false_theorems`."""

from __future__ import annotations

from fractions import Fraction

from helpers.false_theorems import JUMPS, TOADS, at, by_claim, cases, claim, value_claim

MORE_CASES = {
    "an exponent in superscript": (
        cases(claim("t", "T^\N{SUPERSCRIPT TWO} .", at("T^2 . <= 1", by="play"), bound="1")),
        ("TT.", "<=", 1),
    ),
    "a negative exponent": (
        cases(claim("t", "T^(2-a) .", at("T^(2-a) . <= 2-a", moves=[]), bound="1-a", a=0)),
        ("TT.", "<=", 1),
    ),
    "an exponent beyond the toads": (
        cases(TOADS, claim("t", "T .^2", by_claim("T .^2 <= 1", "toads", a="1", b="0"), bound="1")),
        ("T..", "<=", 1),
    ),
    "a parameter that the claim has not": (
        cases(TOADS, claim("t", "T^2 .", by_claim("T^2 . <= 1", "toads", a="1", b="0", c="1"), bound="1")),
        ("TT.", "<=", 1),
    ),
    "parameters exchanged": (
        cases(TOADS, claim("t", "T^a . T^b", by_claim("T^a . T^b <= b", "toads", a="b", b="a"), bound="b", a=0, b=0)),
        ("T.", "<=", 0),
    ),
    "a least value that is true": (
        cases({**TOADS, "position": "T^a . T", "least": {"a": True}}, claim("t", "T .", at("T . <= 0", by="play"))),
        ("T.", "<=", 0),
    ),
    "an empty position below zero": (cases(claim("t", "", at(" <= -1", moves=[]), bound="-1")), ("", "<=", -1)),
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
    "its own mirror image": (
        cases({**value_claim("t", ".", "*", by_claim(". <= {0|0}", "t")), "mirror": by_claim(". <= {0|0}", "t")}),
        (".", "=", "*"),
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
    "a bound in braces that is a number for one exponent": (
        cases(
            claim("t", "T .^2", by_claim("T .^2 <= {1|2}", "u"), bound="{1|2}"),
            claim("u", "T .^2", at("T .^2 <= {a+1|2}", by="play"), bound="{a+1|2}", a=0),
        ),
        ("T..", "<=", Fraction(3, 2)),
    ),
    "a table that is not used": (
        cases(claim("t", "T . F", at("T . F <= 0", by="values", table="A11"))),
        ("T.F", "<=", 0),
    ),
    "a value of the mirror image": (
        cases(claim("t", "T .", at("T . <= -1", by="values", table="A11"), bound="-1"), uses=["A11"]),
        ("T.", "<=", -1),
    ),
    "no claims": (cases(), ("T.", "<=", 0)),
    "a name that reads like another theorem": (
        cases({**TOADS, "name": "T . F <= 0 for all toads; toads"}),
        ("T.F", "<=", 0),
    ),
    "a name that is a number": (
        cases({**TOADS, "name": 1}, claim("t", "T .", by_claim("T . <= 0", 1, a="0", b="1"))),
        ("T.", "<=", 0),
    ),
    "a position as a list": (cases(claim("t", ["F", "T ."], at("T . <= 0", by="play"))), ("T.", "<=", 0)),
    "a bound that is a number": (cases(claim("t", "T .", at("T . <= 0", **JUMPS), bound=0)), ("T.", "<=", 0)),
    "a bound of 1/0": (cases(claim("t", "T .", at("T . <= 1/0", by="play"), bound="1/0")), ("T.", "<=", 0)),
    "answers as an object": (cases(claim("t", "T .", at("T . <= 0", moves={}))), ("T.", "<=", 0)),
    "cases as an object": (
        cases(claim("t", "T^a .", {"split": "a-1", "cases": {"0": at(". <= 0", **JUMPS), "1": 0}}, a=0)),
        ("T.", "<=", 0),
    ),
    "forms in place of an instance": (
        cases(TOADS, claim("t", "T .", by_claim("T . <= 0", "toads", a=0, b=1))),
        ("T.", "<=", 0),
    ),
    "the parameter of a bound below its least value": (
        cases(
            {
                "name": "half",
                "position": "F .",
                "bound": "1/2^n",
                "least": {"n": 0},
                "proof": at("F . <= 1/2^n", **JUMPS),
            },
            claim("t", "T .", by_claim("T . <= 0", "half", n="-1")),
        ),
        ("T.", "<=", 0),
    ),
    "a lemma with a piece of L that may be nothing": (
        cases(
            claim("l", "L F . T", at("L F . T <= 0", **JUMPS)),
            claim("t", "T F . T", by_claim("T F . T <= 0", "l", L="T")),
        ),
        ("T.", "<=", 0),
    ),
    "a lemma with R behind an empty square of R": (
        cases(
            claim("l", "L . R", at("L . R <= 0", **JUMPS)),
            claim("t", "F . T .", by_claim("F . T . <= 0", "l", L="F", R="T .")),
        ),
        ("F.T.", "<=", 0),
    ),
}
