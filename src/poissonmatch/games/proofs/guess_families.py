"""Guess of a table of families from the values of small positions, for `check_families` to accept or refuse.

For each word a decision tree classifies the values at all exponents up to `max_exponent`: a leaf is a set of exponents where all values
have one shape, such as {n|{n|n}}, with numbers that are linear in the exponents.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from ..checkers.check_families import NAMES, check_families, words_of
from ..checkers.cones import written
from ..partisan.values import Game
from ..toads.canonical import CanonicalEngine

Array = np.ndarray[Any, Any]
_MAX_DEPTH = 40  # of a decision tree


def prove_class(symbol: str, letters: str, first: int = 5, last: int = 10, leave: Sequence[str] = ()) -> dict[str, Any]:
    """Return a table of the class that the checker accepts, guessed from exponents up to `first`, or more if needed.

    The words to `leave` remain open. Raises ValueError with the last refusal if exponents up to `last` are not enough.
    """
    refusal = ""
    for max_exponent in range(first, last + 1):
        words = guess(symbol, letters, max_exponent, leave)
        table = {"kind": "families", "symbol": symbol, "letters": letters, "words": words}
        if leave:
            table["open"] = list(leave)
        try:
            check_families(table)
            return table
        except ValueError as error:
            refusal = str(error)
    raise ValueError(f"no table of {letters} with runs of {symbol}: {refusal}")


def guess(symbol: str, letters: str, max_exponent: int, leave: Sequence[str] = ()) -> dict[str, Any]:
    """Return the decision tree of each word except those to `leave`, from the values at exponents up to `max_exponent`."""
    engine = CanonicalEngine()
    return {word: _Sample(symbol, word, max_exponent, engine).tree() for word in words_of(letters) if word not in leave}


def strip_of(symbol: str, word: str, runs: tuple[int, ...]) -> str:
    """Return the strip of a word with these runs."""
    return symbol * runs[0] + "".join(letter + symbol * n for letter, n in zip(word, runs[1:], strict=True))


class _Sample:
    """Values of one word, as shapes and numbers."""

    def __init__(self, symbol: str, word: str, max_exponent: int, engine: CanonicalEngine) -> None:
        width = len(word) + 1
        bounds = [max_exponent] * width
        if symbol == "T":  # toads ahead matter less
            bounds = [max(2, max_exponent - i) for i in range(width)]
        strips = {runs: strip_of(symbol, word, runs) for runs in product(*(range(bound + 1) for bound in bounds))}
        # those that the canonical engine accepts
        self.runs = np.array([runs for runs, strip in strips.items() if 2 * len(strip) - strip.count(".") <= 60])
        shapes: dict[str, int] = {}
        self.shape = np.zeros(len(self.runs), int)
        numbers = []
        for i, runs in enumerate(self.runs.tolist()):
            shape, found = shape_of(engine.value(strip_of(symbol, word, tuple(runs))))
            self.shape[i] = shapes.setdefault(shape, len(shapes))
            numbers.append(found)
        self.shapes = list(shapes)
        longest = max(map(len, numbers))
        self.numbers = np.array([row + [Fraction(0)] * (longest - len(row)) for row in numbers], float)
        self.questions = list(_questions(symbol, width, max_exponent))

    def tree(self) -> Any:
        """Return the decision tree of all exponents."""
        return self._tree(np.arange(len(self.runs)), _MAX_DEPTH)

    def _tree(self, rows: Array, depth: int) -> Any:
        leaf = self._leaf(rows)
        if leaf is not None:
            return leaf
        best, kept = np.inf, None
        for text, coefficients, constant, parity in self.questions:
            form = self.runs[rows] @ coefficients + constant
            yes = form % 2 == 0 if parity else form >= 0
            if yes.all() or not yes.any():
                continue
            score = self._mixed(rows[yes]) + self._mixed(rows[~yes]) + 0.01 * abs(coefficients).sum()
            if score < best - 1e-9:
                best, kept = score, (text, yes)
        if kept is None or depth == 0:  # the checker will refuse it
            return self._value(rows[:1])
        text, yes = kept
        return [text, self._tree(rows[yes], depth - 1), self._tree(rows[~yes], depth - 1)]

    def _mixed(self, rows: Array) -> float:
        """Return a distance of the values from one shape with linear numbers."""
        counts = np.bincount(self.shape[rows])
        counts = counts[counts > 0]
        if len(counts) > 1:
            return float(-(counts * np.log(counts / len(rows))).sum()) + len(counts)
        off = self._fit(rows)[1]
        return 0.0 if off < 1e-6 else min(0.5, 0.1 + off) * len(rows) ** 0.5

    def _fit(self, rows: Array) -> tuple[Array, float]:
        """Return the coefficients of the numbers, the constant last, and the largest error."""
        runs = self.runs[rows]
        columns: list[int] = []
        basis = np.ones((len(rows), 1))
        for i in range(runs.shape[1]):  # the exponents that vary by themselves
            more = np.column_stack([basis, runs[:, i]])
            if np.linalg.matrix_rank(more.T @ more) == more.shape[1]:
                basis, columns = more, [*columns, i]
        y = self.numbers[rows]
        solution, *_ = np.linalg.lstsq(basis.T @ basis, basis.T @ y, rcond=None)
        solution = np.round(solution * 64) / 64
        found = np.zeros((runs.shape[1] + 1, y.shape[1]))
        found[-1], found[columns] = solution[0], solution[1:]
        broken = abs(solution[1:] - np.round(solution[1:])).max(initial=0)  # a plain table has no half exponents
        return found, float(abs(basis @ solution - y).max() + broken)

    def _leaf(self, rows: Array) -> str | None:
        same = len(set(self.shape[rows].tolist())) == 1 and self._fit(rows)[1] <= 1e-6
        return self._value(rows) if same else None

    def _value(self, rows: Array) -> str:
        forms = [_written(column) for column in self._fit(rows)[0].T.tolist()]
        text = self.shapes[self.shape[rows[0]]]
        for form in forms[: text.count("n")]:
            text = text.replace("n", form, 1)
        return text


def shape_of(game: Game) -> tuple[str, list[Fraction]]:
    """Return the canonical form with n in place of its numbers, and the numbers."""
    if game.number is not None:
        return "n", [game.number]
    sides = [sorted(map(shape_of, side)) for side in (game.left, game.right)]
    text = "|".join(",".join(shape for shape, _ in side) for side in sides)
    return f"{{{text}}}", [x for side in sides for _, numbers in side for x in numbers]


def _questions(symbol: str, width: int, max_exponent: int) -> Iterator[tuple[str, Array, int, bool]]:
    """Yield the possible questions: (text, coefficients, constant, whether it is about parity)."""
    unit = np.eye(width, dtype=int)
    for i in range(width):
        if symbol == ".":
            yield f"even {NAMES[i]}", unit[i], 0, True
        for n in range(1, max_exponent):
            yield f"{NAMES[i]}-{n}", unit[i], -n, False
    if symbol == "T":
        return
    for i, j in combinations(range(width), 2):
        yield f"even {NAMES[i]}+{NAMES[j]}", unit[i] + unit[j], 0, True
        for n in range(-2, 3):
            yield _written([*(unit[i] - unit[j]), -n]), unit[i] - unit[j], -n, False
        for n in range(2, 4):
            yield _written([*(unit[i] + unit[j]), -n]), unit[i] + unit[j], -n, False
    for some in combinations(range(width), 3):
        for i in some:  # one against two others
            form = 2 * unit[i] - sum(unit[j] for j in some)
            for n in range(-2, 3):
                yield _written([*form, -n]), form, -n, False


def _written(coefficients: Any) -> str:
    """Return a form as text: a-2b+1/2; the last coefficient is the constant."""
    names = [*NAMES[: len(coefficients) - 1], ""]
    return written({name: Fraction(x) for x, name in zip(coefficients, names, strict=True) if x})
