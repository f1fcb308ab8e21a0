"""The pair order: by distance, then by the smaller index of the two points, then by the larger.

It is total, so stable matchings are unique even if distances tie. Keys are the values of
`Pattern.squared_distance`. The engine has a compiled implementation, and the reference
implementation of the tests is a third.
"""

from __future__ import annotations

from typing import Any


def pair_key(key: Any, x: Any, y: Any) -> tuple:
    """Return a tuple that orders the pair x, y of indices or other values with an order."""
    return (key, *sorted((x, y)))


def nearer(key: Any, point: Any, other_key: Any, other: Any) -> Any:
    """Return whether the pair of some point x with `point` is before the pair of x with `other`."""
    return (key < other_key) | ((key == other_key) & (point < other))
