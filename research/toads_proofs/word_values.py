"""Values of the strips of one word, and the linear formulas around them."""

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from poissonmatch_games.checkers.check_families import NAMES
from poissonmatch_games.checkers.linear_forms import (
    Form,
    constant,
    divides,
    nonnegative,
    read_form,
    substituted,
    written,
)
from poissonmatch_games.checkers.symbolic_values import Tree, read_tree, tree_in
from poissonmatch_games.partisan.values import Game
from poissonmatch_games.toads.canonical import CanonicalEngine

Array = np.ndarray[Any, Any]
Runs = tuple[int, ...]
# a shape, and for each exponent, and the constant, its coefficients in the numbers
Formula = tuple[str, tuple[tuple[float, ...], ...]]

_SQUARES = 63  # squares and pieces of a strip that the canonical engine holds


def strip_of(symbol: str, word: str, runs: Runs) -> str:
    """Return the strip of a word with these runs."""
    return symbol * runs[0] + "".join(letter + symbol * n for letter, n in zip(word, runs[1:], strict=True))


def shape_of(game: Game) -> tuple[str, list[Fraction]]:
    """Return the canonical form with n in place of its numbers, and the numbers."""
    if game.number is not None:
        return "n", [game.number]
    sides = [sorted(map(shape_of, side)) for side in (game.left, game.right)]
    text = "|".join(",".join(shape for shape, _ in side) for side in sides)
    return f"{{{text}}}", [x for side in sides for _, numbers in side for x in numbers]


@cache
def _shaped(game: Game) -> tuple[str, tuple[float, ...]]:
    shape, numbers = shape_of(game)
    return shape, tuple(map(float, numbers))


def _read(tree: Tree) -> tuple[str, tuple[float, ...]]:
    """Return the shape and the numbers of a tree without parameters, its options in their order."""
    if isinstance(tree, dict):
        return "n", (float(tree.get("", 0)),)
    sides = [list(map(_read, side)) for side in tree]
    text = "|".join(",".join(shape for shape, _ in side) for side in sides)
    return f"{{{text}}}", tuple(x for side in sides for _, numbers in side for x in numbers)


class WordValues:
    """Values of the strips of one word, and the linear formulas around them."""

    def __init__(self, symbol: str, word: str, engine: CanonicalEngine) -> None:
        self.symbol, self.word, self.width, self._engine = symbol, word, len(word) + 1, engine
        self.names = NAMES[: self.width]
        self._values: dict[Runs, tuple[str, tuple[float, ...]]] = {}
        self._formulas: dict[Runs, Formula] = {}

    def holds(self, runs: Runs) -> bool:
        """Return whether these are exponents of a strip that the engine holds."""
        strip_length, blanks = sum(runs) + len(self.word), self.word.count(".") + (self.symbol == ".") * sum(runs)
        return min(runs) >= 0 and 2 * strip_length - blanks <= _SQUARES

    def value(self, runs: Runs) -> tuple[str, tuple[float, ...]]:
        """Return the shape and the numbers of the value of a strip."""
        if runs not in self._values:
            self._values[runs] = _shaped(self._engine.value(strip_of(self.symbol, self.word, runs)))
        return self._values[runs]

    def formula(self, runs: Runs) -> Formula:
        """Return the formula of a strip, and of those around it of the same shape.

        Their differences must be integers.
        """
        if runs not in self._formulas:
            shape, numbers = self.value(runs)
            slopes = self._slopes(runs, shape, numbers)
            rest = np.array(numbers) - np.array(runs, float) @ np.array(slopes)
            self._formulas[runs] = (shape, (*slopes, tuple(rest.tolist())))
        return self._formulas[runs]

    def _slopes(self, runs: Runs, shape: str, numbers: tuple[float, ...]) -> list[tuple[float, ...]]:
        """Return the differences along each exponent.

        For those that have none alone, it is along two exponents, the first and another.
        """
        none = (0.0,) * len(numbers)
        alone = [self._slope(runs, ((i, 1),), shape, numbers) for i in range(self.width)]
        first = next((i for i, slope in enumerate(alone) if slope is None), None)
        slopes = []
        for i, slope in enumerate(alone):
            if slope is None and first is not None and i != first:
                both = (self._slope(runs, ((i, 1), (first, sign)), shape, numbers) for sign in (1, -1))
                slope = next((candidate for candidate in both if candidate is not None), None)
            slopes.append(none if slope is None else slope)
        return slopes

    def _slope(
        self, runs: Runs, changes: tuple[tuple[int, int], ...], shape: str, numbers: tuple[float, ...]
    ) -> tuple[float, ...] | None:
        for step in (1, -1):
            exponents = list(runs)
            for i, sign in changes:
                exponents[i] += step * sign
            near = tuple(exponents)
            if self.holds(near) and self.value(near)[0] == shape:
                differences = tuple((y - x) * step for x, y in zip(numbers, self.value(near)[1], strict=True))
                if all(x.is_integer() for x in differences):
                    return differences
        return None

    def agrees(self, tree: Any, runs: Runs) -> bool:
        """Return whether a decision tree gives the value of a strip."""
        at = {name: constant(n) for name, n in zip(self.names, runs, strict=True)}
        while not isinstance(tree, str):
            start = "even " if tree[0].startswith("even ") else ""
            form = substituted(read_form(tree[0].removeprefix(start)), at)
            tree = tree[1 if (divides(2, form) if start else nonnegative(form)) else 2]
        return _read(tree_in(read_tree(tree), at)) == self.value(runs)

    def text(self, formula: Formula) -> str:
        """Return a formula as the text of a leaf."""
        text, columns = formula[0], zip(*formula[1], strict=True)
        for column in columns:
            form: Form = {name: Fraction(x) for name, x in zip([*self.names, ""], column, strict=True) if x}
            text = text.replace("n", written(form), 1)
        return text
