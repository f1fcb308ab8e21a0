"""The exact bytes: tables depend on the study and the code, not on threads, block size, order, or cores. Slurm: tests/slurm."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from poissonmatch import studies
from poissonmatch.engine import thread_pool
from poissonmatch.pipeline import blocks, progress, stages
from poissonmatch.tables.estimate_tables import TABLES

ROOT = Path(__file__).parents[2]
TEXT = """
studies:
  one: {{dims: [1, 2, 3], sizes: 150, replicates: 6, block: {block}, observables: [unmatched, distances, realization]}}
  red: {{process: two_color, rule: fussy, dims: [2, inf], sizes: 150, ratios: [0.5, 1], replicates: 6, block: {block}}}
"""


def study(tmp_path: Path, block: int) -> studies.StudyFile:
    (tmp_path / "s.yaml").write_text(TEXT.format(block=block))
    return studies.load(tmp_path / "s.yaml")


def tables_of(folder: Path) -> dict[str, bytes]:
    return {name: (folder / f"{name}.parquet").read_bytes() for name in TABLES}


def made(
    tmp_path: Path, name: str, *, block: int = 6, threads: int = 1, shuffle: int | None = None
) -> dict[str, bytes]:
    file, folder = study(tmp_path, block), tmp_path / name
    found = list(progress.found_blocks(file, folder))
    if shuffle is not None:
        random.Random(shuffle).shuffle(found)
    for one in found:
        blocks.simulate(one, folder, threads=threads)
    stages.aggregate(file, folder)
    return tables_of(folder)


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    return made(tmp_path_factory.mktemp("usual"), "usual")


@pytest.mark.parametrize("block", [1, 2, 4, 5])
def test_block_size(tmp_path, usual, block):
    assert made(tmp_path, "other", block=block) == usual


def test_threads(tmp_path, usual, monkeypatch):
    monkeypatch.setattr(thread_pool, "PARALLEL", 10)  # so that threads take part in small tori as well
    assert made(tmp_path, "other", threads=3) == usual


@pytest.mark.parametrize("seed", [1, 2])
def test_order_of_jobs(tmp_path, usual, seed):
    assert made(tmp_path, "other", block=2, shuffle=seed) == usual


@pytest.mark.xdist_group("snakemake here")
@pytest.mark.slow
@pytest.mark.parametrize("cores", [1, 2])
def test_cores(tmp_path, usual, cores):
    study(tmp_path, 3)
    words = ["--cores", str(cores), "--config", f"study={tmp_path / 's.yaml'}", f"results={tmp_path / 'r'}"]
    subprocess.run([sys.executable, "-m", "snakemake", *words], cwd=ROOT, check=True, capture_output=True)
    assert tables_of(tmp_path / "r" / "s") == usual
