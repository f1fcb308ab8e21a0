"""Checks of claims about Toads and Frogs on their positions: one row for each claim."""

from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from poissonmatch.utils.errors import IntegrityError, Problem

from ..checkers import certificates
from ..checkers.certificates import Conclusion, concludes
from ..partisan.values import ZERO, Game
from .bounds import timed_compare
from .conjectures import AGAINST_T5, Allowed, Claim, infinitesimal
from .conjectures import CLAIMS as CLAIMS
from .families import Solver
from .strips import Strip, mirror, shape, starting

# column -> (type, unit, meaning)
CLAIM_COLUMNS: dict[str, tuple[str, str, str]] = {
    "claim": ("str", "", "name of the claim; T5 has one row for each C"),
    "statement": ("str", "", "the claim"),
    "status": ("str", "", "proved, refuted or open"),
    "by": ("str", "", "who proved or refuted it"),
    "certificates": ("str", "", "stored certificates of the status that the checkers accepted in this run"),
    "cells": ("int", "positions", "positions checked here, smallest strips first"),
    "squares": ("int", "squares", "largest number of squares for which all positions of the claim were checked"),
    "holds": (
        "bool | None",
        "",
        "False if refuted; True if no position checked here contradicts it; None if none was checked, or none can decide (T5)",
    ),
    "counterexample": ("str | None", "", "the stored witness, or the first position that contradicts the claim"),
    "remark": ("str", "", "result of the check in words"),
    "seconds": ("float", "s", "wall-clock time"),
}


ClaimRow = dict[str, Any]  # with the keys of CLAIM_COLUMNS


def line(row: ClaimRow) -> str:
    """Return a row as a line of text: name, status, result of the check."""
    who = f" ({row['by']})" if row["by"] else ""
    witness = f": {row['counterexample']}" if row["counterexample"] else ""
    return f"{row['claim']}: {row['status']}{who}{witness}; {row['remark']}"


def check(claim: Claim, solver: Solver, squares: int, seconds: float) -> ClaimRow:
    """Check the certificates of a claim, then the claim on positions.

    The positions are those of the claim with up to `squares` squares. The check of positions ends
    after `seconds`, at a counterexample, or at a position that the solver cannot settle. Raises
    IntegrityError if a certificate is not accepted, or proves something else.
    """
    start = monotonic()
    accepted = _replayed(claim.name, claim.certificates)
    deadline = monotonic() + seconds
    cells, complete, broken, stopped = 0, 0, None, ""
    for n in range(1, min(squares, claim.max_squares) + 1):
        for strip, allowed in claim.cells(n):
            holds, reason = _holds(solver, strip, allowed, deadline)
            cells += holds is not None
            if holds is None:
                stopped = f"; {shape(strip)} was not settled"
            elif not holds:
                broken = f"{shape(strip)}: {reason}"
            if not holds:
                break
        if stopped or broken:
            break
        complete = n
    refuted = claim.status == "refuted" or broken is not None
    checked = f"checked on {cells} positions of up to {complete} squares" if cells else "not checked"
    if cells and claim.status == "refuted" and broken is None:
        checked += ", where it is true"
    return {
        "claim": claim.name,
        "statement": claim.statement,
        "status": "refuted" if refuted else claim.status,
        "by": claim.by if claim.status == "refuted" or not refuted else "this run",
        "certificates": accepted,
        "cells": cells,
        "squares": complete if cells else 0,
        "holds": False if refuted else True if cells else None,
        "counterexample": claim.witness or broken,
        "remark": checked + stopped,
        "seconds": monotonic() - start,
    }


def check_rows_for_zero(solver: Solver, frogs: int, squares: int, seconds: float) -> ClaimRow:
    """Check T5 for C = `frogs`.

    The result lists where the row T^C .^b F^C, b = 1, 2, ..., is not 0. No finite range proves T5.
    """
    start = monotonic()
    accepted = _replayed(f"T5, C = {frogs}", AGAINST_T5.get(frogs, {}))
    deadline = monotonic() + seconds
    not_zero, last = list[int](), 0
    for b in range(1, squares - 2 * frogs + 1):
        holds, _ = _holds(solver, starting(frogs, b, frogs), (ZERO,), deadline)
        if holds is None:
            break
        last = b
        if not holds:
            not_zero.append(b)
    tail = max(not_zero, default=0) + 1
    results = [f"0 for {tail} <= b <= {last}"] if tail <= last else []
    results += [f"not 0 at b = {', '.join(map(str, not_zero))}"] if not_zero else []
    return {
        "claim": f"T5, C = {frogs}",
        "statement": "T^C .^b F^C = 0 for all large b",
        "status": "open",
        "by": "",
        "certificates": accepted,
        "cells": last,
        "squares": last + 2 * frogs if last else 0,
        "holds": None,
        "counterexample": None,
        "remark": "; ".join(results) or "not checked",
        "seconds": monotonic() - start,
    }


def _replayed(claim: str, wanted: Mapping[str, Conclusion]) -> str:
    """Check stored certificates, and that they prove what the claim needs; return their names."""
    for name, conclusion in wanted.items():
        certificate = certificates.load(name)
        try:
            certificates.check(certificate)
        except ValueError as error:
            raise IntegrityError(Problem(Path(name), "damaged", f"rejected: {error}")) from None
        if not concludes(certificate, conclusion):
            raise IntegrityError(Problem(Path(name), "not ours", f"a certificate of a statement other than {claim}"))
    return ", ".join(wanted)


def _holds(solver: Solver, strip: Strip, allowed: Allowed, deadline: float) -> tuple[bool | None, str]:
    """Return whether the strip has an allowed value (or None), and its value or bounds.

    Search is tried first.
    """
    refuted = False
    if isinstance(allowed, tuple) and not solver.is_quick(strip):
        for value in allowed:
            relation = timed_compare(solver.search, strip, value, deadline)
            if relation is None or relation == "=":
                return None if relation is None else True, f"V = {value}"
        refuted = True
    answer, _, _ = solver.solve(strip, max(deadline - monotonic(), 0))
    if isinstance(answer, Game):
        return (answer in allowed if isinstance(allowed, tuple) else allowed(answer)), f"V = {answer}"
    if allowed is infinitesimal:  # 0 < V leaves an infinitesimal open; 1/16 < V, or V confused with 1, does not
        low, high = answer.below, answer.above
        refuted = any(answer.confused) or (low is not None and low > 0) or (high is not None and high < 0)
    return False if refuted else None, str(answer)


def claimed(certificate: dict[str, Any]) -> str:
    """Return what the checker verified, from the parts that it examines.

    The statement in the file is not used, since it may be wrong.
    """
    if certificate["kind"] == "families":
        left_open = "".join(f", except {word}" for word in certificate.get("open", ()))
        letters = " ".join(certificate["letters"])
        return f"the value of every strip of {letters}, in any order, with runs of {certificate['symbol']} between{left_open}"
    if certificate["kind"] == "cases":
        claims = certificate["claims"]
        before = f", and {len(claims) - 1} claims before it" if len(claims) > 4 else ""
        return claim_text(claims[-1]) + before if before else "; ".join(map(claim_text, claims))
    strip, star, free, first = (certificate[word] for word in ("strip", "star", "free", "first"))
    position = shape(strip) + (f" {'-' if free < 0 else '+'} {abs(free)}" if free else "") + " + *" * star
    if strip == mirror(strip) and not free:
        return f"the first player {'wins' if first == 'Left' else 'loses'} {position}"
    return f"Left wins {position} if {first} starts"


def claim_text(claim: dict[str, Any]) -> str:
    """Return a claim of a proof by cases as text."""
    least = ", ".join(f"{name} >= {n}" for name, n in claim["least"].items())
    what = f"= {claim['value']}" if "value" in claim else f"<= {claim['bound']}"
    return f"{claim['name']}: {claim['position']} {what}{' for ' if least else ''}{least}"
