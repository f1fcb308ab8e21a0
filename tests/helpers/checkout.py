"""A copy of the project with a study in it, on which plain Snakemake is run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from helpers.runs import write_study

ROOT = Path(__file__).parents[2]
STUDY = """
studies:
  a: {dims: [1, 2], sizes: 60, replicates: 4, block: 2, observables: [distances]}
  b: {process: two_color, rule: fussy, dims: 1, sizes: 60, ratios: [0.5, 1.0], replicates: 4, observables: [unmatched]}
  c: {dims: 2, sizes: 30, replicates: 1, observables: [realization]}
figures:
  tail: {kind: tail, studies: a}
  fussy: {kind: fussy, studies: b}
"""
RESULTS = "results/study"
RULES = ("plan_round", "simulate", "aggregate", "draw", "report")
ALL = {"plan_round": 1, "simulate": 1, "aggregate": 1, "draw": 2, "report": 1}  # jobs of a first run
PLANNED = {rule: number for rule, number in ALL.items() if rule != "simulate"}  # before its jobs are known


def copy(folder: Path) -> Path:
    """Copy the project to a folder, with the study in it."""
    for name in ("Snakefile", "environment.yml"):
        shutil.copy(ROOT / name, folder)
    for name in ("src", "workflow", "profiles"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    write_study(folder, STUDY, "study")
    return folder


def snakemake(
    folder: Path, *words: str, config: str = "study=study.yaml", source: Path | None = None
) -> subprocess.CompletedProcess:
    """Run Snakemake in a folder. source: where the package is, by default in this folder; an empty config is left out."""
    # Kernels are kept by their path, so all would be compiled for the copy; for so few points Python is faster.
    environment = {
        **os.environ,
        "PYTHONPATH": str(source or folder / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_DISABLE_JIT": "1",
    }
    command = [sys.executable, "-m", "snakemake", *words, *(["--config", *config.split()] if config else [])]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, timeout=600)


def jobs(said: str) -> dict[str, int]:
    """Return the number of jobs of each rule in the output of Snakemake; those that draw a figure have a message."""
    names = re.findall(r"^(?:local)?(?:rule|checkpoint) (?:pm_)?(\w+):$", said, re.M)
    names += re.findall(r"^Job \d+: (draw) [\w-]+: ", said, re.M)
    return {rule: names.count(rule) for rule in RULES if rule in names}


def run(checkout: Path, *words: str) -> dict[str, int]:
    """Run Snakemake, which must succeed; return the jobs that it ran, or, with --dry-run, would run."""
    done = snakemake(checkout, *words)
    assert done.returncode == 0, done.stderr + done.stdout
    return jobs(done.stdout + done.stderr)
