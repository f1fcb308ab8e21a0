"""Operators on values: identities over the values of birthday 3, and published values.

The published values are in values.toml.
"""

import random
from fractions import Fraction

import pytest

from helpers.born import born
from helpers.tables import tables
from poissonmatch_games.partisan import game, parse
from poissonmatch_games.partisan.thermograph import value_at
from poissonmatch_games.partisan.values import number

TABLES = tables(__file__, "values.toml")
UP, STAR = parse("^"), parse("*")


def pairs(values, count, seed=1):
    rng = random.Random(seed)
    return [(rng.choice(values), rng.choice(values)) for _ in range(count)]


def all_small(value):
    return value == 0 or bool(value.left and value.right and all(map(all_small, value.left + value.right)))


def test_the_number_of_values_by_their_birthday():
    assert [len(born(day)) for day in range(4)] == [1, 4, 22, 1474]


# ---- published values ----
@pytest.mark.parametrize("value, operation, others, result", TABLES["operations"])
def test_published_results(value, operation, others, result):
    assert getattr(parse(value), operation)(*map(parse, others)) is parse(result)


@pytest.mark.parametrize("value, weight, frozen, reduced", TABLES["weights"])
def test_atomic_weights_and_reduced_forms_of_cgsuite(value, weight, frozen, reduced):
    value = parse(value)
    assert value.freeze() is parse(frozen) and value.reduced_canonical_form is parse(reduced)
    if weight:
        assert value.atomic_weight is parse(weight)
        return
    with pytest.raises(ValueError, match="is not atomic, so it has no atomic weight"):
        value.atomic_weight  # noqa: B018


@pytest.mark.parametrize("side", ["left_incentives", "right_incentives"])
def test_incentives_of_cgsuite(side):
    for value, *incentives in TABLES[side]:
        found = getattr(parse(value), side)
        assert set(found) == set(map(parse, incentives)) and len(found) == len(incentives)


def test_ordinal_sums_keep_the_order():
    for g, h in pairs(born(2), 100):
        for other in born(2):
            if h <= other:
                assert g.ordinal_sum(h) <= g.ordinal_sum(other)


# ---- identities ----
@pytest.mark.parametrize("t", ["0", "1/2", "1", "-1/2"])
def test_cooling_is_a_homomorphism_that_keeps_order(t):
    t = Fraction(t)
    for g, h in pairs(born(3), 150):
        assert (g + h).cool(t) is g.cool(t) + h.cool(t)
    for g, h in pairs(born(3), 1000):
        if t >= 0 and g >= h:
            assert g.cool(t) >= h.cool(t)


def test_cooled_values_have_the_walls_of_the_thermograph():
    for g in born(3):
        for t in (Fraction(1, 4), Fraction(1, 2)):
            walls = value_at(g.thermograph.left, t), value_at(g.thermograph.right, t)
            assert (g.cool(t).left_stop, g.cool(t).right_stop) == walls
        assert g.freeze().mean == g.mean and g.freeze().temperature <= 0


def test_cooling_undoes_heating():
    assert all(g.heat(t).cool(t) is g for g in born(3) for t in (Fraction(1, 2), 1, 2))


def test_overheating_undoes_chilling_of_even_values():
    """Warming, from 1* to 1, is the inverse of chilling (Berlekamp and Wolfe, Mathematical Go, ch. 3): on even values."""

    def parity(g):
        if g.is_number:
            return int(g.left_stop) % 2 if g.is_integer else None
        found = {parity(x) for x in g.left + g.right}
        return None if len(found) > 1 or None in found else 1 - found.pop()

    even, odd = [game(), game([1])], [game([0]), game([], [0])]
    rng = random.Random(4)
    for _ in range(40):  # {even|even} and {odd|odd}
        for values, options in ((odd, even), (even, odd)):
            new = {game([rng.choice(options)], [rng.choice(options)]) for _ in range(4)}
            values += [g for g in sorted(new, key=str) if parity(g) == (values is odd) and g not in values]
    assert len(even) >= 10 and all(g.cool(1).overheat(1 + STAR, 1) is g for g in even)


def test_heating_and_products_by_a_unit_are_homomorphisms():
    small = list(filter(all_small, born(3)))
    assert len(small) > 50
    for g, h in pairs(small, 300):
        assert (g + h).heat(1) is g.heat(1) + h.heat(1)
    for g, h in pairs(born(3), 100):
        assert (g + h).norton_product(UP) is g.norton_product(UP) + h.norton_product(UP)
        assert (g >= h) == (g.norton_product(UP) >= h.norton_product(UP))


def test_atomic_weights_add_and_decide():
    """They add; two ahead, a value is positive (two-ahead rule, Siegel, II.7)."""
    weights = {g: g.atomic_weight for g in born(3) if g.is_infinitesimal}
    assert len(weights) == 292
    for g, h in pairs(list(weights), 500):
        assert (g + h).atomic_weight is weights[g] + weights[h]
        assert (-g).atomic_weight is -weights[g]
    assert all(g > 0 for g, weight in weights.items() if weight >= 2)
    assert all(value.norton_product(UP).atomic_weight is value for value in born(2))


def test_reduced_forms_are_the_classes_of_infinitesimally_close_values():
    """61 classes at birthday 3: each value is close to its form, and no two forms are close."""
    forms = {g.reduced_canonical_form for g in born(3)}
    assert len(forms) == 61
    assert all((g - g.reduced_canonical_form).is_infinitesimal for g in born(3))
    assert all(form.reduced_canonical_form is form for form in forms)
    assert not any((g - h).is_infinitesimal for g in forms for h in forms if g is not h)


def test_the_conway_product_of_numbers_is_that_of_numbers():
    numbers = [Fraction(n, 4) for n in range(-8, 9)]
    for x in numbers:
        for y in (-3, Fraction(5, 8), 2):
            assert number(x).conway_product(y) == x * y
    for g, h in pairs(born(2), 40):
        assert g.conway_product(h) is h.conway_product(g) and g.conway_product(-h) is -g.conway_product(h)
        assert g.conway_product(1) is g and g.conway_product(0) == 0


# ---- integers of any size ----
def test_integers_of_any_size():
    large = parse(f"-{10**30}")
    assert str(large) == f"-{10**30}" and large + 10**30 == 0 and large.birthday == 10**30 and large < parse("-1")
    assert parse(f"{{{10**30}|{10**30 + 9}}}") == 10**30 + 1 and parse(f"{{{10**30}|0}}") < 10**30 + 1
    assert large.right == (large + 1,) and large.left == () and (large * 3).temperature == -1
    assert parse(f"{10**400}").heat(5) == 10**400 and parse(f"{10**400}^") > 10**400


def test_products_with_large_integers():
    assert parse("1000").conway_product(UP) is UP.conway_product(parse("1000")) is 1000 * UP
    assert UP != 0.5 and UP is not None and UP != None  # noqa: E711
