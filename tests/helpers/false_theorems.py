"""False theorems written by hand, from false_theorems.yaml, for the checkers to refuse: each with a position where it is false.

An entry is (certificate, witness). The witness says what the certificate claims of one strip: (strip, "<=", bound) or (strip, "=", value);
or (strip, star, free, first): that Left wins it.
"""

import json
from pathlib import Path

import yaml

import poissonmatch_games.checkers as checkers

DATA = Path(checkers.__file__).with_name("data")


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


def at(statement, **reason):
    return {"at": statement, **reason}


def claim(name, position, proof, bound="0", **least):
    return {"name": name, "position": position, "bound": bound, "least": least, "proof": proof}


def cases(*claims, uses=()):
    return {"name": "x", "statement": "", "kind": "cases", "uses": list(uses), "claims": list(claims)}


def table(strip, star=0, free=0, first="Left"):
    return {"name": "x", "statement": "", "kind": "table", "strip": strip, "star": star, "free": free, "first": first}


def families(name, words):
    """The stored table with other trees for some words."""
    found = stored(name)
    return {**found, "words": {**found["words"], **words}}


def beyond(name, word, least, value):
    """The stored table with another value for a word beyond an exponent."""
    return families(name, {word: [least, value, stored(name)["words"][word]]})


# true, and proved by the finder of proofs: .^(c+d) F .^m T .^c <= 0, .^c T .^(2b) F .^c <= 0, and T^a . T^b <= a
LEMMAS = {
    lemma["name"]: lemma
    for lemma in json.loads(Path(__file__).with_name("true_lemmas.json").read_text(encoding="utf-8"))
}


def read_cases(row):
    lemmas = [{**LEMMAS[name], **changes} for name, changes in row.get("lemmas", {}).items()]
    return cases(*lemmas, *row.get("claims", ()), uses=row.get("uses", ()))


def read_families(row):
    if "beyond" in row:
        ((word, (least, value)),) = row["beyond"].items()
        return beyond(row["table"], word, least, value)
    return {**families(row["table"], row.get("words", {})), **row.get("change", {})}


ENTRIES = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
KINDS = {
    kind: {name: (read(row), row["witness"]) for name, row in ENTRIES[kind].items()}
    for kind, read in (
        ("cases", read_cases),
        ("tables", lambda row: table(**row["claim"])),
        ("families", read_families),
    )
}
KINDS["families"] |= {
    "an exponent beyond all integers of the machine": (
        beyond("A11", "F.", "b-" + "9" * 400, "b-1"),
        ("F" + "T" * 9 + ".", "=", "8"),
    ),
    "an integer of 5000 digits": (families("A11", {"F.": "b+" + "0" * 5000 + "1"}), ("F.", "=", "1")),
}
TRUE = list(map(read_cases, ENTRIES["bases"]))
