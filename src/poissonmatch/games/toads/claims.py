"""Conjectures and theorems about Toads and Frogs, checked position by position: one row per claim.

E1 to E5: Erickson, New Toads and Frogs results (1996). T1 to T5: Thanatipanonda [T], sec. 6; Theorem 2: [T], sec. 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import TypedDict

from ..partisan.values import STAR, ZERO, Game, game, number
from .bounds import timed_compare
from .families import Solver
from .notation import shape
from .strips import Strip, starting

__all__ = ["CLAIMS", "CLAIM_COLUMNS", "Claim", "ClaimRow", "check", "check_rows_for_zero"]

# column -> (type, unit, meaning)
CLAIM_COLUMNS: dict[str, tuple[str, str, str]] = {
    "claim": ("str", "", "name of the claim; T5 has one row for each C"),
    "statement": ("str", "", "what is claimed"),
    "cells": ("int", "positions", "starting positions checked, smallest strips first"),
    "squares": ("int", "squares", "the claim was checked on all its positions with at most that many squares"),
    "holds": ("bool | None", "", "no counterexample among the cells; None where a finite check cannot decide (T5)"),
    "counterexample": ("str | None", "", "the first position that breaks the claim, with what is known of its value V"),
    "remark": ("str", "", "what the check shows, in words"),
    "seconds": ("float", "s", "wall-clock time"),
}


class ClaimRow(TypedDict):
    """One claim; see CLAIM_COLUMNS."""

    claim: str
    statement: str
    cells: int
    squares: int
    holds: bool | None
    counterexample: str | None
    remark: str
    seconds: float


Cell = tuple[Strip, tuple[Game, ...]]  # a position, and the values that the claim allows; () for any infinitesimal


@dataclass(frozen=True)
class Claim:
    """A claim about starting positions: `cells(n)` are those of n squares."""

    name: str
    statement: str
    cells: Callable[[int], Iterator[Cell]]


def _e1(n: int) -> Iterator[Cell]:
    for b in range(2, n):
        if (a := n - 2 - b) > b:
            yield starting(a, 2, b), (game([game([a - 3], [a - b])], [game([STAR], [3 - b])]),)


def _e2(n: int) -> Iterator[Cell]:
    if (a := n - 5) >= 2:
        yield starting(a, 3, 2), (a - 2 + STAR,)


def _e3(n: int) -> Iterator[Cell]:
    if (a := n - 6) >= 5:
        yield starting(a, 3, 3), (number(a - Fraction(7, 2)),)


def _e4(n: int) -> Iterator[Cell]:
    a, rest = divmod(n + 1, 3)
    if a >= 1 and rest == 0:
        yield starting(a, a, a - 1), (number(1), 1 + STAR)


def _e5(n: int) -> Iterator[Cell]:
    for a in range(1, (n + 1) // 2):
        b = n - 2 * a
        if b > 0 and (a, b) != (3, 2):
            yield starting(a, b, a), ()


def _theorem2(n: int) -> Iterator[Cell]:
    if n % 2 == 0 and n >= 10:
        yield starting(n // 2 - 1, 2, n // 2 - 1), ()


def _t1(n: int) -> Iterator[Cell]:
    for a in range(2, n):
        for left in range(n - a):
            for b in range(1, n - a - left):
                right = n - a - left - b - 1
                if right < left:
                    continue
                base = number((a - 1) * (b - 1 + right))
                if right > left + 1:
                    value = right - left - 1 + base
                elif right == left + 1:
                    value = base if b % 2 == 0 else base + Fraction(1, 2)
                elif (right, b) == (0, 1):
                    value = game([game([a - 2], [1])], [0])
                else:
                    value = base if b % 2 == 0 else base + STAR
                yield "." * left + starting(a, b, 1) + "." * right, (value,)


def _t2(n: int) -> Iterator[Cell]:
    if (a := n - 4) >= 7:
        yield starting(2, a, 2), (STAR if a % 6 == 1 else ZERO,)


def _t3(n: int) -> Iterator[Cell]:
    for b in range(1, n):
        if b != 2 and (n - b) % 2 == 0 and (n - b) // 2 > b:
            yield starting((n - b) // 2, b, (n - b) // 2), (STAR,)


def _t4(n: int) -> Iterator[Cell]:
    for a in range(1, n):
        if n - 2 * a > a:
            yield starting(a, n - 2 * a, a), (ZERO, STAR)


CLAIMS: tuple[Claim, ...] = (
    Claim("E1", "T^a .. F^b = {{a-3|a-b}|{*|3-b}} for a > b >= 2", _e1),
    Claim("E2", "T^a ... FF = {a-2|a-2} for a >= 2", _e2),
    Claim("E3", "T^a ... FFF = a - 7/2 for a >= 5", _e3),
    Claim("E4", "T^a .^a F^(a-1) = 1 or {1|1}", _e4),
    Claim("E5", "T^a .^b F^a is infinitesimal except (a, b) = (3, 2)", _e5),
    Claim("Theorem 2", "T^a .. F^a is infinitesimal for a >= 4", _theorem2),
    Claim("T1", "the values of .^L T^a .^b F .^R, a > 1, b > 0, R >= L", _t1),
    Claim("T2", "for a >= 7, TT .^a FF = * exactly when a = 7 + 6n, else 0", _t2),
    Claim("T3", "T^a .^b F^a = * for a > b > 0, b != 2", _t3),
    Claim("T4", "T^a .^b F^a = 0 or * for b > a > 0", _t4),
)


def check(claim: Claim, solver: Solver, squares: int, seconds: float) -> ClaimRow:
    """Check a claim on its positions of 1, 2, .. up to `squares` squares, until it breaks or `seconds` are over.

    A position that the solver cannot settle (an infinitesimal other than 0 and * that is too large for canonical
    forms, say) ends the check there.
    """
    start = monotonic()
    cells, complete, counterexample, stopped = 0, 0, None, ""
    for n in range(1, squares + 1):
        for strip, allowed in claim.cells(n):
            holds, known = _holds(solver, strip, allowed, start + seconds)
            if holds is None:
                stopped = f"; {shape(strip)} was not settled"
            elif not holds:
                counterexample = f"{shape(strip)}: {known}"
            if not holds:
                break
            cells += 1
        if stopped or counterexample:
            break
        complete = n
    return {
        "claim": claim.name,
        "statement": claim.statement,
        "cells": cells + (counterexample is not None),
        "squares": complete,
        "holds": counterexample is None,
        "counterexample": counterexample,
        "remark": f"checked up to {complete} squares{stopped}" if counterexample is None else "false",
        "seconds": monotonic() - start,
    }


def check_rows_for_zero(solver: Solver, frogs: int, squares: int, seconds: float) -> ClaimRow:
    """T5 for one C = `frogs`: where the row T^C .^b F^C, b = 1, 2, .., is not 0. No range proves T5."""
    start = monotonic()
    not_zero: list[int] = []
    last = 0
    for b in range(1, squares - 2 * frogs + 1):
        holds, _ = _holds(solver, starting(frogs, b, frogs), (ZERO,), start + seconds)
        if holds is None:
            break
        last = b
        if not holds:
            not_zero.append(b)
    tail = max(not_zero, default=0) + 1
    seen = [f"0 for {tail} <= b <= {last}"] if tail <= last else []
    seen += [f"not 0 at b = {', '.join(map(str, not_zero))}"] if not_zero else []
    return {
        "claim": f"T5, C = {frogs}",
        "statement": "T^C .^b F^C = 0 for all large b",
        "cells": last,
        "squares": last + 2 * frogs,
        "holds": None,
        "counterexample": None,
        "remark": "; ".join(seen) or "nothing was checked",
        "seconds": monotonic() - start,
    }


def _holds(solver: Solver, strip: Strip, allowed: tuple[Game, ...], deadline: float) -> tuple[bool | None, str]:
    """(does the strip have an allowed value, or None; what is known of it). Search first where it is enough."""
    refuted = False
    if allowed and not solver.is_quick(strip):
        for value in allowed:
            relation = timed_compare(solver.search, strip, value, deadline)
            if relation is None or relation == "=":
                return None if relation is None else True, f"V = {value}"
        refuted = True
    answer, _, _ = solver.solve(strip, max(deadline - monotonic(), 0))
    if isinstance(answer, Game):
        return (answer in allowed if allowed else answer.is_infinitesimal), f"V = {answer}"
    if not allowed:  # 0 < V leaves an infinitesimal open; 1/16 < V, or V confused with 1, does not
        low, high = answer.below, answer.above
        refuted = any(answer.confused) or (low is not None and low > 0) or (high is not None and high < 0)
    return False if refuted else None, str(answer)
