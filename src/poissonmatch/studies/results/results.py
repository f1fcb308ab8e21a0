"""What is in a results folder: the finished blocks, whose rows are read with every check, and all files."""

from __future__ import annotations

import os
import shutil
import sys
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right, insort
from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...utils import code_digests
from ...utils.atomic_writer import is_temporary
from ...utils.errors import BadInput, IntegrityError, Problem
from ...utils.files import is_file, is_folder
from ...utils.libraries import pa
from ...utils.manifests import MANIFEST, canonical
from ..sampling.cells import Block, Cell
from ..tables.parquet import concatenated
from ..tables.tables import BLOCK_TABLES
from .batch_files import BLOCKS, MANIFEST_NAME, Batch, Rows, cell_digest, read_manifest

OPEN_BATCHES, HELD_BATCHES = 16, 4  # whose files are open at the same time, and of which rows are in memory
QUARANTINE = "quarantine"  # folder in the results folder, to which files are moved instead of deleted


def results_folder(study_file: str | Path, results: str | Path = "results") -> Path:
    """Return the results folder of a study file.

    Raises BadInput for a path that Snakemake would read as a pattern.
    """
    for path in (str(study_file), str(results)):
        if not path or not path.isprintable() or set(path) & set("{}"):
            reason = "a path here must have no braces and no control characters, and not be empty"
            if (encoding := sys.getfilesystemencoding()) != "utf-8":
                reason += f"; names are read as {encoding}: set PYTHONUTF8=1 if they are UTF-8"
            raise BadInput(f"{path!r}: {reason}")
    return Path(results) / Path(study_file).stem


class FinishedBlocks(ABC):
    """The finished blocks of cells, in a results folder or in memory."""

    @abstractmethod
    def finished(self, cell: Cell) -> Sequence[tuple[int, int, Any]]:
        """Return the finished blocks of a cell, sorted: first and end, and where each is."""

    def _where(self, block: Block) -> Any:
        """Return where a block is, None for a block that is to be made."""
        finished = self.finished(block.cell)
        place = bisect_left(finished, (block.first, block.end))
        is_here = place < len(finished) and finished[place][:2] == (block.first, block.end)
        return finished[place][2] if is_here else None

    def __contains__(self, block: Block) -> bool:
        """Return whether a block is finished."""
        return self._where(block) is not None

    def blocks(self, cell: Cell) -> Iterator[Block]:
        """Yield the blocks of a cell, in order: finished ones, and new ones for the replicates between them.

        The last one may hold further replicates if it is finished.
        """
        at, end, finished = 0, cell.replicates, self.finished(cell)
        while at < end:
            later = bisect_left(finished, (at + 1,))  # the first block that does not begin here or before
            if later and finished[later - 1][0] == at:
                stop = finished[later - 1][1]
                yield Block(cell, at, stop)
            else:
                stop = min(finished[later][0], end) if later < len(finished) else end
                yield from cell.blocks(at, stop)
            at = stop

    def missing(self, cell: Cell) -> list[Block]:
        """Return the blocks of a cell that are to be made."""
        return [block for block in self.blocks(cell) if block not in self]

    @abstractmethod
    def read(self, block: Block, tables: Container[str] = BLOCK_TABLES) -> Rows:
        """Return the rows of a finished block by the names of their tables, which are among `tables`."""

    def read_cell(self, blocks: Iterable[Block], tables: Container[str] = BLOCK_TABLES) -> Rows:
        """Return the rows of finished blocks of one cell, by the names of their tables.

        Raises IntegrityError with the problems of all blocks.
        """
        parts: dict[str, list[pa.Table]] = {}
        problems: list[Problem] = []
        for block in blocks:
            try:
                for name, rows in self.read(block, tables).items():
                    parts.setdefault(name, []).append(rows)
            except IntegrityError as error:
                problems += error.problems
        if problems:
            raise IntegrityError(*dict.fromkeys(problems))
        return {
            name: rows[0] if len(rows) == 1 else concatenated(BLOCK_TABLES[name], rows) for name, rows in parts.items()
        }


class BlocksInMemory(FinishedBlocks):
    """The finished blocks of a sweep."""

    def __init__(self) -> None:
        self._finished: dict[tuple[str, str], list[tuple[int, int, Rows]]] = {}

    def add(self, block: Block, rows: Rows) -> None:
        """Add a block with its rows."""
        insort(
            self._finished.setdefault(block.key[:2], []), (block.first, block.end, rows), key=lambda entry: entry[:2]
        )

    def finished(self, cell: Cell) -> Sequence[tuple[int, int, Rows]]:
        """Return the finished blocks of a cell, sorted: first and end, and their rows."""
        return self._finished.get((cell.study, cell.id), ())

    def read(self, block: Block, tables: Container[str] = BLOCK_TABLES) -> Rows:
        """Return the rows of a block."""
        return {name: rows for name, rows in self._where(block).items() if name in tables}


class Results(FinishedBlocks):
    """The batches of a results folder that the installed code made. Each manifest is read once.

    tables: the names of the files of each table, if they are elsewhere. batches: the names of all batches, if they are
    known; then no folder is listed, which a network file system may show late.

    Attributes
    ----------
    batches : dict
        By name.
    unusable : list of Batch
        Those of other code, and those of which a file is missing.
    problems : list of Problem
        Manifests that cannot be used.
    code : str
        Digest of the installed code.
    """

    def __init__(
        self, folder: Path, tables: Mapping[str, Set[str]] | None = None, batches: Iterable[str] | None = None
    ) -> None:
        self.folder = folder
        self.batches: dict[str, Batch] = {}
        self.unusable: list[Batch] = []
        self.problems: list[Problem] = []
        # The batches, whose blocks are numbered from these starts on: of 10^6 blocks, a number each takes little memory.
        self._names: list[str] = []
        self._starts: list[int] = []
        self._open: OrderedDict[str, None] = OrderedDict()
        self.code = code_digests.of_stage("simulate")
        if batches is None:
            names = _names(folder / BLOCKS)
            present = tables or {table: _names(folder / BLOCKS / table) for table in BLOCK_TABLES}
        else:
            names = {f"{name}.json" for name in batches}
            present = dict.fromkeys(BLOCK_TABLES, {f"{name}.parquet" for name in batches})
        for file in sorted(filter(MANIFEST_NAME.fullmatch, names)):
            try:
                batch = read_manifest(folder / BLOCKS / file)
            except IntegrityError as error:
                self.problems += error.problems
                continue
            if batch.code != self.code or any(path.name not in present[path.parent.name] for path in batch.files):
                self.unusable.append(batch)
                continue
            start = self._starts[-1] + len(self.batches[self._names[-1]]) if self._names else 0
            self.batches[batch.name] = batch
            self._names.append(batch.name)
            self._starts.append(start)
        # Of each block the digest of its cell, first and end, sorted, and its number: 10^6 blocks take little memory.
        index = np.concatenate([np.empty((0, 3), np.uint64), *(batch.index for batch in self.batches.values())])
        order = np.lexsort((index[:, 2], index[:, 1], index[:, 0]))
        is_new = np.append(True, (index[order[1:]] != index[order[:-1]]).any(axis=1))[: len(order)]
        self._numbers = order[is_new]
        self._index = index[self._numbers]
        # The cell that was asked for last, and its blocks.
        self._last: tuple[tuple[str, str], list[tuple[int, int, int]]] = ("", ""), []

    def demand_manifests(self) -> None:
        """Raise IntegrityError if a manifest is damaged: nothing is made again before someone has looked at it."""
        if self.problems:
            raise IntegrityError(*self.problems)

    def finished(self, cell: Cell) -> Sequence[tuple[int, int, int]]:
        """Return the finished blocks of a cell, sorted: first and end, and the number among all blocks."""
        if self._last[0] != (cell.study, cell.id):
            digest = np.uint64(cell_digest(cell.study, cell.id))
            here = slice(*(np.searchsorted(self._index[:, 0], digest, side) for side in ("left", "right")))
            ranges, numbers = self._index[here, 1:].tolist(), self._numbers[here].tolist()
            self._last = (cell.study, cell.id), [(*ends, number) for ends, number in zip(ranges, numbers, strict=True)]
        return self._last[1]

    def on_disk(self, cell: Cell) -> list[tuple[int, int, str, int]]:
        """Return the finished blocks of a cell, sorted: first and end, the batch and the number there."""
        return [(first, end, *self._batch(where)) for first, end, where in self.finished(cell)]

    def _batch(self, where: int) -> tuple[str, int]:
        """Return the name of the batch of a block, and the number of the block there."""
        batch = bisect_right(self._starts, where) - 1
        return self._names[batch], where - self._starts[batch]

    def batches_of(self, blocks: Iterable[Block]) -> set[str]:
        """Return the names of the batches of finished blocks."""
        return {self._batch(self._where(block))[0] for block in blocks if block in self}

    def read(self, block: Block, tables: Container[str] = BLOCK_TABLES) -> Rows:
        """Return the checked rows of a finished block by table, without replicates beyond those of its cell.

        Raises IntegrityError if a byte differs from what it should be.
        """
        (name, number), cell = self._batch(self._where(block)), block.cell
        batch = self.batches[name]
        self._open[name] = None
        self._open.move_to_end(name)
        if len(self._open) > HELD_BATCHES:
            self.batches[[*self._open][-1 - HELD_BATCHES]].forget()
        if len(self._open) > OPEN_BATCHES:
            self.batches[self._open.popitem(last=False)[0]].close()
        rows = batch.read(number, tables)
        if block.end > cell.replicates:
            for table in rows:
                if "replicate" in rows[table].column_names:
                    rows[table] = rows[table][: int((rows[table]["replicate"].to_numpy() < cell.replicates).sum())]
        return rows

    def versions(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Return the different versions of Python and of the libraries that made these batches."""
        return [*{canonical(v): v for v in (self.batches[name].about["versions"] for name in sorted(names))}.values()]


def _names(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return set()


# ---- all files of a results folder ----


class FilesFound(NamedTuple):
    """The files of a results folder.

    manifests: of batches. unknown: further files and folders among the batches. unfinished:
    temporary files of a killed process. tables: the manifest of the tables, and all Parquet files in
    its folder.
    """

    manifests: list[Path]
    unknown: list[Path]
    unfinished: list[Path]
    tables: list[Path]


def scan(folder: Path) -> FilesFound:
    """Return the files of a results folder. Raises OSError for a folder that cannot be read."""
    files, batches = FilesFound([], [], [], []), folder / BLOCKS
    folders = [folder, batches, *(batches / table for table in BLOCK_TABLES)]
    for parent in folders:
        if not is_folder(parent):
            files.unknown.extend([parent] * os.path.lexists(parent))
            continue
        for path in _inside(parent):
            if is_temporary(path):
                files.unfinished.append(path)
            elif parent == folder:
                files.tables.extend([path] * (path.name == MANIFEST or path.suffix == ".parquet"))
            elif parent == batches and is_file(path) and MANIFEST_NAME.fullmatch(path.name):
                files.manifests.append(path)
            elif path not in folders:
                files.unknown.append(path)
    return files


def results_below(folder: Path) -> list[str]:
    """Return the names of subfolders that look like results."""
    return [
        path.name
        for path in _inside(folder)
        if is_folder(path) and (is_folder(path / BLOCKS) or is_file(path / MANIFEST))
    ]


def _inside(folder: Path) -> Iterator[Path]:
    yield from (folder / name for name in sorted(os.listdir(folder)))


def set_aside(path: Path, folder: Path) -> Path:
    """Move a file or folder of a results folder to the quarantine; return its new path."""
    wanted = folder / QUARANTINE / path.relative_to(folder)
    target, number = wanted, 0
    while os.path.lexists(target):
        number += 1
        target = wanted.with_name(f"{wanted.name}.{number}")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(path, target)
    return target
