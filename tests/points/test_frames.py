"""Patterns and matchings as frames and graphs, and back."""

import networkx
import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm

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


@pytest.mark.parametrize(
    ("arguments", "colors"),
    (
        ({}, [0, 0, 0, 0, 0]),
        ({"color": "number"}, [1, 0, 0, 1, 1]),
        ({"color": "kind"}, [1, 0, 0, 1, 1]),  # sorted: green, red
        ({"color": "kind", "color_names": ["red", "green"]}, [0, 1, 1, 0, 0]),
        ({"color": "level"}, [0, 1, 1, 0, 0]),  # by category
        ({"color": "number", "color_names": [1, 0]}, [0, 1, 1, 0, 0]),
    ),
)
def test_from_frame(arguments, colors):
    expected = pm.Pattern(POINTS, colors, pm.Euclidean(2))
    assert pm.Pattern.from_frame(TABLE, ["x", "y"], **arguments) == expected
    assert pm.Pattern.from_frame(TABLE, **arguments) == expected  # x, y are there
    torus = pm.Torus(10.0, 2)
    assert pm.Pattern.from_frame(TABLE, ["y", "x"], **arguments, geometry=torus) == pm.Pattern(
        POINTS[:, ::-1], colors, torus
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    (
        ({"coords": ["x", "z"]}, "there is no column 'z'; there are 'x', 'y', 'kind'"),
        ({"color": "colour"}, "there is no column 'colour'"),
        ({"coords": ["x", "kind"]}, "points must be real numbers, got .* in column 'kind'"),
        ({"color": "kind", "color_names": ["red", "blue"]}, "column 'kind', row 1: 'green' is not one of"),
        ({"color": "x"}, "column 'x': colors must be whole numbers or names, got float64"),
        ({"geometry": pm.Torus(5.0, 2)}, r"row 4, coordinate 0: 9.0 is outside \[0, 5\)"),
        ({"geometry": pm.Torus(5.0, 3)}, "shape"),
    ),
)
def test_frames_that_are_no_patterns(arguments, words):
    with pytest.raises(ValueError, match=words):
        pm.Pattern.from_frame(TABLE, **arguments)


@pytest.mark.parametrize(
    ("frame", "arguments", "words"),
    (
        (pd.DataFrame({"a": [1.0]}), {}, "the columns of coordinates are unknown"),
        (pd.concat([TABLE, TABLE[["x"]]], axis=1), {}, "there are several columns 'x'"),
        (TABLE.assign(kind=["red", None, "red", "red", "red"]), {"color": "kind"}, "row 1: a color is missing"),
        (TABLE.assign(x=[1.0, np.nan, 1, 1, 1]), {}, "row 1, coordinate 0: nan is not finite"),
        (POINTS, {}, "the frame must be a data frame, got ndarray"),
    ),
)
def test_frames_with_holes(frame, arguments, words):
    with pytest.raises(ValueError, match=words):
        pm.Pattern.from_frame(frame, **arguments)


@pytest.mark.parametrize(("dim", "names"), ((1, ["x"]), (3, ["x", "y", "z"]), (4, ["x1", "x2", "x3", "x4"])))
def test_to_frame_and_back(dim, names):
    pattern = pm.Pattern(np.random.default_rng(0).random((9, dim)), [0, 1, 2] * 3, pm.Torus(1.0, dim))
    frame = pattern.to_frame()
    assert list(frame.columns) == [*names, "color"] and frame["color"].dtype == np.uint8
    assert pm.Pattern.from_frame(frame, names, "color", pattern.geometry) == pattern
    frame.iloc[:, :] = 0
    assert pattern.points.any()
    with pytest.raises(ValueError, match=f"coords must name {dim} columns"):
        pattern.to_frame(["a"] * (dim + 1))


def test_a_table_has_no_coordinates():
    with pytest.raises(ValueError, match="have no coordinates"):
        pm.processes.poisson(pm.MeanField(5.0), rng=1).to_frame()


@pytest.mark.parametrize("rule", ("one-color", "fussy", "multi(3)", "labels(2)"))
def test_a_frame_of_a_matching_has_all_of_it(rule):
    pattern = pm.processes.two_color(pm.Torus((6.0, 9.0)), (0.5, 1.0), rng=5)
    matching = pm.match(pattern, rule)
    frame = matching.to_frame()
    partners, distances = np.full_like(matching.partners, -1), np.full(matching.partners.shape, np.inf)
    for row in frame.itertuples():
        if row.partner >= 0:
            column = row.label if "label" in frame else int((partners[row.point] >= 0).sum())
            partners[row.point, column], distances[row.point, column] = row.partner, row.distance
        else:
            assert row.point in matching.unmatched and row.distance == np.inf
    assert np.array_equal(partners, matching.partners) and np.array_equal(distances, matching.distances)
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
