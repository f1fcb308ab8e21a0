"""Winning moves of the Triangle Game without a search: those of the proofs of [G], and all of them.

Source: [G] *Combinatorial games and the golden ratio on digraphs*. The cases are those of the proofs of theorems 2.4 (iii) and
2.7 (iii), told by the position turned so that its largest heap is the middle one.
"""

from collections.abc import Iterator
from itertools import product
from math import isqrt

Position = tuple[int, int, int]


def rotations(position: Position) -> tuple[Position, Position, Position]:
    """The three rotations of a position, which is the first; they are equal as games."""
    x, y, z = position
    return (x, y, z), (y, z, x), (z, x, y)


def share(x: int) -> int:
    """floor(x / phi)."""
    return (isqrt(5 * x * x) - x) // 2


def case(position: Position) -> int:
    """Which case of the proof of theorem 2.4 (iii) a position (x, y, z), y its largest heap, belongs to; 0 for a P-position.

    1: z <= x. Else 2: z < phi x. 3: z > phi x and y > x + z. 4: z > phi x and y < x + z.
    """
    x, y, z = position
    if z <= x:
        return 0 if y == x and z == 0 else 1
    if share(z) < x:
        return 2
    return 3 if y > x + z else 4 if y < x + z else 0


def move_of_the_proof(position: Position, misere: bool) -> Position | None:
    """The P-position that the proofs move to, None from a P-position and from the end. In time O(1)."""
    turn = max(range(3), key=lambda k: (rotations(position)[k][1], k))
    found = _middle(rotations(position)[turn], misere)
    return found and rotations(found)[-turn % 3]


def _middle(position: Position, misere: bool) -> Position | None:
    x, y, z = position
    if misere and y <= 1:  # theorem 2.7: an odd number of stones is P
        return (x, 0, z) if y and (x + y + z) % 2 == 0 else None
    which = case(position)
    if not which:
        return None
    # 2: by lemma 2.6, z = (z - x) + x < phi x says that x > phi (z - x)
    after = {1: (x, 0, x), 2: (x, z - x, z), 3: (x, x + z, z), 4: (y - z, y, z)}[which]
    if misere and max(after) <= 1:
        # it took all that it may of y: with one stone more or less it leaves an odd number
        return x, (x + z + 1) % 2, z
    return after


def moves_to_p(position: Position, misere: bool) -> Iterator[Position]:
    """All P-positions that a move leads to, without a search, perhaps some twice."""
    for turn, (a, b, c) in enumerate(rotations(position)):
        for after in _along(a, b, c):
            if not (misere and max(after) <= 1):
                yield rotations(after)[-turn % 3]
        if misere and max(b, c) <= 1:
            for left, back in product((0, 1), {0, 1 - b}):
                if left + back < a and (left + b + back + c) % 2:
                    yield rotations((left, b + back, c))[-turn % 3]


def _along(a: int, b: int, c: int) -> Iterator[Position]:
    """The P-positions of normal play that taking from a, and returning to b, leads to: theorem 2.4 for the three places of the
    largest heap. Each is a range of integers."""
    for left in range(
        max(b - c, 0), min(a - 1, share(c), (a + b - c - 1) // 2) + 1
    ):  # (left, left + c, c): b the largest
        yield left, left + c, c
    least = c and (c + isqrt(5 * c * c)) // 2 + 1  # phi c, rounded up
    for now in range(max(b, least), min(a - 1 - c, (a + b - c - 1) // 2) + 1):  # a the largest
        yield now + c, now, c
    if c < a + b:
        for now in range(max(b, c - a + 1), c - share(c) - (c > 0) + 1):  # c the largest, c - now >= phi now
            yield c - now, now, c
