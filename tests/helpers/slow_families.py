"""Values of Toads and Frogs from the rules, and tables of families read by hand: the twin of the checkers, which shares no code with them.

A game is a pair (left options, right options) of tuples of games. Order and equality are by definition (Siegel, II.1).
"""

import re
from fractions import Fraction
from functools import cache
from itertools import product

from helpers.slow_toads import moves


@cache
def form_of(strip):
    """The game of a strip; dominated options are left out, so that it stays small."""
    left, right = ({form_of(new) for _, new in moves(strip, piece)} for piece in "TF")
    return simplest(left, right)


@cache
def leq(g, h):
    """g <= h: no left option of g is >= h, and no right option of h is <= g."""
    return not any(leq(h, x) for x in g[0]) and not any(leq(x, g) for x in h[1])


def simplest(left, right):
    """The canonical form of {left|right}, whose options are canonical: reversible options bypassed, dominated ones left out."""
    left, right = set(left), set(right)
    whole = (tuple(left), tuple(right))
    changed = True
    while changed:
        changed = False
        for mine, side in ((left, 1), (right, 0)):
            for x in list(mine):
                for back in x[side]:
                    if leq(back, whole) if side else leq(whole, back):
                        mine.remove(x)
                        mine |= set(back[1 - side])
                        changed = True
                        break
        whole = (tuple(left), tuple(right))
    kept_left = {x for x in left if not any(x != y and leq(x, y) for y in left)}
    kept_right = {x for x in right if not any(x != y and leq(y, x) for y in right)}
    return tuple(sorted(kept_left)), tuple(sorted(kept_right))


def number(x):
    """The canonical form of a dyadic number."""
    x = Fraction(x)
    if x.denominator == 1:
        return ((), ()) if x == 0 else ((number(x - 1),), ()) if x > 0 else ((), (number(x + 1),))
    step = Fraction(1, x.denominator)
    return ((number(x - step),), (number(x + step),))


def parsed(text, **names):
    """The canonical form of a value such as {a-2|{0|5-b}} or 2*, at these exponents."""
    at = 0

    def value():
        nonlocal at
        if text[at] == "{":
            sides = []
            for closing in "|}":
                at += 1
                options = []
                while text[at] != closing:
                    options.append(value())
                    at += text[at] == ","
                sides.append(options)
            at += 1
            return simplest(*sides)
        word = re.compile(r"[^{}|,]+").match(text, at)[0]
        at += len(word)
        x = at_exponents(word.rstrip("*") or "0", **names)
        if not word.endswith("*"):
            return number(x)
        return simplest({number(x)}, {number(x)})

    found = value()
    assert at == len(text)
    return found


def at_exponents(form, **names):
    """The number of a linear form such as 2a-b+1/2."""
    total = Fraction(0)
    for sign, size, name in re.findall(r"([+-]?)(\d+(?:/\d+)?)?([a-z])?", form):
        if size or name:
            total += Fraction(size or 1) * (names[name] if name else 1) * (-1 if sign == "-" else 1)
    return total


def leaf_of(tree, **names):
    """The text of the leaf of a decision tree at these exponents."""
    while not isinstance(tree, str):
        question, yes, no = tree
        word, divisor = next(((w, n) for w, n in (("even ", 2), ("3 divides ", 3)) if question.startswith(w)), ("", 0))
        if divisor:
            answer = at_exponents(question.removeprefix(word), **names) % divisor == 0
        else:
            answer = at_exponents(question, **names) >= 0
        tree = yes if answer else no
    return tree


def strip_of(symbol, word, runs):
    """The strip of a word with these runs."""
    return symbol * runs[0] + "".join(letter + symbol * n for letter, n in zip(word, runs[1:], strict=True))


def exponents_in(cone, names, highest):
    """The exponents of a cone, where each of its parameters is at most `highest`."""
    parameters = sorted({name for form in cone.values() for name in form if name})
    for point in product(range(highest + 1), repeat=len(parameters)):
        at = {"": 1, **dict(zip(parameters, point, strict=True))}
        forms = [cone.get(name, {}) for name in names]
        yield tuple(int(sum(x * at[name] for name, x in form.items())) for form in forms)
