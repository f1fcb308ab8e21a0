"""Repair of results: damaged files are moved to quarantine and made again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

from ...utils.errors import MAX_PROBLEMS, IntegrityError, Problem
from ...utils.manifests import MANIFEST, read_json
from .. import study_files
from ..results import up_to_date
from ..results.batch_files import BLOCKS, MANIFEST_NAME, TABLE_NAME, manifest_path, table_path
from ..results.integrity import figure_manifests, verify
from ..results.results import QUARANTINE, set_aside
from ..tables.tables import BLOCK_TABLES
from . import batches, stages


def repair(
    file: study_files.StudyFile, folder: Path, *, progress_line: Callable[[str], None] = print
) -> tuple[int, int]:
    """Move every file that `verify` names to quarantine, make what is missing; return the numbers of blocks and files.

    Temporary files of killed processes are removed. Make sure that no run is at work (`repair` on
    the command line does). Raises IntegrityError if something is still wrong, and RuntimeError for a block that was
    made again and is rejected again.
    """
    report = verify(folder, file)
    with_figures = bool(figure_manifests(folder))
    for path in report.unfinished:
        path.unlink(missing_ok=True)
    if not report.problems:
        return 0, 0
    quarantine = folder / QUARANTINE
    _refuse_rejected(p for p in report.problems if os.path.lexists(quarantine / os.path.relpath(p.path, folder)))
    moved = 0
    for problem in report.problems:
        for path in _moved_together(problem, folder):
            if os.path.lexists(path):
                target = set_aside(path, folder)
                if moved < MAX_PROBLEMS:
                    progress_line(f"{path}: moved to {target}")
                moved += 1
    if moved > MAX_PROBLEMS:
        progress_line(f"... and {moved - MAX_PROBLEMS} more files moved, {moved} in all")
    made = 0
    for blocks in chain.from_iterable(batches.rounds(file, folder)):
        manifest = batches.make(blocks, folder)
        progress_line(f"{manifest}: {len(blocks)} blocks made again")
        made += len(blocks)
    try:
        stages.aggregate(file, folder)
    except IntegrityError as error:
        _refuse_rejected(error.problems)
        raise
    if with_figures:
        listed = read_json(folder / MANIFEST)["sha256"]
        stages.draw(file, folder, up_to_date.figures(file, folder, listed))
    remaining = verify(folder, file).problems
    _refuse_rejected(remaining)
    if remaining:
        raise IntegrityError(*remaining)
    return made, moved


def _refuse_rejected(problems: Iterable[Problem]) -> None:
    """Raise RuntimeError if values are impossible in blocks that were made again: the program makes them so."""
    if rejected := next((problem for problem in problems if problem.kind == "impossible"), None):
        raise RuntimeError(f"{rejected}; the block was made again, and another repair does not mend it")


def _moved_together(problem: Problem, folder: Path) -> list[Path]:
    """Return the files to move for a problem: all of a batch, or of the report, which a run makes again."""
    path, pages, blocks = problem.path, [folder / up_to_date.REPORT, folder / up_to_date.PAGES], folder / BLOCKS
    if path in pages:
        return pages
    is_table = path.parent.parent == blocks and TABLE_NAME.fullmatch(path.name) and problem.kind != "not ours"
    if is_table or (path.parent == blocks and MANIFEST_NAME.fullmatch(path.name)):
        tables = (table_path(folder, table, path.stem) for table in BLOCK_TABLES)
        return [manifest_path(folder, path.stem), *tables]
    return [] if problem.kind == "missing" else [path]
