"""The exact bytes: tables depend on the study and the code, not on threads, blocks, batches, order, or cores. Slurm: tests/slurm."""

import gc
import random
import weakref
from pathlib import Path

import pytest

from helpers.checkout import ROOT
from helpers.processes import python
from helpers.runs import blocks_of_study, load_study, missing, table_bytes
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results.batch_files import read_manifest
from poissonmatch.studies.results.results import OPEN_BATCHES
from poissonmatch.studies.results.store import _wrong_copies
from poissonmatch.studies.run import batches, stages
from poissonmatch.utils import thread_pool

TEXT = """
studies:
  one: {{dims: [1, 2, 3], sizes: 150, replicates: 6, block: {block}, observables: [unmatched, distances, realization]}}
  red: {{process: two_color, rule: fussy, dims: [2, inf], sizes: 150, ratios: [0.5, 1], replicates: 6, block: {block}}}
"""


def study(tmp_path: Path, block: int) -> studies.StudyFile:
    (tmp_path / "s.yaml").write_text(TEXT.format(block=block))
    return studies.load(tmp_path / "s.yaml")


def made(
    tmp_path: Path, name: str, *, block: int = 6, size: int = 3, threads: int = 1, shuffle: int | None = None
) -> dict[str, bytes]:
    file, folder = study(tmp_path, block), tmp_path / name
    wanted = missing(file, folder)
    if shuffle is not None:
        random.Random(shuffle).shuffle(wanted)
    for start in range(0, len(wanted), size):
        batches.make(wanted[start : start + size], folder, threads=threads)
    stages.aggregate(file, folder)
    return table_bytes(folder)


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    return made(tmp_path_factory.mktemp("usual"), "usual")


@pytest.mark.parametrize(
    "block, size", [(1, 7), (4, 3), *(pytest.param(*pair, marks=pytest.mark.slow) for pair in ((2, 1), (5, 99)))]
)
def test_blocks_and_batches(tmp_path, usual, block, size):
    assert made(tmp_path, "other", block=block, size=size) == usual


def test_threads(tmp_path, usual, monkeypatch):
    monkeypatch.setattr(thread_pool, "PARALLEL", 10)  # so that threads take part in small tori as well
    assert made(tmp_path, "other", threads=3) == usual


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_order_of_jobs(tmp_path, usual, seed):
    assert made(tmp_path, "other", block=2, shuffle=seed) == usual


@pytest.mark.xdist_group("snakemake here")
@pytest.mark.slow
@pytest.mark.parametrize("cores", [1, 2])
def test_cores(tmp_path, usual, cores):
    study(tmp_path, 3)
    config = ["--config", f"study={tmp_path / 's.yaml'}", f"results={tmp_path / 'r'}"]
    python("-m", "snakemake", "--cores", cores, *config, cwd=ROOT, check=True)
    assert table_bytes(tmp_path / "r/s") == usual


def test_the_number_of_batches_changes_no_table(tmp_path):
    """More batches than have rows in memory, and more than are open, at the same time; each is read twice."""
    sizes = [*range(10, 18)]
    file = load_study(
        tmp_path, f"studies: {{a: {{dims: 1, sizes: {sizes}, replicates: {OPEN_BATCHES + 2}, block: 1}}}}"
    )
    blocks = blocks_of_study(file)
    for replicate in range(OPEN_BATCHES + 2):
        batches.make([block for block in blocks if block.first == replicate], tmp_path / "many")
    batches.make(blocks, tmp_path / "one")
    for folder in ("many", "one"):
        stages.aggregate(file, tmp_path / folder)
    assert table_bytes(tmp_path / "many") == table_bytes(tmp_path / "one")


def test_a_wrong_copy_of_a_file_is_found_by_its_manifest(tmp_path):
    """Of the files that are copied; the other copies of a storage are in test_storage.py."""
    cell = studies.cells(
        load_study(tmp_path, "studies: {a: {dims: 1, sizes: 10, replicates: 2, observables: [distances]}}")
    )[0]
    manifest = batches.make([*cell.blocks()], tmp_path / "r")
    batch = read_manifest(manifest)
    assert sorted(batch.tables) == ["distances", "replicates"]
    names = [str(path.relative_to(tmp_path / "r")) for path in (manifest, *batch.files)]
    assert _wrong_copies(tmp_path / "r", names[0], names) == []
    (tmp_path / "r" / names[1]).write_bytes(b"other")
    assert _wrong_copies(tmp_path / "r", names[0], names) == [names[1]]
    assert _wrong_copies(tmp_path / "r", names[0], [names[0], names[2]]) == []


def test_the_files_of_a_batch_are_closed_without_the_garbage_collector(tmp_path):
    cell = studies.cells(load_study(tmp_path, "studies: {a: {dims: 1, sizes: 10, replicates: 2}}"))[0]
    batch = read_manifest(batches.make([*cell.blocks()], tmp_path / "r"))
    batch.read(0)
    reference = weakref.ref(batch)
    gc.disable()
    try:
        del batch
        assert reference() is None
    finally:
        gc.enable()
