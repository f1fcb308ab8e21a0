"""The commands plan and status: what a study will cost, and what of it is done."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import Annotated, Any

import typer

from .. import studies
from ..utils.display import number_range, with_error
from ..utils.memory import size_words
from ..utils.validation import MAX_THREADS
from . import terminal
from .options import RESULTS, Import, Large, Results, StudyFile, command, load_allowed, load_counted, remedies

app = typer.Typer()
MAX_CELLS = 24  # more of them are summarized by study
HEAD = ("study", "d", "points", "ratio", "quantity", "value(error)", "done", "left")
SUMMARY = ("study", "d", "points", "ratio", "cells done", "largest relative error", "replicates", "left")
Record = dict[str, Any]


@app.command(epilog="Example: poissonmatch plan mine.yaml --cores 200")
def plan(
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
    file, folder = load_allowed(study_file, allow_import, allow_large), studies.results_folder(study_file, results)
    cores, duration = cores or os.cpu_count() or 1, studies.progress.duration
    with terminal.at_work(f"{study_file}: kernels are compiled and timed"):
        total = studies.plan.calibrated(file, cores)
    parts = {"total": total}
    if total.blocks <= studies.plan.MAX_BLOCKS:  # they are listed
        parts["left"] = replace(studies.batches.remaining(file, folder, cores), timing=total.timing)
    columns = [
        (
            "",
            "cells",
            "replicates",
            "points",
            "jobs",
            "memory of the largest job",
            "disk",
            "processor time",
            f"time on {cores} cores",
        )
    ]
    for name, part in parts.items():
        memory, disk = size_words(part.memory) if part.blocks else "-", size_words(part.disk) if part.disk else "-"
        time = duration(part.seconds) if part.seconds < 3600 else f"{part.seconds / 3600:.3g} core-hours"
        counts = f"{part.cells}", f"{part.replicates}", f"{part.points:.3g}", f"{part.jobs}"
        columns.append((name, *counts, memory, disk, time, duration(part.wall_seconds)))
    for line in terminal.aligned([*zip(*columns, strict=True)], left=("",)):
        typer.echo(line)
    share = total.job_seconds / total.seconds
    typer.echo(f"{share:.0%} of the processor time is for Snakemake, starting jobs, tables and figures")
    if (seconds := total.timing.compile_seconds) >= 0.5:
        typer.echo(
            f"kernels were compiled for {duration(seconds)}: once on this machine, and not part of the times above"
        )
    forecast = studies.forecast
    for warning in (*forecast.long_replicates(file), *forecast.few_data(file), *forecast.finite_size_warnings(file)):
        typer.echo(warning)


@app.command(epilog="Example: poissonmatch status mine.yaml --json")
def status(
    study_file: StudyFile,
    results: Results = RESULTS,
    cells: Annotated[bool, typer.Option("--cells", help=f"print all cells  [default: up to {MAX_CELLS}]")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print a JSON list with an object for each cell")] = False,
    allow_large: Large = False,
) -> None:
    """Print a table of the cells: the estimate with its standard error, and the finished and missing replicates."""
    file, folder = load_counted(study_file, allow_large), studies.results_folder(study_file, results)
    with terminal.at_work(str(folder)), remedies(study_file, results):
        records = list(studies.cell_records.records(file, folder))
    if as_json:
        typer.echo(json.dumps(records, indent=1))
        return
    records = _with_rules(records)
    warned = [record for record in _largest(records) if record["finite_size_warning"]]
    if cells or len(records) <= MAX_CELLS:
        table = [HEAD, *map(_line, records)]
        notes = [f"{_cell(record)}: {record['finite_size_warning']}" for record in warned]
        notes += [f"{_cell(record)}: {_bounds(record['bounds'])}" for record in records if record["bounds"]]
        notes += [f"* {studies.stopping.INFINITE}"] * any(record["infinite"] for record in records)
    else:
        names = dict.fromkeys(record["study"] for record in records)
        table = [SUMMARY, *(_summary(name, [r for r in records if r["study"] == name]) for name in names)]
        notes = [f"{len(records)} cells; --cells prints a line for each"]
        notes += [f"finite-size warning for {len(warned)} cells"] * bool(warned)
    notes += [*studies.windows(file), *studies.forecast.few_data(file)]
    is_simulated = not any(record["replicates_left"] for record in records)
    if is_simulated and (missing := studies.up_to_date.unmade(file, folder)):
        notes.append(f"missing: {', '.join(missing)}; {command('run', study_file, results)} makes them")
    for line in (*terminal.aligned(table, left=("study", "quantity")), *notes):
        terminal.echo(line)


def _with_rules(records: list[Record]) -> list[Record]:
    """Return the records with the rule beside the name of a study that has several rules."""
    rules: dict[str, set[str]] = {}
    for record in records:
        rules.setdefault(record["study"], set()).add(record["rule"])
    names = {name for name in rules if len(rules[name]) > 1}
    return [r | {"study": f"{r['study']} ({r['rule']})"} if r["study"] in names else r for r in records]


def _largest(records: list[Record]) -> list[Record]:
    """Return the records without those of smaller tori, with which the largest are compared."""
    largest: dict[tuple, Record] = {}
    for record in records:
        key = record["study"], record["dim"], *record["intensities"]
        largest[key] = max(largest.get(key, record), record, key=lambda one: one["points"])
    return [*largest.values()]


def _line(record: Record) -> tuple[str, ...]:
    """Return the row of a cell."""
    value, error = record["value"], record["standard_error"]
    text = "" if value is None else f"{value:.5g}*" if record["infinite"] else with_error(value, error)
    return (
        record["study"],
        f"{record['dim']}",
        f"{record['points']:.12g}",
        "" if record["ratio"] is None else f"{float(record['ratio']):.6g}",
        f"{record['quantity']} {record['color']}".strip(),
        text,
        *_replicates([record]),
    )


def _summary(name: str, records: list[Record]) -> tuple[str, ...]:
    """Return the row of a study: the range of its parameters, and sums over its cells."""
    estimated = [r for r in records if r["value"] and r["standard_error"] is not None and not r["infinite"]]
    return (
        name,
        ", ".join(dict.fromkeys(str(record["dim"]) for record in records)),
        number_range([record["points"] for record in records]),
        number_range([float(record["ratio"]) for record in records if record["ratio"] is not None]),
        f"{sum(not record['replicates_left'] for record in records)} of {len(records)}",
        f"{max(abs(r['standard_error'] / r['value']) for r in estimated):.2%}" if estimated else "",
        *_replicates(records),
    )


def _replicates(records: list[Record]) -> tuple[str, str]:
    """Return the number of finished replicates of those needed, and how many are left."""
    done, needed, left = (
        sum(record[key] for record in records) for key in ("replicates", "replicates_needed", "replicates_left")
    )
    return f"{done} of {needed}", f"{left}" if left else "-"


def _bounds(bounds: Record) -> str:
    low, high = (with_error(bounds[name], bounds[f"{name}_error"]) for name in ("lower", "upper"))
    return (
        f"the unmatched fraction of reds is from (R - G) / R(0) = {low} to R / R(0) = {high}, at r = {bounds['r']:.4g}"
    )


def _cell(record: Record) -> str:
    ratio = "" if record["ratio"] is None else f", ratio {float(record['ratio']):g}"
    return f"{record['study']}, d = {record['dim']}, {record['points']:.12g} points{ratio}"
