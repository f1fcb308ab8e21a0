"""Periods of sequences of nim-values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Period:
    """A period of a sequence: values[n + period] = values[n] + saltus for all n >= preperiod.

    Parameters
    ----------
    preperiod, period, saltus : int
    checked : int
        It holds in so many first values.
    proved : bool
        Those suffice, by a theorem, for all n.

    Examples
    --------
    >>> found = pm.games.SubtractionGame([1, 3, 4]).period()
    >>> found.period, found.proved
    (7, True)
    """

    preperiod: int
    period: int
    saltus: int
    checked: int
    proved: bool


def find_period(
    values: Sequence[int] | np.ndarray, proof_length: Callable[[int, int], int] | None = None
) -> Period | None:
    """The least period, up to an additive saltus, of a sequence of integers, with the least preperiod for it.

    Parameters
    ----------
    values : sequence of int
    proof_length : callable, optional
        `proof_length(preperiod, period)` says how many values prove a period with saltus 0; without it nothing is proved.

    Returns
    -------
    Period or None
        A proved period is preferred; else the least one that was seen three times in a row; else None.

    Raises
    ------
    TypeError
        The values are no integers.

    Examples
    --------
    >>> pm.games.find_period([0, 1, 2, 0, 2, 3, 4, 2, 4, 5, 6, 4])
    Period(preperiod=0, period=4, saltus=2, checked=12, proved=False)
    """
    array = np.asarray(values) if len(values) else np.zeros(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError("a period is looked for in a sequence of integers")
    array, length, seen = array.astype(np.int64), len(array), None
    for period in range(1, length):
        steps = array[period:] - array[:-period]
        saltus = int(steps[-1])
        other = np.flatnonzero(steps != saltus)
        preperiod = int(other[-1]) + 1 if len(other) else 0
        if proof_length and saltus == 0 and proof_length(preperiod, period) <= length:
            return Period(preperiod, period, 0, length, True)
        if seen is None and preperiod + 3 * period <= length:
            seen = Period(preperiod, period, saltus, length, False)
    return seen
