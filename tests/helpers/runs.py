"""Small studies, and a run of them without Snakemake."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from poissonmatch import studies
from poissonmatch.pipeline import blocks, progress, stages

TINY = """
seed: 5
studies:
  one-color: {dims: [1, 2, inf], sizes: 120, replicates: 16, observables: [distances, winner]}
  fussy: {process: two_color, rule: fussy, dims: [1, 2, inf], sizes: 150, ratios: [0.5, 1.0], replicates: 16}
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
  frogs: {dims: [1, 2], sizes: [10, 100], replicates: 16, observables: [winner, distances, desirers, response, rounds, chains, window, balls]}
  colored-points: {process: two_color, rule: two-color, dims: [1, 2], sizes: 20, ratios: [0.5, 1], replicates: 16, observables: [winner]}
  fussy-frogs: {process: two_color, rule: fussy, dims: 2, sizes: [20, 40], ratios: [0.5, 1], replicates: 16, observables: [winner, survivor_pairs, flip]}
  octaves: {process: two_color, rule: fussy, dims: 1, sizes: 2000, ratios: 0.5, replicates: 16, observables: [octaves]}
  misere: {process: binomial, rule: misere, dims: 2, sizes: [4, 7], replicates: 16, observables: [winner]}
  graph: {rule: multi(2), dims: [1, 2], sizes: [30, 60], replicates: 16, observables: [winner, components]}
"""


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


def run_study(path: Path, results: Path) -> Path:
    """Simulate and aggregate a study file without Snakemake; returns its results folder."""
    file, folder = studies.load(path), blocks.results_folder(path, results)
    simulate_all(file, folder)
    stages.aggregate(file, folder)
    return folder


def finished(home: Path, text: str) -> tuple[Path, Path]:
    """A study file with this text, and the folder of its results: blocks and tables."""
    path = write_study(home, text, "s")
    file, folder = studies.load(path), home / "results" / "s"
    simulate_all(file, folder)
    stages.aggregate(file, folder)
    return path, folder


def simulate_all(file: studies.StudyFile, folder: Path, **options) -> None:
    """Make every block of a study file."""
    for block in progress.found_blocks(file, folder):
        blocks.simulate(block, folder, **options)
