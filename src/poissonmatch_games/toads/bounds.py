"""Certified bounds by search, for values that are too large to compute."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from time import monotonic

from ..partisan.values import Game, number, ups
from .outcome import OutcomeEngine
from .strips import Strip

_MAX_DENOMINATOR = 16  # of the numbers that are tried
_CHUNK = 500_000  # positions searched between two checks of the time


class Bounds:
    """The largest number below a value V, the smallest number above V, and the numbers confused with V."""

    def __init__(self) -> None:
        self.below: Fraction | None = None
        self.above: Fraction | None = None
        self.confused: list[Fraction] = []

    def add(self, x: Fraction, relation: str) -> None:
        """Add the relation V > x, V < x or V | x."""
        if relation == ">":
            self.below = x if self.below is None else max(x, self.below)
        elif relation == "<":
            self.above = x if self.above is None else min(x, self.above)
        else:
            self.confused = sorted({*self.confused, x})

    def __str__(self) -> str:
        """Return the bounds as text, such as `2 < V < 4, V confused with 3`, or `V not bounded`."""
        chain = f"{self.below} < " * (self.below is not None) + "V" + f" < {self.above}" * (self.above is not None)
        parts = [chain] * (chain != "V") + [f"V confused with {x}" for x in self.confused]
        return ", ".join(parts) or "V not bounded"


def bracket(engine: OutcomeEngine, strip: Strip, deadline: float) -> Game | Bounds:
    """Return the value of a strip if it is of a simple kind; otherwise bounds.

    The kinds are a number (denominator <= 16), a number plus *, and a number plus ups.

    Integers are tried first, then the gap is halved. At `deadline` (of time.monotonic) the bounds
    so far are returned.
    """
    bounds = Bounds()
    for x in _questions(bounds):
        relation = timed_compare(engine, strip, number(x), deadline)
        if relation is None:
            return bounds
        if relation == "=":
            return number(x)
        bounds.add(x, relation)
        if relation == "|" and timed_compare(engine, strip, number(x) + ups(0, 1), deadline) == "=":
            return number(x) + ups(0, 1)
    equal = (value for value in _near(bounds) if timed_compare(engine, strip, value, deadline) == "=")
    return next(equal, bounds)


def timed_compare(engine: OutcomeEngine, strip: Strip, value: Game, deadline: float) -> str | None:
    """Return `engine.compare`, searched in growing steps, or None at the deadline (of time.monotonic)."""
    start, before = monotonic(), engine.positions
    chunk = _CHUNK
    while (now := monotonic()) < deadline:
        if now > start and engine.positions > before:  # at this speed, not beyond the deadline
            speed = (engine.positions - before) / (now - start)
            chunk = min(chunk, 1000 + int(speed * min(deadline - now, 1e6)))
        relation = engine.compare(strip, value, budget=chunk)
        if relation is not None:
            return relation
        chunk *= 2
    return None


def _questions(bounds: Bounds) -> Iterator[Fraction]:
    """Yield numbers to compare with, each chosen by the bounds so far."""
    x = Fraction(0)
    yield x
    sign = 1 if bounds.below is not None else -1
    step = 1
    while (bounds.above if sign > 0 else bounds.below) is None and not bounds.confused:
        yield Fraction(sign * step)
        step *= 2
    # bisection of the integers
    while not (bounds.confused or bounds.below is None or bounds.above is None or bounds.above - bounds.below <= 1):
        middle = round((bounds.below + bounds.above) / 2)
        yield Fraction(middle if bounds.below < middle < bounds.above else int(bounds.below) + 1)
    if bounds.confused:  # the interval of numbers confused with the value
        start = bounds.confused[0]
        for sign in (1, -1):
            x = start + sign
            while (end := bounds.above if sign > 0 else bounds.below) is None or sign * x < sign * end:
                yield x
                x += sign
    yield from _halve(bounds)


def _halve(bounds: Bounds) -> Iterator[Fraction]:
    """Yield midpoints of the bounds, while none is confused with the value.

    Their denominators are at most _MAX_DENOMINATOR.
    """
    while bounds.below is not None and bounds.above is not None and not bounds.confused:
        middle = (bounds.below + bounds.above) / 2
        if middle.denominator > _MAX_DENOMINATOR:
            return
        yield middle


def _near(bounds: Bounds) -> Iterator[Game]:
    """Yield values infinitely close to the bounds."""
    if bounds.confused or bounds.below is None or bounds.above is None:
        return
    for x, sign in ((bounds.above, -1), (bounds.below, 1)):
        for k, star in product(range(1, 5), (0, 1)) if x.denominator <= 2 else ():
            yield number(x) + ups(sign * k, star)
