# What the rules share: the study file, its cells, and the names of what is made of it. Nothing random happens here.
import json
import math
import os
import re
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from poissonmatch import cost, plan, provenance, runs, stages, studies, targets

os.umask(os.umask(0o022) | 0o022)  # nothing is writable for others

STUDY = str(config.get("study", "config/quick.yaml"))
try:
    FILE = studies.load(STUDY)
    if str(config.get("allow_large", "")).lower() != "true":
        plan.count(FILE).refuse_if_large()
    CELLS = {(cell.study, cell.id): cell for cell in studies.cells(FILE)}
    RESULTS = str(stages.results_folder(STUDY, str(config.get("results", "results"))))
except studies.BadInput as error:
    raise WorkflowError(str(error)) from None

TARGETS = any(study.target_rel_se is not None for study in FILE.studies.values())


def manifests(cells):
    """Names of all blocks of these cells."""
    return [
        f"{RESULTS}/{stages.shard_name(cell, first, end)}"
        for cell in cells
        for first, end in cell.blocks()
    ]


# What a job asks a cluster for: the estimate of the engine, and more of it at each attempt.
def memory_mb(wildcards):
    cell = CELLS[wildcards.study, wildcards.cell]
    first, end = (int(k) for k in wildcards.block.split("-"))
    return round(
        cost.job_bytes(cell.dim, cell.size, cell.rule, cell.observables, end - first)
        / 1e6
    )


def minutes(wildcards):
    cell = CELLS[wildcards.study, wildcards.cell]
    first, end = (int(k) for k in wildcards.block.split("-"))
    seconds = cost.seconds_per_replicate(cell.dim, cell.size, cell.rule)
    return math.ceil(5 + 4 * (end - first) * seconds / 60)


def blocks_of_round(wildcards):
    cells = [cell for cell in CELLS.values() if cell.study == wildcards.study]
    if int(wildcards.round) > 0:
        _, cells = judged(wildcards.study, int(wildcards.round) - 1)
    return manifests(cells)


def judged(study, round):
    """Are the cells of a study done after a round, and the cells with the replicates they need."""
    with open(checkpoints.assess.get(study=study, round=round).output[0]) as file:
        found = json.load(file)
    numbers = found["replicates"]
    return found["done"], [
        targets.grown(cell, numbers[cell.id])
        for cell in CELLS.values()
        if cell.study == study
    ]


def all_blocks(wildcards):
    found = []
    for name, study in FILE.studies.items():
        cells = [cell for cell in CELLS.values() if cell.study == name]
        done, round = study.target_rel_se is None, 0
        while not done:
            done, cells = judged(name, round)
            round += 1
        found += manifests(cells)
    return found


TABLES = [f"{RESULTS}/{name}.parquet" for name in stages.TABLE_NAMES]
FIGURES = [
    f"{RESULTS}/figures/{name}{suffix}"
    for name in FILE.figures
    for suffix in (".pdf", ".png", ".txt")
]

PAGES = [f"{RESULTS}/report/{name}.html" for name in ("estimates", "provenance")]


# The captions of the figures, for the report: as reStructuredText, in which some characters have a meaning.
def caption(name):
    path = Path(RESULTS) / "figures" / f"{name}.txt"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return re.sub(r"([\\*`_|])", r"\\\1", text)


# Where the report shows a figure: under its studies, in words short enough for the side bar.
def shelf(names):
    more = [f"and {len(names) - 3} more"] if len(names) > 3 else []
    return ", ".join(names[:3] + more)


config["captions"] = {name: caption(name) for name in FILE.figures}


report: "../report/workflow.rst"


# One run at a time works in a results folder. The lock goes with its process, so a crash leaves nothing to unlock.
onstart:
    if workflow.is_main_process:
        try:
            runs.take(RESULTS)
        except (runs.Busy, OSError) as error:
            raise WorkflowError(str(error)) from None


wildcard_constraints:
    study="[A-Za-z0-9_-]+",
    cell=r"[A-Za-z0-9._-]+",
    block=r"\d+-\d+",
    round=r"\d+",
    figure="[A-Za-z0-9_-]+",


# The rules call `poissonmatch`: that of the Python which runs Snakemake, whether or not its environment is active.
shell.prefix(f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; ")
