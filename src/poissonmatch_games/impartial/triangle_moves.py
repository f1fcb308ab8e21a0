"""Winning moves of the Triangle Game without search.

Source: [G] *Combinatorial games and the golden ratio on digraphs*. The cases are those of the
proofs of theorems 2.4 (iii) and 2.7 (iii), for a position rotated so that its largest heap is the
middle one.
"""

from collections.abc import Iterator
from itertools import product
from math import isqrt

Position = tuple[int, int, int]


def rotations(position: Position) -> tuple[Position, Position, Position]:
    """Return the position and its two rotations, which are equal games."""
    x, y, z = position
    return (x, y, z), (y, z, x), (z, x, y)


def share(x: int) -> int:
    """Return floor(x / phi)."""
    return (isqrt(5 * x * x) - x) // 2


def case(position: Position) -> int:
    """Return the case of the proof of theorem 2.4 (iii) for a position; 0 for a P-position.

    The position (x, y, z) has the largest heap y. 1: z <= x. Otherwise 2: z < phi x; 3: z > phi x
    and y > x + z; 4: z > phi x and y < x + z.
    """
    x, y, z = position
    if z <= x:
        return 0 if y == x and z == 0 else 1
    if share(z) < x:
        return 2
    return 3 if y > x + z else 4 if y < x + z else 0


def move_of_the_proof(position: Position, misere: bool) -> Position | None:
    """Return the P-position that the proofs move to, in time O(1); None for P-positions and terminal positions."""
    turn = max(range(3), key=lambda k: (rotations(position)[k][1], k))
    option = _middle(rotations(position)[turn], misere)
    return option and rotations(option)[-turn % 3]


def _middle(position: Position, misere: bool) -> Position | None:
    x, y, z = position
    if misere and y <= 1:  # theorem 2.7: an odd number of stones is P
        return (x, 0, z) if y and (x + y + z) % 2 == 0 else None
    which = case(position)
    if not which:
        return None
    # 2: by lemma 2.6, z = (z - x) + x < phi x says that x > phi (z - x)
    after = {1: (x, 0, x), 2: (x, z - x, z), 3: (x, x + z, z), 4: (y - z, y, z)}[which]
    # one stone more or less leaves an odd number
    return (x, (x + z + 1) % 2, z) if misere and max(after) <= 1 else after


def moves_to_p(position: Position, misere: bool) -> Iterator[Position]:
    """Yield all options that are P-positions, possibly with repeats."""
    for turn, (a, b, c) in enumerate(rotations(position)):
        for after in _along(a, b, c):
            if not (misere and max(after) <= 1):
                yield rotations(after)[-turn % 3]
        if misere and max(b, c) <= 1:
            for rest, returned in product((0, 1), {0, 1 - b}):
                if rest + returned < a and (rest + b + returned + c) % 2:
                    yield rotations((rest, b + returned, c))[-turn % 3]


def _along(a: int, b: int, c: int) -> Iterator[Position]:
    """Yield the P-positions of normal play after taking from a and returning to b.

    They follow from theorem 2.4 for each largest heap.
    """
    for rest in range(max(b - c, 0), min(a - 1, share(c), (a + b - c - 1) // 2) + 1):  # b the largest
        yield rest, rest + c, c
    minimum = c and (c + isqrt(5 * c * c)) // 2 + 1  # phi c, rounded up
    for now in range(max(b, minimum), min(a - 1 - c, (a + b - c - 1) // 2) + 1):  # a the largest
        yield now + c, now, c
    if c < a + b:
        for now in range(max(b, c - a + 1), c - share(c) - (c > 0) + 1):  # c the largest, c - now >= phi now
            yield c - now, now, c
