"""Consistency of the tables of a results folder with the study in their metadata and with the blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .. import studies
from ..sampling.cells import Cell
from ..statistics import completeness
from ..tables import invariants
from ..tables.estimate_tables import LAW_TABLE, TABLES
from ..tables.tables import BLOCK_TABLES, Impossible
from ..utils.errors import IntegrityError
from . import provenance
from .batch_files import BLOCKS, Tables
from .results import Results

ESTIMATE_ROUNDING = 1e-9  # relative, of an estimate that is computed again, perhaps on another machine
LAW_ROUNDING = 1e-4  # the same, of what is fitted by iterations


def check(tables: Tables, about: Mapping[str, Any]) -> None:
    """Raise Impossible unless tables, one or several, hold all replicates of the cells of their study. about: their metadata."""
    for cell, rows in _by_cell(tables, _cells(tables, about) or []):
        completeness.check(cell, range(cell.replicates), {n: invariants.columns_of(frame) for n, frame in rows.items()})


def compare_with_blocks(tables: Tables, about: Mapping[str, Any], results: Results) -> None:
    """Raise Impossible unless the tables hold the rows of the blocks of a results folder.

    Cells with a missing or damaged block are left out.
    """
    for cell, rows in _by_cell(tables, _cells(tables, about) or []):
        try:
            made = results.read_cell(results.pieces(cell))
        except (IntegrityError, KeyError):
            continue
        for name, stored in rows.items():
            frame = made[name].to_pandas() if name in made else stored[:0]
            invariants.compare(BLOCK_TABLES[name], stored, frame, f"the blocks in {results.folder / BLOCKS}")


def compare_estimates(tables: Tables, about: Mapping[str, Any]) -> None:
    """Raise Impossible unless estimates and laws follow from the other tables; not checked if other code made them."""
    code = about.get("code")
    if isinstance(code, dict) and code.get("aggregate") == provenance.code_digest("aggregate"):
        from ..statistics import estimates  # here, because a job that simulates would wait for it

        file = _file(about)
        blocks = {name: tables[name] for name in file.block_tables}
        for name, made in estimates.derive(blocks, file.laws, file.estimated).items():
            made = made.sort_values(TABLES[name].keys, kind="stable", ignore_index=True)
            rounding = LAW_ROUNDING if name == LAW_TABLE.name else ESTIMATE_ROUNDING
            invariants.compare(TABLES[name], tables[name], made, "the other tables", rounding)


def _file(about: Mapping[str, Any]) -> studies.StudyFile:
    """Return the study in the metadata of tables; points and functions from elsewhere are taken as recorded, and not loaded."""
    return studies.StudyFile.model_validate(about["study"], context={studies.AS_GIVEN: True})


def _cells(tables: Tables, about: Mapping[str, Any]) -> list[Cell] | None:
    """Return the cells of the study in the metadata of the tables, with the replicates that the tables have, within its bounds.

    None if other code wrote them and the metadata cannot be read.
    """
    try:
        file = _file(about)
        cells = studies.cells(file)
        right = file.seed == about["seed"] and Counter(c.fingerprint for c in cells) == Counter(about["cells"])
    except (KeyError, TypeError, ValueError, ArithmeticError):
        right = False
    code = about.get("code")
    if not right and isinstance(code, dict) and code.get("aggregate") != provenance.code_digest("aggregate"):
        return None
    if not right:
        name = next(iter(tables))
        raise Impossible(name, f"table {name}: its metadata do not say of which study it is")
    counts: Counter[Any] = Counter()
    for rows in tables.values():
        if "replicate" in rows:
            last = rows.groupby(["study", "cell"], sort=False, observed=True)["replicate"].max()
            counts |= Counter((last + 1).to_dict())
    return [
        replace(cell, replicates=max(cell.replicates, min(counts[cell.study, cell.id], cell.max_replicates)))
        for cell in cells
    ]


def _by_cell(tables: Tables, cells: list[Cell]) -> Iterator[tuple[Cell, Tables]]:
    """Yield each cell with its rows of the tables of replicates."""
    parts = {
        name: dict(tuple(tables[name].groupby(["study", "cell"], sort=False)))
        for name in BLOCK_TABLES
        if name in tables
    }
    known = {(cell.study, cell.id) for cell in cells}
    for name, found in parts.items():
        if cells and (others := [key for key in found if key not in known]):
            raise Impossible(
                name, f"table {name} has the cell {'/'.join(map(str, others[0]))}; expected: one of its study"
            )
    for cell in cells:
        yield cell, {name: found.get((cell.study, cell.id), tables[name][:0]) for name, found in parts.items()}
