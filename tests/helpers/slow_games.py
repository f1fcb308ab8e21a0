"""Slow twins of impartial games, which share no code with the package: plain recursion on a function of options."""

import functools
import itertools

import pytest

both_plays = pytest.mark.parametrize("misere", [False, True])


def slow_mex(values):
    return next(k for k in itertools.count() if k not in values)


def slow(options):
    """value(position, misere) by recursion."""

    @functools.cache
    def value(position, misere=False):
        after = {value(option, misere) for option in options(position)}
        return slow_mex(after) if after else int(misere)

    return value


def slow_win(options):
    """Whether the next player wins, by recursion on wins alone (no mex)."""

    @functools.cache
    def wins(position, misere):
        after = list(options(position))
        return misere if not after else any(not wins(option, misere) for option in after)

    return wins


def forced(options):
    """result(position, k, misere): 1 if the next player can win within k moves, -1 if the other one, 0 if neither can force it."""

    @functools.cache
    def result(position, k, misere=False):
        after = options(position)
        if not after:
            return 1 if misere else -1
        results = {result(option, k - 1, misere) for option in after} if k else {0}
        return 1 if -1 in results else -1 if results == {1} else 0

    return result


def one_heap(take):
    return lambda n: [n - s for s in take if s <= n]


def nim_moves(position):
    return [position[:i] + (k,) + position[i + 1 :] for i, heap in enumerate(position) for k in range(heap)]


def wythoff_moves(position):
    x, y = position
    return nim_moves(position) + [(x - s, y - s) for s in range(1, min(x, y) + 1)]


def euclid_moves(least):
    """Multiples of a heap are taken from the other; no heap below `least` is left."""

    def moves(pair):
        x, y = pair
        after = {(x - k * y, y) for k in range(1, x + 1) if y and x >= y} | {
            (x, y - k * x) for k in range(1, y + 1) if x and y >= x
        }
        return [option for option in after if min(option) >= least]

    return moves


def triangle_moves(position):
    """An edge i -> i + 1, s >= 1 stones from i, r < s of them on i + 1: word for word."""
    for i in range(3):
        for s in range(1, position[i] + 1):
            for r in range(s):
                after = list(position)
                after[i] -= s
                after[(i + 1) % 3] += r
                yield tuple(after)


def splitting(parts):
    """A heap n is replaced by the heaps of one of parts(n); in order, without empty ones."""

    def moves(heaps):
        for i, heap in enumerate(heaps):
            for new in parts(heap):
                yield tuple(sorted(filter(None, heaps[:i] + heaps[i + 1 :] + new)))

    return moves


def taking(*numbers):
    return splitting(lambda n: [(n - taken,) for taken in numbers if taken <= n])


def bowling(knocks):
    """Rows of pins: knock down `n` neighbors for n in `knocks`, anywhere."""
    return splitting(lambda n: [(left, n - knock - left) for knock in knocks for left in range(n - knock + 1)])


HEAP_GAMES = {
    "twenty-one": taking(1, 2, 3),
    "subtraction(1,3,4)": taking(1, 3, 4),
    "kayles": bowling((1, 2)),
    "dawsons-kayles": bowling((2,)),
    "treblecross": bowling((3,)),
    "dawsons-chess": splitting(lambda n: [(max(0, k - 1), max(0, n - k - 2)) for k in range(n)]),
    "octal(4.2)": splitting(lambda n: [(a, n - a) for a in range(1, n)] + [(n - 1,)] * (n > 1)),
    "grundys-game": splitting(lambda n: [(a, n - a) for a in range(1, n) if a < n - a]),
    "guiles": splitting(lambda n: [()] * (n in (1, 2)) + [(a, n - 2 - a) for a in range(1, n - 2)]),
    "officers": splitting(lambda n: [(n - 1,)] * (n > 1) + [(a, n - 1 - a) for a in range(1, n - 1)]),
}


def sum_moves(*rules):
    def moves(position):
        for i, rule in enumerate(rules):
            for option in rule(position[i]):
                yield position[:i] + (option,) + position[i + 1 :]

    return moves
