"""Certified bounds by search, for values that are too large to compute."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from time import monotonic

from ..partisan.values import Game, number, ups
from .outcome import OutcomeEngine
from .strips import Strip

__all__ = ["Bounds", "bracket", "timed_compare"]

_MAX_DENOMINATOR = 16  # of the numbers that are tried
_CHUNK = 500_000  # positions searched between two checks of the time


class Bounds:
    """Relations of a value V to numbers: largest number below V, smallest number above V, numbers confused with V."""

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
        """Return the bounds as text, such as `2 < V < 4, V confused with 3`; `V not bounded` without any."""
        chain = [str(self.below), "V"] if self.below is not None else ["V"]
        chain += [str(self.above)] if self.above is not None else []
        parts = [" < ".join(chain)] if len(chain) > 1 else []
        parts += [f"V confused with {x}" for x in self.confused]
        return ", ".join(parts) or "V not bounded"


class _OutOfTime(Exception):
    """The deadline has passed."""


def bracket(engine: OutcomeEngine, strip: Strip, deadline: float) -> Game | Bounds:
    """Return the value of a strip if it is a number (denominator <= 16), a number plus *, or a number plus ups; otherwise bounds.

    Integers are tried first, then the gap is halved. At `deadline` (of time.monotonic) the bounds so far are returned.
    """
    bounds = Bounds()
    try:
        for x in _questions(bounds):
            relation = timed_compare(engine, strip, number(x), deadline)
            if relation is None:
                raise _OutOfTime
            if relation == "=":
                return number(x)
            bounds.add(x, relation)
            if relation == "|":
                value = number(x) + ups(0, 1)
                if timed_compare(engine, strip, value, deadline) == "=":
                    return value
        for value in _near(bounds):
            if timed_compare(engine, strip, value, deadline) == "=":
                return value
    except _OutOfTime:
        pass
    return bounds


def timed_compare(engine: OutcomeEngine, strip: Strip, value: Game, deadline: float) -> str | None:
    """Return `engine.compare`, or None at the deadline (of time.monotonic). The search runs in growing steps."""
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
    if bounds.confused:  # the interval of numbers confused with the value
        for sign in (1, -1):
            step = 1
            while (bounds.above if sign > 0 else bounds.below) is None:
                yield Fraction(sign * step)
                step += 1
        yield from _halve(bounds)
        return
    sign = 1 if bounds.below is not None else -1
    step = 1
    while (bounds.above if sign > 0 else bounds.below) is None and not bounds.confused:
        yield Fraction(sign * step)
        step *= 2
    # bisection of the integers
    while True:
        low, high = bounds.below, bounds.above
        if low is None or high is None or high - low <= 1 or bounds.confused:
            break
        middle = (low + high) / 2
        yield Fraction(round(middle)) if low < round(middle) < high else Fraction(int(low) + 1)
    if bounds.confused:
        start = bounds.confused[0]
        for direction in (1, -1):
            x = start
            while True:
                x += direction
                if direction > 0 and bounds.above is not None and x >= bounds.above:
                    break
                if direction < 0 and bounds.below is not None and x <= bounds.below:
                    break
                yield x
    yield from _halve(bounds)


def _halve(bounds: Bounds) -> Iterator[Fraction]:
    """Yield midpoints of the bounds with denominators up to _MAX_DENOMINATOR, while none is confused with the value."""
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
        if x.denominator <= 2:
            for k in range(1, 5):
                for star in (0, 1):
                    yield number(x) + ups(sign * k, star)
