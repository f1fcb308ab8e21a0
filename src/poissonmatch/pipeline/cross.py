"""The tables of a results folder against each other, and against the blocks that they were made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import IntegrityError, Problem, Trouble
from ..statistics import complete
from ..statistics.invariants import Impossible, equal
from ..statistics.rows import Columns, Part, Rows
from ..statistics.tables import CELL, ESTIMATES, REPLICATES, SHARD_TABLES
from . import provenance


class Tables:
    """All tables of a results folder, each right by itself."""

    def __init__(self, folder: Path, rows: Mapping[str, Rows]) -> None:
        """Raises IntegrityError if rows of one cell say different things of it."""
        self.folder, self.rows = folder, rows
        self._named: set[str] = set()
        try:
            self._cells = {name: complete.cells_of(SHARD_TABLES[name], rows[name]) for name in SHARD_TABLES}
        except Impossible as wrong:
            raise self._error(wrong, "impossible") from None

    @property
    def code(self) -> dict[str, str]:
        """The digests of the code that made them, by stage."""
        code = self.rows[ESTIMATES.name].metadata.get("code")
        return code if isinstance(code, dict) else {}

    def fit_together(self) -> None:
        """Raises IntegrityError if the tables do not fit each other, or the estimates are not those of the other tables; if other
        code made them, the latter is not asked.
        """
        found = self.rows[ESTIMATES.name]
        try:
            complete.results(self.rows, found.metadata)
        except Impossible as wrong:
            raise self._error(wrong, "impossible") from None
        if self.code.get("aggregate") == provenance.code_digest("aggregate"):
            from ..statistics import estimates  # here, because a job that simulates would wait for it

            try:
                estimates.compare(found, {name: self.rows[name].frame for name in SHARD_TABLES})
            except Impossible as wrong:
                raise self._error(wrong, "out of date") from None

    def _error(self, wrong: Impossible, kind: Trouble) -> IntegrityError:
        return IntegrityError(self._problem(wrong.table, kind, wrong.words))

    def against(self, manifest: Path, about: Mapping[str, Any], block: Mapping[str, Rows]) -> list[Problem]:
        """Do they hold the rows of a block, as far as its replicates are in them? Each table is named once."""
        problems = []
        key = about["cell"]["study"], about["cell"]["id"]
        tori = self._part(REPLICATES.name, key)
        end = min(about["end"], len(tori["replicate"]))
        for name, rows in block.items():
            mine: Columns = rows
            theirs = self._part(name, key)
            if "replicate" in rows:
                mine, theirs = (_between(columns, about["first"], end) for columns in (mine, theirs))
            if about["first"] >= end or name in self._named or _same(mine, theirs):
                continue
            self._named.add(name)
            words = (
                f"the rows of {'/'.join(key)}, replicates {about['first']} to {end - 1}, are not those of {manifest}"
            )
            problems.append(self._problem(name, "out of date", words))
        return problems

    def _part(self, name: str, key: tuple[str, str]) -> Part:
        return Part(self.rows[name], self._cells[name].get(key, slice(0)))

    def _problem(self, table: str, kind: Trouble, words: str) -> Problem:
        return Problem(self.folder / f"{table}.parquet", kind, words)


def _between(columns: Columns, first: int, end: int) -> Part:
    """The rows of the replicates first <= k < end."""
    return Part(columns, slice(*np.searchsorted(columns["replicate"], (first, max(first, end))).tolist()))


def _same(one: Columns, other: Columns) -> bool:
    """Have two parts of a table the same rows, but for the columns of the cell?"""
    names = [name for name in one if name not in {column.name for column in CELL}]
    return all(len(one[name]) == len(other[name]) and np.all(equal(one[name], other[name])) for name in names)
