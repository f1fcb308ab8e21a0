"""False theorems written by hand, and files that are no certificates: each checker refuses them."""

import json

import pytest

from helpers import false_theorems as forged
from helpers.slow_families import form_of, leq, parsed
from helpers.slow_toads import moves
from helpers.tables import tables
from poissonmatch_games.checkers import certificates, check_table

TABLES = tables(__file__, "strips.toml")

ENTRIES = [(kind, name) for kind, entries in forged.KINDS.items() for name in entries]


def left_wins(strip, star, free, left_first):
    """Whether Left wins, from the rules."""
    step = 1 if left_first else -1
    after = [(new, star, free) for _, new in moves(strip, "T" if left_first else "F")]
    after += [(strip, 0, free)] * star + [(strip, star, free - step)] * (free * step > 0)
    results = [left_wins(*position, not left_first) for position in after]
    return any(results) if left_first else all(results)


def is_true(witness):
    """Whether what is claimed of the one strip is true."""
    if len(witness) == 4:
        strip, star, free, first = witness
        return left_wins(strip, star, free, first == "Left")
    strip, relation, other = witness
    value, other = form_of(strip), parsed(other)
    return leq(value, other) and (relation == "<=" or leq(other, value))


@pytest.mark.slow
@pytest.mark.parametrize("kind, name", ENTRIES, ids=lambda word: word)
def test_false_theorems_are_refused(kind, name):
    certificate, witness = forged.KINDS[kind][name]
    assert not is_true(witness)
    for forgery in (certificate, forged.with_any_statement(certificate)):
        with pytest.raises(ValueError):
            certificates.check(forgery)


def test_there_are_ten_for_each_checker():
    assert all(len(entries) >= 10 for entries in forged.KINDS.values())


@pytest.mark.parametrize("certificate", forged.TRUE)
def test_the_true_part_of_a_forgery_is_accepted(certificate):
    assert certificates.check(certificate)["claims"] == len(certificate["claims"])


# ---- files ----
def edited(change):
    certificate = certificates.load("Theorem-2")
    change(certificate)
    return json.dumps(certificate, indent=1)


THEOREM = json.dumps(certificates.load("Theorem-2"), indent=1)
HUGE = forged.claim("t", "F .^999999999", forged.at("F .^999999999 <= 0", by="values", table="A21"))
START = "T^5 .^6 F^5"
FILES = {
    "cut": (THEOREM[:5000], "line 227 column 7"),
    "empty": ("", "line 1 column 1"),
    "binary": (b"\xff\xfe\x00", "byte 0xff in position 0"),
    "a list": ("[]", "kind, name or statement is missing"),
    "two positions": (
        THEOREM.replace('"position": "L', '"position": "T .",\n   "position": "L', 1),
        "the key 'position' occurs twice in one object",
    ),
    "nested": (THEOREM.replace('"uses": [', '"uses": [' + "[" * 10**5 + "]" * 10**5 + ",", 1), "too many nested brackets"),
    "too large": (" " * (certificates.MAX_BYTES + 1), "at most 2000000"),
    "a part is missing": (edited(lambda c: c["claims"][0].pop("bound")), "claims[0]: a claim must have"),
    "a table without end": (json.dumps(forged.table("T" * 40 + "." * 40 + "F" * 40)), "too many positions"),
    "a long value": (json.dumps(forged.families("A11", {"F.": "{0" + ",0" * 10**5 + "|0}"})), "at most 500 characters"),
    "cones without end": (json.dumps(forged.families("A11", {"F.": ["99a-97b+91c-1", "b", "b"]})), "words, F.: "),
    "a table that is named twice": (edited(lambda c: c.update(uses=["A21"] * 10**5)), "uses must be a list of different names"),
    "too many positions to play": (
        json.dumps(forged.cases(forged.claim("t", START, forged.at(f"{START} <= 40", by="play"), bound="40"))),
        "claims[0].proof: more than 10000 positions to play",
    ),
    "a huge exponent": (json.dumps(forged.cases(HUGE, uses=["A21"])), "do not give"),
}  # fmt: skip


def check_refusal(path, words):
    with pytest.raises(ValueError) as refused:
        certificates.check(certificates.load(path))
    assert words in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("name", FILES)
def test_damaged_files_are_refused_in_one_line(tmp_path, name):
    """With the place."""
    text, place = FILES[name]
    path = tmp_path / "x.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    check_refusal(path, place)


@pytest.mark.parametrize("name, stored, place, new, words", TABLES["edited"])
def test_edited_files_are_refused_in_one_line(tmp_path, name, stored, place, new, words):
    certificate = part = certificates.load(stored)
    *way, last = place
    for step in way:
        part = part[step]
    part[last] = new
    path = tmp_path / "x.json"
    path.write_text(json.dumps(certificate, indent=1))
    check_refusal(path, words)


def test_a_table_beside_the_certificate_is_checked_and_a_link_to_elsewhere_is_not_followed(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    outside = tmp_path / "table.json"
    outside.write_text(json.dumps(forged.stored("A21")))
    (folder / "right.json").write_text(json.dumps(forged.stored("A21")))
    (folder / "wrong.json").write_text(json.dumps(forged.families("A21", {"..F": "0"})))
    (folder / "link.json").symlink_to(outside)
    (folder / "number.json").write_text(json.dumps({**forged.stored("A21"), "letters": 5}))
    statement = "T^(a+1) .^2 F <= a"
    for name, problem in (
        ("right.json", ""),
        ("wrong.json", "uses[0]: words, "),
        ("link.json", "uses[0]: 'link.json' is neither"),
        ("number.json", "uses[0]: damaged: TypeError"),
    ):
        node = forged.at(statement, by="values", table=name)
        proof = forged.cases(forged.claim("t", "T^(a+1) .^2 F", node, bound="a", a=0), uses=[name])
        if problem:
            with pytest.raises(ValueError) as refused:
                certificates.check(proof, folder)
            assert str(refused.value).startswith(problem)
        else:
            assert certificates.check(proof, folder) == {"claims": 1, "nodes": 1}


def test_tables_within_the_limits_fit_into_2_gb():
    """T^6 .^12 F^6 is checked; the next rows of T4 are not."""
    assert check_table.MAX_BYTES == 2 * 10**9
    for strip in ("T" * 8 + "." * 18 + "F" * 8, "T" * 11 + "." * 20 + "F"):
        with pytest.raises(ValueError, match="too many positions"):
            check_table.check_table(forged.table(strip))
