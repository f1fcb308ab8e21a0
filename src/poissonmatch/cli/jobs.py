"""The commands called only by the rules of Snakemake: the plan of a round, and a batch of blocks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import studies
from ..utils.errors import BadInput
from ..utils.validation import MAX_THREADS
from .options import Import, StudyFile

if TYPE_CHECKING:
    from ..studies.sampling.cells import Block

app = typer.Typer()
Threads = Annotated[int, typer.Option(help="cores to use", min=1, max=MAX_THREADS)]


@app.command(hidden=True)
def plan_round(
    study_file: StudyFile,
    output: Path,
    minutes: float = 0.0,
    cores: int = 1,
    force: bool = False,
    previous: Path | None = None,
    stored: bool = False,
    allow_import: Import = False,
) -> None:
    """Write the plan of a round to OUTPUT: the missing blocks in batches of this number of minutes.

    --stored: the tables of the batches whose manifests are here are in the storage of Snakemake.
    """
    folder = output.absolute().parents[2]
    if previous:  # later edits of the study file belong to the next run
        before = studies.batches.read_plan(previous)
        file, minutes, cores = before.study, before.minutes, before.cores
    else:
        file = studies.load(study_file, allow_import=allow_import)
    number = studies.batches.write_plan(
        output, file, folder, minutes=minutes, cores=cores, force=force and not previous, stored=stored
    )
    _say(f"{number} batches in this round")


@app.command(hidden=True)
def batch(plan: Path, manifest: Path, threads: Threads = 1) -> None:
    """Make the batch of a plan that has this manifest."""
    from ..studies.sampling.user_functions import UserBug

    try:
        studies.batches.work(plan, manifest, threads=threads, progress=_progress)
    except UserBug as error:
        _say(error.traceback)  # into the log of the job
        raise BadInput(str(error)) from None


def _progress(block: Block, replicate: int) -> None:
    if replicate == block.first:
        _say(str(block))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
