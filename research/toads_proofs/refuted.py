"""Strips that a refused table of families may have wrong.

They are those of cones where a value is not that of its options, and their options.
"""

import random
from collections.abc import Iterator

from poissonmatch_games.checkers.check_families import MOVES, NAMES, Lookup
from poissonmatch_games.checkers.linear_forms import Cone, constant, each_cone
from poissonmatch_games.checkers.symbolic_values import same

from .word_values import Runs

_CONES = 200  # of a word
_STRIPS = 8  # of a cone


class _Enough(Exception):
    """As many cones of a word as are asked for."""


def refuted(table: Lookup) -> Iterator[tuple[str, Runs]]:
    """Yield (word, exponents) of strips in cones that the checker refuses, and of their options."""
    rng, moves = random.Random(1), MOVES[table.symbol]
    for word in table.trees:
        for cone in _refused(table, word):
            for runs in _corners(cone, rng):
                yield word, runs
                for side in moves:
                    options = side(word, [constant(n) for n in runs])
                    yield from ((new, tuple(int(form.get("", 0)) for form in forms)) for new, forms in options)


def _refused(table: Lookup, word: str) -> list[Cone]:
    """Return cones where the value of a word is not that of its options, at most _CONES."""
    cones: list[Cone] = []
    names, moves = NAMES[: len(word) + 1], MOVES[table.symbol]

    def ask(cone: Cone) -> None:
        runs = [cone[name] for name in names]
        try:
            sides = [[table.leaf(*family)[1] for family in side(word, runs)] for side in moves]
            right = same(sides[0], sides[1], table.leaf(word, runs)[1])
        except ValueError:
            right = False
        if not right:
            cones.append(cone)
            if len(cones) == _CONES:
                raise _Enough

    try:
        each_cone({name: {name: 1} for name in names}, ask)
    except (_Enough, ValueError):  # or too many cones
        pass
    return cones


def _corners(cone: Cone, rng: random.Random) -> list[Runs]:
    """Return the exponents at the corner of a cone, and near it."""
    names = sorted({name for form in cone.values() for name in form if name})
    places = [dict.fromkeys(names, 0), *({name: rng.randrange(3) for name in names} for _ in range(_STRIPS))]
    return [tuple(int(sum(x * {**at, "": 1}[p] for p, x in form.items())) for form in cone.values()) for at in places]
