"""Studies run in Python: replicates are made in this process or its workers, and tables are data frames."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ...rules.catalogue import rule_named
from ...utils.atomic_writer import write_atomically
from ...utils.display import counted, html_table, with_error
from ...utils.errors import BadInput
from ...utils.libraries import pa, pd
from ...utils.validation import check_bool, check_int
from ..results.cell_records import as_needed
from ..results.results import BlocksInMemory
from ..sampling.cells import Block, Cell
from ..sampling.sources import StudyFolder
from ..statistics.observables import measure_block
from ..study_files import cost, figure_checks, parameter_grid, schema, stopping
from ..study_files.read import load, of_data
from ..tables.estimate_tables import TABLES
from ..tables.parquet import concatenated, frame_of
from ..tables.tables import REPLICATES, empty, row_order
from . import stages
from .progress import BAR_SECONDS, ProgressBar

BLOCK_SECONDS = 1.0  # of work, by the rough cost: what is handed to a process, and what Ctrl-C loses
MAX_WORKERS = 10**6
MAX_SHOWN = 20  # cells in a notebook
NAMELESS = "sweep"  # the study that is given by its keywords

Frames = dict[str, "pd.DataFrame"]


def _table(name: str, doc: str) -> property:
    return property(lambda sweep: sweep.frames[name], doc=doc)


class Sweep:
    """Results of a study: each table of the pipeline as a data frame, with the same values.

    Parameters
    ----------
    file : StudyFile
        The study.
    frames : dict of pandas.DataFrame
        transitions, estimates, replicates, distances, realizations, ratios, laws: the tables, see
        results/README.md. They are attributes.
    complete : bool, default True
        False if it was interrupted: then each cell has the replicates that were done.

    Examples
    --------
    >>> pm.sweep(rule="one-color", dims=[1, 2], sizes=100, replicates=3, observables=["unmatched"])
    Sweep(2 cells, 6 replicates)
    """

    def __init__(self, file: schema.StudyFile, frames: Frames, complete: bool = True) -> None:
        self.file, self.frames, self.complete = file, frames, complete

    transitions = _table("transitions", "One row for each cell and color: the main numbers.")
    estimates = _table("estimates", "One row for each estimate.")
    replicates = _table("replicates", "One row for each torus.")
    distances = _table("distances", "One row for each bin of each torus.")
    realizations = _table("realizations", "One row for each point of a picture.")
    ratios = _table("ratios", "One row for each number of each torus.")
    laws = _table("laws", "One row for each parameter of a law that is fitted.")

    def __repr__(self) -> str:
        cells = self.replicates.groupby(["study", "cell"]).ngroups
        counts = counted({"cells": cells, "replicates": len(self.replicates)})
        return f"Sweep({counts}{'' if self.complete else ', interrupted'})"

    def _repr_html_(self) -> str:
        """Return a table for a notebook: a row for each cell, with its main estimate and standard error."""
        by_cell = dict(tuple(self.replicates.groupby(["study", "cell"])))
        cells = [cell for cell in parameter_grid.cells(self.file) if (cell.study, cell.id) in by_cell]
        rows: list[tuple] = []
        for cell in cells[:MAX_SHOWN]:
            replicates = by_cell[cell.study, cell.id]
            quantity, value, error = stopping.main_estimate(cell, replicates)
            known = error if len(replicates) > 1 and not stopping.mean_is_infinite(cell) else None
            rho = "" if np.isnan(cell.ratio) else f"{cell.ratio:.6g}"
            row = (cell.study, cell.dim, f"{cell.size:.12g}", rho, quantity, with_error(value, known), len(replicates))
            rows.append(row)
        head = ("study", "d", "points", "ratio", "quantity", "value(error)", "replicates")
        more = f"; the first {MAX_SHOWN} cells, and {len(cells) - MAX_SHOWN} more" if len(cells) > MAX_SHOWN else ""
        return html_table(head, rows, f"{self!r}{more}")

    def plot(
        self, kind: str | None = None, *, studies: Iterable[str] | None = None, ax: Any = None, **options: Any
    ) -> Any:
        """Draw a figure of a kind such as `fussy` or `tail`.

        Parameters
        ----------
        kind : str, optional
            By default the first figure of the study file, or the first kind that fits.
        studies : iterable of str, optional
            Names of the studies to draw; by default all.
        ax : matplotlib axes or sequence of axes, optional
            One for each panel; by default those of a new figure.
        **options
            Options of the functions in `pm.figures`.

        Returns
        -------
        matplotlib Figure

        Raises
        ------
        ValueError
            If there is no such kind, or it does not fit the studies.
        """
        from ..figures.draw import draw
        from ..figures.kinds import KINDS

        names = list(self.file.studies if studies is None else studies)
        if kind is None and studies is None and self.file.figures:
            spec = next(iter(self.file.figures.values()))
            kind, names, options = spec.kind, spec.studies, {**spec.options, **options}
        if kind is None:
            fit = [name for name, kind in KINDS.items() if not any(self._incompatible(kind, s) for s in names)]
            kind = next((name for name in (*PREFERRED, *fit) if name in fit), None)
        if kind not in KINDS:
            raise BadInput(f"{kind!r} is not a kind of figure; the kinds are {', '.join(KINDS)}")
        for study in names:
            if reason := self._incompatible(KINDS[kind], study):
                raise BadInput(f"a figure {kind}: study {study} {reason}")
        second = self.frames.get(KINDS[kind].second)
        return draw(kind, self.frames[KINDS[kind].table], names, ax, second=second, **options).figure

    def _incompatible(self, kind: Any, study: str) -> str:
        return figure_checks.incompatible(kind, self.file.studies[study])

    def to_yaml(self, path: str | Path) -> Path:
        """Write the study as a YAML file, from which `poissonmatch run` makes the same tables on any machine.

        Parameters
        ----------
        path : str or Path
            File to write.

        Returns
        -------
        Path
            The file.
        """
        path = Path(path)
        _refuse_session(self.file, "a file cannot name it")
        write_atomically(path, as_yaml(self.file, path.absolute().parent).encode())
        return path


PREFERRED = ("fussy", "transition", "tail", "winner", "components")  # by plot, if no kind is given


def as_yaml(file: schema.StudyFile, folder: Path) -> str:
    """Return the text of a study file to be written into a folder."""
    data = file.model_dump(mode="python", by_alias=True, exclude_defaults=True)
    for study in data["studies"].values():
        process = study.get("process", {})
        for key in ("digest", "counts"):  # they are computed again for the folder of the study
            process.pop(key, None)
        if "files" in process:
            process["files"] = os.path.relpath(os.path.join(file.study_folder.folder, process["files"]), folder)
    return yaml.safe_dump({"seed": file.seed, **data}, sort_keys=False, default_flow_style=None, width=100)


def sweep(
    study: str | Path | Mapping[str, Any] | schema.StudyFile | None = None,
    *,
    workers: int = 1,
    progress: bool = False,
    seed: int = 1,
    allow_import: bool = False,
    **keywords: Any,
) -> Sweep:
    """Run a study in Python. Ctrl-C returns the replicates that are done.

    Parameters
    ----------
    study : path, dict or StudyFile, optional
        A study file, or its contents; by default the study is given by keywords.
    workers : int, optional
        Number of processes that work in parallel, at most 10^6, by default 1; it changes no value.
        No more start than there are pieces of work, or than twice the number of cores, with a
        warning.
    progress : bool, optional
        Show a progress bar with the current estimates, or lines of text if standard error is not a
        terminal; by default False.
    seed : int, optional
        Root seed of a study given by keywords, by default 1.
    allow_import : bool, optional
        Import the functions that the study names, by default False. Files and modules are relative
        to the study file, or the current folder.
    **keywords
        The keys of one study, as in a file: rule, process, dims, sizes, ratios or intensities,
        replicates, observables, ...; the default process fits the rule.

    Returns
    -------
    Sweep
        The tables of the study as data frames, such as `estimates` and `transitions`, with `plot`
        and `to_yaml`. `complete` is False after Ctrl-C.

    Raises
    ------
    BadInput
        A ValueError, if the study is not valid.

    Examples
    --------
    >>> made = pm.sweep(
    ...     rule="fussy", dims=2, sizes=500, ratios=[0.5, 2.0], replicates=4,
    ...     observables=["unmatched"], seed=7,
    ... )
    >>> red = made.estimates.query("quantity == 'unmatched_fraction' and color == 1")
    >>> red["ratio"].tolist(), [round(value, 2) for value in red["value"]]
    ([0.5, 2.0], [0.2, 0.61])
    """
    workers, progress = check_int("workers", workers, 1, MAX_WORKERS), check_bool("progress", progress)
    file = _study_file(study, seed, allow_import, keywords)
    cells = [
        replace(cell, block=max(1, int(BLOCK_SECONDS / cost.cell_seconds(cell)))) for cell in parameter_grid.cells(file)
    ]
    if workers > 1:
        _refuse_session(file, "leave workers=1")
    results, complete = BlocksInMemory(), True
    try:
        with _bar(progress, cells, results) as show:
            while blocks := [block for cell in cells for block in results.missing(as_needed(cell, results))]:
                made = stages.in_order(measure_block, blocks, min(workers, len(blocks)))
                for block, rows in zip(blocks, made, strict=True):
                    results.add(block, rows)
                    show(block)
    except KeyboardInterrupt:
        complete = False
    return Sweep(file, _frames(file, cells, results), complete)


def _study_file(study: Any, seed: int, allow_import: bool, keywords: dict[str, Any]) -> schema.StudyFile:
    """Return the study file given by the arguments of sweep."""
    if study is not None and (keywords or seed != 1):
        raise BadInput(f"give either a study or keywords, not both: {', '.join(keywords) or 'seed'}")
    study_folder = StudyFolder(os.getcwd(), allow_import)
    if isinstance(study, schema.StudyFile):
        if not allow_import or study.study_folder.may_import:
            return study
        study, study_folder = study.model_dump(by_alias=True), replace(study.study_folder, may_import=True)
    if isinstance(study, str | Path):
        return load(study, allow_import=allow_import)
    if study is None:
        if "process" not in keywords and _has_colors(keywords.get("rule", "one-color")):
            keywords = {"process": "two_color", **keywords}
        return of_keywords(keywords, seed, study_folder)
    return of_data(plain(study), NAMELESS, study_folder)


def of_keywords(
    study: Mapping[str, Any], seed: int, study_folder: StudyFolder, name: str = NAMELESS
) -> schema.StudyFile:
    """Return a file of one study given by its keys. name: of the file in messages."""
    return of_data(plain({"seed": seed, "studies": {NAMELESS: study}}), name, study_folder)


def _refuse_session(file: schema.StudyFile, why: str) -> None:
    """Raise BadInput for a process that is registered in this session only."""
    for study in file.studies.values():
        name = study.process.name
        if study.process.entry.of_this_session:
            remedy = f"import it from a module, process={{'import': 'module.{name}'}}"
            raise BadInput(f"the process {name} exists in this session only: {why}, or {remedy}")


def _has_colors(rule: Any) -> bool:
    """Return whether a rule distinguishes colors, False for an invalid rule, which the schema reports."""
    try:
        return rule_named(schema.name_of_rule(rule)).n_colors > 1
    except ValueError:
        return False


def plain(value: Any) -> Any:
    """Convert arrays and numbers of NumPy to lists and numbers of Python. Raises BadInput for endless nesting."""
    try:
        if isinstance(value, Mapping):
            return {key: plain(entry) for key, entry in value.items()}
        if hasattr(value, "tolist"):
            return value.tolist()
        if isinstance(value, list | tuple | range):
            return [plain(entry) for entry in value]
    except RecursionError:
        raise BadInput("a value of the study is nested without end") from None
    return value


# ---- tables ----


def _frames(file: schema.StudyFile, cells: Sequence[Cell], results: BlocksInMemory) -> Frames:
    """Return the tables of all finished replicates, as the pipeline writes and reads them."""
    in_order = (as_needed(cell, results) for cell in sorted(cells, key=row_order))
    blocks = [of_cell for cell in in_order if (of_cell := _finished(cell, results))]
    colors = max(2, *(len(cell.intensities) for cell in cells))
    parts: dict[str, list[pa.Table]] = {name: [] for name in TABLES}
    stages.add_rows(lambda name, rows: parts[name].append(rows), file, results, blocks)
    return {
        name: frame_of(concatenated(TABLES[name], parts[name], colors)) if any(parts[name]) else empty(TABLES[name])
        for name in TABLES
    }


def _finished(cell: Cell, results: BlocksInMemory) -> list[Block]:
    """Return the finished blocks of a cell up to the first missing one."""
    return [*takewhile(results.__contains__, results.blocks(cell))]


# ---- progress ----


@contextmanager
def _bar(wanted: bool, cells: Sequence[Cell], results: BlocksInMemory) -> Iterator[Callable[[Block], None]]:
    """Show the progress of the replicates, with the latest estimate and its error."""
    if not wanted:
        yield lambda block: None
        return
    total, last = sum(cell.replicates for cell in cells), 0.0
    with ProgressBar("replicates", keep=True) as bar:

        def show(block: Block) -> None:
            nonlocal last
            done, text = bar.done + len(block.replicates), bar.text
            if time.monotonic() - last > BAR_SECONDS:
                last, name = time.monotonic(), REPLICATES.name
                rows = results.read_cell(_finished(block.cell, results), (name,))[name]
                text = stopping.line(block.cell, rows.to_pandas())
            bar.update(done, max(done, total), text)  # a study with a target makes more

        yield show
