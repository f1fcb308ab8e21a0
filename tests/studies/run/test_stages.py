"""Random streams of replicates."""

import pytest

import poissonmatch as pm
from helpers.runs import TINY, run_study, write_study
from poissonmatch.studies.sampling.cells import seed_sequence


@pytest.mark.slow
@pytest.mark.long
def test_a_replicate_does_not_depend_on_how_many_there_are(tiny, tmp_path):
    more = run_study(write_study(tmp_path, TINY.replace("replicates: 16", "replicates: 20")), tmp_path / "r")
    old, new = pm.load(tiny[1] / "replicates.parquet"), pm.load(more / "replicates.parquet")
    keys = ["study", "cell", "replicate"]
    kept = new.merge(old[keys], on=keys)
    assert len(old) < len(new) and kept[old.columns].equals(old)


def test_seeds_are_spread():
    states = set()
    for seed in (1, 2):
        for source in ({"a": 1}, {"a": 2}):
            for replicate in range(3):
                states.add(tuple(seed_sequence(seed, source, replicate).generate_state(4)))
    assert len(states) == 12
