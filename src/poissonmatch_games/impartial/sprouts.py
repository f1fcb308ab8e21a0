"""Sprouts: spots are joined by curves that do not cross, each with a new spot on it.

A spot has at most three ends.

The representation is that of [AJS] and [LV]: a position is a list of regions, a region a list of
boundaries (the connected parts of the drawing that it touches), a boundary the sequence of spots on
a walk around it. Spots with three ends are left out.

Sources: [AJS] Applegate, Jacobson, Sleator, *Computer analysis of Sprouts* (1991); [LV] Lemoine,
Viennot, *Computer analysis of Sprouts with nimbers* (2015) and *Analysis of misere Sprouts game
with reduced canonical trees* (2009).
"""

import re
import string
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import reduce
from itertools import chain, combinations, count, permutations, product
from math import factorial, prod
from operator import xor
from typing import Any

from poissonmatch.utils.errors import quoted

from .base import ImpartialGame
from .position_checks import as_count

Region = tuple[str, ...]  # boundaries, with a character for each spot on the walk
Land = tuple[Region, ...]

# free ends of spots that occur once; spots that occur twice are letters, with one free end
LIVES = {"0": 3, "1": 2, "2": 1}
MAX_SPOTS = 12
NOTHING = "nothing"  # the text of the terminal position
ROUNDS = 3  # of sorting by neighbors
FIRST_COLOR = 0x4E00  # code of the first rank of a letter, during sorting
MAX_ORDERS = 5040  # of letters of equal rank


class Sprouts(ImpartialGame):
    r"""Sprouts, by search; a position is the initial number of spots, or text.

    In the text every boundary ends with a dot, and regions are separated by bars: "0.0." is two
    spots, "ab.\|ab.0." a closed curve with two spots that have a free end each, and a spot outside.
    The digits 0, 1, 2 are spots with that number of ends that occur once on the walks, letters are
    spots with two ends that occur twice. Texts are sorted, so that few equal positions have
    different texts. Winners are known up to 44 spots ([LV]).

    Examples
    --------
    >>> [pm.games.impartial.Sprouts().outcome(spots) for spots in (1, 2, 3)]
    ['P', 'P', 'N']
    >>> pm.games.impartial.Sprouts().options(2), pm.games.impartial.Sprouts().winning_move(3)
    (['1a1a.', '0.ab.|ab.'], '0.1a1a.')
    """

    notation = (
        "A position is the boundaries of its regions: each boundary is the spots on a walk around it and a dot, and | separates regions. "
        "0, 1, 2 is a spot with that many ends that the walks meet once, a letter one with two ends that they meet twice; spots with "
        "three ends are left out. Two spots are 0.0. and joined 1a1a. The web page (--page) draws it."
    )

    def validate(self, position: Any) -> str:
        """Return the canonical text; an integer is a number of spots."""
        if not isinstance(position, str):
            spots = as_count(position, "the number of spots")
            if spots > MAX_SPOTS:
                raise ValueError(f"the number of spots must be at most {MAX_SPOTS}, got {spots}")
            return "0." * spots
        return _text(_checked(position))

    def read(self, text: str) -> str:
        """Return the position given as a number of spots or as text."""
        text = text.strip()
        number = re.fullmatch(r"[0-9]{1,9}", text)
        return self.validate(int(text) if number else "" if text == NOTHING else text)

    def show(self, position: Any) -> str:
        """Return the text; "nothing" for the terminal position."""
        return str(position) or NOTHING

    def options(self, position: Any) -> list[str]:
        """Return the canonical texts of the options, short ones first."""
        return self._options(self.validate(position))

    def _key(self, position: str) -> str:
        return least_text(position)

    def _options(self, position: str) -> list[str]:
        after = self._memos["options"]
        if position not in after:
            if len(after) >= self.max_positions:
                raise MemoryError(f"{quoted(position)} needs more than max_positions = {self.max_positions} positions")
            options = dict.fromkeys(_text(option) for option in dict.fromkeys(_moves(_read(position))))
            after[position] = sorted(options, key=lambda text: (len(text), text))  # simple positions first
        return after[position]

    def _value(self, position: str, misere: bool) -> int:
        if misere:
            return super()._value(position, True)
        return reduce(xor, (self._land_value(land) for land in _lands(position)), 0)

    def _land_value(self, land: str) -> int:
        return next(n for n in count() if self._is_lost(land, n))

    def _is_lost(self, land: str, heap: int) -> bool:
        """Return whether a land plus a heap of Nim is P.

        This needs fewer values than a mex ([LV]).
        """
        lost = self._memos["lost"]
        if (land, heap) not in lost:
            smaller = any(self._is_lost(land, n) for n in range(heap))
            lost[land, heap] = not smaller and not any(self._is_zero(after, heap) for after in self._options(land))
        return lost[land, heap]

    def _is_zero(self, position: str, heap: int) -> bool:
        *lands, last = _lands(position) or [""]
        return self._is_lost(last, reduce(xor, map(self._land_value, lands), heap))

    def _is_p(self, position: str, misere: bool) -> bool:
        return self._loses(position) if misere else self._is_zero(position, 0)

    def _loses(self, position: str) -> bool:
        """Return whether the previous player wins in misere play.

        The search uses as few positions as possible.
        """
        lost = self._memos["lost in misere play"]
        if position not in lost:
            options = self._options(position)
            lost[position] = bool(options) and not any(self._loses(option) for option in options)
        return lost[position]


def _checked(text: str) -> Land:
    """Return the regions given as text. Raises ValueError for an illegal position."""
    land = _read(text)
    spots = Counter(spot for region in land for boundary in region for spot in boundary)
    wrong = [s for s, n in spots.items() if s not in string.ascii_letters + "012" or (s not in LIVES and n != 2)]
    alone = [b for region in land for b in region if not b or ("0" in b and len(b) > 1)]
    twice = [r for r in land if any(n > 1 for s, n in Counter(s for b in r for s in set(b)).items() if s not in LIVES)]
    if _written(land) != text or wrong or alone or twice:
        raise ValueError(
            "a position must be a number of spots, or boundaries that end with dots, as in '0.0.' or 'ab.|ab.0.', where each "
            f"letter occurs twice and 0 is alone, got {quoted(text)}"
        )
    return land


def _read(text: str) -> Land:
    return tuple(tuple(region.split(".")[:-1]) for region in text.split("|") if region)


def _written(land: Land) -> str:
    return "|".join("".join(boundary + "." for boundary in region) for region in land)


def _named(land: Land) -> tuple[list[list[list[int]]], dict[int, int]]:
    """Return the regions with a number for each spot, and the number of ends of each."""
    ends: dict[int, int] = {}
    numbers: dict[str, int] = {}

    def number(spot: str) -> int:
        if spot in numbers:
            return numbers[spot]
        new = len(ends)
        ends[new] = int(spot) if spot in LIVES else 2
        if spot not in LIVES:
            numbers[spot] = new
        return new

    return [[[number(spot) for spot in boundary] for boundary in region] for region in land], ends


def _moves(land: Land) -> Iterator[Land]:
    """Yield the options of a land.

    Two boundaries of a region are joined, or one is cut and the others are divided between its
    sides.
    """
    regions, ends = _named(land)
    new = len(ends)
    for index, region in enumerate(regions):
        others = regions[:index] + regions[index + 1 :]
        for one, two in combinations(range(len(region)), 2):
            rest = [b for k, b in enumerate(region) if k not in (one, two)]
            for i, j in product(range(len(region[one])), range(len(region[two]))):
                u, v = region[one][i], region[two][j]
                joined = [*_round(region[one], i, ends), new, *_round(region[two], j, ends), new]
                yield _reduced([*others, [joined, *rest]], _grown(ends, u, v, new))
        for one, boundary in enumerate(region):
            rest = [b for k, b in enumerate(region) if k != one]
            for i in range(len(boundary)):
                for j in range(i, len(boundary)):
                    u, v = boundary[i], boundary[j]
                    if u == v and (ends[u] > 1 or i != j):
                        continue
                    inner, outer = [*boundary[i : j + 1], new], [*boundary[j:], *boundary[: i + 1], new]
                    grown = _grown(ends, u, v, new)
                    for mask in range(2 ** len(rest)):
                        inside = [b for k, b in enumerate(rest) if mask >> k & 1]
                        outside = [b for k, b in enumerate(rest) if not mask >> k & 1]
                        yield _reduced([*others, [inner, *inside], [outer, *outside]], grown)


def _round(boundary: list[int], start: int, ends: dict[int, int]) -> list[int]:
    """Return the walk from a spot around the boundary and back; a spot without ends occurs once."""
    walk = boundary[start:] + boundary[:start]
    return walk + walk[:1] if ends[walk[0]] else walk


def _grown(ends: dict[int, int], u: int, v: int, new: int) -> dict[int, int]:
    grown = {**ends, new: 2}
    grown[u] += 1
    grown[v] += 1
    return grown


def _reduced(regions: list[list[list[int]]], ends: dict[int, int]) -> Land:
    """Remove spots with three ends, empty boundaries, and regions without a move."""
    kept = []
    for region in regions:
        live = [part for boundary in region if (part := [spot for spot in boundary if ends[spot] < 3])]
        if sum(3 - ends[spot] for spot in {spot for part in live for spot in part}) >= 2:
            kept.append([_unpaired(part, ends) for part in live])
    met = Counter(spot for region in kept for part in region for spot in part)
    names = iter(string.ascii_letters)
    twice = {spot: next(names) for spot in met if met[spot] == 2}
    return tuple(tuple(sorted("".join(twice.get(s, str(ends[s])) for s in part) for part in region)) for region in kept)


def _unpaired(part: list[int], ends: dict[int, int]) -> list[int]:
    """Merge two consecutive occurrences of a spot: both sides have the same moves."""
    return [spot for k, spot in enumerate(part) if k == 0 or spot != part[k - 1]][
        : -1 if len(part) > 1 and part[0] == part[-1] and len(set(part)) > 1 else None
    ]


def _text(land: Land) -> str:
    """Return the text with letters sorted by their neighbors, then named in order of occurrence.

    Positions whose letters have equal neighbors, such as ab.|abcd.|cd. and ab.|abdc.|cd., may have
    two texts; this costs only time.
    """
    return _renamed(land, _colors(land))


def _colors(land: Land) -> dict[int, str]:
    """Return a rank for each letter, by its neighbors."""
    spots = {spot for region in land for boundary in region for spot in boundary if spot not in LIVES}
    colors = dict.fromkeys(map(ord, spots), "~")
    for _ in range(ROUNDS if len(spots) > 1 else 0):
        near: dict[str, list[Any]] = defaultdict(list)
        for region in land:
            around = [walk for walk, _ in _best(region, colors)]
            for boundary in region:
                walk = boundary.translate(colors)
                for k, spot in enumerate(boundary):
                    if spot not in LIVES:
                        turned = walk[k:] + walk[:k]
                        near[spot].append((around, min(turned, turned[0] + turned[:0:-1])))
        for neighbors in near.values():
            neighbors.sort()
        ranks = sorted(near.values())
        colors = {ord(spot): chr(FIRST_COLOR + ranks.index(neighbors)) for spot, neighbors in near.items()}
    return colors


def _renamed(land: Land, colors: dict[int, str]) -> str:
    order = sorted(_best(region, colors) for region in land)
    names: dict[int, str] = {}
    for walks in order:
        for spot in (spot for _, boundary in walks for spot in boundary if spot not in LIVES):
            names.setdefault(ord(spot), string.ascii_letters[len(names)])
    renamed = [tuple(boundary.translate(names) for _, boundary in walks) for walks in order]
    return _written(tuple(sorted(tuple(boundary for _, boundary in _best(region, {})) for region in renamed)))


def least_text(text: str) -> str:
    """Return the least text of a position, which equal positions share.

    Letters of equal rank are taken in every order. If there are more than MAX_ORDERS orders, the
    text is returned as it is.
    """
    land, ranks = _read(text), defaultdict(list)
    for letter, rank in sorted(_colors(land).items(), key=lambda item: item[1]):
        ranks[rank].append(letter)
    if prod(factorial(len(letters)) for letters in ranks.values()) > MAX_ORDERS:
        return text
    orders = product(*map(permutations, ranks.values()))
    return min(_renamed(land, {s: chr(FIRST_COLOR + k) for k, s in enumerate(chain(*order))}) for order in orders)


def _best(region: Region, colors: dict[int, str]) -> list[tuple[str, str]]:
    """Return the smallest form of a region, by the colors of its letters first.

    Its boundaries are rotated, all or none reversed, and sorted.
    """
    forms = []
    for sign in (1, -1):
        turned = [[(walk[k:] + walk[:k])[::sign] for k in range(len(walk))] for walk in region]
        forms.append(sorted(min((turn.translate(colors), turn) for turn in turns) for turns in turned))
    return min(forms)


def _lands(text: str) -> list[str]:
    """Return the canonical texts of the summands, that is of regions connected by common spots."""
    if "|" not in text:
        return [text] if text else []
    groups: list[tuple[set[str], list[Region]]] = []
    for region in _read(text):
        letters = {spot for boundary in region for spot in boundary if spot not in LIVES}
        touching = [group for group in groups if group[0] & letters]
        groups = [group for group in groups if not group[0] & letters]
        merged = [r for _, regions in touching for r in regions]
        groups.append((letters.union(*(spots for spots, _ in touching)), [*merged, region]))
    return sorted((_text(tuple(regions)) for _, regions in groups), key=len)
