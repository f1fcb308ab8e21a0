"""The commands that the rules of Snakemake call: one batch, a judgement between rounds, tables, figures and the report at the end."""

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
    """Make the blocks of a batch that are not there yet."""
    try:
        made, kept = batches.work(listing, threads=threads, progress=_say)
    except UserBug as error:
        _say(error.traceback)  # into the log of the job
        raise BadInput(str(error)) from None
    _say(f"{made} blocks made, {kept} finished before")


@app.command(hidden=True)
def judge(listing: Path, minutes: Annotated[float, typer.Option()], cores: Annotated[int, typer.Option()]) -> None:
    """Write what the next round of a run makes: RUN/ROUND.json."""
    number = batches.judge(listing.parent, int(listing.stem), minutes=minutes, cores=cores)
    _say(f"{number} batches in this round")


@app.command(hidden=True)
def finish(
    study_file: Path,
    results: Annotated[Path, typer.Option()] = Path("results"),
    threads: Threads = 1,
    blocks: Annotated[bool, typer.Option("--blocks", help="there are new blocks")] = False,
) -> None:
    """Make the tables, if they are not those of the study file, the code and the blocks, then what is not as it would be made now
    of the figures and the report.
    """
    file, folder = studies.load(study_file), results_folder(study_file, results)
    if blocks or up_to_date.tables(file, folder):
        stages.aggregate(file, folder)
    for path in stages.draw(file, folder, changed=True, processes=threads):
        _say(str(path))

    from ..pipeline import reports  # here, because a job that simulates would wait for its libraries

    _say(str(reports.report(study_file.name, file, folder, changed=True)))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
