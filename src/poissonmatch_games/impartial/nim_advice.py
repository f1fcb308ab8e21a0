"""Practical strategy of Nim in words: equal heaps, otherwise powers of two.

Source: [M] MIT SP.268, *Theory of impartial games*.
"""

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import xor

from .position_checks import as_heaps


def powers(heap: int) -> list[int]:
    """Return the powers of two that sum to the heap, largest first."""
    return [1 << k for k in reversed(range(heap.bit_length())) if heap >> k & 1]


def unpaired(heaps: tuple[int, ...]) -> list[int]:
    """Return the powers of two that occur in an odd number of heaps (those of the XOR), largest first."""
    counts = Counter(power for heap in heaps for power in powers(heap))
    return sorted((power for power, count in counts.items() if count % 2), reverse=True)


def binary_columns(heaps: Sequence[int]) -> list[str]:
    r"""Return the nim-sum of heaps as [M] writes it.

    The heaps are in binary below each other, and under each column is its sum modulo 2.

    Parameters
    ----------
    heaps : sequence of int
        Sizes of the heaps, from 0.

    Returns
    -------
    list of str
        Lines of text.

    Examples
    --------
    >>> print("\n".join(pm.games.impartial.binary_columns((3, 4, 5))))
    3  0 1 1
    4  1 0 0
    5  1 0 1
       -----
    2  0 1 0
    """
    heaps = as_heaps(heaps)
    total = reduce(xor, heaps, 0)
    digits, names = max([1, *(heap.bit_length() for heap in heaps)]), [str(heap) for heap in (*heaps, total)]
    wide = max(map(len, names))
    rows = [
        f"{name:>{wide}}  {' '.join(f'{heap:0{digits}b}')}" for name, heap in zip(names, (*heaps, total), strict=True)
    ]
    return [*rows[:-1], f"{'':{wide}}  {'-' * (2 * digits - 1)}", rows[-1]]


def practical(heaps: tuple[int, ...], misere: bool) -> list[str]:
    """Return the advice for a position, as in [M]."""
    rest = sorted(heap for heap in heaps if heap)
    if misere and (not rest or rest[-1] == 1):
        return [f"Only heaps of one are left, {len(rest)} of them: the player to move wins if their number is even."]
    if misere and (len(rest) == 1 or rest[-2] == 1):
        keep = len(rest) % 2
        return [f"Take {rest[-1] - keep} from the heap of {rest[-1]}: then an odd number of heaps of one is left."]
    odd = unpaired(heaps)
    if not odd:
        if len(rest) == 2:
            return ["The two heaps are equal: the other player copies every move."]
        return ["Every power of two is in an even number of heaps, so every move spoils it."]
    twins = [heap for heap, count in Counter(rest).items() if count == 2]
    copied = "and every move can be copied."
    if len(rest) == 2:
        return [f"Take {rest[1] - rest[0]} from the heap of {rest[1]}: then the two heaps are equal, {copied}"]
    if len(rest) == 3 and twins:
        (third,) = set(rest) - set(twins)
        return [f"Take the whole heap of {third}: then the two heaps left are equal, {copied}"]
    heap = next(heap for heap in reversed(rest) if odd[0] in powers(heap))
    after = heap ^ reduce(xor, heaps)
    sums = [f"{heap} = {' + '.join(map(str, powers(heap)))}" for heap in rest]
    return [
        "; ".join(sums) + ".",
        f"In an odd number of heaps: {', '.join(map(str, odd))}. Take {heap - after} from the heap of {heap}, which leaves "
        f"{' + '.join(map(str, powers(after))) or 'nothing'} of it: then every power is in an even number of heaps.",
    ]
