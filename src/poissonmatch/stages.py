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
TABLE_NAMES = (*SHARD_TABLES, "estimates")


def results_folder(study: str | Path, results: str | Path = "results") -> Path:
    """Where the results of a study file go."""
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
            if 0 <= first < end <= cell.replicates:
                return cell, first, end, Path(parts["folder"])
            raise BadInput(f"{manifest}: replicates go from 0 to {cell.replicates}")
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
    """Make the replicates first <= k < end of a cell; returns the manifest. The bytes depend on nothing else."""
    parts: dict[str, list[pd.DataFrame]] = {}
    for replicate in range(first, end):
        for name, frame in observables.measure(cell, replicate, threads).items():
            parts.setdefault(name, []).append(frame)
        if progress:
            progress(replicate)
    manifest = folder / shard_name(cell, first, end)
    about = {
        "cell": tables.cell_columns(cell) | {"fingerprint": cell.fingerprint, "seed": cell.seed},
        "observables": list(cell.observables),
        "first": first,
        "end": end,
        "code": provenance.code_digest("simulate"),
        "versions": provenance.environment(),
    }
    about["cell"] = {k: (v if v == v and v not in (float("inf"),) else str(v)) for k, v in about["cell"].items()}
    listed = {}
    for name, frames in parts.items():
        data = tables.encode(TABLES[name], pd.concat(frames, ignore_index=True), about)
        path = manifest.with_name(f"{manifest.stem}.{name}.parquet")
        tables.write_atomically(path, data)
        listed[path.name] = sha256(data)
    tables.write_atomically(manifest, _json({**about, "sha256": listed}))
    return manifest


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def read_shard(manifest: Path) -> tuple[dict[str, Any], dict[str, pd.DataFrame]]:
    """The manifest of a block and its tables by name. Raises IntegrityError unless every byte is as it was written."""
    try:
        about = json.loads(manifest.read_text(encoding="utf-8"))
        listed = dict(about["sha256"])
    except FileNotFoundError:
        raise IntegrityError(f"{manifest}: missing") from None
    except (ValueError, KeyError, TypeError, UnicodeDecodeError):
        raise IntegrityError(f"{manifest}: damaged") from None
    found = {}
    for name, digest in listed.items():
        path = manifest.parent / name
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise IntegrityError(f"{path}: missing") from None
        if sha256(data) != digest:
            raise IntegrityError(f"{path}: not the file that {manifest.name} lists (its SHA-256 differs)")
        table = name.removesuffix(".parquet").rpartition(".")[2]
        if table not in TABLES:
            raise IntegrityError(f"{path}: {table!r} is not a table of this version of poissonmatch")
        found[table], _ = tables.decode(TABLES[table], data, path)
    return about, found


def aggregate(file: studies.StudyFile, folder: Path) -> None:
    """Put the shards of a study file together into its tables, and estimate. Raises IntegrityError if one is not right."""
    parts: dict[str, list[pd.DataFrame]] = {name: [tables.empty(TABLES[name])] for name in SHARD_TABLES}
    versions: set[str] = set()
    digest = provenance.code_digest("simulate")
    problems = []
    for cell in studies.cells(file):
        for first, end in cell.blocks():
            manifest = folder / shard_name(cell, first, end)
            try:
                about, found = read_shard(manifest)
                if about["code"] != digest:
                    raise IntegrityError(
                        f"{manifest}: made by other code ({about['code']}, now {digest}); simulate it again"
                    )
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
    tables.write_atomically(folder / MANIFEST, _json({**about, "sha256": listed}))


def draw(file: studies.StudyFile, folder: Path, names: Iterable[str] | None = None) -> list[Path]:
    """Draw the figures of a study file from its tables alone, as PDF and PNG, with the caption in a text file."""
    from . import figures  # here, because a job that simulates would wait for matplotlib

    loaded = {name: tables.load(folder / f"{name}.parquet") for name in ("estimates", "realisations")}
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


def verify(folder: Path) -> tuple[int, list[str]]:
    """Check every shard and table below a results folder: (number of files that are right, problems)."""
    checked, problems, listed = 0, [], set()
    for manifest in sorted(folder.glob("shards/*/*/*.json")):
        try:
            about, _ = read_shard(manifest)
            listed |= {manifest.parent / name for name in about["sha256"]}
            checked += 1 + len(about["sha256"])
        except IntegrityError as error:
            problems.append(str(error))
    for path in sorted(folder.glob("shards/*/*/*.parquet")):
        if path not in listed and not path.with_name(path.name.split(".")[0] + ".json").exists():
            problems.append(f"{path}: no manifest lists it")
    for path in sorted(folder.glob("*.parquet")):
        try:
            tables.load(path)
            checked += 1
        except IntegrityError as error:
            problems.append(str(error))
    return checked, problems
