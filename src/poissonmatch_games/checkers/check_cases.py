"""Checker of proofs by cases: position <= bound for all parameters in a cone ([T], 4.1).

A bound is a value with linear forms for numbers, such as 0, a-3 or {a-1|{0|2-b}}, or 1/2^m. Left
starts in position - bound, and a proof answers each of her moves by a move of Right, until every
line is closed. A node of a proof is one of
  {"split": form, "cases": [node, node]}     the two halves of the cone, as `linear_forms.halves`
  makes them {"moves": [[reply, node], ..]}             for each of Left's moves the number of
  Right's reply, and what follows {"by": "jumps"}                            Left can only jump, and
  no empty squares are adjacent ([T], Lemma 4.1) {"by": "wall"}                             a wall T
  T F F parts toads from frogs, and the moves left are counted (Lemma 4.2) {"by": "play"}
  without parameters, L and R: the checker plays all moves {"by": "claim", "name": .., "with": {..}}
  an instance of a claim proved before, or, below a move in the position, of any claim of the
                                             certificate, itself too: the number of moves left in
                                             the position has become smaller (induction)
  {"by": "values", "table": "A22"}           the value is in a table of families
Left's moves are those of `symbolic_positions.left_moves`, then those from the bound to its right
options; Right's replies are those of `symbolic_positions.right_moves`, then those from the bound to
its left options (of 1/2^m: 1/2^(m-1), and 0). The "at" of a node is what it proves.

An equality has "value" in place of "bound", and two proofs: position <= value, and for the mirror
image <= minus the value.
"""

import re
from collections.abc import Mapping
from typing import Any

from .case_bounds import (
    ZERO,
    Bound,
    Power,
    bound_in,
    check_bound,
    falls,
    implies,
    names_of,
    read_bound,
    rises,
    written_bound,
)
from .check_families import NAMES, Lookup
from .linear_forms import Cone, Form, Undecided, constant, halves, nonnegative, plus, read_integer, substituted, written
from .symbolic_positions import (
    Position,
    left_moves,
    mirrored,
    only_jumps,
    position_in,
    read_position,
    right_moves,
    tidy,
    walled,
)
from .symbolic_values import negative, read_tree, written_tree
from .work_limit import placed, spend

KEYS = [{"split", "cases"}, {"at", "moves"}, {"at", "by"}, {"at", "by", "name", "with"}, {"at", "by", "table"}]
MAX_PLAYED = 16  # squares of a position that is played to the end
MAX_LINES = 10_000  # positions with a bound, in all that is played to the end
MAX_NAME = 40  # characters
_NAME = re.compile(rf"[A-Za-z][A-Za-z0-9 .-]{{0,{MAX_NAME - 1}}}")  # nothing that reads like another claim
Tables = Mapping[str, Lookup]
Played = dict[str, bool]  # position <= bound as text -> whether Left loses position - bound if she starts


class Inequality:
    """Position <= bound for all parameters, each at least its value in `least`."""

    def __init__(self, name: str, position: str, bound: str, least: Mapping[str, Any], mirror: bool = False) -> None:
        if type(name) is not str or not _NAME.fullmatch(name):
            raise ValueError(
                f"the name of a claim must be {MAX_NAME} letters, digits, spaces or . - at most, got {name!r}"
            )
        self.name, self.position, self.bound = name, read_position(position), read_bound(bound)
        if mirror:
            self.position, self.bound = mirrored(self.position), negative(read_tree(bound))
        for parameter, n in least.items():
            if type(n) is not int or n < 0:
                raise ValueError(f"the least value of {parameter} must be an integer >= 0, got {n!r}")
        self.least = dict(least)
        self.cone: Cone = {parameter: plus({parameter: 1}, constant(n)) for parameter, n in self.least.items()}
        used = {parameter for _, form in self.position for parameter in form} | names_of(self.bound)
        if used - {""} != set(self.least):
            raise ValueError("the parameters and those in `least` differ")
        for _, form in self.position:
            if any(x < 0 for x in substituted(form, self.cone).values()):
                raise ValueError(f"the exponent {written(form)} may be negative")
        check_bound(self.bound, self.cone)


def claims_of(source: Mapping[str, Any]) -> list[tuple[str, Inequality]]:
    """Return the inequalities of a claim, one for a bound and two for a value, each with the key of its proof."""
    keys = set(source) - {"proof", "mirror"}
    if keys not in ({"name", "position", "bound", "least"}, {"name", "position", "value", "least"}):
        raise ValueError(
            f"a claim must have name, position, bound or value, least and proof, got {', '.join(sorted(source))}"
        )
    name, position, least = source["name"], source["position"], source["least"]
    if "bound" in keys:
        return [("proof", Inequality(name, position, source["bound"], least))]
    text = written_tree(read_tree(source["value"]))  # not 1/2^n
    return [
        ("proof", Inequality(name, position, text, least)),
        ("mirror", Inequality(name, position, text, least, mirror=True)),
    ]


def check_cases(certificate: Mapping[str, Any], tables: Tables) -> dict[str, int]:
    """Check a list of claims with their proofs; return the numbers of claims and of nodes.

    Raises ValueError at the first wrong node.
    """
    sources = certificate["claims"]
    if not sources:
        raise ValueError("claims: there is no claim")
    checker = _Checker(tables)
    with placed(lambda: checker.place):
        for i, source in enumerate(sources):
            checker.place = f"claims[{i}]"
            claims = claims_of(source)
            if set(source) & {"proof", "mirror"} != {key for key, _ in claims}:
                raise ValueError(f"the proofs must be {' and '.join(key for key, _ in claims)}")
            checker.add([claim for _, claim in claims])
        for i, source in enumerate(sources):
            for key, claim in claims_of(source):
                checker.place = place = f"claims[{i}].{key}"
                checker.node(source[key], claim.position, claim.bound, dict(claim.cone), False, place)
                checker.proved += 1
    return {"claims": len(sources), "nodes": checker.nodes}


class _Checker:
    def __init__(self, tables: Tables) -> None:
        self.tables, self.nodes = tables, 0
        self.played: Played = {}
        self.claims: dict[str, list[tuple[int, Inequality]]] = {}  # by name, each with its number
        self.added = self.proved = 0  # of the claims, the first
        self.place = ""  # of the node in the certificate

    def add(self, claims: list[Inequality]) -> None:
        """Add the inequalities of a claim."""
        name = claims[0].name
        if name in self.claims:
            raise ValueError(f"there are two claims {name}")
        self.claims[name] = [*enumerate(claims, self.added)]
        self.added += len(claims)

    def node(
        self, node: Mapping[str, Any], position: Position, bound: Bound, cone: Cone, moved: bool, place: str
    ) -> None:
        """Check that the node proves position <= bound in the cone.

        Position and bound are in the names of `cone`.
        """
        spend()
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
            here, limit = position_in(position, cone), bound_in(bound, cone)
            self._closed(node, here, limit, moved, place)
        except Undecided as question:
            raise ValueError(f"whether {written(question.form)} >= 0 is undecided") from None

    def _closed(self, node: Mapping[str, Any], here: Position, limit: Bound, moved: bool, place: str) -> None:
        statement = describe(here, limit)
        if node["at"] != statement:
            raise ValueError(f"this is {statement}, not {node['at']!r}")
        by = node.get("by")
        if "moves" in node:
            self._answered(node["moves"], here, limit, moved, place)
        elif by == "claim":
            claims = [c for i, c in self.claims.get(node["name"], ()) if moved or i < self.proved]
            if not any(instance(c, node["with"], here, limit) for c in claims):
                raise ValueError(f"{statement} is not an instance of {node['name']!r}")
        elif by == "values":
            if node["table"] not in self.tables or not closed_by_values(self.tables[node["table"]], here, limit):
                raise ValueError(f"the values of {node['table']!r} do not give {statement}")
        elif set(node) != {"at", "by"} or not (
            (by == "jumps" and closed_by_jumps(here, limit))
            or (by == "wall" and closed_by_wall(here, limit))
            or (by == "play" and closed_by_play(here, limit, self.played))
        ):
            raise ValueError(f"{statement} is not proved by {by!r}")

    def _answered(self, answers: list[Any], here: Position, limit: Bound, moved: bool, place: str) -> None:
        moves = moves_of_left(here, limit)
        if len(moves) != len(answers):
            raise ValueError(f"{len(answers)} answers to {len(moves)} moves of Left in {describe(here, limit)}")
        for i, ((position, bound), (number, then)) in enumerate(zip(moves, answers, strict=True)):
            self.place = f"{place}.moves[{i}]"
            replies = replies_of_right(position, bound)
            if type(number) is not int or not 0 <= number < len(replies):
                raise ValueError(f"no reply {number!r} in {describe(position, bound)}")
            new_position, new_bound = replies[number]
            cone = cone_of(new_position, new_bound)
            self.node(then, new_position, new_bound, cone, moved or new_position != here, f"{self.place}[1]")


def cone_of(position: Position, bound: Bound) -> Cone:
    """Return the cone of the parameters in a position and its bound."""
    names = {name for _, form in position for name in form} | names_of(bound)
    return {name: {name: 1} for name in names if name}


def moves_of_left(position: Position, bound: Bound) -> list[tuple[Position, Bound]]:
    """Return Left's moves in position - bound."""
    return [*((new, bound) for new in left_moves(position)), *((position, new) for new in rises(bound))]


def replies_of_right(position: Position, bound: Bound) -> list[tuple[Position, Bound]]:
    """Return Right's replies in position - bound."""
    return [*((new, bound) for new in right_moves(position)), *((position, new) for new in falls(bound))]


def instance(claim: Inequality, arguments: Mapping[str, str], position: Position, bound: Bound) -> bool:
    """Return whether the claim, applied to exactly these arguments, implies position <= bound.

    The arguments are forms for its parameters, and pieces for L and R.
    """
    if set(arguments) != {*claim.least, *(letter for letter, _ in claim.position if letter in "LR")}:
        return False
    forms = {name: read_integer(arguments[name]) for name in claim.least}
    if not all(nonnegative(plus(form, constant(-claim.least[name]))) for name, form in forms.items()):
        return False
    actual: Position = []
    for letter, form in claim.position:
        actual += _end(letter, arguments[letter]) if letter in "LR" else [(letter, substituted(form, forms))]
    if tidy(actual) != position:
        return False
    return implies(bound_in(claim.bound, forms), bound)


def _end(letter: str, text: str) -> Position:
    """Return the pieces given for L or R.

    Those for L are none or end in F; those for R are none or begin with T. L and R may begin and
    end with themselves. Raises ValueError for other pieces.
    """
    pieces = tidy(read_position(text))
    letters = [piece for piece, _ in pieces]
    ends = {"L": ("F", letters[-1:]), "R": ("T", letters[:1])}[letter]
    if {"L": "R", "R": "L"}[letter] in letters or "." in letters or not set(ends[1]) <= {ends[0], letter}:
        raise ValueError(f"{text!r} are not pieces of {letter}")
    return pieces


def closed_by_values(table: Lookup, position: Position, bound: Bound) -> bool:
    """Return whether a table, which has to contain the position or its mirror image, implies position <= bound."""
    if (value := table.value(*_family(position))) is not None:
        return implies(value, bound)
    value = table.value(*_family(mirrored(position)))
    return value is not None and implies(negative(value), bound)


def _family(position: Position) -> tuple[str, list[Form]]:
    """Return the position as a word, and the forms of the runs of toads before, between and behind its letters."""
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


def closed_by_wall(position: Position, bound: Bound) -> bool:
    """Return whether a wall implies position <= bound."""
    value = walled(position)
    return value is not None and implies(value, bound)


def closed_by_jumps(position: Position, bound: Bound) -> bool:
    """Return whether Lemma 4.1 implies position <= bound."""
    return only_jumps(position) and implies(ZERO, bound)


def closed_by_play(position: Position, bound: Bound, known: Played | None = None) -> bool:
    """Return whether position <= bound by playing all moves.

    The position must be short, without parameters, L and R, and the bound a value. Raises
    ValueError if there are more than MAX_LINES in `known`, to which those played are added.
    """
    if isinstance(bound, Power) or set(cone_of(position, bound)) or any(letter in "LR" for letter, _ in position):
        return False
    if sum(form[""] for _, form in position) > MAX_PLAYED:
        return False
    return _left_loses(position, bound, {} if known is None else known)


def _left_loses(position: Position, bound: Bound, known: Played) -> bool:
    """Return whether Left loses position - bound if she starts."""
    key = describe(position, bound)
    if key not in known:
        if len(known) >= MAX_LINES:
            raise ValueError(f"more than {MAX_LINES} positions to play")
        known[key] = all(
            any(_left_loses(*reply, known) for reply in replies_of_right(*move))
            for move in moves_of_left(position, bound)
        )
    return known[key]


def describe(position: Position, bound: Bound) -> str:
    """Return position <= bound as text, such as "T^(a-1) F . F <= 1/2^n"."""
    return f"{written_position(position)} <= {written_bound(bound)}"


def written_position(position: Position) -> str:
    """Return a position as text that `read_position` accepts, such as "T^(a-1) F . F"."""
    terms = []
    for letter, form in position:
        text = written(form)
        terms.append(letter if text == "1" else f"{letter}^{text if text.isalnum() else f'({text})'}")
    return " ".join(terms)
