"""Integrity of results: `verify` reports problems, `repair` moves damaged files aside and makes them again."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import studies
from ..sampling.cells import Block
from ..tables.estimate_tables import TABLES
from ..tables.tables import Impossible
from ..utils.errors import IntegrityError, Problem, ProblemKind
from . import consistency, provenance, stages, up_to_date
from .atomic_files import MANIFEST, read_json, wrong_files
from .blocks import (
    MANIFEST_PATH,
    TABLE,
    Tables,
    demand_block,
    finished,
    manifest_of,
    manifest_path,
    read_block_files,
    simulate,
)
from .load import rows_of
from .progress import found_blocks
from .scan import QUARANTINE as QUARANTINE
from .scan import results_below, scan, set_aside


@dataclass
class Report:
    """The result of verify: the number of valid files, problems, and remarks that are not problems."""

    right: int = 0
    problems: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    sound: set[Path] = field(default_factory=set)  # files of valid blocks
    unfinished: list[Path] = field(default_factory=list)  # of a killed process
    found: bool = True  # whether there are results


def verify(folder: Path, file: studies.StudyFile | None = None) -> Report:
    """Check every block and table of a results folder.

    With a study file, also check that its blocks are there and made by the installed code, and that
    tables and figures are those of the file. Problem lists the kinds of problems.

    Raises
    ------
    OSError
        If a file cannot be read.
    """
    report, found = Report(), scan(folder)
    blocks = _check_blocks(report, found.manifests)
    broken = set(found.manifests) - blocks.keys()  # what a damaged manifest lists is not known
    for path in found.others:
        if path in report.sound:
            continue
        table = TABLE.fullmatch(path.name) and path.is_file()
        if table and manifest_of(path) not in found.manifests:
            report.problems.append(Problem(path, "unfinished"))
        elif not (table and manifest_of(path) in broken):
            report.problems.append(Problem(path, "not ours", "no manifest lists it"))
    made = {manifest: str(about["code"]) for manifest, (about, _) in blocks.items()}
    if file is None:
        _check_codes(report, made)
    else:
        _check_blocks_of_study(
            report, folder, file, found.manifests, {path: about for path, (about, _) in blocks.items()}
        )
    _check_tables(report, folder, found.tables, {path: rows for path, (_, rows) in blocks.items()}, set(made.values()))
    _check_figures(report, folder)
    if file is not None:
        _check_study(report, folder, file)
    report.unfinished = found.unfinished
    if report.unfinished:
        report.remarks.append(
            f"{len(report.unfinished)} unfinished files of a process that died, such as {report.unfinished[0]}"
        )
    if not report.right and not report.problems:
        below = results_below(folder)
        hint = f"; there are results in {', '.join(below[:5])}, which are folders in it" if below else ""
        words = f"nothing to verify: neither blocks/STUDY/CELL/FIRST-END.json nor {MANIFEST} with tables is here{hint}"
        report.problems.append(Problem(folder, "missing", words))
        report.found = False
    return report


def _check_blocks(report: Report, manifests: list[Path]) -> dict[Path, tuple[dict[str, Any], Tables]]:
    """Return the manifests and tables of valid blocks."""
    blocks: dict[Path, tuple[dict[str, Any], Tables]] = {}
    ranges: dict[Path, list[tuple[int, int, Path]]] = {}
    for manifest in manifests:
        first, end = (int(number) for number in manifest.stem.split("-"))
        ranges.setdefault(manifest.parent, []).append((first, end, manifest))
        try:
            blocks[manifest] = about, _ = read_block_files(manifest)
        except IntegrityError as error:
            report.problems += error.problems
            continue
        report.sound |= {manifest, *(manifest.parent / name for name in about["sha256"])}
        report.right += 1 + len(about["sha256"])
    for found in ranges.values():
        _check_ranges(report, sorted(found), {path: rows for path, (_, rows) in blocks.items()})
    return blocks


def _check_ranges(report: Report, found: list[tuple[int, int, Path]], blocks: Mapping[Path, Tables]) -> None:
    """Report gaps and overlaps of the blocks of one cell. An overlap with equal replicates is only a remark."""
    reach, before = 0, None
    for first, end, manifest in found:
        if first > reach:
            report.problems.append(Problem(manifest.parent, "missing", f"replicates {reach} to {first - 1}"))
        elif first < reach and before in blocks and manifest in blocks:
            assert before is not None
            one, other = (_rows(blocks[path], first, min(end, reach)) for path in (before, manifest))
            if one != other:
                for path, twin in ((manifest, before), (before, manifest)):  # which of them is right is unknown
                    detail = f"{twin.name} holds the same replicates with other numbers"
                    report.problems.append(Problem(path, "duplicated", detail))
            else:
                report.remarks.append(f"{manifest}: holds replicates of {before.name} once more (the same numbers)")
        if end >= reach:
            reach, before = end, manifest


def _rows(tables: Tables, first: int, end: int) -> str:
    rows = tables["replicates"]
    return rows[rows["replicate"].between(first, end - 1)].to_json(orient="values", double_precision=15)


def _check_codes(report: Report, made: Mapping[Path, str]) -> None:
    """Report blocks made by different code: they are never mixed."""
    now = provenance.code_digest("simulate")
    codes = list(made.values())
    keep = now if now in codes else max(codes, key=codes.count, default=now)
    others = [Problem(path, "made by other code", f"{c}, the rest by {keep}") for path, c in made.items() if c != keep]
    report.problems += others
    if keep != now and not others:
        report.remarks.append(
            f"the blocks were made by other code ({keep}, now {now}); `poissonmatch run STUDY` makes them again"
        )


def _check_blocks_of_study(
    report: Report,
    folder: Path,
    file: studies.StudyFile,
    manifests: list[Path],
    blocks: Mapping[Path, dict[str, Any]],
) -> None:
    """Report blocks of the study file that are missing, or not made from its parameters by the installed code."""
    expected = {manifest_path(folder, block): block for block in found_blocks(file, folder)}
    report.problems += [Problem(path, "missing") for path in sorted(expected.keys() - set(manifests))]
    for manifest, about in blocks.items():
        try:
            demand_block(expected.get(manifest) or Block.of_record(about), manifest, about)
        except IntegrityError as error:
            report.problems += error.problems
    extra = sorted(blocks.keys() - expected.keys())
    if extra:
        report.remarks.append(f"{len(extra)} blocks do not belong to the study file, such as {extra[0]}")


def _check_tables(
    report: Report, folder: Path, found: list[Path], blocks: Mapping[Path, Tables], made: set[str]
) -> None:
    """Check the tables and their manifest; tables of exact games have none. made: the code of the blocks."""
    manifest = folder / MANIFEST
    games = manifest not in found and not {path.stem for path in found} & set(TABLES)
    tables, about, listed = {}, {}, {}
    try:
        if found and not games:
            about = read_json(manifest)
            commit = about.pop("commit", None)  # only in the manifest, so that no table depends on git
            if not re.fullmatch("|[0-9a-f]{40}|[0-9a-f]{64}", str(commit)):
                raise IntegrityError(Problem(manifest, "damaged", f"{str(commit)[:80]!r} is not a git commit"))
            listed = about.pop("sha256", None)
            if not isinstance(listed, dict) or set(listed) != {f"{name}.parquet" for name in TABLES}:
                raise IntegrityError(Problem(manifest, "damaged", "it does not list exactly the expected tables"))
    except IntegrityError as error:
        report.problems += error.problems
        return
    for path in sorted({*found, *(folder / name for name in listed)} - {manifest}):
        try:
            if path not in found:
                raise IntegrityError(Problem(path, "missing"))
            if not games and path.name not in listed:
                raise IntegrityError(Problem(path, "not ours", f"{MANIFEST} does not list it"))
            frame, metadata = rows_of(path, listed=not games)
            if not games and metadata != {"table": path.stem, **about}:
                raise IntegrityError(Problem(manifest, "damaged", f"it and {path.name} have different metadata"))
            tables[path.stem] = frame
            report.right += 1
        except IntegrityError as error:
            report.problems += error.problems
    if not games and len(tables) == len(TABLES):
        report.problems += _together(folder, tables, about, blocks, made)


def _together(
    folder: Path, tables: Tables, about: dict[str, Any], blocks: Mapping[Path, Tables], made: set[str]
) -> list[Problem]:
    """Return the first contradiction between the tables, their study and the blocks, if there is one."""
    kind: ProblemKind = "impossible"
    try:
        consistency.check(tables, about)
        consistency.compare_estimates(tables, about)
        kind = "out of date"
        consistency.compare_with_blocks(tables, about, folder, blocks)
    except Impossible as wrong:
        return [Problem(folder / f"{wrong.table}.parquet", kind, wrong.words)]
    code = about["code"].get("simulate") if isinstance(about.get("code"), dict) else None
    if made and code not in made:
        detail = f"{code}, the blocks in this folder by {', '.join(sorted(made))}"
        return [Problem(folder / MANIFEST, "made by other code", detail)]
    return []


def _check_figures(report: Report, folder: Path) -> None:
    """Check the SHA-256 of every file that the manifests of the figures and of the pages list."""
    for manifest in (folder / up_to_date.FIGURES / MANIFEST, folder / up_to_date.PAGES):
        if not os.path.lexists(manifest):
            continue
        try:
            for known in read_json(manifest).values():
                if not up_to_date.is_entry(known):
                    raise IntegrityError(Problem(manifest, "damaged", "an entry has no facts or no SHA-256"))
                wrong = wrong_files(manifest, known["sha256"])
                report.right += len(known["sha256"]) - len(wrong)
                report.problems += wrong
        except IntegrityError as error:
            report.problems += error.problems
    page = folder / up_to_date.REPORT
    if os.path.lexists(page) and not os.path.lexists(folder / up_to_date.PAGES):
        report.problems.append(Problem(page, "unfinished", f"no {up_to_date.PAGES} lists it"))


def _check_study(report: Report, folder: Path, file: studies.StudyFile) -> None:
    """Report tables and figures that are not those of the study file."""
    try:
        late = up_to_date.tables(file, folder)
        report.problems += [problem for problem in late if problem not in report.problems]
        if not late and (folder / up_to_date.FIGURES / MANIFEST).exists():
            named = {problem.path.stem for problem in report.problems if problem.path.parent.name == up_to_date.FIGURES}
            for name in up_to_date.figures(file, folder, read_json(folder / MANIFEST)["sha256"]):
                if name not in named:
                    report.problems.append(Problem(folder / up_to_date.FIGURES / name, "out of date"))
    except IntegrityError:
        pass  # named before


def repair(file: studies.StudyFile, folder: Path, *, progress: Callable[[str], None] = print) -> tuple[int, int]:
    """Move every file that `verify` names to quarantine, and make what is missing; return the numbers of blocks made and files moved.

    Temporary files of killed processes are removed. Make sure that no run is at work (`repair` on
    the command line does). Raises IntegrityError if something is still wrong.
    """
    report = verify(folder, file)
    figures = folder / up_to_date.FIGURES
    with_figures = os.path.lexists(figures / MANIFEST)
    for path in report.unfinished:
        path.unlink(missing_ok=True)
    if not report.problems:
        return 0, 0
    moved = 0
    for problem in report.problems:
        for path in _moved_together(problem, folder):
            if os.path.lexists(path):
                progress(f"{path}: moved to {set_aside(path, folder)}")
                moved += 1
    made: set[Path] = set()  # manifests; new blocks may show that a cell needs more of them
    while missing := [
        block
        for block in found_blocks(file, folder)
        if manifest_path(folder, block) not in made and not finished(block, folder)
    ]:
        for block in missing:
            simulate(block, folder)
            made.add(manifest_path(folder, block))
            progress(f"{manifest_path(folder, block)}: made again")
    stages.aggregate(file, folder)
    if with_figures:
        stages.draw(file, folder, changed=True)
    if left := verify(folder, file).problems:
        raise IntegrityError(*left)
    return len(made), moved


def _moved_together(problem: Problem, folder: Path) -> list[Path]:
    """Return the files to move for a problem: all of a block, or of the report, which a run makes again."""
    path, report = problem.path, [folder / up_to_date.REPORT, folder / up_to_date.PAGES]
    if problem.kind == "missing":
        return []
    if path in report:
        return report
    is_table = TABLE.fullmatch(path.name) and problem.kind != "not ours"
    if is_table or MANIFEST_PATH.fullmatch(str(path.absolute())):
        return sorted(path.parent.glob(f"{manifest_of(path).stem}.*"))
    return [path]
