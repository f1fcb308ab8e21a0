"""The files of a batch of blocks: written block by block, and read with every check.

A results folder holds `blocks/TABLE/BATCH.parquet` for each batch and table, with the rows of one
block after another, and the manifest `blocks/BATCH.json`, which is written last: a batch without its
manifest was not finished. The name of a batch is a digest of its blocks and of
the code that made them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from ...utils import code_digests
from ...utils.atomic_writer import AtomicFile, replace_together
from ...utils.errors import IntegrityError, Problem, integrity_error
from ...utils.libraries import pa
from ...utils.manifests import fingerprint, read_json, to_json, wrong_files
from ..sampling.cells import Block, BlockKey, Cell
from ..statistics import observables
from ..tables.parquet import GROUP_ROWS, TableFile, TableWriter, concatenated
from ..tables.tables import BLOCK_TABLES, REPLICATE, Columns, Table
from . import provenance

FORMAT = 5  # raised when batches are written in another way
KEYS = {"format", "code", "versions", "cells", "blocks", "rows", "sha256"}  # of a manifest
BLOCKS = "blocks"  # folder of the batches in a results folder
MANIFEST_NAME = re.compile(r"(?P<batch>[0-9a-f]{16})\.json")
TABLE_NAME = re.compile(r"(?P<batch>[0-9a-f]{16})\.parquet")

Rows = dict[str, "pa.Table"]  # by table


def batch_name(keys: Iterable[BlockKey], code: str) -> str:
    """Return the name of the batch of these blocks, made by code with this digest."""
    return fingerprint([code, *map(list, keys)], 16)


def manifest_path(folder: Path, name: str) -> Path:
    """Return the manifest of a batch in a results folder."""
    return folder / BLOCKS / f"{name}.json"


def table_path(folder: Path, table: str, name: str) -> Path:
    """Return the file of a table of a batch in a results folder."""
    return folder / BLOCKS / table / f"{name}.parquet"


# ---- writing ----


class NewTable:
    """A file of a table, which has no name until it is complete.

    folder: where it is written. about: provenance. group_rows: of a row group, at least.
    """

    def __init__(self, folder: Path, table: Table, about: dict[str, Any], group_rows: int = GROUP_ROWS) -> None:
        self.file, self.table = AtomicFile(folder, table.name), table
        try:
            self.writer = TableWriter(self.file.handle, table, about, group_rows)  # which writes
        except OSError:
            self.file.discard()
            raise

    def write(self, rows: pa.Table) -> None:
        """Write a row group."""
        self.writer.write(rows)

    def complete(self) -> str:
        """Write the end of the file, and return its SHA-256."""
        self.writer.close()
        return self.file.sha256()

    def discard(self) -> None:
        """Remove the file unless it has its name already."""
        self.writer.discard()
        self.file.discard()


class BatchWriter:
    """Writer of the files of a batch, one block after another. Nothing has its name before `close`.

    Parameters
    ----------
    folder : Path
        Results folder.
    blocks : sequence of Block
        Those that are to be made.
    tables : iterable of str, optional
        Names of tables that have a file even if no block has rows of them.
    """

    def __init__(self, folder: Path, blocks: Sequence[Block], tables: Iterable[str] = ()) -> None:
        self.folder, self.code = folder, code_digests.of_stage("simulate")
        self.about = {"code": self.code, "versions": provenance.environment()}
        self.colors = max(2, *(len(block.cell.intensities) for block in blocks))
        self.blocks: list[Block] = []
        self._is_partial = False  # whether the writing of a block failed
        self._rows: list[dict[str, int]] = []  # numbers of rows of each block, by table
        self._files: dict[str, NewTable] = {}
        for table in tables:
            self._file(table)

    def _file(self, table: str) -> NewTable:
        if table not in self._files:
            declared = BLOCK_TABLES[table].wide(self.colors)
            self._files[table] = NewTable(self.folder / BLOCKS / table, declared, self.about)
        return self._files[table]

    def add(self, block: Block, rows: Rows) -> None:
        """Write the rows of a block."""
        self._is_partial = True
        for name, part in rows.items():
            self._file(name).write(concatenated(BLOCK_TABLES[name], [part], self.colors))
        self.blocks.append(block)
        self._rows.append({name: len(part) for name, part in rows.items()})
        self._is_partial = False

    def close(self) -> Path:
        """Complete the batch with the blocks that were added; return its manifest."""
        name = batch_name((block.key for block in self.blocks), self.code)
        listed = {f"{table}/{name}.parquet": file.complete() for table, file in self._files.items()}
        records = {block.key[:2]: block.cell.record for block in self.blocks}  # two studies may have equal cells
        numbers = {key: number for number, key in enumerate(records)}
        about = {
            **self.about,
            "format": FORMAT,
            "cells": [*records.values()],
            "blocks": [[numbers[block.key[:2]], block.first, block.end] for block in self.blocks],
            "rows": {table: [rows.get(table) for rows in self._rows] for table in self._files},
            "sha256": listed,
        }
        manifest = manifest_path(self.folder, name)
        files = {table_path(self.folder, table, name): file.file for table, file in self._files.items()}
        replace_together(files, manifest, to_json(about))
        return manifest

    def close_if_any(self) -> None:
        """Complete the batch if it has blocks, and all tables have the rows of each."""
        if self.blocks and not self._is_partial:
            self.close()

    def discard(self) -> None:
        """Remove what was written and has no name yet."""
        for file in self._files.values():
            file.discard()


# ---- reading ----


@dataclass
class Batch:
    """A batch on disk.

    about: the content of its manifest without what is about single blocks. index: the digest of the cell, the first and
    the end of each block, in order.
    """

    manifest: Path
    about: dict[str, Any]
    index: np.ndarray
    _files: dict[str, TableFile] = field(default_factory=dict, repr=False)
    # By table: whether each block has rows of it, and where they begin, and end at last.
    _rows: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.index)

    @property
    def keys(self) -> list[BlockKey]:
        """Its blocks, in order, read from the manifest."""
        return _keys(read_json(self.manifest))

    @property
    def name(self) -> str:
        """Name of the batch."""
        return self.manifest.stem

    @property
    def code(self) -> str:
        """Digest of the code that made it."""
        return str(self.about["code"])

    @property
    def tables(self) -> list[str]:
        """Names of its tables."""
        return [name.split("/")[0] for name in self.about["sha256"]]

    @property
    def files(self) -> list[Path]:
        """Files of its tables."""
        return [self.manifest.parent / name for name in self.about["sha256"]]

    @property
    def blocks(self) -> list[Block]:
        """Its blocks, in the order of `keys`, read from the manifest.

        Raises IntegrityError if it does not describe them.
        """
        return self._blocks(read_json(self.manifest))

    def _blocks(self, about: dict[str, Any]) -> list[Block]:
        try:
            cells = [*map(Cell.of_record, about["cells"])]
            return [Block(cells[cell], int(first), int(end)) for cell, first, end in about["blocks"]]
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError):
            raise integrity_error(self.manifest, "damaged", "it does not describe its blocks") from None

    def open(self) -> None:
        """Open the files of its tables.

        Raises IntegrityError unless every byte is as it was written.
        """
        if problems := wrong_files(self.manifest, self.about["sha256"]):
            raise IntegrityError(*problems)
        about = read_json(self.manifest)
        blocks, counts = self._blocks(about), about["rows"]
        tables = [observables.tables_of(block.cell.observables, block.first) for block in blocks]
        if tables != [{table for table in counts if counts[table][k] is not None} for k in range(len(self))]:
            raise integrity_error(self.manifest, "damaged", "it lists other tables than its blocks have")
        for path in self.files:
            table = path.parent.name
            ends = np.array([0, *accumulate(count or 0 for count in counts[table])])
            file = TableFile(BLOCK_TABLES[table], path, path, partial(_foreign, self.manifest, self.index, ends))
            metadata = {"table": table, "code": self.code, "versions": self.about["versions"]}
            if file.rows != ends[-1] or not metadata.items() <= file.metadata.items():
                self.close()
                raise integrity_error(self.manifest, "damaged", f"it and {path.name} describe different blocks")
            self._files[table] = file
            self._rows[table] = np.array([table in names for names in tables]), ends

    def forget(self) -> None:
        """Forget the rows in memory."""
        for file in self._files.values():
            file.forget()

    def close(self) -> None:
        """Close the files of its tables."""
        self._files.clear()
        self._rows.clear()

    def read(self, number: int, tables: Container[str] = BLOCK_TABLES) -> Rows:
        """Return checked rows of a block, by the names of their tables.

        number: its position in `keys`. tables: names of those to be read, by default of all.
        """
        if not self._files:
            self.open()
        return {
            table: self._files[table].rows_between(*ends[number : number + 2].tolist())
            for table, (is_there, ends) in self._rows.items()
            if table in tables and is_there[number]
        }


def read_manifest(manifest: Path) -> Batch:
    """Return the batch of a manifest; the files of its tables are not read.

    Raises IntegrityError if it is damaged, or of another batch than its name says.
    """
    about = read_json(manifest)
    if about.get("format") != FORMAT:
        raise IntegrityError(
            Problem(manifest, "not ours", "not a batch of blocks in the format of this version of poissonmatch")
        )
    try:
        keys = _keys(about)
        index = np.array([(cell_digest(study, cell), first, end) for study, cell, first, end in keys], np.uint64)
        name = batch_name(keys, about["code"])
        tables = {path.split("/")[0] for path in about["sha256"]}
        rows = about["rows"]
        consistent = (
            about.keys() == KEYS
            and bool(keys)
            and all(0 <= first < end for *_, first, end in keys)
            and tables <= set(BLOCK_TABLES)
            and set(about["sha256"]) == {f"{table}/{name}.parquet" for table in tables}
            and isinstance(about["versions"], dict)
            and rows.keys() == tables
            and all(len(counts) == len(keys) for counts in rows.values())
            and all(count is None or 0 <= int(count) == count for counts in rows.values() for count in counts)
        )
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
        consistent = False
    if not consistent:
        raise integrity_error(manifest, "damaged", "it does not describe a batch of blocks")
    if manifest.stem != name:
        raise integrity_error(manifest, "not ours", f"it holds the batch {name}")
    for key in ("cells", "blocks", "rows"):  # of 10^5 cells they take more memory than all else
        del about[key]
    return Batch(manifest, about, index)


def _foreign(manifest: Path, index: np.ndarray, ends: np.ndarray, columns: Columns, first: int) -> str:
    """Return a description of rows, from this number on, that are of another block than they should be, "" if there are none.

    Not a method of the batch, which would then be referred to by its own files, and these stay open.
    """
    number = np.searchsorted(ends[1:], first + np.arange(len(columns["cell"])), "right")
    digest, start, end = index[number].T
    cells = [*map(cell_digest, columns["study"], columns["cell"])]  # those of a cell are together
    replicate = columns.get(REPLICATE.name, start)  # not in a table of one replicate
    holds = (digest == np.array(cells, np.uint64)) & (start <= replicate) & (replicate < end)
    if holds.all():
        return ""
    study, cell, start, end = _keys(read_json(manifest))[number[np.argmin(holds)]]
    return f"it holds other rows than those of {study}/{cell}: replicates {start} to {end - 1}"


def _keys(about: dict[str, Any]) -> list[BlockKey]:
    """Return the blocks that a manifest describes."""
    cells = [(record["study"], record["id"]) for record in about["cells"]]
    return [(*cells[cell], int(first), int(end)) for cell, first, end in about["blocks"]]


@lru_cache  # of the next block of a cell
def cell_digest(study: str, name: str) -> int:
    """Return a number below 2^64 that stands for a cell."""
    return int(fingerprint([study, name], 16), 16)
