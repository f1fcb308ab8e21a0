"""The commands verify, repair and reproduce, and plan-round and batch: the work of a run for any scheduler."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import studies
from ..studies.run import runs
from ..utils.errors import BadInput, IntegrityError, integrity_error
from ..utils.files import exists, is_folder
from . import terminal
from .options import (
    RESULTS,
    HiddenThreads,
    Import,
    Large,
    Results,
    StudyFile,
    command,
    load_allowed,
    load_counted,
    remedy,
)

if TYPE_CHECKING:
    from ..studies.sampling.cells import Block

app = typer.Typer()


@app.command(epilog="Example: poissonmatch verify results/mine")
def verify(
    target: Annotated[
        Path,
        typer.Argument(
            metavar="STUDY|FOLDER",
            help="study file (missing blocks are also reported), or a results folder, such as results/quick",
            show_default=False,
        ),
    ],
    results: Results = RESULTS,
    study_file: Annotated[Path | None, typer.Option("--study", help="study file of a results folder")] = None,
    allow_large: Large = False,
) -> None:
    """Check the checksums and the values of all blocks, tables and figures of a study."""
    folder = target
    if target.suffix in (".yaml", ".yml") and not is_folder(target):
        if study_file:
            raise BadInput(f"{target}: a study file; --study is for a results folder")
        study_file, folder = target, studies.results_folder(target, results)
    file = load_counted(study_file, allow_large) if study_file else None
    if not exists(folder):
        hint = f"; {command('run', target, results)} makes the results" if study_file == target else ""
        raise BadInput(f"{folder}: there is no such folder{hint}")
    if not is_folder(folder):
        raise integrity_error(folder, "not ours", "not a folder; give a study file or a results folder")
    report = studies.integrity.verify(folder, file)
    for remark in report.remarks:
        terminal.note(remark)
    if report.problems:
        last_line = remedy(report.problems, study_file or "STUDY", folder.parent)
        raise IntegrityError(*report.problems, remedy=last_line if report.found else "")
    terminal.echo(f"{folder}: {report.right} files verified")


@app.command(epilog="Example: poissonmatch repair mine.yaml")
def repair(
    study_file: StudyFile, results: Results = RESULTS, allow_large: Large = False, allow_import: Import = False
) -> None:
    """Make damaged and missing blocks of a study again; other files are moved to quarantine, never deleted."""
    file, folder = load_allowed(study_file, allow_import, allow_large), studies.results_folder(study_file, results)
    if not is_folder(folder):
        raise BadInput(f"{folder}: there are no results")
    with runs.locked(folder):
        made, moved = studies.repair.repair(file, folder, progress_line=terminal.echo)
    terminal.echo(f"{folder}: {made} blocks made again, {moved} files moved to {folder / studies.QUARANTINE}")


@app.command(epilog="Example: poissonmatch reproduce results/mine/blocks/BATCH.json")
def reproduce(
    manifest: Annotated[
        Path,
        typer.Argument(
            metavar="MANIFEST", help="a batch of blocks: RESULTS/STUDY/blocks/BATCH.json", show_default=False
        ),
    ],
    block: Annotated[
        str, typer.Option(help="one block, STUDY/CELL/FIRST-END  [default: all blocks]", show_default=False)
    ] = "",
    study_file: Annotated[
        Path | None,
        typer.Option("--study", help="study file, whose folder contains files of points and imported functions"),
    ] = None,
    allow_import: Import = False,
) -> None:
    """Make the blocks of a batch again from its manifest and compare the rows, without writing files."""
    from ..studies.sampling.sources import StudyFolder

    if not manifest.name or is_folder(manifest):
        raise BadInput(f"{manifest}: not a batch of blocks, RESULTS/blocks/BATCH.json")
    folder = study_file.absolute().parent if study_file else Path.cwd()
    for name in studies.integrity.reproduce(manifest, block, study_folder=StudyFolder(str(folder), allow_import)):
        terminal.echo(f"{name}: the same rows")


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
    batches = studies.batches
    folder = output.absolute().parents[2] if output else studies.results_folder(study_file, results)
    place = f"{batches.STATE}/{batches.PLANS}"
    plan = output or folder / place / batches.LOOP
    if not plan.absolute().match(f"{place}/*.jsonl"):
        raise BadInput(f"{plan}: a plan must be RESULTS/{place}/NAME.jsonl")
    minutes = batches.cost.JOB_MINUTES if minutes is None else minutes
    if previous:  # later edits of the study file belong to the next run
        before = batches.read_plan(previous)
        file, minutes, cores = before.study, before.head["minutes"], before.head["cores"]
    else:
        file = load_counted(study_file, allow_large, allow_import)
    if not output:
        runs.refuse_if_busy(folder)
    for manifest in batches.write_plan(plan, file, folder, minutes=minutes, cores=cores, stored=stored):
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
