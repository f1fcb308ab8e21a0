"""What counts as a whole number, wherever one is asked for."""

from __future__ import annotations

import operator
from typing import Any


def as_whole(value: Any) -> int | None:
    """The int that a whole number of Python or NumPy stands for; None for anything else, also for booleans and 1.0.

    A float that is a whole number today is 0.30000000000000004 tomorrow.
    """
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):  # NumPy's
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
