"""False tables and families written by hand, as those of `false_theorems`."""

from __future__ import annotations

import copy

from helpers.false_theorems import stored


def table(strip, star=0, free=0, first="Left"):
    return {"name": "x", "statement": "", "kind": "table", "strip": strip, "star": star, "free": free, "first": first}


TABLES = {
    "* plus *": (table("TT.FF", star=1), ("TT.FF", 1, 0, "Left")),
    "* minus 1": (table("TT.FF", free=-1), ("TT.FF", 0, -1, "Left")),
    "0 if Left starts": (table("T..F"), ("T..F", 0, 0, "Left")),
    "a list of squares": (table(list("T..F")), ("T..F", 0, 0, "Left")),
    "10^30 free moves of Right": (table("T..F", free=-(10**30)), ("T..F", 0, -9, "Left")),
    "a free move that is true": (table("T..F", free=True, first="Right"), ("T..F", 0, -1, "Right")),
    "a star below zero": (table("T.F", star=-1), ("T.F", 1, 0, "Left")),
    "nobody starts": (table("T..F", first=None), ("T..F", 0, 0, "Left")),
    "toads of another script": (table("\N{CYRILLIC CAPITAL LETTER TE}..F"), ("T..F", 0, 0, "Left")),
    "no empty square": (table("TF", first="Left"), ("TF", 0, 0, "Left")),
}


def families(name, word, value, **others):
    """The stored table with another tree for one word."""
    found = copy.deepcopy(stored(name))
    found["words"][word] = value
    return {**found, **others}


def beyond(name, word, least, value):
    """The stored tree of a word up to an exponent, another value beyond it."""
    return families(name, word, [least, value, stored(name)["words"][word]])


A11 = stored("A11")
FAMILIES = {
    "one formula": (families("A11", "F.", "b+1"), ("F.", "=", "1")),
    "one formula far away": (beyond("A11", "F.", "b-50", "b-1"), ("F" + "T" * 50 + ".", "=", "49")),
    "a parity": (families("A11", "F.", ["even b", "b", "b+1"]), ("FT.", "=", "2")),
    "multiples of 0": (families("A11", "F.", ["0 divides b", "b+1", "b"]), ("F.", "=", "1")),
    "multiples of 3 among fractions": (families("A11", "F.", ["3 divides 1/3b+1", "b", "b+1"]), ("F.", "=", "1")),
    "a number in braces": (families("A11", "F.", "{b-2|b+1}"), ("FT.", "=", "0")),
    "two stars": (families("A12", "F.F", "0**"), ("TF.F", "=", "*")),
    "digits of another script": (families("A11", "F.", "b+\N{FULLWIDTH DIGIT ONE}"), ("F.", "=", "1")),
    "a third": (families("A11", "F.", "b+1/3-1/3b"), ("F.", "=", "1/2")),
    "an exponent that the word has not, in a value": (families("A11", "F.", "b+z"), ("F.", "=", "1")),
    "another mirror image": (families("B21", "FTT", "-a+c+d"), ("FTT.", "=", "1")),
    "an open word": ({**stored("B11"), "open": ["TF"], "words": {"FT": "a"}}, (".FT", "=", "1")),
    "a tree of the keys that it needs": (
        {**A11, "words": [[word, tree] for word, tree in A11["words"].items()]},
        ("F.", "=", "1"),
    ),
    "a class mod 3 is missing": (
        families("A11", "F.", ["3 divides b", "b", ["3 divides b-1", "b"]]),
        ("FTT.", "=", "1"),
    ),
    "a line in a plane": (
        families("B11", "FT", ["a-c-2", ["c-a+2", "-a+c+1", "-a+c"], "-a+c"]),
        ("..FT", "=", "-1"),
    ),
    "an exponent beyond all integers of the machine": (
        families("A11", "F.", ["b-" + "9" * 400, "b-1", "b"]),
        ("F" + "T" * 9 + ".", "=", "8"),
    ),
    "an integer of 5000 digits": (families("A11", "F.", "b+" + "0" * 5000 + "1"), ("F.", "=", "1")),
    "a number for a value": (families("A11", "F.", 0), ("FT.", "=", "0")),
    "up for star": (families("A12", "F.F", "{0|*}"), ("TF.F", "=", "{0|*}")),
    "options exchanged": (families("A11", ".F", "{0|{1|a-2}}"), ("TTTT.F", "=", "{0|{1|2}}")),
    "half a move": (families("A11", "F.", "b+1/2"), ("F.", "=", "1/2")),
    "open words as an object": (
        {**A11, "open": {"F.": "b+1"}, "words": {".F": A11["words"][".F"]}},
        ("F.", "=", "1"),
    ),
    "a word that the class has not": (
        {**A11, "words": {**A11["words"], "F..": "0"}},
        ("FT..", "=", "0"),
    ),
    "runs of frogs": ({**A11, "symbol": "F", "words": {".F": "0", "F.": "0"}}, ("TF.", "=", "1/2")),
    "wrong only where runs are long": (
        beyond("B12", "FTF", "a+b+c+d-30", "0"),
        ("FTF" + "." * 30, "=", "0"),
    ),
}
