"""Cells of a study: every combination of its lists, counted or made."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any

from ...points.sphere import Sphere
from ..sampling.cells import Cell, volume_of
from ..statistics.observables import measured
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


def cells_of(name: str, study: Study, seed: int, numbers: Container[int] | None = None) -> list[Cell]:
    """Return the cells of one study, in the order in which they are written; numbers: of those that are made."""
    made: list[Cell] = []
    before = 0
    for one in study.by_rule:
        common: dict[str, Any] = {
            "study": name, "process": tuple(sorted(one.process.spec.items())), "rule": one.rule, "seed": seed,
            "observables": measured(one.observables), "replicates": one.replicates, "tiles": one.tiles,
            "target_rel_se": one.target_rel_se, "max_replicates": one.max_replicates or one.replicates,
            "geometry": one.geometry, "study_folder": one.process.study_folder, "max_distance": one.max_distance,
        }  # fmt: skip
        if one.window is not None:
            common |= {"origin": tuple(one.window.origin), "wrap": one.window.wrap}
        for number, (dim, size, block, pair) in enumerate(_combinations(one), before):
            before = number + 1
            if numbers is None or number in numbers:
                made.append(Cell(dim=dim, **_extent(one, dim, size, pair), intensities=pair, block=block, **common))
    return made


def _combinations(study: Study) -> Iterator[tuple[float, float, int, tuple[float, ...]]]:
    """Yield dimension, size, replicates in a block and intensities of the cells of a study of one rule."""
    pairs = study.intensity_pairs
    for dim in study.dims:
        sizes_of_pairs = [study.sizes_of(dim, pair) for pair in pairs]
        for index, block in enumerate(blocks_of(study, dim)):
            yield from ((dim, sizes[index], block, pair) for sizes, pair in zip(sizes_of_pairs, pairs, strict=True))


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
