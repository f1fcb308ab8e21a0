"""Compiled values of positions.

Known answers are looked up; the other questions are collected for Python.

Values have small ids, 0 is the game 0. A question begins with the number of its other words. `book`
holds questions, each with the answer of Python behind it, and is a table that grows (see
`hash_kernels`).
"""

# mypy: ignore-errors

from typing import Any, NamedTuple

import numpy as np

from ..jit import borrowed, inlined, jit
from .hash_kernels import new_row, row_of, slot_of

ADD, SUM, SET, BAR = -1, -2, -3, -4  # questions: ADD id n; SUM id id; SET left ids BAR right ids
_NONE = np.uint64(0)


class Moves(NamedTuple):
    """Moves of the positions from number `base` on, as in `position_kernels.expand`."""

    base: int
    heads: Any
    free: Any
    ends: Any
    parts: Any


class ValueTable(NamedTuple):
    """Values by their ids, and the comparisons so far; `new` is the next id, whose row is scratch."""

    negative: Any
    left_stop: Any
    right_stop: Any
    heads: Any
    options: Any
    pairs: Any
    new: int


class Book(NamedTuple):
    """Answered questions with their slots, open questions, and scratch for the options of two sides."""

    words: Any
    slots: Any
    questions: Any
    sides: Any


@jit
def answer_to(questions, at, book, slots):
    """Return the answer to the question that begins at questions[at], or -1."""
    length = 1 + questions[at]
    entry = slots[slot_of(questions, at, length, book, slots)]
    return book[entry + length] if entry >= 0 else -1


@jit
def write_down(questions, answered, book, slots, used):
    """Add questions, which begin at answered[k, 0], and their answers answered[k, 1]; return the new end of the book."""
    for k in range(len(answered)):
        at = answered[k, 0]
        length = 1 + questions[at]
        slots[slot_of(questions, at, length, book, slots)] = used
        for i in range(length):
            book[used + i] = questions[at + i]
        book[used + length] = answered[k, 1]
        used += length + 1
    return used


@jit
def index_book(book, used, slots):
    """Fill empty slots with the entries of the book."""
    at = 0
    while at < used:
        slots[slot_of(book, at, 1 + book[at], book, slots)] = at
        at += 2 + book[at]


@jit
def _leq(g, h, values, pairs, stack):
    """Return whether g <= h, on ids, as `forms.leq`.

    It uses a stack, since self-calling functions crash when loaded from numba's cache.
    """
    left_stop, right_stop, heads, options, new = values
    d = 0
    stack[0, 0], stack[0, 1], stack[0, 2] = g, h, -1
    result = -1
    while True:
        g, h, i = stack[d, 0], stack[d, 1], stack[d, 2]
        key = (np.uint64(g) << np.uint64(32)) | np.uint64(h) | (np.uint64(1) << np.uint64(63))
        lasting = g != new and h != new  # the answer may be remembered
        if i < 0:
            result = -1
            if g == h or left_stop[g] < right_stop[h]:
                result = 1
            elif left_stop[g] > left_stop[h] or right_stop[g] > right_stop[h]:
                result = 0
            elif lasting:
                at = row_of(pairs, key, _NONE)
                if at >= 0:
                    result = np.int64(pairs[at, 1])
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
            pairs[new_row(pairs, key, _NONE), 1] = result
        if d == 0:
            return result == 1
        d -= 1


@jit
def _insert(side, begin, end, v, words, values, pairs, stack):
    """Add option v to the undominated options words[begin..end) of Left (side 0) or Right.

    Returns the new end.
    """
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
def _bypass(words, values, pairs, stack, sides):
    """Replace the reversible options of a question, as `reductions.bypassed`.

    The question is words = [length, SET, left ids, BAR, right ids]. No option is dominated. The
    length becomes 0 if there are too many for the scratch space `sides`.
    """
    left_stop, right_stop, heads, options, new = values
    most = sides.shape[1]
    length, words[0] = words[0], 0
    if length > most:
        return
    sizes, side = [0, 0], 0
    for k in range(2, length + 1):
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
                        return
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
    end = 2
    for side in (0, 1):
        sides[side, : sizes[side]].sort()
        words[end : end + sizes[side]] = sides[side, : sizes[side]]
        end += sizes[side]
        if side == 0:
            words[end] = BAR
            end += 1
    words[0] = end - 1


@jit
def evaluate(order, todo, value, moves, table, answers):
    """Find the values of positions order[0..todo), whose moves all lead to positions with values.

    Writes the questions met, after a SET its canonical form, and moves the positions that wait for an answer to the
    front of `order`. Returns (how many wait, end of the questions). Long, because it is one loop: passing many arrays on
    costs time.
    """
    base, heads, free, ends, parts = moves
    negative, new = table.negative, table.new
    pairs, book, slots = borrowed(table.pairs), borrowed(answers.words), borrowed(answers.slots)
    questions, sides = borrowed(answers.questions), borrowed(answers.sides)
    left_stop, right_stop = borrowed(table.left_stop), borrowed(table.right_stop)
    values = left_stop, right_stop, borrowed(table.heads), borrowed(table.options), new
    words = np.zeros(2 * sides.shape[1] + 128, np.int32)
    query = np.zeros(4, np.int32)
    query[0] = 3
    stack = np.zeros((4096, 3), np.int64)
    waiting = 0
    questions_end = 0
    for t in range(todo):
        i = order[t]
        words[1] = SET
        end = 2
        known = True
        for side in (0, 1):
            begin = end
            for j in range(heads[2 * (i - base) + side], heads[2 * (i - base) + side + 1]):
                v = 0
                for k in range(ends[j - 1] if j else 0, ends[j]):
                    w = value[parts[k] >> 1]
                    if parts[k] & 1:
                        w = negative[w]
                    if v == 0 or w == 0:
                        v = v + w
                        continue
                    query[1], query[2], query[3] = SUM, min(v, w), max(v, w)
                    v = answer_to(query, 0, book, slots)
                    if v < 0:
                        break
                if v >= 0 and free[j] != 0:
                    query[1], query[2], query[3] = ADD, v, free[j]
                    v = answer_to(query, 0, book, slots)
                if v < 0:
                    known = False
                    questions_end = _ask(questions, questions_end, query)
                else:
                    end = _insert(side, begin, end, v, words, values, pairs, stack)
            words[begin:end].sort()
            if side == 0:
                words[end] = BAR
                end += 1
        words[0] = end - 1
        answer = -1
        if known:
            answer = answer_to(words, 0, book, slots)
            if answer < 0 and questions_end + 2 * len(words) < len(questions):
                questions_end = _ask(questions, questions_end, words)
                _bypass(words, values, pairs, stack, sides)
                questions_end = _ask(questions, questions_end, words)
        if answer >= 0:
            value[i] = answer
        else:
            order[t], order[waiting] = order[waiting], order[t]
            waiting += 1
    return waiting, questions_end


@inlined
def _ask(questions, end, question):
    """Write a question, if it fits; return the end of the questions."""
    length = 1 + question[0]
    if end + length >= len(questions):
        return end
    questions[end : end + length] = question[:length]
    return end + length
