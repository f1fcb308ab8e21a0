"""Cost model of a replicate: seconds, memory and disk space.

It does not depend on the machine, because the blocks depend on it.

Sizes may be arrays; then the results are arrays. The constants were measured on one core (2.5 GHz)
for 10^5 points; only their ratios matter for the size of a block. How fast this machine is, plan.py
measures.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...matching import duration
from ...rules.catalogue import rule_named
from ...rules.rule import Rule
from ...theory.volumes import is_mean_field
from ..sampling.cells import Block, Cell
from ..statistics.observables import OBSERVABLES, measured, needs_table, tables_of
from ..statistics.observables.interface import SumObservable

BLOCK_SECONDS = 10.0  # what a block should take on one core: what a killed job loses
LONGEST_BLOCK = 1000  # replicates: their rows are held in memory together
OVERHEAD = 1.5e-4  # seconds of a replicate, however small, that is made with others,
ALONE_OVERHEAD = 1.2e-3  # and of one that is made alone
MICROSECONDS = {1: 0.35, 2: 0.45, 3: 0.75, 4: 1.4, 5: 2.8, 6: 7.0}  # of a point, by dimension; beyond, see duration.py
FILE_BYTES = 20e3  # of a table of a block, however few its rows
MEAN_FIELD_MICROSECONDS = 0.35  # of a point and partner, without a table
TILED = 1.5  # times what a point costs in the whole,
TILE_SECONDS = 2e-3  # and of a tile, however small
FACES = {1: 6.0, 2: 1.5}  # unmatched points for a unit of area of the faces of a tile, at intensity 1, by dimension
ACROSS = 5.0  # times as many where points of different colors are matched only
JOB_MINUTES = 0.5  # of work in one job, unless a profile sets it
SHORTEST = 2.0  # seconds of work for which another job is started, only to keep one more core busy
CELL_SECONDS, REPLICATE_SECONDS = 6e-3, 5e-5  # to aggregate a cell, and in addition each of its replicates
CELL_BYTES = 2e3  # of a cell while cells are aggregated
ESTIMATE_BYTES = 1e5  # of the estimates of a cell in a figure
PROCESS_BYTES = 400e6  # of Python with its libraries, and of the compiler, which the first job on a machine needs


def seconds_per_replicate(
    dim: float, size: Any, rule: Rule, names: Iterable[str] = (), tiles: int | None = None
) -> Any:
    """Return the rough time of one replicate on one core; names: of observables."""
    by_block = tiles is None and all(isinstance(OBSERVABLES[name], SumObservable) for name in names)
    overhead = OVERHEAD if by_block and not is_mean_field(dim) else ALONE_OVERHEAD
    if is_mean_field(dim):
        return overhead + (5e-8 * size if needs_table(names) else 1e-6 * MEAN_FIELD_MICROSECONDS * rule.width) * size
    point = MICROSECONDS.get(int(dim)) or duration.microseconds(int(dim), size)
    if rule.width > 1:
        point = rule.width * (point + 1.0)
    elif rule.bans_nearest:  # which are looked for first
        point = 2 * point + 0.4
    elif rule.across:  # the nearest point of another color is farther away
        point *= 1.3
    point += sum(OBSERVABLES[name].microseconds(dim) for name in measured(names))
    if tiles is not None:
        return overhead + 1e-6 * TILED * point * size + TILE_SECONDS * float(tiles) ** dim
    return overhead + 1e-6 * point * size


def block_size(dim: float, size: Any, rule: Rule, names: Iterable[str] = (), tiles: int | None = None) -> Any:
    """Return the number of replicates that take about BLOCK_SECONDS; names: of observables."""
    return np.clip(BLOCK_SECONDS / seconds_per_replicate(dim, size, rule, names, tiles), 1, LONGEST_BLOCK).astype(int)


def job_bytes(
    dim: float,
    size: Any,
    rule: Rule,
    names: Iterable[str] = (),
    block: Any = 1,
    held: float = 0.0,
    tiles: int | None = None,
    alone: float = 1.0,
) -> Any:
    """Return the peak memory of a job, Python included, with a margin of a third.

    names: of observables. held: points that the process draws to choose from. alone: share of
    unmatched points, which tiles keep to the end.
    """
    if tiles is not None and tiles > 1:
        held, size = 0.0, points_in_tiles(dim, size, rule, tiles, alone)
    if is_mean_field(dim):
        work = size * (20 * size if needs_table(names) else 90 + 70 * rule.width)
    else:
        work = size * (90 + 24 * dim + (70 * rule.width if rule.width > 1 else 0) + 100 * rule.bans_nearest)
        work = np.maximum(work, 32 * dim * held)
    work += size * sum(OBSERVABLES[name].memory_per_point for name in measured(names))
    return PROCESS_BYTES + 1.33 * work + 40e3 * block


def cell_seconds(cell: Cell) -> float:
    """Return the rough time of one replicate of a cell on one core."""
    return float(seconds_per_replicate(cell.dim, cell.size, rule_named(cell.rule), cell.observables, cell.tiles))


@dataclass(frozen=True)
class Weight:
    """The rough cost of a block: processor time in seconds, peak memory of a job that makes it, and space on disk in bytes."""

    seconds: float
    memory: float
    disk: float


def weights(blocks: Iterable[Block]) -> Iterator[Weight]:
    """Yield the weight of each block; blocks of the same study, dimension, size and length weigh the same."""
    known: dict[tuple, Weight] = {}
    for block in blocks:
        cell, depends = block.cell, block.cell.tiles is not None or block.cell.draws_more_points
        key = (cell.study, cell.dim, cell.size, len(block.replicates), cell.intensities if depends else None)
        if key not in known:
            known[key] = _weight(block)
        yield known[key]


def _weight(block: Block) -> Weight:
    cell, count, rule = block.cell, len(block.replicates), rule_named(block.cell.rule)
    share = 1.0 if cell.tiles is None else alone(rule, cell.intensities)
    memory = job_bytes(cell.dim, cell.size, rule, cell.observables, count, cell.points_held, cell.tiles, share)
    disk = disk_bytes(cell.size, cell.observables, count, jobs=0)
    return Weight(count * cell_seconds(cell), float(memory), float(disk))


def aggregate_seconds(cells: int, replicates: int) -> float:
    """Return the rough processor time of making the tables of a study from its blocks."""
    return CELL_SECONDS * cells + REPLICATE_SECONDS * replicates


def aggregate_bytes(cells: int, disk: float) -> float:
    """Return the peak memory of making the tables. disk: bytes of all results, which bounds those of the largest cell."""
    return 2 * PROCESS_BYTES + CELL_BYTES * cells + 10 * disk / max(1, cells)


def drawing_bytes(cells: int, disk: float) -> float:
    """Return the peak memory of a figure or of the report. disk: bytes of the results of replicates that it shows."""
    return 2 * PROCESS_BYTES + ESTIMATE_BYTES * cells + 10 * disk


def memory_class(memory: float) -> int:
    """Return the class of jobs of about this memory in bytes.

    Blocks of different classes are not in one job.
    """
    return max(0, round(math.log2(memory / 1e9)))


def batches(work: float, blocks: int, minutes: float, cores: int) -> int:
    """Return the number of jobs for blocks of one memory class.

    Each job takes about this number of minutes, and together they keep all cores busy.

    work: rough seconds of all blocks.
    """
    number = math.ceil(work / (60 * minutes))
    even = min(cores * math.ceil(number / cores), math.ceil(work / SHORTEST))
    return min(max(number, even), blocks)


def points_in_tiles(dim: float, size: Any, rule: Rule, tiles: int, alone: float) -> Any:
    """Return the maximal number of points in memory if a torus is matched in tiles.

    These are the points of a tile and the waiting points, or the points that are merged.
    """

    def rest(boxes: int) -> Any:
        inside = size / float(boxes) ** dim
        faces = 2 * dim * FACES.get(int(dim), 1.2) * inside ** (1 - 1 / dim)
        at_faces = ACROSS * faces + np.sqrt(inside) if rule.across else faces
        return np.minimum(inside, at_faces + alone * inside)

    largest, waits = size / float(tiles) ** dim, 0.0
    boxes = tiles
    while boxes > 1:
        merged = 2**dim * rest(boxes)
        waits = waits + merged
        largest = np.maximum(largest, merged)
        boxes //= 2
    return largest + waits


def alone(rule: Rule, intensities: Sequence[float]) -> float:
    """Return an upper estimate of the fraction of unmatched points, in any dimension.

    It is 1 if nothing is known.
    """

    def of_color(color: int) -> float:
        share = rule.law.unmatched(2, intensities, color)
        if math.isnan(share):  # it depends on d, and more are left in low dimensions than in the mean field
            share = math.sqrt(rule.law.unmatched(math.inf, intensities, color))
        return 1.0 if math.isnan(share) else share

    return sum(i * of_color(color) for color, i in enumerate(intensities) if i) / sum(intensities)


def disk_bytes(size: Any, names: Iterable[str], replicates: int, jobs: Any) -> Any:
    """Return the disk space of a cell, its blocks and its part of the tables, in bytes.

    names: of observables.
    """
    rows = 0.0
    for observable in (OBSERVABLES[name] for name in measured(names)):
        rows += (observable.bytes + observable.bytes_per_point * size) * (1 if observable.first_only else replicates)
    return 2 * rows + jobs * FILE_BYTES * len(tables_of(names, first=0))
