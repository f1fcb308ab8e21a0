"""Patterns and matchings as frames and graphs, and back."""

import struct
import warnings
from decimal import Decimal

import duckdb
import networkx
import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest

import poissonmatch as pm
from helpers.tables import tables

POINTS = np.array([[0.0, 1.0], [0.5, 1.0], [4.0, 4.0], [4.0, 4.6], [9.0, 9.0]])
TABLE = pd.DataFrame(
    {
        "x": POINTS[:, 0],
        "y": POINTS[:, 1],
        "kind": ["red", "green", "green", "red", "red"],
        "number": [1, 0, 0, 1, 1],
        "level": pd.Categorical(["low", "high", "high", "low", "low"], categories=["low", "high"]),
    },
    index=[7, 7, 3, 2, 1],
)


@pytest.mark.parametrize("arguments, colors", tables(__file__)["colors"])
def test_from_frame(arguments, colors):
    expected = pm.Pattern(POINTS, colors, pm.Euclidean(2))
    assert pm.Pattern.from_frame(TABLE, ["x", "y"], **arguments) == expected
    assert pm.Pattern.from_frame(TABLE, **arguments) == expected  # x, y are there
    torus = pm.Torus(10.0, 2)
    assert pm.Pattern.from_frame(TABLE, ["y", "x"], **arguments, geometry=torus) == pm.Pattern(
        POINTS[:, ::-1], colors, torus
    )


ARROW = pa.table({"x": POINTS[:, 0], "y": POINTS[:, 1], "number": [1, 0, 0, 1, 1]})
KINDS = pa.array(["red", "green", "green", "red", "red"])
NUMBERS = TABLE["number"]


@pytest.mark.parametrize(
    "frame",
    (
        ARROW,
        polars.from_arrow(ARROW),
        duckdb.from_arrow(ARROW),
        {name: ARROW[name].to_pylist() for name in ARROW.column_names},
        ARROW.to_pandas(types_mapper=pd.ArrowDtype),
        ARROW.append_column("other", KINDS.dictionary_encode())
        .drop_columns("number")
        .rename_columns(["x", "y", "number"]),
        ARROW.append_column("other", KINDS).drop_columns("number").rename_columns(["x", "y", "number"]),
        TABLE.convert_dtypes(),
        TABLE.assign(number=NUMBERS.astype(float)),
        TABLE.assign(number=NUMBERS.astype(bool)),
        TABLE.assign(number=NUMBERS.astype("boolean")),
        TABLE.assign(number=[Decimal(int(number)) for number in NUMBERS]),
        TABLE.assign(x=[Decimal(str(x)) for x in POINTS[:, 0]], y=POINTS[:, 1].astype(str)),
        TABLE.assign(x=POINTS[:, 0].astype("f4")),
    ),
)
def test_tables_of_every_library(frame):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "float32 coordinates are taken as")
        pattern = pm.Pattern.from_frame(frame, ["x", "y"], "number", color_names=None)
    names = pattern.color_names
    order = {("red", "green"): [0, 1, 1, 0, 0]}.get(names, [1, 0, 0, 1, 1])  # of a dictionary: as it first occurs
    assert pattern.points.tolist() == POINTS.tolist() and pattern.colors.tolist() == order and pattern.grid == 0.1


def wkb(*coordinates, kind=1, order="<", srid=None):
    """A geometry in WKB, in the ISO form, or with an SRID in the extended form."""
    code = kind + 1000 * (len(coordinates) == 3) if srid is None else kind | 0x20000000
    head = struct.pack(f"{order}BI", order == "<", code) + (b"" if srid is None else struct.pack(f"{order}I", srid))
    return head + struct.pack(f"{order}{len(coordinates)}d", *coordinates)


class Geometry:  # as of shapely
    def __init__(self, *coordinates):
        self.wkb = wkb(*coordinates)


@pytest.mark.parametrize(
    "write",
    (
        wkb,
        lambda x, y: wkb(x, y, order=">", srid=4326),
        Geometry,
        lambda x, y: f"POINT ({x} {y})",
        lambda x, y: f"SRID=25832;point({x}  {y})",
    ),
)
def test_a_column_of_points(write):
    frame = pd.DataFrame({"geometry": [write(x, y) for x, y in POINTS.tolist()]})
    expected = pm.Pattern(POINTS, None, pm.Euclidean(2))
    assert pm.Pattern.from_frame(frame) == expected == pm.Pattern.from_frame(frame, "geometry")
    with pytest.raises(ValueError, match=r"^row 4, column 'geometry': 9.0 is outside \[0, 5\)"):
        pm.Pattern.from_frame(frame, geometry=pm.Torus(5.0, 2))


@pytest.mark.parametrize(
    "values, message",
    (
        ([wkb(1, 2), wkb(kind=2)], "row 1, column 'geometry': a LineString is not a point"),
        ([wkb(1, 2), wkb(kind=3, srid=4326)], "row 1, column 'geometry': a Polygon is not a point"),
        ([wkb(1, 2), None], "row 1, column 'geometry': None is not a point in WKB or WKT"),
        ([wkb(1, 2), b"x"], "row 1, column 'geometry': b'x' is not a point in WKB or WKT"),
        ([wkb(1, 2), b""], "row 1, column 'geometry': b'' is not a point in WKB or WKT"),
        ([wkb(1, 2), wkb(1, 2, 3)], "row 1, column 'geometry': a point of 3 coordinates, and row 0 has 2"),
        (["POINT (1 2)", "POLYGON ((1 2, 3 4))"], "row 1, column 'geometry': 'POLYGON ((1 2, 3 4))' is not a point"),
        (["POINT (1 2)", "POINT EMPTY"], "row 1, column 'geometry': 'POINT EMPTY' is not a point"),
        ([wkb(1, 2), wkb(np.nan, np.nan)], "row 1, column 'geometry': nan is not finite"),
    ),
)  # fmt: skip
def test_geometries_that_are_not_points(values, message):
    with pytest.raises(ValueError) as error:
        pm.Pattern.from_frame(pd.DataFrame({"geometry": values}))
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("dim, names", ((1, ["x"]), (3, ["x", "y", "z"]), (4, ["x1", "x2", "x3", "x4"])))
def test_to_frame_and_back(dim, names):
    pattern = pm.Pattern(np.random.default_rng(0).random((9, dim)), [0, 1, 2] * 3, pm.Torus(1.0, dim))
    frame = pattern.to_frame()
    assert list(frame.columns) == [*names, "color"] and frame["color"].dtype == np.uint8
    assert pm.Pattern.from_frame(frame, names, "color", pattern.geometry) == pattern
    frame.iloc[:, :] = 0
    assert pattern.points.any()
    with pytest.raises(ValueError, match=f"coords must name {dim} columns"):
        pattern.to_frame(["a"] * (dim + 1))


@pytest.mark.parametrize("rule", ("one-color", "fussy", "multi(3)", "labels(2)"))
def test_a_frame_of_a_matching_has_all_of_it(rule):
    pattern = pm.processes.two_color(pm.Torus((6.0, 9.0)), (0.5, 1.0), rng=5)
    matching = pm.match(pattern, rule)
    frame = matching.to_frame()
    partners, distances = np.full_like(matching.partners, -1), np.full(matching.partners.shape, np.inf)
    for row in frame.itertuples():
        if not pd.isna(row.partner):
            column = row.label if "label" in frame else int((partners[row.point] >= 0).sum())
            partners[row.point, column], distances[row.point, column] = row.partner, row.distance
        else:
            assert row.point in matching.unmatched and row.distance == np.inf
    assert np.array_equal(partners, matching.partners) and np.array_equal(distances, matching.distances)
    assert frame["partner"].dtype == "Int64" and frame["partner"].isna().sum() == len(matching.unmatched)
    assert frame["point"].is_monotonic_increasing and set(frame["point"]) == set(range(len(pattern)))
    assert ("label" in frame) == (rule == "labels(2)")


@pytest.mark.parametrize("rule", ("two-color", "multi(3)", "labels(2)"))
def test_a_graph_of_a_matching(rule):
    pattern = pm.processes.two_color(pm.Torus(8.0, 2), (1.0, 1.0), rng=5)
    matching = pm.match(pattern, rule)
    graph = matching.to_networkx()
    assert sorted(graph.edges) == sorted(map(tuple, matching.pairs.tolist()))
    assert graph.number_of_nodes() == len(pattern) and len(matching) == graph.number_of_edges() == len(matching.pairs)
    assert all(pattern.distance(i, j) == d for i, j, d in graph.edges(data="distance"))
    assert networkx.get_node_attributes(graph, "color") == dict(enumerate(pattern.colors.tolist()))
    assert networkx.get_node_attributes(graph, "pos") == dict(enumerate(map(tuple, pattern.points.tolist())))
    if rule == "labels(2)":
        assert {(i, j): label for i, j, label in graph.edges(data="label")} == {
            tuple(pair): label for pair, label in zip(matching.pairs.tolist(), matching._ends[1].tolist(), strict=True)
        }


def test_a_matching_knows_its_points():
    pattern = pm.processes.poisson(pm.Torus(5.0, 2), rng=7)
    matching = pm.match(pattern)
    assert matching.pattern is pattern and bool(pm.match(pm.Pattern([], geometry=pm.Torus(1.0, 2))))
    bare = pm.Matching(matching.partner, matching.distance, "one-color")
    assert bare == matching and bare.pattern is None and "pos" not in bare.to_networkx().nodes[0]
    with pytest.raises(ValueError, match="the pattern has 1"):
        pm.Matching(matching.partner, matching.distance, "one-color", pm.Pattern([[0.0]], geometry=pm.Torus(1.0, 1)))


@pytest.mark.parametrize("name", pm.processes.PROCESSES)
def test_a_seed_is_a_generator(name):
    draw, torus = pm.processes.PROCESSES[name], pm.Torus(4.0, 2)
    arguments = {"counts": 20} if name == "binomial" else {}
    assert draw(torus, **arguments, rng=7) == draw(torus, **arguments, rng=np.random.default_rng(7))
    assert draw(torus, **arguments, rng=np.random.SeedSequence(7)) == draw(torus, **arguments, rng=7)
