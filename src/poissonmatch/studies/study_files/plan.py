"""Cost of a study before it runs.

Cells and jobs are counted, not listed, so 10^10 of them take no time. Times come from one measured replicate of each kind of cell.
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...matching.match import compile_seconds
from ...points.tiled import fine_tiles
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
MEASURE_SECONDS = 3.0  # for all kinds of cells together,
LEAST_SECONDS = 0.1  # and at least for each of them
FEW_POINTS = 100_000.0  # of the first torus that is measured, at most
# Processor time in units of an import of the package: a batch without its work; Snakemake, tables and report; a job
# that draws without its figures; a figure.
BATCH, AROUND, DRAWING, FIGURE = 1.5, 9.5, 2.8, 1.8


@dataclass(frozen=True)
class Timing:
    """Processor time on this machine.

    speed: measured over rough seconds of a replicate, by kind of cell. import_seconds: of a process that imports the package.
    compile_seconds: spent here to compile kernels that were not in the cache.
    """

    speed: Mapping[tuple, float] = field(default_factory=dict)
    import_seconds: float = math.nan
    compile_seconds: float = 0.0


@dataclass
class Plan:
    """Sums over the blocks of a study file.

    `work` and `longest` (of the longest block) are rough seconds. Properties that end in `seconds` need `timing`.
    """

    cores: int = 1  # that are kept busy
    figures: int = 0
    solutions: int = 0  # exact tails that are solved numerically, one for each ratio
    cells: int = 0
    blocks: int = 0
    replicates: int = 0
    points: float = 0.0  # expected
    memory: float = 0.0  # bytes, of the largest job
    disk: float = 0.0  # bytes
    timing: Timing = Timing()
    work: dict[tuple, float] = field(default_factory=partial(defaultdict, float))  # by kind of cell
    longest: dict[tuple, float] = field(default_factory=partial(defaultdict, float))  # by kind of cell
    largest: dict[tuple, Cell] = field(default_factory=dict)  # the largest cell of each kind

    def add(self, cell: Cell, memory: float, replicates: int, blocks: int, longest: int) -> None:
        """Add blocks of cells that cost the same.

        memory: bytes of the job of the longest block, which has `longest` replicates. replicates: of all blocks.
        """
        kind, seconds = kind_of(cell), cost.cell_seconds(cell)
        self.blocks += blocks
        self.replicates += replicates
        self.points += replicates * cell.size
        self.memory = max(self.memory, memory)
        self.work[kind] += replicates * seconds
        self.longest[kind] = max(self.longest[kind], longest * seconds)
        self.largest[kind] = max(self.largest.get(kind, cell), cell, key=lambda cell: cell.size)

    @property
    def batches(self) -> int:
        """Number of jobs that simulate, as `run` makes them on one machine."""
        return cost.batches(sum(self.work.values()), self.blocks, cost.JOB_MINUTES, self.cores)

    @property
    def jobs(self) -> int:
        """Number of jobs: those that simulate and that draw, and one each for the tables and the report."""
        return self.batches + 2 + self.drawing_jobs if self.blocks else 0

    @property
    def drawing_jobs(self) -> int:
        """Number of jobs that draw figures."""
        return -(-self.figures // cost.figures_together(self.figures))

    @property
    def work_seconds(self) -> float:
        """Processor time of the replicates."""
        return sum(self._measured(self.work))

    @property
    def job_seconds(self) -> float:
        """Processor time of everything else: Snakemake, the start of the jobs, tables, figures and the report."""
        imports = BATCH * self.batches + AROUND + DRAWING * self.drawing_jobs + FIGURE * self.figures
        return imports * self.timing.import_seconds + self.aggregate_seconds if self.blocks else 0.0

    @property
    def seconds(self) -> float:
        """Processor time."""
        return self.work_seconds + self.job_seconds

    @property
    def wall_seconds(self) -> float:
        """Time on `cores` cores: jobs that simulate run in parallel, and so do figures, the rest one after another."""
        if not self.blocks:
            return 0.0
        unit = self.timing.import_seconds
        simulate = (self.work_seconds + self.batches * BATCH * unit) / min(self.cores, self.batches)
        longest = max(self._measured(self.longest)) + BATCH * unit
        figures = (DRAWING * self.drawing_jobs + FIGURE * self.figures) / min(self.cores, max(1, self.drawing_jobs))
        return max(simulate, longest) + (AROUND + figures) * unit + self.aggregate_seconds

    @property
    def aggregate_seconds(self) -> float:
        """Rough processor time of making the tables."""
        return cost.aggregate_seconds(self.cells, self.replicates, self.solutions)

    def _measured(self, rough: Mapping[tuple, float]) -> list[float]:
        """Return rough seconds by kind of cell in seconds of this machine."""
        return [self.timing.speed[kind] * seconds for kind, seconds in rough.items()]

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


def kind_of(cell: Cell) -> tuple:
    """Return all that the time of a point depends on."""
    return cell.process_name, cell.rule, cell.dim, cell.observables, cell.tiles


def count(file: schema.StudyFile, cores: int | None = None) -> Plan:
    """Count cells, blocks, jobs, points, memory and disk space of a study file; times are not measured. cores: by default all."""
    plan = Plan(cores or os.cpu_count() or 1, len(file.figures), solutions(file))
    for name, study in file.by_rule:
        number, replicates = len(study.intensity_pairs), study.most_replicates
        for alike in _representatives(name, study, file.seed):
            longest = min(alike[0].block, replicates)
            blocks = -(-replicates // longest)
            memory = max(cost.job_bytes(cell, longest) for cell in alike)
            plan.cells += number
            plan.add(alike[0], memory, number * replicates, number * blocks, longest)
            plan.disk += number * max(cost.disk_bytes(cell, replicates, blocks) for cell in alike)
    return plan


def solutions(file: schema.StudyFile) -> int:
    """Return the number of exact tails that are solved numerically when tables are made."""
    ratios: set[float] = set()
    for _, study in file.by_rule:
        is_solved = {*study.dims} & {*study.rule_entry.law.solved_dims}
        if is_solved and study.process.entry.uniform and "distances" in study.observables:
            ratios |= {pair[1] / pair[0] for pair in study.intensity_pairs if pair[0]}
    return len(ratios)


def _representatives(name: str, study: schema.Study, seed: int) -> Iterator[tuple[Cell, ...]]:
    """Yield a typical cell and those that may need most memory, of each dimension and size together."""
    pairs = study.intensity_pairs
    most = partial(cost.unmatched_fraction, study.rule_entry) if study.tiles else sum
    some = dict.fromkeys((pairs[len(pairs) // 2], min(pairs, key=sum), max(pairs, key=sum), max(pairs, key=most)))
    fewer = study.model_copy(update={"intensities": [*map(list, some)], "ratios": None})
    cells = iter(parameter_grid.cells_of(name, fewer, seed))
    return zip(*[cells] * len(some), strict=True)


# ---- times ----


def calibrated(file: schema.StudyFile, cores: int | None = None) -> Plan:
    """Return the counts with the processor time on this machine. cores: by default all."""
    plan = count(file, cores)
    return replace(plan, timing=timing(plan.largest.values()))


def timing(cells: Collection[Cell]) -> Timing:
    """Measure the processor time of an import, and of a replicate of each of these cells, one of each kind.

    Kernels that a run needs are compiled for all kinds, so that the run does not compile them again.
    """
    speed, compiled = {}, 0.0
    budget = max(LEAST_SECONDS, MEASURE_SECONDS / len(cells))
    for cell in cells:
        for sample in _samples(cell):
            first = 0 if cell.process_entry.given else 1  # some observables are measured on replicate 0 only
            together = next(sample.joined(range(first, first + cost.LONGEST_BLOCK), cell.rule_entry.width))
            measure = partial(observables.measure_block, Block(sample, together.start, together.stop))
            compiled += compile_seconds(measure)
            start = time.process_time()
            measure()
            seconds = (time.process_time() - start) / len(together)
            if seconds > budget / 10:
                break
        speed[kind_of(cell)] = seconds / cost.cell_seconds(sample)
    return Timing(speed, _import_seconds(), compiled)


def _samples(cell: Cell) -> Iterator[Cell]:
    """Yield cells of the same kind with more and more points, at last the cell."""
    sizes = [cell.size]
    while not cell.process_entry.given and (  # files have their size
        sizes[0] > FEW_POINTS or cost.cell_seconds(replace(cell, size=sizes[0])) > MEASURE_SECONDS
    ):
        sizes.insert(0, sizes[0] / 4)
    for size in sizes:
        with suppress(BadInput):  # the process cannot be so small
            yield _resized(cell, size)


def _resized(cell: Cell, size: float) -> Cell:
    """Return a cell with another expected number of points. Raises BadInput if the process cannot be drawn."""
    size = cell.process_entry.size(size, cell.dim, cell.intensities)
    sides = tuple(side * (size / cell.size) ** (1 / cell.dim) for side in cell.sides)
    tiles = None if cell.tiles is None else min(cell.tiles, fine_tiles(int(cell.dim), size))
    resized = replace(cell, size=size, sides=sides, tiles=tiles)
    assert resized.points_held > 0  # which raises BadInput
    return resized


def _import_seconds() -> float:
    """Return the processor time of a Python process that imports this package, as every job does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = permissions.python("-c", "import poissonmatch.cli.main, poissonmatch.engine.phases")
    subprocess.run(command, env=permissions.environment(), check=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
