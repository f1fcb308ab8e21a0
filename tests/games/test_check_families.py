"""The checker of tables of families: the values of whole classes, proved for all exponents."""

from __future__ import annotations

import copy
import re
from fractions import Fraction
from itertools import islice, permutations, product

import pytest

from helpers.tables import tables
from poissonmatch_games.checkers import certificates
from poissonmatch_games.checkers.check_families import Lookup
from poissonmatch_games.checkers.linear_forms import (
    Undecided,
    constant,
    divides,
    each_cone,
    nonnegative,
    plus,
    read_form,
)
from poissonmatch_games.checkers.symbolic_values import read_tree

TABLES = tables(__file__, "strips.toml")
SMALL = ("A11", "A12", "A21", "A31", "B11")
LARGE = ("A22", "A13", "A41", "A51", "A32", "A23", "A33", "B12", "B21")
# Of the formulas of these tables, only each fifth (tenth, fiftieth) is changed: all 3,497 of A33 would take more than an hour.
STEP = {"A32": 5, "A23": 10, "A33": 50}


@pytest.mark.parametrize(
    "name", [*SMALL, *LARGE[:4], *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE[4:])]
)
def test_the_stored_tables_are_accepted(name):
    counts = certificates.check(certificates.load(name))
    assert "open" not in certificates.load(name)
    assert counts["words"] == len(set(permutations(certificates.load(name)["letters"])))


def leaves(tree, path=()):
    if isinstance(tree, str):
        yield path
    else:
        yield from leaves(tree[1], (*path, 1))
        yield from leaves(tree[2], (*path, 2))


def changed(certificate, word, path, change):
    new = copy.deepcopy(certificate)
    node, key = new["words"], word
    for step in path:
        node, key = node[key], step
    node[key] = change(node[key])
    return new


def one_more(value):
    """The first number of a value, plus 1."""
    form = re.search(r"[^{}|,*]+", value)
    return value[: form.start()] + form[0] + "+1" + value[form.end() :]


def perturbed(name):
    certificate = certificates.load(name)
    for word, tree in certificate["words"].items():
        for path in leaves(tree):
            yield changed(certificate, word, path, one_more)


@pytest.mark.parametrize("name", [*SMALL, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)])
def test_each_formula_perturbed_is_refused(name):
    step = STEP.get(name, 1)
    for wrong in islice(perturbed(name), 0, None, step):
        with pytest.raises(ValueError):
            certificates.check(wrong)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda c: c["words"].pop("F."), "must have exactly the words"),
        (lambda c: c["words"].update({"F.": "{b|b}"}), "is not the value"),
        (lambda c: c["words"].update({"F.": "{b-1|b+1}"}), "is a number"),
        (lambda c: c["words"].update({"F.": ["a", "b", "b"]}), "no position has the value"),
        (lambda c: c["words"].update({"F.": "b+"}), "is not a linear form"),
        (lambda c: c["words"].update({"F.": "{b|"}), "a linear form has 1 to 500 characters, got 0"),
        (lambda c: c["words"].update({"F.": "1/2b"}), "is not an integer for all parameters"),
        (lambda c: c.update(symbol="F"), "are not a class"),
        (lambda c: c.update(letters="..F"), "must have exactly the words"),
        (lambda c: c.update(kind="guess"), "unknown kind"),
        (lambda c: c.update(open=["F."]), "must have exactly the words"),
        (lambda c: (c.update(open=["F."]), c["words"].pop("F.")), "a move leads to F., which is open"),
        (lambda c: c.update(open=5), "open a list"),
        (lambda c: c.pop("words"), "damaged"),
    ],
)
def test_what_is_no_table(change, words):
    certificate = certificates.load("A11")
    change(certificate)
    with pytest.raises(ValueError, match=re.escape(words)):
        certificates.check(certificate)


@pytest.mark.parametrize("name, word, runs, value", TABLES["starts"])
def test_values_for_all_exponents(name, word, runs, value):
    assert Lookup(certificates.load(name)).value(word, list(map(read_form, runs.split()))) == read_tree(value)


# ---- cones ----
def test_forms_are_read():
    assert read_form("2a-b+1/2") == {"a": 2, "b": -1, "": Fraction(1, 2)} and read_form("0") == {}
    assert plus(read_form("a-b"), read_form("b-a")) == {}
    for text in ("", "a b", "2+", "a*b", "x^2", "1//2"):
        with pytest.raises(ValueError):
            read_form(text)


@pytest.mark.parametrize("text", ["a-b", "2a-3b+1", "a+b-5", "3-a", "a-b-c+2", "2a-b-1"])
def test_cones_are_split_until_every_question_has_an_answer(text):
    """Both answers are right for small parameters, and the cones cover each choice of parameters once."""
    form, seen = read_form(text), []

    def ask(cone):
        value = {name: cone.get(name, {}) for name in "abc"}
        total = {}
        for name, x in form.items():
            total = plus(total, value[name] if name else constant(1), x)
        seen.append((value, nonnegative(total)))

    each_cone({name: {name: Fraction(1)} for name in "abc"}, ask)
    hits = {}
    for value, answer in seen:
        names = sorted({p for f in value.values() for p in f if p})
        for point in sums_up_to(6, len(names)):
            at = dict(zip(names, point, strict=True))
            place = tuple(int(sum(x * (at[p] if p else 1) for p, x in value[n].items())) for n in "abc")
            hits.setdefault(place, []).append(answer)
    for place, answers in hits.items():
        exact = sum(x * (dict(zip("abc", place, strict=True))[n] if n else 1) for n, x in form.items()) >= 0
        assert answers == [exact], place
    assert len(hits) > 80


def sums_up_to(total, parts):
    return (point for point in product(range(total + 1), repeat=parts) if sum(point) <= total)


@pytest.mark.parametrize("n", [2, 3])
def test_divisibility(n):
    assert divides(n, read_form(f"{n}a-{2 * n}b")) and not divides(n, read_form(f"{n}a+1"))
    with pytest.raises(Undecided):
        divides(n, read_form("a+1"))
    with pytest.raises(ValueError):
        divides(n, read_form("1/2a"))
