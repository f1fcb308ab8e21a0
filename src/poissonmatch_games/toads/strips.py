"""Strips of Toads and Frogs as arrays for the kernels, and reductions that keep the value."""

import re
from math import comb
from typing import Any

import numpy as np

from ..impartial.position_checks import as_count
from . import strip_kernels
from .strip_notation import Strip, parse_strip

Array = np.ndarray[Any, Any]
QUICK = 150_000  # positions for which the canonical engine needs a few seconds


def starting(toads: int, blanks: int, frogs: int) -> Strip:
    """Return T^toads .^blanks F^frogs. Raises TypeError for non-integers, ValueError for negative numbers."""
    toads, blanks, frogs = (as_count(n, "a number of toads, blanks or frogs") for n in (toads, blanks, frogs))
    return "T" * toads + "." * blanks + "F" * frogs


def mirror(strip: Strip) -> Strip:
    """Return the reversed strip with toads and frogs exchanged, which has the negative value."""
    return strip[::-1].translate(str.maketrans("TF", "FT"))


def to_arrays(strip: Strip) -> tuple[Array, Array, int]:
    """Return (kind, gap, pieces) as in strip_kernels.py."""
    kind = [strip_kernels.TOAD if c == "T" else strip_kernels.FROG for c in strip if c != "."]
    gap = [len(run) for run in re.split("[TF]", strip)]
    return np.array(kind + [0], np.uint8), np.array(gap, np.int16), len(kind)


def reduced(strip: Strip) -> tuple[Array, Array, int, int]:
    """Return (kind, gap, pieces, free): the value is that of the reduced strip plus the integer `free`.

    Frogs without a toad on their left and toads without a frog on their right are free moves. Pieces that can never move are removed
    (T T .. F F in one run, or a run at the left end of the strip up to its last two adjacent frogs, at the right end up to two adjacent
    toads). Parts between such walls are separate games [T, sec. 4], joined by TTFF.
    """
    kind, gap, n = to_arrays(parse_strip(strip))
    out_kind, out_gap = np.zeros(n + 1, np.uint8), np.zeros(n + 1, np.int16)
    m, free = strip_kernels.reduce_strip(kind, gap, n, out_kind, out_gap)
    return out_kind[:m], out_gap[: m + 1], int(m), int(free)


def estimated_positions(strip: Strip) -> int:
    """Return about the number of reduced positions of a strip: a quarter of all arrangements of its pieces."""
    squares, blanks = len(strip), strip.count(".")
    return comb(squares, blanks) * comb(squares - blanks, strip.count("T")) // 4
