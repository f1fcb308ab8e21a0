"""The files of a block, made from the block alone: the result of the stage `simulate`, byte for byte."""

from __future__ import annotations

from collections.abc import Callable

from ..sampling.cells import Block
from ..statistics import observables
from ..tables.parquet import encode
from ..tables.tables import BLOCK_TABLES
from . import provenance
from .atomic_files import sha256, to_json

BLOCK_FORMAT = 3  # raised when blocks are written in another way


def make_block(
    block: Block,
    *,
    versions: dict[str, str] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> dict[str, bytes]:
    """Return the files of a block by name, the manifest last. The bytes depend only on the block, code and versions."""
    about = {
        "format": BLOCK_FORMAT,
        **block.record,
        "code": provenance.code_digest("simulate"),
        "versions": versions or provenance.environment(),
    }
    files = {
        block_file(block, table): encode(BLOCK_TABLES[table], rows, about)
        for table, rows in observables.measure_block(block, threads, progress).items()
    }
    listed = {name: sha256(data) for name, data in files.items()}
    return {**files, f"{block.name}.json": to_json({**about, "sha256": listed})}


def block_file(block: Block, table: str) -> str:
    """Return the name of the file of a table of a block."""
    return f"{block.name}.{table}.parquet"
