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
