"""Small studies, and a run of them without Snakemake."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import integrity
from poissonmatch.studies.results.batch_files import manifest_path, read_manifest, table_path
from poissonmatch.studies.results.results import Results, results_folder
from poissonmatch.studies.run import batches, stages
from poissonmatch.studies.run.repair import repair
from poissonmatch.studies.sampling import cells
from poissonmatch.studies.sampling.cells import Block, Cell
from poissonmatch.utils import code_digests
from poissonmatch.utils.errors import Problem

TINY = """
seed: 5
studies:
  one-color: {dims: [1, 2, inf], sizes: 120, replicates: 16, observables: [distances, winner]}
  fussy: {process: two_color, rule: fussy, dims: [1, 2, inf], sizes: 150, ratios: [0.5, 1.0], replicates: 16, observables: [distances, flow]}
  two-color: {process: two_color, rule: two-color, dims: [1, 2], sizes: [60, 240], ratios: [0.5, 1.0, 1.5], replicates: 16}
  picture: {rule: multi(2), dims: 2, sizes: 40, replicates: 1, observables: [realization]}
figures:
  realizations: {kind: realization, studies: picture}
  tail: {kind: tail, studies: [one-color, two-color]}
  levelled: {kind: scaled-tail, studies: one-color}
  transition: {kind: transition, studies: two-color}
  fussy: {kind: fussy, studies: fussy}
  fussy-log: {kind: fussy-log, studies: fussy, title: The open problem}
"""
FROG_STUDY = """
seed: 6
studies:
  labels: {rule: labels(3), dims: [1, 2], sizes: 100, replicates: 16}
  frogs: {dims: [1, 2], sizes: [10, 100], replicates: 16, observables: [winner, distances, desirers, response, rounds, play_length, chains, window, balls]}
  colored-points: {process: two_color, rule: two-color, dims: [1, 2], sizes: 20, ratios: [0.5, 1], replicates: 16, observables: [winner]}
  fussy-frogs: {process: two_color, rule: fussy, dims: 2, sizes: [20, 40], ratios: [0.5, 1], replicates: 16, observables: [winner, survivor_pairs, flip]}
  octaves: {process: two_color, rule: fussy, dims: 1, sizes: 2000, ratios: 0.5, replicates: 16, observables: [octaves]}
  misere: {process: binomial, rule: misere, dims: 2, sizes: [4, 7], replicates: 16, observables: [winner]}
  graph: {rule: multi(2), dims: [1, 2], sizes: [30, 60], replicates: 16, observables: [winner, components]}
  lattice: {process: [lattice, poisson], rule: two-color, dims: [1, 2], sizes: 60, ratios: [0.5, 1.5], replicates: 16,
    observables: [structure_factor, number_variance]}
"""


def tables_in(folder: Path) -> dict[str, pd.DataFrame]:
    """The tables of a results folder, by name."""
    return {path.stem: pm.load(path) for path in sorted(folder.glob("*.parquet"))}


def peak_memory(code: str) -> float:
    """Peak bytes of a fresh process that runs some Python. Not by getrusage: a process inherits that peak from its parent."""
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("the peak of a process is read from /proc")
    words = [sys.executable, "-c", f"{code}\nprint(open('{status}').read())"]
    output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return 1024 * float(re.search(r"VmHWM:\s+(\d+)", output)[1])


def write_study(folder: Path, text: str = TINY, name: str = "tiny") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def load_study(folder: Path, text: str) -> studies.StudyFile:
    """Write a study file and read it."""
    return studies.load(write_study(folder, text, "s"))


def one_study(folder: Path, keys: str) -> studies.StudyFile:
    """Read a study file with a study of these keys, on its second line."""
    return load_study(folder, f"studies:\n  a: {{{keys}}}\n")


def cells_of(path: Path, **options: Any) -> list[Cell]:
    """The cells of a study file."""
    return studies.cells(studies.load(path, **options))


def run_study(path: Path, results: Path) -> Path:
    """Simulate and aggregate a study file without Snakemake; returns its results folder."""
    file, folder = studies.load(path), results_folder(path, results)
    simulate_all(file, folder)
    stages.aggregate(file, folder)
    return folder


def problems(folder: Path, study: studies.StudyFile | Path | None = None) -> list[Problem]:
    """What `verify` finds in results; of a study if it, or its file, is given."""
    return integrity.verify(folder, studies.load(study) if isinstance(study, Path) else study).problems


def blocks_of_study(file: studies.StudyFile) -> list[Block]:
    """All blocks of a study."""
    return [block for cell in studies.cells(file) for block in cell.blocks()]


def missing(file: studies.StudyFile, folder: Path) -> list[Block]:
    """The blocks that are still to be made."""
    return [block for _, block in batches.missing(file, Results(folder))]


def table_bytes(folder: Path) -> dict[str, bytes]:
    """The bytes of the tables of a results folder, by name."""
    return {path.stem: path.read_bytes() for path in folder.glob("*.parquet")}


def mend(file: studies.StudyFile, folder: Path) -> tuple[int, int]:
    """Repair results, without a word."""
    return repair(file, folder, progress_line=lambda line: None)


def finished(home: Path, text: str, **options) -> tuple[Path, Path]:
    """A study file with this text, and the folder of its results: batches, as of `simulate_all`, and tables."""
    path = write_study(home, text, "s")
    file, folder = studies.load(path), home / "results" / "s"
    simulate_all(file, folder, **options)
    stages.aggregate(file, folder)
    return path, folder


def simulate_all(file: studies.StudyFile, folder: Path, size: int = 3, **options) -> None:
    """Make the missing blocks of a study file, this number of them a batch, so that there are several batches."""
    while wanted := missing(file, folder):  # new ones may need more
        for start in range(0, len(wanted), size):
            batches.make(wanted[start : start + size], folder, **options)


def planned(file: studies.StudyFile, folder: Path, minutes: float = 1.0, cores: int = 1) -> tuple[Path, list[Path]]:
    """The plan of a round, and the manifests of the batches that it asks for."""
    plan = folder / ".run" / "plan" / "0.jsonl"
    batches.write_plan(plan, file, folder, minutes=minutes, cores=cores)
    return plan, [manifest_path(folder, name) for name in batches.read_plan(plan).jobs]


def manifests(folder: Path) -> list[Path]:
    """The manifests of the batches in a results folder."""
    return sorted(folder.glob("blocks/*.json"))


def batch_with(folder: Path, study: str, first: int = 0) -> Path:
    """The manifest of a batch that holds a block of a study from this replicate on."""
    return next(m for m in manifests(folder) if any((e[0], e[2]) == (study, first) for e in read_manifest(m).keys))


def blocks_in(manifest: Path) -> list[Block]:
    """The blocks of a batch."""
    return read_manifest(manifest).blocks


def table_of(manifest: Path, table: str) -> Path:
    """The file of a table of a batch."""
    return table_path(manifest.parents[1], table, manifest.stem)


def batch_bytes(folder: Path) -> dict[Path, bytes]:
    """All files of all batches."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("blocks/**/*")) if path.is_file()}


@contextmanager
def other_code() -> Iterator[None]:
    """As if another version were installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_digests, "of_stage", lambda stage: "0" * 16)
        yield


@contextmanager
def other_numbers() -> Iterator[None]:
    """Replicates with other numbers, as a wrong machine makes them."""
    original = cells.seed_sequence

    def other(seed: int, source: Any, replicate: int) -> np.random.SeedSequence:
        return original(seed + 1, source, replicate)

    def stream(cell: cells.Cell, replicate: int) -> np.random.Generator:
        return np.random.default_rng(other(cell.seed, cell.source, replicate))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "seed_sequence", other)
        patch.setattr(cells.Cell, "stream", stream)
        yield
