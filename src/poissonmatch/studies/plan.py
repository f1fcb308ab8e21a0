"""What a study will cost, before anything runs. Cells and jobs are counted, never listed: 10^10 of them take no time."""

from __future__ import annotations

import math
import resource
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .. import trust
from ..errors import BadInput
from ..rules import Rule, rule_named
from ..statistics import observables
from . import cost, schema

MOST_JOBS = 100_000
MOST_MEMORY = 64e9  # bytes of one job
MOST_DISK = 1e12  # bytes
CALIBRATE_SECONDS = 6.0
SNAKEMAKE_JOB = (
    1.5  # processor time of a job beside its work, in imports of Snakemake and this package (measured: 1.4 to 1.6)
)


@dataclass(frozen=True)
class Group:
    """The cells of a study that differ in their intensities only: `cells` of them cost the same."""

    study: str
    spec: schema.Study
    dim: float
    size: float
    cells: int

    @property
    def replicates(self) -> int:
        """Replicates of a cell, at most."""
        return max(self.spec.replicates, self.spec.max_replicates or 0)

    @property
    def rule(self) -> Rule:
        return rule_named(self.spec.rule)

    @property
    def block(self) -> int:
        """Replicates of a job."""
        return schema.block_of(self.spec, self.dim, self.size)

    @property
    def jobs(self) -> int:
        """Jobs of a cell."""
        return -(-self.replicates // self.block)

    @property
    def kind(self) -> tuple:
        """Groups of one kind differ in their size only."""
        return (self.spec.process.name, self.spec.rule, self.dim, observables.measured(self.spec.observables))

    @property
    def seconds(self) -> float:
        """The rough, machine-independent cost of one replicate."""
        return cost.seconds_per_replicate(self.dim, self.size, self.rule)


@dataclass
class Plan:
    """Sums over a study file: cells, jobs, replicates, points (expected), memory of the largest job and disk in bytes.

    seconds: processor time of the work and of the jobs around it; longest: of the longest job. nan until calibrated.
    """

    cells: int = 0
    jobs: int = 0
    replicates: int = 0
    points: float = 0.0
    memory: float = 0.0
    disk: float = 0.0
    work_seconds: float = math.nan
    job_seconds: float = math.nan
    longest: float = math.nan

    @property
    def seconds(self) -> float:
        return self.work_seconds + self.job_seconds

    def refuse_if_large(self) -> None:
        """Raises BadInput above a ceiling: jobs, memory of a job, or disk."""
        wrong = []
        if self.jobs > MOST_JOBS:
            wrong.append(f"{self.jobs} jobs, more than {MOST_JOBS}")
        if self.memory > MOST_MEMORY:
            wrong.append(f"a job of {self.memory / 1e9:.3g} GB memory, more than {MOST_MEMORY / 1e9:g} GB")
        if self.disk > MOST_DISK:
            wrong.append(f"{self.disk / 1e9:.3g} GB on disk, more than {MOST_DISK / 1e9:g} GB")
        if wrong:
            raise BadInput(f"this study asks for {' and '.join(wrong)}; --allow-large if you mean it")


def groups(file: schema.StudyFile) -> Iterator[Group]:
    """The groups of cells of a study file."""
    for name, spec in file.studies.items():
        pairs = len(schema.intensity_pairs(spec))
        for dim in spec.dims:
            for size in spec.sizes:
                yield Group(name, spec, dim, size, pairs)


def count(file: schema.StudyFile) -> Plan:
    """Count what a study file asks for; no time is predicted yet."""
    plan = Plan()
    schema.refuse_too_many(file)
    for group in groups(file):
        jobs = group.cells * group.jobs
        plan.cells += group.cells
        plan.jobs += jobs
        plan.replicates += group.cells * group.replicates
        plan.points += group.cells * group.replicates * group.size
        names = group.spec.observables
        block = min(group.block, group.replicates)
        memory = cost.job_bytes(group.dim, group.size, group.rule, names, block)
        plan.memory = max(plan.memory, memory)
        plan.disk += group.cells * cost.disk_bytes(group.size, names, group.replicates, group.jobs)
    plan.jobs += 2 + len(file.figures)  # the tables, the pages of the report, the figures
    return plan


def calibrated(file: schema.StudyFile) -> Plan:
    """count, with the processor time that it will take on this machine: a few small replicates of each kind are timed."""
    plan = count(file)
    by_kind: dict[tuple, list[Group]] = {}
    for group in groups(file):
        by_kind.setdefault(group.kind, []).append(group)
    plan.job_seconds = plan.jobs * SNAKEMAKE_JOB * _import_seconds()
    cells = {}
    for kind, members in by_kind.items():
        cheapest = min(members, key=lambda group: group.seconds)
        dearest = max(members, key=lambda group: group.seconds * group.replicates * group.cells)
        cells[kind] = [cheapest, dearest]
    speed: dict[tuple, float] = {}
    total = sum(g.seconds * g.replicates * g.cells for members in by_kind.values() for g in members)
    weight = {kind: sum(g.seconds * g.replicates * g.cells for g in m) / total for kind, m in by_kind.items()}
    start = time.monotonic()
    for kind in sorted(by_kind, key=lambda k: -weight[k]):  # what matters most comes first
        if speed and time.monotonic() - start > CALIBRATE_SECONDS:
            break
        budget = max(0.1, 0.5 * CALIBRATE_SECONDS * weight[kind])
        speed[kind] = _speed(cells[kind][1], budget)
    usual = sum(speed[k] * weight[k] for k in speed) / sum(weight[k] for k in speed)
    plan.work_seconds = sum(
        speed.get(kind, usual) * g.seconds * g.replicates * g.cells
        for kind, members in by_kind.items()
        for g in members
    )
    plan.longest = plan.job_seconds / plan.jobs + max(
        speed.get(kind, usual) * g.seconds * min(g.block, g.replicates)
        for kind, members in by_kind.items()
        for g in members
    )
    return plan


def _speed(group: Group, budget: float) -> float:
    """Measured over rough time of a replicate, from replicates of this group, made smaller if it does not fit the budget."""
    small = group.size
    while small > 500 and 3 * cost.seconds_per_replicate(group.dim, small, group.rule) > budget:
        small /= 2
    cell = schema.cells_of(group.study, group.spec.model_copy(update={"dims": [group.dim], "sizes": [small]}), 0)[0]
    observables.measure(cell, 0)  # compiles, or loads what was compiled
    times: list[float] = []
    while len(times) < 2 or (sum(times) < budget and len(times) < 20):
        start = time.process_time()
        observables.measure(cell, 1 + len(times))
        times.append(time.process_time() - start)
    return sum(times) / len(times) / cost.seconds_per_replicate(group.dim, small, group.rule)


def _import_seconds() -> float:
    """Processor time of a Python process that imports Snakemake and this package, as every job does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = trust.python("-c", "import snakemake.cli, poissonmatch.pipeline.stages")
    elsewhere = Path(__file__).parent  # since Snakemake looks for modules in the .snakemake of the current folder
    done = subprocess.run(words, env=trust.environment(), cwd=elsewhere, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"Snakemake cannot be imported: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
