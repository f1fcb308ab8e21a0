"""Matchings as data frames, graphs and rows of a table, from plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..utils.errors import BadInput
from ..utils.libraries import pd

if TYPE_CHECKING:
    import networkx


def partners_frame(partners: np.ndarray, distances: np.ndarray, labels: bool) -> pd.DataFrame:
    """Return a frame with one row for each point and partner, ordered by point.

    A point without partners has one row with partner -1.
    """
    row, column = np.nonzero(partners >= 0)
    alone = np.flatnonzero(partners.max(axis=1, initial=-1) < 0)
    point = np.concatenate([row, alone])
    frame = pd.DataFrame(
        {
            "point": point,
            "partner": np.concatenate([partners[row, column], np.full(len(alone), -1)]),
            "distance": np.concatenate([distances[row, column], np.full(len(alone), np.inf)]),
        }
    )
    if labels:
        frame["label"] = np.concatenate([column, np.full(len(alone), -1)])
    return frame.iloc[np.argsort(point, kind="stable")].reset_index(drop=True)


def graph(n: int, pairs: np.ndarray, edges: Mapping[str, np.ndarray], nodes: Mapping[str, Any]) -> networkx.Graph:
    """Return a graph with nodes 0, ..., n - 1, an edge for each pair, and these attributes."""
    try:
        import networkx
    except ImportError:
        raise BadInput("to_networkx needs the package networkx: pip install networkx") from None
    result: networkx.Graph = networkx.Graph()
    result.add_nodes_from(range(n))
    ends = [tuple(pair) for pair in pairs.tolist()]
    result.add_edges_from(ends)
    for name, values in edges.items():
        networkx.set_edge_attributes(result, dict(zip(ends, values.tolist(), strict=True)), name)
    for name, values in nodes.items():
        networkx.set_node_attributes(result, dict(enumerate(values)), name)
    return result


def realization(
    points: np.ndarray, colors: np.ndarray, partners: np.ndarray, distances: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the points and their partners as columns of the table `realizations`.

    There is a row for each point and partner.
    """
    n, width = partners.shape
    xyz = np.zeros((n, 3))
    xyz[:, : min(3, points.shape[1])] = points[:, :3]
    xyz, color = np.repeat(xyz, width, axis=0), np.repeat(colors, width)
    columns = {
        "point": np.repeat(np.arange(n), width),
        "order": np.tile(np.arange(width), n),
        "color": color.astype(np.int64),
        **{name: xyz[:, k] for k, name in enumerate("xyz")},
        "partner": partners.ravel(),
        "distance": distances.ravel(),
    }
    keep = (columns["partner"] >= 0) | (columns["order"] == 0)
    return {name: values[keep] for name, values in columns.items()}


def component_sizes(n: int, pairs: np.ndarray) -> np.ndarray:
    """Return the sizes of the connected components of a graph, largest first.

    The graph has nodes 0, ..., n - 1 and an edge for each pair.
    """
    from scipy.sparse import coo_array  # here, because few matchings need it
    from scipy.sparse.csgraph import connected_components

    if n == 0:
        return np.zeros(0, np.int64)
    graph = coo_array((np.ones(len(pairs), np.int8), tuple(pairs.T)), shape=(n, n))
    return np.sort(np.bincount(connected_components(graph, directed=False)[1]))[::-1]
