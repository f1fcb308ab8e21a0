"""The practical strategy of Nim in words: two equal heaps, and else powers of two.

Source: [M] MIT SP.268, *Theory of impartial games*.
"""

from collections import Counter
from functools import reduce
from operator import xor


def powers(heap: int) -> list[int]:
    """The powers of two that a heap is the sum of, the largest first."""
    return [1 << k for k in reversed(range(heap.bit_length())) if heap >> k & 1]


def unpaired(heaps: tuple[int, ...]) -> list[int]:
    """The powers of two that are in an odd number of heaps, the largest first: those of the XOR."""
    counts = Counter(power for heap in heaps for power in powers(heap))
    return sorted((power for power, count in counts.items() if count % 2), reverse=True)


def practical(heaps: tuple[int, ...], misere: bool) -> list[str]:
    """What to do in a position, in the words of [M]."""
    left = sorted(heap for heap in heaps if heap)
    if misere and (not left or left[-1] == 1):
        return [f"Only heaps of one are left, {len(left)} of them: who is to move wins if their number is even."]
    if misere and (len(left) == 1 or left[-2] == 1):
        ones = len(left) - 1
        keep = 1 - ones % 2
        return [f"Take {left[-1] - keep} from the heap of {left[-1]}: then an odd number of heaps of one is left."]
    odd = unpaired(heaps)
    if not odd:
        mirror = ["The two heaps are equal: the other player copies every move."] if len(left) == 2 else []
        return mirror or ["Every power of two is in an even number of heaps, so every move spoils it."]
    twins = [heap for heap, count in Counter(left).items() if count == 2]
    if len(left) == 2:
        return [
            f"Take {left[1] - left[0]} from the heap of {left[1]}: then the two heaps are equal, and every move can be copied."
        ]
    if len(left) == 3 and twins:
        (third,) = set(left) - set(twins)
        return [f"Take the whole heap of {third}: then the two heaps left are equal, and every move can be copied."]
    heap = next(heap for heap in reversed(left) if odd[0] in powers(heap))
    after = heap ^ reduce(xor, heaps)
    sums = [f"{heap} = {' + '.join(map(str, powers(heap)))}" for heap in left]
    return [
        "; ".join(sums) + ".",
        f"In an odd number of heaps: {', '.join(map(str, odd))}. Take {heap - after} from the heap of {heap}, so that "
        f"{' + '.join(map(str, powers(after))) or 'nothing'} is left of it: then every power is in an even number of heaps.",
    ]
