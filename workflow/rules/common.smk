# What the rules share: the study file, its cells, and the names of what is made of it. Nothing random happens here.
import os
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from poissonmatch import provenance, runs, stages, studies

os.umask(os.umask(0o022) | 0o022)  # nothing is writable for others

STUDY = str(config.get("study", "config/quick.yaml"))
try:
    FILE = studies.load(STUDY)
except studies.BadInput as error:
    raise WorkflowError(str(error)) from None

RESULTS = str(stages.results_folder(STUDY, config.get("results", "results")))
CELLS = {(cell.study, cell.id): cell for cell in studies.cells(FILE)}
SHARDS = [
    f"{RESULTS}/{stages.shard_name(cell, first, end)}"
    for cell in CELLS.values()
    for first, end in cell.blocks()
]
TABLES = [f"{RESULTS}/{name}.parquet" for name in stages.TABLE_NAMES]
FIGURES = [
    f"{RESULTS}/figures/{name}{suffix}"
    for name in FILE.figures
    for suffix in (".pdf", ".png", ".txt")
]


# One run at a time works in a results folder. The lock goes with its process, so a crash leaves nothing to unlock.
onstart:
    if workflow.is_main_process:
        try:
            runs.take(RESULTS)
        except (runs.Busy, OSError) as error:
            raise WorkflowError(str(error)) from None


# The rules call `poissonmatch`: that of the Python which runs Snakemake, whether or not its environment is active.
shell.prefix(f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; ")
