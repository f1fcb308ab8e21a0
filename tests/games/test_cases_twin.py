"""Proofs by cases, against canonical forms of strips that are written from the text of a claim, without the checker."""

import copy
import random
import re
from functools import cache
from itertools import product

import pytest

from helpers.false_theorems import with_any_statement
from helpers.slow_families import at_exponents
from poissonmatch_games.checkers import certificates
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.toads.canonical import CanonicalEngine

PROOFS = [name for name in certificates.stored() if certificates.load(name)["kind"] == "cases"]
_TERM = re.compile(r"([LRTF.])(?:\^(?:\(([^)]*)\)|(\w+)))?")
_ENDS = {"L": ("", "F", "TF", "TTFF"), "R": ("", "T", "TF", "TTFF")}
ENGINE = CanonicalEngine()


def strips(position, exponents):
    """The strips of a position at these exponents, for some pieces L and R. None for a negative exponent."""
    found = [""]
    for letter, long, short in _TERM.findall(position):
        n = at_exponents(long or short or "1", **exponents)
        assert n.denominator == 1
        if n < 0:
            return None
        more = _ENDS[letter] if letter in "LR" else (letter * int(n),)
        found = [strip + end for strip, end in product(found, more)]
    return found


def bounds_of(text, exponents):
    """The value of a bound at these exponents."""
    power = re.fullmatch(r"1/2\^\(?([^()]*)\)?", text)
    if power:
        text = f"1/{2 ** int(at_exponents(power[1], **exponents))}"
    else:
        text = re.sub(r"[^{}|,*]+", lambda form: str(at_exponents(form[0], **exponents)), text)
    return parse(text)


@cache
def value(strip):
    return ENGINE.value(strip)


def compare(claim, beyond, squares):
    """Compare a claim with the canonical forms of its short strips, the exponents from the least ones on; return their number."""
    count = 0
    least = claim["least"]
    for steps in product(range(beyond + 1), repeat=len(least)):
        exponents = {name: n + step for (name, n), step in zip(least.items(), steps, strict=True)}
        for strip in strips(claim["position"], exponents):
            if len(strip) <= squares:
                bound = bounds_of(claim.get("bound", claim.get("value")), exponents)
                found = value(strip)
                assert found <= bound if "bound" in claim else found is bound, (claim["name"], exponents, strip)
                count += 1
    return count


@pytest.mark.parametrize("name", PROOFS)
def test_all_claims_hold_for_short_strips(name):
    for claim in certificates.load(name)["claims"]:
        assert compare(claim, 4 if len(claim["least"]) < 4 else 2, 11) > 0, claim["name"]


# ---- mutations ----
def nodes(proof):
    yield proof
    for then in [*proof.get("cases", ()), *(answer for _, answer in proof.get("moves", ()))]:
        yield from nodes(then)


def other_text(text, rng):
    """The text with one digit or parameter changed, or 1 added to a form."""
    spot = rng.choice([*re.finditer(r"[0-9a-kn]", text)])
    if rng.random() < 0.4 and spot[0].isalpha():
        return f"{text[: spot.end()]}{rng.choice('+-')}1{text[spot.end() :]}"
    letters = "01234" if spot[0].isdigit() else "abkn2"
    return text[: spot.start()] + rng.choice(letters.replace(spot[0], "")) + text[spot.end() :]


def mutate_claim(claim, rng):
    key = rng.choice(["position", "bound" if "bound" in claim else "value", "least"])
    if key == "least" and claim["least"]:
        claim["least"][rng.choice(sorted(claim["least"]))] += rng.choice([-1, 1])
    elif key == "position" and (rng.random() < 0.5 or not re.search(r"[0-9a-kn]", claim[key])):
        at = rng.choice([i for i, letter in enumerate(claim[key]) if letter in "TF.LR"])
        claim[key] = claim[key][:at] + rng.choice("TF.") + claim[key][at + 1 :]
    elif re.search(r"[0-9a-kn]", claim.get(key) or ""):
        claim[key] = other_text(claim[key], rng)


def mutate_node(claim, everything, rng):
    node = rng.choice([*nodes(claim["proof"])])
    how = rng.randrange(3)
    if how == 0 and node.get("cases"):
        node["cases"].reverse()
    elif how == 0 and node.get("moves"):
        rng.choice(node["moves"])[0] = rng.randrange(4)
    elif how == 1 and node.get("with"):
        key = rng.choice(sorted(node["with"]))
        if key not in "LR" and re.search(r"[0-9a-kn]", node["with"][key]):
            node["with"][key] = other_text(node["with"][key], rng)
    else:
        new = copy.deepcopy(rng.choice(everything))
        node.clear()
        node.update(new)


def mutations(name, count):
    """Change claims and proofs at random, and let each node say of itself what the checker wants; the number accepted, each true on short strips."""
    certificate, rng, accepted, true = with_any_statement(certificates.load(name)), random.Random(5), 0, 0
    everything = [node for claim in certificate["claims"] for node in nodes(claim["proof"])]
    assert certificates.check(certificate)
    for _ in range(count):
        new = copy.deepcopy(certificate)
        claim = rng.choice(new["claims"])
        if rng.random() < 0.75:
            mutate_claim(claim, rng)
        if rng.random() < 0.5:
            mutate_node(claim, everything, rng)
        if new == certificate:
            continue
        try:
            certificates.check(new)
        except ValueError:
            continue
        accepted += 1
        true += compare(claim, 3, 12)
    print(f"{name}: {accepted} of {count} mutations accepted, each true at all of {true} short strips")
    return accepted


@pytest.mark.long
def test_some_mutations_are_refused_or_true():
    assert mutations("E1", 12) < 8


@pytest.mark.slow
@pytest.mark.parametrize("name", PROOFS)
def test_100_mutations_are_refused_or_true(name):
    assert mutations(name, 100) < 50
