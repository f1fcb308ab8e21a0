"""The report of a finished study, as an HTML page, from the tables and figures of the study file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ...utils.atomic_writer import write_atomically
from ...utils.errors import IntegrityError, Problem
from ...utils.libraries import pd
from ...utils.manifests import MANIFEST, read_json, read_result, sha256, to_json
from .. import study_files
from ..figures.figure_text import dim_name
from ..figures.text_format import number, plain
from ..results import provenance, up_to_date
from ..results.json_files import TablesManifest, read_as
from ..results.load import rows_of
from ..run.stages import rendered, tables_of
from ..statistics.observables import quantities
from ..study_files import parameter_grid
from ..study_files.window_checks import window_text
from ..tables.estimate_tables import ESTIMATES, TRANSITIONS
from ..tables.tables import REPLICATES
from . import main_results, pages
from .caveats import caveats, cutoffs

LISTED = 6  # values of a list that are written out
PICTURES = (".svg", ".png")  # of which the page needs one
TABLES = (TRANSITIONS, ESTIMATES, REPLICATES)  # that the page shows


def report(study_file: Path, file: study_files.StudyFile, folder: Path) -> Path:
    """Write one page with the figures, numbers and provenance of a finished study, and return its path.

    The page needs no network. Raises IntegrityError if a table or figure is not that of the file.
    """
    listed = tables_of(file, folder, {f"{table.name}.parquet" for table in TABLES})
    if outdated := up_to_date.figures(file, folder, listed):
        raise IntegrityError(*(Problem(folder / up_to_date.FIGURES / name, "out of date") for name in outdated))
    facts = up_to_date.report_facts(file, folder, listed)
    data = pages.page(_contents(study_file, file, folder)).encode()
    return write_page(folder, up_to_date.REPORT, {up_to_date.REPORT: data}, facts)


def write_page(folder: Path, name: str, files: dict[str, bytes], facts: dict[str, str]) -> Path:
    """Write the files of a page and a manifest with what it was made from, and return the path of the page."""
    entry = {"facts": facts, "sha256": {file: sha256(data) for file, data in files.items()}}
    write_atomically(folder / up_to_date.PAGES, to_json(entry))  # first; see up_to_date.unlisted
    for file, data in files.items():
        write_atomically(folder / file, data)
    return folder / name


def _contents(study_file: Path, file: study_files.StudyFile, folder: Path) -> dict[str, Any]:
    """Return what the page shows, by the names in its template."""
    transitions, estimates, replicates = (rows_of(folder / f"{table.name}.parquet")[0] for table in TABLES)
    order = {name: position for position, name in enumerate(file.studies)}
    transitions, estimates = (
        rows.sort_values("study", key=lambda names: names.map(order), kind="stable")  # as in the file
        for rows in (transitions, estimates)
    )
    transitions, estimates, replicates = map(_with_rules, (transitions, estimates, replicates))
    return {
        "study": study_file.name,
        "name": study_file.stem,
        "text": study_file.read_text(encoding="utf-8"),
        "asked": [*_asked(file)],
        "cells": sum(map(parameter_grid.count, file.studies.values())),
        "figures": [*_figures(file, folder)],
        "caveats": caveats(file, estimates, replicates),
        "cutoffs": cutoffs(estimates),
        "sentences": main_results.sentences(transitions, estimates),
        "results": main_results.tables(transitions),
        "about": read_as(folder / MANIFEST, TablesManifest),
        "version": provenance.package_version("poissonmatch"),
        **numbers(estimates),
    }


def _with_rules(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with the rule beside the name of a study that has several rules."""
    several = rows.groupby("study")["rule"].transform("nunique") > 1
    return rows.assign(study=rows["study"].where(~several, rows["study"] + " (" + rows["rule"] + ")"))


def numbers(estimates: pd.DataFrame) -> dict[str, Any]:
    """Return the tables of single numbers, not curves, and what explains them, by the names in the template."""
    rows = main_results.single_numbers(estimates)
    known = quantities()
    tables = pages.tables(rows)
    return {
        "tables": [*pages.narrow(tables)],
        "two_volumes": pages.differs_by_volume(rows),
        "quantities": {name: plain(known[name].meaning) for name in known if name in set(rows["quantity"])},
    }


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
    """Yield the parameters of each study of a file as text."""
    for name, study in file.studies.items():
        settings = {key: value for key, value in study.process.spec.items() if key != "name" and value is not None}
        target = study.target_rel_se
        yield {
            "name": name,
            "rule": ", ".join(one.rule for one in study.by_rule),
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
    pairs = study.by_rule[0].intensity_pairs
    if len({pair[0] for pair in pairs}) == 1 and {*map(len, pairs)} == {2}:
        return f"{pairs[0][0]:g} and {_listed([f'{pair[1]:g}' for pair in pairs])}"
    return _listed([" and ".join(f"{i:g}" for i in pair) for pair in pairs], "; ")


def _listed(values: list[str], between: str = ", ") -> str:
    """Return values as text: all of a few, or the first and the last of many."""
    return between.join(values) if len(values) <= LISTED else f"{values[0]} to {values[-1]} ({len(values)} values)"
