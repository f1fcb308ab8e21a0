"""Whether tables and figures are those of the study file and the installed code, by their manifests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...utils import code_digests
from ...utils.display import counted
from ...utils.errors import IntegrityError, Problem, integrity_error
from ...utils.files import exists, read_regular
from ...utils.manifests import MANIFEST, canonical, fingerprint, read_json, sha256, wrong_files
from ..figures.kinds import CAPTION, KINDS
from ..study_files.schema import StudyFile
from . import STAMPS, STATE, provenance
from .json_files import Entry, FigureEntry, read_as

FIGURES = "figures"
REPORT = "report.html"
PAGES = "pages.json"  # the manifest of the report, or of another page
MAX_DIFFERENCES = 3  # differences in a message


def relevant(file: StudyFile) -> dict[str, Any]:
    """Return what the tables depend on apart from code: studies without the block size, seed and fitted studies."""
    facts = json.loads(canonical(file.model_dump(mode="json", by_alias=True, include={"seed", "studies", "laws"})))
    for study in facts["studies"].values():
        study.pop("block")
        if study["tiles"] is not None:
            study["tiles"] = 1  # how many changes nothing
    return facts


def code() -> dict[str, str]:
    """Return the digests of the code that the tables depend on."""
    return {stage: code_digests.of_stage(stage) for stage in ("simulate", "aggregate")}


def tables_digest(file: StudyFile) -> str:
    """Return the digest of what the tables depend on: settings and code."""
    return fingerprint([relevant(file), code(), file.tables], 16)


def figure_digest(file: StudyFile, name: str, digest: str) -> str:
    """Return the digest of what a figure depends on. digest: that of the tables."""
    return fingerprint(figure_facts(file, name, {f"{table}.parquet": digest for table in file.tables}), 16)


def forget_stamps(folder: Path, stage: str, digest: str) -> None:
    """Remove the stamps of a stage with another digest, when its files begin to change."""
    for stamp in (folder / STATE / STAMPS).glob(f"{stage}-*"):
        named, _, other = stamp.name.rpartition("-")
        if named == stage and other != digest:  # the name of a figure may begin with that of another
            stamp.unlink(missing_ok=True)


def tables(file: StudyFile, folder: Path) -> list[Problem]:
    """Return what is missing of the tables of this study file and code, or out of date, as problems.

    Raises IntegrityError if a table or the manifest is damaged.
    """
    manifest = folder / MANIFEST
    try:
        about = read_json(manifest)
    except IntegrityError as error:
        if error.problems[0].kind == "missing":
            return list(error.problems)
        raise
    made = about.get("study")
    old = {"code": about.get("code"), **(made if isinstance(made, dict) else {})}
    differences = [*_differences(old, {"code": code(), **relevant(file)})]
    if differences:
        more = [f"and {len(differences) - MAX_DIFFERENCES} more"] if len(differences) > MAX_DIFFERENCES else []
        return [Problem(manifest, "out of date", "; ".join([*differences[:MAX_DIFFERENCES], *more]))]
    listed = about.get("sha256")
    if not isinstance(listed, dict) or set(listed) != {f"{name}.parquet" for name in file.tables}:
        raise integrity_error(manifest, "damaged", "it does not list exactly the expected files")
    problems = wrong_files(manifest, listed)
    if wrong := [problem for problem in problems if problem.kind != "missing"]:
        raise IntegrityError(*wrong)
    return problems


def _differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Yield the differences of two values of dicts, lists and numbers: `studies.a.replicates: 4, now 8`."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _differences(old.get(key), new.get(key), f"{path}.{key}" if path else str(key))
    elif canonical(old) != canonical(new):
        yield f"{path}: {_short(old)}, now {_short(new)}"


def _short(value: Any) -> str:
    text = "none" if value is None else value if isinstance(value, str) else canonical(value)
    return text if len(text) <= 40 else f"{text[:18]} ... {text[-18:]}"


def tables_drawn(file: StudyFile, figure: str) -> list[str]:
    """Return the names of the tables that a figure of a study file is drawn from."""
    return [table for table in KINDS[file.figures[figure].kind].tables if table in file.tables]


def figure_facts(file: StudyFile, name: str, listed: dict[str, str]) -> dict[str, str]:
    """Return what the files of a figure depend on: its entry, the files that it names, its table and the code.

    listed: the SHA-256 of the tables by name.
    """
    spec = file.figures[name]
    files = [Path(path) for path in (spec.style, spec.octaves) if path]
    return {
        "entry": canonical(spec.model_dump(mode="json", exclude={"style", "octaves"})),
        "styles": fingerprint([_digest(path) for path in files], length=16),
        "table": ", ".join(listed[f"{table}.parquet"] for table in tables_drawn(file, name)),
        "code": code_digests.of_stage("draw"),
        "matplotlib": provenance.package_version("matplotlib"),
    }


def _digest(path: Path) -> str:
    try:
        return sha256(read_regular(path))
    except OSError:
        return "none"


def figure_files(file: StudyFile, name: str) -> set[str]:
    """Return the names of the files of a figure."""
    return {name + suffix for suffix in (*(f".{format}" for format in file.figures[name].format), CAPTION)}


def figure_manifest(folder: Path, name: str) -> Path:
    """Return the manifest of a figure in a results folder: facts, caption, width, and SHA-256 of its files."""
    return folder / FIGURES / f"{name}.json"


def entry(manifest: Path) -> Any:
    """Return the manifest of a figure or page. Raises IntegrityError unless it is one."""
    return read_as(manifest, Entry if manifest.name == PAGES else FigureEntry)


def read_entry(manifest: Path) -> Any:
    """Return the manifest of a figure or page, None if there is none in the right form."""
    try:
        return entry(manifest)
    except IntegrityError:
        return None


def figures(file: StudyFile, folder: Path, listed: dict[str, str]) -> dict[str, str]:
    """Return the figures to draw, each with the reason: new, of another entry, table or code, or with changed files."""
    return {
        name: why
        for name in file.figures
        if (why := _reason(figure_manifest(folder, name), figure_facts(file, name, listed), figure_files(file, name)))
    }


def unlisted(file: StudyFile, folder: Path) -> Iterator[Path]:
    """Yield the files that have the name of a figure or of the report, and that its manifest does not list."""
    made = {figure_manifest(folder, name): figure_files(file, name) for name in file.figures}
    for manifest, names in (made | {folder / PAGES: {REPORT}}).items():
        listed = (read_entry(manifest) or {"sha256": {}})["sha256"]
        yield from (path for name in names - listed.keys() if exists(path := manifest.parent / name))


def _reason(manifest: Path, facts: dict[str, str], files: set[str]) -> str:
    """Return why the files of a manifest, a figure or page, are to be made, "" if they are right."""
    known = read_entry(manifest)
    if known is None:
        return "new"
    if differences := [key for key in facts if known["facts"].get(key) != facts[key]]:
        return f"other {', '.join(differences)}"
    if set(known["sha256"]) != files:
        return "other formats"
    return next((f"{problem.path.name} is {problem.kind}" for problem in wrong_files(manifest, known["sha256"])), "")


def unmade(file: StudyFile, folder: Path) -> list[str]:
    """Return in words which tables, figures and report of a study file do not exist; files that exist are not read."""
    tables = any(not exists(folder / name) for name in (MANIFEST, *(f"{table}.parquet" for table in file.tables)))
    figures = sum(
        any(not exists(folder / FIGURES / path) for path in figure_files(file, name)) for name in file.figures
    )
    report = not exists(folder / REPORT)
    return ["tables"] * tables + [counted({"figures": figures})] * bool(figures) + ["report"] * report


def report_facts(file: StudyFile, folder: Path, listed: dict[str, str]) -> dict[str, str]:
    """Return what the report depends on: the study file, and a digest of tables, figures and code."""
    shown = []
    for name in file.figures:
        figure = read_entry(figure_manifest(folder, name)) or {}
        shown.append([name, figure.get("sha256"), figure.get("caption")])
    left_out: Any = {"figures": True, "studies": {"__all__": {"block"}}}  # the lengths of blocks change no result
    study = file.model_dump(mode="json", by_alias=True, exclude=left_out)
    return {
        "study": fingerprint(study, length=16),
        "results": fingerprint([listed, shown], length=16),
        "code": code_digests.of_stage("summarize"),
    }


def report(file: StudyFile, folder: Path, listed: dict[str, str]) -> str:
    """Return why the report is to be made, "" if it is right."""
    return _reason(folder / PAGES, report_facts(file, folder, listed), {REPORT})
