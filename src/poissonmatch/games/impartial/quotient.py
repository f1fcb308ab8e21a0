"""Small misere quotients of heap games, with a proof.

Source: Plambeck and Siegel, *Misere quotients for impartial games*, J. Combin. Theory A 115 (2008).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

from .heaps import HeapGame
from .positions import as_count


@dataclass(frozen=True)
class MisereQuotient:
    """The misere quotient of the sums of heaps 1..largest: two sums are in one class when no third one tells their
    misere outcomes apart. Class 0 is that of the empty sum.

    Parameters
    ----------
    representatives : tuple of tuple of int
        A sum for each class.
    product : tuple of tuple of int
        ``product[a][b]`` is the class of a sum of two.
    heap : tuple of int
        ``heap[n]`` is the class of heap n (``heap[0]`` = 0).
    p : frozenset of int
        The classes of P-positions.
    proved : bool
        The classes are right for sums of any length, by induction over all pairs (class, classes of options).

    Examples
    --------
    >>> found = pm.games.misere_quotient(pm.games.Nim(), 3)
    >>> found.representatives, sorted(found.p)
    (((), (1,), (2,), (3,), (2, 2), (2, 3)), [1, 4])
    >>> found.class_of((3, 3, 2)), found.is_p((1,) * 1001)
    (2, True)
    """

    representatives: tuple[tuple[int, ...], ...]
    product: tuple[tuple[int, ...], ...]
    heap: tuple[int, ...]
    p: frozenset[int]
    proved: bool

    @property
    def order(self) -> int:
        """Number of classes."""
        return len(self.representatives)

    def class_of(self, heaps: tuple[int, ...]) -> int:
        """Class of a sum of heaps.

        Parameters
        ----------
        heaps : tuple of int
        """
        at = 0
        for size in heaps:
            at = self.product[at][self.heap[size]]
        return at

    def is_p(self, heaps: tuple[int, ...]) -> bool:
        """Whether the previous player wins the sum in misere play.

        Parameters
        ----------
        heaps : tuple of int
        """
        return self.class_of(heaps) in self.p


def misere_quotient(
    game: HeapGame, largest: int, *, max_order: int = 200, max_tests: int = 4, max_states: int = 200_000
) -> MisereQuotient:
    """The misere quotient of the heaps up to `largest`, proved where the search stays in its bounds.

    Sums are told apart by sums of 1, 2, ... heaps until the classes found form a monoid that passes the proof.

    Parameters
    ----------
    game : HeapGame
    largest : int
    max_order : int
        So many classes at most.
    max_tests : int
        Sums of so many heaps at most tell others apart.
    max_states : int
        The proof meets so many pairs at most.

    Returns
    -------
    MisereQuotient
        The classes of the last try, with proved=False, if none passes the proof.

    Raises
    ------
    ValueError
        More than `max_order` classes appear (the quotient may be infinite), or no monoid does.

    Examples
    --------
    >>> found = pm.games.misere_quotient(pm.games.Kayles(), 5)
    >>> found.order, found.proved
    (12, True)
    """
    largest = as_count(largest, "the largest heap")
    candidate = None
    for size in range(1, max_tests + 1):
        found = _candidate(game, largest, size, max_order)
        if found:
            candidate = found
            if _proof(game, found, max_states):
                return replace(found, proved=True)
    if candidate is None:
        raise ValueError(f"sums of up to {max_tests} heaps do not show a monoid: give more max_tests")
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
    """Whether the classes give the right outcome for every sum.

    A sum X has a state: its class and the set of the classes of its options. The state of X + h follows from those of
    X and of h, so finitely many states stand for all sums, and each is checked against the rule of misere play.
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
