"""The blocks of a results folder: their names, writing them, and reading them with every check.

A results folder holds `shards/<study>/<cell>/<first>-<end>.<table>.parquet`, with a manifest `<first>-<end>.json` for each
block that is written last: a block without its manifest was not finished.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from .. import studies
from ..cells import Block, canonical
from ..errors import BadInput, IntegrityError, Problem
from ..statistics import complete, observables
from ..statistics.cellrows import cell_columns
from ..statistics.invariants import Impossible
from ..statistics.rows import Frames, Rows
from ..statistics.tables import SHARD_TABLES, decode, encode, read
from . import provenance
from .files import read_json, sha256, to_json, write_atomically
from .make_block import SHARD_FORMAT, make_block, shard_file

MANIFEST_PATH = re.compile(r"(?P<folder>.*)/shards/(?P<study>[^/]+)/(?P<cell>[^/]+)/(?P<first>\d+)-(?P<end>\d+)\.json")
TABLE = re.compile(rf"\d+-\d+\.({'|'.join(SHARD_TABLES)})\.parquet")


def results_folder(study_file: str | Path, results: str | Path = "results") -> Path:
    """Where the results of a study file go. Raises BadInput for a path that Snakemake would read as a pattern."""
    for path in (str(study_file), str(results)):
        if not path or not path.isprintable() or set(path) & set("{}"):
            raise BadInput(f"{path!r}: a path here must have no braces and no control characters, and not be empty")
    return Path(results) / Path(study_file).stem


def manifest_path(folder: Path, block: Block) -> Path:
    """The manifest of a block in a results folder."""
    return folder / "shards" / block.cell.study / block.cell.id / f"{block.name}.json"


def manifest_of(path: Path) -> Path:
    """The manifest of the block to which a file among the shards belongs by its name."""
    return path.with_name(path.name.split(".")[0] + ".json")


def find_block(file: studies.StudyFile, manifest: str | Path) -> tuple[Block, Path]:
    """The block with this manifest, and the results folder. Raises BadInput if the study file has none such."""
    parts = MANIFEST_PATH.fullmatch(str(manifest))
    if not parts:
        raise BadInput(f"{manifest}: not the name of a block, <results>/shards/<study>/<cell>/<first>-<end>.json")
    for cell in studies.cells(file):
        if (cell.study, cell.id) == (parts["study"], parts["cell"]):
            block = Block(cell, int(parts["first"]), int(parts["end"]))
            most = max(cell.replicates, cell.max_replicates)
            if 0 <= block.first < block.end <= most:
                return block, Path(parts["folder"])
            raise BadInput(f"{manifest}: replicates go from 0 to {most}")
    raise BadInput(f"{manifest}: the study file has no cell {parts['study']}/{parts['cell']}")


# ---- writing -------------------------------------------------------------------------------------------


def simulate(block: Block, folder: Path, *, threads: int = 1, progress: Callable[[int], None] | None = None) -> Path:
    """Make the replicates of a block and write them; returns the manifest.

    The manifest goes first if there is one, and comes last: a block is unfinished in between, never half old and half new.
    """
    manifest = manifest_path(folder, block)
    *shards, (_, listing) = make_block(block, threads=threads, progress=progress).items()
    manifest.unlink(missing_ok=True)
    for name, data in shards:
        write_atomically(manifest.with_name(name), data)
    write_atomically(manifest, listing)
    return manifest


def take_up(block: Block, folder: Path) -> bool:
    """Is this block finished already, but for its manifest? Then write that again: True. False: simulate it.

    Snakemake removes the manifests of a job that it starts anew, and so of all blocks of a group that was killed. The tables
    that are left must be those of this very block and code, and be what encoding their rows gives, byte for byte.
    """
    manifest = manifest_path(folder, block)
    listed: dict[str, str] = {}
    about: dict[str, Any] = {}
    for name, table in SHARD_TABLES.items():
        path = manifest.with_name(shard_file(block, name))
        try:
            data = path.read_bytes()
            frame, metadata = decode(table, data, path)
        except FileNotFoundError:
            continue
        except (IntegrityError, OSError):
            return False
        about = {key: value for key, value in metadata.items() if key != "table"}
        if encode(table, frame, about) != data:
            return False
        listed[path.name] = sha256(data)
    if not listed:
        return False
    write_atomically(manifest, to_json({**about, "sha256": listed}))
    try:
        read_block(folder, block)
    except IntegrityError:
        manifest.unlink()
        return False
    return True


# ---- reading -------------------------------------------------------------------------------------------


def read_manifest(manifest: Path) -> dict[str, Any]:
    """The manifest of a block. Raises IntegrityError if it is damaged, or belongs to another block than its path says."""
    about = read_json(manifest)
    if about.get("format") != SHARD_FORMAT:
        raise IntegrityError(Problem(manifest, "foreign", "not a block in the format of this version of poissonmatch"))
    try:
        block = Block.of_record(about)
        names = {shard_file(block, table) for table in observables.tables_of(block.cell.observables, block.first)}
        listed = set(about["sha256"]) == names
        told = (
            canonical(block.record) == canonical({key: about[key] for key in block.record}) and block.first < block.end
        )
        named = manifest_path(Path(), block)
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError):
        raise IntegrityError(Problem(manifest, "damaged")) from None
    if not str(manifest.absolute()).endswith(f"/{named}"):
        raise IntegrityError(Problem(manifest, "foreign", f"it holds the block {named}"))
    if not told:
        raise IntegrityError(Problem(manifest, "damaged", "it does not tell of a block"))
    if not listed:
        raise IntegrityError(Problem(manifest, "damaged", "it does not list the tables of its observables"))
    return about


def read_shard(manifest: Path) -> tuple[dict[str, Any], Mapping[str, pd.DataFrame]]:
    """The manifest of a block and its tables by name.

    Raises IntegrityError unless every byte is as it was written, the block is the one that its path names, and its rows are
    all those of the block, and such as a run can have made.
    """
    about, found = read_rows(manifest)
    return about, Frames(found)


def read_rows(manifest: Path) -> tuple[dict[str, Any], dict[str, Rows]]:
    """read_shard, for what needs no frames."""
    about = read_manifest(manifest)
    block = Block.of_record(about)
    fixed = cell_columns(block.cell)
    found: dict[str, Rows] = {}
    for name, digest in about["sha256"].items():
        path = manifest.parent / name
        try:
            data = path.read_bytes()
        except (FileNotFoundError, IsADirectoryError):
            raise IntegrityError(Problem(path, "missing")) from None
        if sha256(data) != digest:
            detail = f"not the file that {manifest.name} lists (its SHA-256 differs)"
            raise IntegrityError(Problem(path, "damaged", detail))
        table = name.removesuffix(".parquet").rpartition(".")[2]
        found[table] = read(SHARD_TABLES[table], data, path, fixed)
        if found[table].metadata != {"table": table, **{k: v for k, v in about.items() if k != "sha256"}}:
            raise IntegrityError(Problem(manifest, "damaged", f"it and {name} tell different stories"))
    try:
        complete.rows_of(block.cell, block.replicates, found)
    except Impossible as wrong:
        path = manifest.with_name(shard_file(block, wrong.table))
        raise IntegrityError(Problem(path, "impossible", wrong.words)) from None
    return about, found


def read_block(folder: Path, block: Block) -> tuple[dict[str, Any], Mapping[str, pd.DataFrame]]:
    """read_shard for a block; it must be of this very cell, and made by the code that is installed."""
    manifest = manifest_path(folder, block)
    about, found = read_shard(manifest)
    demand_block(block, manifest, about)
    return about, found


def demand_block(block: Block, manifest: Path, about: Mapping[str, Any]) -> None:
    """Raises IntegrityError for a manifest that is of another cell than this block, or made by other code than is installed."""
    if about["cell"] != json.loads(canonical(block.cell.record)):
        raise IntegrityError(Problem(manifest, "foreign", "made from other parameters than those of the study file"))
    digest = provenance.code_digest("simulate")
    if about["code"] != digest:
        detail = f"{about['code']}, now {digest}; simulate it again"
        raise IntegrityError(Problem(manifest, "made by other code", detail))
