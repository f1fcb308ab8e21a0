"""The number of threads: what a user may ask for, and how many of them are started."""

from __future__ import annotations

import os
from typing import Any

from .validation import check_int

MAX_THREADS = 4096


def check_threads(threads: Any) -> int:
    """Return a number of threads as an int. Raises BadInput unless it is a whole number from 1 to MAX_THREADS."""
    return check_int("threads", threads, 1, MAX_THREADS)


def useful_threads(threads: int, pieces: int) -> int:
    """Return how many of these threads to start: at most one for each piece of work, and two for each core."""
    return max(1, min(threads, pieces, 2 * (os.cpu_count() or 1)))
