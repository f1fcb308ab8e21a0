"""Linear forms in parameters that are integers >= 0.

Their tests hold for all parameters or for none.

A test that holds for some parameters only raises `Undecided`; the caller then splits the cone,
along a parameter or between two, and repeats the test in each part: two parts for a sign, n for
divisibility by n. So only integers are compared.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from .work_limit import spend

Number = int | Fraction  # an int wherever it can be, which is much faster
Form = dict[str, Number]  # parameter -> coefficient; "" -> the constant; no coefficient is zero
Cone = dict[str, Form]  # name -> form in the parameters of the cone, which are all integers >= 0

MAX_SPLITS = 200  # nested splits of a cone
MAX_CONES = 200_000  # in all


class Undecided(Exception):
    """Form that is >= 0 (with `divisor`: a multiple of it) for some parameters of the cone only."""

    def __init__(self, form: Form, divisor: int = 0) -> None:
        self.form, self.divisor = form, divisor


def constant(x: Number) -> Form:
    """Return the constant form x."""
    return {"": x} if x else {}


def plus(f: Form, g: Form, times: Number = 1) -> Form:
    """Return f + times * g."""
    total = dict(f)
    for name, x in g.items():
        total[name] = total.get(name, 0) + times * x
    return {name: x for name, x in total.items() if x}


def substituted(f: Form, cone: Mapping[str, Form]) -> Form:
    """Return the form with each name replaced by its form in the cone; other names remain."""
    spend()
    total: Form = {}
    for name, x in f.items():
        for inner, y in cone[name].items() if name in cone else ((name, 1),):
            total[inner] = total.get(inner, 0) + x * y
    return {name: x for name, x in total.items() if x}


MAX_TEXT = 500  # characters of a form, a value or a position
_TERM = re.compile(r"([+-]?)(\d+(?:/\d+)?)?([a-z]\d*)?", re.ASCII)


def read_form(text: str) -> Form:
    """Return the form given as text, such as "2a-b+1/2". Raises ValueError for other text."""
    form: Form = {}
    at = 0
    if not text or len(text) > MAX_TEXT:
        raise ValueError(f"a linear form has 1 to {MAX_TEXT} characters, got {len(text)}")
    spend(len(text) + 4)
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None or match.end() == at or not (match[2] or match[3]) or (at > 0 and not match[1]):
            raise ValueError(f"{text!r} is not a linear form")
        x = Fraction(match[2] or 1) * (-1 if match[1] == "-" else 1)
        form = plus(form, {match[3] or "": int(x) if x.denominator == 1 else x})
        at = match.end()
    return form


def read_integer(text: str) -> Form:
    """Return the form given as text, all of whose coefficients are integers.

    Raises ValueError for other text.
    """
    form = read_form(text)
    if any(x.denominator > 1 for x in form.values()):
        raise ValueError(f"{text!r} is not an integer for all parameters")
    return form


def written(form: Form) -> str:
    """Return a form as text, its constant last."""
    text = ""
    for name in [*sorted(name for name in form if name), *([""] if "" in form else [])]:
        x = form[name]
        size = "" if abs(x) == 1 and name else str(abs(x))
        text += ("-" if x < 0 else "+" if text else "") + size + name
    return text or "0"


def nonnegative(form: Form) -> bool:
    """Return whether form >= 0, for all parameters or for none. Raises Undecided otherwise."""
    spend()
    minimum, signs = form.get("", 0), {x > 0 for name, x in form.items() if name}
    if minimum >= 0 and False not in signs:
        return True
    if minimum < 0 and True not in signs:
        return False
    raise Undecided(form)


def divides(divisor: int, form: Form) -> bool:
    """Return whether the divisor, 2 or 3, divides the form.

    Raises ValueError if the form is not an integer everywhere, or Undecided.
    """
    if any(x.denominator > 1 for x in form.values()):
        raise ValueError(f"{written(form)} is not an integer")
    if any(name and x % divisor for name, x in form.items()):
        raise Undecided(form, divisor)
    return form.get("", 0) % divisor == 0


def halves(cone: Cone, question: Undecided) -> Iterator[Cone]:
    """Yield cones that make up the cone.

    These are p >= q and q > p for a form that contains p and -q, otherwise p = 0 and p > 0.

    With the largest coefficients of both signs for p and q, this ends: the largest coefficient of
    all becomes smaller, or rarer, or, as long as neither happens, there are fewer coefficients of
    the other sign. For divisibility by n, which does not depend on the parameters whose
    coefficients n divides, they are the n classes of one parameter.
    """
    form = question.form
    up = sorted((name for name, x in form.items() if name and x > 0), key=lambda name: (-form[name], name))
    down = sorted((name for name, x in form.items() if name and x < 0), key=lambda name: (form[name], name))
    n = question.divisor
    if n:
        name = next(name for name in sorted(form) if name and form[name] % n)
        changes: list[dict[str, Form]] = [{name: plus({name: n}, constant(rest))} for rest in range(n)]
    elif up and down:
        p, q = up[0], down[0]  # p >= q, or q > p
        changes = [{p: {p: 1, q: 1}}, {q: {q: 1, p: 1, "": 1}}]
    else:
        name = (up or down)[0]
        changes = [{name: {}}, {name: {name: 1, "": 1}}]
    for change in changes:
        yield {name: substituted(f, change) for name, f in cone.items()}


def each_cone(cone: Cone, ask: Callable[[Cone], None]) -> int:
    """Call `ask` in the cone, and split it each time `ask` raises Undecided.

    Returns the number of cones in which it did not. Raises ValueError beyond MAX_SPLITS nested
    splits and MAX_CONES cones.
    """
    todo, n_cones = [(cone, 0)], 0
    while todo:
        here, depth = todo.pop()
        try:
            ask(here)
            n_cones += 1
        except Undecided as question:
            if depth == MAX_SPLITS:
                raise ValueError(f"{written(question.form)} is still undecided after {MAX_SPLITS} splits") from None
            todo += [(half, depth + 1) for half in halves(here, question)]
        if n_cones + len(todo) > MAX_CONES:
            raise ValueError(f"more than {MAX_CONES} cones")
    return n_cones
