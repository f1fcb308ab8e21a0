"""Compiled tables of nim-values; the arguments are not checked.

`terminal` is the value of a position without moves: 0 in normal play, 1 in misere play (the
recursion is the same mex).
"""

import numpy as np

from ..jit import jit


@jit
def octal_values(digits, size, terminal, unequal):
    """Return the nim-values of the heaps 0..size-1 of an octal game.

    digits[k] is for the removal of k tokens. Bit 1: no heap, bit 2: one heap, bit 4: two heaps.
    With a splitting digit, terminal = 1 gives no misere values. unequal: whether the two heaps must differ.
    """
    values = np.zeros(size, np.int64)
    seen = np.full(2 * size + 4, -1, np.int64)
    for n in range(size):
        moved = False
        for k in range(min(n, len(digits) - 1) + 1):
            d, rest = digits[k], n - k
            if (d & 1 and rest == 0) or (d & 2 and rest > 0 and k > 0):
                seen[values[rest]] = n
                moved = True
            if d & 4:
                for a in range(1, (rest + 1) // 2 if unequal else rest // 2 + 1):
                    seen[values[a] ^ values[rest - a]] = n
                    moved = True
        g = 0 if moved else terminal
        while seen[g] == n:
            g += 1
        values[n] = g
    return values


@jit
def wythoff_values(size, terminal):
    """Return a (size, size) table of the nim-values of Wythoff's game."""
    values = np.zeros((size, size), np.int64)
    bound = 2 * size + 2  # a value is at most the length x + y of the longest play, plus `terminal`
    row, column = np.zeros((size, bound), np.bool_), np.zeros((size, bound), np.bool_)
    diagonal = np.zeros((2 * size, bound), np.bool_)
    for x in range(size):
        for y in range(size):
            g = terminal if x == 0 and y == 0 else 0
            while row[x, g] or column[y, g] or diagonal[x - y + size, g]:
                g += 1
            values[x, y] = g
            row[x, g] = column[y, g] = diagonal[x - y + size, g] = True
    return values


@jit
def triangle_values(top, terminal):
    """Return the nim-values of the Triangle Game for all totals up to `top`.

    They are in the order of `triangle.layer_index`.

    F(x, y, z), the set of values reached from (x, y, z) by moves along the edge x -> y, is
    F(x-1, y, z) | F(x-1, y+1, z) | {g(x-1, y, z)}: a move takes one stone away for good first, and
    is then over, or goes on with the other stones of x, or has a stone cross over and goes on. The
    three edges of a position are F at its three rotations. So a position costs three bitsets of
    total + 1 bits, and only two totals are held.
    """
    values = np.zeros((top + 1) * (top + 2) * (top + 3) // 6, np.uint16)
    values[0] = terminal
    layer, n_words = (top + 1) * (top + 2) // 2, (top + 1) // 64 + 1
    before, now = np.zeros((layer, n_words), np.uint64), np.zeros((layer, n_words), np.uint64)
    one = np.uint64(1)
    below, start = 0, 1  # where the last total and this one begin in `values`
    for n in range(1, top + 1):
        used = (n + 1) // 64 + 1
        for x in range(n + 1):
            at, previous_row = x * (n + 1) - x * (x - 1) // 2, (x - 1) * (n + 1) - (x - 1) * (x - 2) // 2
            for y in range(n - x + 1):
                i = at + y
                if x == 0:
                    now[i, :used] = 0
                    continue
                less = previous_row - (x - 1) + y  # (x-1, y, z) among the positions of total n - 1
                for w in range(used):
                    now[i, w] = before[less, w] | now[previous_row + y + 1, w]
                g = values[below + less]
                now[i, g >> 6] |= one << np.uint64(g & 63)
        i = 0
        for x in range(n + 1):
            for y in range(n - x + 1):
                z = n - x - y
                j, k = y * (n + 1) - y * (y - 1) // 2 + z, z * (n + 1) - z * (z - 1) // 2 + x
                for w in range(used):
                    free = ~(now[i, w] | now[j, w] | now[k, w])
                    if free:
                        g = 64 * w
                        while not free & one:
                            free >>= one
                            g += 1
                        values[start + i] = g
                        break
                i += 1
        below, start = start, start + (n + 1) * (n + 2) // 2
        before, now = now, before
    return values
