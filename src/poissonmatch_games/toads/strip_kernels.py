"""Compiled moves, reductions and codes of strips of Toads and Frogs.

A strip is `kind[0..n)` (1 toad, 2 frog, left to right) and `gap[0..n]` (empty squares before,
between and after the pieces). Its code, up to 128 bits, is 0 for an empty square, 01 for a toad, 11
for a frog (first square in the lowest bits), then a 1.
"""

# mypy: ignore-errors

import numpy as np

from ..jit import inlined, jit

TOAD, FROG = 1, 2
REDUCIBLE = 6  # place in what `mobility_of` returns


@inlined
def _reduce_segment(kind, gap, a, b, first, last, out_kind, out_gap, m):
    """Reduce pieces a..b-1 between two walls, and append them to out.

    There are `first` and `last` empty squares at the ends.

    Returns (pieces in out now, free moves of Left minus those of Right). Long, because it is one
    loop over cuts at either end, and each cut moves the ends where the others begin.
    """
    moves = 0
    while True:
        while a < b and kind[a] == FROG:  # no toad on its left: free moves, the square it leaves stays empty
            moves -= first
            a += 1
            first += gap[a] if a < b else last
        if a == b:
            return m, moves
        while kind[b - 1] == TOAD:
            moves += last
            b -= 1
            last += gap[b] if b > a else first
            if b == a:
                return m, moves
        changed = False
        if first == 0:  # a run at the wall cannot move up to its last two adjacent frogs
            i = a
            stuck = -1
            while i + 1 < b and gap[i + 1] == 0:
                if kind[i] == FROG and kind[i + 1] == FROG:
                    stuck = i + 1
                i += 1
            if stuck >= 0:
                a = stuck + 1
                first = gap[a] if a < b else last
                changed = True
        if a == b:
            return m, moves
        if last == 0:
            i = b - 1
            stuck = -1
            while i - 1 >= a and gap[i] == 0:
                if kind[i] == TOAD and kind[i - 1] == TOAD:
                    stuck = i - 1
                i -= 1
            if stuck >= 0:
                b = stuck
                last = gap[b] if b > a else first
                changed = True
        if a == b:
            return m, moves
        if not changed:
            break
    empty = first + last
    for i in range(a + 1, b):
        empty += gap[i]
    if empty == 0:
        return m, moves
    if m > 0:  # a wall between this part and the one before it
        for i in range(4):
            out_kind[m + i] = TOAD if i < 2 else FROG
            out_gap[m + i + 1] = 0
        m += 4
    out_gap[m] = first
    for i in range(a, b):
        out_kind[m] = kind[i]
        m += 1
        out_gap[m] = gap[i + 1]
    out_gap[m] = last
    return m, moves


@jit
def reduce_strip(kind, gap, n, out_kind, out_gap):
    """Split a strip at its walls and reduce every part.

    A wall is a run of pieces from two toads to two frogs, which never moves.

    out becomes the parts, joined by TTFF; returns (its number of pieces, free moves of Left minus
    those of Right). Parts without moves vanish.
    """
    m = 0
    moves = 0
    a = 0
    first = gap[0]
    i = 0
    while i < n:
        j = i  # the run i..j
        toads, frogs = -1, -1
        while True:
            if j > i and kind[j] == kind[j - 1]:
                if kind[j] == TOAD and toads < 0:
                    toads = j - 1
                elif kind[j] == FROG and toads >= 0:
                    frogs = j
            if j + 1 == n or gap[j + 1] > 0:
                break
            j += 1
        if frogs >= 0:
            last = gap[toads] if toads > a else first
            m, more = _reduce_segment(kind, gap, a, toads, first, last, out_kind, out_gap, m)
            moves += more
            a = frogs + 1
            first = gap[a]
        i = j + 1
    m, more = _reduce_segment(kind, gap, a, n, first, gap[n] if a < n else first, out_kind, out_gap, m)
    return m, moves + more


@inlined
def _put(bits, at, low, high):
    """Set two bits of 128, from bit `at` on."""
    if at >= 64:
        return low, high | bits << np.uint64(at - 64)
    if at == 63:
        high |= bits >> np.uint64(1)
    return low | bits << np.uint64(at), high


@inlined
def encode(kind, gap, a, b):
    """Return the code of pieces a..b-1 and of the gaps around them, as two uint64 (low, high)."""
    low = np.uint64(0)
    high = np.uint64(0)
    at = np.int64(0)
    for i in range(a, b + 1):
        at += gap[i]
        bits = np.uint64(3) if i < b and kind[i] == FROG else np.uint64(1)
        low, high = _put(bits, at, low, high)
        at += 2
    return low, high


@inlined
def encode_mirror(kind, gap, a, b):
    """Return the code of the mirror image, with toads and frogs exchanged."""
    low = np.uint64(0)
    high = np.uint64(0)
    at = np.int64(0)
    for i in range(b, a - 1, -1):
        at += gap[i]
        bits = np.uint64(3) if i > a and kind[i - 1] == TOAD else np.uint64(1)
        low, high = _put(bits, at, low, high)
        at += 2
    return low, high


@inlined
def decode(low, high, kind, gap):
    """Write the strip of a code; return its number of pieces."""
    n = 0
    empty = 0
    while low != np.uint64(1) or high != np.uint64(0):
        if low & np.uint64(1):
            kind[n] = FROG if low & np.uint64(2) else TOAD
            gap[n] = empty
            empty = 0
            n += 1
            low = (low >> np.uint64(2)) | (high << np.uint64(62))
            high >>= np.uint64(2)
        else:
            empty += 1
            low = (low >> np.uint64(1)) | (high << np.uint64(63))
            high >>= np.uint64(1)
    gap[n] = empty
    return n


@inlined
def move_piece(kind, gap, n, i, new_kind, new_gap):
    """Copy the strip with piece i moved; False if it cannot move."""
    if kind[i] == TOAD:
        if gap[i + 1] > 0:
            jump = 0
        elif i + 1 < n and kind[i + 1] == FROG and gap[i + 2] > 0:
            jump = 1
        else:
            return False
    elif gap[i] > 0:
        jump = 0
    elif i > 0 and kind[i - 1] == TOAD and gap[i - 1] > 0:
        jump = 1
    else:
        return False
    for k in range(n):
        new_kind[k] = kind[k]
        new_gap[k] = gap[k]
    new_gap[n] = gap[n]
    if kind[i] == TOAD:
        new_gap[i] += 1
        new_gap[i + 1 + jump] -= 1
        if jump:
            new_kind[i], new_kind[i + 1] = FROG, TOAD
    else:
        new_gap[i + 1] += 1
        new_gap[i - jump] -= 1
        if jump:
            new_kind[i - 1], new_kind[i] = FROG, TOAD
    return True


@inlined
def mobility_of(kind, gap, n):
    """Return the mobility of both players.

    It is (Left's moves, Right's, bounds of all moves to come of Left, of Right, Left only jumps,
    Right only jumps, reducible).
    """
    left = right = most_left = most_right = 0  # jumps at first
    steps_left = steps_right = toads = 0
    empty = np.int64(gap[0])
    wide = empty > 1  # two adjacent empty squares
    at_wall = empty == 0  # the run of pieces so far
    two_toads = False  # side by side in this run
    reducible = n > 0 and (kind[0] == FROG or kind[n - 1] == TOAD)
    for i in range(n):
        before = np.int64(gap[i])
        after = np.int64(gap[i + 1])
        if i > 0 and before > 0:
            at_wall = two_toads = False
        twin = i > 0 and before == 0 and kind[i - 1] == kind[i]
        if kind[i] == TOAD:
            two_toads |= twin
            toads += 1
            if after > 0:
                steps_left += 1
            elif i + 1 < n and kind[i + 1] == FROG and gap[i + 2] > 0:
                left += 1
        else:
            reducible |= twin and (at_wall or two_toads)
            most_left += toads
            most_right += empty + toads
            if before > 0:
                steps_right += 1
            elif i > 0 and kind[i - 1] == TOAD and gap[i - 1] > 0:
                right += 1
        most_left += toads * after
        empty += after
        wide |= after > 1
    reducible |= n > 0 and empty == 0 or (two_toads and gap[n] == 0)
    return (
        left + steps_left, right + steps_right, most_left, most_right,
        steps_left == 0 and not wide, steps_right == 0 and not wide, reducible,
    )  # fmt: skip


@jit
def weigh(kind, gap, n):
    """Return the number of empty squares ahead of the pieces + 2 per pair yet to pass, which each move lowers."""
    empty = toads = weight = 0
    for p in range(n + 1):
        empty += gap[p]
        weight += toads * gap[p]
        if p < n:
            if kind[p] == TOAD:
                toads += 1
            else:
                weight += empty + 2 * toads
    return weight
