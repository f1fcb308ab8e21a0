"""Checker of proofs by cases: position <= 1/2^m, or <= 0, for all parameters in a cone ([T], 4.1).

Left starts in position - bound, and a proof answers each of her moves by a move of Right, until every line is closed. A node of a proof is
one of
  {"split": form, "cases": [node, node]}     the two halves of the cone, as `cones.halves` makes them
  {"moves": [[reply, node], ..]}             for each of Left's moves the number of Right's reply, and what follows
  {"by": "jumps"}                            Left can only jump, and no empty squares are adjacent ([T], Lemma 4.1)
  {"by": "wall"}                             a wall T T F F parts toads from frogs, and the moves left are counted (Lemma 4.2)
  {"by": "claim", "name": .., "with": {..}}  an instance of a theorem proved before, or, below a move, of the theorem itself:
                                             the number of moves left has become smaller (induction)
  {"by": "values", "table": "A22"}           the value is in a table of families
Left's moves are those of `runs.left_moves`, then, if the bound is 1/2^m with m > 0, 1/2^m -> 1/2^(m-1); Right's replies are
those of `runs.right_moves`, then bound -> 0. The "at" of a node is what it proves.
"""

import re
from collections.abc import Mapping
from typing import Any

from .check_families import NAMES, Lookup
from .cones import Cone, Form, Undecided, constant, halves, nonnegative, plus, read_integer, substituted, written
from .runs import Position, is_exactly, left_moves, only_jumps, position_in, read_position, right_moves, tidy, walled
from .trees import Tree

Bound = Form | None  # 1/2^form; None is 0
KEYS = [{"split", "cases"}, {"at", "moves"}, {"at", "by"}, {"at", "by", "name", "with"}, {"at", "by", "table"}]
Tables = Mapping[str, Lookup]
_BOUND = re.compile(r"1/2\^(?:([0-9]+|[a-z])|\(([^()]*)\))")


class Claim:
    """Claim that position <= bound for all parameters, each at least its value in `least`."""

    def __init__(self, source: Mapping[str, Any]) -> None:
        if set(source) - {"proof"} != {"name", "position", "bound", "least"}:
            raise ValueError(f"a claim has a name, position, bound, least and proof, not {', '.join(sorted(source))}")
        self.name: str = source["name"]
        self.position = read_position(source["position"])
        self.bound = read_bound(source["bound"])
        for name, n in source["least"].items():
            if type(n) is not int or n < 0:
                raise ValueError(f"the least value of {name} must be an integer >= 0, got {n!r}")
        self.least: dict[str, int] = source["least"]
        self.cone: Cone = {name: plus({name: 1}, constant(n)) for name, n in self.least.items()}
        used = {name for _, form in self.position for name in form} | set(self.bound or ())
        if used - {""} != set(self.least):
            raise ValueError("the parameters and those in `least` differ")
        for form in [*(form for _, form in self.position), self.bound or {}]:
            if any(x < 0 for x in substituted(form, self.cone).values()):
                raise ValueError(f"the exponent {written(form)} may be negative")


def read_bound(text: str) -> Bound:
    """Return the exponent of a bound, "0" or "1/2^n" with an integer form for n. Raises ValueError for other text."""
    if text == "0":
        return None
    match = _BOUND.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a bound: write 0, 1/2^n or 1/2^(n+1)")
    return read_integer(match[1] or match[2])


def check_cases(certificate: Mapping[str, Any], tables: Tables) -> dict[str, int]:
    """Check a list of claims with their proofs; return the numbers of claims and of nodes. Raises ValueError at the first wrong node."""
    proved: dict[str, Claim] = {}
    checker = _Checker(proved, tables)
    if not certificate["claims"]:
        raise ValueError("claims: there is no claim")
    for i, source in enumerate(certificate["claims"]):
        checker.place = f"claims[{i}]"
        try:
            checker.claim = claim = Claim(source)
            if claim.name in proved:
                raise ValueError(f"there are two claims {claim.name}")
            checker.node(source["proof"], claim.position, claim.bound, dict(claim.cone), False, f"claims[{i}].proof")
        except ValueError as error:
            raise ValueError(f"{checker.place}: {error}") from None
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{checker.place}: damaged: {type(error).__name__} {error}") from None
        proved[claim.name] = claim
    return {"claims": len(proved), "nodes": checker.nodes}


class _Checker:
    def __init__(self, proved: dict[str, Claim], tables: Tables) -> None:
        self.proved, self.tables, self.nodes = proved, tables, 0
        self.claim: Claim
        self.place = ""  # of the node in the certificate

    def node(
        self, node: Mapping[str, Any], position: Position, bound: Bound, cone: Cone, moved: bool, place: str
    ) -> None:
        """Check that the node proves position <= bound in the cone; both are in the names of `cone`."""
        self.nodes += 1
        self.place = place
        if set(node) not in KEYS:
            raise ValueError(f"a node with {', '.join(sorted(node)) or 'nothing'} is unknown")
        if "split" in node:
            question = Undecided(read_integer(node["split"]))
            try:
                nonnegative(question.form)
            except Undecided:
                for i, (half, then) in enumerate(zip(halves(cone, question), node["cases"], strict=True)):
                    self.node(then, position, bound, half, moved, f"{place}.cases[{i}]")
                return
            raise ValueError(f"{node['split']} needs no split")
        try:
            here, limit = position_in(position, cone), None if bound is None else substituted(bound, cone)
            self._closed(node, here, limit, moved, place)
        except Undecided as question:
            raise ValueError(f"whether {written(question.form)} >= 0 is undecided") from None

    def _closed(self, node: Mapping[str, Any], here: Position, limit: Bound, moved: bool, place: str) -> None:
        statement = describe(here, limit)
        if node["at"] != statement:
            raise ValueError(f"this is {statement}, not {node['at']!r}")
        by = node.get("by")
        if "moves" in node:
            self._answered(node["moves"], here, limit, statement, place)
        elif by == "claim":
            claim = self.claim if node["name"] == self.claim.name and moved else self.proved.get(node["name"])
            if claim is None or not instance(claim, node["with"], here, limit):
                raise ValueError(f"{statement} is not an instance of {node['name']!r}")
        elif by == "values":
            if node["table"] not in self.tables or not closed_by_values(self.tables[node["table"]], here, limit):
                raise ValueError(f"the values of {node['table']!r} do not give {statement}")
        elif set(node) != {"at", "by"} or not (
            (by == "jumps" and only_jumps(here)) or (by == "wall" and closed_by_wall(here))
        ):
            raise ValueError(f"{statement} is not proved by {by!r}")

    def _answered(self, answers: list[Any], here: Position, limit: Bound, statement: str, place: str) -> None:
        moves = moves_of_left(here, limit)
        if len(moves) != len(answers):
            raise ValueError(f"{len(answers)} answers to {len(moves)} moves of Left in {statement}")
        for i, ((position, bound), (number, then)) in enumerate(zip(moves, answers, strict=True)):
            self.place = f"{place}.moves[{i}]"
            replies = replies_of_right(position, bound)
            if type(number) is not int or not 0 <= number < len(replies):
                raise ValueError(f"no reply {number!r} in {describe(position, bound)}")
            new_position, new_bound = replies[number]
            names = {name for _, form in new_position for name in form} | set(new_bound or ())
            cone: dict[str, Form] = {n: {n: 1} for n in names if n}
            self.node(then, new_position, new_bound, cone, True, f"{self.place}[1]")


def moves_of_left(position: Position, bound: Bound) -> list[tuple[Position, Bound]]:
    """Return Left's moves in position - bound."""
    moves: list[tuple[Position, Bound]] = [(new, bound) for new in left_moves(position)]
    if bound is not None and nonnegative(plus(bound, constant(-1))):
        moves.append((position, plus(bound, constant(-1))))
    return moves


def replies_of_right(position: Position, bound: Bound) -> list[tuple[Position, Bound]]:
    """Return Right's replies in position - bound."""
    replies: list[tuple[Position, Bound]] = [(new, bound) for new in right_moves(position)]
    return replies if bound is None else [*replies, (position, None)]


def instance(claim: Claim, given: Mapping[str, str], position: Position, bound: Bound) -> bool:
    """Return whether the claim, with exactly these forms for its parameters and pieces for L and R, is position <= bound."""
    if set(given) != {*claim.least, *(letter for letter, _ in claim.position if letter in "LR")}:
        return False
    forms = {name: read_integer(given[name]) for name in claim.least}
    if not all(nonnegative(plus(form, constant(-claim.least[name]))) for name, form in forms.items()):
        return False
    actual: Position = []
    for letter, form in claim.position:
        actual += _end(letter, given[letter]) if letter in "LR" else [(letter, substituted(form, forms))]
    if tidy(actual) != position:
        return False
    return claim.bound is None or (bound is not None and substituted(claim.bound, forms) == bound)


def _end(letter: str, text: str) -> Position:
    """Return the pieces given for L, which are none or end in F, or for R, none or beginning with T; L and R may begin and end with themselves.

    Raises ValueError for other pieces.
    """
    pieces = tidy(read_position(text))
    letters = [piece for piece, _ in pieces]
    ends = {"L": ("F", letters[-1:]), "R": ("T", letters[:1])}[letter]
    if {"L": "R", "R": "L"}[letter] in letters or "." in letters or not set(ends[1]) <= {ends[0], letter}:
        raise ValueError(f"{text!r} are not pieces of {letter}")
    return pieces


def closed_by_values(table: Lookup, position: Position, bound: Bound) -> bool:
    """Return whether the value of the position or of its mirror image in the table implies position <= bound."""
    if (value := table.value(*_family(position))) is not None:
        return _at_most(value, bound)
    turned = [({"T": "F", "F": "T"}.get(letter, letter), form) for letter, form in reversed(position)]
    value = table.value(*_family(turned))
    return value is not None and _at_most(_negative(value), bound)


def _family(position: Position) -> tuple[str, list[Form]]:
    """Return the position as a word with runs of toads: the forms before, between and behind its letters."""
    word, runs = "", [Form()]
    for letter, form in position:
        if letter == "T":
            runs[-1] = form
        elif letter in "LR" or any(form) or form[""] > len(NAMES):
            return "", []
        else:
            times = int(form[""])
            word, runs = word + letter * times, runs + [Form() for _ in range(times)]
    return word, runs


def _negative(tree: Tree) -> Tree:
    if isinstance(tree, dict):
        return {name: -x for name, x in tree.items()}
    return [_negative(x) for x in tree[1]], [_negative(x) for x in tree[0]]


def _at_most(tree: Tree, bound: Bound) -> bool:
    """Return whether tree <= bound."""
    if not isinstance(tree, dict):
        return not any(_at_least(x, bound) for x in tree[0])
    return nonnegative(_negative(tree)) or (bound is not None and is_exactly(tree, 1) and is_exactly(bound, 0))


def _at_least(tree: Tree, bound: Bound) -> bool:
    """Return whether tree >= bound may hold; for a number strictly between 0 and 1 it may."""
    if not isinstance(tree, dict):
        return not any(_at_most(x, bound) for x in tree[1])
    if bound is None:
        return nonnegative(tree)
    return not nonnegative(_negative(tree))


def closed_by_wall(position: Position) -> bool:
    """Return whether a wall implies position <= 0."""
    value = walled(position)
    return value is not None and nonnegative(_negative(value))


def describe(position: Position, bound: Bound) -> str:
    """Return position <= bound as text, such as "T^(a-1) F . F <= 1/2^n"."""
    limit = "0" if bound is None else f"1/2^{written(bound) if written(bound).isalnum() else f'({written(bound)})'}"
    return f"{written_position(position)} <= {limit}"


def written_position(position: Position) -> str:
    """Return a position as text that `read_position` accepts, such as "T^(a-1) F . F"."""
    terms = []
    for letter, form in position:
        text = written(form)
        terms.append(letter if text == "1" else f"{letter}^{text if text.isalnum() else f'({text})'}")
    return " ".join(terms)
