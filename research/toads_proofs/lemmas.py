"""Lemmas for the proof of E1, each proved by `find_cases` with the help of the others.

E1 is T^a .. F^b = {{a-3|a-b}|{*|3-b}} for a > b >= 3.

The first lemmas bound what toads can gain while Right only answers; then come those about frogs
with few toads between them, and the values.
"""

from fractions import Fraction
from typing import Any


def _claim(name: str, position: str, bound: str, **least: int) -> dict[str, Any]:
    return {"name": name, "position": position, "bound": bound, "least": least}


#: In the order of their proofs; a = b + k + 1. E1.0, before them, is Lemma 5.1 of [T].
E1_LEMMAS = (
    _claim("E1.1", "T^i . T^j F^c . F^k R", "i", i=0, j=0, c=1, k=0),
    _claim("E1.2", "T^i . T^j F T F . F^k R", "i", i=0, j=0, k=0),
    _claim("E1.3", "T^i F T .^2 T F^k", "1", i=0, k=2),
    _claim("E1.4", "T^i . F . T F^k", "1", i=0, k=2),
    _claim("E1.5", "T^(k+m+1) . T F . F^k", "m+1", k=2, m=0),
    _claim("E1.6", "T^i . T F T . F^k", "i-1", i=2, k=2),
    _claim("E1.7", "T^i . T^2 . F^k", "i-1", i=2, k=3),
    _claim("E1.8", "T^(b+k) . T . F^b", "{b+k-2|k+1}", b=3, k=0),
    _claim("E1.9", "L T^i F^c . F . T F^k", "-k", i=0, c=2, k=0),
    _claim("E1.10", "L T^i F^c .^2 T F^k", "1-k", i=0, c=2, k=1),
    _claim("E1.11", "L T^i F^c . F T . F^k", "1-k", i=0, c=2, k=1),
    _claim("E1.12", "L T^i F^c . T . F^k", "2-k", i=0, c=2, k=2),
    _claim("E1.13", "L T^i F^c . T F . F^k", "-k", i=0, c=2, k=0),
    _claim("E1.14", "L T^i F^c T . F^d . F^k", "1-k", i=0, c=2, d=0, k=1),
    _claim("E1.15", "T^i F T . F^c . F^k", "1-k", i=0, c=1, k=1),
    _claim("E1.16", "T^i . F^c . F^k", "1-k", i=2, c=2, k=1),
    _claim("E1.17", "T^i . T F^2 . F^k", "{i-1-k|1-k}", i=2, k=1),
    _claim("E1.18", "T^b . F . F^(b+k)", "{-k-1|2-b-k}", b=3, k=0),
    _claim("E1.19", "T^i F . T^j F^c . F^k R", "0", i=0, j=0, c=1, k=0),
    _claim("E1.20", "T^i F . T^j F^c T F . F^k R", "0", i=0, j=0, c=1, k=0),
    _claim("E1.21", "T^i F . T^j F T . F^k", "*", i=0, j=0, k=1),
    _claim("E1.22", "T^i F . T^j . F^k", "*", i=0, j=1, k=2),
    _claim("E1.23", "T^i F T .^2 F^k", "{*|2-k}", i=0, k=2),
    _claim("E1.24", "T^(b+k+1) . F . F^(b-1)", "{*|3-b}", b=3, k=0),
    _claim("E1.25", "T^i F T . F^c T . F^k", "0", i=1, c=1, k=2),
    _claim("E1.26", "T^i F T .^2 T F^k", "*", i=1, k=3),
    _claim("E1.27", "T^i . F^c T . F^k", "0", i=2, c=2, k=2),
    _claim("E1.28", "T^i . F . T F^k", "*", i=2, k=3),
    _claim("E1.29", "T^(b-1) . T . F^(b+k+1)", "{b-3|*}", b=4, k=0),
    _claim("E1.30", "T^2 . T . F^(k+4)", "{0|*}", k=0),
)


def _equality(name: str, position: str, value: str, **least: int) -> dict[str, Any]:
    return {"name": name, "position": position, "value": value, "least": least}


#: Lemmas about one empty square, with any pieces L and R beyond; 4.6 and 4.7 for few pairs TF.
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
