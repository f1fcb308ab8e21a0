"""Guess of a table of families from the values of small positions.

`check_families` accepts or refuses it.

For each word a decision tree is grown, from a region of exponents that at first is all of them.
Strips of the region, chosen at random, are valued. If all values have one shape, such as {n|{n|n}},
with numbers that are linear in the exponents, the region is a leaf. Otherwise the question that
separates best the formulas seen around these strips splits the region; each part gets more strips.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import gcd
from typing import Any

import numpy as np
from scipy.special import xlogy

from poissonmatch_games.checkers.check_families import Lookup, check_families, words_of
from poissonmatch_games.checkers.linear_forms import (
    Cone,
    Form,
    constant,
    divides,
    each_cone,
    nonnegative,
    plus,
    substituted,
    written,
)
from poissonmatch_games.toads.canonical import CanonicalEngine

from .refuted import refuted
from .word_values import Array, Formula, Runs, WordValues

Vector = tuple[int, ...]
Question = tuple[Vector, int, int]  # (v, n, m): is v . exponents >= n? If m > 0: does m divide v . exponents - n?

_FIRST = 2000  # strips of the whole word
_COUNT = 150  # of a region
_ROUNDS = 10
_MAX_DEPTH = 60  # of a decision tree
_MAX_OFFSET = 8  # n of a question
_MAX_COEFFICIENT = 3
_FORMULAS = 12  # of a region, the most frequent, that suggest questions


def prove_class(symbol: str, letters: str, leave: Sequence[str] = ()) -> dict[str, Any]:
    """Return a table of the class that the checker accepts.

    The words to `leave` remain open. Raises ValueError with the last refusal if strips where a
    refused table is wrong do not lead to one that is accepted.
    """
    engine = CanonicalEngine()
    growers = {word: _Grower(WordValues(symbol, word, engine)) for word in words_of(letters) if word not in leave}
    words: dict[str, Any] = dict.fromkeys(growers)
    todo, refusal = set(growers), ""
    for _ in range(_ROUNDS):
        words |= {word: growers[word].tree() for word in sorted(todo)}
        table = {"kind": "families", "symbol": symbol, "letters": letters, "words": words}
        if leave:
            table["open"] = list(leave)
        try:
            check_families(table)
            return table
        except ValueError as error:
            refusal = str(error)
        todo = set()
        for word, runs in refuted(Lookup(table)):
            if word in growers and growers[word].learns(words[word], runs):
                todo.add(word)
        if not todo:
            break
    raise ValueError(f"no table of {letters} with runs of {symbol}: {refusal}")


class _Grower:
    """Decision trees of a word, each from more strips."""

    def __init__(self, word: WordValues) -> None:
        self._word, self._rng = word, random.Random(1)
        self._learned: set[Runs] = set()  # strips where a tree was wrong
        self._near = dict[Vector, float]()  # the forms where values may bend in the last region, with their costs
        self._seen = dict[Vector, float]()  # in all regions so far
        self._used = dict[Vector, float]()  # in the questions so far

    def tree(self) -> Any:
        """Return the decision tree of all exponents.

        Raises ValueError if no question separates the values in a region.
        """
        region: list[Cone] = [{name: {name: 1} for name in self._word.names}]
        return self._tree(region, self._sample(region, _FIRST) | self._learned, _MAX_DEPTH)

    def learns(self, tree: Any, runs: Runs) -> bool:
        """Return whether the tree is wrong for this strip.

        If so, the next tree takes the strip into account. The result is False if the strip is too
        long.
        """
        if not self._word.holds(runs) or runs in self._learned or self._word.agrees(tree, runs):
            return False
        self._learned.add(runs)
        return True

    def _tree(self, region: list[Cone], known: set[Runs], depth: int) -> Any:
        strips = known | self._sample(region, max(0, _COUNT - len(known)))
        leaf = self._leaf(sorted(strips))
        if leaf is not None:  # once more, with other strips
            strips |= self._sample(region, 40)
            leaf = self._leaf(sorted(strips))
        if leaf is not None:
            return leaf
        rows = sorted(strips)
        question = self._question(rows) if depth else None
        if question is None:
            raise ValueError(f"no question separates the values of {self._word.word} at {rows[0]} and {rows[-1]}")
        if question[2] == 0 and np.count_nonzero(question[0]) > 1:
            self._used[question[0]] = self._seen[question[0]]
        answers = _answers(np.array(rows), question)
        form = _form(self._word.names, question)
        tree: list[Any] = ["even " * (question[2] == 2) + written(form)]
        for part, yes in zip(_parts(region, form, question[2]), (True, False), strict=True):
            here = {runs for runs, answer in zip(rows, answers.tolist(), strict=True) if answer == yes}
            tree.append(self._tree(part, here, depth - 1))
        return tree

    def _sample(self, region: list[Cone], count: int) -> set[Runs]:
        """Return strips of a region, most of them near its corners."""
        strips: set[Runs] = set()
        for _ in range(4 * count):
            cone = self._rng.choice(region)
            chosen: dict[str, int] = {"": 1}
            names = sorted({name for form in cone.values() for name in form if name})
            chosen |= {name: self._rng.choice((0, 0, 1, 1, 2, 2, 3)) for name in names}
            for chance in (0.5, 0.15):
                if names and self._rng.random() < chance:
                    chosen[self._rng.choice(names)] = self._rng.randrange(4, 11)
            runs = tuple(int(sum(x * chosen[p] for p, x in cone[name].items())) for name in self._word.names)
            if self._word.holds(runs):
                strips.add(runs)
            if len(strips) == count:
                break
        return strips

    def _leaf(self, rows: list[Runs]) -> str | None:
        """Return the formula of all these strips as text; None if there is none."""
        if len({self._word.value(runs)[0] for runs in rows}) > 1:
            return None
        formula = self._fit(rows)
        return None if formula is None else self._word.text(formula)

    def _fit(self, rows: list[Runs]) -> Formula | None:
        """Return the formula of these strips of one shape; None if there is none.

        It is in those exponents that vary by themselves.
        """
        values = [self._word.value(runs) for runs in rows]
        runs, numbers = np.array(rows), np.array([numbers for _, numbers in values])
        basis, columns = np.ones((len(rows), 1)), list[int]()
        for i in np.flatnonzero(np.ptp(runs, axis=0)).tolist():
            more = np.column_stack([basis, runs[:, i]])
            if np.linalg.matrix_rank(more.T @ more) == more.shape[1]:
                basis, columns = more, [*columns, i]
        solution = np.round(np.linalg.lstsq(basis, numbers, rcond=None)[0] * 1024) / 1024
        if (solution[1:] != np.round(solution[1:])).any() or abs(basis @ solution - numbers).max() > 1e-9:
            return None
        coefficients = np.zeros((self._word.width + 1, numbers.shape[1]))
        coefficients[-1], coefficients[columns] = solution[0], solution[1:]
        return values[0][0], tuple(map(tuple, coefficients.tolist()))

    def _question(self, rows: list[Runs]) -> Question | None:
        """Return the question after which the formulas are least mixed.

        The result is None if none separates the strips.
        """
        labels, formulas = self._labels(rows)
        runs, total = np.array(rows), np.bincount(labels)
        self._bends_in([formulas[i] for i in np.argsort(-total)[:_FORMULAS].tolist()])
        questions = list(self._questions(runs, self._near, _MAX_OFFSET)) or list(self._questions(runs, self._seen, 99))
        if not questions:
            return None
        answers = np.array([_answers(runs, question) for question, _ in questions])
        parts = [side.astype(float) @ np.eye(len(total))[labels] for side in (answers, ~answers)]  # question x formula
        sizes = [part.sum(1) for part in parts]
        entropy = sum(xlogy(size, size) - xlogy(part, part).sum(1) for part, size in zip(parts, sizes, strict=True))
        formulas_left = sum((part > 0).sum(1) for part in parts)
        scores = np.array([cost for _, cost in questions]) + entropy / len(rows) + 0.03 * formulas_left
        return questions[int(scores.argmin())][0]

    def _labels(self, rows: list[Runs]) -> tuple[Array, list[Formula]]:
        """Return the number of a formula for each strip, and the formulas.

        There are few formulas, each taken from around one of the strips.
        """
        labels, formulas = np.full(len(rows), -1), list[Formula]()
        shapes = np.array([self._word.value(runs)[0] for runs in rows])
        for shape in dict.fromkeys(shapes.tolist()):
            where = np.flatnonzero(shapes == shape)
            here = [rows[i] for i in where.tolist()]
            ones = np.column_stack([np.array(here), np.ones(len(here))])
            numbers = np.array([self._word.value(runs)[1] for runs in here])
            whole = self._fit(here)  # in a thin region, where a formula has no neighbors
            seen = [formula for formula, _ in Counter(map(self._word.formula, here)).most_common()]
            seen = seen if whole is None else [whole]
            fits = np.array([abs(ones @ np.array(formula[1]) - numbers).max(1) < 1e-9 for formula in seen])
            unlabeled = np.ones(len(here), bool)
            while unlabeled.any():  # each strip fits the formula around itself
                best = int((fits & unlabeled).sum(1).argmax())
                labels[where[fits[best] & unlabeled]] = len(formulas)
                formulas.append(seen[best])
                unlabeled &= ~fits[best]
        return labels, formulas

    def _questions(self, runs: Array, bends: dict[Vector, float], offset: int) -> Iterator[tuple[Question, float]]:
        """Yield questions about the forms where the values may bend.

        Both answers occur among these strips. Each question comes with its cost.
        """
        unit = np.eye(self._word.width, dtype=int)
        for v, cost in bends.items():
            values = runs @ np.array(v)
            first, last = max(int(values.min()) + 1, -offset), min(int(values.max()), offset)
            yield from (((v, n, 0), cost + 0.01 * abs(n)) for n in range(first, last + 1))
        if self._word.symbol == ".":
            for some in (*combinations(unit, 1), *combinations(unit, 2)):
                v = np.sum(some, axis=0)
                if np.ptp(runs @ v % 2):
                    yield (tuple(v.tolist()), 0, 2), 0.05 * len(some)

    def _bends_in(self, formulas: list[Formula]) -> None:
        """Record the forms where the values may bend.

        They are exponents, and differences of two exponents, of two numbers in a formula, or of two
        formulas.
        """
        unit = np.eye(self._word.width)
        slopes = [(shape, np.array(rows[:-1]).T) for shape, rows in formulas]
        pairs = [pair for _, numbers in slopes for pair in combinations(numbers, 2)]
        for (shape, these), (other, those) in combinations(slopes, 2):
            pairs += zip(these, those, strict=True) if shape == other else ()
        self._near = {_primitive(row): 0.0 for row in unit}
        self._near |= {_primitive(one - two): 0.18 for one, two in combinations(unit, 2)}
        self._near |= self._used
        for v in (_primitive(one - two) for one, two in pairs):
            if 0 < max(map(abs, v)) <= _MAX_COEFFICIENT:
                self._near.setdefault(v, 0.06 + 0.03 * sum(map(abs, v)))
        self._seen |= {v: cost for v, cost in self._near.items() if cost}  # not single exponents


def _primitive(v: Array) -> Vector:
    """Return the vector divided by the greatest common divisor of its entries.

    Its first entry that is not 0 is positive.
    """
    whole = [round(x) for x in v.tolist()]
    first = next((x for x in whole if x), 0)
    divisor = gcd(*whole) * (1 if first > 0 else -1) or 1
    return tuple(x // divisor for x in whole)


def _answers(runs: Array, question: Question) -> Array:
    v, n, divisor = question
    values = runs @ np.array(v) - n
    return np.asarray(values % divisor == 0 if divisor else values >= 0)


def _form(names: str, question: Question) -> Form:
    v, n, _ = question
    return plus({name: x for name, x in zip(names, v, strict=True) if x}, constant(-n))


def _parts(region: list[Cone], form: Form, divisor: int) -> tuple[list[Cone], list[Cone]]:
    """Return the cones where the answer is yes, and those where it is no."""
    parts: tuple[list[Cone], list[Cone]] = ([], [])

    def ask(cone: Cone) -> None:
        inside = substituted(form, cone)
        answer = divides(divisor, inside) if divisor else nonnegative(inside)
        parts[0 if answer else 1].append(cone)

    for cone in region:
        each_cone(cone, ask)
    return parts
