"""Search for proofs by cases, as certificates for `check_cases`.

It is a search over Right's replies; the values of small instances exclude most of them.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from ..checkers import check_cases
from ..checkers.check_cases import Bound, Claim, describe, written_position
from ..checkers.check_families import Lookup
from ..checkers.cones import Cone, Form, Undecided, constant, halves, plus, substituted, written
from ..checkers.runs import Position, only_jumps, position_in
from ..partisan.values import ZERO, number
from ..toads.canonical import CanonicalEngine

Node = dict[str, Any]


def find_cases(claims: list[dict[str, Any]], tables: Mapping[str, Lookup], depth: int = 6) -> dict[str, Any]:
    """Return a certificate for the claims, each proved with the help of those before it.

    Raises ValueError without a proof of at most `depth` consecutive moves of Left.
    """
    found: list[dict[str, Any]] = []
    finder = _Finder(tables)
    for source in claims:
        claim = Claim(source)
        finder.claims.append(claim)
        start = [(letter, substituted(form, claim.cone)) for letter, form in claim.position]
        if not finder.plausible(start, None if claim.bound is None else substituted(claim.bound, claim.cone)):
            raise ValueError(f"no proof of {claim.name}: it is false for small parameters")
        for max_depth in range(1, depth + 1):
            proof = finder.node(claim.position, claim.bound, dict(claim.cone), max_depth, moved=False)
            if proof is not None:
                break
        else:
            raise ValueError(f"no proof of {claim.name} with {depth} moves")
        found.append({**source, "proof": proof})
    return {"kind": "cases", "claims": found}


class _Finder:
    def __init__(self, tables: Mapping[str, Lookup]) -> None:
        self.tables, self.claims = tables, list[Claim]()
        self.engine = CanonicalEngine()
        self.failed: set[tuple[str, int]] = set()

    def node(self, position: Position, bound: Bound, cone: Cone, depth: int, moved: bool) -> Node | None:
        """Return a proof of position <= bound in the cone, or None."""
        try:
            here, limit = position_in(position, cone), None if bound is None else substituted(bound, cone)
            return self._closed(here, limit, depth, moved)
        except Undecided as question:
            cases = []
            for half in halves(cone, question):
                cases.append(self.node(position, bound, half, depth, moved))
                if cases[-1] is None:
                    return None
            return {"split": written(question.form), "cases": cases}

    def _closed(self, here: Position, limit: Bound, depth: int, moved: bool) -> Node | None:
        at = {"at": describe(here, limit)}
        if only_jumps(here):
            return {**at, "by": "jumps"}
        if check_cases.closed_by_wall(here):
            return {**at, "by": "wall"}
        for claim in self.claims if moved else self.claims[:-1]:
            for given in _instances(claim, here, limit):
                if check_cases.instance(claim, given, here, limit):
                    return {**at, "by": "claim", "name": claim.name, "with": given}
        for name, table in self.tables.items():
            if check_cases.closed_by_values(table, here, limit):
                return {**at, "by": "values", "table": name}
        if depth == 0 or (at["at"], depth) in self.failed:
            return None
        answers = []
        for move in check_cases.moves_of_left(here, limit):
            answer = self._answer(*move, depth)
            if answer is None:
                self.failed.add((at["at"], depth))
                return None
            answers.append(answer)
        return {**at, "moves": answers}

    def _answer(self, position: Position, bound: Bound, depth: int) -> list[Any] | None:
        for number_of, (new, limit) in enumerate(check_cases.replies_of_right(position, bound)):
            if self.plausible(new, limit):
                names = {name for _, form in new for name in form} | set(limit or ())
                proof = self.node(new, limit, {n: {n: 1} for n in names if n}, depth - 1, True)
                if proof is not None:
                    return [number_of, proof]
        return None

    def plausible(self, position: Position, bound: Bound) -> bool:
        """Return whether position <= bound for small parameters and empty L and R."""
        names = sorted({name for _, form in position for name in form if name} | (set(bound or ()) - {""}))
        for values in product(range(3), repeat=len(names)):
            small = {name: constant(n) for name, n in zip(names, values, strict=True)}
            runs = ((letter, substituted(form, small)) for letter, form in position if letter not in "LR")
            strip = "".join(letter * int(form.get("", 0)) for letter, form in runs)
            limit = ZERO
            if bound is not None:
                limit = number(Fraction(1, 2 ** int(substituted(bound, small).get("", 0))))
            if len(strip) <= 20 and not self.engine.value(strip) <= limit:
                return False
        return True


def _instances(claim: Claim, position: Position, bound: Bound) -> Iterator[dict[str, str]]:
    """Yield forms for the parameters of a claim that may give this position."""
    for zero in chain.from_iterable(combinations(sorted(claim.least), n) for n in range(len(claim.least) + 1)):
        if any(claim.least[name] > 0 for name in zero):
            continue
        pattern = _vanished(claim.position, zero)
        has_left = bool(pattern) and pattern[0][0] == "L"
        core = [term for term in pattern if term[0] != "L"]
        rest = len(position) - len(core)
        if rest < 0 or (rest > 0 and not has_left):
            continue
        forms: dict[str, Form] = {name: Form() for name in zero}
        runs = list(zip(core, position[rest:], strict=True))
        # forms with one parameter first, then those of which one is left
        runs.sort(key=lambda run: sum(1 for name in run[0][1] if name and name not in zero))
        if all(letter == other and _solved(form, theirs, forms) for (letter, form), (other, theirs) in runs):
            if claim.bound is not None and bound is not None:
                _solved(claim.bound, bound, forms)
            given = {name: written(form) for name, form in forms.items()}
            if has_left:
                given["L"] = written_position(position[:rest])
            yield given


def _vanished(position: Position, zero: tuple[str, ...]) -> Position:
    """Return the position with these parameters 0 and runs joined, if the other parameters are positive."""
    gone = {name: Form() for name in zero}
    found: Position = []
    for letter, form in ((letter, substituted(form, gone)) for letter, form in position):
        if not form and letter not in "LR":
            continue
        if found and found[-1][0] == letter:
            found[-1] = letter, plus(found[-1][1], form)
        else:
            found.append((letter, form))
    return found


def _solved(form: Form, other: Form, forms: dict[str, Form]) -> bool:
    """Solve form = other for the one parameter of `form` that is not in `forms`; return whether this is possible."""
    rest = plus(other, substituted(form, forms), -1)
    unknown = [name for name in form if name and name not in forms]
    if not unknown:
        return not rest
    if len(unknown) > 1:
        return False
    name = unknown[0]
    forms[name] = plus(
        {}, plus(other, substituted({k: x for k, x in form.items() if k != name}, forms), -1), Fraction(1) / form[name]
    )
    return all(x.denominator == 1 for x in forms[name].values())
