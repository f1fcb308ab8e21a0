"""Compiled values of positions: known answers are looked up, the other questions are collected for Python.

Values have small ids, 0 is the game 0. `book` holds the answers of Python as [length, question, answer].
"""

# mypy: ignore-errors

import numpy as np

from ..jit import borrowed, inlined, jit
from .strip_kernels import mix

ADD, SUM, SET, BAR = -1, -2, -3, -4  # questions: ADD id n; SUM id id; SET left ids BAR right ids
_PROBES = 4
_NONE = np.uint64(0)


@jit
def _hash(words, start, length):
    h = np.uint64(length)
    for i in range(start, start + length):
        h = (h ^ np.uint64(np.uint32(words[i]))) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return mix(h, _NONE)


@jit
def look_up(words, start, length, book, slots):
    """Return (answer or -1, slot where it is or belongs)."""
    mask = np.uint64(len(slots) - 1)
    at = _hash(words, start, length) & mask
    while slots[at] >= 0:
        entry = slots[at]
        if book[entry] == length:
            same = True
            for i in range(length):
                if book[entry + 1 + i] != words[start + i]:
                    same = False
                    break
            if same:
                return book[entry + 1 + length], np.int64(at)
        at = (at + np.uint64(1)) & mask
    return -1, np.int64(at)


@jit
def write_down(words, start, length, answer, book, slots, used):
    """Add a question and its answer; return the new end of the book."""
    _, at = look_up(words, start, length, book, slots)
    slots[at] = used
    book[used] = length
    for i in range(length):
        book[used + 1 + i] = words[start + i]
    book[used + 1 + length] = answer
    return used + 2 + length


@jit
def index_book(book, used, slots):
    """Fill empty slots with the entries of the book."""
    at = 0
    while at < used:
        _, slot = look_up(book, at + 1, book[at], book, slots)
        slots[slot] = at
        at += 2 + book[at]


@jit
def _leq(g, h, values, pairs, stack):
    """Return whether g <= h, on ids, as `order.leq`; with a stack, since self-calling functions crash when loaded from numba's cache."""
    left_stop, right_stop, heads, options, new = values
    mask = np.uint64(len(pairs) - 1)
    d = 0
    stack[0, 0], stack[0, 1], stack[0, 2] = g, h, -1
    result = -1
    while True:
        g, h, i = stack[d, 0], stack[d, 1], stack[d, 2]
        key = (np.uint64(g) << np.uint64(32)) | (np.uint64(h) << np.uint64(1)) | (np.uint64(1) << np.uint64(63))
        home = mix(key, _NONE) & mask
        lasting = g != new and h != new  # the answer may be remembered
        if i < 0:
            result = -1
            if g == h or left_stop[g] < right_stop[h]:
                result = 1
            elif left_stop[g] > left_stop[h] or right_stop[g] > right_stop[h]:
                result = 0
            elif lasting:
                for probe in range(_PROBES):
                    at = (home + np.uint64(probe)) & mask
                    if pairs[at] | np.uint64(1) == key | np.uint64(1):
                        result = 1 if pairs[at] & np.uint64(1) else 0
                        break
            if result >= 0:
                if d == 0:
                    return result == 1
                d -= 1
                continue
        elif result == 1:  # an option that refutes
            result = 0
        else:
            result = -1
        i += 1
        if result < 0:
            first, bar = heads[2 * g], heads[2 * g + 1]
            second = heads[2 * h + 1]
            if i < bar - first:
                x, y = h, options[first + i]
            elif i - (bar - first) < heads[2 * h + 2] - second:
                x, y = options[second + i - (bar - first)], g
            else:
                result = 1
        if result < 0:
            stack[d, 2] = i
            d += 1
            stack[d, 0], stack[d, 1], stack[d, 2] = x, y, -1
            continue
        if lasting:
            at = home  # the first goes if all are taken
            for probe in range(_PROBES):
                slot = (home + np.uint64(probe)) & mask
                if pairs[slot] == 0:
                    at = slot
                    break
            pairs[at] = key | np.uint64(result)
        if d == 0:
            return result == 1
        d -= 1


@jit
def _insert(side, begin, end, v, words, values, pairs, stack):
    """Add option v to the undominated options words[begin..end) of Left (side 0) or Right; return the new end."""
    kept = begin
    for k in range(begin, end):
        w = words[k]
        if _leq(v, w, values, pairs, stack) if side == 0 else _leq(w, v, values, pairs, stack):
            return end  # nothing was dropped: what v dominates would be dominated by w
        if not (_leq(w, v, values, pairs, stack) if side == 0 else _leq(v, w, values, pairs, stack)):
            words[kept] = w
            kept += 1
    words[kept] = v
    return kept + 1


@jit
def _bypass(words, length, values, pairs, stack, sides):
    """Replace the reversible options of words = [SET, left ids, BAR, right ids], as `reductions.bypassed`.

    No option is dominated. Returns the new length, or 0 if there are too many for the scratch space `sides`.
    """
    left_stop, right_stop, heads, options, new = values
    most = sides.shape[1]
    if length > most:
        return 0
    sizes = [0, 0]
    side = 0
    for k in range(1, length):
        if words[k] == BAR:
            side = 1
        else:
            sides[side, sizes[side]] = words[k]
            sizes[side] += 1
    # the set as a game of its own, by the name `new`; if its stops do not cross, they are not known
    low, high = np.inf, -np.inf
    for k in range(sizes[0]):
        high = max(high, right_stop[sides[0, k]])
    for k in range(sizes[1]):
        low = min(low, left_stop[sides[1, k]])
    left_stop[new], right_stop[new] = (high, low) if low <= high else (np.nan, np.nan)
    again = True
    while again:
        again = False
        at = heads[2 * new]
        for side in (0, 1):
            options[at : at + sizes[side]] = sides[side, : sizes[side]]
            at += sizes[side]
            heads[2 * new + side + 1] = at
        for side in (0, 1):
            for k in range(sizes[side]):
                x = sides[side, k]
                for j in range(heads[2 * x + 1 - side], heads[2 * x + 2 - side]):
                    y = options[j]
                    if not (_leq(y, new, values, pairs, stack) if side == 0 else _leq(new, y, values, pairs, stack)):
                        continue
                    if sizes[side] + heads[2 * y + side + 1] - heads[2 * y + side] > most:
                        return 0
                    sizes[side] -= 1
                    sides[side, k] = sides[side, sizes[side]]
                    for i in range(heads[2 * y + side], heads[2 * y + side + 1]):
                        sizes[side] = _insert(side, 0, sizes[side], options[i], sides[side], values, pairs, stack)
                    again = True
                    break
                if again:
                    break
            if again:
                break
    length = 1
    for side in (0, 1):
        words[length : length + sizes[side]] = sides[side, : sizes[side]]
        length += sizes[side]
        if side == 0:
            words[length] = BAR
            length += 1
    return length


@jit
def settle(order, todo, base, heads, moves, ends, parts, value, negative, left_stop, right_stop, option_heads, options,
           pairs, book, slots, questions, sides, new):  # fmt: skip
    """Find the values of positions order[0..todo), whose moves all lead to positions with values.

    `base`, heads, moves, ends and parts are as in `position_kernels.expand`. Writes the questions met as [length,
    words..], after a SET its canonical form, and moves the positions that wait for an answer to the front of `order`.
    `sides` is scratch, and so is the row of the arrays for `new`, the next value's id. Returns (how many wait, end of
    the questions). Long, because it is one loop: passing many arrays on costs time.
    """
    pairs, book, slots, questions, sides = (
        borrowed(pairs), borrowed(book), borrowed(slots), borrowed(questions), borrowed(sides)
    )  # fmt: skip
    values = borrowed(left_stop), borrowed(right_stop), borrowed(option_heads), borrowed(options), new
    words = np.zeros(2 * sides.shape[1] + 128, np.int32)
    query = np.zeros(3, np.int32)
    stack = np.zeros((4096, 3), np.int64)
    waiting = 0
    asked = 0
    for t in range(todo):
        i = order[t]
        length = 1
        words[0] = SET
        known = True
        for side in (0, 1):
            begin = length
            for j in range(heads[2 * (i - base) + side], heads[2 * (i - base) + side + 1]):
                v = 0
                for k in range(ends[j - 1] if j else 0, ends[j]):
                    w = value[parts[k] >> 1]
                    if parts[k] & 1:
                        w = negative[w]
                    if v == 0 or w == 0:
                        v = v + w
                        continue
                    query[0], query[1], query[2] = SUM, min(v, w), max(v, w)
                    v, _ = look_up(query, 0, 3, book, slots)
                    if v < 0:
                        break
                if v >= 0 and moves[j] != 0:
                    query[0], query[1], query[2] = ADD, v, moves[j]
                    v, _ = look_up(query, 0, 3, book, slots)
                if v < 0:
                    known = False
                    asked = _ask(questions, asked, query, 3)
                else:
                    length = _insert(side, begin, length, v, words, values, pairs, stack)
            words[begin:length].sort()
            if side == 0:
                words[length] = BAR
                length += 1
        answer = -1
        if known:
            answer, _ = look_up(words, 0, length, book, slots)
            if answer < 0 and asked + 2 * len(words) < len(questions):
                asked = _ask(questions, asked, words, length)
                asked = _ask(questions, asked, words, _bypass(words, length, values, pairs, stack, sides))
        if answer >= 0:
            value[i] = answer
        else:
            order[t], order[waiting] = order[waiting], order[t]
            waiting += 1
    return waiting, asked


@inlined
def _ask(questions, asked, words, length):
    """Write a question, if it fits; return the end of the questions."""
    if asked + 1 + length >= len(questions):
        return asked
    questions[asked] = length
    questions[asked + 1 : asked + 1 + length] = words[:length]
    return asked + 1 + length
