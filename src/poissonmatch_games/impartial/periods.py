"""Periods of integer sequences such as nim-values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Period:
    """Period of a sequence: values[n + period] = values[n] + saltus for all n >= preperiod.

    It holds for the first `checked` values; if `proved`, these imply it for all n.
    """

    preperiod: int
    period: int
    saltus: int
    checked: int
    proved: bool


def find_period(
    values: Sequence[int] | np.ndarray, proof_length: Callable[[int, int], int] | None = None
) -> Period | None:
    """Return the period of a sequence of integers, up to an additive saltus, with the least preperiod + period.

    Parameters
    ----------
    values : sequence of int
        Values for n = 0, 1, 2, ...
    proof_length : callable, optional
        `proof_length(preperiod, period)` returns the number of values that prove a period with
        saltus 0. The default proves nothing.

    Returns
    -------
    Period or None
        With the fields `preperiod`, `period`, `saltus` (values[n + period] = values[n] + saltus for
        n >= preperiod), `checked` (number of values) and `proved`. A proved period is preferred; any other occurs at
        least twice in full, with a saltus three times. None if there is none.

    Raises
    ------
    TypeError
        If the values are not integers.

    Examples
    --------
    >>> pm.games.impartial.find_period([0, 1, 2, 0, 2, 3, 4, 2, 4, 5, 6, 4])
    Period(preperiod=0, period=4, saltus=2, checked=12, proved=False)
    >>> pm.games.impartial.find_period([0, 1, 3, 2, 5]) is None
    True
    """
    array = np.asarray(values) if len(values) else np.zeros(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError("values must be a sequence of integers")
    array, length, best = array.astype(np.int64), len(array), None
    for period in range(1, length):
        if best and best.preperiod + best.period <= period and (best.proved or not proof_length):
            break
        steps = array[period:] - array[:-period]
        saltus = int(steps[-1])
        other = np.flatnonzero(steps != saltus)
        preperiod = int(other[-1]) + 1 if len(other) else 0
        proved = bool(proof_length and saltus == 0 and proof_length(preperiod, period) <= length)
        found = Period(preperiod, period, saltus, length, proved)
        seen = 2 if saltus == 0 else 3  # full periods; a saltus is itself read off the last two
        if (proved or preperiod + seen * period <= length) and (best is None or _order(found) < _order(best)):
            best = found
    return best


def _order(period: Period) -> tuple[bool, int]:
    return not period.proved, period.preperiod + period.period
