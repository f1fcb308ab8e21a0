"""Compiled hash tables.

One grows and finds every key; the other has a fixed size and forgets keys.

The table that grows has its keys in an array `entries`, one behind the other; `slots`, whose number
is a power of 2 and more than that of the keys, holds where each key begins, or -1. The table of
fixed size has a row for each key: its low half, then what is known of the key, and for keys of 128
bits the high half. The low half of an empty row is 0.
"""

# mypy: ignore-errors

import numpy as np

from ..jit import inlined

_PROBES = 4  # rows in which a key of the table of fixed size may be
_NONE = np.uint64(0)


@inlined
def mix(low, high):
    """Return a hash of 128 bits."""
    h = low ^ (high * np.uint64(0x9E3779B97F4A7C15))
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@inlined
def slot_of(keys, start, length, entries, slots):
    """Return the slot of the key keys[start : start + length].

    If there is none, it is the empty slot where the key belongs.
    """
    h = np.uint64(0)
    for i in range(start, start + length):
        h = (h ^ np.uint64(keys[i])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    mask = np.uint64(len(slots) - 1)
    at = mix(h, _NONE) & mask
    while slots[at] >= 0:
        entry = slots[at]
        same = True
        for i in range(length):
            if entries[entry + i] != keys[start + i]:
                same = False
                break
        if same:
            break
        at = (at + np.uint64(1)) & mask
    return np.int64(at)


@inlined
def row_of(table, low, high):
    """Return the row of a key in a table of fixed size, or -1."""
    mask = np.uint64(len(table) - 1)
    at = mix(low, high) & mask
    for _ in range(_PROBES):
        if table[at, 0] == low and (table.shape[1] == 2 or table[at, 2] == high):
            return np.int64(at)
        if table[at, 0] == 0:
            return np.int64(-1)
        at = (at + np.uint64(1)) & mask
    return np.int64(-1)


@inlined
def new_row(table, low, high):
    """Return the row of a new key in a table of fixed size, with the key.

    The key must not be in the table. If there is no empty row, another key is removed.
    """
    mask = np.uint64(len(table) - 1)
    home = mix(low, high)
    at = home & mask
    for _ in range(_PROBES):
        if table[at, 0] == 0:
            break
        at = (at + np.uint64(1)) & mask
    if table[at, 0] != 0:
        at = (home + ((home >> np.uint64(50)) & np.uint64(_PROBES - 1))) & mask
    table[at, 0] = low
    if table.shape[1] == 3:
        table[at, 2] = high
    return np.int64(at)
