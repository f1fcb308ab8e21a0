"""Integrity of results: `verify` reports problems, `repair` moves damaged files aside and makes them again."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...utils import code_digests
from ...utils.errors import BadInput, IntegrityError, Problem, ProblemKind, integrity_error, nearest
from ...utils.files import exists, is_file
from ...utils.libraries import pa
from ...utils.manifests import MANIFEST, read_json, wrong_files
from .. import study_files
from ..sampling.sources import StudyFolder
from ..statistics import observables
from ..tables.estimate_tables import ESTIMATES, TABLES, TRANSITIONS
from ..tables.parquet import concatenated
from ..tables.tables import BLOCK_TABLES, REPLICATES, n_colors
from . import cell_records, provenance, up_to_date
from .batch_files import BLOCKS, TABLE_NAME, Batch, manifest_path, read_manifest, table_path
from .load import load
from .results import Results, results_below, scan

REQUIRED = {f"{table.name}.parquet" for table in (TRANSITIONS, ESTIMATES, REPLICATES)}  # that every study has


@dataclass
class Verification:
    """The result of verify: the number of valid files, problems, and remarks that are not problems."""

    right: int = 0
    problems: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    sound: set[Path] = field(default_factory=set)  # files of valid blocks
    unfinished: list[Path] = field(default_factory=list)  # of a killed process
    found: bool = True  # whether there are results

    def add(self, path: Path, kind: ProblemKind, detail: str = "") -> None:
        """Add a problem."""
        self.problems.append(Problem(path, kind, detail))


def verify(folder: Path, file: study_files.StudyFile | None = None) -> Verification:
    """Check every block and table of a results folder.

    With a study file, also check that its blocks are there and made by the installed code, and that
    tables and figures are those of the file. Problem lists the kinds of problems.

    Raises
    ------
    OSError
        If a file cannot be read.
    """
    report, files = Verification(), scan(folder)
    readable = _check_batches(report, files.manifests)
    valid = [batch for batch in readable if batch.manifest in report.sound]
    broken = {path.stem for path in files.manifests} - {batch.name for batch in valid}
    for path in files.unknown:
        if path in report.sound:
            continue
        is_table = TABLE_NAME.fullmatch(path.name) and is_file(path) and path.parent.name in BLOCK_TABLES
        if is_table and not exists(manifest_path(folder, path.stem)):
            report.add(path, "unfinished")
        elif not (is_table and path.stem in broken):  # what a damaged manifest lists is not known
            report.add(path, "not ours", "no manifest lists it")
    now = code_digests.of_stage("simulate")
    _check_ranges(report, [batch for batch in readable if batch.code == now] or readable, gaps=file is None)
    codes = [batch.code for batch in valid]
    _check_codes(report, codes, now)
    if file is not None:
        _check_blocks_of_study(report, file, Results(folder))
    _check_tables(report, folder, files.tables, codes)
    _check_figures(report, folder)
    if file is not None:
        _check_study(report, folder, file)
    report.unfinished = files.unfinished
    if report.unfinished:
        report.remarks.append(
            f"{len(report.unfinished)} unfinished files of a process that died, such as {report.unfinished[0]}"
        )
    if not report.right and not report.problems:
        below = results_below(folder)
        hint = f"; there are results in {', '.join(below[:5])}, which are folders in it" if below else ""
        detail = f"nothing to verify: neither {BLOCKS}/BATCH.json nor {MANIFEST} with tables is here{hint}"
        report.add(folder, "missing", detail)
        report.found = False
    return report


def _check_batches(report: Verification, manifests: list[Path]) -> list[Batch]:
    """Check every byte and row of the batches; return those of which the manifest is valid."""
    readable = []
    for manifest in manifests:
        try:
            batch = read_manifest(manifest)
            readable.append(batch)
            for number in range(len(batch)):
                batch.read(number)
        except IntegrityError as error:
            report.problems += error.problems
            continue
        batch.close()
        report.sound |= {manifest, *batch.files}
        report.right += 1 + len(batch.files)
    return readable


def _check_ranges(report: Verification, batches: list[Batch], *, gaps: bool) -> None:
    """Report gaps, if a study file does not say what is missing, and overlaps of the blocks of each cell.

    An overlap with equal replicates is only a remark.
    """
    ranges: dict[tuple[str, str, str], list[tuple[int, int, Batch, int]]] = {}
    for batch in batches:
        for number, (study, cell, first, end) in enumerate(batch.keys):
            ranges.setdefault((batch.code, study, cell), []).append((first, end, batch, number))
    for (_, study, cell), blocks in ranges.items():
        reach, before = 0, None
        for first, end, batch, number in sorted(blocks, key=lambda block: block[:2]):
            if first > reach and gaps:
                report.add(batch.manifest.parent, "missing", f"{study}/{cell}: replicates {reach} to {first - 1}")
            elif first < reach and before is not None and {before[0].manifest, batch.manifest} <= report.sound:
                _check_overlap(report, before, (batch, number), range(first, min(end, reach)))
            if end >= reach:
                reach, before = end, (batch, number)


def _check_overlap(report: Verification, one: tuple[Batch, int], other: tuple[Batch, int], replicates: range) -> None:
    """Report that two blocks hold the same replicates, as a problem if their rows differ."""

    def rows(batch: Batch, number: int) -> pa.Table:
        rows = batch.read(number, (REPLICATES.name,))[REPLICATES.name]
        return rows.filter([k in replicates for k in rows["replicate"].to_pylist()]).replace_schema_metadata(None)

    manifests = [one[0].manifest, other[0].manifest]
    if rows(*one).equals(rows(*other)):
        report.remarks.append(f"{manifests[1]}: holds replicates of {manifests[0].name} once more (the same numbers)")
        return
    for manifest, twin in (manifests, reversed(manifests)):  # which of them is right is unknown
        report.add(manifest, "duplicated", f"{twin.name} holds the same replicates with other numbers")


def _check_codes(report: Verification, codes: list[str], now: str) -> None:
    """Report that batches were made by different code, or all by other code: they are never mixed."""
    if other_codes := sorted({*codes} - {now}):
        made = f"were made by other code ({', '.join(other_codes)}"
        count = len(codes) - codes.count(now)
        mixed = f"{count} batches {made}); nothing is made from them"
        report.remarks.append(
            mixed if now in codes else f"the blocks {made}, now {now}); `poissonmatch run STUDY` makes them again"
        )


def _check_blocks_of_study(report: Verification, file: study_files.StudyFile, results: Results) -> None:
    """Report blocks of the study file that are missing, or that the installed code did not make."""
    old: dict[tuple[str, str], list[Batch]] = {}  # made by other code
    for batch in results.unusable:
        for identity in {key[:2] for key in batch.keys} if batch.code != results.code else ():
            old.setdefault(identity, []).append(batch)
    cells = (cell_records.as_needed(cell, results) for cell in study_files.cells(file))
    blocks = [block for cell in cells for block in results.blocks(cell)]
    for block in (block for block in blocks if block not in results):
        replaced = old.get(block.key[:2], ())
        for batch in replaced:
            detail = f"{batch.code}, now {results.code}; simulate it again"
            report.add(batch.manifest, "made by other code", detail)
        if not replaced:
            report.add(results.folder / BLOCKS, "missing", str(block))
    report.problems = [*dict.fromkeys(report.problems)]
    if extra := sorted(results.batches.keys() - results.batches_of(blocks)):
        these = "1 batch does" if len(extra) == 1 else f"{len(extra)} batches do"
        files = f"{BLOCKS}/{extra[0]}.json and {BLOCKS}/*/{extra[0]}.parquet"
        report.remarks.append(f"{these} not belong to the study file, and may be deleted, such as {files}")


def _check_tables(report: Verification, folder: Path, paths: list[Path], codes: list[str]) -> None:
    """Check the tables and their manifest; tables of exact games have none.

    codes: of the blocks.
    """
    manifest = folder / MANIFEST
    games = manifest not in paths and not {path.stem for path in paths} & set(TABLES)
    about, listed = {}, {}
    try:
        if paths and not games:
            about = read_json(manifest)
            commit = about.pop("commit", None)  # only in the manifest, so that no table depends on git
            if not re.fullmatch("|[0-9a-f]{40}|[0-9a-f]{64}", str(commit)):
                raise integrity_error(manifest, "damaged", f"{str(commit)[:80]!r} is not a git commit")
            listed = about.pop("sha256", None)
            if not isinstance(listed, dict) or not REQUIRED <= set(listed) <= {f"{name}.parquet" for name in TABLES}:
                raise integrity_error(manifest, "damaged", "it does not list exactly the expected tables")
    except IntegrityError as error:
        report.problems += error.problems
        return
    before = len(report.problems)
    for path in sorted({*paths, *(folder / name for name in listed)} - {manifest}):
        try:
            if path not in paths:
                report.add(path, "missing")
            elif not games and path.name not in listed:
                report.add(path, "not ours", f"{MANIFEST} does not list it")
            else:
                attrs = load(path, listed=not games).attrs
                if games or attrs == {"table": path.stem, "columns": attrs["columns"], **about}:
                    report.right += 1
                else:
                    report.add(manifest, "damaged", f"it and {path.name} have different metadata")
        except IntegrityError as error:
            report.problems += error.problems
    if listed and codes and len(report.problems) == before:
        code = about["code"].get("simulate") if isinstance(about.get("code"), dict) else None
        if code not in codes:
            detail = f"{code}, the blocks in this folder by {', '.join(sorted({*codes}))}"
            report.add(manifest, "made by other code", detail)


def _check_figures(report: Verification, folder: Path) -> None:
    """Check the SHA-256 of every file that the manifests of the figures and of the report list."""
    page, pages = folder / up_to_date.REPORT, folder / up_to_date.PAGES
    manifests = figure_manifests(folder)
    if os.path.lexists(pages):
        manifests.append(pages)
    elif os.path.lexists(page):
        report.add(page, "unfinished", f"no {pages.name} lists it")
    for manifest in manifests:
        try:
            entry = up_to_date.entry(manifest)
            wrong = wrong_files(manifest, entry["sha256"])
            report.right += len(entry["sha256"]) - len(wrong)
            report.problems += wrong
        except IntegrityError as error:
            report.problems += error.problems


def figure_manifests(folder: Path) -> list[Path]:
    """Return the manifests of the figures."""
    figures = folder / up_to_date.FIGURES
    return [figures / name for name in sorted(os.listdir(figures)) if name.endswith(".json")] if exists(figures) else []


def _check_study(report: Verification, folder: Path, file: study_files.StudyFile) -> None:
    """Report tables and figures that are not those of the study file."""
    try:
        problems = up_to_date.tables(file, folder)
        report.problems += [problem for problem in problems if problem not in report.problems]
        if problems:
            return
        listed = read_json(folder / MANIFEST)["sha256"]
        if figure_manifests(folder):
            reported = {
                problem.path.stem for problem in report.problems if problem.path.parent.name == up_to_date.FIGURES
            }
            for name in up_to_date.figures(file, folder, listed):
                if name not in reported:
                    report.add(folder / up_to_date.FIGURES / name, "out of date")
        pages = folder / up_to_date.PAGES
        if not report.problems and exists(pages) and (why := up_to_date.report(file, folder, listed)):
            report.add(pages, "out of date", why)
    except IntegrityError:
        pass  # named before


def reproduce(manifest: Path, block: str = "", *, study_folder: StudyFolder | None = None) -> list[str]:
    """Make blocks of a batch again from its manifest alone, in memory, and compare the rows; return their names.

    block: STUDY/CELL/FIRST-END, by default all blocks. study_folder: the folder of its study file, for
    points from files. Raises BadInput for a block that the batch does not have, IntegrityError if a
    row differs, or if other code made it.
    """
    batch = read_manifest(manifest)
    now = code_digests.of_stage("simulate")
    if batch.code != now:
        detail = f"{batch.code}, here {now}, which cannot be compared"
        raise integrity_error(manifest, "made by other code", detail)
    names = [f"{study}/{cell}/{first}-{end}" for study, cell, first, end in batch.keys]
    if block and block not in names:
        raise BadInput(f"{manifest}: has no block {block}{nearest(block, names)}")
    chosen = [number for number, name in enumerate(names) if block in ("", name)]
    blocks = batch.blocks
    for number in chosen:
        stored = blocks[number]
        again = replace(stored, cell=replace(stored.cell, study_folder=study_folder or StudyFolder()))
        rows = batch.read(number)
        for table, made in observables.measure_block(again).items():
            as_written = concatenated(BLOCK_TABLES[table], [made], n_colors(rows[table].column_names))
            if not rows[table].replace_schema_metadata(None).equals(as_written):
                versions = batch.about["versions"]
                here = {k: v for k, v in provenance.environment().items() if versions.get(k) != v}
                hint = f"; here is {here}, it was made with {versions}" if here else ""
                path = table_path(manifest.parents[1], table, batch.name)
                detail = f"not reproduced: the rows of {names[number]} differ{hint}"
                raise integrity_error(path, "damaged", detail)
    return [names[number] for number in chosen]
