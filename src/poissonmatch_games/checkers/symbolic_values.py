"""Values with linear forms for numbers, {a-2|{0|5-b}}, and their order in a cone of parameters.

A tree is a form, or a pair (left options, right options) of trees that is not a number. Order and
stops are those of games (Siegel, Combinatorial Game Theory, II.1 and II.3); all functions may raise
Undecided.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from .linear_forms import MAX_TEXT, Cone, Form, constant, nonnegative, plus, read_form, substituted, written

Tree = Any  # Form | tuple[list[Tree], list[Tree]]
_DYADIC = {2**n for n in range(64)}


def read_tree(text: str) -> Tree:
    """Return the tree given as text, such as "{a-2|{0|5-b}}".

    x* is {x|x}, * is {0|0}. Raises ValueError for other text.
    """
    if len(text) > MAX_TEXT:
        raise ValueError(f"a value has at most {MAX_TEXT} characters, got {len(text)}")
    tree, rest = _read(text)
    if rest:
        raise ValueError(f"{text!r} has more text after the value")
    return tree


def _read(text: str) -> tuple[Tree, str]:
    if text.startswith("{"):
        left, rest = _read_options(text[1:], "|")
        right, rest = _read_options(rest, "}")
        return (left, right), rest
    end = min((at for at in map(text.find, "|},") if at >= 0), default=len(text))
    word = text[:end]
    form = read_form("0" if word == "*" else word.removesuffix("*"))
    if any(x.denominator > 1 for name, x in form.items() if name) or form.get("", 0).denominator not in _DYADIC:
        raise ValueError(f"{word!r} is not an integer for all parameters, plus a dyadic fraction")
    return (([form], [form]) if word.endswith("*") else form), text[end:]


def _read_options(text: str, closing: str) -> tuple[list[Tree], str]:
    options = []
    while True:
        tree, text = _read(text)
        options.append(tree)
        if text[:1] == closing:
            return options, text[1:]
        if text[:1] != ",":
            raise ValueError(f"expected , or {closing} before {text!r}")
        text = text[1:]


def tree_in(tree: Tree, cone: Cone) -> Tree:
    """Return the tree with each name replaced by its form."""
    if isinstance(tree, dict):
        return substituted(tree, cone)
    return [tree_in(x, cone) for x in tree[0]], [tree_in(x, cone) for x in tree[1]]


def names_in(tree: Tree) -> set[str]:
    """Return the names in the forms of a tree; "" is the constant."""
    return set(tree) if isinstance(tree, dict) else set[str]().union(*map(names_in, [*tree[0], *tree[1]]))


def written_tree(tree: Tree) -> str:
    """Return a tree as text that `read_tree` accepts."""
    if isinstance(tree, dict):
        return written(tree)
    left, right = (",".join(map(written_tree, side)) for side in tree)
    return f"{{{left}|{right}}}"


def negative(tree: Tree) -> Tree:
    """Return the negative of a tree."""
    if isinstance(tree, dict):
        return {name: -x for name, x in tree.items()}
    return [negative(x) for x in tree[1]], [negative(x) for x in tree[0]]


def parts(tree: Tree) -> Iterator[tuple[list[Tree], list[Tree]]]:
    """Yield the parts of a tree in braces, itself among them."""
    if not isinstance(tree, dict):
        yield tree
        for option in (*tree[0], *tree[1]):
            yield from parts(option)


def leq(g: Tree, h: Tree) -> bool:
    """Return whether g <= h, by number avoidance if one of them is a number."""
    if isinstance(g, dict):
        if isinstance(h, dict):
            return nonnegative(plus(h, g, -1))
        return not any(leq(x, g) for x in h[1])
    if isinstance(h, dict):
        return not any(leq(h, x) for x in g[0])
    return not any(leq(h, x) for x in g[0]) and not any(leq(x, g) for x in h[1])


def is_no_number(tree: tuple[list[Tree], list[Tree]]) -> bool:
    """Return whether no number is strictly between the left and the right options.

    The tree is then not a number.
    """
    for x in tree[0]:
        for y in tree[1]:
            low, high = _stop(x, 1), _stop(y, 0)
            if nonnegative(plus(low, high, -1)):
                if not nonnegative(plus(high, low, -1)) or leq(low, x) or leq(y, high):
                    return True
    return False


def _stop(tree: Tree, player: int) -> Form:
    """Return the number reached if Left (0) or Right (1) starts."""
    if isinstance(tree, dict):
        return tree
    best: Form | None = None
    for option in tree[player]:
        stop = _stop(option, 1 - player)
        if best is None or not nonnegative(plus(best, stop, -1) if player == 0 else plus(stop, best, -1)):
            best = stop
    assert best is not None
    return best


def number_option(form: Form, player: int) -> Form | None:
    """Return the left (0) or right (1) option of a number in canonical form, or None.

    Raises ValueError for a form that is not everywhere an integer plus one dyadic fraction.
    """
    last = form.get("", 0).denominator
    if any(x.denominator > 1 for name, x in form.items() if name) or last & (last - 1):
        raise ValueError(f"{written(form)} must be an integer everywhere, or an integer plus one dyadic fraction")
    sign = -1 if player == 0 else 1
    if last > 1:
        return plus(form, constant(Fraction(sign, last)))
    toward = plus(constant(-1), form, -sign)  # >= 0 exactly if the option exists: form - 1, or -form - 1
    return plus(form, constant(sign)) if nonnegative(toward) else None


def same(left: list[Tree], right: list[Tree], value: Tree) -> bool:
    """Return whether {left | right} is the value: the first player loses the difference."""
    sides = left, right
    if any(leq(value, x) for x in left) or any(leq(x, value) for x in right):
        return False
    if isinstance(value, dict):
        lower, upper = number_option(value, 0), number_option(value, 1)
        return (lower is None or not _below(sides, lower)) and (upper is None or not _above(sides, upper))
    return not any(_below(sides, x) for x in value[0]) and not any(_above(sides, x) for x in value[1])


def _below(sides: tuple[list[Tree], list[Tree]], z: Tree) -> bool:
    """Return whether {sides} <= z."""
    if any(leq(z, x) for x in sides[0]):
        return False
    return not any(_above(sides, x) for x in options_of(z, 1))


def _above(sides: tuple[list[Tree], list[Tree]], z: Tree) -> bool:
    """Return whether {sides} >= z."""
    if any(leq(x, z) for x in sides[1]):
        return False
    return not any(_below(sides, x) for x in options_of(z, 0))


def options_of(tree: Tree, player: int) -> list[Tree]:
    """Return the left (0) or right (1) options of a tree."""
    if not isinstance(tree, dict):
        return list(tree[player])
    option = number_option(tree, player)
    return [] if option is None else [option]
