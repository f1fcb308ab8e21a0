"""Search for small strategies of Left, as certificates for `check_strategy`.

A position is a row of small integers: the squares of the strip (as in LETTERS), whether there is a
star, free moves of Left + _NO_MOVES. Rows are in the order in which the checker sorts its
positions.
"""

import base64
import hashlib
import lzma
from collections.abc import Callable
from typing import Any

import numpy as np

from poissonmatch_games.toads.strips import parse_strip, starting

from .answer_kernels import few_answers
from .retrograde import Table

Array = np.ndarray[Any, Any]
Oracle = Callable[[Array], Array]  # positions -> whether Left wins if Right moves first
LETTERS = ".FT"
_BLANK, _FROG, _TOAD = range(3)
_NO_MOVES = 128


def find_strategy(
    strip: str, star: int = 0, free: int = 0, first: str = "Left", wins: Oracle | None = None
) -> dict[str, Any]:
    """Return a certificate that Left wins strip + free + star if `first` starts.

    Raises ValueError if she does not.

    `wins` is the oracle, by default a table of all positions. The strategy is kept small: after
    each move of Right, few positions answer all those in which Left is to move.
    """
    strip = parse_strip(strip)
    wins = wins or by_table(strip, star, free)
    waiting = np.array([[*map(LETTERS.index, strip), star, free + _NO_MOVES]], np.uint8)
    if first == "Right":
        waiting = _unique(_moves(waiting, _FROG)[1])[0]
    choices: list[Array] = []
    while len(waiting):
        numbers, waiting = _answer(waiting, wins)
        choices.append(numbers)
    moves = b"".join(map(bytes, choices))
    return {"kind": "strategy", "strip": strip, "star": star, "free": free, "first": first, **packed(moves)}


def by_table(strip: str, star: int = 0, free: int = 0) -> Oracle:
    """Return the oracle of a table of all positions of T^a .^b F^c, plus * or an integer."""
    toads, blanks, frogs = (strip.count(square) for square in "T.F")
    if strip != starting(toads, blanks, frogs) or (star and free):
        raise ValueError(f"the position must be T^a .^b F^c, plus * or an integer, got {strip}")
    table = Table(toads, blanks, frogs, "*" if star else -free, keep=True)

    def wins(rows: Array) -> Array:
        level = rows[:, -2] if star else abs(rows[:, -1].astype(int) - _NO_MOVES)
        return table.left_wins(rows[:, :-2] == _TOAD, rows[:, :-2] == _FROG, level)

    return wins


def packed(choices: bytes) -> dict[str, str]:
    """Return the moves in the format of a certificate."""
    text = base64.b64encode(lzma.compress(choices, preset=9 | lzma.PRESET_EXTREME)).decode()
    return {"moves": text, "sha256": hashlib.sha256(choices).hexdigest()}


def _answer(waiting: Array, wins: Oracle) -> tuple[Array, Array]:
    """Return the number of Left's move in each position, and the positions after it.

    They are those after all moves of Right.
    """
    which, new, number = _moves(waiting, _TOAD)
    options, of = _unique(new)
    good = wins(options)
    renumbered = np.cumsum(good) - 1
    keep = good[of]
    which, of, number, options = which[keep], renumbered[of[keep]], number[keep], options[good]
    order = np.lexsort((number, which))
    which, of, number = which[order], of[order], number[order]
    heads = np.searchsorted(which, np.arange(len(waiting) + 1))
    lost = np.flatnonzero(np.diff(heads) == 0)
    if len(lost):
        row = waiting[lost[0]].tolist()
        position = "".join(LETTERS[n] for n in row[:-2]), row[-2], row[-1] - _NO_MOVES
        raise ValueError(f"Left does not win {position}")
    by_option = np.argsort(of, kind="stable")
    after, replied, _ = _moves(options, _FROG)
    replies, reply = _unique(replied)
    after_order = np.argsort(after, kind="stable")
    reply_heads = np.searchsorted(after[after_order], np.arange(len(options) + 1))
    taken = few_answers(
        of, heads, which[by_option], np.searchsorted(of[by_option], np.arange(len(options) + 1)), reply[after_order],
        reply_heads, len(replies),
    )  # fmt: skip
    when = np.where(taken < 0, len(taken), taken)[of]
    first = np.lexsort((when, which))[heads[:-1]]  # the option of each position that was taken first
    used = np.zeros(len(options), np.bool_)
    used[of[first]] = True
    coming = np.zeros(len(replies), np.bool_)
    coming[reply[used[after]]] = True
    return number[first].astype(np.uint8), replies[coming]


def _moves(rows: Array, piece: int) -> tuple[Array, Array, Array]:
    """Return all moves of one player.

    They are (row, position after the move, number of the move in its row).
    """
    squares, step, other = rows.shape[1] - 2, 1 if piece == _TOAD else -1, _FROG + _TOAD - piece
    moves = []
    for i in range(squares):
        own = rows[:, i] == piece
        for distance in (1, 2):
            to = i + distance * step
            if 0 <= to < squares:
                free = rows[:, to] == _BLANK
                movers = np.flatnonzero(own & free & (rows[:, i + step] == other) if distance == 2 else own & free)
                new = rows[movers]
                new[:, i], new[:, to] = _BLANK, piece
                moves.append((movers, new))
    taken = np.flatnonzero(rows[:, -2])
    new = rows[taken]
    new[:, -2] = 0
    moves.append((taken, new))
    moved = np.flatnonzero(step * (rows[:, -1].astype(int) - _NO_MOVES) > 0)
    new = rows[moved]
    new[:, -1] -= np.uint8(step % 256)
    moves.append((moved, new))
    which, count = np.concatenate([w for w, _ in moves]), np.zeros(len(rows), int)
    numbers = []
    for movers, _ in moves:
        numbers.append(count[movers])
        count[movers] += 1
    return which, np.concatenate([new for _, new in moves]), np.concatenate(numbers)


def _unique(rows: Array) -> tuple[Array, Array]:
    """Return the different rows, sorted, and the index of each row among them."""
    digits = np.column_stack([rows[:, :-1], *(rows[:, -1] >> shift & 3 for shift in (6, 4, 2, 0))])
    words = []
    for start in range(0, digits.shape[1], 32):
        word = np.zeros(len(rows), np.uint64)
        for column in digits.T[start : start + 32]:
            word = word << np.uint64(2) | column
        words.append(word)
    order = np.lexsort(words[::-1])
    new = np.ones(len(rows), np.bool_)
    new[1:] = np.logical_or.reduce([word[order[1:]] != word[order[:-1]] for word in words])
    index = np.empty(len(rows), int)
    index[order] = np.cumsum(new) - 1
    return rows[order[new]], index
