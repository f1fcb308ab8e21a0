"""KD-trees of the active points, one for each color, with deletion.

They are used if the points of compatible colors lie apart, or on many scales. Chains of nearest
neighbors need about three searches for each pair, and each visits O(log n) nodes unless many points
are almost equally far (Efrat et al. 2019, Euclidean TSP, motorcycle graphs, and other new
applications of nearest-neighbor chains).

Every node is a range of sorted positions; the children of node k are 2 k and 2 k + 1. A node keeps
the bounding box of its active points, their least index, which decides ties, and their free labels.
If a point becomes inactive, the boxes on its path to the root shrink, until one does not. If many
searches visit many nodes, the nodes get sectors as well (sectors.py).
"""

from __future__ import annotations

import numpy as np

from .coarse import INACTIVE
from .jit import Int, inlined, jit
from .layer import Layer, State, Tree
from .nearest import color_of, may_take
from .pair_order import precedes, squared_distance
from .sectors import Centers, first_of, points_of, sector_gap, write_sectors

LEAF_SIZE = 8  # (benchmarks/inputs.py) points of a leaf, at most
PART_SIZE = 4096  # (benchmarks/inputs.py) points that fit into the processor's cache
CACHE_LINE = 8  # numbers
MAX_DEPTH = 64
MANY_NODES = 48  # (benchmarks/inputs.py) nodes that a search may visit on average; sectors are used once the nodes beyond that are more
LONG_WORK = 8.0  # than this number for each point
MAX_FLOAT = float(np.finfo(np.float64).max)
NO_INDEX = 2**62  # more than any index


@inlined
def select(points: np.ndarray, order: np.ndarray, lo: int, hi: int, k: int, axis: int) -> None:
    """Sort the points lo <= i < hi so that none before place k has a larger coordinate than later ones."""
    hi -= 1
    while lo < hi:
        a, b, c = points[lo, axis], points[(lo + hi) >> 1, axis], points[hi, axis]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = lo, hi
        while i <= j:
            while points[i, axis] < pivot:
                i += 1
            while points[j, axis] > pivot:
                j -= 1
            if i <= j:
                for t in range(points.shape[1]):
                    points[i, t], points[j, t] = points[j, t], points[i, t]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if k <= j:
            hi = j
        elif k >= i:
            lo = i
        else:
            break


@jit
def sort_by_leaves(points: np.ndarray, order: np.ndarray, begin: int, end: int, depth: int) -> None:
    """Sort the points begin <= i < end of one color by the 2^depth leaves of a tree.

    points: (n, d); `order` is sorted with them.

    Each node is divided across the longest axis of its bounding box; from PART_SIZE points on down,
    node after node.
    """
    n = end - begin
    top = 0
    while top < depth and n >> top > PART_SIZE:
        top += 1
    for turn in range((1 << top) + 1):  # at first the levels above `top`, then the levels below for each of its nodes
        for level in range(top if turn > 0 else 0, depth if turn > 0 else top):
            low_part = (turn - 1) << (level - top) if turn > 0 else 0
            high_part = turn << (level - top) if turn > 0 else 1 << level
            for part in range(low_part, high_part):
                lo, hi = begin + first_of(part, level, n), begin + first_of(part + 1, level, n)
                axis, longest = 0, -1.0
                for t in range(points.shape[1]):
                    low = high = points[lo, t]
                    for i in range(lo + 1, hi):
                        low = min(low, points[i, t])
                        high = max(high, points[i, t])
                    if high - low > longest:
                        axis, longest = t, high - low
                select(points, order, lo, hi, begin + first_of(2 * part + 1, level + 1, n), axis)


@inlined
def write_node(node: int, min_index: Int, labels: np.uint64, changed: bool, tree: Tree) -> bool:
    """Write the least index and the labels of a node; return whether it has changed.

    changed: whether it has changed otherwise.
    """
    changed = changed or min_index != tree.min_index[node] or labels != tree.labels[node]
    tree.min_index[node] = min_index
    tree.labels[node] = labels
    return changed


@inlined
def write_range(rows: np.ndarray, node: int, column: int, step: int, low: float, high: float) -> bool:
    """Write a range of a node, into a column and one `step` after it; return whether the range has changed."""
    changed = low != rows[node, column] or high != rows[node, column + step]
    rows[node, column], rows[node, column + step] = low, high
    return changed


@inlined
def write_leaf(color: int, leaf: int, layer: Layer, state: State | None, tree: Tree) -> bool:
    """Write a leaf, from its active points; return whether it has changed."""
    d, depth = len(layer.dims), tree.depth[color]
    lo, hi = points_of(color, (1 << depth) + leaf, depth, layer)
    node = tree.first[color] + (1 << depth) + leaf
    changed = False
    min_index, labels = np.int64(NO_INDEX), np.uint64(0)
    for z in range(lo, hi):
        if layer.Z[0, z] != INACTIVE:
            min_index = min(min_index, np.int64(layer.indices[z]))
            if state is not None:
                if state.labels > 0:
                    labels |= state.remaining[z]
    for axis in range(d):
        low, high = np.inf, -np.inf
        for z in range(lo, hi):
            if layer.Z[0, z] != INACTIVE:
                low, high = min(low, layer.X[axis, z]), max(high, layer.X[axis, z])
        changed |= write_range(tree.box, node, axis, d, low, high)
    if len(tree.sector) > 0:
        low, high = np.inf, -np.inf
        for z in range(lo, hi):
            if layer.Z[0, z] != INACTIVE:
                low, high = min(low, tree.radius[z]), max(high, tree.radius[z])
        changed |= write_range(tree.sector, node, 2 * d + 2, 1, low, high)
    return write_node(node, min_index, labels, changed, tree)


@inlined
def write_inner(color: int, k: int, layer: Layer, tree: Tree) -> bool:
    """Write node k of a color, from its children; return whether it has changed."""
    d, first = len(layer.dims), tree.first[color]
    node, left, right = first + k, first + 2 * k, first + 2 * k + 1
    changed = False
    for axis in range(d):
        low = min(tree.box[left, axis], tree.box[right, axis])
        high = max(tree.box[left, d + axis], tree.box[right, d + axis])
        changed |= write_range(tree.box, node, axis, d, low, high)
    if len(tree.sector) > 0:
        low = min(tree.sector[left, 2 * d + 2], tree.sector[right, 2 * d + 2])
        high = max(tree.sector[left, 2 * d + 3], tree.sector[right, 2 * d + 3])
        changed |= write_range(tree.sector, node, 2 * d + 2, 1, low, high)
    min_index, labels = min(tree.min_index[left], tree.min_index[right]), tree.labels[left] | tree.labels[right]
    return write_node(node, min_index, labels, changed, tree)


@jit
def write_nodes(layer: Layer, state: State | None, tree: Tree) -> None:
    """Write all nodes."""
    for color in range(len(tree.depth)):
        for leaf in range(1 << tree.depth[color]):
            write_leaf(color, leaf, layer, state, tree)
        for k in range((1 << tree.depth[color]) - 1, 0, -1):
            write_inner(color, k, layer, tree)


def with_sectors(layer: Layer, state: State | None, tree: Tree) -> Tree:
    """Return a tree with sectors, and write all of its nodes again."""
    size, d = len(tree.min_index), len(layer.X)
    centers = Centers(np.empty((size, d)), np.empty(size), np.empty(size), np.empty(size, np.int64))
    tree = tree._replace(sector=_aligned(size, 2 * d + 4), radius=np.zeros(len(layer.indices)))
    write_sectors(layer, tree, centers)
    write_nodes(layer, state, tree)
    return tree


@inlined
def update(x: int, layer: Layer, state: State | None, tree: Tree) -> None:
    """Update the nodes of point x, which has become inactive or has fewer labels."""
    color: int = color_of(x, layer.start, 1)
    begin, depth = np.int64(layer.start[color]), tree.depth[color]
    n = np.int64(layer.start[color + 1]) - begin
    leaf = ((x - begin) << depth) // n
    while first_of(leaf + 1, depth, n) <= x - begin:
        leaf += 1
    changed = write_leaf(color, leaf, layer, state, tree)
    k = ((1 << depth) + leaf) >> 1
    while changed and k > 0:
        changed = write_inner(color, k, layer, tree)
        k >>= 1


@inlined
def gap_to(node: Int, x: int, layer: Layer, tree: Tree) -> float:
    """Return a lower bound of the squared distances of x to the active points of a node, inf if there are none.

    No rounding makes it larger than the square that squared_distance computes: it has the same
    terms in the same order.
    """
    d = len(layer.dims)
    node = np.uintp(node)
    total = 0.0
    for axis in range(d):
        t = layer.X[axis, np.uintp(x)]
        low, high = tree.box[node, axis], tree.box[node, d + axis]
        direct, across = max(low - t, t - high), layer.grid.sides[axis] - max(high - t, t - low)
        gap = max(min(direct, across), 0.0)
        total += gap * gap
    return total


@inlined
def bound_of(node: int, x: int, best: float, layer: Layer, tree: Tree) -> float:
    """Return a lower bound of the squared distances of x to the active points of a node, the better of two if <= best."""
    gap = gap_to(node, x, layer, tree)
    if gap <= best and len(tree.sector) > 0:
        gap = max(gap, sector_gap(node, x, layer, tree))
    return gap


@inlined
def nearest_in_tree(x: int, color: int, y: Int, layer: Layer, state: State | None, tree: Tree) -> tuple[Int, Int]:
    """Return the nearest point that x, of this color, may take, -1 for none, and the number of nodes visited.

    y: a point that it may take, or -1.
    """
    best, labels, visits = MAX_FLOAT, np.uint64(0), 0
    if y >= 0:
        best = squared_distance(layer.X, x, y, layer.grid.sides, layer.dims)
    if state is not None:
        if state.labels > 0:
            labels = state.remaining[x]
    for other in range(len(layer.compatible)):
        begin = np.int64(layer.start[other])
        n = np.int64(layer.start[other + 1]) - begin
        if n == 0 or not layer.compatible[color, other]:
            continue
        first, depth = tree.first[other], tree.depth[other]
        leaves = np.int64(1) << depth
        k = np.int64(1)
        gap = bound_of(first + 1, x, best, layer, tree)
        top = 0
        while True:
            # neither a node farther than y, nor one as far whose indices are larger, nor one
            # without a common label
            skip = gap > best or (gap == best and y >= 0 and tree.min_index[first + k] > layer.indices[y])
            if labels != 0:
                skip |= tree.labels[first + k] & labels == 0
            visits += 1
            if not skip and k < leaves:
                k *= 2
                far = k + 1
                gap, far_gap = bound_of(first + k, x, best, layer, tree), bound_of(first + far, x, best, layer, tree)
                if far_gap < gap or (far_gap == gap and tree.min_index[first + far] < tree.min_index[first + k]):
                    k, gap, far, far_gap = far, far_gap, k, gap
                if far_gap <= best:
                    tree.nodes[np.uintp(top)] = far
                    tree.gaps[np.uintp(top)] = far_gap
                    top += 1
                continue
            if not skip:
                leaf = k - leaves
                for z in range(begin + first_of(leaf, depth, n), begin + first_of(leaf + 1, depth, n)):
                    d2 = squared_distance(layer.X, x, z, layer.grid.sides, layer.dims)
                    if d2 > best or z == x or layer.Z[0, np.uintp(z)] == INACTIVE:
                        continue
                    if y >= 0 and not precedes(d2, layer.indices[z], best, layer.indices[y]):
                        continue
                    if state is not None:
                        if not may_take(x, z, d2, layer.indices, state):
                            continue
                    best = d2
                    y = z
            if top == 0:
                break
            top -= 1
            k = tree.nodes[np.uintp(top)]
            gap = tree.gaps[np.uintp(top)]
    return y, visits


def _aligned(n: int, width: int) -> np.ndarray:
    """Return an array (n, width) that begins with a line of the processor's cache.

    In the plane the boxes of two children are one line.
    """
    line = np.empty(n * width + CACHE_LINE)
    begin = -line.ctypes.data // line.itemsize % CACHE_LINE
    return line[begin : begin + n * width].reshape(n, width)


def bytes_per_point(d: int) -> float:
    """Return the memory of a tree and its points, at most, for each of them."""
    return 8 * d + 4 * d + 32 + 8 + 4 / LEAF_SIZE * (40 * d + 80)


def new_tree(points: np.ndarray, order: np.ndarray, start: np.ndarray) -> Tree:
    """Sort points, (n, d), and `order`, (n,), in place for a tree, and return the tree, which write_nodes fills.

    start: (C + 1,) of the colors.
    """
    sizes = np.diff(start)
    depth = np.array([int(np.ceil(np.log2(max(size / LEAF_SIZE, 1.0)))) for size in sizes])
    for begin, size, levels in zip(start.tolist(), sizes.tolist(), depth.tolist(), strict=False):
        sort_by_leaves(points, order, begin, begin + size, levels)
    ends = np.cumsum(2 << depth)
    size, d = int(ends[-1]), points.shape[1]
    return Tree(
        ends - (2 << depth), depth, _aligned(size, 2 * d), np.empty(size, np.int64), np.zeros(size, np.uint64),
        np.empty((0, 2 * d + 4)), np.empty(0),
        np.empty(MAX_DEPTH, np.int64), np.empty(MAX_DEPTH),
    )  # fmt: skip
