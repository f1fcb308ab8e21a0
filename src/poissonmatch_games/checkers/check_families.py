"""Checker of tables of families.

A table has words of fixed letters with symbolic runs between them, and their values.

A class is its fixed letters, `..FF`, and the letter of the runs, T: its positions are T^a . T^b .
T^c F T^d F T^e and the same with the letters in every other order. A table gives each word a
decision tree: ["a-2", yes, no] asks whether a - 2 >= 0, ["even a+b", yes, no] whether a + b is
even, and ["3 divides a+b", yes, no] whether it is a multiple of 3; a leaf is a value. The checker
goes through all exponents by splitting cones, plays every move of both players, and takes for the
options the values that the table gives: by induction on the number of moves left, each value is
correct if it is the value of the game with these options. Words that a table names as open have no
tree; no move from another word may lead to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from .linear_forms import (
    Cone,
    Form,
    constant,
    divides,
    each_cone,
    nonnegative,
    plus,
    read_integer,
    substituted,
    written,
)
from .symbolic_positions import is_exactly
from .symbolic_values import Tree, is_no_number, names_in, parts, read_tree, same, tree_in
from .work_limit import placed

NAMES = "abcdefghij"
Family = tuple[str, Sequence[Form]]  # a word, and the exponents of the runs before, between and behind its letters


def words_of(letters: str) -> list[str]:
    """Return the different orders of the letters."""
    return sorted({"".join(order) for order in permutations(letters)})


def read_question(text: str) -> tuple[Form, int]:
    """Return the form of a question and its divisor: 2 for "even a+b", 3 for "3 divides a+b", 0 for a >= 0."""
    for start, divisor in (("even ", 2), ("3 divides ", 3)):
        if text.startswith(start):
            return read_integer(text.removeprefix(start)), divisor
    return read_integer(text), 0


class Lookup:
    """Table of a certificate; ValueError if it is not a table of families."""

    def __init__(self, certificate: dict[str, Any]) -> None:
        self.symbol, letters, table = certificate["symbol"], certificate["letters"], certificate["words"]
        if self.symbol not in ("T", ".") or set(letters) != {"T": {".", "F"}, ".": {"T", "F"}}[self.symbol]:
            raise ValueError(f"runs of {self.symbol!r} between the letters {letters!r} are not a class")
        if type(letters) is not str or len(letters) >= len(NAMES):
            raise ValueError(f"letters must be at most {len(NAMES) - 1}, got {letters!r}")
        if not isinstance(table, dict) or not isinstance(certificate.get("open", []), list):
            raise ValueError("words must be an object, and open a list")
        if not table or sorted([*table, *certificate.get("open", ())]) != words_of(letters):
            raise ValueError(f"the table must have exactly the words of {letters!r}")
        names = set(NAMES[: len(letters) + 1])
        self.trees = {}
        for word, tree in table.items():
            with placed(f"words, {word}"):
                self.trees[word] = _Tree.read(tree)
                if unknown := self.trees[word].names() - names:
                    raise ValueError(f"no run has the exponent {min(unknown)}")

    def leaf(self, word: str, runs: Sequence[Form]) -> tuple[_Tree, Tree]:
        """Return the leaf of a family, and its value.

        Raises ValueError if a part written {..|..} may be a number.
        """
        cone = dict(zip(NAMES, runs, strict=False))
        if word not in self.trees:
            raise ValueError(f"a move leads to {word}, which is open")
        leaf = self.trees[word].leaf(cone)
        value = tree_in(leaf.value, cone)
        if not all(map(is_no_number, parts(value))):
            raise ValueError(f"a part in braces of {leaf.text} is a number where {_where(cone)}")
        return leaf, value

    def value(self, word: str, runs: Sequence[Form]) -> Tree | None:
        """Return the value of a family; None for a word that is not in the table."""
        return self.leaf(word, runs)[1] if word in self.trees else None


def check_families(certificate: dict[str, Any]) -> dict[str, int]:
    """Check a table; return the numbers of words, formulas and cones.

    Raises ValueError with the first error.
    """
    table = Lookup(certificate)
    left, right = MOVES[table.symbol]
    cones = 0
    for word in table.trees:
        names = NAMES[: len(word) + 1]

        def ask(cone: Cone, word: str = word, names: str = names) -> None:
            runs = [cone[name] for name in names]
            leaf, value = table.leaf(word, runs)
            sides = [[table.leaf(*family)[1] for family in moves(word, runs)] for moves in (left, right)]
            if not same(sides[0], sides[1], value):
                raise ValueError(f"{leaf.text} is not the value where {_where(cone)}")
            leaf.used = True

        with placed(f"words, {word}"):
            cones += each_cone({name: {name: 1} for name in names}, ask)
    leaves = [(word, leaf) for word, tree in table.trees.items() for leaf in tree.leaves()]
    for word, leaf in leaves:
        if not leaf.used:
            raise ValueError(f"words, {word}: no position has the value {leaf.text}")
    return {"words": len(table.trees), "formulas": len(leaves), "cones": cones}


class _Tree:
    """Decision tree: a question with two branches, or a leaf with a value."""

    def __init__(self, text: str, question: Form | None = None, divisor: int = 0, branches: Any = ()) -> None:
        self.text, self.question, self.divisor, self.branches = text, question, divisor, branches
        self.value: Tree = None if branches else read_tree(text)
        self.used = False

    @classmethod
    def read(cls, source: Any) -> _Tree:
        if isinstance(source, str):
            return cls(source)
        if not isinstance(source, list) or len(source) != 3 or not isinstance(source[0], str):
            raise ValueError(f"a tree must be a value, or a question and two trees, got {str(source)[:80]}")
        text, yes, no = source
        return cls(text, *read_question(text), (cls.read(yes), cls.read(no)))

    def leaf(self, cone: Cone) -> _Tree:
        if self.question is None:
            return self
        form = substituted(self.question, cone)
        answer = divides(self.divisor, form) if self.divisor else nonnegative(form)
        return self.branches[0 if answer else 1].leaf(cone)

    def names(self) -> set[str]:
        """Return the exponents in the questions and values."""
        inner = [branch.names() for branch in self.branches] or [names_in(self.value)]
        return set().union(self.question or (), *inner) - {""}

    def leaves(self) -> Iterator[_Tree]:
        if self.question is None:
            yield self
        for branch in self.branches:
            yield from branch.leaves()


def _where(cone: Cone) -> str:
    return ", ".join(f"{name} = {written(form)}" for name, form in cone.items())


# ---- moves: the word and the runs after each move ----
def _changed(word: str, swap: int | None, runs: Sequence[Form], changes: dict[int, int]) -> Family:
    if swap is not None:
        word = word[:swap] + word[swap + 1] + word[swap] + word[swap + 2 :]
    return word, tuple(plus(run, constant(changes.get(i, 0))) for i, run in enumerate(runs))


def _toads_left(word: str, runs: Sequence[Form]) -> Iterator[Family]:
    """Yield Left's moves if the runs are toads: T^a . -> T^(a-1) . T, and T^a F . -> T^(a-1) . F T."""
    for i, letter in enumerate(word):
        if letter == "." and nonnegative(plus(runs[i], constant(-1))):
            yield _changed(word, None, runs, {i: -1, i + 1: 1})
        if word[i : i + 2] == "F." and is_exactly(runs[i + 1], 0) and nonnegative(plus(runs[i], constant(-1))):
            yield _changed(word, i, runs, {i: -1, i + 2: 1})


def _toads_right(word: str, runs: Sequence[Form]) -> Iterator[Family]:
    """Yield Right's moves if the runs are toads: . F -> F ., and . T F -> F T ."""
    for i in range(len(word) - 1):
        if word[i : i + 2] == ".F" and (is_exactly(runs[i + 1], 0) or is_exactly(runs[i + 1], 1)):
            yield _changed(word, i, runs, {})


def _blanks_left(word: str, runs: Sequence[Form]) -> Iterator[Family]:
    """Yield Left's moves if the runs are empty squares: T .^b -> . T .^(b-1), and T F .^c -> . F T .^(c-1)."""
    for i, letter in enumerate(word):
        if letter == "T" and nonnegative(plus(runs[i + 1], constant(-1))):
            yield _changed(word, None, runs, {i: 1, i + 1: -1})
        if word[i : i + 2] == "TF" and is_exactly(runs[i + 1], 0) and nonnegative(plus(runs[i + 2], constant(-1))):
            yield _changed(word, i, runs, {i: 1, i + 2: -1})


def _blanks_right(word: str, runs: Sequence[Form]) -> Iterator[Family]:
    """Yield Right's moves if the runs are empty squares, the mirror images of Left's."""
    for new_word, new_runs in _blanks_left(_mirrored(word), runs[::-1]):
        yield _mirrored(new_word), new_runs[::-1]


def _mirrored(word: str) -> str:
    return word[::-1].translate(str.maketrans("TF", "FT"))


MOVES = {"T": (_toads_left, _toads_right), ".": (_blanks_left, _blanks_right)}
