"""The checker of tables of families: the values of whole classes, proved for all exponents."""

import copy
import re
from fractions import Fraction
from itertools import islice, permutations

import pytest

from helpers.slow_families import exponents_in
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


def filled(table):
    return {name: value for name, value in table.items() if value != ""}


@pytest.mark.parametrize("words, change, message", TABLES["no_table"])
def test_what_is_no_table(words, change, message):
    stored = certificates.load("A11")
    words = filled({**stored["words"], **words})
    with pytest.raises(ValueError, match=re.escape(message)):
        certificates.check(filled({**stored, "words": words, **change}))


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
    """The answers are right for small parameters, and the cones cover each choice of parameters once."""
    form, answers = read_form(text), {}

    def ask(cone):
        total = {}
        for name, x in form.items():
            total = plus(total, cone.get(name, {}) if name else constant(1), x)
        answer = nonnegative(total)
        for place in exponents_in(cone, "abc", 6):
            assert place not in answers
            answers[place] = answer

    each_cone({name: {name: Fraction(1)} for name in "abc"}, ask)
    for place, answer in answers.items():
        at = {"": 1, **dict(zip("abc", place, strict=True))}
        assert answer == (sum(x * at[name] for name, x in form.items()) >= 0), place
    assert len(answers) > 80


@pytest.mark.parametrize("n", [2, 3])
def test_divisibility(n):
    assert divides(n, read_form(f"{n}a-{2 * n}b")) and not divides(n, read_form(f"{n}a+1"))
    with pytest.raises(Undecided):
        divides(n, read_form("a+1"))
    with pytest.raises(ValueError):
        divides(n, read_form("1/2a"))
