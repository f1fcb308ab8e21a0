"""The commands called only by the rules of Snakemake: a batch of blocks, and the plan of the next round."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..pipeline import batches
from ..sampling.user_functions import UserBug
from ..utils.errors import BadInput
from ..utils.validation import MAX_THREADS

app = typer.Typer()
Threads = Annotated[int, typer.Option(help="cores to use", min=1, max=MAX_THREADS)]


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
def plan_round(listing: Path) -> None:
    """Write the batches of the next round of a run to STATE/simulate/ROUND.json."""
    number = batches.plan_round(listing.parents[1], int(listing.stem))
    _say(f"{number} batches in this round")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
