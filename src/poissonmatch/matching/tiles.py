"""The stable matching of a torus in tiles: never more than one tile is held, and what is left over of those before.

A stable matching stays stable when pairs are taken away, and a pair that holds whatever lies outside a box can be taken away at once.
So a tile is matched alone, its pairs that hold are settled, and the rest goes up: the rests of 2^d neighboring tiles are matched in the
box that they make together, and so on, until the torus is closed. Depth first, so that few rests wait. The pairs are those of the
torus as a whole: distances are the same numbers, and ties are broken by the same indices.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..points.geometry import Torus
from ..points.pattern import Pattern, as_pattern
from ..points.tiled import Corner, Part
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..utils.errors import BadInput
from ..utils.validation import check_int
from .match import vertex_cover
from .matching import Matching

MOST_DIM = 4  # in more, nearly all points of a tile are at its faces
MOST_TILES = 4096  # along an axis
ROUNDING = 2.0**-49  # of a side: more than what a distance to a face is off


# What is told of a part that was matched: the part, positions of the partners (-1: none), distances, and which points are settled.
Settle = Callable[[Part, np.ndarray, np.ndarray, np.ndarray], None]


def unfit(rule: Rule, dim: float) -> str:
    """Why there are no tiles for a rule and dimension; "" if there are."""
    if rule.bans_nearest:
        return "cannot be had in tiles: which pairs are mutually nearest in the whole, a tile does not know"
    if not rule.plain:
        return "cannot be had in tiles: a point whose pair is settled may take others, and a tile forgets it"
    return f"has no tiles: they are for d = 1 to {MOST_DIM}" if dim > MOST_DIM else ""


def check_tiles(tiles: int) -> int:
    """Parts of the side; raises BadInput unless it is a power of two."""
    tiles = check_int("tiles", tiles, 1, MOST_TILES)
    if tiles & (tiles - 1):
        raise BadInput(f"tiles must be a power of two, not {tiles}")
    return tiles


def settle(
    torus: Torus, rule: Rule, tiles: int, tile: Callable[[Corner], Part], settled: Settle, threads: int = 1
) -> None:
    """Match what lies in the tiles, sides / tiles wide, of a torus; each point is told once as settled.

    tile: the part in a tile. It is asked for each tile once, in an order in which those that are merged come together.
    """
    _Tiling(torus, rule, tiles, tile, settled, threads).rest(1, (0,) * torus.dim)


@dataclass(frozen=True)
class _Tiling:
    torus: Torus
    rule: Rule
    tiles: int
    tile: Callable[[Corner], Part]
    settled: Settle
    threads: int

    def rest(self, number: int, corner: Corner) -> Part:
        """What is left over in one of the boxes of which there are `number` along an axis."""
        if number == self.tiles:
            part = self.tile(corner)
        else:
            halves = itertools.product(*((2 * c, 2 * c + 1) for c in corner))
            part = _merged([self.rest(2 * number, half) for half in halves])
        partner, distance = self._match(part, np.full(self.torus.dim, np.inf) if number > 1 else self.torus.sides)
        loose = self._loose(part, partner, number, corner) if number > 1 else np.zeros(len(partner), bool)
        self.settled(part, partner, distance, ~loose)
        return part.taken(loose)

    def _match(self, part: Part, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        from ..engine import phases  # here, because numba takes longer to import than all the rest

        compatible = self.rule.matrix()
        colors = part.colors if len(compatible) > 1 else None
        counts = np.array([len(part.points)]) if colors is None else np.bincount(colors, minlength=len(compatible))
        starter = vertex_cover(compatible, counts)
        result = phases.run(phases.Task(part.points, colors, sides, compatible, starter, counts, threads=self.threads))
        return result.partners[:, 0], result.distances[:, 0]

    def _loose(self, part: Part, partner: np.ndarray, number: int, corner: Corner) -> np.ndarray:
        from ..engine.tiles import loose_points

        width = self.torus.sides / number  # exact: number is a power of two
        low = np.array(corner) * width
        compatible = self.rule.matrix()
        colors = part.colors if len(compatible) > 1 else np.zeros(len(partner), np.uint8)
        return loose_points(part.points, colors, compatible, partner, low, low + width, ROUNDING * self.torus.sides)


def _merged(parts: list[Part]) -> Part:
    names = np.concatenate([part.names for part in parts])
    points = np.concatenate([part.points for part in parts])
    return Part(points, np.concatenate([part.colors for part in parts]), names).taken(np.argsort(names, kind="stable"))


def match_in_tiles(pattern: Pattern, rule: str | Rule = "one-color", tiles: int = 2, *, threads: int = 1) -> Matching:
    """match, in tiles: the same matching. tiles: parts of each side, a power of two.

    Raises ValueError for a pattern that is not on a torus in d = 1 to 4, and a rule by which points have several partners or pairs
    are excluded.
    """
    rule, torus = rule_named(rule), as_pattern(pattern).geometry
    if not isinstance(torus, Torus):
        raise BadInput(f"tiles are those of a Torus, not of {torus}")
    if reason := unfit(rule, torus.dim):
        raise BadInput(f"this {reason}")
    tiles = check_tiles(tiles)
    points, sides = pattern.scaled()
    place = np.minimum((points * (tiles / sides)).astype(np.int64), tiles - 1)
    number = np.ravel_multi_index(tuple(place.T), (tiles,) * torus.dim)
    order = np.argsort(number, kind="stable")
    start = np.searchsorted(number[order], np.arange(tiles**torus.dim + 1))
    partner, distance = np.full((len(pattern), 1), -1), np.full((len(pattern), 1), np.inf)

    def tile(corner: Corner) -> Part:
        at = np.ravel_multi_index(corner, (tiles,) * torus.dim)
        names = order[start[at] : start[at + 1]]
        return Part(points[names], pattern.colors[names], names)

    def settled(part: Part, found: np.ndarray, lengths: np.ndarray, which: np.ndarray) -> None:
        which = which & (found >= 0)
        partner[part.names[which], 0] = part.names[found[which]]
        distance[part.names[which], 0] = np.ldexp(lengths[which], -pattern.exponent)

    settle(Torus(tuple(sides)), rule, tiles, tile, settled, check_int("threads", threads, 1))
    return Matching.__new__(Matching)._hold(partner, distance, rule, pattern)
