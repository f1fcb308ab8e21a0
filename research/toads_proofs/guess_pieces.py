"""Guess of a decision tree for a word whose values are piecewise linear.

It starts from the linear forms where the values bend.

The numbers in a value are constant, or follow one linear form (the slope) and a constant. A tree is
grown from a sample of the exponents; those for which it is wrong join the sample, until there are
none.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from poissonmatch_games.checkers.check_families import NAMES
from poissonmatch_games.checkers.linear_forms import Form, constant, plus, read_form, substituted, written
from poissonmatch_games.checkers.symbolic_values import Tree, read_tree, tree_in
from poissonmatch_games.toads.canonical import CanonicalEngine

from .word_values import Array, shape_of, strip_of

_SAMPLE, _MORE = 2500, 600  # exponents at first, and those added in each round
_ROUNDS = 20
_OFFSETS = range(-8, 9)  # n of the questions form >= n


class Pieces:
    """Values of one word with at most `squares` empty squares."""

    def __init__(self, word: str, squares: int, forms: Sequence[str], engine: CanonicalEngine) -> None:
        width = len(word) + 1
        self.names = NAMES[:width]
        grid = np.indices([squares + 1] * width).reshape(width, -1).T
        self.runs = grid[grid.sum(1) <= squares]
        questions = list(_questions(self.names, forms))
        self.questions = [text for text, *_ in questions]
        self.cost = np.array([0.002 * abs(v).sum() for _, v, _, _ in questions])
        answers = [(self.runs @ v - n) % m == 0 if m else self.runs @ v >= n for _, v, n, m in questions]
        self.answers = np.array(answers)
        # three ways to read the numbers of a value: minus the slope, as they are, or minus the
        # slope in the first number only
        slope = read_form(forms[0])
        at = self.runs @ _vector(self.names, forms[0])
        ids: list[dict[str, int]] = [{}, {}, {}]
        self.labels = np.zeros((3, len(self.runs)), int)
        for i, runs in enumerate(self.runs.tolist()):
            shape, numbers = shape_of(engine.value(strip_of(".", word, tuple(runs))))
            for way, followed in enumerate((len(numbers), 0, min(1, len(numbers)))):
                text = shape
                for k, x in enumerate(numbers):
                    form = plus(slope, constant(x - int(at[i]))) if k < followed else constant(x)
                    text = text.replace("n", written(form), 1)
                self.labels[way, i] = ids[way].setdefault(text, len(ids[way]))
        self.texts = [list(x) for x in ids]

    def tree(self) -> Any:
        """Return a decision tree that is right for all these exponents.

        Raises ValueError if the forms do not separate the values.
        """
        rng = random.Random(1)
        rows = np.array(sorted(rng.sample(range(len(self.runs)), min(_SAMPLE, len(self.runs)))))
        for _ in range(_ROUNDS):
            tree = self._tree(rows)
            wrong = list(self._wrong(tree, np.arange(len(self.runs))))
            if not wrong:
                return self._text(tree)
            rows = np.union1d(rows, rng.sample(wrong, min(_MORE, len(wrong))))
        raise ValueError(f"the tree is wrong for {len(wrong)} exponents after {_ROUNDS} rounds")

    def _tree(self, rows: Array) -> Any:
        for way in range(3):
            if (self.labels[way, rows] == self.labels[way, rows[0]]).all():
                return way, self.labels[way, rows[0]]
        answers = self.answers[:, rows]
        counts = answers.sum(1)
        open_questions = np.flatnonzero((counts > 0) & (counts < len(rows)))
        if len(open_questions) == 0:
            raise ValueError(f"no question separates the values at {self.runs[rows[:3]].tolist()}")
        scores = [
            self._mixed(rows[answers[q]]) + self._mixed(rows[~answers[q]]) + self.cost[q]
            for q in open_questions.tolist()
        ]
        best = int(open_questions[int(np.argmin(scores))])
        yes = answers[best]
        return best, self._tree(rows[yes]), self._tree(rows[~yes])

    def _mixed(self, rows: Array) -> float:
        """Return a distance of the values from one formula.

        It is their entropy, and 2 for each further formula.
        """
        scores = []
        for way in range(3):
            counts = np.bincount(self.labels[way, rows])
            counts = counts[counts > 0]
            scores.append(float(-(counts * np.log(counts / len(rows))).sum()) + 2 * (len(counts) - 1))
        return min(scores)

    def _wrong(self, tree: Any, rows: Array) -> Iterator[int]:
        if len(tree) == 2:
            way, label = tree
            return iter(rows[self.labels[way, rows] != label].tolist())
        yes = self.answers[tree[0], rows]
        return chain(self._wrong(tree[1], rows[yes]), self._wrong(tree[2], rows[~yes]))

    def _text(self, tree: Any) -> Any:
        if len(tree) == 2:
            return self.texts[tree[0]][tree[1]]
        return [self.questions[tree[0]], self._text(tree[1]), self._text(tree[2])]


def _vector(names: str, text: str) -> Array:
    form = read_form(text)
    return np.array([int(form.get(name, 0)) for name in names])


def _questions(names: str, forms: Sequence[str]) -> Iterator[tuple[str, Array, int, int]]:
    """Yield (text, coefficients v, n, divisor m) of the questions.

    They are v >= n (m = 0) and "m divides v - n".
    """
    for text in [*forms, *names]:
        offsets = range(1, 4) if len(text) == 1 else _OFFSETS
        yield from ((written(plus(read_form(text), constant(-n))), _vector(names, text), n, 0) for n in offsets)
        if len(text) > 1:
            for n in range(3):
                yield f"3 divides {written(plus(read_form(text), constant(-n)))}", _vector(names, text), n, 3
    pairs = (names[i] + "+" + names[j] for j in range(len(names)) for i in range(j))
    for text in (*names, *pairs, "+".join(names)):
        yield f"even {text}", _vector(names, text), 0, 2


# ---- mirror images ----
def mirrored(words: dict[str, Any]) -> dict[str, Any]:
    """Return the decision trees of the mirror images of words with runs of empty squares."""
    return {word[::-1].translate(_SWAPPED): _mirrored(tree, NAMES[: len(word) + 1]) for word, tree in words.items()}


_SWAPPED = str.maketrans("TF", "FT")


def _mirrored(tree: Any, names: str) -> Any:
    reversed_names: dict[str, Form] = {name: {other: 1} for name, other in zip(names, reversed(names), strict=True)}
    if isinstance(tree, str):
        return _value(tree_in(read_tree(tree), reversed_names))
    start = next((prefix for prefix in ("even ", "3 divides ") if tree[0].startswith(prefix)), "")
    form = written(substituted(read_form(tree[0].removeprefix(start)), reversed_names))
    return [start + form, *(_mirrored(branch, names) for branch in tree[1:])]


def _value(tree: Tree) -> str:
    """Return the negative of a value as text."""
    if isinstance(tree, dict):
        return written(plus({}, tree, -1))
    left, right = (",".join(map(_value, side)) for side in reversed(tree))
    return f"{{{left}|{right}}}"
