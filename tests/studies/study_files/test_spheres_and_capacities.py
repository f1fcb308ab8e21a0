"""Studies on a sphere, and capacities of points from files."""

import re

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.runs import load_study
from helpers.sweeps import swept
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.sampling.cells import Block, Cell
from poissonmatch.studies.statistics.observables import measure, measure_block
from poissonmatch.utils.errors import BadInput

PLACES = "lon,lat,kind,limit\n-0.1,51.5,a,1\n2.4,48.9,b,2\n179.9,-16.6,a,1\n-179.9,-16.6,b,0\n10,10,b,3\n"
FILES = "process: {name: points, files: places.csv, coords: [lon, lat]%s}, dims: 2, replicates: 1"
EARTH = "geometry: sphere, radius: 6371"


def load(folder, study, text=PLACES):
    (folder / "places.csv").write_text(text)
    return load_study(folder, f"studies: {{one: {{{study}}}}}\n")


def cells_of(folder, study):
    return studies.cells(load(folder, study))


def pairs_of(tables):
    rows = tables["realizations"].to_pandas()
    return rows[rows["partner"] >= 0].set_index(["point", "partner"])["distance"].to_dict()


def test_points_from_files_are_matched_across_the_date_line(tmp_path):
    study = f"{FILES % ', color: kind'}, rule: two-color, {EARTH}, observables: [distances, realization]"
    (cell,) = cells_of(tmp_path, study)
    earth = pm.Sphere(6371.0)
    assert cell.space() == earth and cell.volume == earth.volume and cell.size == 5
    assert cell.intensities == (2 / earth.volume, 3 / earth.volume)
    assert Cell.of_record(cell.record).record == cell.record
    table = pd.read_csv(tmp_path / "places.csv")
    matching = pm.match(pm.Pattern.from_frame(table, coords=["lon", "lat"], color="kind", geometry=earth), "two-color")
    found = pairs_of(measure(cell, 0))
    for i, j, distance in zip(*matching.pairs.T.tolist(), matching.pair_distance, strict=True):
        assert found.pop((i, j)) == found.pop((j, i)) == distance
    assert found == {}
    assert [*studies.windows(studies.load(tmp_path / "s.yaml"))] == ["studies.one: 5 points on a sphere of radius 6371"]


@pytest.mark.parametrize("process", ("poisson", "binomial"))
@pytest.mark.parametrize("extent", ("radius: 5, intensities: [[1, 0.5]]", "sizes: 200, ratios: 0.5"))
def test_simulated_points(tmp_path, process, extent):
    (cell,) = cells_of(tmp_path, f"process: {process}, rule: fussy, dims: 2, geometry: sphere, {extent}, replicates: 5")
    sphere = cell.space()
    assert sphere.volume * 1.5 == pytest.approx(cell.size) and cell.side**2 == pytest.approx(sphere.volume)
    assert cell.size == (200 if "sizes" in extent else pytest.approx(150 * np.pi))
    rows = measure_block(Block(cell, 0, 5))["replicates"].to_pandas()
    for replicate in range(5):
        matching = pm.match(cell.pattern(replicate), "fussy")
        found = np.isfinite(matching.distance)
        assert rows["longest_0"][replicate] == matching.distance[found & (matching.pattern.colors == 0)].max()
        assert rows["unmatched_1"][replicate] == np.count_nonzero(~found & (matching.pattern.colors == 1))


@pytest.mark.parametrize("space, sizes", ((pm.Sphere(2.0), "radius: 2"), (pm.Box(5.0, 2), "sizes: 25")))
def test_replicates_are_those_of_a_study_with_a_seed_of_any_size(tmp_path, space, sizes):
    seed, study = 2**127 + 1, f"dims: 2, geometry: {space.name}, {sizes}, replicates: 2"
    (cell,) = studies.cells(load_study(tmp_path, f"seed: {seed}\nstudies: {{one: {{{study}}}}}\n"))
    for k, matching in enumerate(pm.replicates("poisson", space, n=2, seed=seed)):
        assert np.array_equal(matching.known_pattern.points, cell.pattern(k).points)


@pytest.mark.parametrize(
    "space, singular, plural", (("sphere", "sphere", "Spheres"), ("box", "box", "Boxes"), ("torus", "torus", "Tori"))
)
def test_captions_name_the_space(space, singular, plural):
    tables = swept(f"dims: 2, geometry: {space}, sizes: 600, replicates: 4, observables: distances")
    caption = pm.figures.caption(pm.figures.scaled_tail(tables.estimates))
    assert f"the cutoff of the {singular}" in caption and f"{plural} of" in caption, caption
    assert ("tor" in re.sub("vector|factor", "", caption).lower()) == (space == "torus")
    own = pm.figures.scaled_tail(tables.estimates, caption="Not on the torus.")
    assert pm.figures.caption(own).startswith("Not on the torus.")  # the words of a user stay


def test_the_law_of_the_plane_holds_on_a_large_sphere():
    keys = "dims: 2, sizes: 5000, replicates: 20, quantities: mean_distance, seed: 3"
    sphere, torus = (swept(keys, geometry=name).estimates.iloc[0] for name in ("sphere", "torus"))
    error = np.hypot(sphere["standard_error"], torus["standard_error"])
    assert sphere["geometry"] == "sphere" and abs(sphere["value"] - torus["value"]) < 5 * error


def test_a_figure_of_points_shows_no_sphere(tmp_path):
    study = "one: {dims: 2, geometry: sphere, radius: 2, replicates: 1, observables: realization}"
    with pytest.raises(BadInput, match="study one is on a sphere"):
        load_study(tmp_path, f"studies: {{{study}}}\nfigures: {{map: {{kind: realization, studies: one}}}}\n")


@pytest.mark.parametrize("space", (EARTH, "geometry: box, window: {side: [400, 180], origin: [-200, -90]}"))
@pytest.mark.parametrize("rule", ("one-color", "two-color", "multi(2)"))
def test_capacities_are_those_of_the_rows(tmp_path, space, rule):
    color = ", color: kind" if rule == "two-color" else ""
    study = f"{FILES % (', capacity: limit' + color)}, rule: {rule}, {space}, observables: [components, realization]"
    (cell,) = cells_of(tmp_path, study)
    assert cell.capacity(0).tolist() == [1, 2, 1, 0, 3] and cell.record["process"]["capacity"] == "limit"
    matching = pm.match(cell.pattern(0), rule, capacity=[1, 2, 1, 0, 3])
    both = np.concatenate([matching.pairs, matching.pairs[:, ::-1]])
    assert {*pairs_of(measure(cell, 0))} == {*map(tuple, both.tolist())}
    (without,) = cells_of(tmp_path, study.replace(", capacity: limit", ""))
    assert without.capacity(0) is None and "capacity" not in without.record["process"]


def test_a_missing_capacity_is_named(tmp_path):
    file = load(tmp_path, f"{FILES % ', capacity: limit'}, {EARTH}", PLACES.replace("b,2", "b,"))
    with pytest.raises(BadInput, match="line 3, column 'limit': nan is no whole number"):
        studies.read_points(file)
