"""Points of several colors, each from a process of its own, in Python and in studies."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.refusals import refusal
from helpers.tables import tables
from poissonmatch.points.processes import PROCESSES
from poissonmatch.studies.sampling.cells import Cell
from poissonmatch.studies.study_files import cells
from poissonmatch.studies.study_files.read import of_data

TORUS = pm.Torus(6.0, 2)


def of_color(pattern, color):
    return pattern.points[pattern.colors == color]


def cells_of(**study):
    data = {"rule": "two-color", "dims": [2], "sizes": [100.0], "replicates": 2, **study}
    return cells(of_data({"seed": 5, "studies": {"mixed": data}}, "mixed"))


def test_a_color_does_not_depend_on_the_other_processes():
    lattice = pm.processes.mixed(TORUS, ("lattice", "poisson"), (1.0, 1.5), rng=7)
    poisson = pm.processes.mixed(TORUS, ("poisson", "poisson"), (1.0, 1.5), rng=7)
    assert len(of_color(lattice, 0)) == 36 and np.array_equal(of_color(lattice, 1), of_color(poisson, 1))
    assert not np.array_equal(of_color(poisson, 0), of_color(poisson, 1)[: len(of_color(poisson, 0))])


def test_a_study_draws_the_first_color_as_a_study_of_its_process_alone():
    torus, both = pm.Torus(6.0, 2), {"intensities": (1.0, 1.5), "seed": 3}
    mixed = next(pm.replicates(["lattice", "poisson"], torus, "two-color", **both)).pattern
    other = next(pm.replicates([{"name": "thomas", "offspring": 2.0}, "poisson"], torus, "two-color", **both)).pattern
    alone = next(pm.replicates("lattice", torus, seed=3)).pattern
    assert np.array_equal(of_color(mixed, 0), alone.points)
    assert np.array_equal(of_color(mixed, 1), of_color(other, 1))


@pytest.mark.parametrize("name", [name for name in PROCESSES if name not in ("two_color", "binomial")])
def test_each_process_can_be_a_color(name):
    pattern = pm.processes.mixed(TORUS, ("poisson", name), (0.5, 0.25), rng=1)
    alone = PROCESSES[name].pattern(TORUS, 9.0, (0.25,), np.random.default_rng(1).spawn(2)[1])
    assert np.array_equal(of_color(pattern, 1), alone.points)


def test_a_size_is_the_nearest_with_a_whole_lattice():
    sizes = {cell.ratio: cell.size for cell in cells_of(process=["lattice", "poisson"], ratios=[1.5, 3.0])}
    assert sizes == {1.5: 36 * 2.5, 3.0: 25 * 4.0}
    for cell in cells_of(process=["poisson", "lattice"], ratios=[1.5]):
        assert len(of_color(cell.pattern(0), 1)) == 64 and Cell.of_record(cell.record).record == cell.record


def test_parameters_belong_to_their_color():
    process = pm.processes.process_named("perturbed_lattice+thomas")
    assert process.parameters == {"spread_0": 0.3, "offspring_1": 5.0, "spread_1": 0.2}
    (cell,) = cells_of(process=[{"name": "perturbed_lattice", "spread": 0.0}, "thomas"], sizes=[72.0])
    x = np.sort(of_color(cell.pattern(0), 0), axis=0)[::6]
    assert np.allclose(np.diff(x, axis=0), 1)
    assert dict(cell.process) == {
        "name": "perturbed_lattice+thomas",
        "spread_0": 0.0,
        "offspring_1": 5.0,
        "spread_1": 0.2,
    }


@pytest.mark.parametrize("study, message", tables(__file__)["refused"])
def test_a_list_that_cannot_be_drawn(study, message):
    assert message in refusal(cells_of, **{"process": ["lattice", "poisson"], **study})
