"""Cells of a study: every combination of its lists, counted or made."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any

from ...points.sphere import Sphere
from ...rules.catalogue import rule_named
from ..sampling.cells import Cell, volume_of
from ..statistics.observables import measured
from .cost import block_size

if TYPE_CHECKING:
    from .schema import Study, StudyFile


def intensity_pairs(study: Study) -> list[tuple[float, ...]]:
    """Return the intensities of the cells of a study, the same for each dimension and size."""
    number = rule_named(study.rule).n_colors
    pairs: list[tuple[float, ...]]
    if study.ratios is not None:
        pairs = [(1.0, ratio) for ratio in study.ratios]
    elif study.intensities is not None:
        pairs = [tuple(i) if isinstance(i, list) else (i,) for i in study.intensities]
    else:
        pairs = [(1.0,) * number if number > 1 else study.process.entry.intensities]
    if (counts := counted(study)) is None:
        return pairs
    volume = volume_of(study.geometry, fixed_sides(study, len(study.process.coords)))
    if study.process.color is not None:  # as many as there are in the files
        return [tuple(count / volume for count in counts)]
    return [tuple(sum(counts) / volume * part / sum(pair) for part in pair) for pair in pairs if sum(pair)]


def counted(study: Study) -> list[float] | None:
    """Return the mean points of each color in the files of a study with a window or radius; None for other studies."""
    return None if study.window is None and study.radius is None else getattr(study.process, "counts", None)


def requested_sizes(study: Study, dim: float) -> list[float]:
    """Return `sizes`, or the expected number of points that follows from the sides."""
    if (counts := counted(study)) is not None:
        return [sum(counts)]
    if study.sizes is not None:
        return study.sizes
    return [max(sum(pair) for pair in intensity_pairs(study)) * volume_of(study.geometry, fixed_sides(study, dim))]


def sides_of(study: Study, dim: float) -> tuple[float, ...]:
    """Return the sides of the window in this dimension, or `side`, or the radius; () for cubes."""
    if study.radius is not None:
        return (study.radius,)
    if study.window is not None:
        return study.window.sides(int(dim))
    return tuple(study.side or ()) * (int(dim) if len(study.side or ()) == 1 else 1)


def fixed_sides(study: Study, dim: float) -> tuple[float, ...]:
    """Return the sides of all cells of this dimension; () if they depend on the size."""
    return () if study.side is not None and study.sizes is not None else sides_of(study, dim)


def sizes_of(study: Study, dim: float, pair: tuple[float, ...] | None = None) -> list[float]:
    """Return the sizes of the cells of this dimension, in the order of `sizes`; of lattices the nearest ones.

    pair: intensities of the colors, by default the first ones of the study. The size depends on them
    if one color is a lattice.
    """
    if sides_of(study, dim):
        return requested_sizes(study, dim)
    process, pair = study.process.entry, pair or intensity_pairs(study)[0]
    return [process.size(size, dim, pair) for size in requested_sizes(study, dim)]


def count(study: Study) -> int:
    """Return the number of cells of a study."""
    numbers = (len(requested_sizes(one, one.dims[0])) * len(intensity_pairs(one)) for one in study.by_rule)
    return len(study.dims) * sum(numbers)


def max_replicates(study: Study) -> int:
    """Return the maximal number of replicates of a cell."""
    return max(study.replicates, study.max_replicates or 0)


def blocks_of(study: Study, dim: float) -> list[int]:
    """Return the replicates in a block for each size: as given, or by cost, in blocks of about equal length."""
    sizes = sizes_of(study, dim)
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
    pairs = intensity_pairs(study)
    for dim in study.dims:
        sizes_of_pairs = [sizes_of(study, dim, pair) for pair in pairs]
        for index, block in enumerate(blocks_of(study, dim)):
            yield from ((dim, sizes[index], block, pair) for sizes, pair in zip(sizes_of_pairs, pairs, strict=True))


def _extent(study: Study, dim: float, size: float, pair: tuple[float, ...]) -> dict[str, Any]:
    """Return the size and the sides of a cell: () for a cube."""
    sides = fixed_sides(study, dim)
    if sides and study.window is None and counted(study) is None:
        return {"size": sum(pair) * volume_of(study.geometry, sides), "sides": sides}
    if not sides and study.geometry == Sphere.name:
        return {"size": size, "sides": (math.sqrt(size / sum(pair) / (4 * math.pi)),)}
    if not sides and study.side is not None:  # a shape
        shape = sides_of(study, dim)
        scale = (size / sum(pair) / math.prod(shape)) ** (1 / dim)
        sides = tuple(scale * side for side in shape)
    return {"size": size, "sides": sides}


def corners(study: Study, dim: float) -> Iterator[Cell]:
    """Yield the cells of this dimension with extreme sizes and intensities: if any cell fails, one of them does."""
    pairs = sorted(intensity_pairs(study), key=sum)
    if counted(study) is not None:
        yield from cells_of("", study.model_copy(update={"dims": [dim]}), 0)
        return
    ends = {
        "dims": [dim],
        "sizes": study.sizes and sorted({min(study.sizes), max(study.sizes)}),
        "intensities": [list(pair) for pair in dict.fromkeys((pairs[0], pairs[-1]))],
        "ratios": None,
    }
    yield from cells_of("", study.model_copy(update=ends), 0)


def cells(file: StudyFile) -> list[Cell]:
    """Return all cells of a file, in the order in which they are written."""
    return [cell for name, study in file.studies.items() for cell in cells_of(name, study, file.seed)]


def intensity_key(study: Study) -> str:
    """Return the key of a study that gives the intensities."""
    return "intensities" if study.ratios is None else "ratios"
