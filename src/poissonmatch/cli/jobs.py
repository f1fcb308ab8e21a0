"""The commands that the rules of Snakemake call: one batch, a judgement between rounds, the figures and the report at the end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .. import studies
from ..errors import BadInput
from ..imported import UserBug
from ..pipeline import batches, blocks, stages

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
def finish(study_file: Path, results: Annotated[Path, typer.Option()] = Path("results"), threads: Threads = 1) -> None:
    """Draw the figures that are not as they would be drawn now, and write the report."""
    from ..pipeline import reports  # here, because a job that simulates would wait for its libraries

    file, folder = studies.load(study_file), blocks.results_folder(study_file, results)
    for path in stages.draw(file, folder, changed=True, processes=threads):
        _say(str(path))
    _say(str(reports.report(study_file.name, file, folder, changed=True)))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
