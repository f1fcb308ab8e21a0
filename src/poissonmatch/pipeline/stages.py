"""The stages after simulation: aggregate and draw.

Aggregating reads only the blocks of the study file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from .. import studies
from ..tables.estimate_tables import TABLES
from ..tables.parquet import encode
from ..tables.tables import DISTANCES, REPLICATES, joined
from ..utils.errors import BadInput, IntegrityError, Problem, quoted
from ..utils.fingerprint import canonical
from ..utils.libraries import pd
from . import progress, provenance, up_to_date
from .atomic_files import MANIFEST, read_json, sha256, to_json, write_atomically
from .blocks import read_blocks
from .load import load


def aggregate(file: studies.StudyFile, folder: Path) -> None:
    """Concatenate the blocks of a study file to its tables, and estimate. Raises IntegrityError for an invalid block."""
    tables, versions, known = _join(file, folder)
    from ..statistics import estimates  # here, because a job that simulates would wait for it

    tables |= estimates.derive(tables, file.laws)
    about = {
        "study": up_to_date.asked(file),
        "seed": file.seed,
        "cells": [cell.fingerprint for cell in studies.cells(file)],
        "code": up_to_date.code(),
        "versions": versions,
    }
    listed = {}
    for name, frame in tables.items():
        data = encode(TABLES[name], frame, about)
        write_atomically(folder / f"{name}.parquet", data)
        listed[f"{name}.parquet"] = sha256(data)
    write_atomically(folder / MANIFEST, to_json({**about, "commit": provenance.commit(), "sha256": listed}))
    for _ in progress.records(file, folder, known):
        pass  # kept for `status`, which need not read the blocks once more


def _join(
    file: studies.StudyFile, folder: Path
) -> tuple[dict[str, pd.DataFrame], list[dict[str, str]], progress.Known]:
    """Return the rows of all blocks of a study file by table, the versions that made them, and the standings of the cells."""
    parts: list[dict[str, pd.DataFrame]] = []
    versions: set[str] = set()
    problems: list[Problem] = []
    known: progress.Known = {}
    for cell, found in groupby(progress.found_blocks(file, folder), key=lambda block: block.cell):
        abouts, tables, wrong = read_blocks(folder, list(found))
        problems += wrong
        known[progress.identity(cell)] = progress.Standing(
            cell, tables.get(REPLICATES.name), distances=tables.get(DISTANCES.name)
        )
        versions |= {canonical(about["versions"]) for about in abouts}
        parts.append(tables)
    if problems:
        raise IntegrityError(*problems)
    return joined(parts), [json.loads(v) for v in sorted(versions)], known


def draw(
    file: studies.StudyFile,
    folder: Path,
    names: Iterable[str] | None = None,
    *,
    changed: bool = False,
    requested: Iterable[str] = (),
    processes: int = 1,
) -> list[Path]:
    """Draw the figures of a study file from its tables alone, in its formats, with the caption in a text file; return the files written.

    changed: only those whose entry, table or drawing code changed, and those that are requested.
    Raises IntegrityError if the tables are not those of the file.
    """
    from ..figures.kinds import KINDS

    names = list(file.figures if names is None else names)
    for name in names:
        if name not in file.figures:
            raise BadInput(
                f"the study file has no figure {quoted(name)}; there are {', '.join(file.figures) or 'none'}"
            )
    listed = tables_of(file, folder, {f"{t}.parquet" for name in names for t in KINDS[file.figures[name].kind].tables})
    if changed:
        stale = {*up_to_date.figures(file, folder, listed), *requested}
        names = [name for name in names if name in stale]
    known = up_to_date.read_figures(folder)
    written = []
    facts = {name: up_to_date.figure_facts(file, name, listed) for name in names}  # before a style file may change
    for name, drawn in zip(names, _drawn(file, folder, names, processes), strict=True):
        digests = {}
        for suffix, data in drawn.files.items():
            path = folder / up_to_date.FIGURES / f"{name}{suffix}"
            write_atomically(path, data)
            digests[path.name] = sha256(data)
            written.append(path)
        known[name] = {"facts": facts[name], "sha256": digests, "caption": drawn.caption, "width": drawn.width}
    if written:
        write_atomically(folder / up_to_date.FIGURES / MANIFEST, to_json(known))
    return written


class Drawn(NamedTuple):
    """A figure: its files by suffix, its caption, and its width by name."""

    files: dict[str, bytes]
    caption: str
    width: str


def _drawn(file: studies.StudyFile, folder: Path, names: list[str], processes: int) -> Iterator[Drawn]:
    """Yield the figures of these names, drawn one by one, or in parallel by processes with a pen each."""
    pen = Pen(file, folder)
    processes = min(processes, len(names))
    if processes < 2:
        yield from map(pen.render, names)
        return
    pen.fill(names)  # once for all processes, where they are copies of this one
    with ProcessPoolExecutor(processes, initializer=_take, initargs=(pen,)) as pool:
        yield from pool.map(_render, names)


_pen: Pen  # of a process that only draws


def _take(pen: Pen) -> None:
    global _pen
    _pen = pen


def _render(name: str) -> Drawn:
    return _pen.render(name)


class Pen:
    """Drawing of the figures of a study file from its tables, each of which is read once."""

    def __init__(self, file: studies.StudyFile, folder: Path) -> None:
        self.file, self.folder = file, folder
        self.loaded: dict[str, pd.DataFrame] = {}

    def fill(self, names: Iterable[str]) -> None:
        """Read the tables of these figures, and import the modules that draw."""
        from ..figures import canvas, draw  # noqa: F401  (here, because a job that simulates would wait for matplotlib)
        from ..figures.kinds import KINDS

        for source in (table for name in names for table in KINDS[self.file.figures[name].kind].tables):
            if source not in self.loaded:
                self.loaded[source] = load(self.folder / f"{source}.parquet", listed=True)

    def draw(self, name: str) -> Any:
        """Return the Drawing of a figure. Raises BadInput with its name."""
        self.fill([name])
        from ..figures.draw import draw as drawing_of
        from ..figures.kinds import KINDS

        spec = self.file.figures[name]
        kind = KINDS[spec.kind]
        with _named(name):
            second = self.loaded.get(kind.second)
            return drawing_of(spec.kind, self.loaded[kind.table], spec.studies, second=second, **spec.options)

    def render(self, name: str, formats: Iterable[str] | None = None) -> Drawn:
        """Return a figure in these formats, by default its own."""
        from ..figures.canvas import render
        from ..figures.kinds import WIDTHS

        drawing = self.draw(name)
        with _named(name):
            files = render(drawing, list(formats or self.file.figures[name].format))
        return Drawn(files, drawing.caption, "column" if drawing.figure.get_figwidth() <= WIDTHS["column"] else "text")


@contextmanager
def _named(figure: str) -> Iterator[None]:
    """Add the name of the figure to the message of an error."""
    try:
        yield
    except BadInput as error:  # a title that is no mathematics, say
        raise BadInput(f"figure {figure}: {' '.join(str(error).split())}") from None


def tables_of(file: studies.StudyFile, folder: Path, read: set[str]) -> dict[str, str]:
    """Return the SHA-256 of the tables by name. Raises IntegrityError unless they are those of this study file and code.

    read: the files that must be there; the others need not have been copied along.
    """
    if not (folder / MANIFEST).exists():
        raise IntegrityError(Problem(folder / MANIFEST, "missing", "the study is not finished"))
    needed = read | {MANIFEST}
    if problems := [p for p in up_to_date.tables(file, folder) if p.kind != "missing" or p.path.name in needed]:
        raise IntegrityError(*problems)
    return read_json(folder / MANIFEST)["sha256"]
