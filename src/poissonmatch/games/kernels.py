"""The compiled search on strips of Toads and Frogs. The only file of this room with numba in it.

A strip is `kind[0..n)` (1 toad, 2 frog, left to right) and `gap[0..n]` (empty squares before, between and after the
pieces). Its code, up to 128 bits, is 0 for an empty square, 01 for a toad, 11 for a frog (first square in the lowest
bits), then a 1.
"""

from __future__ import annotations

import numba
import numpy as np

TOAD, FROG = 1, 2
LEFT, RIGHT = 0, 1
MAX_PIECES = 48
FAR = 30000  # beyond every number of free moves
_PROBES = 4

jit = numba.njit(cache=True, nogil=True)
inlined = numba.njit(cache=True, nogil=True, forceinline=True)  # passing arrays costs more than these functions do


@inlined
def _reduce_segment(kind, gap, a, b, first, last, out_kind, out_gap, m):
    """Reduce pieces a..b-1 between two walls, `first` and `last` empty squares at the ends; append them to out.

    Returns (pieces in out now, free moves of Left minus those of Right).
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
        if first == 0:  # a run at the wall is dead up to its last two adjacent frogs
            i = a
            dead = -1
            while i + 1 < b and gap[i + 1] == 0:
                if kind[i] == FROG and kind[i + 1] == FROG:
                    dead = i + 1
                i += 1
            if dead >= 0:
                a = dead + 1
                first = gap[a] if a < b else last
                changed = True
        if a == b:
            return m, moves
        if last == 0:
            i = b - 1
            dead = -1
            while i - 1 >= a and gap[i] == 0:
                if kind[i] == TOAD and kind[i - 1] == TOAD:
                    dead = i - 1
                i -= 1
            if dead >= 0:
                b = dead
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
    """Split a strip at its walls (a run of pieces from two toads to two frogs never moves) and reduce every part.

    out becomes the parts, joined by TTFF; returns (its number of pieces, free moves of Left minus those of Right).
    Parts without moves vanish.
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
def encode(kind, gap, n):
    """The code of a strip, as two uint64 (low, high)."""
    low = np.uint64(0)
    high = np.uint64(0)
    at = 0
    for i in range(n + 1):
        at += gap[i]
        bits = np.uint64(1)
        if i < n and kind[i] == FROG:
            bits = np.uint64(3)
        if at < 64:
            low |= bits << np.uint64(at)
            if at == 63:
                high |= bits >> np.uint64(1)
        else:
            high |= bits << np.uint64(at - 64)
        at += 2
    return low, high


@inlined
def encode_mirror(kind, gap, n):
    """The code of the strip turned round, with toads and frogs exchanged."""
    low = np.uint64(0)
    high = np.uint64(0)
    at = 0
    for i in range(n, -1, -1):
        at += gap[i]
        bits = np.uint64(1)
        if i > 0 and kind[i - 1] == TOAD:
            bits = np.uint64(3)
        if at < 64:
            low |= bits << np.uint64(at)
            if at == 63:
                high |= bits >> np.uint64(1)
        else:
            high |= bits << np.uint64(at - 64)
        at += 2
    return low, high


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


# ---- all positions that a strip leads to ----
@jit
def decode(code, kind, gap):
    """Write the strip of a 64-bit code; returns its number of pieces."""
    n = 0
    gap[0] = 0
    while code != np.uint64(1):
        if code & np.uint64(1):
            kind[n] = FROG if code & np.uint64(2) else TOAD
            n += 1
            gap[n] = 0
            code >>= np.uint64(2)
        else:
            gap[n] += 1
            code >>= np.uint64(1)
    return n


@inlined
def _mix(low, high):
    h = low ^ (high * np.uint64(0x9E3779B97F4A7C15))
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@inlined
def intern(code, codes, count, slots):
    """The index of a code; a new one (= count) if it was not there."""
    mask = np.uint64(len(slots) - 1)
    at = _mix(code, np.uint64(0)) & mask
    while slots[at] >= 0:
        if codes[slots[at]] == code:
            return slots[at]
        at = (at + np.uint64(1)) & mask
    slots[at] = count
    codes[count] = code
    return count


@jit
def index_codes(codes, count, slots):
    """Fill empty slots with the indices of the codes."""
    for i in range(count):
        intern(codes[i], codes, i, slots)


@jit
def intern_parts(kind, gap, n, codes, count, slots, parts, at):
    """Intern each part of a reduced strip, turned round where that has the smaller code; parts: 2 * index + turned."""
    a = 0
    while a < n:
        b = a
        while b < n and not _is_wall(kind, gap, n, b):
            b += 1
        size = b - a
        # `gap` is cut for the call: the wall's own gaps belong to the parts beside it
        low, _ = encode(kind[a:b], gap[a : b + 1], size)
        turned, _ = encode_mirror(kind[a:b], gap[a : b + 1], size)
        which = intern(min(low, turned), codes, count, slots)
        if which == count:
            count += 1
        parts[at] = 2 * which + (1 if turned < low else 0)
        at += 1
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
def expand(codes, slots, base, start, count, heads, moves, ends, parts, used_moves, used_parts):
    """Play every move of positions start, start + 1, .. and intern what they lead to, as long as the arrays have room.

    Move j of position base + i, for heads[2i] <= j < heads[2i+1] (Left's) or heads[2i+1] <= j < heads[2i+2], leads to
    the sum of moves[j] free moves and of parts[ends[j-1]..ends[j]). Returns (position reached, count, used_moves,
    used_parts).
    """
    kind = np.zeros(64, np.uint8)
    gap = np.zeros(65, np.int16)
    kind2 = np.zeros(64, np.uint8)
    gap2 = np.zeros(65, np.int16)
    kind3 = np.zeros(64, np.uint8)
    gap3 = np.zeros(65, np.int16)
    i = start
    while i < count:
        n = decode(codes[i], kind, gap)
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
                    m, free = reduce_strip(kind2, gap2, n, kind3, gap3)
                    moves[used_moves] = free
                    count, used_parts = intern_parts(kind3, gap3, m, codes, count, slots, parts, used_parts)
                    ends[used_moves] = used_parts
                    used_moves += 1
            heads[2 * (i - base) + mover] = used_moves
        i += 1
    return i, count, used_moves, used_parts


@jit
def weigh(kind, gap, n):
    """A number that each move makes smaller: empty squares ahead of the pieces + 2 per pair yet to pass."""
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


@jit
def weigh_all(codes, count, weights):
    kind = np.zeros(64, np.uint8)
    gap = np.zeros(65, np.int16)
    for i in range(count):
        n = decode(codes[i], kind, gap)
        weights[i] = weigh(kind, gap, n)


# ---- values of all these positions: what was worked out before is looked up, the rest is asked for ----
# Values have small ids, 0 is the game 0. `book` holds what Python has worked out: at book_slots, [length, question,
# answer].
ADD, SUM, SET, BAR = -1, -2, -3, -4  # questions: ADD id n; SUM id id; SET left ids BAR right ids


@jit
def _hash(words, start, length):
    h = np.uint64(length)
    for i in range(start, start + length):
        h = (h ^ np.uint64(np.uint32(words[i]))) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return _mix(h, np.uint64(0))


@jit
def look_up(words, start, length, book, slots):
    """(answer or -1, slot where it is or belongs)."""
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
    """Add a question and its answer; returns the new end of the book."""
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
def _leq(g, h, left_stop, right_stop, option_heads, options, pairs, stack):
    """g <= h on ids, as in partisan.py. Its own stack: self-calling functions crash when loaded from numba's cache."""
    mask = np.uint64(len(pairs) - 1)
    d = 0
    stack[0, 0], stack[0, 1], stack[0, 2] = g, h, -1
    result = -1
    while True:
        g, h, i = stack[d, 0], stack[d, 1], stack[d, 2]
        key = (np.uint64(g) << np.uint64(32)) | (np.uint64(h) << np.uint64(1)) | (np.uint64(1) << np.uint64(63))
        home = _mix(key, np.uint64(0)) & mask
        if i < 0:
            result = -1
            if g == h or left_stop[g] < right_stop[h]:
                result = 1
            elif left_stop[g] > left_stop[h] or right_stop[g] > right_stop[h]:
                result = 0
            else:
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
            first, bar = option_heads[2 * g], option_heads[2 * g + 1]
            second = option_heads[2 * h + 1]
            if i < bar - first:
                x, y = h, options[first + i]
            elif i - (bar - first) < option_heads[2 * h + 2] - second:
                x, y = options[second + i - (bar - first)], g
            else:
                result = 1
        if result < 0:
            stack[d, 2] = i
            d += 1
            stack[d, 0], stack[d, 1], stack[d, 2] = x, y, -1
            continue
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
def settle(order, todo, base, heads, moves, ends, parts, value, negative, left_stop, right_stop, option_heads, options,
           pairs, book, slots, questions):  # fmt: skip
    """Find the values of positions order[0..todo) (`base` as in `expand`), whose moves all lead to positions with
    values.

    Writes the questions met as [length, words..] and moves the positions that wait for an answer to the front of
    `order`. Returns (how many wait, end of the questions).
    """
    words = np.zeros(512, np.int32)
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
                    if asked + 4 < len(questions):
                        questions[asked] = 3
                        questions[asked + 1 : asked + 4] = query
                        asked += 4
                    continue
                keep = True
                end = begin
                for k in range(begin, length):  # drop what v dominates, or v
                    g, h = (words[k], v) if side == 0 else (v, words[k])
                    if keep and _leq(h, g, left_stop, right_stop, option_heads, options, pairs, stack):
                        keep = False
                        end = length
                        break
                    if not _leq(g, h, left_stop, right_stop, option_heads, options, pairs, stack):
                        words[end] = words[k]
                        end += 1
                length = end
                if keep:
                    words[length] = v
                    length += 1
            words[begin:length].sort()
            if side == 0:
                words[length] = BAR
                length += 1
        answer = -1
        if known:
            answer, _ = look_up(words, 0, length, book, slots)
            if answer < 0 and asked + 1 + length < len(questions):
                questions[asked] = length
                questions[asked + 1 : asked + 1 + length] = words[:length]
                asked += 1 + length
        if answer >= 0:
            value[i] = answer
        else:
            order[t], order[waiting] = order[waiting], order[t]
            waiting += 1
    return waiting, asked


# ---- who wins: depth-first search with a table of bounds ----
# A position is strip + n + c: n free moves, c one of a few small games (row i of `win`, negated: row mirror[i]). Left
# wins n + c itself exactly when n >= win[i, side to move]. What is known of strip + c holds for all n at once: Left
# wins from bounds[.., side, 0] on and loses up to bounds[.., side, 1].
@inlined
def _mobility(kind, gap, n):
    """(Left's moves, Right's moves, most moves Left can still make, most for Right, Left only jumps, Right only
    jumps)."""
    left = right = most_left = most_right = 0
    steps_left = steps_right = 0
    room = False
    empty = gap[n]
    if empty > 1:
        room = True
    frogs = 0
    for i in range(n - 1, -1, -1):
        if kind[i] == TOAD:
            most_left += empty + frogs
            if gap[i + 1] > 0:
                left += 1
                steps_left += 1
            elif i + 1 < n and kind[i + 1] == FROG and gap[i + 2] > 0:
                left += 1
        else:
            frogs += 1
            if gap[i] > 0:
                right += 1
                steps_right += 1
            elif i > 0 and kind[i - 1] == TOAD and gap[i - 1] > 0:
                right += 1
        empty += gap[i]
        if gap[i] > 1:
            room = True
    empty = 0
    toads = 0
    for i in range(n):
        empty += gap[i]
        if kind[i] == FROG:
            most_right += empty + toads
        else:
            toads += 1
    return left, right, most_left, most_right, steps_left == 0 and not room, steps_right == 0 and not room


@inlined
def _key(kind, gap, n, c, mirror):
    """(low, high, turned): the same for a position and its mirror image."""
    low, high = encode(kind, gap, n)
    low2, high2 = encode_mirror(kind, gap, n)
    c2 = mirror[c]
    turned = high2 < high or (high2 == high and (low2 < low or (low2 == low and c2 < c)))
    if turned:
        low, high, c = low2, high2, c2
    return (low << np.uint64(8)) | np.uint64(c), (high << np.uint64(8)) | (low >> np.uint64(56)), turned


@inlined
def _probe(lows, highs, low, high):
    """The slot of a key, or -1."""
    mask = np.uint64(len(lows) - 1)
    at = _mix(low, high) & mask
    for _ in range(_PROBES):
        if lows[at] == low and (len(highs) == 1 or highs[at] == high):
            return np.int64(at)
        if lows[at] == 0:
            return np.int64(-1)
        at = (at + np.uint64(1)) & mask
    return np.int64(-1)


@inlined
def _recall(lows, highs, bounds, low, high, turned, n, side):
    """1 Left wins, 0 Right wins, -1 not known."""
    at = _probe(lows, highs, low, high)
    if at < 0:
        return -1
    if turned:
        n, side = -n, 1 - side
    if n >= bounds[at, 2 * side]:
        return 0 if turned else 1
    if n <= bounds[at, 2 * side + 1]:
        return 1 if turned else 0
    return -1


@jit
def _store(lows, highs, bounds, low, high, turned, n, side, left_wins):
    at = _probe(lows, highs, low, high)
    if at < 0:
        mask = np.uint64(len(lows) - 1)
        home = _mix(low, high)
        slot = home & mask
        for _ in range(_PROBES):
            if lows[slot] == 0:
                break
            slot = (slot + np.uint64(1)) & mask
        if lows[slot] != 0:  # all taken: one of them goes
            slot = (home + ((home >> np.uint64(50)) & np.uint64(_PROBES - 1))) & mask
        at = np.int64(slot)
        lows[at] = low
        if len(highs) > 1:
            highs[at] = high
        bounds[at, 0] = bounds[at, 2] = FAR
        bounds[at, 1] = bounds[at, 3] = -FAR
    if turned:
        n, side, left_wins = -n, 1 - side, 1 - left_wins
    if left_wins:
        bounds[at, 2 * side] = min(bounds[at, 2 * side], n)
    else:
        bounds[at, 2 * side + 1] = max(bounds[at, 2 * side + 1], n)


@inlined
def _decide(kind, gap, n, free, c, side, win, mirror, lows, highs, bounds):
    """1 Left wins, 0 Right wins, -1 not known without search; how good it looks for who is NOT to move; the key."""
    need = win[c, side]
    none = np.uint64(0)
    if n == 0:
        return (1 if free >= need else 0), 0, none, none, False
    left, right, most_left, most_right, left_jumps, right_jumps = _mobility(kind, gap, n)
    if free - most_right >= need or (right_jumps and free >= need):
        return 1, 0, none, none, False
    if free + most_left < need or (left_jumps and free < need):
        return 0, 0, none, none, False
    low, high, turned = _key(kind, gap, n, c, mirror)
    known = _recall(lows, highs, bounds, low, high, turned, free, side)
    score = 3 * (left - right) + most_left - most_right  # chosen by trial: fewest positions searched
    return known, (score if side == RIGHT else -score), low, high, turned


@jit
def search(kind, gap, n, free, c, side, win, mirror, option_heads, options, lows, highs, bounds, depth, budget):
    """Does Left win strip + free + c, `side` to move? Returns (1 or 0, or -1 if over budget; positions searched).

    Option j of small game c (option_heads[2c] <= j < option_heads[2c+1] Left's, then Right's) is the game options[j,
    0] plus options[j, 1] free moves. The strip must be reduced.
    """
    size = len(kind)
    width = 0
    for i in range(len(option_heads) - 1):
        width = max(width, option_heads[i + 1] - option_heads[i])
    width += size + 1
    kinds = np.zeros((depth, width, size), np.uint8)
    gaps = np.zeros((depth, width, size + 1), np.int16)
    pieces = np.zeros((depth, width), np.int64)
    frees = np.zeros((depth, width), np.int64)
    smalls = np.zeros((depth, width), np.int64)
    scores = np.zeros((depth, width), np.int64)
    key_lows = np.zeros((depth, width), np.uint64)
    key_highs = np.zeros((depth, width), np.uint64)
    key_turned = np.zeros((depth, width), np.bool_)
    children = np.zeros(depth, np.int64)
    sides = np.zeros(depth, np.int64)
    current = np.zeros(depth, np.int64)  # which child of the level above is played
    kind2 = np.zeros(size, np.uint8)
    gap2 = np.zeros(size + 1, np.int16)
    visited = 0
    kinds[0, 0, :n] = kind[:n]
    gaps[0, 0, : n + 1] = gap[: n + 1]
    pieces[0, 0], frees[0, 0], smalls[0, 0] = n, free, c
    known, _, key_lows[0, 0], key_highs[0, 0], key_turned[0, 0] = _decide(
        kind, gap, n, free, c, side, win, mirror, lows, highs, bounds
    )
    if known >= 0:
        return known, visited
    d = 0  # level d holds positions with sides[d] to move; children of level d are written to level d + 1
    sides[0] = side
    children[0] = 1
    result = -1
    while True:
        k = current[d]
        me = sides[d]
        if result < 0:  # a new position: look at its options
            visited += 1
            if visited > budget:
                return -1, visited
            n = pieces[d, k]
            free = frees[d, k]
            c = smalls[d, k]
            made = 0
            e = d + 1
            first = option_heads[2 * c + me]
            others = option_heads[2 * c + me + 1] - first
            for p in range(n + others + 1):
                if p < n:
                    if kinds[d, k, p] != me + 1 or not move_piece(kinds[d, k], gaps[d, k], n, p, kind2, gap2):
                        continue
                    m, more = reduce_strip(kind2, gap2, n, kinds[e, made], gaps[e, made])
                    c2 = c
                    penalty = 0
                else:
                    if p < n + others:
                        c2, more = options[first + p - n, 0], options[first + p - n, 1]
                        penalty = 0
                    else:
                        if (me == LEFT and free <= 0) or (me == RIGHT and free >= 0):
                            continue
                        c2, more = c, (-1 if me == LEFT else 1)
                        penalty = 1000
                    m = n
                    kinds[e, made, :n] = kinds[d, k, :n]
                    gaps[e, made, : n + 1] = gaps[d, k, : n + 1]
                known, score, low, high, turned = _decide(
                    kinds[e, made], gaps[e, made], m, free + more, c2, 1 - me, win, mirror, lows, highs, bounds
                )
                if known == 1 - me:  # 1 is good for Left (me == 0), 0 for Right
                    result = known
                    break
                if known < 0:
                    pieces[e, made], frees[e, made], smalls[e, made] = m, free + more, c2
                    key_lows[e, made], key_highs[e, made], key_turned[e, made] = low, high, turned
                    # the rearmost piece first, among moves that look alike
                    scores[e, made] = 100 * (score - penalty) + (made if me == RIGHT else -made)
                    made += 1
            if result < 0:
                if made == 0:
                    result = me  # no good option: the other one wins
                else:
                    children[e] = made
                    sides[e] = 1 - me
                    _pick(scores[e], made, current, e)
                    d = e
                    continue
        # the position at level d is decided
        _store(lows, highs, bounds, key_lows[d, k], key_highs[d, k], key_turned[d, k], frees[d, k], me, result)
        if d == 0:
            return result, visited
        mover = 1 - me  # who chose this position
        if result == 1 - mover:
            d -= 1
            continue
        # refuted: the next sibling
        scores[d, k] = -(1 << 40)
        if _pick(scores[d], children[d], current, d):
            result = -1
        else:
            result = mover
            d -= 1


@inlined
def _pick(scores, count, current, d):
    """Make the best child that is left the current one; False if none is left."""
    best = -(1 << 40)
    found = False
    for i in range(count):
        if scores[i] > best:
            best = scores[i]
            current[d] = i
            found = True
    return found
