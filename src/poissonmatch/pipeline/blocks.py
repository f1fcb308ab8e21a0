"""The blocks of a results folder: their names, and reading them with every check.

A results folder holds `shards/<study>/<cell>/<first>-<end>.<table>.parquet`, with a manifest `<first>-<end>.json` for each
block that is written last: a block without its manifest was not finished.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd

from ..statistics import tables
from ..statistics.tables import TABLES, IntegrityError, sha256
from ..studies import schema as studies
from ..studies.yamlfile import BadInput
from . import provenance

SHARD_TABLES = ("replicates", "distances", "realisations", "frogs")
SHARD_FORMAT = 2  # raised when a block is written in another way
TABLE_NAMES = (*SHARD_TABLES, "estimates")


def results_folder(study: str | Path, results: str | Path = "results") -> Path:
    """Where the results of a study file go. Raises BadInput for a path that Snakemake would read as a pattern."""
    for path in (str(study), str(results)):
        if not path or not path.isprintable() or set(path) & set("{}"):
            raise BadInput(f"{path!r}: a path here must have no braces and no control characters, and not be empty")
    return Path(results) / Path(study).stem


def shard_name(cell: studies.Cell, first: int, end: int) -> str:
    """Path of a block's manifest below the results folder."""
    return f"shards/{cell.study}/{cell.id}/{first:06d}-{end:06d}.json"


SHARD = re.compile(r"(?P<folder>.*)/shards/(?P<study>[^/]+)/(?P<cell>[^/]+)/(?P<first>\d+)-(?P<end>\d+)\.json")


def find_block(file: studies.StudyFile, manifest: str | Path) -> tuple[studies.Cell, int, int, Path]:
    """(cell, first, end, results folder) of the block with this manifest. Raises BadInput if the study file has none such."""
    parts = SHARD.fullmatch(str(manifest))
    if not parts:
        raise BadInput(f"{manifest}: not the name of a block, <results>/shards/<study>/<cell>/<first>-<end>.json")
    first, end = int(parts["first"]), int(parts["end"])
    for cell in studies.cells(file):
        if (cell.study, cell.id) == (parts["study"], parts["cell"]):
            most = max(cell.replicates, cell.max_replicates)
            if 0 <= first < end <= most:
                return cell, first, end, Path(parts["folder"])
            raise BadInput(f"{manifest}: replicates go from 0 to {most}")
    raise BadInput(f"{manifest}: the study file has no cell {parts['study']}/{parts['cell']}")


def to_json(value: Any) -> bytes:
    """How manifests are written."""
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def read_shard(manifest: Path) -> tuple[dict[str, Any], dict[str, pd.DataFrame]]:
    """The manifest of a block and its tables by name.

    Raises IntegrityError unless every byte is as it was written, and the block is the one that its path names.
    """
    about = read_manifest(manifest)
    found = {}
    for name, digest in about["sha256"].items():
        path = manifest.parent / name
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise IntegrityError(f"{path}: missing") from None
        if sha256(data) != digest:
            raise IntegrityError(f"{path}: damaged: not the file that {manifest.name} lists (its SHA-256 differs)")
        table = name.removesuffix(".parquet").rpartition(".")[2]
        found[table], metadata = tables.decode(TABLES[table], data, path)
        if metadata != {"table": table, **{k: v for k, v in about.items() if k != "sha256"}}:
            raise IntegrityError(f"{manifest}: damaged: it and {name} tell different stories")
    return about, found


def read_manifest(manifest: Path) -> dict[str, Any]:
    """The manifest of a block. Raises IntegrityError if it is damaged, or belongs to another block than its path says."""
    try:
        data = manifest.read_bytes()
    except FileNotFoundError:
        raise IntegrityError(f"{manifest}: missing") from None
    try:
        about = json.loads(data)
        if not isinstance(about, dict) or to_json(about) != data:
            raise ValueError
    except (ValueError, RecursionError):
        raise IntegrityError(f"{manifest}: damaged") from None
    if about.get("format") != SHARD_FORMAT:
        raise IntegrityError(f"{manifest}: not a block in the format of this version of poissonmatch")
    try:
        cell, first, end = studies.Cell.of_record(about["cell"]), about["first"], about["end"]
        tables_of = {"replicates"} | {studies.TABLE_OF[observable] for observable in cell.observables}
        tables_of -= {"realisations"} if first > 0 else set()
        names = {f"{first:06d}-{end:06d}.{table}.parquet" for table in tables_of}
        complete = set(about["sha256"]) == names
        named = shard_name(cell, first, end)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise IntegrityError(f"{manifest}: damaged") from None
    if not str(manifest.absolute()).endswith(f"/{named}"):
        raise IntegrityError(f"{manifest}: foreign: it holds the block {named}")
    if not complete:
        raise IntegrityError(f"{manifest}: damaged: it does not list the tables of its observables")
    return about


def read_block(
    folder: Path, cell: studies.Cell, first: int, end: int
) -> tuple[dict[str, Any], dict[str, pd.DataFrame]]:
    """read_shard for one block of a cell; it must be of this very cell, and made by the code that is installed."""
    manifest = folder / shard_name(cell, first, end)
    about, found = read_shard(manifest)
    if about["cell"] != json.loads(provenance.canonical(cell.record)):
        raise IntegrityError(f"{manifest}: foreign: made from other parameters than those of the study file")
    digest = provenance.code_digest("simulate")
    if about["code"] != digest:
        raise IntegrityError(f"{manifest}: made by other code ({about['code']}, now {digest}); simulate it again")
    return about, found
