"""The cells of a study: every combination of its lists. Counted without being made, and made."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..rules.catalogue import rule_named
from ..sampling.cells import Cell
from ..statistics.observables import measured
from .cost import block_size

if TYPE_CHECKING:
    from .schema import Study, StudyFile


def intensity_pairs(study: Study) -> list[tuple[float, ...]]:
    """The intensities of the cells of a study, for each dim and size."""
    if study.ratios is not None:
        return [(1.0, ratio) for ratio in study.ratios]
    if study.intensities is not None:
        return [tuple(i) if isinstance(i, list) else (i,) for i in study.intensities]
    if colors := study.colors or study.process.colors:
        return [tuple(colors)]
    number = rule_named(study.rule).n_colors
    return [(1.0,) * number if number > 1 else study.process.entry.intensities]


def sizes_of(study: Study, dim: float) -> list[float]:
    """The sizes that the cells of this dimension have, in the order of `sizes`: of lattices, those nearest to them."""
    process = study.process.entry
    return [process.size(size, dim) for size in study.sizes]


def count(study: Study) -> int:
    """Number of cells of a study."""
    return len(study.dims) * len(study.sizes) * len(intensity_pairs(study))


def most_replicates(study: Study) -> int:
    """Replicates of a cell, at most."""
    return max(study.replicates, study.max_replicates or 0)


def blocks_of(study: Study, dim: float) -> np.ndarray:
    """Replicates of a block for each size, as the study says; or as the cost model finds, all of a cell of about one length."""
    sizes = np.array(sizes_of(study, dim))
    if study.block:
        return np.full(len(sizes), study.block)
    number = -(-study.replicates // block_size(dim, sizes, rule_named(study.rule), study.observables, study.tiles))
    return -(-study.replicates // number)


def cells_of(name: str, study: Study, seed: int) -> list[Cell]:
    """The cells of one study, in the order in which they are written."""
    process = tuple(sorted(study.process.told.items()))
    observables, pairs = measured(study.observables), intensity_pairs(study)
    return [
        Cell(
            study=name,
            process=process,
            rule=study.rule,
            dim=float(dim) if dim == math.inf else dim,
            size=size,
            intensities=pair,
            observables=observables,
            replicates=study.replicates,
            block=block,
            seed=seed,
            target_rel_se=study.target_rel_se,
            max_replicates=study.max_replicates or study.replicates,
            tiles=study.tiles,
            geometry=study.geometry,
            place=study.process.place,
        )
        for dim in study.dims
        for size, block in zip(sizes_of(study, dim), blocks_of(study, dim).tolist(), strict=True)
        for pair in pairs
    ]


def corners(study: Study, dim: float) -> Iterator[Cell]:
    """The cells of this dimension with the least and the largest sizes and intensities: what fails in between fails in one of them."""
    pairs = sorted(intensity_pairs(study), key=sum)
    ends = {
        "dims": [dim],
        "sizes": sorted({min(study.sizes), max(study.sizes)}),
        "intensities": [list(pair) for pair in dict.fromkeys((pairs[0], pairs[-1]))],
        "ratios": None,
        "colors": None,
    }
    yield from cells_of("", study.model_copy(update=ends), 0)


def cells(file: StudyFile) -> list[Cell]:
    """All cells of a file, in the order in which they are written."""
    return [cell for name, study in file.studies.items() for cell in cells_of(name, study, file.seed)]
