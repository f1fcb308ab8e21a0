# What the rules share: the study file, its cells, and the names of what is made of it. Nothing random happens here.
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from poissonmatch import provenance, stages, studies

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

# The rules call `poissonmatch`: that of the Python which runs Snakemake, whether or not its environment is active.
shell.prefix(f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; ")
