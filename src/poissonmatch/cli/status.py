"""The command status: a table of the cells of a study file."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from .. import studies
from ..utils.display import with_error
from . import terminal
from .options import RESULTS, Results, StudyFile, command, remedies

app = typer.Typer()
MAX_CELLS = 24  # more of them are summarized by study
HEAD = ("study", "d", "points", "ratio", "quantity", "value(error)", "done", "left")
SUMMARY = ("study", "d", "points", "ratio", "cells done", "largest error", "replicates", "left")


@app.command(epilog="Example: poissonmatch status mine.yaml --json")
def status(
    study_file: StudyFile,
    results: Results = RESULTS,
    cells: Annotated[bool, typer.Option("--cells", help=f"print all cells  [default: up to {MAX_CELLS}]")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print a JSON list with an object for each cell")] = False,
) -> None:
    """Print a table of the cells: the estimate with its standard error, and the finished and missing replicates."""
    file, folder = studies.load(study_file), studies.results_folder(study_file, results)
    with terminal.at_work(str(folder)), remedies(study_file, results):
        records = list(studies.progress.records(file, folder))
    if as_json:
        typer.echo(json.dumps(records, indent=1))
        return
    warned = [record for record in _largest(records) if record["finite_size_warning"]]
    if cells or len(records) <= MAX_CELLS:
        table = [HEAD, *map(_line, records)]
        notes = [f"{_named(record)}: {record['finite_size_warning']}" for record in warned]
        notes += [f"{_named(record)}: {_bounds(record['bounds'])}" for record in records if record["bounds"]]
        notes += [f"* {studies.stopping.INFINITE}"] * any(record["infinite"] for record in records)
    else:
        table = [SUMMARY, *(_summary(name, [r for r in records if r["study"] == name]) for name in file.studies)]
        notes = [f"{len(records)} cells; --cells prints a line for each"]
        notes += [f"finite-size warning for {len(warned)} cells"] * bool(warned)
    notes += [*studies.windows(file), *studies.forecast.few_data(file)]
    if not any(record["replicates_left"] for record in records) and (
        missing := studies.up_to_date.unmade(file, folder)
    ):
        notes.append(f"missing: {', '.join(missing)}; {command('run', study_file, results)} makes them")
    for line in (*terminal.aligned(table, left=("study", "quantity")), *notes):
        terminal.echo(line)


def _largest(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records without those of smaller tori, with which the largest are compared."""
    largest: dict[str, dict[str, Any]] = {}
    for record in sorted(records, key=lambda record: record["points"]):
        largest[str([record[key] for key in ("study", "dim", "intensities")])] = record
    kept = {id(record) for record in largest.values()}
    return [record for record in records if id(record) in kept]


def _line(record: dict[str, Any]) -> tuple[str, ...]:
    """Return the row of a cell."""
    value, left = record["value"], record["replicates_left"]
    text = (
        "" if value is None else f"{value:.5g}*" if record["infinite"] else with_error(value, record["standard_error"])
    )
    return (
        record["study"],
        f"{record['dim']}",
        f"{record['points']:.12g}",
        "" if record["ratio"] is None else f"{float(record['ratio']):.6g}",
        f"{record['quantity']} {record['color']}".strip(),
        text,
        f"{record['replicates']} of {record['replicates_needed']}",
        f"{left}" if left else "-",
    )


def _summary(name: str, records: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return the row of a study: the range of its parameters, and sums over its cells."""
    left = sum(record["replicates_left"] for record in records)
    done, needed = (sum(record[key] for record in records) for key in ("replicates", "replicates_needed"))
    known = [r for r in records if r["value"] and r["standard_error"] is not None and not r["infinite"]]
    return (
        name,
        ", ".join(dict.fromkeys(str(record["dim"]) for record in records)),
        _range([record["points"] for record in records]),
        _range([float(record["ratio"]) for record in records if record["ratio"] is not None]),
        f"{sum(not record['replicates_left'] for record in records)} of {len(records)}",
        f"{max(abs(r['standard_error'] / r['value']) for r in known):.2%}" if known else "",
        f"{done} of {needed}",
        f"{left}" if left else "-",
    )


def _range(numbers: list[float]) -> str:
    """Return the smallest and the largest number, "" for none."""
    ends = dict.fromkeys(f"{number:.6g}" for number in (min(numbers), max(numbers))) if numbers else {}
    return " to ".join(ends)


def _bounds(bounds: dict[str, Any]) -> str:
    low, high = (with_error(bounds[name], bounds[f"{name}_error"]) for name in ("lower", "upper"))
    return (
        f"the unmatched fraction of reds is from (R - G) / R(0) = {low} to R / R(0) = {high}, at r = {bounds['r']:.4g}"
    )


def _named(record: dict[str, Any]) -> str:
    ratio = "" if record["ratio"] is None else f", ratio {float(record['ratio']):g}"
    return f"{record['study']}, d = {record['dim']}, {record['points']:.12g} points{ratio}"
