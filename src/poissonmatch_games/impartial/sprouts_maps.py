"""Sprouts as maps in the plane, to draw a play.

A map has the spots, the order of the curves around each, and the regions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np

from poissonmatch.utils.errors import BadInput, quoted

from ..pictures.drawings import packed_circles, spread, sprouts_svg
from .position_checks import as_count
from .sprouts import NOTHING, Sprouts, canonical_text, least_text

MAX_DRAWN = 5  # spots of a drawing
Face = tuple[int, ...]


class SproutsMap(NamedTuple):
    """A position of Sprouts as a map of spots and curves in the plane.

    Each half of a curve is a dart, a number, and dart d ^ 1 is the other half of dart d. A face is
    the walk of its darts; of a spot without ends, (-1 - spot,).

    Parameters
    ----------
    around : tuple of tuple of int
        For each spot the darts that leave it, in their order around it.
    regions : tuple of tuple of tuple of int
        For each region its faces. The largest region is drawn outside.

    Examples
    --------
    >>> drawing = pm.games.impartial.sprouts_drawing(1)
    >>> drawing.around, [after.text() for after in drawing.moves()]
    (((),), ['ab.|ab.'])
    """

    around: tuple[tuple[int, ...], ...]
    regions: tuple[tuple[Face, ...], ...]

    def tails(self) -> dict[int, int]:
        """Return the spot that each dart leaves.

        Returns
        -------
        dict of int
            Number of the spot for each dart.
        """
        return {dart: spot for spot, darts in enumerate(self.around) for dart in darts}

    def walk(self, dart: int) -> Face:
        """Return the darts of a face, from this one on.

        Parameters
        ----------
        dart : int
            Number of the dart.

        Returns
        -------
        Face
            Darts in the order of the walk.
        """
        tail, walk = self.tails(), [dart]
        while True:
            own = self.around[tail[walk[-1] ^ 1]]
            following = own[(own.index(walk[-1] ^ 1) + 1) % len(own)]
            if following == dart:
                return tuple(walk)
            walk.append(following)

    def text(self) -> str:
        """Return the position as a canonical text of `Sprouts`.

        Returns
        -------
        str
            A text of `Sprouts`.
        """
        tail = self.tails()
        regions = [[[-1 - f[0]] if f[0] < 0 else [tail[d] for d in f] for f in region] for region in self.regions]
        return canonical_text(regions, {spot: len(darts) for spot, darts in enumerate(self.around)})

    def moves(self) -> Iterator[SproutsMap]:
        """Yield the maps after a move.

        Each corner of a region is joined to each other, with the rest on both sides in all ways.

        Yields
        ------
        SproutsMap
            Drawing after the move.
        """
        tail = self.tails()
        for index, region in enumerate(self.regions):
            corners = [(face, end) for face in region for end in face]
            for (face, a), (other, b) in combinations_with_replacement(corners, 2):
                u, v = (-1 - end if end < 0 else tail[end ^ 1] for end in (a, b))
                if max(len(self.around[u]), len(self.around[v])) > 2 or (u == v and len(self.around[u]) > 1):
                    continue
                yield from self._joined(index, face, other, (u, a), (v, b))

    def _joined(
        self, index: int, face: Face, other: Face, one: tuple[int, int], two: tuple[int, int]
    ) -> Iterator[SproutsMap]:
        first = sum(map(len, self.around))
        around = [list(darts) for darts in self.around]
        for (spot, corner), dart in ((one, first), (two, first + 2)):
            around[spot].insert(around[spot].index(corner ^ 1) + 1 if corner >= 0 else len(around[spot]), dart)
        bare = SproutsMap((*map(tuple, around), (first + 1, first + 3)), ())
        before, after = self.regions[:index], self.regions[index + 1 :]
        rest = [f for f in self.regions[index] if f not in (face, other)]
        left = bare.walk(first)
        if first + 1 in left:
            yield bare._replace(regions=(*before, (left, *rest), *after))
            return
        right = bare.walk(first + 1)
        for inside in product((True, False), repeat=len(rest)):
            sides = [
                (left, *(f for f, yes in zip(rest, inside, strict=True) if yes)),
                (right, *(f for f, yes in zip(rest, inside, strict=True) if not yes)),
            ]
            yield bare._replace(regions=(*before, sides[0], *after, sides[1]))

    def places(self) -> tuple[list[tuple[float, float]], list[tuple[int, tuple[float, float], int]]]:
        """Return the places of the spots, and of each curve, in the unit disc.

        No two curves cross.

        Returns
        -------
        list of (float, float)
            Places of the spots.
        list of (int, (float, float), int)
            Spot, place of the middle and spot of each curve.
        """
        tail, spots = self.tails(), len(self.around)
        real = spots + len(tail) // 2
        count, walks = real, [walk for region in self.regions for walk in self._linked(region, tail)]
        outer = max(walks, key=len)
        triangles: list[tuple[int, int, int]] = []
        rim: set[int] = set()
        for walk in walks:  # a ring of points along it, and one in the middle
            each = 3 if len(walk) < 3 else 1
            ring = range(count, count + each * len(walk))
            count += len(ring)
            for k, point in enumerate(ring):
                corner, following, after = walk[k // each], walk[(k + 1) // each % len(walk)], ring[(k + 1) % len(ring)]
                triangles.append((point, after, following))
                triangles += [(point, following, corner)] * (corner != following)
                triangles += [(count, after, point)] * (walk is not outer)
            count += walk is not outer
            rim |= set(ring) if walk is outer else set()
        packed = _centered(packed_circles(triangles, count, rim), real, 1.0)
        places = _centered(spread(packed, triangles)[:real], real, 1e-9)
        at = [(float(x), float(y)) for x, y in places]
        return at[:spots], [(tail[2 * k], at[spots + k], tail[2 * k + 1]) for k in range(len(tail) // 2)]

    def _linked(self, region: tuple[Face, ...], tail: dict[int, int]) -> list[list[int]]:
        """Return the walks of a region after its boundaries are linked.

        The walks are of spots and middles of curves. Boundaries are linked at two places if they
        have them.
        """
        faces: list[list[int]] = []
        for face in region:
            own = [-1 - face[0]] if face[0] < 0 else [p for d in face for p in (tail[d], len(self.around) + d // 2)]
            if not faces:
                faces = [own]
                continue
            faces.sort(key=len)
            wide = faces.pop()
            closed = [*own, *own[: len(own) > 1]]
            merged = [*closed, *wide, *wide[: len(wide) > 1]]
            if len(merged) < 3:
                linked = [merged]
            else:
                other = [k for k, p in enumerate(wide) if p != wide[0]]
                p = len(own) // 2
                q = len(closed) + next((k for k in other if 2 * k >= len(wide)), other[0] if other else 0)
                linked = [merged[p : q + 1], [*merged[q:], *merged[: p + 1]]]
            faces += linked
        return faces

    def to_svg(self, title: str = "") -> str:
        """Return the drawing as an SVG picture: dots and curves.

        Spots without a free end are gray.

        Parameters
        ----------
        title : str, optional
            Title of the picture, by default none.

        Returns
        -------
        str
            An SVG document.
        """
        return sprouts_svg(*self.places(), list(map(len, self.around)), title)


def _centered(places: np.ndarray, count: int, min_radius: float) -> np.ndarray:
    """Return places such that the first `count` are in the unit disc around the origin.

    A radius below `min_radius` is not enlarged.
    """
    own = places[:count]
    places = places - (own.min(axis=0) + own.max(axis=0)) / 2
    return places / max(min_radius, float(np.hypot(*places[:count].T).max()))


def sprouts_drawing(spots: int, moves: Iterable[str] = ()) -> SproutsMap:
    """Return the drawing of a play of Sprouts; `to_svg()` of it is the picture.

    Parameters
    ----------
    spots : int
        From 1 to 5.
    moves : iterable of str, optional
        The position after each move, a text of `Sprouts`. By default there are none.

    Returns
    -------
    SproutsMap
        The drawing after the last move.

    Raises
    ------
    ValueError
        If there are more than 5 spots, or no move leads to a position; the message has its number.

    Examples
    --------
    >>> drawing = pm.games.impartial.sprouts_drawing(2, ["1a1a.", "1ab.|ab."])
    >>> len(drawing.around), drawing.text(), drawing.to_svg()[:4]
    (4, '1ab.|ab.', '<svg')
    """
    count = as_count(spots, "the number of spots")
    if not 1 <= count <= MAX_DRAWN:
        raise BadInput(f"a drawing begins with 1 to {MAX_DRAWN} spots, got {count}")
    game = Sprouts()
    drawing = SproutsMap(((),) * count, (tuple((-1 - spot,) for spot in range(count)),))
    for number, move in enumerate(moves, 1):
        if not isinstance(move, str):
            raise TypeError(f"a move must be text, as `moves` describes, got {quoted(move)}")
        text = least_text(game.read(move))
        following = next((after for after in drawing.moves() if least_text(after.text()) == text), None)
        if following is None:
            raise BadInput(f"move {number}: no move leads from {drawing.text() or NOTHING} to {quoted(move)}")
        drawing = following
    return drawing
