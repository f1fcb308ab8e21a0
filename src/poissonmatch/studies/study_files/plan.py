"""Cost of a study before it runs.

Cells and jobs are counted, not listed, so 10^10 of them take no time.
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...matching import duration
from ...points.tiled import fine_tiles
from ...rules.catalogue import rule_named
from ...rules.rule import Rule
from ...utils import permissions
from ...utils.errors import BadInput
from ...utils.memory import size_words
from ..sampling.cells import Block, Cell
from ..statistics import observables
from . import cost, parameter_grid

if TYPE_CHECKING:
    from . import schema

MAX_BLOCKS = 2_000_000
MAX_MEMORY = 64e9  # bytes of one job
MAX_DISK = 1e12  # bytes
CALIBRATE_SECONDS = 3.0
MEASURED = 8  # replicates of the largest size that is measured fit into its part of that time
# Processor time in units of an import of the package: a batch without its work; Snakemake, tables
# and report; a figure.
BATCH, AROUND, FIGURE = 1.5, 6.0, 1.0


@dataclass(frozen=True)
class Group:
    """Cells of a study of one dimension.

    Each size has `pairs` cells, which differ in their intensities and cost the same.
    """

    study: str
    spec: schema.Study
    dim: float
    sizes: np.ndarray
    pairs: int

    @property
    def replicates(self) -> int:
        """Maximal number of replicates of a cell."""
        return parameter_grid.max_replicates(self.spec)

    @property
    def rule(self) -> Rule:
        """Rule of the study."""
        return rule_named(self.spec.rule)

    @cached_property
    def block(self) -> np.ndarray:
        """Replicates of the longest block, for each size."""
        return np.minimum(parameter_grid.blocks_of(self.spec, self.dim), self.replicates)

    @property
    def blocks(self) -> np.ndarray:
        """Blocks of a cell, for each size."""
        return -(-self.replicates // self.block)

    @property
    def kind(self) -> tuple:
        """Everything except the study and the sizes that the cost depends on."""
        spec = self.spec
        return (spec.process.name, spec.rule, self.dim, observables.measured(spec.observables), spec.tiles)

    @cached_property
    def seconds(self) -> np.ndarray:
        """Rough, machine-independent cost of one replicate, for each size."""
        return cost.seconds_per_replicate(self.dim, self.sizes, self.rule, self.spec.observables, self.spec.tiles)

    @property
    def work(self) -> float:
        """Rough cost of all replicates."""
        return self.pairs * self.replicates * float(self.seconds.sum())

    @property
    def alone(self) -> float:
        """Upper bound of the share of unmatched points; 1 without tiles."""
        if self.spec.tiles is None:
            return 1.0
        return max(cost.alone(self.rule, pair) for pair in parameter_grid.intensity_pairs(self.spec))

    @property
    def held(self) -> float:
        """Number of points that the process holds in memory at once."""
        return max(cell.points_held for cell in parameter_grid.corners(self.spec, self.dim))


@dataclass(frozen=True)
class Timing:
    """Processor time on this machine.

    speed: measured over rough seconds of a replicate, by kind of group; usual: of the kinds that
    were not measured. import_seconds: of a process that imports the package. compile_seconds: spent
    here to compile kernels that were not in the cache.
    """

    speed: Mapping[tuple, float]
    usual: float
    import_seconds: float
    compile_seconds: float = 0.0


@dataclass
class Plan:
    """Sums over the blocks of a study file.

    cores: number of cores that are kept busy. figures: number of figures. Times are nan without
    `timing`.
    """

    cores: int = 1
    figures: int = 0
    cells: int = 0
    blocks: int = 0
    replicates: int = 0
    points: float = 0.0  # expected
    memory: float = 0.0  # bytes, of the largest job
    disk: float = 0.0  # bytes
    timing: Timing | None = None
    work: dict[tuple, float] = field(default_factory=dict)  # rough seconds, by kind of group
    longest: dict[tuple, float] = field(default_factory=dict)  # rough seconds of the longest block, by kind of group
    classes: dict[int, list[float]] = field(default_factory=dict)  # rough seconds and number of blocks, by memory class

    def add(self, kind: tuple, work: float, memory: float, blocks: int = 1, longest: float | None = None) -> None:
        """Add blocks of a kind.

        work: rough seconds of all the blocks. memory, longest: bytes and rough seconds of the
        longest block.
        """
        self.blocks += blocks
        self.memory = max(self.memory, memory)
        self.work[kind] = self.work.get(kind, 0.0) + work
        self.longest[kind] = max(self.longest.get(kind, 0.0), work if longest is None else longest)
        total = self.classes.setdefault(cost.memory_class(memory), [0.0, 0])
        total[0] += work
        total[1] += blocks

    @property
    def batches(self) -> int:
        """Number of jobs that simulate, as `run` makes them on one machine."""
        sums = self.classes.values()
        return sum(cost.batches(work, int(blocks), cost.JOB_MINUTES, self.cores) for work, blocks in sums)

    @property
    def jobs(self) -> int:
        """Number of jobs.

        These are the jobs that simulate, and one each for the tables, each figure and the report.
        """
        return self.batches + 2 + self.figures if self.blocks else 0

    @property
    def work_seconds(self) -> float:
        """Processor time of the replicates."""
        return self._timed(self.work, sum)

    @property
    def job_seconds(self) -> float:
        """Processor time of everything except the replicates.

        It includes Snakemake, the start of the jobs, tables, figures and the report.
        """
        imports = self._import_units(BATCH * self.batches + AROUND + FIGURE * self.figures)
        return imports + cost.aggregate_seconds(self.cells, self.replicates)

    @property
    def seconds(self) -> float:
        """Processor time."""
        return self.work_seconds + self.job_seconds

    @property
    def wall_seconds(self) -> float:
        """Time on `cores` cores.

        The jobs that simulate and the figures run in parallel, the rest one after another.
        """
        if not self.blocks:
            return 0.0
        batch = self._import_units(BATCH)
        simulate = (self.work_seconds + self.batches * batch) / min(self.cores, self.batches)
        figures = FIGURE * self.figures / min(self.cores, max(1, self.figures))
        aggregate = cost.aggregate_seconds(self.cells, self.replicates)
        return max(simulate, batch + self._timed(self.longest, max)) + self._import_units(AROUND + figures) + aggregate

    def _timed(self, rough: Mapping[tuple, float], total: Callable[[list[float]], float]) -> float:
        if not rough:
            return 0.0
        if self.timing is None:
            return math.nan
        return total([self.timing.speed.get(kind, self.timing.usual) * seconds for kind, seconds in rough.items()])

    def _import_units(self, number: float) -> float:
        return (self.timing.import_seconds if self.timing else math.nan) * number if self.blocks else 0.0

    def refuse_if_large(self, where: str | Path = "this study") -> None:
        """Raise BadInput if the jobs, the memory of a job or the disk space exceed their limits.

        where: name of the study file.
        """
        wrong = []
        if self.blocks > MAX_BLOCKS:
            wrong.append(f"{self.blocks} blocks of replicates, more than {MAX_BLOCKS}")
        if self.memory > MAX_MEMORY:
            wrong.append(f"a job of {size_words(self.memory)} memory, more than {size_words(MAX_MEMORY)}")
        if self.disk > MAX_DISK:
            wrong.append(f"{size_words(self.disk)} on disk, more than {size_words(MAX_DISK)}")
        if wrong:
            raise BadInput(f"{where} asks for {' and '.join(wrong)}; use --allow-large to run it anyway")


def groups(file: schema.StudyFile) -> Iterator[Group]:
    """Yield the groups of cells of a study file."""
    for name, spec in file.studies.items():
        pairs = len(parameter_grid.intensity_pairs(spec))
        for dim in spec.dims:
            yield Group(name, spec, dim, np.array(parameter_grid.sizes_of(spec, dim)), pairs)


def count(file: schema.StudyFile, cores: int | None = None) -> Plan:
    """Count cells, blocks, jobs, points, memory and disk space of a study file.

    Times are not measured. cores: by default all.
    """
    plan = Plan(cores or os.cpu_count() or 1, len(file.figures))
    for group in groups(file):
        spec, names, cells = group.spec, group.spec.observables, group.pairs * len(group.sizes)
        plan.cells += cells
        plan.replicates += cells * group.replicates
        plan.points += group.pairs * group.replicates * float(group.sizes.sum())
        tiles: dict[str, Any] = {"tiles": spec.tiles, "alone": group.alone}
        memory = cost.job_bytes(group.dim, group.sizes, group.rule, names, group.block, group.held, **tiles)
        for seconds, block, blocks, needed in zip(group.seconds, group.block, group.blocks, memory, strict=True):
            work = group.pairs * group.replicates * float(seconds)
            plan.add(group.kind, work, float(needed), group.pairs * int(blocks), float(seconds * block))
        plan.disk += group.pairs * float(cost.disk_bytes(group.sizes, names, group.replicates, group.blocks).sum())
    return plan


def calibrated(file: schema.StudyFile, cores: int | None = None) -> Plan:
    """Return the counts with the processor time on this machine. cores: by default all."""
    return replace(count(file, cores), timing=timing(file))


def timing(file: schema.StudyFile) -> Timing:
    """Measure the processor time on this machine.

    It is measured for an import, and for a few small replicates of each kind of group.

    Kernels that a run needs are compiled for all kinds, so that the run does not compile them
    again.
    """
    by_kind: dict[tuple, list[Group]] = {}
    for group in groups(file):
        by_kind.setdefault(group.kind, []).append(group)
    weight = {kind: sum(group.work for group in members) for kind, members in by_kind.items()}
    total, timed, compiled = sum(weight.values()), 0.0, 0.0
    speed: dict[tuple, float] = {}
    for kind in sorted(by_kind, key=lambda k: -weight[k]):  # what matters most comes first
        budget = max(0.1, 0.5 * CALIBRATE_SECONDS * weight[kind] / total)
        group = max(by_kind[kind], key=lambda group: group.work)
        cell, from_files = _small(group, budget), group.spec.process.entry.given
        compiled += duration.compile_seconds(partial(observables.measure, cell, 0))
        if not speed or timed < CALIBRATE_SECONDS:
            start = time.process_time()
            speed[kind] = _speed(cell, budget, from_files)
            timed += time.process_time() - start
    usual = sum(speed[k] * weight[k] for k in speed) / sum(weight[k] for k in speed)
    return Timing(speed, usual, _import_seconds(), compiled)


def _small(group: Group, budget: float) -> Cell:
    """Return a cell of this group, of a smaller size if the budget of seconds requires it."""
    small = float(group.sizes.max())
    cell = _cell(group, small)
    if group.spec.process.entry.given:  # as many replicates as there are files, each of its size
        return cell
    while small > 500 and MEASURED * cost.cell_seconds(cell) > budget:
        small /= 2
        try:
            cell = _cell(group, small)
        except BadInput:  # the process cannot be so small
            break
    return cell


def _speed(cell: Cell, budget: float, from_files: bool) -> float:
    """Return the measured over the rough time of a replicate of a cell.

    Its kernels must be compiled. from_files: whether each replicate is read from a file.
    """
    together = len(next(cell.joined(range(cost.LONGEST_BLOCK), rule_named(cell.rule).width)))
    times: list[float] = []
    while len(times) < 2 or (sum(times) < budget and len(times) < 20):
        start = time.process_time()
        first = 1 + together * len(times)
        first = first % cell.replicates if from_files else first
        observables.measure_block(Block(cell, first, first + together))
        times.append(time.process_time() - start)
    return sum(times) / len(times) / together / cost.cell_seconds(cell)


def _cell(group: Group, size: float) -> Cell:
    """Return a cell of this group of another size. Raises BadInput if there is none."""
    smaller: dict[str, Any] = {"dims": [group.dim], "sizes": [size]}
    if group.spec.tiles is not None:
        smaller["tiles"] = min(group.spec.tiles, fine_tiles(int(group.dim), size))
    cell = parameter_grid.cells_of(group.study, group.spec.model_copy(update=smaller), 0)[0]
    assert cell.points_held > 0
    return cell


def _import_seconds() -> float:
    """Return the processor time of a Python process that imports this package.

    Every job imports it.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = permissions.python("-c", "import poissonmatch.cli.main, poissonmatch.engine.phases")
    subprocess.run(command, env=permissions.environment(), check=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
