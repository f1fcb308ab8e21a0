"""The report of a finished study, as an HTML page, from the tables and figures of the study file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ...utils.atomic_writer import write_atomically
from ...utils.errors import IntegrityError, Problem
from ...utils.manifests import MANIFEST, read_json, read_result, sha256, to_json
from .. import study_files
from ..figures.figure_text import dim_name
from ..figures.text_format import number, plain
from ..results import provenance, up_to_date
from ..results.load import rows_of
from ..run.stages import rendered, tables_of
from ..run.sweep import as_yaml
from ..statistics.observables import quantities
from ..study_files import parameter_grid
from ..study_files.window_checks import window_text
from ..tables.estimate_tables import ESTIMATES, TRANSITIONS
from ..tables.tables import REPLICATES
from . import pages
from .caveats import caveats, cutoffs
from .summary import results

REPEATED = "unmatched_density"  # the unmatched fraction times the intensity
LISTED = 6  # values of a list that are written out
PICTURES = (".svg", ".png")  # of which the page needs one


def report(study_file: str, file: study_files.StudyFile, folder: Path) -> Path:
    """Write one page with the figures, numbers and provenance of a finished study, which needs no network; return its path.

    Raises IntegrityError if a table or figure is not that of the file.
    """
    facts = up_to_date.report_facts(file, folder, _right(file, folder))
    data = pages.page(_gathered(study_file, file, folder)).encode()
    return write_page(folder, up_to_date.REPORT, {up_to_date.REPORT: data}, facts)


def write_page(folder: Path, name: str, files: dict[str, bytes], facts: dict[str, str]) -> Path:
    """Write the files of a page, and a manifest that lists them and what it was made from; return the path of the page."""
    entry = {"facts": facts, "sha256": {file: sha256(data) for file, data in files.items()}}
    write_atomically(folder / up_to_date.PAGES, to_json(entry))  # first; see up_to_date.others
    for file, data in files.items():
        write_atomically(folder / file, data)
    return folder / name


def _right(file: study_files.StudyFile, folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the tables.

    Raises IntegrityError if a table or a figure is not that of the study file.
    """
    listed = tables_of(file, folder, {f"{table.name}.parquet" for table in (TRANSITIONS, ESTIMATES, REPLICATES)})
    if late := up_to_date.figures(file, folder, listed):
        raise IntegrityError(*(Problem(folder / up_to_date.FIGURES / name, "out of date") for name in late))
    return listed


def _gathered(study_file: str, file: study_files.StudyFile, folder: Path) -> pages.Report:
    transitions, estimates, replicates = (
        rows_of(folder / f"{table.name}.parquet")[0] for table in (TRANSITIONS, ESTIMATES, REPLICATES)
    )
    places = {name: place for place, name in enumerate(file.studies)}
    transitions, estimates = (
        rows.sort_values("study", key=lambda names: names.map(places), kind="stable")  # as in the file
        for rows in (transitions, estimates)
    )
    return pages.Report(
        study=study_file,
        text=_text(file),
        asked=[*_asked(file)],
        figures=[*_figures(file, folder)],
        estimates=estimates,
        numbers=[q.name for q in quantities().values() if not q.curve and q.name != REPEATED],
        caveats=caveats(file, estimates, replicates),
        cutoffs=cutoffs(estimates),
        results=results(transitions),
        about=read_json(folder / MANIFEST),
        version=provenance.package_version("poissonmatch"),
        meanings={q.name: q.meaning for q in quantities().values()},
    )


def _figures(file: study_files.StudyFile, folder: Path) -> Iterator[pages.ReportFigure]:
    """Return the figures as pictures; figures requested in other formats only are drawn for the report."""
    tables = cache(lambda table: rows_of(folder / f"{table}.parquet")[0])
    for name, spec in file.figures.items():
        suffix = next((s for s in PICTURES if s[1:] in spec.format), None)
        if suffix:
            files = {suffix: read_result(folder / up_to_date.FIGURES / f"{name}{suffix}")}
        else:
            files = rendered(file, name, tables, ["png"]).files
        figure = read_json(up_to_date.figure_manifest(folder, name))
        yield pages.ReportFigure(name, files, figure["caption"], figure["width"])


def _asked(file: study_files.StudyFile) -> Iterator[dict[str, str]]:
    """Return the parameters of the studies of a file as text."""
    for name, study in file.studies.items():
        settings = {key: value for key, value in study.process.spec.items() if key != "name" and value is not None}
        target = study.target_rel_se
        yield {
            "name": name,
            "rule": study.rule,
            "process": study.process.name + (f" ({_words(settings)})" if settings else ""),
            "dims": _listed([plain(dim_name(float(dim))).removeprefix("d = ") for dim in study.dims]),
            "sizes": window_text(study) or _listed([number(size) for size in study.sizes or []]),
            "intensities": _intensities(study),
            "replicates": f"{study.replicates}"
            + (f" to {study.max_replicates}, for a relative error of {target:g}" if target else ""),
        }


def _words(settings: dict[str, Any]) -> str:
    return ", ".join(f"{name} {_word(value)}" for name, value in settings.items())


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_word, value))})"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _intensities(study: Any) -> str:
    pairs = parameter_grid.intensity_pairs(study)
    if len({pair[0] for pair in pairs}) == 1 and {*map(len, pairs)} == {2}:
        return f"{pairs[0][0]:g} and {_listed([f'{pair[1]:g}' for pair in pairs])}"
    return _listed([" and ".join(f"{i:g}" for i in pair) for pair in pairs], "; ")


def _text(file: study_files.StudyFile) -> str:
    """Return the text of the study file, with paths of style files and of octaves relative to it."""
    text = as_yaml(file, Path(file.place.folder))
    for path in {path for spec in file.figures.values() for path in (spec.style, spec.octaves) if path}:
        text = text.replace(path, Path(path).name)
    return text


def _listed(values: list[str], between: str = ", ") -> str:
    """Return values as text: all of a few, or the first and the last of many."""
    return between.join(values) if len(values) <= LISTED else f"{values[0]} to {values[-1]} ({len(values)} values)"
