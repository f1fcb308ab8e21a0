"""Are the results what they say they are? verify names what is not, repair makes it again, reproduce compares the bytes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from .. import studies
from ..cells import Block
from ..errors import IntegrityError, Problem
from ..sources import Place
from . import fresh, provenance, stages, targets
from .blocks import MANIFEST_PATH, TABLE, manifest_of, manifest_path, read_block, read_shard, simulate
from .files import MANIFEST, load, read_json, sha256
from .make_block import make_block

UNDONE = ("missing", "unfinished", "out of date")  # what the next run mends by itself
QUARANTINE = "quarantine"  # where repair puts what it cannot make sense of; nothing is deleted


@dataclass
class Report:
    """What verify found: files that are right, problems (integrity), and remarks that are none."""

    right: int = 0
    problems: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    sound: set[Path] = field(default_factory=set)  # the files of shards that are right
    unfinished: list[Path] = field(default_factory=list)  # left behind by a process that was killed


def verify(folder: Path, file: studies.StudyFile | None = None) -> Report:
    """Check every shard and table below a results folder, and with a study file that none of its blocks is missing.

    What a problem can be, errors.Problem says.
    """
    report = Report()
    shards = folder / "shards"
    manifests, loose = [], []
    for path in _files(shards):
        if path.name.endswith(".tmp") and path.name.startswith("."):
            report.unfinished.append(path)
        elif path.suffix == ".json" and MANIFEST_PATH.fullmatch(str(path.absolute())) and not path.is_symlink():
            manifests.append(path)
        else:
            loose.append(path)
    _check_shards(report, manifests)
    known = set(manifests) - report.sound  # what a damaged manifest would list cannot be told
    for path in loose:
        if path in report.sound or manifest_of(path) in known:
            continue
        if TABLE.fullmatch(path.name) and not manifest_of(path).exists():
            report.problems.append(Problem(path, "unfinished"))
        else:
            report.problems.append(Problem(path, "foreign", "no manifest lists it"))
    if file is not None:
        expected = {manifest_path(folder, block) for block in targets.found_blocks(file, folder)}
        report.problems += [Problem(path, "missing") for path in sorted(expected - set(manifests))]
        extra = [path for path in sorted(report.sound) if path.suffix == ".json" and path not in expected]
        if extra:
            report.remarks.append(f"{len(extra)} blocks are not asked for by the study file, such as {extra[0]}")
    _check_tables(report, folder)
    _check_figures(report, folder)
    if file is not None:
        _check_study(report, folder, file)
    if report.unfinished:
        report.remarks.append(
            f"{len(report.unfinished)} unfinished files of a process that died, such as {report.unfinished[0]}"
        )
    return report


def _files(folder: Path) -> Iterator[Path]:
    for where, _, names in os.walk(folder):
        yield from sorted(Path(where) / name for name in names)


def _check_shards(report: Report, manifests: list[Path]) -> None:
    codes: dict[str, list[Path]] = {}
    ranges: dict[Path, list[tuple[int, int, Path]]] = {}
    for manifest in manifests:
        try:
            about, _ = read_shard(manifest)
        except IntegrityError as error:
            report.problems += error.problems
            continue
        report.sound |= {manifest, *(manifest.parent / name for name in about["sha256"])}
        report.right += 1 + len(about["sha256"])
        codes.setdefault(about["code"], []).append(manifest)
        ranges.setdefault(manifest.parent, []).append((about["first"], about["end"], manifest))
    _check_codes(report, codes)
    for found in ranges.values():
        _check_ranges(report, sorted(found))


def _check_codes(report: Report, codes: dict[str, list[Path]]) -> None:
    now = provenance.code_digest("simulate")
    if len(codes) > 1:
        keep = now if now in codes else max(codes, key=lambda code: len(codes[code]))
        for code, paths in codes.items():
            if code != keep:
                detail = f"{code}, the rest by {keep}"
                report.problems += [Problem(path, "made by other code", detail) for path in paths]
    elif codes and now not in codes:
        report.remarks.append(
            f"the shards were made by other code ({next(iter(codes))}, now {now}); a run makes them anew"
        )


def _check_ranges(report: Report, found: list[tuple[int, int, Path]]) -> None:
    """Holes and overlaps among the blocks of one cell. An overlap is harmless if the replicates are the same."""
    reach, before = 0, None
    for first, end, manifest in found:
        if first > reach:
            report.problems.append(Problem(manifest.parent, "missing", f"replicates {reach} to {first - 1}"))
        elif first < reach and before is not None:
            if _rows(before, first, min(end, reach)) != _rows(manifest, first, min(end, reach)):
                detail = f"{before.name} holds the same replicates with other numbers"
                report.problems.append(Problem(manifest, "duplicated", detail))
            else:
                report.remarks.append(f"{manifest}: holds replicates of {before.name} once more (the same numbers)")
        if end >= reach:
            reach, before = end, manifest


def _rows(manifest: Path, first: int, end: int) -> str:
    rows = read_shard(manifest)[1]["replicates"]
    return rows[rows["replicate"].between(first, end - 1)].to_json(orient="values", double_precision=15)


def _check_tables(report: Report, folder: Path) -> None:
    manifest = folder / MANIFEST
    found = {path.name for path in folder.glob("*.parquet")}
    if not manifest.exists() and not found:
        return
    try:
        about = read_json(manifest)
        listed = about.pop("sha256", None)
        about.pop("commit", None)  # stands in the manifest alone, so that no table depends on git
        if not isinstance(listed, dict):
            raise IntegrityError(Problem(manifest, "damaged"))
    except IntegrityError as error:
        report.problems += error.problems
        return
    for name in sorted(set(listed) | found):
        path = folder / name
        try:
            if name not in found:
                raise IntegrityError(Problem(path, "missing"))
            if name not in listed:
                raise IntegrityError(Problem(path, "foreign", f"{MANIFEST} does not list it"))
            attrs = load(path, listed=True).attrs
            if attrs != {"table": path.stem, **about}:
                raise IntegrityError(Problem(manifest, "damaged", f"it and {name} tell different stories"))
            report.right += 1
        except IntegrityError as error:
            report.problems += error.problems


def _check_figures(report: Report, folder: Path) -> None:
    """Every file that the manifest of the figures lists, by its SHA-256."""
    manifest = folder / fresh.FIGURES / MANIFEST
    if not manifest.exists():
        return
    try:
        about = read_json(manifest)
    except IntegrityError as error:
        report.problems += error.problems
        return
    if not all(isinstance(known, dict) and isinstance(known.get("sha256"), dict) for known in about.values()):
        report.problems.append(Problem(manifest, "damaged"))
        return
    for known in about.values():
        for name, digest in known["sha256"].items():
            try:
                if sha256((manifest.parent / name).read_bytes()) == digest:
                    report.right += 1
                else:
                    report.problems.append(Problem(manifest.parent / name, "damaged"))
            except FileNotFoundError:
                report.problems.append(Problem(manifest.parent / name, "missing"))


def _check_study(report: Report, folder: Path, file: studies.StudyFile) -> None:
    """Are the tables and figures those of this study file?"""
    try:
        late = fresh.tables(file, folder)
        report.problems += [problem for problem in late if problem not in report.problems]
        if not late and (folder / fresh.FIGURES / MANIFEST).exists():
            named = {problem.path.stem for problem in report.problems if problem.path.parent.name == fresh.FIGURES}
            for name in fresh.figures(file, folder, read_json(folder / MANIFEST)["sha256"]):
                if name not in named:
                    report.problems.append(Problem(folder / fresh.FIGURES / name, "out of date"))
    except IntegrityError:
        pass  # named before


def repair(
    file: studies.StudyFile, folder: Path, *, threads: int = 1, progress: Callable[[str], None] = print
) -> tuple[int, int]:
    """Make again the blocks of a study file that are damaged, missing or of other code: (made, moved aside).

    Files that do not belong there go to the folder `quarantine` of the results; leftovers of killed processes are removed. Make
    sure that no run is at work (`repair` on the command line does). Raises IntegrityError if something is still wrong.
    """
    found = verify(folder, file)
    expected = {manifest_path(folder, block): block for block in targets.found_blocks(file, folder)}
    suspect = {problem.path.parent for problem in found.problems if problem.kind == "duplicated"}  # cells
    wrong = list(_wrong(folder, expected, suspect))
    moved = _set_aside(found, folder, set(expected), suspect, progress)
    for path in found.unfinished:
        path.unlink(missing_ok=True)
    for block, problem in wrong:
        progress(f"{problem}; making it again")
        simulate(block, folder, threads=threads)
    for where, what, again in (
        (folder, "tables", stages.aggregate),
        (folder / fresh.FIGURES, "figures", partial(stages.draw, changed=True)),
    ):
        about = [problem for problem in found.problems if problem.path.parent == where]
        if about:
            progress(f"{about[0]}; making the {what} again")
            again(file, folder)
    return len(wrong), moved


def _wrong(folder: Path, expected: dict[Path, Block], suspect: set[Path]) -> Iterator[tuple[Block, Problem]]:
    """The blocks that are to be made again, and why. suspect: cells whose blocks contradict each other; which is right cannot be told."""
    for manifest, block in expected.items():
        if manifest.parent in suspect:
            yield block, Problem(manifest, "duplicated")
            continue
        try:
            read_block(folder, block)
        except IntegrityError as error:
            yield block, error.problems[0]


def _set_aside(
    found: Report, folder: Path, expected: set[Path], suspect: set[Path], progress: Callable[[str], None]
) -> int:
    """Move what does not belong among the shards to the quarantine; how many files that were."""
    named, moved = {problem.path for problem in found.problems}, 0
    for path in [*_files(folder / "shards")]:
        manifest = manifest_of(path)
        if manifest in expected:
            keep = path == manifest or path.suffix == ".parquet"
        else:
            keep = path in found.sound and manifest not in named and manifest.parent not in suspect
        if keep or path in found.unfinished:
            continue
        target = folder / QUARANTINE / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, target)
        moved += 1
        progress(f"{path}: moved to {target}")
    return moved


def reproduce(shard: Path, *, threads: int = 1, place: Place | None = None) -> list[Path]:
    """Make a block again from its own metadata alone, in memory, and compare: the files whose bytes are the same.

    shard: the manifest, or one of the tables that it lists. place: where its study lies, for points that come from there. Raises
    IntegrityError if a byte differs, or if other code made it.
    """
    manifest = manifest_of(shard)
    about, _ = read_shard(manifest)
    now = provenance.code_digest("simulate")
    if about["code"] != now:
        detail = f"{about['code']}, here {now}, which cannot be compared; {MANIFEST} of the results names the commit"
        raise IntegrityError(Problem(manifest, "made by other code", detail))
    block = Block.of_record(about)
    block = replace(block, cell=replace(block.cell, place=place or Place()))
    made = make_block(block, versions=about["versions"], threads=threads)
    different = [name for name, data in made.items() if manifest.with_name(name).read_bytes() != data]
    if different:
        here = {k: v for k, v in provenance.environment().items() if about["versions"].get(k) != v}
        hint = f"; here is {here}, it was made with {about['versions']}" if here else ""
        raise IntegrityError(
            Problem(manifest, "damaged", f"not reproduced: {', '.join(different)} came out different{hint}")
        )
    return [manifest.with_name(name) for name in made]
