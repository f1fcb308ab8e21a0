"""Points of a box whose partner, or distance to it up to a scale, points outside of the box may change."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

SLACK = 1e-9  # relative error of a distance that is allowed for: more points are marked, and the bound stays true


def influenced(
    points: np.ndarray, colors: np.ndarray, partner: np.ndarray, distance: np.ndarray, side: float, scale: float
) -> np.ndarray:
    """Return which points of a fussy matching in an open box can depend, up to a scale, on points outside of the box.

    Whatever the points outside are, each point that is not marked has the same partner in the stable matching of all points, if its
    partner distance is at most `scale`; if not, it has no partner within `scale` there either.

    A point is marked if it could prefer a point outside, min(X, scale) at least its distance to the boundary, and so is its partner.
    A marked point x with X(x) <= scale, which may stay free for longer, marks each point z that could prefer it: compatible with
    x, X(x) <= |xz| <= X(z), |xz| <= scale; and the partner of z. This is repeated until no point is added.

    Parameters
    ----------
    points : (n, dim) float64
        Coordinates from 0 to side.
    colors : (n,) int
        0 for green, 1 for red; two red points are not compatible.
    partner, distance : (n,)
        The matching of these points alone: partners (-1 for none), and distances X (inf for none).
    side, scale : float

    Returns
    -------
    (n,) bool
    """
    depth = np.minimum(points.min(axis=1), side - points.max(axis=1))
    marked = np.zeros(len(points), bool)
    new = _with_partners(np.flatnonzero(np.minimum(distance, scale) * (1 + SLACK) >= depth), partner, distance, scale)
    levels = _levels(points, distance, scale)
    while len(new):
        marked[new] = True
        sources = new[distance[new] <= scale]
        found = [_preferring(points, colors, distance, sources, *level) for level in levels]
        new = _with_partners(np.unique(np.concatenate(found)), partner, distance, scale)
        new = new[~marked[new]]
    return marked


def _with_partners(new: np.ndarray, partner: np.ndarray, distance: np.ndarray, scale: float) -> np.ndarray:
    """Return these points and their partners within the scale, each once."""
    return np.unique(np.concatenate([new, partner[new[distance[new] <= scale]]]))


def _levels(points: np.ndarray, distance: np.ndarray, scale: float) -> list[tuple[cKDTree, np.ndarray, float, float]]:
    """Return for each octave of distances (low, high] up to the scale the points with X >= low in a tree, with their indices.

    There are few such points within `high` of a place, about as many in each octave.
    """
    octaves = max(0, int(np.ceil(np.log2(scale / min(scale, max(np.median(distance), 1e-6 * scale))))))
    edges = [0.0, *(scale / 2.0**k for k in range(octaves, -1, -1))]
    found = []
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        members = np.flatnonzero(distance * (1 + SLACK) >= low)
        found.append((cKDTree(points[members], balanced_tree=False, compact_nodes=False), members, low, high))
    return found


def _preferring(
    points: np.ndarray,
    colors: np.ndarray,
    distance: np.ndarray,
    sources: np.ndarray,
    tree: cKDTree,
    members: np.ndarray,
    low: float,
    high: float,
) -> np.ndarray:
    """Return the points of a tree that are compatible with a source x, and at a distance of (low, high] in [X(x), X(z)]."""
    sources = sources[distance[sources] <= high * (1 + SLACK)]
    if not len(sources) or not len(members):
        return np.empty(0, np.int64)
    near = tree.query_ball_point(points[sources], high * (1 + SLACK))
    x = np.repeat(sources, [len(row) for row in near])
    z = members[np.concatenate([np.asarray(row, np.int64) for row in near])]
    apart = np.sqrt(((points[x] - points[z]) ** 2).sum(axis=1))
    prefers = (apart * (1 + SLACK) >= distance[x]) & (apart <= distance[z] * (1 + SLACK)) & (x != z)
    return np.unique(z[prefers & ~((colors[x] == 1) & (colors[z] == 1))])
