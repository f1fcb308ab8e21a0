"""Compiled enumeration of all positions that a strip leads to, and of their moves.

Codes have 64 bits here.
"""

# mypy: ignore-errors

import numpy as np

from ..jit import borrowed, inlined, jit
from .hash_kernels import slot_of
from .strip_kernels import (
    FROG,
    REDUCIBLE,
    TOAD,
    decode,
    encode,
    encode_mirror,
    mobility_of,
    move_piece,
    reduce_strip,
    weigh,
)

_NONE = np.uint64(0)


@inlined
def intern(code, codes, count, slots):
    """Return the index of a code; a new one (= count) if it was not there."""
    codes[count] = code
    at = slot_of(codes, count, 1, codes, slots)
    if slots[at] < 0:
        slots[at] = count
    return slots[at]


@jit
def index_codes(codes, count, slots):
    """Fill empty slots with the indices of the codes."""
    for i in range(count):
        intern(codes[i], codes, i, slots)


@inlined
def _intern_part(kind, gap, a, b, codes, count, slots, parts, at):
    low, _ = encode(kind, gap, a, b)
    turned, _ = encode_mirror(kind, gap, a, b)
    which = intern(min(low, turned), codes, count, slots)
    if which == count:
        count += 1
    parts[at] = 2 * which + (1 if turned < low else 0)
    return count, at + 1


@jit
def intern_parts(kind, gap, n, codes, count, slots, parts, at):
    """Intern each part of a reduced strip, mirrored if that has the smaller code.

    Each entry of `parts` is 2 * index + mirrored.
    """
    a = 0
    while a < n:
        b = a
        while b < n and not _is_wall(kind, gap, n, b):
            b += 1
        count, at = _intern_part(kind, gap, a, b, codes, count, slots, parts, at)
        a = b + 4
    return count, at


@inlined
def _is_wall(kind, gap, n, i):
    return (
        i + 3 < n
        and kind[i] == TOAD
        and kind[i + 1] == TOAD
        and kind[i + 2] == FROG
        and kind[i + 3] == FROG
        and gap[i + 1] == 0
        and gap[i + 2] == 0
        and gap[i + 3] == 0
    )


@jit
def expand(
    codes, slots, base, start, count, heads, moves, ends, parts, used_moves, used_parts, kinds, gaps
):  # fmt: skip
    """Play every move of positions start, start + 1, .. until the arrays are full.

    The positions that the moves lead to are interned.

    Move j of position base + i, for heads[2i] <= j < heads[2i+1] (Left's) or heads[2i+1] <= j <
    heads[2i+2], leads to the sum of moves[j] free moves and of parts[ends[j-1]..ends[j]). Returns
    (position reached, count, used_moves, used_parts).
    """
    codes, slots, parts = borrowed(codes), borrowed(slots), borrowed(parts)
    kinds, gaps = borrowed(kinds), borrowed(gaps)
    kind, kind2, kind3 = kinds[0], kinds[1], kinds[2]
    gap, gap2, gap3 = gaps[0], gaps[1], gaps[2]
    i = start
    while i < count:
        n = decode(codes[i], _NONE, kind, gap)
        if (
            used_moves + n >= len(moves)
            or used_parts + 8 * n >= len(parts)
            or count + 8 * n >= len(codes)
            or 2 * (i - base) + 2 >= len(heads)
        ):
            break
        for mover in (TOAD, FROG):
            for p in range(n):
                if kind[p] == mover and move_piece(kind, gap, n, p, kind2, gap2):
                    if mobility_of(kind2, gap2, n)[REDUCIBLE]:
                        m, free = reduce_strip(kind2, gap2, n, kind3, gap3)
                        count, used_parts = intern_parts(kind3, gap3, m, codes, count, slots, parts, used_parts)
                    else:
                        free = 0
                        count, used_parts = _intern_part(kind2, gap2, 0, n, codes, count, slots, parts, used_parts)
                    moves[used_moves] = free
                    ends[used_moves] = used_parts
                    used_moves += 1
            heads[2 * (i - base) + mover] = used_moves
        i += 1
    return i, count, used_moves, used_parts


@jit
def weigh_all(codes, count, weights):
    """Write the weight of each code (see `weigh`)."""
    kind = np.zeros(64, np.uint8)
    gap = np.zeros(65, np.int16)
    for i in range(count):
        n = decode(codes[i], _NONE, kind, gap)
        weights[i] = weigh(kind, gap, n)
