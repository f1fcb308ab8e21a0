"""Compiled search: who wins a strip plus a small game, depth first, with a table of bounds.

A position is strip + n + c: n free moves, c one of a few small games (row i of `win`, negated: row
mirror[i]). Left wins n + c itself exactly when n >= win[i, side to move]. An entry for strip + c
holds for all n: Left wins from a first n on and loses up to a last one.

`keys` is the table, one row an entry: the low half of the code of strip and c, four bounds of 16
bits, and for longer strips the high half. `bounds` is the same memory: bounds[entry, FIRST + 2 *
side] is the first n known to win, bounds[entry, LAST + 2 * side] the last known to lose.
"""

# mypy: ignore-errors

import numpy as np

from ..jit import borrowed, inlined, jit
from .hash_kernels import new_row, row_of
from .strip_kernels import FROG, REDUCIBLE, TOAD, decode, encode, encode_mirror, mobility_of, move_piece, reduce_strip

LEFT, RIGHT = 0, 1
LOW, HIGH, TURNED, FREE, SMALL, SCORE = range(6)  # of an option: its key, is that the mirror image's, n, c, order
OPTIONS, PLAYED, TO_MOVE = range(3)  # of a level: how many options, which is played, who is to move then
FAR = 30000  # beyond every number of free moves
_FIRST, _LAST = 4, 5
_NONE = np.uint64(0)
_DONE = -(1 << 40)  # the score of an option that was played


@inlined
def _key(kind, gap, n, c, mirror):
    """Return (low, high, turned), the same for a position and its mirror image."""
    low, high = encode(kind, gap, 0, n)
    low2, high2 = encode_mirror(kind, gap, 0, n)
    c2 = mirror[c]
    turned = high2 < high or (high2 == high and (low2 < low or (low2 == low and c2 < c)))
    if turned:
        low, high, c = low2, high2, c2
    return (low << np.uint64(8)) | np.uint64(c), (high << np.uint64(8)) | (low >> np.uint64(56)), turned


@inlined
def _recover(low, high, turned, kind, gap):
    """Write the strip of a key; return its number of pieces."""
    n = decode((low >> np.uint64(8)) | (high << np.uint64(56)), high >> np.uint64(8), kind, gap)
    if turned:
        for i in range((n + 1) // 2):
            kind[i], kind[n - 1 - i] = FROG + TOAD - kind[n - 1 - i], FROG + TOAD - kind[i]
        for i in range((n + 1) // 2):
            gap[i], gap[n - i] = gap[n - i], gap[i]
    return n


@inlined
def _recall(keys, bounds, low, high, turned, n, side):
    """Return 1 if Left wins, 0 if Right wins, -1 if not known."""
    at = row_of(keys, low, high)
    if at < 0:
        return -1
    if turned:
        n, side = -n, 1 - side
    if n >= bounds[at, _FIRST + 2 * side]:
        return 0 if turned else 1
    if n <= bounds[at, _LAST + 2 * side]:
        return 1 if turned else 0
    return -1


@inlined
def _store(keys, bounds, low, high, turned, n, side, left_wins):
    at = row_of(keys, low, high)
    if at < 0:
        at = new_row(keys, low, high)
        bounds[at, _FIRST] = bounds[at, _FIRST + 2] = FAR
        bounds[at, _LAST] = bounds[at, _LAST + 2] = -FAR
    if turned:
        n, side, left_wins = -n, 1 - side, 1 - left_wins
    if left_wins:
        bounds[at, _FIRST + 2 * side] = min(bounds[at, _FIRST + 2 * side], n)
    else:
        bounds[at, _LAST + 2 * side] = max(bounds[at, _LAST + 2 * side], n)


@inlined
def _copy(kind, gap, n, new_kind, new_gap):
    for i in range(n):
        new_kind[i] = kind[i]
        new_gap[i] = gap[i]
    new_gap[n] = gap[n]


@inlined
def _decide(kind, gap, n, mobility, free, c, side, win, mirror, keys, bounds):
    """Return the winner if it is known without search, a score, and the key.

    The winner is 1 (Left), 0 (Right), or -1 (not known). The score is for the player not to move.
    """
    left, right, most_left, most_right, left_jumps, right_jumps, _ = mobility
    need = win[c, side]
    if free - most_right >= need or (right_jumps and free >= need):
        return 1, 0, _NONE, _NONE, False
    if free + most_left < need or (left_jumps and free < need):
        return 0, 0, _NONE, _NONE, False
    low, high, turned = _key(kind, gap, n, c, mirror)
    known = _recall(keys, bounds, low, high, turned, free, side)
    score = 3 * (left - right) + most_left - most_right  # chosen by trial: fewest positions searched
    return known, (score if side == RIGHT else -score), low, high, turned


@jit
def search(kinds, gaps, n, free, c, side, win, mirror, option_heads, options, keys, bounds, levels, path, budget):
    """Return whether Left wins strip + free + c with `side` to move, and the positions searched.

    The first result is 1 or 0, or -1 over budget, the second a number of positions.

    The strip is kinds[0], gaps[0], n; it must be reduced. The other two rows are scratch, and so
    are levels (depth, options, 6) and path (depth, 3), where depth is more than the moves of the
    longest play. Option j of small game c (option_heads[2c] <= j < option_heads[2c+1] Left's, then
    Right's) is the game options[j, 0] plus options[j, 1] free moves. Long, because it is one loop:
    self-calling functions crash when loaded from numba's cache.
    """
    kinds, gaps, levels, path = borrowed(kinds), borrowed(gaps), borrowed(levels), borrowed(path)
    win, mirror, option_heads, options = borrowed(win), borrowed(mirror), borrowed(option_heads), borrowed(options)
    keys, bounds = borrowed(keys), borrowed(bounds)
    kind, kind2, kind3 = kinds[0], kinds[1], kinds[2]
    gap, gap2, gap3 = gaps[0], gaps[1], gaps[2]
    visited = 0
    mobility = mobility_of(kind, gap, n)
    known, _, low, high, turned = _decide(kind, gap, n, mobility, free, c, side, win, mirror, keys, bounds)
    if known >= 0:
        return known, visited
    d = 0  # level d holds the options of the position that is played at level d - 1
    _note(levels, 0, 0, low, high, turned, free, c)
    path[0, OPTIONS], path[0, PLAYED], path[0, TO_MOVE] = 1, 0, side
    result = -1
    while True:
        k = path[d, PLAYED]
        me = path[d, TO_MOVE]
        low, high = np.uint64(levels[d, k, LOW]), np.uint64(levels[d, k, HIGH])
        turned, free, c = levels[d, k, TURNED] == 1, levels[d, k, FREE], levels[d, k, SMALL]
        if result < 0:  # a new position: look at its options
            visited += 1
            if visited > budget:
                return -1, visited
            n = _recover(low, high, turned, kind, gap)
            made = 0
            first = option_heads[2 * c + me]
            others = option_heads[2 * c + me + 1] - first
            for p in range(n + others + 1):
                m, more, c2, penalty = n, 0, c, 0
                if p < n:
                    if kind[p] != me + 1 or not move_piece(kind, gap, n, p, kind2, gap2):
                        continue
                else:
                    if p < n + others:
                        c2, more = options[first + p - n, 0], options[first + p - n, 1]
                    elif (me == LEFT and free > 0) or (me == RIGHT and free < 0):
                        more = -1 if me == LEFT else 1
                        penalty = 1000
                    else:
                        continue
                    _copy(kind, gap, n, kind2, gap2)
                mobility = mobility_of(kind2, gap2, n)
                if p < n and mobility[REDUCIBLE]:
                    m, more = reduce_strip(kind2, gap2, n, kind3, gap3)
                    _copy(kind3, gap3, m, kind2, gap2)
                    mobility = mobility_of(kind2, gap2, m)
                known, score, low2, high2, turned2 = _decide(
                    kind2, gap2, m, mobility, free + more, c2, 1 - me, win, mirror, keys, bounds
                )
                if known == 1 - me:  # 1 is good for Left (me == 0), 0 for Right
                    result = known
                    break
                if known < 0:
                    _note(levels, d + 1, made, low2, high2, turned2, free + more, c2)
                    # the rearmost piece first, among moves that look alike
                    levels[d + 1, made, SCORE] = 100 * (score - penalty) + (made if me == RIGHT else -made)
                    made += 1
            if result < 0:
                if made == 0:
                    result = me  # no good option: the other one wins
                else:
                    d += 1
                    path[d, OPTIONS], path[d, TO_MOVE] = made, 1 - me
                    _pick(levels, path, d)
                    continue
        # the position at level d is decided
        _store(keys, bounds, low, high, turned, free, me, result)
        if d == 0:
            return result, visited
        mover = 1 - me  # who chose this position
        if result == 1 - mover:
            d -= 1
            continue
        # refuted: the next sibling
        levels[d, k, SCORE] = _DONE
        if _pick(levels, path, d):
            result = -1
        else:
            result = mover
            d -= 1


@inlined
def _note(levels, d, k, low, high, turned, free, c):
    levels[d, k, LOW], levels[d, k, HIGH] = np.int64(low), np.int64(high)
    levels[d, k, TURNED], levels[d, k, FREE], levels[d, k, SMALL] = turned, free, c


@inlined
def _pick(levels, path, d):
    """Play the best option of level d that is left; False if none is left."""
    best = _DONE
    for k in range(path[d, OPTIONS]):
        if levels[d, k, SCORE] > best:
            best = levels[d, k, SCORE]
            path[d, PLAYED] = k
    return best > _DONE
