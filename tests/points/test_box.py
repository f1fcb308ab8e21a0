"""The box: walls instead of a seam, in matchings, processes, studies, tables and pictures."""

import numpy as np
import pytest

import poissonmatch as pm
from poissonmatch.studies.study_files.parameter_grid import cells_of
from poissonmatch.studies.study_files.schema import Study

STUDY = {"process": "two_color", "rule": "fussy", "dims": [1, 2], "sizes": 200, "ratios": [0.5], "replicates": 3}


def test_a_wall_is_no_seam():
    torus, box = pm.Torus(10.0, 2), pm.Box(10.0, 2)
    a, b = np.array([0.5, 5.0]), np.array([9.5, 5.0])
    assert torus.distance(a, b) == 1 and box.distance(a, b) == 9
    assert np.isinf(box.periods).all() and box.seams is None and box != torus
    assert (box.volume, box.cutoff, box.side) == (torus.volume, torus.cutoff, torus.side)
    assert pm.Box((2.0, 3.0)).volume == 6 and pm.Box((2.0, 3.0)).dim == 2


def test_walls_hold_points_and_nothing_is_wrapped():
    on_walls = pm.Pattern([[0.0, 2.0], [2.0, 2.0]], geometry=pm.Box(2.0, 2))
    assert pm.match(on_walls).distance.tolist() == [2.0, 2.0]


@pytest.mark.parametrize("name", ("poisson", "two_color", "lattice", "perturbed_lattice", "thomas", "matern"))
def test_processes_are_those_of_the_torus_cut_open(name):
    process = pm.processes.PROCESSES[name]
    box, torus = (process(space, rng=3) for space in (pm.Box(10.0, 2), pm.Torus(10.0, 2)))
    assert box.geometry == pm.Box(10.0, 2) and len(box) > 0
    np.testing.assert_array_equal(box.points, torus.points)
    np.testing.assert_array_equal(box.colors, torus.colors)


def test_a_cell_has_its_old_name_unless_it_is_a_box():
    plain, torus, box = (
        cells_of("s", Study(**STUDY, **more), 1)[1] for more in ({}, {"geometry": "torus"}, {"geometry": "box"})
    )
    assert plain == torus and "geometry" not in plain.source and plain.id == "d2-n200-r0.5-58290dbb2d"
    assert box.id != plain.id and box.space() == pm.Box(box.side, 2)
    assert type(box).of_record(box.record).fingerprint == box.fingerprint
    assert type(box).of_record(plain.record).space() == pm.Torus(plain.side, 2)


def test_a_study_in_a_box():
    found = {kind: pm.sweep({"seed": 1, "studies": {"s": {**STUDY, "geometry": kind}}}) for kind in ("torus", "box")}
    for kind, made in found.items():
        for table in (made.estimates, made.replicates, made.distances):
            assert set(table["geometry"]) == {kind}
        assert made.replicates.groupby("dim")["side"].first().tolist() == pytest.approx([200 / 1.5, (200 / 1.5) ** 0.5])
    first = pm.match(next(iter(pm.replicates("two_color", pm.Box(10.0, 2), n=1, intensities=[1.0, 0.5]))).pattern)
    assert first.pattern.geometry == pm.Box(10.0, 2)
    torus, box = (made.estimates.query("quantity == 'unmatched_fraction'") for made in found.values())
    assert np.array_equal(torus["exact"], box["exact"], equal_nan=True) and np.array_equal(
        torus["cutoff"], box["cutoff"], equal_nan=True
    )
    assert torus["value"].tolist() != box["value"].tolist()


def test_tiles_change_nothing():
    study = {**STUDY, "geometry": "box", "observables": ["unmatched", "distances"]}
    one, four = (pm.sweep({"studies": {"s": {**study, "tiles": tiles}}}).distances for tiles in (1, 4))
    assert one.equals(four)


def test_pictures_have_a_frame_and_no_seam():
    pattern = pm.Pattern([[0.5, 5.0], [9.5, 5.0]], None, pm.Box(10.0, 2))
    lines = [path.vertices for one in pm.match(pattern).plot().axes[0].collections for path in one.get_paths()]
    assert any(len(line) == 2 and abs(line[1][0] - line[0][0]) == pytest.approx(9.0) for line in lines)
