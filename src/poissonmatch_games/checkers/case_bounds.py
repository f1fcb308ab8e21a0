"""Bounds of positions: values with linear forms for numbers, or powers of 1/2.

Examples are "0", "{a|{0|5-b}}", and 1/2^n with a parameter n.

The moves in a bound are those of its form; a pair in braces must not be a number, so that the order
is that of `symbolic_values`.
"""

import re
from typing import NamedTuple

from .linear_forms import Cone, Form, constant, each_cone, nonnegative, plus, read_integer, substituted, written
from .symbolic_positions import is_exactly
from .symbolic_values import (
    Tree,
    is_no_number,
    leq,
    names_in,
    negative,
    options_of,
    parts,
    read_tree,
    tree_in,
    written_tree,
)


class Power(NamedTuple):
    """1/2^exponent."""

    exponent: Form


Bound = Tree | Power
ZERO: Tree = {}
_POWER = re.compile(r"1/2\^(?:([0-9]+|[a-z])|\(([^()]*)\))")


def read_bound(text: str) -> Bound:
    """Return the bound given as text, "1/2^n" with an integer form for n, or a value.

    Raises ValueError for other text.
    """
    if "^" not in text:
        return read_tree(text)
    match = _POWER.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a bound: write a value, 1/2^n or 1/2^(n+1)")
    return Power(read_integer(match[1] or match[2]))


def written_bound(bound: Bound) -> str:
    """Return a bound as text."""
    if not isinstance(bound, Power):
        return written_tree(bound)
    text = written(bound.exponent)
    return f"1/2^{text if text.isalnum() else f'({text})'}"


def bound_in(bound: Bound, cone: Cone) -> Bound:
    """Return the bound with each name replaced by its form."""
    return Power(substituted(bound.exponent, cone)) if isinstance(bound, Power) else tree_in(bound, cone)


def names_of(bound: Bound) -> set[str]:
    """Return the names in a bound; "" is the constant."""
    return set(bound.exponent) if isinstance(bound, Power) else names_in(bound)


def check_bound(bound: Bound, cone: Cone) -> None:
    """Check that a bound is valid in the cone.

    Raises ValueError if an exponent of 1/2 may be negative, or a pair in braces may be a number.
    """

    def ask(here: Cone) -> None:
        inside = bound_in(bound, here)
        if isinstance(inside, Power):
            if not nonnegative(inside.exponent):
                raise ValueError(f"the exponent {written(inside.exponent)} may be negative")
        elif not all(map(is_no_number, parts(inside))):
            raise ValueError("a part in braces of the bound may be a number")

    each_cone(cone, ask)


def rises(bound: Bound) -> list[Bound]:
    """Return the right options of a bound, to which Left moves in position - bound."""
    if isinstance(bound, Power):
        less = plus(bound.exponent, constant(-1))
        return [Power(less)] if nonnegative(less) else []
    return options_of(bound, 1)


def falls(bound: Bound) -> list[Bound]:
    """Return the left options of a bound, to which Right moves in position - bound."""
    return [ZERO] if isinstance(bound, Power) else options_of(bound, 0)


def implies(known: Bound, bound: Bound) -> bool:
    """Return whether known <= bound; False also if a value and a power are not compared."""
    if isinstance(bound, Power):
        if isinstance(known, Power):
            return nonnegative(plus(known.exponent, bound.exponent, -1))
        return _at_most(known, bound.exponent)
    if isinstance(known, Power):  # 0 < known <= 1
        return isinstance(bound, dict) and nonnegative(plus(bound, constant(-1)))
    return leq(known, bound)


def _at_most(tree: Tree, exponent: Form) -> bool:
    """Return whether tree <= 1/2^exponent; False also for a number strictly between 0 and 1."""
    if not isinstance(tree, dict):
        return not any(_at_least(x, exponent) for x in tree[0])
    return nonnegative(negative(tree)) or (is_exactly(tree, 1) and is_exactly(exponent, 0))


def _at_least(tree: Tree, exponent: Form) -> bool:
    """Return whether tree >= 1/2^exponent may hold.

    For a number strictly between 0 and 1 it may.
    """
    if not isinstance(tree, dict):
        return not any(_at_most(x, exponent) for x in tree[1])
    return not nonnegative(negative(tree))
