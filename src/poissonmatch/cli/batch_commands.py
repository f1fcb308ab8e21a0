"""The commands plan-round and batch: the work of a run for any scheduler."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import studies
from ..studies.run import runs
from ..utils.errors import BadInput
from . import terminal
from .options import RESULTS, HiddenThreads, Import, Large, Results, StudyFile, load_counted

if TYPE_CHECKING:
    from ..studies.sampling.cells import Block

app = typer.Typer()


@app.command(epilog="Example: poissonmatch plan-round mine.yaml --minutes 10")
def plan_round(
    study_file: StudyFile,
    output: Annotated[
        Path | None,
        typer.Argument(
            metavar="OUTPUT", help="plan to be written unless it exists  [default: a new one in the results]"
        ),
    ] = None,
    results: Results = RESULTS,
    minutes: Annotated[float | None, typer.Option(help="work of a batch, in minutes; by default that of `run`")] = None,
    cores: Annotated[int, typer.Option(help="number of jobs at the same time", min=1)] = 1,
    previous: Annotated[Path | None, typer.Option(hidden=True)] = None,
    stored: Annotated[bool, typer.Option(hidden=True)] = False,
    allow_large: Large = False,
    allow_import: Import = False,
) -> None:
    """Divide the missing blocks among batches, and print the manifest of each."""
    # The rules of Snakemake use the options that help does not show. previous: plan of the round before, of a study with
    # a target; stored: whether the tables of the batches whose manifests are here are in the storage of Snakemake.
    if output and output.exists():
        terminal.echo("planned before", err=True)
        return
    folder = output.absolute().parents[2] if output else studies.results_folder(study_file, results)
    plan = output or folder / studies.batches.STATE / studies.batches.PLANS / studies.batches.LOOP
    if not plan.absolute().match(f"{studies.batches.STATE}/{studies.batches.PLANS}/*.jsonl"):
        raise BadInput(f"{plan}: a plan must be RESULTS/{studies.batches.STATE}/{studies.batches.PLANS}/NAME.jsonl")
    minutes = studies.batches.cost.JOB_MINUTES if minutes is None else minutes
    if previous:  # later edits of the study file belong to the next run
        before = studies.batches.read_plan(previous)
        file, minutes, cores = before.study, before.head["minutes"], before.head["cores"]
    else:
        file = load_counted(study_file, allow_large, allow_import)
    if not output:
        runs.refuse_if_busy(folder)
    for manifest in studies.batches.write_plan(plan, file, folder, minutes=minutes, cores=cores, stored=stored):
        terminal.echo(manifest)


@app.command(epilog="Example: poissonmatch batch results/mine/blocks/0123456789abcdef.json")
def batch(
    manifest: Annotated[Path, typer.Argument(metavar="MANIFEST", help="printed by plan-round")],
    threads: HiddenThreads = 1,
) -> None:
    """Make a batch of a plan."""
    from ..studies.sampling.user_functions import UserBug

    def progress(block: Block, replicate: int) -> None:
        if replicate == block.first:
            terminal.echo(block, err=True)

    try:
        studies.batches.work(manifest, threads=threads, progress=progress)
    except UserBug as error:
        print(error.traceback, file=sys.stderr, flush=True)  # into the log of the job
        raise BadInput(str(error)) from None
