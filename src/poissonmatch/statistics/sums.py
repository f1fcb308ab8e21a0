"""What is true of the sums over partner distances in a row of `replicates`, whatever the cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..geometry import unit_ball_volume
from .invariants import Check
from .rows import Columns

SLACK = 1e-9  # of sums, relative: they are added in another order here
TINY = 1e-290  # where squares and powers of distances underflow
SUMS = ("sum_distance", "sum_square", "sum_ball", "longest")


def at_most(small: Any, large: Any) -> Any:
    """Is a number at most another, up to rounding? Both are from 0."""
    return ~(small > large * (1 + SLACK) + TINY)


def of_rows(rows: Columns) -> Iterator[Check]:
    """The laws of the table `replicates`: numbers of points, then sums that fit them, each other, and the torus."""
    dim, side = rows["dim"], rows["side"]
    farthest = np.where(np.isinf(dim), np.inf, side * np.sqrt(dim) / 2)
    unit, power = np.empty(len(dim)), np.where(np.isinf(dim), 1.0, dim)
    for d in set(dim.tolist()):
        unit[dim == d] = unit_ball_volume(d)
    for c in (0, 1):
        points, alone = rows[f"points_{c}"], rows[f"unmatched_{c}"]
        yield Check("points = matched + unmatched", (f"points_{c}", f"unmatched_{c}"), alone <= points)
        names = tuple(f"{name}_{c}" for name in SUMS)
        first, square, ball, longest = (rows[name] for name in names)
        matched = points - alone
        none = (first == 0) & (square == 0) & (ball == 0) & (longest == 0)
        counted = (f"points_{c}", f"unmatched_{c}", *names)
        yield Check("no distances where no point is matched", counted, (matched > 0) | none)
        if not matched.any():
            continue
        yield Check("no distance is longer than half the diagonal", ("side", names[3]), at_most(longest, farthest))
        ok = at_most(longest, first) & at_most(first, matched * longest)
        yield Check("longest <= sum_distance <= matched * longest", (*counted[:3], names[3]), ok)
        ok = at_most(first * first, matched * square) & at_most(square, longest * first)
        text = "sum_distance^2 / matched <= sum_square <= longest * sum_distance, and longest^2 <= sum_square"
        yield Check(text, (*names[:2], names[3]), ok & at_most(longest * longest, square))
        low = unit * matched * (square / np.maximum(matched, 1)) ** (power / 2)  # Hoelder, from either side
        high = unit * longest ** np.maximum(power - 2, 0) * square
        low, high = (np.where(power == 1, unit * first, bound) for bound in (low, high))
        text = "sum_ball is the volume of balls with the distances of the other sums"
        yield Check(text, names, at_most(low, ball) & at_most(ball, high))
