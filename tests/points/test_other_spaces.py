"""Slabs, boxes with a corner, tables of distances, saved patterns, names of colors, and pictures of every window."""

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm

RNG = np.random.default_rng(11)


def table_of(pattern):
    """The same distances in a table, from differences across the axes without walls."""
    space, points = pattern.geometry, pattern.points
    gaps = np.abs(points[:, None] - points)
    for axis in set(range(space.dim)) - set(space.walls):
        gaps[..., axis] = np.minimum(gaps[..., axis], space.sides[axis] - gaps[..., axis])
    return pm.Pattern(np.sqrt((gaps**2).sum(axis=-1)), pattern.colors, pm.DistanceTable())


@pytest.mark.parametrize("rule", ("one-color", "fussy", "multi(3)", "misere"))
@pytest.mark.parametrize(
    "slab", (pm.Slab((10, 10, 2)), pm.Slab(10, 2, walls=[0]), pm.Slab((5, 4), walls=(0, 1)), pm.Slab(9, 1, walls=[]))
)
def test_a_slab_has_the_distances_of_its_table(slab, rule):
    pattern = pm.processes.two_color(slab, (2.0, 1.0), rng=3)
    matching, table = pm.match(pattern, rule), table_of(pattern)
    expected = pm.match(table, rule)
    np.testing.assert_array_equal(matching.partners, expected.partners)
    np.testing.assert_allclose(matching.distances, expected.distances)
    assert len(pm.blocking_pairs(pattern, matching)) == 0 == len(pm.blocking_pairs(table, expected))
    np.testing.assert_array_equal(pm.rounds(matching), pm.rounds(expected))


def test_a_box_with_a_corner_is_the_box_moved():
    corner = np.array([-3.0, 100.0])
    box = pm.Box((8, 4), corner=corner)
    points = pm.processes.poisson(box, 3.0, rng=2).points
    assert (points >= corner).all() and (points <= corner + [8, 4]).all() and len(points) > 60
    here, at_0 = pm.Pattern(points, None, box), pm.Pattern(points - corner, None, pm.Box((8, 4)))
    np.testing.assert_array_equal(pm.match(here).partner, pm.match(at_0).partner)
    for name in ("lattice", "perturbed_lattice", "thomas", "matern"):
        assert len(getattr(pm.processes, name)(box, rng=1)) > 5
    assert repr(pm.Box(2.0, 2)) == "Box(side=2.0, dim=2)" and pm.Box(2.0, 2) == pm.Box(2.0, 2, corner=(0, 0))


@pytest.mark.parametrize(
    "space",
    (pm.Torus(4.0, 2), pm.Torus((4, 5)), pm.Box(4.0, 2, corner=(-1, 2)), pm.Slab((4, 4)), pm.Euclidean(2), pm.Sphere(3.0),
     pm.DistanceTable(), pm.MeanField(2.0), pm.MeanField(2.0, table=False)),
)  # fmt: skip
def test_a_saved_pattern_is_the_same_pattern(space, tmp_path):
    points = RNG.random((6, 2)) * 2 + (space.low if space.has_coordinates else 0)
    if not space.has_coordinates:
        distances = np.abs(points[:, :1] - points[:, 0])
        points = distances if space.has_distances else np.zeros((6, 0))
    pattern = pm.Pattern(points, [0, 1, 2, 0, 1, 2], space, color_names=["oak", "fir", "ash"])
    path = pattern.save(tmp_path / "p.parquet")
    again = pm.load_pattern(path)
    assert again == pattern and again.color_names == ("oak", "fir", "ash") and again.grid is None
    assert pattern[[2, 0]].colors.tolist() == [2, 0] and pattern[pattern.colors == 1].count().tolist() == [0, 2]
    assert len(pattern[1:4]) == 3 and len(pattern[[]]) == 0
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 8
    (tmp_path / "q.parquet").write_bytes(data[: len(data) - 40])
    with pytest.raises(ValueError, match="q.parquet: not a file of Pattern.save"):
        pm.load_pattern(tmp_path / "q.parquet")


def test_a_frame_of_another_program_is_no_pattern(tmp_path):
    pd.DataFrame({"x": [1.0]}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="not a file of Pattern.save"):
        pm.load_pattern(tmp_path / "t.parquet")
    with pytest.raises(FileNotFoundError):
        pm.load_pattern(tmp_path / "none.parquet")


def test_columns_in_degrees_are_noted():
    frame = pd.DataFrame({"lon": [1.0, 2.0], "Lat": [3.0, 4.0]})
    with pytest.warns(UserWarning, match="'lon' and 'Lat' seem to be degrees.* use pm.Sphere"):
        pm.Pattern.from_frame(frame, ["lon", "Lat"])
    assert len(pm.Pattern.from_frame(frame, ["lon", "Lat"], geometry=pm.Sphere(6371.0))) == 2


@pytest.mark.parametrize(
    "names", (["RA", "Dec"], ["_RAJ2000", "_DEJ2000"], ["RA_ICRS", "DE_ICRS"], ["GLON", "GLAT"], ["l", "b"])
)
def test_columns_of_the_sky_are_noted(names):
    with pytest.warns(UserWarning, match="seem to be degrees.*on the sky; in a study `geometry: sphere`"):
        pm.Pattern.from_frame(pd.DataFrame([[359.9, 0.0], [0.1, 0.0]], columns=names), names)


def test_rounded_distances_are_the_remedy_for_equal_arcs():
    """On a circle of longitudes rounding decides; in a table of rounded distances the order of the rows does."""
    points = np.column_stack([np.arange(360.0), np.zeros(360)])
    sky = pm.Sphere(57.29577951308232)
    with pytest.warns(UserWarning, match=r"count_ties\(1e-12\) counts them, and in a table of rounded distances"):
        circle = pm.Pattern.from_frame(pd.DataFrame(points, columns=["ra", "dec"]), ["ra", "dec"], geometry=sky)
    ties = circle.ties(1e-12)
    assert circle.count_ties(1e-12) == (360, 360 * 359 // 2) and len(ties) < 360 * 359 // 2
    assert pm.match(circle).pair_distance.max() > 100
    table = sky.distance(points[:, None], points[None]).round(6)
    rounded = pm.Pattern(table, None, pm.DistanceTable())
    assert pm.match(rounded).pair_distance.tolist() == [1.0] * 180


SPACES = [
    kind for d in (1, 2, 3) for kind in
    (pm.Torus((20, 10, 5)[:d]), pm.Box((20, 10, 5)[:d], corner=(7,) * d), pm.Euclidean(d), pm.Slab((20, 10, 5)[:d]))
]  # fmt: skip


@pytest.mark.parametrize("space", [*SPACES, pm.Sphere(2.0)], ids=str)
def test_pictures_of_every_window(space):
    names = ["oak", "fir"]
    points = RNG.random((30, space.dim)) * np.array([20, 10, 5])[: space.dim] + space.low
    pattern = pm.Pattern(points, np.arange(30) % 2, space, color_names=names)
    for item in (pattern, pm.match(pattern, "two-color")):
        figure = item.plot()
        (axes,) = figure.axes
        assert set(names) <= {text.get_text() for legend in figure.legends for text in legend.get_texts()}
        left, right = axes.get_xlim()
        if isinstance(space, pm.Box | pm.Torus | pm.Slab):
            assert (left, right) == (space.low[0], space.low[0] + 20)
            assert space.dim == 1 or axes.get_ylim() == (space.low[1], space.low[1] + 10)
        assert axes.axison and (left <= points[:, 0]).all() and (points[:, 0] <= right).all()
        assert item._repr_svg_() is None or "<svg" in item._repr_svg_()
