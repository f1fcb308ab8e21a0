"""A pattern matched in tiles, to compare with its matching as a whole."""

import numpy as np

import poissonmatch as pm
from poissonmatch.matching import tiles as tiling
from poissonmatch.points.tiled import Part
from poissonmatch.rules.catalogue import rule_named


def match_in_tiles(pattern, rule, tiles):
    """Return what match does, for a pattern on a torus; tiles: their number along each side, a power of two."""
    rule, torus, points = rule_named(rule), pattern.geometry, pattern.points
    cube = np.minimum((points * (tiles / torus.sides)).astype(np.int64), tiles - 1)
    number = np.ravel_multi_index(tuple(cube.T), (tiles,) * torus.dim)
    order = np.argsort(number, kind="stable")
    start = np.searchsorted(number[order], np.arange(tiles**torus.dim + 1))
    partner, distance = np.full(len(pattern), -1), np.full(len(pattern), np.inf)

    def tile(corner):
        at = np.ravel_multi_index(corner, (tiles,) * torus.dim)
        names = order[start[at] : start[at + 1]]
        return Part(points[names], pattern.colors[names], names)

    def settled(part, found, lengths, which):
        which = which & (found >= 0)
        partner[part.names[which]] = part.names[found[which]]
        distance[part.names[which]] = lengths[which]

    tiling.match_in_tiles(torus, rule, tiles, tile, settled)
    return pm.Matching(partner, distance, rule, pattern)
