"""The stages of the pipeline: simulate, aggregate, draw. They read, call the rooms below, and write.

A results folder holds `shards/<study>/<cell>/<first>-<end>.<table>.parquet` with a manifest `<first>-<end>.json` for each
block, which is written last: a block without its manifest was not finished. Aggregating reads the shards that the study file
asks for, and no others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from . import observables, provenance, studies, tables
from .tables import ESTIMATES, MANIFEST, TABLES, IntegrityError, sha256
from .yamlfile import BadInput

SHARD_TABLES = ("replicates", "distances", "realisations")
SHARD_FORMAT = 1  # raised when a block is written in another way
TABLE_NAMES = (*SHARD_TABLES, "estimates")


def results_folder(study: str | Path, results: str | Path = "results") -> Path:
    """Where the results of a study file go. Raises BadInput for a path that Snakemake would read as a pattern."""
    for path in (str(study), str(results)):
        if not path or not path.isprintable() or set(path) & set("{}"):
            raise BadInput(f"{path!r}: a path here must have no braces and no control characters, and not be empty")
    return Path(results) / Path(study).stem


def shard_name(cell: studies.Cell, first: int, end: int) -> str:
    """Path of a block's manifest below the results folder."""
    return f"shards/{cell.study}/{cell.id}/{first:06d}-{end:06d}.json"


SHARD = re.compile(r"(?P<folder>.*)/shards/(?P<study>[^/]+)/(?P<cell>[^/]+)/(?P<first>\d+)-(?P<end>\d+)\.json")


def find_block(file: studies.StudyFile, manifest: str | Path) -> tuple[studies.Cell, int, int, Path]:
    """(cell, first, end, results folder) of the block with this manifest. Raises BadInput if the study file has none such."""
    parts = SHARD.fullmatch(str(manifest))
    if not parts:
        raise BadInput(f"{manifest}: not the name of a block, <results>/shards/<study>/<cell>/<first>-<end>.json")
    first, end = int(parts["first"]), int(parts["end"])
    for cell in studies.cells(file):
        if (cell.study, cell.id) == (parts["study"], parts["cell"]):
            most = max(cell.replicates, cell.max_replicates)
            if 0 <= first < end <= most:
                return cell, first, end, Path(parts["folder"])
            raise BadInput(f"{manifest}: replicates go from 0 to {most}")
    raise BadInput(f"{manifest}: the study file has no cell {parts['study']}/{parts['cell']}")


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


def to_json(value: Any) -> bytes:
    """How manifests are written."""
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def read_shard(manifest: Path) -> tuple[dict[str, Any], dict[str, pd.DataFrame]]:
    """The manifest of a block and its tables by name.

    Raises IntegrityError unless every byte is as it was written, and the block is the one that its path names.
    """
    about = read_manifest(manifest)
    found = {}
    for name, digest in about["sha256"].items():
        path = manifest.parent / name
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise IntegrityError(f"{path}: missing") from None
        if sha256(data) != digest:
            raise IntegrityError(f"{path}: damaged: not the file that {manifest.name} lists (its SHA-256 differs)")
        table = name.removesuffix(".parquet").rpartition(".")[2]
        found[table], metadata = tables.decode(TABLES[table], data, path)
        if metadata != {"table": table, **{k: v for k, v in about.items() if k != "sha256"}}:
            raise IntegrityError(f"{manifest}: damaged: it and {name} tell different stories")
    return about, found


def read_manifest(manifest: Path) -> dict[str, Any]:
    """The manifest of a block. Raises IntegrityError if it is damaged, or belongs to another block than its path says."""
    try:
        data = manifest.read_bytes()
    except FileNotFoundError:
        raise IntegrityError(f"{manifest}: missing") from None
    try:
        about = json.loads(data)
        if not isinstance(about, dict) or to_json(about) != data:
            raise ValueError
    except (ValueError, RecursionError):
        raise IntegrityError(f"{manifest}: damaged") from None
    if about.get("format") != SHARD_FORMAT:
        raise IntegrityError(f"{manifest}: not a block in the format of this version of poissonmatch")
    try:
        cell, first, end = studies.Cell.of_record(about["cell"]), about["first"], about["end"]
        tables_of = {"replicates"}
        tables_of |= {"distances"} if "distances" in cell.observables else set()
        tables_of |= {"realisations"} if "realisation" in cell.observables and first == 0 else set()
        names = {f"{first:06d}-{end:06d}.{table}.parquet" for table in tables_of}
        complete = set(about["sha256"]) == names
        named = shard_name(cell, first, end)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise IntegrityError(f"{manifest}: damaged") from None
    if not str(manifest.absolute()).endswith(f"/{named}"):
        raise IntegrityError(f"{manifest}: foreign: it holds the block {named}")
    if not complete:
        raise IntegrityError(f"{manifest}: damaged: it does not list the tables of its observables")
    return about


def read_block(
    folder: Path, cell: studies.Cell, first: int, end: int
) -> tuple[dict[str, Any], dict[str, pd.DataFrame]]:
    """read_shard for one block of a cell; it must be of this very cell, and made by the code that is installed."""
    manifest = folder / shard_name(cell, first, end)
    about, found = read_shard(manifest)
    if about["cell"] != json.loads(provenance.canonical(cell.record)):
        raise IntegrityError(f"{manifest}: foreign: made from other parameters than those of the study file")
    digest = provenance.code_digest("simulate")
    if about["code"] != digest:
        raise IntegrityError(f"{manifest}: made by other code ({about['code']}, now {digest}); simulate it again")
    return about, found


def assess(file: studies.StudyFile, folder: Path, study: str, number: int) -> Path:
    """Judge the cells of a study after round `number` (from 0): writes the replicates that each needs, and if all are done."""
    from . import targets

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
    from . import targets

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
    from . import estimates  # here, because a job that simulates would wait for scipy.stats

    joined[ESTIMATES.name] = estimates.estimate(joined["replicates"], joined["distances"])
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
    from . import figures  # here, because a job that simulates would wait for matplotlib

    loaded = {name: tables.load(folder / f"{name}.parquet", listed=True) for name in ("estimates", "realisations")}
    written = []
    for name in file.figures if names is None else names:
        if name not in file.figures:
            raise BadInput(f"the study file has no figure {name!r}; there are {', '.join(file.figures)}")
        spec = file.figures[name]
        drawing = figures.draw(spec.kind, loaded, spec.studies, spec.title)
        for suffix, data in figures.render(drawing).items():
            path = folder / "figures" / f"{name}{suffix}"
            tables.write_atomically(path, data)
            written.append(path)
        drawing.close()
    return written


def summarize(folder: Path) -> list[Path]:
    """Write the pages of the report, from verified tables: estimates.html and provenance.html below `report`."""
    from . import pages

    table = tables.load(folder / f"{ESTIMATES.name}.parquet", listed=True)
    about = json.loads((folder / MANIFEST).read_bytes())
    written = []
    for name, text in (("estimates", pages.estimates(table)), ("provenance", pages.provenance(about))):
        path = folder / "report" / f"{name}.html"
        tables.write_atomically(path, text.encode())
        written.append(path)
    return written
