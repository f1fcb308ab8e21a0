"""Small misere quotients of heap games, with proofs.

Source: Plambeck and Siegel, *Misere quotients for impartial games*, J. Combin. Theory A 115 (2008).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

from poissonmatch.utils.validation import checked

from .heaps import HeapGame
from .position_checks import as_count


@dataclass(frozen=True)
class MisereQuotient:
    """Misere quotient of the sums of heaps 1..largest.

    Two sums are in the same class if they have the same misere outcome together with every third
    sum. Class 0 is the empty sum.
    """

    representatives: tuple[tuple[int, ...], ...]  # a sum of each class
    product: tuple[tuple[int, ...], ...]  # product[a][b]: the class of a sum of two
    heap: tuple[int, ...]  # heap[n]: the class of heap n
    p: frozenset[int]  # the classes of P-positions
    proved: bool  # for sums of any length, by induction over all pairs (class, classes of options)

    @property
    def order(self) -> int:
        """Number of classes."""
        return len(self.representatives)

    def class_of(self, heaps: tuple[int, ...]) -> int:
        """Return the class of a sum of heaps."""
        at = 0
        for size in heaps:
            at = self.product[at][self.heap[size]]
        return at

    def is_p(self, heaps: tuple[int, ...]) -> bool:
        """Return whether the previous player wins the sum in misere play."""
        return self.class_of(heaps) in self.p


@checked(largest=(0, 1000), max_order=(1, 10**6), max_tests=(1, 100), max_states=(1, 10**9))
def misere_quotient(
    game: HeapGame, largest: int, *, max_order: int = 200, max_tests: int = 4, max_states: int = 200_000
) -> MisereQuotient:
    """Return the misere quotient of the heaps up to `largest`.

    It comes with a proof if the search stays within its limits.

    Classes are separated by sums of 1, 2, ... heaps, until they form a monoid that passes the
    proof.

    Parameters
    ----------
    game : HeapGame
        Rules of the game.
    largest : int
        Largest heap.
    max_order : int, default 200
        Largest number of classes.
    max_tests : int, default 4
        Largest number of heaps of a separating sum.
    max_states : int, default 200_000
        Largest number of states of the proof.

    Returns
    -------
    MisereQuotient
        With the fields `representatives` (a sum of each class), `product` (the multiplication table
        of classes), `heap` (the class of each heap), `p` (the classes of P-positions) and `proved`,
        the property `order` (number of classes), and the methods `class_of(heaps)` and
        `is_p(heaps)`. If no monoid passes the proof, the last one has proved=False.

    Raises
    ------
    ValueError
        If there are more than `max_order` classes (the quotient may be infinite), or no monoid.

    Examples
    --------
    >>> quotient = pm.games.impartial.misere_quotient(pm.games.impartial.Kayles(), 5)
    >>> quotient.order, quotient.proved
    (12, True)
    >>> quotient = pm.games.impartial.misere_quotient(pm.games.Nim(), 3)
    >>> quotient.representatives, quotient.class_of((3, 3, 2)), quotient.is_p((1,) * 1001)
    (((), (1,), (2,), (3,), (2, 2), (2, 3)), 2, True)
    """
    largest = as_count(largest, "the largest heap")
    candidate = None
    for size in range(1, max_tests + 1):
        quotient = _candidate(game, largest, size, max_order)
        if quotient:
            candidate = quotient
            if _proof(game, quotient, max_states):
                return replace(quotient, proved=True)
    if candidate is None:
        raise ValueError(f"sums of up to {max_tests} heaps do not give a monoid: increase max_tests")
    return candidate


def _candidate(game: HeapGame, largest: int, size: int, max_order: int) -> MisereQuotient | None:
    heaps = range(1, largest + 1)
    tests = [test for length in range(size + 1) for test in combinations_with_replacement(heaps, length)]

    def signature(position: tuple[int, ...]) -> tuple[bool, ...]:
        return tuple(game.is_p(position + test, misere=True) for test in tests)

    representatives: list[tuple[int, ...]] = [()]
    classes = {signature(()): 0}
    act: list[list[int]] = []  # act[a][h]: the class of representative a plus heap h
    for position in representatives:  # grows while it is read
        row = [len(act)]
        for h in heaps:
            longer = tuple(sorted((*position, h)))
            at = classes.setdefault(signature(longer), len(representatives))
            if at == len(representatives):
                if at == max_order:
                    raise ValueError(f"more than {max_order} classes: the quotient is large or infinite")
                representatives.append(longer)
            row.append(at)
        act.append(row)
    if any(act[row[h]][k] != act[row[k]][h] for row in act for h in heaps for k in heaps):
        return None  # adding h and then k is not adding k and then h: too few tests

    def times(a: int, position: tuple[int, ...]) -> int:
        for h in position:
            a = act[a][h]
        return a

    product = tuple(tuple(times(a, other) for other in representatives) for a in range(len(act)))
    p = frozenset(a for key, a in classes.items() if key[0])
    return MisereQuotient(tuple(representatives), product, tuple(act[0]), p, proved=False)


def _proof(game: HeapGame, quotient: MisereQuotient, max_states: int) -> bool:
    """Return whether the classes give the right outcome of every sum.

    The state of a sum X is its class and the set of classes of its options. The state of X + h
    follows from those of X and h, so there are finitely many states, and each is checked against
    the definition of misere play.
    """
    product, heap, p = quotient.product, quotient.heap, quotient.p
    moves = [frozenset(quotient.class_of(instead) for instead in game.replacements(n)) for n in range(len(heap))]

    def longer(state: tuple[int, frozenset[int]]) -> Iterator[tuple[int, frozenset[int]]]:
        at, options = state
        for h in range(1, len(heap)):
            kept = frozenset(product[option][heap[h]] for option in options)
            yield product[at][heap[h]], kept | {product[at][option] for option in moves[h]}

    start: tuple[int, frozenset[int]] = (0, frozenset())
    seen, stack = {start}, [start]
    while stack:
        state = stack.pop()
        at, options = state
        if (at in p) != (bool(options) and not options & p):
            return False
        for new in longer(state):
            if new not in seen:
                if len(seen) == max_states:
                    return False
                seen.add(new)
                stack.append(new)
    return True
