"""The stages behind simulation: aggregate, draw, report. They read, call the wings below, and write.

Aggregating reads the blocks that the study file asks for, and no others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from .. import studies
from ..cells import canonical
from ..errors import BadInput, IntegrityError, Problem, quoted
from ..statistics.observables import quantities
from ..statistics.tables import ESTIMATES, SHARD_TABLES, TABLES, encode, stacked
from . import fresh, provenance, targets
from .blocks import read_block
from .files import MANIFEST, load, read_json, sha256, to_json, write_atomically


def aggregate(file: studies.StudyFile, folder: Path) -> None:
    """Put the shards of a study file together into its tables, and estimate. Raises IntegrityError if one is not right."""
    joined, versions = _join(file, folder)
    from ..statistics import estimates  # here, because a job that simulates would wait for it

    joined[ESTIMATES.name] = estimates.estimate(joined)
    about = {
        "study": fresh.asked(file),
        "seed": file.seed,
        "cells": [cell.fingerprint for cell in studies.cells(file)],
        "code": fresh.code(),
        "versions": versions,
    }
    listed = {}
    for name, frame in joined.items():
        data = encode(TABLES[name], frame, about)
        write_atomically(folder / f"{name}.parquet", data)
        listed[f"{name}.parquet"] = sha256(data)
    write_atomically(folder / MANIFEST, to_json({**about, "commit": provenance.commit(), "sha256": listed}))


def _join(file: studies.StudyFile, folder: Path) -> tuple[dict[str, pd.DataFrame], list[dict[str, str]]]:
    """The rows of all blocks of a study file by table, and the versions that made them."""
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in SHARD_TABLES}
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
    joined = {name: stacked(SHARD_TABLES[name], frames) for name, frames in parts.items()}
    return joined, [json.loads(v) for v in sorted(versions)]


def draw(
    file: studies.StudyFile, folder: Path, names: Iterable[str] | None = None, *, changed: bool = False
) -> list[Path]:
    """Draw the figures of a study file from its tables alone, as PDF and PNG, with the caption in a text file: the files written.

    changed: only those whose entry, table or drawing code changed. Raises IntegrityError if the tables are not those of the file.
    """
    from ..figures import canvas  # here, because a job that simulates would wait for matplotlib
    from ..figures.draw import draw as drawing_of
    from ..figures.kinds import KINDS

    names = list(file.figures if names is None else names)
    for name in names:
        if name not in file.figures:
            raise BadInput(f"the study file has no figure {quoted(name)}; there are {', '.join(file.figures)}")
    listed = _tables(file, folder, {f"{KINDS[file.figures[name].kind].table}.parquet" for name in names})
    if changed:
        stale = set(fresh.figures(file, folder, listed))
        names = [name for name in names if name in stale]
    loaded: dict[str, pd.DataFrame] = {}
    known = fresh.read_figures(folder)
    written = []
    for name in names:
        spec = file.figures[name]
        source = KINDS[spec.kind].table
        if source not in loaded:
            loaded[source] = load(folder / f"{source}.parquet", listed=True)
        try:
            drawing = drawing_of(spec.kind, loaded[source], spec.studies, spec.title)
        except BadInput as error:  # a title that is no mathematics, say
            raise BadInput(f"figure {name}: {' '.join(str(error).split())}") from None
        digests = {}
        for suffix, data in canvas.render(drawing).items():
            path = folder / fresh.FIGURES / f"{name}{suffix}"
            write_atomically(path, data)
            digests[path.name] = sha256(data)
            written.append(path)
        known[name] = {"facts": fresh.figure_facts(file, name, listed), "sha256": digests}
    if written:
        write_atomically(folder / fresh.FIGURES / MANIFEST, to_json(known))
    return written


def _tables(file: studies.StudyFile, folder: Path, read: set[str]) -> dict[str, str]:
    """The SHA-256 of the tables by name. Raises IntegrityError unless they are those of this study file and code.

    read: the files that must be there; the others need not have been copied along.
    """
    needed = read | {MANIFEST}
    if problems := [p for p in fresh.tables(file, folder) if p.kind != "missing" or p.path.name in needed]:
        raise IntegrityError(*problems, remedy="`poissonmatch run` makes them anew")
    return read_json(folder / MANIFEST)["sha256"]


def report(study_file: str, file: studies.StudyFile, folder: Path, *, changed: bool = False) -> Path:
    """Write one page with the figures, numbers and provenance of a finished study, which needs no network: its path.

    changed: only if it is not there, or was made from others. Raises IntegrityError if a table or figure is not that of the file.
    """
    from ..figures import pages

    listed = _tables(file, folder, {f"{ESTIMATES.name}.parquet"})
    if late := fresh.figures(file, folder, listed):
        raise IntegrityError(
            *(Problem(folder / fresh.FIGURES / name, "out of date") for name in late),
            remedy="`poissonmatch run` draws them anew",
        )
    path = folder / fresh.REPORT
    known = fresh.read_figures(folder)
    key = fresh.report_key(file, folder, listed)
    if changed and fresh.has_report(path, key):
        return path
    drawn = {
        name: ((folder / fresh.FIGURES / f"{name}.png").read_bytes(),
               (folder / fresh.FIGURES / f"{name}.txt").read_text(encoding="utf-8"))
        for name in file.figures if name in known
    }  # fmt: skip
    numbers = [q.name for q in quantities().values() if not q.curve]
    table = load(folder / f"{ESTIMATES.name}.parquet", listed=True)
    text = pages.report(study_file, key, drawn, table, numbers, read_json(folder / MANIFEST))
    write_atomically(path, text.encode())
    return path
