"""Search for proofs by cases, as certificates for `check_cases`.

It is a search over Right's replies; the values of small instances exclude most of them.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations, product
from math import floor
from typing import Any

from poissonmatch_games.checkers import check_cases
from poissonmatch_games.checkers.case_bounds import Bound, Power, bound_in
from poissonmatch_games.checkers.check_cases import Inequality, claims_of, cone_of, describe, written_position
from poissonmatch_games.checkers.check_families import Lookup
from poissonmatch_games.checkers.linear_forms import Cone, Form, Undecided, constant, halves, plus, substituted, written
from poissonmatch_games.checkers.symbolic_positions import Position, position_in
from poissonmatch_games.checkers.symbolic_values import Tree
from poissonmatch_games.partisan.values import Game, game, number
from poissonmatch_games.toads.canonical import CanonicalEngine

Node = dict[str, Any]


def find_cases(claims: list[dict[str, Any]], tables: Mapping[str, Lookup], depth: int = 6) -> dict[str, Any]:
    """Return a certificate for the claims.

    Each is proved with the help of those before it, and of all for positions with fewer moves left.
    A claim that has a proof keeps it.

    Raises ValueError without a proof of at most `depth` consecutive moves of Left.
    """
    proved_claims: list[dict[str, Any]] = []
    finder = _Finder(tables)
    finder.claims = [claim for source in claims for _, claim in claims_of(source)]
    for source in claims:
        proofs = {}
        for key, claim in claims_of(source):
            proofs[key] = source[key] if key in source else finder.proof(claim, depth)
            finder.proved += 1
        proved_claims.append({**source, **proofs})
    return {"kind": "cases", "claims": proved_claims}


class _Finder:
    def __init__(self, tables: Mapping[str, Lookup]) -> None:
        self.tables, self.claims = tables, list[Inequality]()
        self.proved = 0  # of the claims, the first
        self.engine = CanonicalEngine()
        self.failed: set[tuple[str, bool, int]] = set()

    def proof(self, claim: Inequality, depth: int) -> Node:
        """Return a proof of a claim.

        Raises ValueError if there is none of at most `depth` moves of Left.
        """
        start = [(letter, substituted(form, claim.cone)) for letter, form in claim.position]
        if not self.plausible(start, bound_in(claim.bound, claim.cone)):
            raise ValueError(f"no proof of {claim.name}: it is false for small parameters")
        self.failed.clear()  # more claims are proved now
        for max_depth in range(1, depth + 1):
            proof = self.node(claim.position, claim.bound, dict(claim.cone), max_depth, moved=False)
            if proof is not None:
                return proof
        raise ValueError(f"no proof of {claim.name} with {depth} moves")

    def node(self, position: Position, bound: Bound, cone: Cone, depth: int, moved: bool) -> Node | None:
        """Return a proof of position <= bound in the cone, or None."""
        try:
            return self._closed(position_in(position, cone), bound_in(bound, cone), depth, moved)
        except Undecided as question:
            cases = []
            for half in halves(cone, question):
                cases.append(self.node(position, bound, half, depth, moved))
                if cases[-1] is None:
                    return None
            whole = plus(question.form, constant(floor(question.form.get("", 0)) - question.form.get("", 0)))
            return {"split": written(whole), "cases": cases}

    def _closed(self, here: Position, limit: Bound, depth: int, moved: bool) -> Node | None:
        at = {"at": describe(here, limit)}
        if check_cases.closed_by_jumps(here, limit):
            return {**at, "by": "jumps"}
        if check_cases.closed_by_wall(here, limit):
            return {**at, "by": "wall"}
        if check_cases.closed_by_play(here, limit):
            return {**at, "by": "play"}
        for claim in self.claims if moved else self.claims[: self.proved]:
            for arguments in _instances(claim, here, limit):
                if check_cases.instance(claim, arguments, here, limit):
                    return {**at, "by": "claim", "name": claim.name, "with": arguments}
        for name, table in self.tables.items():
            if check_cases.closed_by_values(table, here, limit):
                return {**at, "by": "values", "table": name}
        if depth == 0 or (at["at"], moved, depth) in self.failed:
            return None
        answers = []
        for move in check_cases.moves_of_left(here, limit):
            answer = self._answer(*move, here, depth, moved)
            if answer is None:
                self.failed.add((at["at"], moved, depth))
                return None
            answers.append(answer)
        return {**at, "moves": answers}

    def _answer(self, position: Position, bound: Bound, before: Position, depth: int, moved: bool) -> list[Any] | None:
        for number_of, (new, limit) in enumerate(check_cases.replies_of_right(position, bound)):
            if self.plausible(new, limit):
                proof = self.node(new, limit, cone_of(new, limit), depth - 1, moved or new != before)
                if proof is not None:
                    return [number_of, proof]
        return None

    def plausible(self, position: Position, bound: Bound) -> bool:
        """Return whether position <= bound for small parameters and empty L and R."""
        names = sorted(cone_of(position, bound))
        for values in product(range(3), repeat=len(names)):
            small = {name: constant(n) for name, n in zip(names, values, strict=True)}
            runs = ((letter, substituted(form, small)) for letter, form in position if letter not in "LR")
            strip = "".join(letter * int(form.get("", 0)) for letter, form in runs)
            if len(strip) <= 20 and not self.engine.value(strip) <= _bound_at(bound_in(bound, small)):
                return False
        return True


def _bound_at(bound: Bound) -> Game:
    """Return the value of a bound without parameters."""
    return number(Fraction(1, 2 ** int(bound.exponent.get("", 0)))) if isinstance(bound, Power) else _game(bound)


def _game(tree: Tree) -> Game:
    return number(tree.get("", 0)) if isinstance(tree, dict) else game(map(_game, tree[0]), map(_game, tree[1]))


def _instances(claim: Inequality, position: Position, bound: Bound) -> Iterator[dict[str, str]]:
    """Yield forms for the parameters of a claim that may give this position."""
    for zero in chain.from_iterable(combinations(sorted(claim.least), n) for n in range(len(claim.least) + 1)):
        if any(claim.least[name] > 0 for name in zero):
            continue
        pattern = _vanished(claim.position, zero)
        has_left, has_right = (any(letter == end for letter, _ in pattern) for end in "LR")
        core = [term for term in pattern if term[0] not in "LR"]
        rest = len(position) - len(core)
        if rest < 0:
            continue
        for ahead in range(0 if has_right else rest, rest + 1 if has_left else 1):
            forms: dict[str, Form] = {name: Form() for name in zero}
            runs = list(zip(core, position[ahead : ahead + len(core)], strict=True))
            # forms with one parameter first, then those of which one is left
            runs.sort(key=lambda run: sum(1 for name in run[0][1] if name and name not in zero))
            if all(letter == other and _solved(form, theirs, forms) for (letter, form), (other, theirs) in runs):
                if isinstance(claim.bound, Power) and isinstance(bound, Power):
                    _solved(claim.bound.exponent, bound.exponent, forms)
                arguments = {name: str(least) for name, least in claim.least.items()}  # if only in the bound
                arguments |= {name: written(form) for name, form in forms.items()}
                ends = {"L": position[:ahead], "R": position[ahead + len(core) :]}
                arguments |= {letter: written_position(ends[letter]) for letter, _ in pattern if letter in "LR"}
                if _are_ends([letter for letter, _ in ends["L"]], [letter for letter, _ in ends["R"]]):
                    yield arguments


def _are_ends(left: list[str], right: list[str]) -> bool:
    """Return whether these pieces may be used for L and R.

    There is no empty square, L ends in F or L, and R begins with T or R.
    """
    return not {".", "R"} & set(left) and not {".", "L"} & set(right) and left[-1:] != ["T"] and right[:1] != ["F"]


def _vanished(position: Position, zero: tuple[str, ...]) -> Position:
    """Return the position with these parameters 0 and runs joined.

    The other parameters are positive.
    """
    gone = {name: Form() for name in zero}
    joined: Position = []
    for letter, form in ((letter, substituted(form, gone)) for letter, form in position):
        if not form and letter not in "LR":
            continue
        if joined and joined[-1][0] == letter:
            joined[-1] = letter, plus(joined[-1][1], form)
        else:
            joined.append((letter, form))
    return joined


def _solved(form: Form, other: Form, forms: dict[str, Form]) -> bool:
    """Solve form = other for the one parameter of `form` that is not in `forms`.

    Returns whether this is possible.
    """
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
