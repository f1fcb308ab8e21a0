"""The stages behind simulation: judge, aggregate, draw, summarize. They read, call the wings below, and write.

Aggregating reads the blocks that the study file asks for, and no others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from .. import studies
from ..cells import canonical
from ..errors import BadInput, IntegrityError, Problem
from ..statistics.observables import quantities
from ..statistics.tables import ESTIMATES, SHARD_TABLES, TABLES, empty, encode
from . import provenance, targets
from .blocks import read_block
from .files import MANIFEST, load, sha256, to_json, write_atomically


def assess(file: studies.StudyFile, folder: Path, study: str, number: int) -> Path:
    """Judge the cells of a study after round `number` (from 0): writes the replicates that each needs, and if all are done."""
    cells = []
    for cell in studies.cells_of(study, file.studies[study], file.seed):
        for _ in range(number):
            cell = targets.after_round(cell, folder)
        cells.append((cell, targets.after_round(cell, folder)))
    path = folder / "rounds" / study / f"{number}.json"
    needs = {more.id: [*more.rounds, more.replicates] for _, more in cells}
    write_atomically(path, to_json({"done": all(more is cell for cell, more in cells), "replicates": needs}))
    return path


def aggregate(file: studies.StudyFile, folder: Path) -> None:
    """Put the shards of a study file together into its tables, and estimate. Raises IntegrityError if one is not right."""
    joined, versions = _join(file, folder)
    from ..statistics import estimates  # here, because a job that simulates would wait for it

    joined[ESTIMATES.name] = estimates.estimate(joined)
    about = {
        "study": json.loads(canonical(file.model_dump(mode="json", by_alias=True))),
        "seed": file.seed,
        "cells": [cell.fingerprint for cell in studies.cells(file)],
        "code": {stage: provenance.code_digest(stage) for stage in ("simulate", "aggregate")},
        "versions": versions,
    }
    for study in about["study"]["studies"].values():
        study.pop("block")  # how the work was cut is no part of a result
    listed = {}
    for name, frame in joined.items():
        data = encode(TABLES[name], frame, about)
        write_atomically(folder / f"{name}.parquet", data)
        listed[f"{name}.parquet"] = sha256(data)
    write_atomically(folder / MANIFEST, to_json({**about, "sha256": listed}))


def _join(file: studies.StudyFile, folder: Path) -> tuple[dict[str, pd.DataFrame], list[dict[str, str]]]:
    """The rows of all blocks of a study file by table, and the versions that made them."""
    parts = {name: [empty(table)] for name, table in SHARD_TABLES.items()}
    versions: set[str] = set()
    problems: list[Problem] = []
    for block in targets.found_blocks(file, folder):
        try:
            about, found = read_block(folder, block)
        except IntegrityError as error:
            problems += error.problems
            continue
        versions.add(canonical(about["versions"]))
        for name, frame in found.items():
            parts[name].append(frame)
    if problems:
        raise IntegrityError(*problems)
    joined = {
        name: pd.concat([f for f in frames if len(f)] or frames, ignore_index=True) for name, frames in parts.items()
    }
    return joined, [json.loads(v) for v in sorted(versions)]


def draw(file: studies.StudyFile, folder: Path, names: Iterable[str] | None = None) -> list[Path]:
    """Draw the figures of a study file from its tables alone, as PDF and PNG, with the caption in a text file."""
    from ..figures import canvas  # here, because a job that simulates would wait for matplotlib
    from ..figures.draw import draw as drawing_of
    from ..figures.kinds import KINDS

    names = list(file.figures if names is None else names)
    for name in names:
        if name not in file.figures:
            raise BadInput(f"the study file has no figure {name!r}; there are {', '.join(file.figures)}")
    sources = sorted({kind.table for kind in KINDS.values()})
    loaded = {source: load(folder / f"{source}.parquet", listed=True) for source in sources}
    written = []
    for name in names:
        spec = file.figures[name]
        try:
            drawing = drawing_of(spec.kind, loaded[KINDS[spec.kind].table], spec.studies, spec.title)
        except BadInput as error:  # a title that is no mathematics, say
            raise BadInput(f"figure {name}: {' '.join(str(error).split())}") from None
        for suffix, data in canvas.render(drawing).items():
            path = folder / "figures" / f"{name}{suffix}"
            write_atomically(path, data)
            written.append(path)
    return written


def summarize(folder: Path) -> list[Path]:
    """Write the pages of the report, from verified tables: estimates.html and provenance.html below `report`."""
    from ..figures import pages

    table = load(folder / f"{ESTIMATES.name}.parquet", listed=True)
    about = json.loads((folder / MANIFEST).read_bytes())
    numbers = [q.name for q in quantities().values() if not q.curve]
    written = []
    for name, text in zip(pages.PAGES, (pages.estimates(table, numbers), pages.provenance(about)), strict=True):
        path = folder / "report" / f"{name}.html"
        write_atomically(path, text.encode())
        written.append(path)
    return written
