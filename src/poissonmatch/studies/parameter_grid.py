"""Cells of a study: every combination of its lists, counted or made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rules.catalogue import rule_named
from ..sampling.cells import Cell
from ..statistics.observables import measured
from .cost import block_size

if TYPE_CHECKING:
    from .schema import Study, StudyFile


def intensity_pairs(study: Study) -> list[tuple[float, ...]]:
    """Return the intensities of the cells of a study, the same for each dimension and size."""
    if study.ratios is not None:
        return [(1.0, ratio) for ratio in study.ratios]
    if study.intensities is not None:
        return [tuple(i) if isinstance(i, list) else (i,) for i in study.intensities]
    number = rule_named(study.rule).n_colors
    return [(1.0,) * number if number > 1 else study.process.entry.intensities]


def sizes_of(study: Study, dim: float) -> list[float]:
    """Return the sizes of the cells of this dimension, in the order of `sizes`.

    For lattices they are the nearest possible ones.
    """
    process = study.process.entry
    return [process.size(size, dim) for size in study.sizes]


def count(study: Study) -> int:
    """Return the number of cells of a study."""
    return len(study.dims) * len(study.sizes) * len(intensity_pairs(study))


def max_replicates(study: Study) -> int:
    """Return the maximal number of replicates of a cell."""
    return max(study.replicates, study.max_replicates or 0)


def blocks_of(study: Study, dim: float) -> np.ndarray:
    """Return the number of replicates in a block for each size.

    It is the number that the study gives. By default it follows from the cost model, and the blocks
    of a cell are of about equal length.
    """
    sizes = np.array(sizes_of(study, dim))
    if study.block:
        return np.full(len(sizes), study.block)
    number = -(-study.replicates // block_size(dim, sizes, rule_named(study.rule), study.observables, study.tiles))
    return -(-study.replicates // number)


def cells_of(name: str, study: Study, seed: int) -> list[Cell]:
    """Return the cells of one study, in the order in which they are written."""
    common: dict[str, Any] = {
        "study": name, "process": tuple(sorted(study.process.spec.items())), "rule": study.rule, "seed": seed,
        "observables": measured(study.observables), "replicates": study.replicates, "tiles": study.tiles,
        "target_rel_se": study.target_rel_se, "max_replicates": study.max_replicates or study.replicates,
        "geometry": study.geometry, "place": study.process.place,
    }  # fmt: skip
    return [
        Cell(dim=dim, size=size, intensities=pair, block=block, **common)
        for dim in study.dims
        for size, block in zip(sizes_of(study, dim), blocks_of(study, dim).tolist(), strict=True)
        for pair in intensity_pairs(study)
    ]


def corners(study: Study, dim: float) -> Iterator[Cell]:
    """Yield the cells of this dimension with extreme sizes and intensities.

    They have the smallest and largest sizes and intensities: if any cell fails, one of them does.
    """
    pairs = sorted(intensity_pairs(study), key=sum)
    ends = {
        "dims": [dim],
        "sizes": sorted({min(study.sizes), max(study.sizes)}),
        "intensities": [list(pair) for pair in dict.fromkeys((pairs[0], pairs[-1]))],
        "ratios": None,
    }
    yield from cells_of("", study.model_copy(update=ends), 0)


def cells(file: StudyFile) -> list[Cell]:
    """Return all cells of a file, in the order in which they are written."""
    return [cell for name, study in file.studies.items() for cell in cells_of(name, study, file.seed)]
