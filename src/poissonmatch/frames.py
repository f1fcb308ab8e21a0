"""Patterns and matchings as pandas frames and as graphs."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import BadInput, quoted
from .geometry import MeanField

if TYPE_CHECKING:
    import networkx
    import pandas as pd

    from .matching import Matching
    from .pattern import Pattern


def axis_names(dim: int) -> list[str]:
    """x, y, z; x1, x2, ... in more than three dimensions."""
    return ["x", "y", "z"][:dim] if dim <= 3 else [f"x{axis + 1}" for axis in range(dim)]


def columns_of(frame: Any, coords: Sequence[str] | None, color: str | None) -> tuple[list[str], Any]:
    """The names of the columns of coordinates, and the colors: raises BadInput for columns that are not there."""
    if not hasattr(frame, "columns") or not hasattr(frame, "loc"):
        raise BadInput(f"this takes a data frame, not {type(frame).__name__}")
    known = list(frame.columns)
    if coords is None:
        coords = next((names for d in (3, 2, 1) if set(names := axis_names(d)) <= set(known)), None)
        if coords is None:
            raise BadInput(
                f"which columns are coordinates? Say coords=[...]; there are {', '.join(map(quoted, known))}"
            )
    coords = [coords] if isinstance(coords, str) else list(coords)
    for name in coords + ([] if color is None else [color]):
        if known.count(name) != 1:
            what = "there are several columns" if name in known else "there is no column"
            raise BadInput(f"{what} {quoted(name)}; there are {', '.join(map(quoted, known))}")
    return coords, None if color is None else frame[color]


def numbered(column: Any, order: Sequence[Any] | None) -> Any:
    """The colors of a column: whole numbers as they are, anything else by its place in the order.

    order: by default the categories of a categorical column, and what there is, sorted, of any other.
    """
    kind = getattr(column.dtype, "kind", "O")
    if order is None and kind in "iub":
        return column.to_numpy()
    import pandas as pd

    demand_colors(column)
    if order is None:
        if kind == "f":
            raise BadInput(f"column {quoted(column.name)}: colors are whole numbers or names, not {column.dtype}")
        order = list(column.cat.categories) if hasattr(column, "cat") else sorted(set(column), key=str)
    codes = pd.Index(list(dict.fromkeys(order)), dtype=object).get_indexer(column.astype(object))
    if (codes < 0).any():
        row = int((codes < 0).argmax())
        value = quoted(column.iloc[row])
        raise BadInput(f"column {quoted(column.name)}, row {row}: {value} is none of {quoted(list(order))}")
    return codes


def demand_colors(column: Any) -> None:
    """Raises BadInput if a color is missing."""
    if column.isna().any():
        raise BadInput(
            f"column {quoted(column.name)}, row {int(column.isna().to_numpy().argmax())}: a color is missing"
        )


def frame_in(data: bytes, ending: str) -> pd.DataFrame:
    """The data frame in the bytes of a file that ends in .csv or .parquet; raises whatever pandas does if it is none.

    Of a CSV file nothing is left out: BadInput for rows with more values than the first line has names, or for a name that is there
    twice.
    """
    import pandas as pd

    if ending == ".parquet":
        return pd.read_parquet(io.BytesIO(data))
    kind: Any = {"skipinitialspace": True, "index_col": False, "low_memory": False}
    names = pd.read_csv(io.BytesIO(data), header=None, nrows=1, dtype=str, keep_default_na=False, **kind).iloc[0]
    if (twice := names.duplicated() & (names != "")).any():
        raise BadInput(f"two columns are called {quoted(names[twice].iloc[0])}")
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            return pd.read_csv(io.BytesIO(data), **kind)
        except pd.errors.ParserWarning:
            raise BadInput("rows have more values than the first line has names") from None


def frame_of_pattern(pattern: Pattern, coords: Sequence[str] | None, color: str) -> pd.DataFrame:
    """One row for each point: its coordinates and its color."""
    import pandas as pd

    if isinstance(pattern.geometry, MeanField):
        raise BadInput(
            "the points of a mean-field pattern have no coordinates; pattern.points is the table of distances"
        )
    dim = pattern.geometry.dim
    names = axis_names(dim) if coords is None else list(coords)
    if len(names) != dim:
        raise BadInput(f"coords must name {dim} columns, not {quoted(names)}")
    frame = pd.DataFrame(np.array(pattern.points), columns=names)
    frame[color] = np.array(pattern.colors)
    return frame


def frame_of_matching(matching: Matching) -> pd.DataFrame:
    """One row for each point and partner, by point; one with partner -1 for a point that has none."""
    import pandas as pd

    row, column = np.nonzero(matching.partners >= 0)
    alone = matching.unmatched
    point = np.concatenate([row, alone])
    found = pd.DataFrame(
        {
            "point": point,
            "partner": np.concatenate([matching.partners[row, column], np.full(len(alone), -1)]),
            "distance": np.concatenate([matching.distances[row, column], np.full(len(alone), np.inf)]),
        }
    )
    if matching.rule.labels:
        found["label"] = np.concatenate([column, np.full(len(alone), -1)])
    return found.iloc[np.argsort(point, kind="stable")].reset_index(drop=True)


def graph_of(matching: Matching) -> networkx.Graph:
    """A node for each point, an edge with its `distance` for each pair; `pos` and `color` of nodes whose points are known."""
    try:
        import networkx
    except ImportError:
        raise BadInput("to_networkx needs the package networkx: pip install networkx") from None
    graph: networkx.Graph = networkx.Graph()
    graph.add_nodes_from(range(len(matching.partners)))
    for (i, j), distance in zip(matching.pairs.tolist(), matching.pair_distance.tolist(), strict=True):
        graph.add_edge(i, j, distance=distance)
    if matching.rule.labels:
        for (i, j), label in zip(matching.pairs.tolist(), matching._ends[1].tolist(), strict=True):
            graph.edges[i, j]["label"] = label
    if matching.pattern is not None:
        for i, color in enumerate(matching.pattern.colors.tolist()):
            graph.nodes[i]["color"] = color
        if not isinstance(matching.pattern.geometry, MeanField):
            for i, point in enumerate(matching.pattern.points.tolist()):
                graph.nodes[i]["pos"] = tuple(point)
    return graph
