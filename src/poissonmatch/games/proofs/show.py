"""A table of families in words: a row for each formula."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .check_cases import written
from .check_families import NAMES
from .cones import constant, plus, read_form

__all__ = ["family_of", "formulas"]


def family_of(symbol: str, word: str) -> str:
    """The word with its runs: T^a . T^b F T^c."""
    runs = [f"{symbol}^{name}" for name in NAMES[: len(word) + 1]]
    return " ".join([runs[0], *(f"{letter} {run}" for letter, run in zip(word, runs[1:], strict=True))])


def formulas(certificate: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(family, where, value) of each formula of a table."""
    for word, tree in certificate["words"].items():
        for questions, value in _leaves(tree, []):
            yield family_of(certificate["symbol"], word), _where(questions) or "always", value


def _leaves(tree: Any, questions: list[tuple[str, bool]]) -> Iterator[tuple[list[tuple[str, bool]], str]]:
    if isinstance(tree, str):
        yield questions, tree
    else:
        yield from _leaves(tree[1], [*questions, (tree[0], True)])
        yield from _leaves(tree[2], [*questions, (tree[0], False)])


def _where(questions: list[tuple[str, bool]]) -> str:
    """The questions and their answers, those about one exponent joined: a = 1, b >= 2, a+c even."""
    low: dict[str, int] = {}
    high: dict[str, int] = {}
    others = []
    for text, yes in questions:
        form = read_form(text.removeprefix("even "))
        names = [name for name in form if name]
        bound = -int(form.get("", 0))
        if text.startswith("even "):
            others.append(f"{text.removeprefix('even ')} {'even' if yes else 'odd'}")
        elif len(names) == 1 and form[names[0]] == 1:
            name = names[0]
            if yes:
                low[name] = max(low.get(name, 0), bound)
            else:
                high[name] = min(high.get(name, bound - 1), bound - 1)
        else:
            others.append(f"{written(plus(form, constant(bound)))} {'>=' if yes else '<'} {bound}")
    ranges = []
    for name in sorted({*low, *high}):
        least, most = low.get(name, 0), high.get(name)
        if most is None:
            ranges.append(f"{name} >= {least}")
        elif least == most:
            ranges.append(f"{name} = {least}")
        else:
            ranges.append(f"{least} <= {name} <= {most}" if least else f"{name} <= {most}")
    return ", ".join(ranges + others)
