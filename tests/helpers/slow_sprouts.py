"""Sprouts by its definition, on maps in the plane: a slow twin that shares no code with the package, and knows no equal positions.

A map is, for each spot, the darts that leave it in the order in which they lie around it; dart d ^ 1 is the other half of d. Its
faces are the walks around it. A region of the plane is a set of faces, one of each connected part that touches it.
"""

import itertools
from typing import NamedTuple


class Map(NamedTuple):
    """around: for each spot its darts. regions: sets of faces, a face being the set of its darts, or the spot alone, as -1 - spot."""

    around: tuple
    regions: frozenset

    def head(self, dart):
        return next(spot for spot, darts in enumerate(self.around) if dart ^ 1 in darts)

    def walk(self, dart):
        """The darts of a face, from this one on."""
        darts, walk = {}, dart
        while walk not in darts:
            darts[walk] = None
            mine = self.around[self.head(walk)]
            walk = mine[(mine.index(walk ^ 1) + 1) % len(mine)]
        return list(darts)


def start(spots):
    return Map(((),) * spots, frozenset([frozenset(frozenset([-1 - s]) for s in range(spots))]))


def moves(map_):
    """All maps after a move, each corner with each other of its region, the rest shared out in all ways; in a fixed order."""
    for region in sorted(map_.regions, key=lambda region: sorted(map(sorted, region))):
        corners = [(face, end) for face in sorted(region, key=sorted) for end in sorted(face)]
        for (face, a), (other, b) in itertools.combinations_with_replacement(corners, 2):
            u, v = (-1 - end if end < 0 else map_.head(end) for end in (a, b))
            if max(len(map_.around[u]), len(map_.around[v])) > 2 or (u == v and len(map_.around[u]) > 1):
                continue
            yield from joined(map_, region, face, other, (u, a), (v, b))


def joined(map_, region, face, other, one, two):
    first = sum(map(len, map_.around))
    there, back, on, off = first, first + 1, first + 2, first + 3  # u -> new, new -> u, new -> v, v -> new
    around = [list(darts) for darts in map_.around]
    for (spot, corner), dart in ((one, there), (two, off)):
        place = around[spot].index(corner ^ 1) + 1 if corner >= 0 else len(around[spot])
        around[spot].insert(place, dart)
    new = Map((*map(tuple, around), (back, on)), frozenset())
    sides = {frozenset(new.walk(dart)) for dart in (there, back)}
    rest = sorted((f for f in region if f not in (face, other)), key=sorted)
    others = map_.regions - {region}
    if len(sides) == 1:
        yield Map(new.around, others | {frozenset([*rest, *sides])})
        return
    left, right = sorted(sides, key=sorted)
    for inside in itertools.product((True, False), repeat=len(rest)):
        within = frozenset([left, *(f for f, yes in zip(rest, inside, strict=True) if yes)])
        yield Map(new.around, others | {within, frozenset([right, *(f for f in rest if f not in within)])})


def text(map_):
    """The map in the notation of the package."""
    ends = [len(darts) for darts in map_.around]
    letters = {}
    regions = []
    for region in map_.regions:
        words = ""
        for face in region:
            darts = list(face) if min(face) < 0 else map_.walk(min(face))
            spots = [-1 - d if d < 0 else map_.head(d) for d in darts]
            walk = [letters.setdefault(s, chr(97 + len(letters))) if ends[s] == 2 else str(ends[s]) for s in spots]
            word = "".join(c for c in walk if c != "3")
            words += word + "." if word else ""
        if words:
            regions.append(words)
    return "|".join(regions)
