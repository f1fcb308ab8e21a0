"""Rough cost of the blocks of a study: memory, disk space, and a time that is the same on every machine.

The blocks depend on that time. What a replicate takes on this machine is measured, see plan.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...matching.match import point_seconds
from ...rules.catalogue import rule_named
from ...rules.rule import Rule
from ...theory.volumes import is_mean_field
from ..sampling.cells import Block, Cell
from ..statistics.observables import OBSERVABLES, needs_table, tables_of
from ..statistics.observables.interface import SumObservable

BLOCK_SECONDS = 10.0  # what a block should take on one core: what a killed job loses
LONGEST_BLOCK = 1000  # replicates: their rows are held in memory together
REPLICATE_SECONDS = 1.5e-4  # of a replicate, however small
OBSERVABLE_TIMES = 10.0  # time of an observable over that of the matching, except those from sums
TABLE_SECONDS = 5e-8  # of a point and another one in a table of all distances
FILE_BYTES = 20e3  # of a table of a block, however few its rows
FACES = {1: 6.0, 2: 1.5}  # unmatched points for a unit of area of the faces of a tile, at intensity 1, by dimension
ACROSS = 5.0  # times as many where points of different colors are matched only
JOB_MINUTES = 0.5  # of work in one job, unless a profile sets it
SHORTEST = 2.0  # seconds of work for which another job is started, only to keep one more core busy
FEW_FIGURES, FIGURES_OF_JOB = 8, 20  # of a study file, drawn one by one; of a job, if there are more
CELL_SECONDS, ROW_SECONDS = 6e-3, 5e-5  # to aggregate a cell, and in addition each of its replicates
SOLUTION_SECONDS, SOLUTION_BYTES = 0.03, 5e4  # of an exact tail that is solved numerically, once a ratio
CELL_BYTES = 1e3  # of a cell while cells are aggregated
ESTIMATE_BYTES = 1e5  # of the estimates of a cell in a figure
PROCESS_BYTES = 400e6  # of Python with its libraries, and of the compiler, which the first job on a machine needs


# ---- time ----


@lru_cache(maxsize=4096)
def replicate_seconds(dim: float, size: float, rule: str, names: tuple[str, ...] = ()) -> float:
    """Return the rough time of one replicate on a core of 2.5 GHz; names: of the observables that are measured."""
    entries = [OBSERVABLES[name] for name in names]
    n_slow = sum(not isinstance(entry, SumObservable) and not entry.first_only for entry in entries)
    point = point_seconds(dim, size)
    has_table = is_mean_field(dim) and needs_table(names)
    matching = TABLE_SECONDS * size if has_table else rule_named(rule).width * point
    return REPLICATE_SECONDS + size * (matching + OBSERVABLE_TIMES * n_slow * point)


def cell_seconds(cell: Cell) -> float:
    """Return the rough time of one replicate of a cell on a core of 2.5 GHz."""
    return replicate_seconds(cell.dim, cell.size, cell.rule, cell.observables)


def block_size(dim: float, size: float, rule: str, names: tuple[str, ...] = ()) -> int:
    """Return the number of replicates that take about BLOCK_SECONDS; names: of the observables that are measured."""
    return int(np.clip(BLOCK_SECONDS / replicate_seconds(dim, size, rule, names), 1, LONGEST_BLOCK))


def aggregate_seconds(cells: int, replicates: int, solutions: int = 0) -> float:
    """Return the rough processor time of making the tables of a study from its blocks. solutions: of exact tails."""
    return CELL_SECONDS * cells + ROW_SECONDS * replicates + SOLUTION_SECONDS * solutions


def batches(work: float, blocks: int, minutes: float, cores: int) -> int:
    """Return the number of jobs of about this number of minutes that keep all cores busy. work: rough seconds of all blocks."""
    number = math.ceil(work / (60 * minutes))
    even = min(cores * math.ceil(number / cores), math.ceil(work / SHORTEST))
    return min(max(number, even), blocks)


def figures_together(figures: int) -> int:
    """Return how many figures of a study file a job draws: one if there are few, which are then drawn in parallel."""
    return 1 if figures <= FEW_FIGURES else FIGURES_OF_JOB


# ---- memory and disk space ----


class Cost(NamedTuple):
    """The rough cost of a block: processor time in seconds, peak memory of a job that makes it, and space on disk in bytes."""

    seconds: float
    memory: float
    disk: float


def of_block(block: Block) -> Cost:
    """Return the rough cost of a block."""
    cell, count = block.cell, len(block.replicates)
    return Cost(count * cell_seconds(cell), job_bytes(cell, count), disk_bytes(cell, count))


def job_bytes(cell: Cell, replicates: int = 1) -> float:
    """Return the peak memory of a job with a block of this number of replicates, Python included, with a margin of a third."""
    rule, dim, size = cell.rule_entry, cell.dim, cell.size
    is_tiled = cell.tiles is not None and cell.tiles > 1
    if is_tiled:
        size = points_in_tiles(cell)
    if is_mean_field(dim):
        work = size * (20 * size if needs_table(cell.observables) else 90 + 70 * rule.width)
    else:
        work = size * (90 + 24 * dim + (70 * rule.width if rule.width > 1 else 0) + 100 * rule.bans_nearest)
        if not is_tiled:
            draws_more = cell.process_entry.holds is not None
            work = max(work, 32 * dim * (cell.points_held if draws_more else size))
    work += size * sum(OBSERVABLES[name].memory_per_point for name in cell.observables)
    return PROCESS_BYTES + 1.33 * work + 40e3 * replicates


def points_in_tiles(cell: Cell) -> float:
    """Return the maximal number of points in memory if a torus is matched in tiles.

    These are the points of a tile and the waiting points, or the points that are merged.
    """
    dim, rule, boxes = int(cell.dim), cell.rule_entry, cell.tiles or 1
    unmatched, waiting, largest = unmatched_fraction(rule, cell.intensities), 0.0, cell.size / float(boxes) ** dim
    while boxes > 1:
        inside = cell.size / float(boxes) ** dim
        at_faces = 2 * dim * FACES.get(dim, 1.2) * inside ** (1 - 1 / dim)
        if rule.across:
            at_faces = ACROSS * at_faces + math.sqrt(inside)
        merged = 2**dim * min(inside, at_faces + unmatched * inside)
        waiting += merged
        largest = max(largest, merged)
        boxes //= 2
    return largest + waiting


def unmatched_fraction(rule: Rule, intensities: Sequence[float]) -> float:
    """Return an upper estimate of the fraction of unmatched points in any dimension, 1 if nothing is known."""

    def of_color(color: int) -> float:
        share = rule.law.unmatched(2, intensities, color)
        if math.isnan(share):  # it depends on d, and more are left in low dimensions than in the mean field
            share = math.sqrt(rule.law.unmatched(math.inf, intensities, color))
        return 1.0 if math.isnan(share) else share

    return sum(i * of_color(color) for color, i in enumerate(intensities) if i) / sum(intensities)


def disk_bytes(cell: Cell, replicates: int, blocks: int = 0) -> float:
    """Return the disk space of the rows of replicates of a cell, in blocks and tables, and of the files of the blocks."""
    rows = 0.0
    for observable in map(OBSERVABLES.__getitem__, cell.observables):
        count = 1 if observable.first_only else replicates
        rows += count * (observable.bytes + observable.bytes_per_point * cell.size)
    return 2 * rows + blocks * FILE_BYTES * len(tables_of(cell.observables, first=0))


def memory_class(memory: float) -> int:
    """Return the class of jobs of about this memory in bytes."""
    return max(0, round(math.log2(memory / 1e9)))


def aggregate_bytes(cells: int, disk: float, solutions: int = 0) -> float:
    """Return the peak memory of making the tables. disk: bytes of all results, which bounds those of the largest cell."""
    return 2 * PROCESS_BYTES + CELL_BYTES * cells + SOLUTION_BYTES * solutions + 10 * disk / max(1, cells)


def drawing_bytes(cells: int, disk: float) -> float:
    """Return the peak memory of a figure or of the report. disk: bytes of the results of replicates that it shows."""
    return 2 * PROCESS_BYTES + ESTIMATE_BYTES * cells + 10 * disk
