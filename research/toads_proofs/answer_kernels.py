"""Compiled choice of few answers to many positions."""

# mypy: ignore-errors

import heapq

import numpy as np

from poissonmatch_games.jit import inlined, jit


@inlined
def _take(new, taken, count, options, option_heads, rows, row_heads, replies, reply_heads, answered, stands, coming):
    """Take an option; return the number of positions that it answers and that had no answer."""
    taken[new] = count
    for j in range(reply_heads[new], reply_heads[new + 1]):
        coming[replies[j]] = True
    done = 0
    for j in range(row_heads[new], row_heads[new + 1]):
        row = rows[j]
        if not answered[row]:
            answered[row] = True
            done += 1
            for i in range(option_heads[row], option_heads[row + 1]):
                stands[options[i]] -= 1
    return done


@inlined
def _worth(new, replies, reply_heads, stands, coming):
    fresh = 0
    for j in range(reply_heads[new], reply_heads[new + 1]):
        fresh += not coming[replies[j]]
    return stands[new] / (1 + fresh)


@jit
def few_answers(options, option_heads, rows, row_heads, replies, reply_heads, reply_count):
    """Return for each option when it was taken, or -1.

    Position p has options[option_heads[p]:option_heads[p + 1]]; option o belongs to the positions
    rows[row_heads[o]:row_heads[o + 1]] and leads to replies[reply_heads[o]:..]. Every position has
    an option that is taken: first those that are the only one of a position, then those that belong
    to many positions without an answer and bring few new replies.
    """
    taken = np.full(len(row_heads) - 1, -1, np.int64)
    answered = np.zeros(len(option_heads) - 1, np.bool_)
    coming = np.zeros(reply_count, np.bool_)
    stands = np.diff(row_heads)
    tables = options, option_heads, rows, row_heads, replies, reply_heads, answered, stands, coming
    count, unanswered = 0, len(answered)
    for p in range(len(answered)):
        new = options[option_heads[p]]
        if option_heads[p + 1] - option_heads[p] == 1 and taken[new] < 0:
            unanswered -= _take(new, taken, count, *tables)
            count += 1
    heap = [(-_worth(new, replies, reply_heads, stands, coming), new) for new in range(len(taken))]
    heapq.heapify(heap)
    while unanswered:
        _, new = heapq.heappop(heap)
        if stands[new] == 0:
            continue
        now = -_worth(new, replies, reply_heads, stands, coming)
        if len(heap) > 0 and now > heap[0][0]:
            heapq.heappush(heap, (now, new))
        else:
            unanswered -= _take(new, taken, count, *tables)
            count += 1
    return taken
