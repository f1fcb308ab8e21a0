"""Points of a box whose partner, or distance to it up to a scale, points outside of the box may change."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
from scipy.spatial import cKDTree

SLACK = 1e-9  # relative error of a distance that is allowed for: more points are marked, and the bound stays true


def influenced(
    points: np.ndarray, colors: np.ndarray, partner: np.ndarray, distance: np.ndarray, side: float, scale: float
) -> np.ndarray:
    """Return which points of a fussy matching in an open box can depend, up to a scale, on points outside of the box.

    Whatever the points outside are, each point that is not marked has the same partner in the
    stable matching of all points, if its partner distance is at most `scale`; if not, it has no
    partner within `scale` there either.

    A point is marked if it could prefer a point outside, min(X, scale) at least its distance to the
    boundary, and so is its partner. A marked point x with X(x) <= scale, which may stay free for
    longer, marks each point z that could prefer it: compatible with x, X(x) <= |xz| <= X(z), |xz|
    <= scale; and the partner of z. This is repeated until no point is added. Since X grows from
    mark to mark, it is done for one octave of distances after the other.

    An uncertain point may be there or not, and the matching is that without it. It is red and
    marked, with X = 0, and no point marks it.

    Parameters
    ----------
    points : (n, dim) float64
        Coordinates from 0 to side.
    colors : (n,) int
        0 for green, others for red; two red points are not compatible.
    partner, distance : (n,)
        The matching of these points alone: partners (-1 for none), and distances X (inf for none, 0
        if uncertain).
    side, scale : float

    Returns
    -------
    (n,) bool
    """
    depth = reduce(np.minimum, (np.minimum(along, side - along) for along in points.T))
    outward = np.flatnonzero(np.minimum(distance, scale) * (1 + SLACK) >= depth)
    marked = distance == 0
    uncertain = marked.any()
    marked[_with_partners(outward, partner, distance, scale)] = True
    members, low = np.arange(len(points)), 0.0
    for high in _octaves(distance, scale):
        members = members[distance[members] * (1 + SLACK) >= low]
        limit = math.inf if uncertain else 8 * high
        while _spread(
            points, colors, partner, distance, scale, marked, members[depth[members] <= limit], high, depth, limit
        ):
            limit *= 2
        low = high
    return marked


def _with_partners(new: np.ndarray, partner: np.ndarray, distance: np.ndarray, scale: float) -> np.ndarray:
    """Return these points and their partners within the scale, each once."""
    return np.unique(np.concatenate([new, partner[new[distance[new] <= scale]]]))


def _octaves(distance: np.ndarray, scale: float) -> list[float]:
    """Return distances up to the scale, each twice the one before; the first is at least the median partner distance, if that is less."""
    first = max(np.median(distance), 1e-6 * scale)
    number = max(0, math.floor(math.log2(scale / first))) if first < scale else 0
    return [scale / 2.0**k for k in range(number, -1, -1)]


def _spread(
    points: np.ndarray,
    colors: np.ndarray,
    partner: np.ndarray,
    distance: np.ndarray,
    scale: float,
    marked: np.ndarray,
    members: np.ndarray,
    high: float,
    depth: np.ndarray,
    limit: float,
) -> bool:
    """Mark the members that could prefer a marked point within a distance of `high`, and their partners, until none is added.

    Members are at most `limit` deep. Return whether a marked point is so deep that others could be
    missing.
    """
    tree = cKDTree(points[members], balanced_tree=False, compact_nodes=False) if len(members) else None
    reach = min(high * (1 + SLACK), scale)
    sources = np.flatnonzero(marked)
    sources = sources[distance[sources] <= reach]
    while len(sources) and tree is not None:
        if depth[sources].max() + high * (1 + SLACK) > limit < depth.max():
            return True
        near = tree.query_ball_point(points[sources], high * (1 + SLACK))
        x = np.repeat(sources, [len(row) for row in near])
        z = members[np.concatenate([np.asarray(row, np.int64) for row in near])]
        apart = np.sqrt(((points[x] - points[z]) ** 2).sum(axis=1))
        prefers = (apart * (1 + SLACK) >= distance[x]) & (apart <= distance[z] * (1 + SLACK)) & (x != z)
        prefers &= (colors[x] == 0) | (colors[z] == 0)
        new = _with_partners(np.unique(z[prefers]), partner, distance, scale)
        new = new[~marked[new]]
        marked[new] = True
        sources = new[distance[new] <= reach]
    return False
