"""Compiled retrograde analysis.

It finds who wins with the toads of a strip on any squares and its frogs on any others.

For each set of toads, taken in the order of Left's moves backwards, the sets of frogs are one
vector of bits, in the colexicographic order of the frogs' places among the squares without a toad.
There a frog's step and its jump over a toad are the same: one place down; a toad's step changes no
frog's place, and its jump over a frog puts that frog one place up. With all frogs but the lowest c
fixed, and the c-th at place q, those sets in which it may go down are a block of bits, and they go
to the block of the same length just before it. So one machine word plays a move in up to 64
positions.
"""

# mypy: ignore-errors

import numpy as np

from poissonmatch_games.jit import borrowed, inlined, jit

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)
PLANES = 3  # a first toad moves by 1 or 2: sets with other first toads are forgotten


@inlined
def _bits_from(vector, at):
    """Return 64 bits of a vector from bit `at` >= -64 on; its first word has index 1."""
    word, shift = (at >> 6) + 1, np.uint64(at & 63)
    low = vector[word] >> shift
    if shift and word + 1 < len(vector):
        low |= vector[word + 1] << (np.uint64(64) - shift)
    return low


@inlined
def _left_wins_by_moving(after, left, toads, squares, jumps, heads, absent, planes, level, choose, rank):
    """Add to `left` the sets of frogs in which a move of some toad wins.

    It is then Right's turn.
    """
    n = len(toads)
    for i in range(n):
        place = toads[i] - i  # of the square in front of the toad
        ahead = (squares if i + 1 == n else toads[i + 1]) - toads[i] - 1
        for distance in range(1, min(ahead, 2) + 1):
            to = toads[i] + distance
            plane = (to if i == 0 else toads[0]) % PLANES
            new = planes[plane, level, rank if i == 0 else rank + choose[to, i] - choose[toads[i], i]]
            if distance == 1:
                for w in range(len(after)):
                    left[w + 1] |= new[w] & absent[place, w]
            else:
                for j in range(heads[place], heads[place + 1]):
                    source, target = jumps[j, 0], jumps[j, 1]
                    if new[target >> 6] >> np.uint64(target & 63) & _ONE:
                        left[(source >> 6) + 1] |= _ONE << np.uint64(source & 63)


@inlined
def _left_wins_if_right_moves(after, left, free, lowest, blocks):
    """Keep in `after` the sets of frogs in which Left wins after every move of a frog.

    `free[q]`: a frog at q can go down.
    """
    for w in range(len(after)):
        after[w] &= _bits_from(left, 64 * w - 1)
    for q in range(len(free)):
        if not free[q]:
            for w in range(len(after)):
                after[w] |= lowest[q, w]
    for block in range(len(blocks)):
        q, start, length = blocks[block, 0], blocks[block, 1], blocks[block, 2]
        if free[q]:
            end = start + length
            for w in range(start >> 6, (end + 63) >> 6):
                inside = _ALL
                if 64 * w < start:
                    inside &= _ALL << np.uint64(start - 64 * w)
                if end < 64 * w + 64:
                    inside &= _ALL >> np.uint64(64 * w + 64 - end)
                after[w] &= _bits_from(left, 64 * w - length) | ~inside


@jit
def all_positions(
    squares, toads, frogs, lefts, rights, choose, jumps, heads, absent, lowest, blocks, planes, vectors, kept, answers
):
    """Write answers[level]: whether Left wins if Left (0) or Right (1) starts.

    The game is the starting strip plus the small game of that level.

    A player may also move from a level to those below it: lefts[level, below], rights[level,
    below]. planes (PLANES, levels, sets of all toads but the first, words) and vectors (levels,
    words + 1) are scratch. Unless it has no rows, kept[level, set of toads, words] is set to where
    Left wins if Right moves first.
    """
    choose, jumps, heads, absent = borrowed(choose), borrowed(jumps), borrowed(heads), borrowed(absent)
    lowest, blocks, planes, vectors = borrowed(lowest), borrowed(blocks), borrowed(planes), borrowed(vectors)
    kept = borrowed(kept)
    n = len(toads)
    free = np.zeros(len(lowest), np.bool_)
    between = np.zeros(len(lowest) + 1, np.int64)
    while True:
        rank, number = 0, 0
        between[:] = 0
        for i in range(n):
            between[toads[i] - i] += 1
            number += choose[toads[i], i + 1]
            if i > 0:
                rank += choose[toads[i], i]
        for q in range(1, len(lowest)):
            free[q] = between[q] < 2
        for level in range(len(lefts)):
            left, after = vectors[level], planes[toads[0] % PLANES, level, rank]
            left[:] = 0
            _left_wins_by_moving(after, left, toads, squares, jumps, heads, absent, planes, level, choose, rank)
            for other in range(level):
                if lefts[level, other]:
                    below = planes[toads[0] % PLANES, other, rank]
                    for w in range(len(after)):
                        left[w + 1] |= below[w]
            after[:] = _ALL
            _left_wins_if_right_moves(after, left, free, lowest, blocks)
            for other in range(level):
                if rights[level, other]:
                    for w in range(len(after)):
                        after[w] &= vectors[other, w + 1]
            if kept.shape[1]:
                kept[level, number] = after
        at = n - 1  # the next set, in lexicographic order from the last one on
        while at >= 0 and toads[at] == (toads[at - 1] + 1 if at else 0):
            at -= 1
        if at < 0:
            break
        toads[at] -= 1
        for i in range(at + 1, n):
            toads[i] = squares - n + i
    last = choose[len(lowest), frogs] - 1  # the number of the last set of frogs
    for level in range(len(lefts)):
        after = planes[0, level, rank]
        answers[level, 0] = vectors[level, (last >> 6) + 1] >> np.uint64(last & 63) & _ONE
        answers[level, 1] = after[last >> 6] >> np.uint64(last & 63) & _ONE
