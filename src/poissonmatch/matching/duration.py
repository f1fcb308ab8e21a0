"""Estimates of the time of a matching in high dimensions, and of the time to compile.

In high dimensions a search visits many rows of cells.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.grids import points_per_cell_in

LONG = 3600.0  # seconds from which a matching is announced
ROW_MICROSECONDS = 0.03  # of a point, for each row of cells around it: 7 in d = 6, see studies/cost.py


def microseconds(dim: int, size: Any) -> Any:
    """Return the rough time of a point in d > 6, for `size` uniform points, a number or an array.

    A search looks at min(3, m)^(d - 1) rows of cells, where m is the number of cells along an axis.
    So the time of a point grows until m = 3, that is up to 1.5 * 3^d points.
    """
    cells = np.maximum(1.0, (size / points_per_cell_in(dim)) ** (1 / dim))
    return ROW_MICROSECONDS * np.minimum(3.0, cells) ** (dim - 1)


def warn_if_long(dim: float, size: int) -> None:
    """Warn of a matching in d > 6 that is predicted to take longer than LONG."""
    seconds = 1e-6 * size * float(microseconds(int(dim), size)) if size > 0 and 6 < dim < math.inf else 0.0
    announce(seconds, f"matching {size} points in dimension {dim:g}", stacklevel=4)


def announce(seconds: float, what: str, stacklevel: int = 3) -> None:
    """Warn of work that is predicted to take longer than LONG."""
    if seconds > LONG:
        warnings.warn(f"{what} may take about {seconds / 3600:.2g} hours", RuntimeWarning, stacklevel=stacklevel)


def compile_seconds(work: Callable[[], object]) -> float:
    """Call a function and return its processor time, or 0 if no kernels were compiled for it."""
    from ..engine.jit import compilations  # Numba, which a command without matchings does not need

    with compilations() as events:
        start = time.process_time()
        work()
        return time.process_time() - start if events else 0.0
