"""Stages: which block a manifest names, and random streams of replicates."""

import pytest

import poissonmatch as pm
from helpers.runs import TINY, run_study, write_study
from poissonmatch import studies
from poissonmatch.pipeline import blocks
from poissonmatch.sampling.cells import seed_sequence
from poissonmatch.utils.errors import BadInput


@pytest.mark.slow
@pytest.mark.long
def test_a_replicate_does_not_depend_on_how_many_there_are(tiny, tmp_path):
    more = run_study(write_study(tmp_path, TINY.replace("replicates: 16", "replicates: 20")), tmp_path / "r")
    old, new = pm.load(tiny[1] / "replicates.parquet"), pm.load(more / "replicates.parquet")
    keys = ["study", "cell", "replicate"]
    kept = new.merge(old[keys], on=keys)
    assert len(old) < len(new) and kept[old.columns].equals(old)


def test_find_block(tiny):
    file = studies.load(tiny[0])
    manifest = next(tiny[1].glob("blocks/fussy/*/*.json"))
    block, folder = blocks.find_block(file, manifest)
    assert (block.cell.study, block.first, block.end, folder) == ("fussy", 0, 16, tiny[1])
    for wrong, words in (
        ("x.json", "not the name of a block"),
        (str(manifest).replace("000016", "000099"), "replicates go from 0 to 16"),
        (str(manifest).replace("/d", "/e"), "no cell"),
    ):
        with pytest.raises(BadInput, match=words):
            blocks.find_block(file, wrong)


def test_seeds_are_spread():
    states = set()
    for seed in (1, 2):
        for source in ({"a": 1}, {"a": 2}):
            for replicate in range(3):
                states.add(tuple(seed_sequence(seed, source, replicate).generate_state(4)))
    assert len(states) == 12
