"""Text of certificates: a line for each formula, or for each line of a proof."""

from collections.abc import Iterator
from typing import Any

from ..toads.strips import mirror, shape
from .check_families import NAMES, read_question
from .cones import constant, plus, written


def claimed(certificate: dict[str, Any]) -> str:
    """Return what the checker verified, from the parts that it examines; the statement in the file may say anything."""
    if certificate["kind"] == "families":
        left_open = "".join(f", except {word}" for word in certificate.get("open", ()))
        letters = " ".join(certificate["letters"])
        return f"the value of every strip of {letters}, in any order, with runs of {certificate['symbol']} between{left_open}"
    if certificate["kind"] == "cases":
        claims = certificate["claims"]
        before = f", and {len(claims) - 1} claims before it" if len(claims) > 4 else ""
        return _claim(claims[-1]) + before if before else "; ".join(map(_claim, claims))
    strip, star, free, first = (certificate[word] for word in ("strip", "star", "free", "first"))
    position = shape(strip) + (f" {'-' if free < 0 else '+'} {abs(free)}" if free else "") + " + *" * star
    if strip == mirror(strip) and not free:
        return f"the first player {'wins' if first == 'Left' else 'loses'} {position}"
    return f"Left wins {position} if {first} starts"


def _claim(claim: dict[str, Any]) -> str:
    least = ", ".join(f"{name} >= {n}" for name, n in claim["least"].items())
    what = f"= {claim['value']}" if "value" in claim else f"<= {claim['bound']}"
    return f"{claim['name']}: {claim['position']} {what}{' for ' if least else ''}{least}"


def lines(certificate: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a certificate; none for a strategy."""
    if certificate["kind"] == "families":
        for family, where, value in formulas(certificate):
            yield f"{family} = {value}   ({where})"
        for word in certificate.get("open", ()):
            yield f"{family_of(certificate['symbol'], word)}: open, no formula is known"
    elif certificate["kind"] == "cases":
        for claim in certificate["claims"]:
            yield _claim(claim)
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
    """Return the questions and their answers as text, those about one exponent joined: a = 1, b >= 2, a+c even."""
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
