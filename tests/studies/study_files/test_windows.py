"""Windows of studies: rectangles of points from files, tori and boxes with given sides, and what does not fit."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.runs import load_study
from helpers.sweeps import swept
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.sampling.cells import Cell
from poissonmatch.studies.statistics.observables import measure
from poissonmatch.studies.study_files import window_checks
from poissonmatch.studies.tables.invariants import columns_of, impossible
from poissonmatch.studies.tables.tables import REALIZATIONS
from poissonmatch.utils.errors import BadInput

POINTS = "x,y,kind\n10.1,20.2,oak\n10.4,20.9,ash\n13.9,21.9,oak\n14.0,20.5,oak\n"
FILES = "process: {{name: points, files: t.csv, coords: [x, y]{color}}}, dims: 2, replicates: 1, rule: {rule}, "


def load(folder, study):
    return load_study(folder, f"studies:\n  plot: {{{study}}}\n")


def cells_of(folder, window, color=", color: kind", rule="two-color", text=POINTS):
    (folder / "t.csv").write_text(text)
    return studies.cells(load(folder, FILES.format(color=color, rule=rule) + window))


def test_a_box_has_the_points_of_the_file_where_they_are(tmp_path):
    (cell,) = cells_of(tmp_path, "geometry: box, window: {side: [4, 2], origin: [10, 20]}")
    pattern = cell.pattern(0)
    assert pattern.geometry == pm.Box((4, 2), corner=(10, 20)) and pattern.grid == 0.1
    assert pattern.points.tolist() == [[10.1, 20.2], [10.4, 20.9], [13.9, 21.9], [14.0, 20.5]]
    assert pattern.color_names == ("ash", "oak") and pattern.colors.tolist() == [1, 0, 1, 1]
    assert cell.size == 4 and cell.intensities == (1 / 8, 3 / 8) and cell.volume == 8 and cell.side == 2
    assert Cell.of_record(cell.record).record == cell.record and cell.record["window"]["side"] == [4.0, 2.0]


def test_a_torus_has_them_moved_to_0(tmp_path):
    (cell,) = cells_of(tmp_path, "window: {side: [4, 2], origin: [10, 20], wrap: true}")
    pattern = cell.pattern(0)
    assert pattern.geometry == pm.Torus((4, 2)) and pattern.grid == 0.1
    assert pattern.points.tolist() == [[0.1, 0.2], [0.4, 0.9], [3.9, 1.9], [0.0, 0.5]]


@pytest.mark.parametrize("geometry", ("box", "torus"))
def test_a_corner_may_be_anywhere(tmp_path, geometry):
    text = "x,y\n-6,-7.4\n-5.6,-6.7\n-2.1,-5.7\n-2.1,-7.1\n"
    window = f"geometry: {geometry}, window: {{side: [4, 2], origin: [-6, -7.5]}}, observables: realization"
    (cell,) = cells_of(tmp_path, window, color="", rule="one-color", text=text)
    rows = measure(cell, 0)["realizations"]
    corner = (-6, -7.5) if geometry == "box" else (0, 0)
    assert (rows["x"].to_pylist()[0], rows["y"].to_pylist()[0]) == pytest.approx((corner[0], corner[1] + 0.1))
    assert impossible(REALIZATIONS, columns_of(rows)) == ""


def test_without_colors_the_points_are_thinned_to_the_given_shares(tmp_path):
    (cell,) = cells_of(tmp_path, "window: {side: [5, 3], origin: [10, 20]}, intensities: [[3, 1]]", color="")
    assert cell.intensities == (3 / 15, 1 / 15) and cell.size == 4


def test_simulated_points_on_rectangles(tmp_path):
    cells = studies.cells(load(tmp_path, "dims: 2, side: [20, 10], intensities: [1, 2], replicates: 1"))
    assert [(cell.size, cell.volume, cell.space()) for cell in cells] == [
        (n, 200, pm.Torus((20, 10))) for n in (200, 400)
    ]
    cells = studies.cells(load(tmp_path, "dims: 3, side: [2, 1, 1], sizes: [16, 2000], geometry: box, replicates: 1"))
    assert [cell.space().side for cell in cells] == [pytest.approx((4, 2, 2)), pytest.approx((20, 10, 10))]
    cells = studies.cells(load(tmp_path, "dims: [1, 2], side: 5, replicates: 1"))
    assert [cell.space() for cell in cells] == [pm.Torus(5.0, 1), pm.Torus(5.0, 2)]
    assert [cell.size for cell in cells] == [5, 25]


@pytest.mark.parametrize(
    "process", ("poisson", "{name: thomas, offspring: 3}", "{name: matern, distance: 0.3}", "lattice")
)
@pytest.mark.parametrize("geometry", ("torus", "box"))
def test_processes_fill_a_rectangle(tmp_path, process, geometry):
    (cell,) = studies.cells(
        load(tmp_path, f"process: {process}, dims: 2, side: [40, 10], geometry: {geometry}, replicates: 1")
    )
    points = cell.pattern(0).points
    assert len(points) == pytest.approx(400, rel=0.4)
    quarters = np.bincount((points[:, 0] // 10).astype(int), minlength=4)
    assert len(quarters) == 4 and quarters.min() > 40 and points[:, 1].max() <= 10


def test_a_sweep_is_the_same_as_replicates_and_as_its_own_file(tmp_path):
    sweep = swept("dims: 2, side: [20, 10], replicates: 2, seed: 3, observables: unmatched")
    matchings = pm.replicates("poisson", pm.Torus((20, 10)), "one-color", n=2, seed=3)
    assert sweep.replicates["longest_0"].tolist() == [m.distance[np.isfinite(m.distance)].max() for m in matchings]
    again = pm.sweep(sweep.to_yaml(tmp_path / "again.yaml"))
    assert again.replicates["cell"].tolist() == sweep.replicates["cell"].tolist()


def test_the_window_is_named(tmp_path):
    file = load(tmp_path, "dims: 2, side: [20, 10], intensities: [1, 2], replicates: 1")
    assert [*studies.windows(file)] == [
        "studies.plot: 200 to 400 expected points in a torus of 20 x 10 for each replicate"
    ]
    cells_of(tmp_path, "window: {side: [5, 3], origin: [10, 20]}")
    text = window_checks.window_text(studies.load(tmp_path / "s.yaml").studies["plot"])
    assert text == "4 points in the window [10, 15] x [20, 23], a torus"


def test_colors_that_begin_with_1(tmp_path):
    text = "x,y,kind\n10.1,20.2,1\n10.1,20.3,2\n"
    (cell,) = cells_of(tmp_path, "sizes: 2, intensities: [[0.0001, 0.0001]]", text=text)
    with pytest.raises(BadInput, match="subtract 1 from the colors"):
        cell.pattern(0)
