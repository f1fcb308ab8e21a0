"""Thermographs: the stops of a game cooled by t as functions of t.

See Siegel, II.5, and Winning Ways, ch. 6.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from poissonmatch.utils.errors import shorten

Wall = tuple[tuple[Fraction, Fraction], ...]


class Thermograph(NamedTuple):
    """Walls and mast of a thermograph.

    A wall is a tuple of corners (temperature, value), exact Fractions, from temperature -1 to the
    temperature of the game. It is linear between corners, and constant (the mast) above the last.
    """

    left: Wall
    right: Wall
    mean: Fraction
    temperature: Fraction


def value_at(wall: Wall, t: Fraction | int) -> Fraction:
    """Return the value of a wall at temperature t >= -1. Raises ValueError below -1."""
    if t < -1:
        raise ValueError(f"the temperature must be at least -1, got {shorten(str(t))}")
    for (t0, v0), (t1, v1) in zip(wall, wall[1:], strict=False):
        if t <= t1:
            return v0 + (v1 - v0) * (t - t0) / (t1 - t0)
    return wall[-1][1]


@cache
def thermograph(g: Any) -> Thermograph:
    """Return the thermograph of a `Form`, from temperature -1 up; for integers it is a mast."""
    bottom = Fraction(-1)
    x = g.number
    if x is not None and x.denominator == 1:
        return Thermograph(((bottom, x),), ((bottom, x),), x, bottom)
    left = _scaffold([thermograph(o).right for o in g.left], max, -1)
    right = _scaffold([thermograph(o).left for o in g.right], min, 1)
    # The left scaffold never rises and the right one never falls, so they meet once and stay
    # crossed.
    times = sorted({t for t, _ in left + right})
    times.append(times[-1] + abs(_at(left, times[-1], -1) - _at(right, times[-1], 1)) + 1)
    previous = times[0]
    for t in times:
        gap = _at(left, t, -1) - _at(right, t, 1)
        if gap <= 0:
            break
        previous, before = t, gap
    top = t if t == previous else previous + (t - previous) * before / (before - gap)
    mean = _at(left, top, -1)
    walls = [_simple([(t, v) for t, v in side if t < top] + [(top, mean)]) for side in (left, right)]
    return Thermograph(walls[0], walls[1], mean, top)


def _at(scaffold: Wall, t: Fraction, slope: int) -> Fraction:
    """Return the value of a scaffold, which has slope `slope` above its last corner."""
    last, value = scaffold[-1]
    return value + slope * (t - last) if t > last else value_at(scaffold, t)


def _scaffold(walls: Sequence[Wall], best: Callable[..., Fraction], slope: int) -> Wall:
    """Return the best of the walls at every temperature, plus slope * t (the tax)."""
    times = sorted({t for wall in walls for t, _ in wall})
    crossings: set[Fraction] = set()
    for t0, t1 in zip(times, times[1:], strict=False):
        for i, a in enumerate(walls):
            for b in walls[:i]:
                d0, d1 = value_at(a, t0) - value_at(b, t0), value_at(a, t1) - value_at(b, t1)
                if d0 * d1 < 0:
                    crossings.add(t0 + (t1 - t0) * d0 / (d0 - d1))
    return tuple((t, best(value_at(w, t) for w in walls) + slope * t) for t in sorted(crossings.union(times)))


def _simple(corners: list[tuple[Fraction, Fraction]]) -> Wall:
    """Return the wall without corners on a straight line."""
    kept: list[tuple[Fraction, Fraction]] = []
    for corner in corners:
        while len(kept) > 1:
            (t0, v0), (t1, v1) = kept[-2:]
            if (v1 - v0) * (corner[0] - t0) != (corner[1] - v0) * (t1 - t0):
                break
            kept.pop()
        kept.append(corner)
    return tuple(kept)
