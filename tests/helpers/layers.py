"""Layers of a few points, on which tests call the kernels of the engine themselves."""

import numpy as np

from poissonmatch.engine.buckets import Grid, fill_gaps, in_order
from poissonmatch.engine.coarse import INACTIVE, coarse_of_phase
from poissonmatch.engine.jit import jit
from poissonmatch.engine.layer import Layer, Scratch, State, empty_coarse, new_scratch, read_only
from poissonmatch.engine.simd import SIMD_WIDTH


def kernel(function):
    """Return an inlined function as one that tests call, whose compiled code is kept like that of other kernels."""
    return jit(getattr(function, "py_func", function))


def torus(*cells, width=1.0) -> Grid:
    """Return a grid from the origin on with these numbers of cells along the axes; width: of a cell, or one for each axis."""
    width = np.broadcast_to(np.array(width, float), len(cells)).copy()
    return Grid(np.zeros(len(cells)), 1 / width, width, np.array(cells), np.full(len(cells), np.inf), cells * width)


def layer_of(
    points, grid, *, radius=1.0, colors=None, compatible=((True,),), starter=None, indices=None, row=None, inactive=()
) -> Layer:
    """Return the layer of points (n, d) that are given in the order of (color, cell), as the layers of phases are made."""
    points = np.array(points, float)
    (n, d), compatible = points.shape, np.array(compatible, bool)
    start = np.zeros(len(compatible) * int(np.prod(grid.cells)) + 1, np.int32)
    coarse = coarse_of_phase(grid.origin, grid.width * grid.cells, grid.sides, radius)
    starter = np.ones(len(compatible), bool) if starter is None else np.array(starter)
    order, Z = np.empty(n, np.int32), empty_coarse(n, d)
    layer = Layer(read_only(points), Z, order, order, start, grid, radius, coarse, compatible, starter, (0,) * d)
    assert in_order(layer, None if colors is None else np.array(colors, np.uint8), 0, n)
    fill_gaps(start, 0, len(start))
    Z[0, list(inactive)] = INACTIVE
    indices = order if indices is None else np.array(indices, np.int32)
    return layer._replace(indices=indices, row=indices if row is None else np.array(row, np.int32))


def state_of(remaining, *, labels=0, last=(), excluded=()) -> State:
    """Return the state of points with these capacities, or sets of labels as bits; all pairs are open.

    last: (point, squared distance, index) of last pairs; excluded: the indices that are excluded for each point.
    """
    n = len(remaining)
    state = State(
        remaining=np.array([*remaining, *[0] * SIMD_WIDTH], np.uint64),
        taken=np.zeros(n, np.int32),
        last_d2=np.full(n, -1.0),
        last_index=np.full(n, -1, np.int32),
        excluded_start=np.cumsum([0, *map(len, excluded)]),
        excluded=np.array([other for others in excluded for other in others], np.int64),
        labels=labels,
    )
    for x, d2, index in last:
        state.last_d2[x], state.last_index[x] = d2, index
    return state


def scratch_of(layer) -> Scratch:
    """Return working memory for a layer, of which no candidates are known but those of inactive points."""
    n, d = len(layer.indices), len(layer.dims)
    candidate = np.where(layer.Z[0, :n] == INACTIVE, np.arange(1, n + 1), -1).astype(np.int32)
    return new_scratch(candidate, np.empty(n + 1, np.int32), d)
