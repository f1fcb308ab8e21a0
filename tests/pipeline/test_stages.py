"""Stages: how the work is cut changes nothing; what is damaged is refused."""

import shutil

import pytest

import poissonmatch as pm
from helpers.runs import TINY, run_study, write_study
from poissonmatch import studies
from poissonmatch.pipeline import blocks, integrity, progress, provenance, stages
from poissonmatch.sampling.cells import seed_sequence
from poissonmatch.tables.estimate_tables import TABLES
from poissonmatch.utils.errors import BadInput, IntegrityError


@pytest.mark.long
@pytest.mark.parametrize("block", [1, 4, 7])
def test_blocks_change_no_byte(tiny, tmp_path, block):
    text = TINY.replace("replicates: 16", f"replicates: 16, block: {block}")
    assert text.count("block: ") == 3
    folder = run_study(write_study(tmp_path, text), tmp_path / "results")
    for name in TABLES:
        assert (folder / f"{name}.parquet").read_bytes() == (tiny[1] / f"{name}.parquet").read_bytes(), name


@pytest.mark.long
def test_order_and_threads_change_no_byte(tiny, tmp_path):
    path = write_study(tmp_path)
    file, folder = studies.load(path), tmp_path / "results" / "tiny"
    for cell in reversed(studies.cells(file)):
        for block in cell.blocks():
            blocks.simulate(block, folder, threads=2)
    stages.aggregate(file, folder)
    for manifest in tiny[1].glob("**/*"):
        if manifest.is_file() and manifest.name != progress.STATUS:  # which has the times of files
            assert (folder / manifest.relative_to(tiny[1])).read_bytes() == manifest.read_bytes(), manifest.name


@pytest.mark.long
def test_a_replicate_does_not_depend_on_how_many_there_are(tiny, tmp_path):
    more = run_study(write_study(tmp_path, TINY.replace("replicates: 16", "replicates: 20")), tmp_path / "r")
    old, new = pm.load(tiny[1] / "replicates.parquet"), pm.load(more / "replicates.parquet")
    keys = ["study", "cell", "replicate"]
    kept = new.merge(old[keys], on=keys)
    assert len(old) < len(new) and kept[old.columns].equals(old)


@pytest.fixture
def copy(tiny, tmp_path):
    shutil.copytree(tiny[1], tmp_path / "tiny")
    return tmp_path / "tiny"


def block_path(folder, suffix):
    return sorted(folder.glob(f"blocks/fussy/*/*{suffix}"))[0]


@pytest.mark.parametrize(
    ("suffix", "harm", "words"),
    [
        (".replicates.parquet", lambda p: p.write_bytes(p.read_bytes()[:-9]), "SHA-256 differs"),
        (".replicates.parquet", lambda p: p.unlink(), "missing"),
        (".json", lambda p: p.write_text("{"), "damaged"),
        (".json", lambda p: p.unlink(), "missing"),
    ],
)
def test_aggregate_refuses_what_is_not_right(copy, tiny, suffix, harm, words):
    path = block_path(copy, suffix)
    harm(path)
    before = (copy / "estimates.parquet").read_bytes()
    with pytest.raises(IntegrityError, match=words) as error:
        stages.aggregate(studies.load(tiny[0]), copy)
    assert str(path) in str(error.value) and (copy / "estimates.parquet").read_bytes() == before


def test_blocks_of_other_code_are_refused(copy, tiny, monkeypatch):
    monkeypatch.setattr(provenance, "code_digest", lambda stage: "0" * 16)
    with pytest.raises(IntegrityError, match="made by other code"):
        stages.aggregate(studies.load(tiny[0]), copy)


def test_verify_names_what_is_not_right(copy):
    assert integrity.verify(copy).problems == []
    path = block_path(copy, ".distances.parquet")
    path.write_bytes(b"x" + path.read_bytes()[1:])
    (copy / "replicates.parquet").write_bytes(b"PAR1")
    problems = integrity.verify(copy).problems
    assert [p.path for p in problems] == [path, copy / "replicates.parquet"]


def test_figures_of_damaged_tables_are_refused(copy, tiny):
    data = bytearray((copy / "estimates.parquet").read_bytes())
    data[len(data) // 2] ^= 1
    (copy / "estimates.parquet").write_bytes(data)
    with pytest.raises(IntegrityError):
        stages.draw(studies.load(tiny[0]), copy)


def test_find_block(tiny):
    file = studies.load(tiny[0])
    manifest = block_path(tiny[1], ".json")
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
