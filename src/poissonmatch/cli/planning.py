"""The command plan: the cost of a study, and of what is left of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import typer

from .. import studies
from ..utils.memory import size_words
from ..utils.progress_bar import duration
from ..utils.validation import MAX_THREADS
from . import terminal
from .options import RESULTS, Import, Large, Results, StudyFile, allowed

app = typer.Typer()


@app.command(name="plan", epilog="Example: poissonmatch plan mine.yaml --cores 200")
def plan_(
    study_file: StudyFile,
    results: Results = RESULTS,
    cores: Annotated[
        int | None,
        typer.Option(
            help="cores for which the time is estimated, by default all of this machine", min=1, max=MAX_THREADS
        ),
    ] = None,
    allow_large: Large = False,
    allow_import: Import = False,
) -> None:
    """Estimate the cost of a study and of its missing part; the first call takes longer, since it compiles the engine."""
    file, folder = allowed(study_file, allow_import), studies.results_folder(study_file, results)
    cores = cores or os.cpu_count() or 1
    if not allow_large:
        studies.plan.count(file).refuse_if_large(study_file)
    with terminal.at_work(f"{study_file}: kernels are compiled and timed"):
        total = studies.plan.calibrated(file, cores)
    columns = [total]
    if total.blocks <= studies.plan.MAX_BLOCKS:  # they are listed
        columns.append(replace(studies.batches.remaining(file, folder, cores), timing=total.timing))
    table = [("", "total", "left")[: 1 + len(columns)]]
    for heading, of in (*PLAN, (f"time on {cores} cores", lambda part: duration(part.wall_seconds))):
        table.append((heading, *map(of, columns)))
    for line in terminal.aligned(table, left=("",)):
        typer.echo(line)
    typer.echo(
        f"{total.job_seconds / total.seconds:.0%} of the processor time is for Snakemake, starting jobs, tables and figures"
    )
    if (compiled := total.timing.compile_seconds if total.timing else 0.0) >= 0.5:
        typer.echo(
            f"kernels were compiled for {duration(compiled)}: once on this machine, and not part of the times above"
        )
    forecast = studies.forecast
    for warning in [*forecast.long_replicates(file), *forecast.few_data(file), *forecast.finite_size_warnings(file)]:
        typer.echo(warning)


def _processor_time(part: studies.plan.Plan) -> str:
    return duration(part.seconds) if part.seconds < 3600 else f"{part.seconds / 3600:.3g} core-hours"


PLAN: tuple[tuple[str, Callable[[studies.plan.Plan], str]], ...] = (
    ("cells", lambda part: f"{part.cells}"),
    ("replicates", lambda part: f"{part.replicates}"),
    ("points", lambda part: f"{part.points:.3g}"),
    ("jobs", lambda part: f"{part.jobs}"),
    ("memory of the largest job", lambda part: size_words(part.memory) if part.blocks else "-"),
    ("disk", lambda part: size_words(part.disk) if part.disk else "-"),
    ("processor time", _processor_time),
)
