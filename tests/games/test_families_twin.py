"""Tables of families and the order of trees, against code that shares nothing with the checkers."""

import copy
import random
import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from helpers import slow_families
from helpers.slow_families import exponents_in, leaf_of, leq, parsed, simplest, strip_of
from helpers.strips_of_toads import all_strips
from helpers.tables import tables
from poissonmatch_games.checkers import certificates, symbolic_values
from poissonmatch_games.checkers.linear_forms import each_cone
from poissonmatch_games.toads.canonical import CanonicalEngine

TABLES = tables(__file__, "strips.toml")

FAMILIES = [name for name in certificates.stored() if certificates.load(name)["kind"] == "families"]


@cache
def as_pair(game):
    """A value of the engine as a pair (left options, right options)."""
    return tuple(sorted(map(as_pair, game.left))), tuple(sorted(map(as_pair, game.right)))


class Instances(Sequence):
    """(word, exponents) with exponents up to `highest`, of all words or one; samples need not list them all."""

    def __init__(self, name, highest, word=None):
        self.words, self.base = [word] if word else list(certificates.load(name)["words"]), highest + 1
        self.width = len(self.words[0]) + 1

    def __len__(self):
        return len(self.words) * self.base**self.width

    def __getitem__(self, i):
        if not 0 <= i < len(self):
            raise IndexError(i)
        runs = tuple(i // self.base**k % self.base for k in reversed(range(self.width)))
        return self.words[i // self.base**self.width], runs


def compare(name, chosen, certificate=None):
    """Compare the table with the canonical forms of strips; return the number of those that the engine can hold."""
    certificate, engine, count = certificate or certificates.load(name), CanonicalEngine(), 0
    values = cache(parsed)
    for word, runs in chosen:
        strip = strip_of(certificate["symbol"], word, runs)
        if 2 * len(strip) - strip.count(".") > 63:
            continue
        exponents = dict(zip("abcdefghij", runs, strict=False))
        leaf = leaf_of(certificate["words"][word], **exponents)
        used = {letter: n for letter, n in exponents.items() if letter in leaf}
        assert values(leaf, **used) == as_pair(engine.value(strip)), (strip, leaf)
        count += 1
    return count


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_all_instances_with_exponents_up_to_5_have_their_canonical_forms(name):
    everything = Instances(name, 5)
    if len(everything) > 500_000:
        everything = random.Random(2).sample(everything, 100_000)
    assert compare(name, everything) > 400


def test_the_twin_knows_the_game():
    """The twin's canonical forms, from the rules, are those of the engine."""
    engine = CanonicalEngine()
    for strip in all_strips(7):
        assert slow_families.form_of(strip) == as_pair(engine.value(strip)), strip


# ---- mutations ----
def places(tree, path=()):
    """The nodes of a decision tree, with how to come to them."""
    yield path
    if not isinstance(tree, str):
        for i in (1, 2):
            yield from places(tree[i], (*path, i))


def mutated(certificate, rng):
    """The certificate with one formula or question changed, two branches exchanged, or a part of another word put in."""
    new = copy.deepcopy(certificate)
    words = new["words"]
    word = rng.choice(sorted(words))
    path = rng.choice([*places(words[word])])
    parent, key = words, word
    for step in path:
        parent, key = parent[key], step
    node, how = parent[key], rng.randrange(4)
    if how == 0 and not isinstance(node, str):
        node[1], node[2] = node[2], node[1]
    elif how == 1:
        other = words[rng.choice(sorted(words))]
        for step in rng.choice([*places(other)]):
            other = other[step]
        parent[key] = copy.deepcopy(other)
    else:
        holder, at = (parent, key) if isinstance(node, str) else (node, 0)
        text = holder[at]
        names = "abcdefghij"[: len(word) + 1]
        spots = [match for match in re.finditer(f"[0-9{names}]", text)]
        spot = rng.choice(spots)
        letters = "0123" if spot[0].isdigit() else names
        holder[at] = text[: spot.start()] + rng.choice(letters.replace(spot[0], "")) + text[spot.end() :]
    new["words"] = {word: words.pop(word), **words}  # checked first
    return new


def mutations(name, count, highest):
    """Change a table at random; the number of changes that were accepted, each of which is right on all short strips."""
    certificate, rng, accepted = certificates.load(name), random.Random(4), 0
    for _ in range(count):
        new = mutated(certificate, rng)
        if new == certificate:
            continue
        try:
            certificates.check(new, bounded=False)
        except ValueError:
            continue
        accepted += 1
        word = next(iter(new["words"]))  # the others are as they were
        assert compare(name, Instances(name, highest, word), new) > 50
    print(f"{name}: {accepted} of {count} mutations accepted, each right on all short strips")
    return accepted


@pytest.mark.parametrize("name", ["A11", "A12", "B11"])
def test_some_mutations_are_refused_or_right(name):
    assert mutations(name, 15, 3) < 8


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_100_mutations_are_refused_or_right(name):
    assert mutations(name, 100, 3) < 50


# ---- symbolic_values.same ----
def tree_of(pair):
    """A canonical form as the checkers' trees have it."""
    x = number_in(pair)
    return [list(map(tree_of, side)) for side in pair] if x is None else {"": x} if x else {}


def number_in(pair):
    """The number with this canonical form, or None."""
    left, right = (list(map(number_in, side)) for side in pair)
    if len(left) > 1 or len(right) > 1 or None in left + right:
        return None
    if left and right:
        middle = (left[0] + right[0]) / 2
        return middle if left[0] < right[0] and parsed(str(middle)) == pair else None
    return Fraction(0) if not left + right else left[0] + 1 if left else right[0] - 1


POOL = "0 1 -1 1/2 -3/4 2 * 1* {1|-1} {0|*} {*|0} {2|{1|0}} {{1|0}|-1/2} {0|{0|-2}}".split()


def test_same_is_equality_of_canonical_forms():
    """Random {left|right}, compared with its canonical form and with all other values of a pool."""
    rng, equal, different = random.Random(3), 0, 0
    pool = list(map(parsed, POOL))
    for _ in range(150):
        left, right = (rng.sample(pool, rng.randint(1, 3)) for _ in range(2))
        pair = simplest(left, right)
        sides = [list(map(tree_of, side)) for side in (left, right)]
        assert symbolic_values.same(*sides, tree_of(pair))
        equal += 1
        for other in [*rng.sample(pool, 6), simplest(right, left)]:
            found = symbolic_values.same(*sides, tree_of(other))
            assert found == (other == pair), (left, right, other)
            different += not found
    assert equal == 150 and different > 800


def test_leq_is_the_order_of_games():
    pool = list(map(parsed, POOL))
    for g, h in product(pool, repeat=2):
        assert symbolic_values.leq(tree_of(g), tree_of(h)) == leq(g, h)


def is_proper(tree):
    """Whether nothing in braces is a number."""
    return isinstance(tree, dict) or (symbolic_values.is_no_number(tree) and all(map(is_proper, [*tree[0], *tree[1]])))


@pytest.mark.parametrize("left, right, value", TABLES["same"])
def test_same_with_parameters_is_that_of_every_instance(left, right, value):
    """Where the value is not a number in braces; the cones hold all exponents up to 4."""
    read = [list(map(symbolic_values.read_tree, side)) for side in (left, right)]
    answers = {}

    def ask(cone):
        here = symbolic_values.tree_in(symbolic_values.read_tree(value), cone)
        sides = [[symbolic_values.tree_in(tree, cone) for tree in side] for side in read]
        proper = all(map(is_proper, [here, *sides[0], *sides[1]]))
        found = symbolic_values.same(*sides, here) if proper else None
        for place in exponents_in(cone, "ab", 4):
            assert place not in answers
            answers[place] = found

    each_cone({name: {name: Fraction(1)} for name in "ab"}, ask)
    for a, b in product(range(5), repeat=2):
        found = answers[a, b]
        if found is not None:
            pair = simplest(*[[parsed(text, a=a, b=b) for text in side] for side in (left, right)])
            assert found == (pair == parsed(value, a=a, b=b)), (a, b)
    assert True in answers.values()
