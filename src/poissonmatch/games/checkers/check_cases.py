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

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .check_families import NAMES, Lookup
from .cones import Cone, Form, Undecided, constant, halves, nonnegative, plus, read_form, substituted
from .runs import Position, is_exactly, left_moves, only_jumps, position_in, read_position, right_moves, tidy, walled
from .trees import Tree

Bound = Form | None  # 1/2^form; None is 0
KEYS = [{"split", "cases"}, {"at", "moves"}, {"at", "by"}, {"at", "by", "name", "with"}, {"at", "by", "table"}]
Tables = Mapping[str, Lookup]


class Claim:
    """Claim that position <= bound for all parameters, each at least its value in `least`."""

    def __init__(self, source: Mapping[str, Any]) -> None:
        self.name: str = source["name"]
        self.position = read_position(source["position"])
        bound = source["bound"]
        self.bound: Bound = None if bound == "0" else read_form(bound.removeprefix("1/2^").strip("()"))
        self.least = {name: Fraction(n) for name, n in source["least"].items()}
        self.cone: Cone = {name: plus({name: Fraction(1)}, constant(n)) for name, n in self.least.items()}
        used = {name for _, form in self.position for name in form} | set(self.bound or ())
        if used - {""} != set(self.least):
            raise ValueError(f"{self.name}: the parameters and those in `least` differ")


def check_cases(certificate: Mapping[str, Any], tables: Tables) -> dict[str, int]:
    """Check a list of claims with their proofs; return the numbers of claims and of nodes. Raises ValueError at the first wrong node."""
    proved: dict[str, Claim] = {}
    checker = _Checker(proved, tables)
    for source in certificate["claims"]:
        checker.claim = claim = Claim(source)
        checker.node(source["proof"], claim.position, claim.bound, dict(claim.cone), moved=False)
        proved[claim.name] = claim
    return {"claims": len(proved), "nodes": checker.nodes}


class _Checker:
    def __init__(self, proved: dict[str, Claim], tables: Tables) -> None:
        self.proved, self.tables, self.nodes = proved, tables, 0
        self.claim: Claim

    def node(self, node: Mapping[str, Any], position: Position, bound: Bound, cone: Cone, moved: bool) -> None:
        """Check that the node proves position <= bound in the cone; both are in the names of `cone`."""
        self.nodes += 1
        if set(node) not in KEYS:
            raise ValueError(f"{self.claim.name}: a node with {', '.join(sorted(node)) or 'nothing'} is unknown")
        if "split" in node:
            question = Undecided(read_form(node["split"]))
            try:
                nonnegative(question.form)
            except Undecided:
                for half, then in zip(halves(cone, question), node["cases"], strict=True):
                    self.node(then, position, bound, half, moved)
                return
            raise ValueError(f"{self.claim.name}: {node['split']} needs no split")
        try:
            here, limit = position_in(position, cone), None if bound is None else substituted(bound, cone)
            self._closed(node, here, limit, cone, moved)
        except Undecided as question:
            raise ValueError(f"{self.claim.name}: whether {question.form} >= 0 is undecided") from None

    def _closed(self, node: Mapping[str, Any], here: Position, limit: Bound, cone: Cone, moved: bool) -> None:
        statement = describe(here, limit)
        if node["at"] != statement:
            raise ValueError(f"{self.claim.name}: this is {statement}, not {node['at']}")
        by = node.get("by")
        if (by == "jumps" and only_jumps(here)) or (by == "wall" and closed_by_wall(here)):
            return
        if by == "claim":
            claim = self.claim if node["name"] == self.claim.name and moved else self.proved.get(node["name"])
            if claim is None or not instance(claim, node["with"], here, limit):
                raise ValueError(f"{self.claim.name}: {statement} is not an instance of {node['name']}")
        elif by == "values":
            if node["table"] not in self.tables or not closed_by_values(self.tables[node["table"]], here, limit):
                raise ValueError(f"{self.claim.name}: the values of {node['table']} do not give {statement}")
        elif by is None and "moves" in node:
            self._answered(node["moves"], here, limit, statement)
        else:
            raise ValueError(f"{self.claim.name}: {statement} is not proved by {by}")

    def _answered(self, answers: list[Any], here: Position, limit: Bound, statement: str) -> None:
        moves = moves_of_left(here, limit)
        if len(moves) != len(answers):
            raise ValueError(f"{self.claim.name}: {len(answers)} answers to {len(moves)} moves of Left in {statement}")
        for (position, bound), (number, then) in zip(moves, answers, strict=True):
            replies = replies_of_right(position, bound)
            if not 0 <= number < len(replies):
                raise ValueError(f"{self.claim.name}: no reply {number} in {describe(position, bound)}")
            new_position, new_bound = replies[number]
            names = {name for _, form in new_position for name in form} | set(new_bound or ())
            self.node(then, new_position, new_bound, {n: {n: Fraction(1)} for n in names if n}, True)


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
    forms = {name: read_form(given[name]) for name in claim.least}
    if not all(nonnegative(plus(form, constant(-claim.least[name]))) for name, form in forms.items()):
        return False
    actual: Position = []
    for letter, form in claim.position:
        if letter in "LR":
            pieces = tidy(read_position(given[letter]))
            wrong = [("T", pieces[-1:]), ("F", pieces[:1])][letter == "R"]
            if any(piece == "." for piece, _ in pieces) or any(piece == wrong[0] for piece, _ in wrong[1]):
                return False
            actual += pieces
        else:
            actual.append((letter, substituted(form, forms)))
    if tidy(actual) != position:
        return False
    return claim.bound is None or (bound is not None and substituted(claim.bound, forms) == bound)


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
        elif letter in "LR" or any(form) or len(word) > len(NAMES):
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
    terms = []
    for letter, form in position:
        text = written(form)
        terms.append(letter if text == "1" else f"{letter}^{text if text.isalnum() else f'({text})'}")
    limit = "0" if bound is None else f"1/2^{written(bound) if written(bound).isalnum() else f'({written(bound)})'}"
    return f"{' '.join(terms)} <= {limit}"


def written(form: Form) -> str:
    """Return a form as text, its constant last."""
    text = ""
    for name in [*sorted(name for name in form if name), *([""] if "" in form else [])]:
        x = form[name]
        size = "" if abs(x) == 1 and name else str(abs(x))
        text += ("-" if x < 0 else "+" if text else "") + size + name
    return text or "0"
