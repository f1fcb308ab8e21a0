"""The rows of a table as they were read: columns to look at, frames for pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from .tables import Table

Columns = Mapping[str, Any]  # arrays of one length, or Words, by the name of the column
THREADS_PAY = 1 << 20  # bytes; to start threads takes longer than to read less


class Words:
    """A column of text: words, sorted and different, and for each row which of them it holds."""

    def __init__(self, codes: Any, words: Iterable[str]) -> None:
        """codes: for each row the place of its word, among words that may be there twice, or not at all in the rows."""
        given, codes = list(words), np.asarray(codes)
        if len(given) > 1:
            times = np.bincount(codes, minlength=len(given))
            known = sorted({word for word, n in zip(given, times, strict=True) if n})
            if known != given:
                place = {word: k for k, word in enumerate(known)}
                codes = np.array([place.get(word, -1) for word in given])[codes]
            given = known
        self.words, self.codes = given, codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> Any:
        """The word of a row, or the column of several rows."""
        if isinstance(rows, int | np.integer):
            return self.words[self.codes[rows]]
        found = Words((), ())
        found.words, found.codes = self.words, self.codes[rows]
        return found

    def seen(self) -> set[str]:
        """The words that the rows hold: of a part of the rows it may be fewer than `words`."""
        return {self.words[code] for code in np.unique(self.codes)}

    def isin(self, words: Iterable[str]) -> np.ndarray:
        """Which rows hold one of these words."""
        known = set(words)
        return np.array([word in known for word in self.words], bool)[self.codes]


class Rows(Mapping[str, Any]):
    """The rows of a file, with its metadata: Columns, which share their memory and are made when they are asked for."""

    def __init__(self, table: Table, arrow: Any, metadata: dict[str, Any]) -> None:
        """arrow: an Arrow table of the schema Table.read_as."""
        self.table, self.arrow, self.metadata = table, arrow, metadata
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            values, column = self.arrow.column(name), self.table.columns[self.table.names.index(name)]
            if column.nullable:
                self._made[name] = np.array(values.to_pylist(), object)
            elif column.type == "string":
                coded = values.combine_chunks()
                self._made[name] = Words(coded.indices.to_numpy(), coded.dictionary.to_pylist())
            else:
                self._made[name] = values.to_numpy()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.table.names)

    def __len__(self) -> int:
        return len(self.table.names)

    @property
    def frame(self) -> pd.DataFrame:
        return self.arrow.cast(self.table.schema()).to_pandas(use_threads=self.arrow.nbytes > THREADS_PAY)


class OfFrame(Mapping[str, Any]):
    """The Columns of a frame."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            column = self._frame[name]
            number = pd.api.types.is_numeric_dtype(column.dtype)
            self._made[name] = column.to_numpy() if number else Words(*pd.factorize(column))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._frame.columns)

    def __len__(self) -> int:
        return len(self._frame.columns)


class Part(Mapping[str, Any]):
    """Some rows of Columns."""

    def __init__(self, columns: Columns, rows: slice) -> None:
        self._columns, self._rows = columns, rows

    def __getitem__(self, name: str) -> Any:
        return self._columns[name][self._rows]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


class Frames(Mapping[str, pd.DataFrame]):
    """Frames of several tables by name, each made when it is asked for."""

    def __init__(self, rows: Mapping[str, Rows]) -> None:
        self._rows = rows

    def __getitem__(self, name: str) -> pd.DataFrame:
        return self._rows[name].frame

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)
