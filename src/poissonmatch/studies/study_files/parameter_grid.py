"""Cells of a study: every combination of its lists, counted or made."""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...points.sphere import Sphere
from ..sampling.cells import Cell, ratio_of, volume_of
from ..statistics.observables import measured
from ..tables.tables import row_order
from .cost import block_size

if TYPE_CHECKING:
    from .schema import Study, StudyFile


def count(study: Study) -> int:
    """Return the number of cells of a study."""
    numbers = (len(one.requested_sizes(one.dims[0])) * len(one.intensity_pairs) for one in study.by_rule)
    return len(study.dims) * sum(numbers)


def blocks_of(study: Study, dim: float) -> list[int]:
    """Return the replicates in a block for each size: as given, or by cost, in blocks of about equal length."""
    sizes = study.sizes_of(dim)
    if study.block:
        return [study.block] * len(sizes)
    lengths = [block_size(dim, size, study.rule, measured(study.observables)) for size in sizes]
    numbers = [-(-study.replicates // length) for length in lengths]
    return [-(-study.replicates // number) for number in numbers]


@dataclass(frozen=True)
class Part:
    """The cells of one rule and dimension of a study, for each size those of all intensities.

    first: number of the first cell in the study. pairs: the intensities. sizes: of the cells with each of them. common:
    what the cells have in common.
    """

    first: int
    study: Study
    dim: float
    pairs: Sequence[tuple[float, ...]]
    sizes: Sequence[Sequence[float]]
    blocks: Sequence[int]
    common: Mapping[str, Any]

    @property
    def numbers(self) -> range:
        """Numbers of its cells in the study."""
        return range(self.first, self.first + len(self.blocks) * len(self.pairs))

    def extent(self, number: int) -> dict[str, Any]:
        """Return the size and the sides of a cell: () for a cube."""
        index, pair = divmod(number - self.first, len(self.pairs))
        return _extent(self.study, self.dim, self.sizes[pair][index], self.pairs[pair])

    def cell(self, number: int) -> Cell:
        """Return a cell."""
        index, pair = divmod(number - self.first, len(self.pairs))
        about = {"intensities": self.pairs[pair], "block": self.blocks[index], **self.extent(number)}
        return Cell(dim=self.dim, **about, **self.common)

    @property
    def numbers_in_row_order(self) -> Iterator[int]:
        """The numbers of its cells, sorted by whole size and then by the ratio of the intensities."""
        sizes = np.array([round(self.extent(number)["size"]) for number in self.numbers])
        ratios = np.array([ratio_of(pair) for pair in self.pairs])
        order = np.lexsort((np.tile(ratios, len(self.blocks)), sizes))  # all ratios are nan if there is one color
        return (self.first + int(k) for k in order)


def _parts(name: str, study: Study, seed: int) -> Iterator[Part]:
    """Yield the cells of one study by rule and dimension, in the order in which they are written."""
    first = 0
    for one in study.by_rule:
        common: dict[str, Any] = {
            "study": name, "process": tuple(sorted(one.process.spec.items())), "rule": one.rule, "seed": seed,
            "observables": measured(one.observables), "replicates": one.replicates, "tiles": one.tiles,
            "target_rel_se": one.target_rel_se, "max_replicates": one.max_replicates or one.replicates,
            "geometry": one.geometry, "study_folder": one.process.study_folder, "max_distance": one.max_distance,
        }  # fmt: skip
        if one.window is not None:
            common |= {"origin": tuple(one.window.origin), "wrap": one.window.wrap}
        pairs = one.intensity_pairs
        for dim in one.dims:
            sizes = [one.sizes_of(dim, pair) for pair in pairs]
            part = Part(first, one, dim, pairs, sizes, blocks_of(one, dim), common)
            first = part.numbers.stop
            yield part


def cells_of(name: str, study: Study, seed: int, numbers: Container[int] | None = None) -> list[Cell]:
    """Return the cells of one study, in the order in which they are written; numbers: of those that are made."""
    return [
        part.cell(number)
        for part in _parts(name, study, seed)
        for number in part.numbers
        if numbers is None or number in numbers
    ]


def in_row_order(file: StudyFile) -> Iterator[tuple[int, Cell]]:
    """Yield the cells of a file in the order of the rows of its tables, each with its number in its study.

    They are made one after another, since a study may have millions.
    """
    for name in sorted(file.studies):
        parts = sorted(_parts(name, file.studies[name], file.seed), key=lambda part: (part.study.rule, part.dim))
        cells = ((number, part.cell(number)) for part in parts for number in part.numbers_in_row_order)
        for _, alike in itertools.groupby(cells, key=lambda item: row_order(item[1])[:-1]):  # without their names
            yield from sorted(alike, key=lambda item: item[1].id)


def _extent(study: Study, dim: float, size: float, pair: tuple[float, ...]) -> dict[str, Any]:
    """Return the size and the sides of a cell: () for a cube."""
    sides = study.fixed_sides(dim)
    if sides and study.window is None and study.counted is None:
        return {"size": sum(pair) * volume_of(study.geometry, sides), "sides": sides}
    if not sides and study.geometry == Sphere.name:
        return {"size": size, "sides": (math.sqrt(size / sum(pair) / (4 * math.pi)),)}
    if not sides and study.side is not None:  # a shape
        shape = study.sides_of(dim)
        scale = (size / sum(pair) / math.prod(shape)) ** (1 / dim)
        sides = tuple(scale * side for side in shape)
    return {"size": size, "sides": sides}


def corners(study: Study) -> list[Cell]:
    """Return the cells of each dimension with extreme sizes and intensities: if any cell fails, one of them does."""
    if study.counted is not None:
        return cells_of("", study, 0)
    pairs = sorted(study.intensity_pairs, key=sum)
    ends = {
        "sizes": study.sizes and sorted({min(study.sizes), max(study.sizes)}),
        "intensities": [list(pair) for pair in dict.fromkeys((pairs[0], pairs[-1]))],
        "ratios": None,
    }
    return cells_of("", study.model_copy(update=ends), 0)


def cells(file: StudyFile) -> list[Cell]:
    """Return all cells of a file, in the order in which they are written."""
    return [cell for name, study in file.studies.items() for cell in cells_of(name, study, file.seed)]
