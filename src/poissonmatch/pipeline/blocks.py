"""The blocks of a results folder: their names, writing them, and reading them with every check.

A results folder holds `blocks/<study>/<cell>/<first>-<end>.<table>.parquet`, with a manifest
`<first>-<end>.json` for each block that is written last: a block without its manifest was not
finished.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import studies
from ..sampling.cells import Block, Cell
from ..sampling.sources import StudyFolder
from ..statistics import completeness, observables
from ..tables.parquet import read
from ..tables.tables import BLOCK_TABLES, Impossible
from ..utils.errors import BadInput, IntegrityError, Problem
from ..utils.fingerprint import canonical
from ..utils.libraries import pd
from . import provenance
from .atomic_files import read_json, read_listed, write_atomically
from .make_block import BLOCK_FORMAT, block_file, make_block

Tables = dict[str, "pd.DataFrame"]  # by name
MANIFEST_PATH = re.compile(
    r"(?s:(?P<folder>.*))/blocks/(?P<study>[^/]+)/(?P<cell>[^/]+)/(?P<first>\d+)-(?P<end>\d+)\.json"
)
BLOCK = re.compile(r"(?P<first>\d+)-(?P<end>\d+)\.json")
TABLE = re.compile(rf"\d+-\d+\.({'|'.join(BLOCK_TABLES)})\.parquet")


def results_folder(study_file: str | Path, results: str | Path = "results") -> Path:
    """Return the results folder of a study file. Raises BadInput for a path that Snakemake would read as a pattern."""
    for path in (str(study_file), str(results)):
        if not path or not path.isprintable() or set(path) & set("{}"):
            raise BadInput(f"{path!r}: a path here must have no braces and no control characters, and not be empty")
    return Path(results) / Path(study_file).stem


def cell_folder(folder: Path, cell: Cell) -> Path:
    """Return the folder of the blocks of a cell in a results folder."""
    return folder / "blocks" / cell.study / cell.id


def manifest_path(folder: Path, block: Block) -> Path:
    """Return the manifest of a block in a results folder."""
    return cell_folder(folder, block.cell) / f"{block.name}.json"


def manifest_of(path: Path) -> Path:
    """Return the manifest of the block to which a file belongs by its name."""
    return path.with_name(path.name.split(".")[0] + ".json")


def find_block(file: studies.StudyFile, manifest: str | Path) -> tuple[Block, Path]:
    """Return the block with this manifest, and the results folder. Raises BadInput if the study file has no such block."""
    parts = MANIFEST_PATH.fullmatch(str(manifest))
    if not parts:
        raise BadInput(f"{manifest}: not the name of a block, <results>/blocks/<study>/<cell>/<first>-<end>.json")
    for cell in studies.cells(file):
        if (cell.study, cell.id) == (parts["study"], parts["cell"]):
            block = Block(cell, int(parts["first"]), int(parts["end"]))
            most = max(cell.replicates, cell.max_replicates)
            if 0 <= block.first < block.end <= most:
                return block, Path(parts["folder"])
            raise BadInput(f"{manifest}: replicates go from 0 to {most}")
    raise BadInput(f"{manifest}: the study file has no cell {parts['study']}/{parts['cell']}")


# ---- which are there, and which are to be made
# ----------------------------------------------------------


def tiling(cell: Cell, folder: Path) -> Iterator[Block]:
    """Yield the blocks of the replicates of a cell, in order: those on disk, and new ones for the replicates between them.

    The last one may hold further replicates if it is finished. `finished` says which are to be
    made.
    """
    end = cell.replicates
    there: dict[int, list[int]] = {}
    for name in _names(cell_folder(folder, cell)):
        if parts := BLOCK.fullmatch(name):
            there.setdefault(int(parts["first"]), []).append(int(parts["end"]))
    at = 0
    while at < end:
        found = [Block(cell, at, stop) for stop in sorted(there.get(at, ()), reverse=True) if stop > at]
        usable = [block for block in found if finished(block, folder)] or [b for b in found if b.end <= end]
        if usable:
            yield usable[0]
            at = usable[0].end
        else:
            stop = min((first for first in there if at < first < end), default=end)
            yield from cell.blocks(at, stop)
            at = stop


def finished(block: Block, folder: Path) -> bool:
    """Return whether a block was made by the installed code and its files exist; `read_block` checks their content.

    A block with a damaged manifest counts as finished, so that reading it reports the damage and
    nothing overwrites it.
    """
    manifest = manifest_path(folder, block)
    try:
        about = read_json(manifest)
    except IntegrityError as error:
        return error.problems[0].kind != "missing"
    if about.get("format") != BLOCK_FORMAT or about.get("code") != provenance.code_digest("simulate"):
        return False
    tables = observables.tables_of(block.cell.observables, block.first)
    return all((manifest.parent / block_file(block, table)).exists() for table in tables)


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []


# ---- writing
# -------------------------------------------------------------------------------------------


def simulate(block: Block, folder: Path, *, threads: int = 1, progress: Callable[[int], None] | None = None) -> Path:
    """Make the replicates of a block and write them; return the manifest.

    An old manifest is removed first and the new one written last, so that an interrupted block is
    unfinished.
    """
    manifest = manifest_path(folder, block)
    *tables, (_, listing) = make_block(block, threads=threads, progress=progress).items()
    manifest.unlink(missing_ok=True)
    for name, data in tables:
        write_atomically(manifest.with_name(name), data)
    write_atomically(manifest, listing)
    return manifest


# ---- reading
# -------------------------------------------------------------------------------------------


def read_manifest(manifest: Path) -> dict[str, Any]:
    """Return the manifest of a block. Raises IntegrityError if it is damaged, or of another block than its path says."""
    about = read_json(manifest)
    if about.get("format") != BLOCK_FORMAT:
        raise IntegrityError(Problem(manifest, "not ours", "not a block in the format of this version of poissonmatch"))
    try:
        block = Block.of_record(about)
        names = {block_file(block, table) for table in observables.tables_of(block.cell.observables, block.first)}
        listed = set(about["sha256"]) == names
        consistent = block.first < block.end and canonical(block.record) == canonical(
            {key: about[key] for key in block.record}
        )
        named = manifest_path(Path(), block)
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError):
        raise IntegrityError(Problem(manifest, "damaged", "it does not describe a block")) from None
    if not str(manifest.absolute()).endswith(f"/{named}"):
        raise IntegrityError(Problem(manifest, "not ours", f"it holds the block {named}"))
    if not consistent:
        raise IntegrityError(Problem(manifest, "damaged", "it does not describe a block"))
    if not listed:
        raise IntegrityError(Problem(manifest, "damaged", "it does not list the tables of its observables"))
    return about


def read_block_files(manifest: Path) -> tuple[dict[str, Any], Tables]:
    """Return the manifest of a block and its tables by name.

    Raises IntegrityError unless every byte is as it was written, the block is that of its path, and
    its rows are complete.
    """
    about = read_manifest(manifest)
    block = Block.of_record(about)
    found = {}
    for name, digest in about["sha256"].items():
        path = manifest.parent / name
        data = read_listed(manifest, name, digest)
        table = name.removesuffix(".parquet").rpartition(".")[2]
        found[table], metadata = read(BLOCK_TABLES[table], data, path)
        if metadata != {"table": table, **{k: v for k, v in about.items() if k != "sha256"}}:
            raise IntegrityError(Problem(manifest, "damaged", f"it and {name} have different metadata"))
    try:
        completeness.check(block.cell, block.replicates, found)
    except Impossible as wrong:
        path = manifest.with_name(block_file(block, wrong.table))
        raise IntegrityError(Problem(path, "impossible", wrong.words)) from None
    return about, found


def read_block(folder: Path, block: Block) -> tuple[dict[str, Any], Tables]:
    """Return read_block_files for a block of this cell made by the installed code, without replicates beyond those of the cell."""
    manifest = manifest_path(folder, block)
    about, found = read_block_files(manifest)
    demand_block(block, manifest, about)
    end = block.cell.replicates
    if end < block.end:
        found = {name: rows[rows["replicate"] < end] if "replicate" in rows else rows for name, rows in found.items()}
    return about, found


def read_blocks(folder: Path, found: Sequence[Block]) -> tuple[list[dict[str, Any]], Tables, list[Problem]]:
    """Read the blocks of one cell, in order: their manifests, their concatenated tables, and the problems of the others."""
    abouts: list[dict[str, Any]] = []
    parts: dict[str, list[pd.DataFrame]] = {}
    problems: list[Problem] = []
    for block in found:
        try:
            about, tables = read_block(folder, block)
        except IntegrityError as error:
            problems += error.problems
            continue
        abouts.append(about)
        for name, rows in tables.items():
            parts.setdefault(name, []).append(rows)
    return abouts, {name: pd.concat(frames, ignore_index=True) for name, frames in parts.items()}, problems


def demand_block(block: Block, manifest: Path, about: dict[str, Any]) -> None:
    """Raise IntegrityError for a manifest of another cell than this block, or made by other code than is installed."""
    if about["cell"] != json.loads(canonical(block.cell.record)):
        raise IntegrityError(Problem(manifest, "not ours", "made from other parameters than those of the study file"))
    digest = provenance.code_digest("simulate")
    if about["code"] != digest:
        detail = f"{about['code']}, now {digest}; simulate it again"
        raise IntegrityError(Problem(manifest, "made by other code", detail))


def reproduce(path: Path, *, threads: int = 1, place: StudyFolder | None = None) -> list[Path]:
    """Make a block again from its own metadata alone, in memory, and compare; return the files whose bytes are the same.

    path: the manifest, or one of the tables that it lists. place: the folder of its study file, for
    points from files. Raises IntegrityError if a byte differs, or if other code made it.
    """
    manifest = manifest_of(path)
    about, _ = read_block_files(manifest)
    now = provenance.code_digest("simulate")
    if about["code"] != now:
        detail = f"{about['code']}, here {now}, which cannot be compared"
        raise IntegrityError(Problem(manifest, "made by other code", detail))
    block = Block.of_record(about)
    block = replace(block, cell=replace(block.cell, place=place or StudyFolder()))
    made = make_block(block, versions=about["versions"], threads=threads)
    different = [name for name, data in made.items() if manifest.with_name(name).read_bytes() != data]
    if different:
        here = {k: v for k, v in provenance.environment().items() if about["versions"].get(k) != v}
        hint = f"; here is {here}, it was made with {about['versions']}" if here else ""
        raise IntegrityError(Problem(manifest, "damaged", f"not reproduced: {', '.join(different)} differ{hint}"))
    return [manifest.with_name(name) for name in made]
