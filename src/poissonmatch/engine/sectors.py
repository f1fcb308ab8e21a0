"""Sectors: bounds of distances between a point and the nodes of a tree, for points almost equally far from a center.

A bounding box excludes little if very many points are almost equally far, as those of a circle are
from the points near its center. A node therefore keeps the range of the distances of its active
points to a center, and the cone, seen from the center, that contains its points. The center is the
mean of the points of some node: of another color, if they are close together compared with their
distance from here; or of a node of its own color above it, if that is the center of more points of
other colors, or of points farther away.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .jit import Int, inlined, jit
from .layer import Layer, Tree

SEPARATED = 0.5  # (benchmarks/inputs.py) a node is a center of points at whose distance its standard deviation is at most this share
EPSILON = float(np.finfo(np.float64).eps)
MAX_DEVIATIONS = 1e9  # that are counted
TINY, HUGE = 1e-300, 1e150  # squares of HUGE are numbers


class Centers(NamedTuple):
    """What is known of each node while centers are chosen, and not later."""

    mean: np.ndarray  # (nodes, d): of all its points
    variance: np.ndarray  # (nodes,): mean squared distance to the mean
    votes: (
        np.ndarray
    )  # (nodes,): number of points of other colors of which it is a center, times distances in standard deviations
    center: np.ndarray  # (nodes,) int64: node whose mean is the center; -1 for none


@inlined
def first_of(part: int, level: int, n: Int) -> Int:
    """Return the first of n points that are in node number `part` of a level, counted from 0."""
    return (n * part) >> level


@inlined
def points_of(color: int, k: int, level: int, layer: Layer) -> tuple[Int, Int]:
    """Return the first position of the points of node k, at this level, of a color, and the one after the last."""
    begin = np.int64(layer.start[color])
    n, part = np.int64(layer.start[color + 1]) - begin, k - (1 << level)
    return begin + first_of(part, level, n), begin + first_of(part + 1, level, n)


@inlined
def shorter(t: float, side: float) -> float:
    """Return the difference t of two coordinates, or the one across the seam if that is shorter."""
    if t > 0.5 * side:
        return t - side
    if t < -0.5 * side:
        return t + side
    return t


@inlined
def sector_gap(node: Int, x: int, layer: Layer, tree: Tree) -> float:
    """Return a lower bound of the squared distances of x to the active points of a node; 0 or less if nothing is known.

    A bound of what squared_distance computes: all rounding is within the slack. The distance of x
    to the part of the cone within the range is that of two points of the plane, with the center and
    the smallest angle between x and the cone.
    """
    d = len(layer.dims)
    node = np.uintp(node)
    largest = tree.sector[node, 2 * d + 1]
    if largest < 0.0:
        return 0.0
    square = product = seam = 0.0
    for axis in range(d):
        side = layer.grid.sides[axis]
        t = shorter(layer.X[axis, np.uintp(x)] - tree.sector[node, axis], side)
        square += t * t
        product += t * tree.sector[node, d + axis]
        low = min(layer.X[axis, np.uintp(x)], tree.sector[node, axis], tree.box[node, axis])
        high = max(layer.X[axis, np.uintp(x)], tree.sector[node, axis], tree.box[node, d + axis])
        if high - low > 0.5 * side:
            seam += side
    s, low, high = np.sqrt(square), tree.sector[node, 2 * d + 2], tree.sector[node, 2 * d + 3]
    cosine, cone = 1.0, tree.sector[node, 2 * d]
    if s <= largest and product < s * cone:
        c = product / s
        sines = np.sqrt((max(1.0 - c * c, 0.0) + 4 * (d + 4) * EPSILON) * (1.0 - cone * cone))
        cosine = min(c * cone + sines, 1.0)
    r = min(max(s * cosine, low), high)
    square = (r - s) * (r - s)
    slack = (d + 8) * (square + 8.0 * r * s)
    if seam > 0.0:
        slack = (r + s) * (4 * (d + 4) * (r + s) + 6.0 * seam)
    return square + 2.0 * r * s * (1.0 - cosine) - EPSILON * slack - TINY


@inlined
def distance_of_means(a: int, b: int, sides: np.ndarray, centers: Centers) -> float:
    """Return the distance of the means of two nodes."""
    total = 0.0
    for axis in range(len(sides)):
        t = shorter(centers.mean[a, axis] - centers.mean[b, axis], sides[axis])
        total += t * t
    return np.sqrt(total)


@inlined
def write_means(color: int, layer: Layer, tree: Tree, centers: Centers) -> None:
    """Write the means and variances of the nodes of a color."""
    first, depth = tree.first[color], tree.depth[color]
    for k in range((2 << depth) - 1, 0, -1):
        node, left, right = first + k, first + 2 * k, first + 2 * k + 1
        centers.votes[node] = 0.0
        centers.variance[node] = 0.0
        if k < 1 << depth:
            centers.variance[node] = 0.5 * (centers.variance[left] + centers.variance[right])
        lo, hi = points_of(color, k, depth, layer) if k >= 1 << depth else (0, 0)
        for axis in range(len(layer.dims)):
            if k < 1 << depth:
                half = 0.5 * centers.mean[right, axis] - 0.5 * centers.mean[left, axis]
                centers.mean[node, axis] = centers.mean[left, axis] + half
                centers.variance[node] += half * half
                continue
            mean = 0.0
            for z in range(lo, hi):
                mean += layer.X[axis, z] / (hi - lo)
            centers.mean[node, axis] = mean
            for z in range(lo, hi):
                centers.variance[node] += (layer.X[axis, z] - mean) ** 2 / (hi - lo)


@inlined
def find_center(node: int, other: int, layer: Layer, tree: Tree, centers: Centers) -> tuple[Int, Int, float]:
    """Return the node of another color that is the center of a leaf, its size, and its distance in standard deviations.

    -1, 0 and 0 if there is none.
    """
    first, depth, sides = tree.first[other], tree.depth[other], layer.grid.sides
    k, level = np.int64(1), 0
    gap = distance_of_means(node, first + k, sides, centers)
    while np.sqrt(centers.variance[first + k]) > SEPARATED * gap:
        if level == depth:
            return np.int64(-1), np.int64(0), 0.0
        k, level = 2 * k, level + 1
        gap = distance_of_means(node, first + k, sides, centers)
        other_gap = distance_of_means(node, first + k + 1, sides, centers)
        if other_gap < gap:
            k, gap = k + 1, other_gap
    size = (np.int64(layer.start[other + 1]) - np.int64(layer.start[other])) >> level
    return first + k, size, gap / max(np.sqrt(centers.variance[first + k]), gap / MAX_DEVIATIONS)


@inlined
def vote(color: int, layer: Layer, tree: Tree, centers: Centers) -> None:
    """Write the centers of the leaves of a color that are nodes of others, the largest for each."""
    first, depth = tree.first[color], tree.depth[color]
    for k in range(1 << depth, 2 << depth):
        lo, hi = points_of(color, k, depth, layer)
        center, largest, deviations = np.int64(-1), np.int64(0), 0.0
        for other in range(len(tree.depth)):
            if (
                other != color
                and layer.compatible[other, color]
                and lo < hi
                and layer.start[other] < layer.start[other + 1]
            ):
                candidate, size, far = find_center(first + k, other, layer, tree, centers)
                if size > largest:
                    center, largest, deviations = candidate, size, far
        centers.center[first + k] = center
        if center >= 0:
            centers.votes[center] += (hi - lo) * deviations


@inlined
def choose_centers(color: int, tree: Tree, centers: Centers) -> None:
    """Write the centers of all nodes of a color, after the votes of all colors."""
    first, depth = tree.first[color], tree.depth[color]
    for k in range(1, 2 << depth):  # the node with the most votes, of those above
        node, above = first + k, centers.center[first + (k >> 1)] if k > 1 else first + k
        if k < 1 << depth:
            centers.center[node] = node if centers.votes[node] > centers.votes[above] else above
        elif centers.votes[above] > (centers.votes[centers.center[node]] if centers.center[node] >= 0 else 0.0):
            centers.center[node] = above
    for k in range((1 << depth) - 1, 0, -1):
        left, right = centers.center[first + 2 * k], centers.center[first + 2 * k + 1]
        centers.center[first + k] = left if left == right else -1


@inlined
def write_cone(node: int, lo: int, hi: int, layer: Layer, tree: Tree, centers: Centers) -> None:
    """Write the cone of a node with a center, and the distances of its points to the center.

    The points are lo <= z < hi. There is no cone if the center is a point.
    """
    d, sides, center = len(layer.dims), layer.grid.sides, centers.center[node]
    largest = np.inf
    for axis in range(d):
        tree.sector[node, axis], tree.sector[node, d + axis] = centers.mean[center, axis], 0.0
    for z in range(lo, hi):
        square = 0.0
        for axis in range(d):
            t = shorter(layer.X[axis, z] - centers.mean[center, axis], sides[axis])
            square += t * t
            # a point at most this far from the center is nearest to z without the seam
            largest = min(largest, (0.5 - 4 * EPSILON) * sides[axis] - abs(t))
        tree.radius[z] = np.sqrt(square)
        if not TINY < square < HUGE:
            largest = -1.0
        for axis in range(d):
            t = shorter(layer.X[axis, z] - centers.mean[center, axis], sides[axis])
            tree.sector[node, d + axis] += t / tree.radius[z]
    norm = 0.0
    for axis in range(d):
        norm += tree.sector[node, d + axis] ** 2
    cosine = 1.0
    for axis in range(d):
        tree.sector[node, d + axis] /= np.sqrt(norm)
    for z in range(lo, hi):
        product = 0.0
        for axis in range(d):
            t = shorter(layer.X[axis, z] - centers.mean[center, axis], sides[axis])
            product += t * tree.sector[node, d + axis]
        cosine = min(cosine, product / tree.radius[z])
    tree.sector[node, 2 * d] = max(cosine - 4 * (d + 2) * EPSILON, -1.0)
    tree.sector[node, 2 * d + 1] = largest if norm > EPSILON else -1.0


@jit
def write_sectors(layer: Layer, tree: Tree, centers: Centers) -> None:
    """Write the sectors of all nodes, and the distances of all points to the centers of leaves."""
    n_colors = len(tree.depth)
    for color in range(n_colors):
        write_means(color, layer, tree, centers)
    for color in range(n_colors):
        vote(color, layer, tree, centers)
    for color in range(n_colors):
        choose_centers(color, tree, centers)
        level = tree.depth[color]
        for k in range((2 << level) - 1, 0, -1):
            while k < 1 << level:
                level -= 1
            node = tree.first[color] + k
            tree.sector[node, 2 * len(layer.dims) + 1] = -1.0
            if centers.center[node] >= 0:
                lo, hi = points_of(color, k, level, layer)
                write_cone(node, lo, hi, layer, tree, centers)
