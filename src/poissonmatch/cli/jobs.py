"""The commands called by the rules of Snakemake: a batch, the plan of the next round, and tables, figures and report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .. import studies
from ..pipeline import batches, stages, up_to_date
from ..pipeline.blocks import results_folder
from ..sampling.user_functions import UserBug
from ..utils.errors import BadInput

app = typer.Typer()
Threads = Annotated[int, typer.Option(help="cores to use", min=1)]


@app.command(hidden=True)
def batch(listing: Path, threads: Threads = 1) -> None:
    """Make the missing blocks of a batch."""
    try:
        made, kept = batches.work(listing, threads=threads, progress=_say)
    except UserBug as error:
        _say(error.traceback)  # into the log of the job
        raise BadInput(str(error)) from None
    _say(f"{made} blocks made, {kept} finished before")


@app.command(hidden=True)
def plan_round(listing: Path, minutes: Annotated[float, typer.Option()], cores: Annotated[int, typer.Option()]) -> None:
    """Write the batches of the next round of a run to RUN/ROUND.json."""
    number = batches.plan_round(listing.parent, int(listing.stem), minutes=minutes, cores=cores)
    _say(f"{number} batches in this round")


@app.command(hidden=True)
def finish(
    study_file: Path,
    results: Annotated[Path, typer.Option()] = Path("results"),
    threads: Threads = 1,
    blocks: Annotated[bool, typer.Option("--blocks", help="there are new blocks")] = False,
) -> None:
    """Make tables, figures and report that are missing or out of date."""
    file, folder = studies.load(study_file), results_folder(study_file, results)
    if blocks or up_to_date.tables(file, folder):
        stages.aggregate(file, folder)
    for path in stages.draw(file, folder, changed=True, processes=threads):
        _say(str(path))

    from ..pipeline import reports  # imported here, because jobs that simulate do not need its libraries

    _say(str(reports.report(study_file.name, file, folder, changed=True)))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
