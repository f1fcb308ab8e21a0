"""Coordinates whose rounding would decide: float32, far origins and mixed sizes, in Python and in files."""

import warnings

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.command_line import call
from helpers.tables import tables
from poissonmatch.studies import study_files as studies
from poissonmatch.utils.errors import BadInput

RNG = np.random.default_rng(81)
SITES = RNG.permutation(60 * 60)[:300]
TENTHS = np.stack(np.divmod(SITES, 60), axis=1)  # many distances are equal


def frame_of(points):
    return pd.DataFrame(points, columns=["x", "y"])


def partners_by_hand(whole, wrap=None):
    """The one-color matching of points with whole coordinates, over all pairs, by Python integers."""
    pattern = pm.Pattern(whole, None, pm.Euclidean(2))
    return oracles.all_pairs(pattern, pm.RULES["one-color"], oracles.integer_pairs(whole, wrap))[0]


def write(folder, frame, ending):
    path = folder / f"t.{ending}"
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    return path


def cell_of(folder, ending, keys="", window="geometry: box, window: {side: [6, 6]}"):
    path = folder / "s.yaml"
    process = f"{{name: points, files: t.{ending}, coords: [x, y]{keys}}}"
    path.write_text(
        f"studies: {{plot: {{process: {process}, dims: 2, replicates: 1, observables: unmatched, {window}}}}}\n"
    )
    file = studies.load(path)
    (cell,) = studies.cells(file)
    return file, cell


def test_float32_decimals_are_decimals_everywhere(tmp_path):
    frame, expected = frame_of((TENTHS / 10).astype("f4")), partners_by_hand(TENTHS)
    with pytest.warns(UserWarning, match="float32 coordinates are taken as the shortest decimals .*, on a grid of 0.1"):
        pattern = pm.Pattern.from_frame(frame)
    assert pattern.grid == 0.1 and pattern.points.tolist() == (TENTHS / 10).tolist()
    by_hand = pm.Pattern(frame.to_numpy(), None, pm.Euclidean(2), grid=0.1)  # the step that the warning names
    assert by_hand == pattern and by_hand.grid == 0.1
    write(tmp_path, frame, "parquet")
    file, cell = cell_of(tmp_path, "parquet")
    (note,) = studies.read_points(file)
    assert note.startswith("studies.plot.process: ") and note.endswith(
        "t.parquet: float32 coordinates are taken as the shortest decimals that round to them, on a grid of 0.1"
    )
    code, said = call("validate", str(tmp_path / "s.yaml"))
    assert code == 0 and f"note: {tmp_path / 's.yaml'}: {note}\n" in said
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        in_study = cell.pattern(0)
    for one in (pattern, in_study):
        np.testing.assert_array_equal(pm.match(one).partner, expected)
    exact = pm.Pattern(frame.to_numpy(), None, pm.Euclidean(2))
    assert (pm.match(exact).partner != expected).any()  # what the decimals are for


@pytest.mark.parametrize("points, steps", tables(__file__)["float32"])
def test_float32_is_decimal_only_if_the_decimals_are_farther_apart_than_its_numbers(points, steps):
    column = np.array(points, "f4")
    pattern = pm.Pattern(column[:, None], None, pm.Euclidean(1), grid="auto")
    decimals = [float(str(value)) for value in column]
    assert pattern.points.ravel().tolist() == (decimals if steps else column.astype(float).tolist())
    assert not steps or pattern.grid == steps[0]


BAD = {  # coordinates that do not resolve the distances
    "far": frame_of(TENTHS / 10 + 1e17),
    "large beside a whole number": pd.DataFrame({"x": [1e18, float(10**18 + 5), 3.0], "y": [0.0, 0.0, 1.0]}),
    "float32, far": frame_of((TENTHS / 10 + 2.0**24).astype("f4")),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("grid", ("auto", None))
def test_coordinates_that_do_not_resolve_are_an_error(tmp_path, name, grid):
    frame = BAD[name]
    with pytest.raises(BadInput, match=r"row \d+: coordinates of .* are multiples of .* subtract a common origin"):
        pm.Pattern.from_frame(frame, grid=grid)
    with pytest.raises(BadInput, match="subtract a common origin"):
        pm.Pattern.from_frame(frame, geometry=pm.Torus(6.0, 2), wrap=True, grid=grid)
    write(tmp_path, frame, "parquet")
    keys = "" if grid == "auto" else ", grid: none"
    file, _ = cell_of(tmp_path, "parquet", keys, "window: {side: [6, 6], wrap: true}")
    with pytest.raises(BadInput, match=r"t.parquet: row \d+: coordinates of .* subtract a common origin"):
        studies.read_points(file)


@pytest.mark.parametrize(
    "points",
    (
        TENTHS / 10 + 1e6,  # as of a map projection
        RNG.random((100, 2)),
        RNG.random((100, 2)).astype("f4"),
        np.vstack([RNG.random((50, 2)) * 1e-20, RNG.random((50, 2)) * 1e20]),  # mixed sizes
        np.repeat(RNG.random((50, 2)), 2, axis=0),  # each point twice
        np.array([[2**53, 0], [2**53 - 1, 0], [2**53 - 5, 0]]),  # whole numbers
    ),
)
def test_coordinates_that_resolve_are_accepted_in_silence(points):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pattern = pm.Pattern.from_frame(frame_of(points))
    assert np.array_equal(pattern.points.astype(points.dtype), points)


@pytest.mark.parametrize("ending", ("csv", "parquet"))
def test_a_study_says_what_python_says_about_rounding(tmp_path, ending):
    frame = frame_of(TENTHS / 3)
    with pytest.warns(UserWarning) as said:
        pm.Pattern.from_frame(frame)
    write(tmp_path, frame, ending)
    file, _ = cell_of(tmp_path, ending, window="geometry: box, window: {side: [20, 20]}")
    (note,) = studies.read_points(file)
    assert note.endswith(f"t.{ending}: {said[0].message}") and "rounding may decide which is nearer" in note


def test_the_grid_of_a_study(tmp_path):
    write(tmp_path, frame_of(TENTHS / 10), "csv")
    grids = {}
    for keys in ("", ", grid: auto", ", grid: none", ", grid: 0.05"):
        _, cell = cell_of(tmp_path, "csv", keys)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            grids[keys] = cell.pattern(0).grid
    assert [*grids.values()] == [0.1, 0.1, None, 0.05]
    assert cell_of(tmp_path, "csv")[1].id == cell_of(tmp_path, "csv", ", grid: auto")[1].id  # as before there was a key
    file, _ = cell_of(tmp_path, "csv", ", grid: 0.25")
    with pytest.raises(BadInput, match=r"t.csv: line \d+, column '[xy]': .* is not a multiple of the grid 0.25"):
        studies.read_points(file)
    with pytest.raises(BadInput, match="process.grid: must be a positive number, auto or none: 'fine' is text"):
        cell_of(tmp_path, "csv", ", grid: fine")


@pytest.mark.parametrize("grid", ("auto", "none"))
@pytest.mark.parametrize("origin", (-(10.0**17), 6.0 * 2**60, -6.0, 0.0))
def test_whole_periods_of_an_origin_change_nothing(tmp_path, origin, grid):
    side = 8.0 if origin == -(10.0**17) else 6.0  # whose multiple the origin is
    write(tmp_path, frame_of(TENTHS / 10), "csv")
    window = f"window: {{side: [{side}, {side}], origin: [{origin!r}, 0], wrap: true}}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pattern = cell_of(tmp_path, "csv", f", grid: {grid}", window)[1].pattern(0)
    np.testing.assert_allclose(pattern.points, TENTHS / 10, atol=1e-12)
    if grid == "auto":
        np.testing.assert_array_equal(pm.match(pattern).partner, partners_by_hand(TENTHS, int(10 * side)))
