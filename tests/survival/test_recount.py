"""The program docs/data/count_a_box.py derives the points of a box, and counts D, without any library."""

import runpy

import numpy as np
import pytest

from helpers.checkout import ROOT
from poissonmatch.survival.certificates import boxes

PROGRAM = ROOT / "docs/data/count_a_box.py"


@pytest.fixture(scope="module")
def program():
    """The functions of the program."""
    return runpy.run_path(str(PROGRAM))


def test_its_random_numbers_are_those_of_numpy(program):
    for seed, key in ((0, (0, 0)), (20261123, (3, 0)), (2**40 + 5, (int.from_bytes(b"d2-cover 0.3", "big"), 7, 1))):
        sequence = np.random.SeedSequence(seed, spawn_key=key)
        assert program["hashed"](seed, key) == sequence.generate_state(8).tolist()
        rng, numbers = np.random.default_rng(sequence), program["random_numbers"](seed, key)
        assert [next(numbers) for _ in range(5)] == rng.random(5).tolist()
        means = np.geomspace(10, 1e7, 200)
        assert [program["poisson"](mean, numbers) for mean in means] == [rng.poisson(mean) for mean in means]


@pytest.mark.parametrize("dim, scale, box", [(1, 5.0, 60.0), (2, 2.0, 14.0), (3, 1.2, 7.0)])
@pytest.mark.parametrize("name, margin", [("a cover", 2.0), ("", 4.0)])
def test_it_counts_as_the_engine(program, dim, scale, box, name, margin):
    sample = boxes.Boxes(dim, 0.7, scale, box * (1.5 if dim < 3 and not name else 1), 5, name, margin)
    counts = [boxes.count(sample, number) for number in range(4)]
    points, red = program["points_of_box"](dim, 0.7, sample.box, 5, name, 0)
    drawn = boxes.tile_points(sample, 0, 0)
    assert points == drawn.places.tolist() and red == drawn.red.tolist()
    count = program["difference"]
    assert counts == [count(dim, 0.7, scale, sample.box, margin, 5, name, number) for number in range(4)]
