"""The stages of the pipeline: simulate, aggregate, draw. They read, call the rooms below, and write.

Aggregating reads the blocks that the study file asks for, and no others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from ..statistics import observables, tables
from ..statistics.tables import ESTIMATES, MANIFEST, TABLES, IntegrityError, sha256
from ..studies import schema as studies
from ..studies.yamlfile import BadInput
from . import provenance, targets
from .blocks import (
    SHARD_FORMAT,
    SHARD_TABLES,
    TABLE_NAMES,
    find_block,
    read_block,
    read_manifest,
    read_shard,
    results_folder,
    shard_name,
    to_json,
)

__all__ = [
    "SHARD_TABLES",
    "TABLE_NAMES",
    "aggregate",
    "assess",
    "draw",
    "find_block",
    "make_block",
    "read_block",
    "read_manifest",
    "read_shard",
    "results_folder",
    "shard_name",
    "simulate",
    "summarize",
    "take_up",
    "to_json",
]


def simulate(
    cell: studies.Cell,
    first: int,
    end: int,
    folder: Path,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Path:
    """Make the replicates first <= k < end of a cell and write them; returns the manifest.

    The manifest goes first if there is one, and comes last: a block is unfinished in between, never half old and half new.
    """
    manifest = folder / shard_name(cell, first, end)
    *shards, (_, listing) = make_block(cell, first, end, threads=threads, progress=progress).items()
    manifest.unlink(missing_ok=True)
    for name, data in shards:
        tables.write_atomically(manifest.with_name(name), data)
    tables.write_atomically(manifest, listing)
    return manifest


def take_up(cell: studies.Cell, first: int, end: int, folder: Path) -> bool:
    """Is this block finished already, but for its manifest? Then write that again: True. False: simulate it.

    Snakemake removes the manifests of a job that it starts anew, and so of all blocks of a group that was killed. The tables
    that are left must be those of this very block and code, and be what encoding their rows gives, byte for byte.
    """
    manifest = folder / shard_name(cell, first, end)
    listed: dict[str, str] = {}
    about: dict[str, Any] = {}
    for table in SHARD_TABLES:
        path = manifest.with_name(f"{first:06d}-{end:06d}.{table}.parquet")
        try:
            data = path.read_bytes()
            frame, metadata = tables.decode(TABLES[table], data, path)
        except FileNotFoundError:
            continue
        except (IntegrityError, OSError):
            return False
        about = {key: value for key, value in metadata.items() if key != "table"}
        if tables.encode(TABLES[table], frame, about) != data:
            return False
        listed[path.name] = sha256(data)
    if not listed:
        return False
    tables.write_atomically(manifest, to_json({**about, "sha256": listed}))
    try:
        read_block(folder, cell, first, end)
    except IntegrityError:
        manifest.unlink()
        return False
    return True


def make_block(
    cell: studies.Cell,
    first: int,
    end: int,
    *,
    versions: dict[str, str] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> dict[str, bytes]:
    """The files of a block by name, the manifest last. The bytes depend on the cell, the replicates, code and versions only."""
    parts: dict[str, list[pd.DataFrame]] = {}
    for replicate in range(first, end):
        for name, frame in observables.measure(cell, replicate, threads).items():
            parts.setdefault(name, []).append(frame)
        if progress:
            progress(replicate)
    about = {
        "format": SHARD_FORMAT,
        "cell": cell.record,
        "first": first,
        "end": end,
        "code": provenance.code_digest("simulate"),
        "versions": versions or provenance.environment(),
    }
    files = {}
    for name, frames in parts.items():
        files[f"{first:06d}-{end:06d}.{name}.parquet"] = tables.encode(
            TABLES[name], pd.concat(frames, ignore_index=True), about
        )
    listed = {name: sha256(data) for name, data in files.items()}
    return {**files, f"{first:06d}-{end:06d}.json": to_json({**about, "sha256": listed})}


def assess(file: studies.StudyFile, folder: Path, study: str, number: int) -> Path:
    """Judge the cells of a study after round `number` (from 0): writes the replicates that each needs, and if all are done."""
    cells = []
    for cell in studies.cells_of(study, file.studies[study], file.seed):
        for _ in range(number):
            cell = targets.after_round(cell, folder)
        cells.append((cell, targets.after_round(cell, folder)))
    path = folder / "rounds" / study / f"{number}.json"
    needs = {more.id: [*more.rounds, more.replicates] for _, more in cells}
    tables.write_atomically(path, to_json({"done": all(more is cell for cell, more in cells), "replicates": needs}))
    return path


def aggregate(file: studies.StudyFile, folder: Path) -> None:
    """Put the shards of a study file together into its tables, and estimate. Raises IntegrityError if one is not right."""
    parts: dict[str, list[pd.DataFrame]] = {name: [tables.empty(TABLES[name])] for name in SHARD_TABLES}
    versions: set[str] = set()
    problems = []
    for cell in studies.cells(file):
        try:
            cell = targets.settle(cell, folder)
        except IntegrityError:
            pass  # said below
        for first, end in cell.blocks():
            try:
                about, found = read_block(folder, cell, first, end)
            except IntegrityError as error:
                problems.append(str(error))
                continue
            versions.add(provenance.canonical(about["versions"]))
            for name, frame in found.items():
                parts[name].append(frame)
    if problems:
        raise IntegrityError("\n".join(problems))
    joined = {
        name: pd.concat([f for f in frames if len(f)] or frames, ignore_index=True) for name, frames in parts.items()
    }
    from ..statistics import estimates  # here, because a job that simulates would wait for scipy.stats

    joined[ESTIMATES.name] = estimates.estimate(joined["replicates"], joined["distances"], joined["frogs"])
    about = {
        "study": json.loads(provenance.canonical(file.model_dump(mode="json", by_alias=True))),
        "seed": file.seed,
        "cells": [cell.fingerprint for cell in studies.cells(file)],
        "code": {stage: provenance.code_digest(stage) for stage in ("simulate", "aggregate")},
        "versions": [json.loads(v) for v in sorted(versions)],
    }
    for study in about["study"]["studies"].values():
        study.pop("block")  # how the work was cut is no part of a result
    listed = {}
    for name, frame in joined.items():
        data = tables.encode(TABLES[name], frame, about)
        tables.write_atomically(folder / f"{name}.parquet", data)
        listed[f"{name}.parquet"] = sha256(data)
    tables.write_atomically(folder / MANIFEST, to_json({**about, "sha256": listed}))


def draw(file: studies.StudyFile, folder: Path, names: Iterable[str] | None = None) -> list[Path]:
    """Draw the figures of a study file from its tables alone, as PDF and PNG, with the caption in a text file."""
    from ..figures import canvas  # here, because a job that simulates would wait for matplotlib
    from ..figures import matchings as figures

    loaded = {name: tables.load(folder / f"{name}.parquet", listed=True) for name in ("estimates", "realisations")}
    written = []
    for name in file.figures if names is None else names:
        if name not in file.figures:
            raise BadInput(f"the study file has no figure {name!r}; there are {', '.join(file.figures)}")
        spec = file.figures[name]
        try:
            drawing = figures.draw(spec.kind, loaded, spec.studies, spec.title)
            rendered = canvas.render(drawing)
        except ValueError as error:  # a title that is no mathematics, say
            raise BadInput(f"figure {name}: {' '.join(str(error).split())}") from None
        for suffix, data in rendered.items():
            path = folder / "figures" / f"{name}{suffix}"
            tables.write_atomically(path, data)
            written.append(path)
        drawing.close()
    return written


def summarize(folder: Path) -> list[Path]:
    """Write the pages of the report, from verified tables: estimates.html and provenance.html below `report`."""
    from ..figures import pages

    table = tables.load(folder / f"{ESTIMATES.name}.parquet", listed=True)
    about = json.loads((folder / MANIFEST).read_bytes())
    written = []
    for name, text in (("estimates", pages.estimates(table)), ("provenance", pages.provenance(about))):
        path = folder / "report" / f"{name}.html"
        tables.write_atomically(path, text.encode())
        written.append(path)
    return written
