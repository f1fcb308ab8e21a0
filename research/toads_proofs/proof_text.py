"""Proofs as text: a line for each formula of a table, or for each line of a proof by cases."""

from collections.abc import Iterator
from typing import Any

from poissonmatch_games.checkers.check_families import NAMES, read_question
from poissonmatch_games.checkers.linear_forms import constant, plus, written
from poissonmatch_games.toads.claims import claim_text


def lines(certificate: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a certificate; none for a table of all positions."""
    if certificate["kind"] == "families":
        for family, where, value in formulas(certificate):
            yield f"{family} = {value}   ({where})"
        for word in certificate.get("open", ()):
            yield f"{family_of(certificate['symbol'], word)}: open, no formula is known"
    elif certificate["kind"] == "cases":
        for claim in certificate["claims"]:
            yield claim_text(claim)
            for key in ("proof", "mirror"):
                if key in claim:
                    yield from _proof(claim[key], 1)


def _proof(node: dict[str, Any], depth: int) -> Iterator[str]:
    reason = f"by {node['by']} {node.get('name', node.get('table', ''))}".rstrip() if "by" in node else ""
    if "split" in node:
        reason = f"two cases: {node['split']} >= 0 or not"
    at = node.get("at", "")
    yield "  " * depth + ", ".join(part for part in (at, reason) if part)
    for case in [*node.get("cases", ()), *(answer for _, answer in node.get("moves", ()))]:
        yield from _proof(case, depth + 1)


def family_of(symbol: str, word: str) -> str:
    """Return a word with its runs: T^a . T^b F T^c."""
    runs = [f"{symbol}^{name}" for name in NAMES[: len(word) + 1]]
    return " ".join([runs[0], *(f"{letter} {run}" for letter, run in zip(word, runs[1:], strict=True))])


def formulas(certificate: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield (family, condition, value) for each formula of a table."""
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
    """Return the questions and their answers as text.

    Those about one exponent are joined: a = 1, b >= 2, a+c even.
    """
    low: dict[str, int] = {}
    high: dict[str, int] = {}
    others = []
    for text, yes in questions:
        form, divisor = read_question(text)
        names = [name for name in form if name]
        bound = -int(form.get("", 0))
        if divisor == 2:
            others.append(f"{written(form)} {'even' if yes else 'odd'}")
        elif divisor:
            others.append(f"{written(form)} {'' if yes else 'not '}divisible by {divisor}")
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
        first, last = low.get(name, 0), high.get(name)
        if last is None:
            ranges.append(f"{name} >= {first}")
        elif first == last:
            ranges.append(f"{name} = {first}")
        else:
            ranges.append(f"{first} <= {name} <= {last}" if first else f"{name} <= {last}")
    return ", ".join(ranges + others)
