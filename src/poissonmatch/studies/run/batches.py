"""The missing blocks of a study file, distributed to jobs of about equal length, and the work of such a job: a batch.

The plan of a round is a file of lines of JSON in the folder `.run` of the results: first the study
as it was when the round was planned, then a line for each job. A job needs nothing else, so that it
can run on a machine that shares no folder with the one that planned it.
"""

from __future__ import annotations

import math
import re
import shutil
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from ...utils import code_digests
from ...utils.atomic_writer import with_space, write_atomically
from ...utils.errors import BadInput, IntegrityError, integrity_error
from ...utils.manifests import canonical, read_result
from ...utils.validation import check_real
from .. import study_files
from ..results import STATE, cell_records
from ..results.batch_files import BLOCKS, Batch, BatchWriter, Rows, batch_name, manifest_path, read_manifest
from ..results.json_files import JobLine, PlanHead, of_schema
from ..results.results import Results, scan
from ..sampling.cells import Block, BlockKey
from ..statistics import observables
from ..study_files import cost, plan
from ..tables.tables import BLOCK_TABLES
from .progress import FOLDER, PLANS, JobProgress

BATCH_BYTES, BATCH_BLOCKS = 1e8, 5000  # a batch has no more, roughly: on disk, and in its manifest
LOOP = "loop-0.jsonl"  # the plan of a loop without Snakemake


@dataclass
class Job:
    """The blocks of a job, with the number of their cell in its study, its processor seconds and memory in bytes."""

    blocks: list[tuple[int, Block]] = field(default_factory=list)
    seconds: float = 0.0
    memory: float = 0.0

    @property
    def line(self) -> JobLine:
        """Return the line of the job in a plan."""
        return {
            "batch": batch_name((block.key for _, block in self.blocks), code_digests.of_stage("simulate")),
            "memory_mb": math.ceil(self.memory / 1e6),
            "minutes": math.ceil(5 + 4 * self.seconds / 60),
            "seconds": self.seconds,
            "blocks": [line_of(number, block) for number, block in self.blocks],
        }


def line_of(number: int, block: Block) -> tuple[str, int, int, int]:
    """Return a block as in the line of a job. number: of its cell in the study."""
    return block.cell.study, number, block.first, block.end


def missing(file: study_files.StudyFile, results: Results) -> Iterator[tuple[int, Block]]:
    """Yield the blocks to be made, with the number of their cell in its study."""
    for number, cell in study_files.in_row_order(file):
        yield from ((number, block) for block in results.missing(cell_records.as_needed(cell, results)))


def remaining(file: study_files.StudyFile, folder: Path, cores: int) -> plan.Plan:
    """Return the counts of the missing blocks; of a study with a target, those of its current round."""
    counts, cells = plan.Plan(cores, len(file.figures), plan.solutions(file)), set()
    for number, block in missing(file, Results(folder)):
        length = len(block.replicates)
        counts.add(block.cell, cost.job_bytes(block.cell, length), length, blocks=1, longest=length)
        cells.add((block.cell.study, number))
    counts.cells = len(cells)
    return counts


def deal(wanted: Sequence[tuple[int, Block]], minutes: float, cores: int) -> list[Job]:
    """Return jobs of about this number of minutes that keep all cores busy.

    Blocks that need about the same memory follow each other, and among them those that do in the tables.
    """
    costs = [(cost.of_block(block), (number, block)) for number, block in wanted]
    costs.sort(key=lambda entry: cost.memory_class(entry[0].memory))
    total = sum(needed.seconds for needed, _ in costs)
    largest = math.ceil(max(sum(needed.disk for needed, _ in costs) / BATCH_BYTES, len(costs) / BATCH_BLOCKS))
    count = max(cost.batches(total, len(costs), minutes, cores), min(len(costs), largest))
    jobs, done = [Job() for _ in range(count)], 0.0
    for needed, numbered in costs:
        job = jobs[min(count - 1, int(count * (done + needed.seconds / 2) / total))]
        job.blocks.append(numbered)
        job.seconds += needed.seconds
        job.memory = max(job.memory, needed.memory)
        done += needed.seconds
    return [job for job in jobs if job.blocks]


# ---- plans ----


@dataclass(frozen=True)
class RoundPlan:
    """The plan of a round: its first line, the study as it was then, and the jobs by the name of the batch that they make."""

    head: PlanHead
    study: study_files.StudyFile
    jobs: dict[str, JobLine]


def write_plan(
    path: Path, file: study_files.StudyFile, folder: Path, *, minutes: float, cores: int, stored: bool = False
) -> list[Path]:
    """Write the plan of a round, given the batches in a results folder; return the manifests to be made.

    stored: whether the tables of the batches are in the storage of Snakemake, and only their manifests here. Temporary
    files among the batches are removed: the processes that wrote them have ended. So are, in the first round, the plans
    and the progress of earlier runs.
    Raises IntegrityError for a damaged manifest, BadInput for a number of minutes that is none.
    """
    check_real("minutes", minutes, "a number from 1e-9 to 1e9", 1e-9, 1e9)
    for leftover in scan(folder).unfinished:
        leftover.unlink(missing_ok=True)
    if path.stem.endswith("-0"):
        shutil.rmtree(path.parents[1] / FOLDER, ignore_errors=True)
        for other in path.parent.glob("*.jsonl"):
            other.unlink()
    names = {f"{manifest.stem}.parquet" for manifest in (folder / BLOCKS).glob("*.json")}
    results = Results(folder, dict.fromkeys(BLOCK_TABLES, names) if stored else None)
    results.demand_manifests()
    wanted: list[tuple[int, Block]] = []
    existing: set[str] = set()
    done = 0
    for number, cell in study_files.in_row_order(file):
        for block in results.blocks(cell_records.as_needed(cell, results)):
            if block in results:
                existing |= results.batches_of([block])
                done += min(block.end, block.cell.replicates) - block.first
            else:
                wanted.append((number, block))
    jobs = deal(wanted, minutes, cores)
    head = {
        "done": done,
        "replicates": sum(len(block.replicates) for job in jobs for _, block in job.blocks),
        "seconds": sum(job.seconds for job in jobs),
        "jobs": len(jobs),
        "aggregation": plan.count(file).aggregate_seconds,
        "study": file.model_dump(mode="json", by_alias=True),
        "study_folder": asdict(file.study_folder),
        "minutes": minutes,
        "cores": cores,
        "tables": file.block_tables,
        "existing": sorted(existing),
    }
    lines = [job.line for job in jobs]
    write_atomically(path, b"".join(f"{canonical(line)}\n".encode() for line in (head, *lines)))
    return [manifest_path(folder, line["batch"]) for line in lines]


def read_plan(path: Path, batch: str = "") -> RoundPlan:
    """Return the plan of a round. batch: name of the one job that is read.

    Later edits of the study file belong to the next run. Raises BadInput if points or sources that
    it names have changed since, IntegrityError if it is not a plan.
    """
    first, _, rest = read_result(path).partition(b"\n")
    head: PlanHead = of_schema(path, first, PlanHead)
    study = study_files.of_data(head["study"], str(path), head["study_folder"])
    lines = [of_schema(path, line, JobLine) for line in rest.splitlines() if batch.encode() in line]
    return RoundPlan(head, study, {line["batch"]: line for line in lines})


def batches_of(plans: Iterable[Path]) -> set[str] | None:
    """Return the names of the batches of the plans of all rounds, None without a plan."""
    names: set[str] = set()
    for path in plans:
        first, _, rest = read_result(path).partition(b"\n")
        names |= {*of_schema(path, first, PlanHead)["existing"]}
        names |= {of_schema(path, line, JobLine)["batch"] for line in rest.splitlines()}
    return names or None


# ---- the work of a job ----


def blocks_of(file: study_files.StudyFile, line: JobLine) -> list[Block]:
    """Return the blocks of a job, given its line in a plan; no other cell is made."""
    numbers: dict[str, set[int]] = {}
    for study, number, *_ in line["blocks"]:
        numbers.setdefault(study, set()).add(number)
    cells = {
        (study, number): cell
        for study, wanted in numbers.items()
        for number, cell in zip(
            sorted(wanted), study_files.cells_of(study, file.studies[study], file.seed, wanted), strict=True
        )
    }
    return [Block(cells[study, number], first, end) for study, number, first, end in line["blocks"]]


def make(
    blocks: Sequence[Block],
    folder: Path,
    *,
    tables: Iterable[str] = (),
    threads: int = 1,
    progress: Callable[[Block, int], None] = lambda block, replicate: None,
    existing: Mapping[BlockKey, tuple[Batch, int]] | None = None,
    finished: Callable[[Block, Rows], None] = lambda block, rows: None,
) -> Path:
    """Make blocks and write them as a batch to a results folder; return its manifest.

    SIGINT, SIGTERM or an error keeps the blocks that are finished, as a separate batch. A batch
    that is killed leaves nothing. tables: names of those that have a file in any case. progress:
    called with the block and each replicate that is done. existing: blocks that are copied from a
    batch, and their numbers there. finished: called with each block that is done, and its rows by
    table.
    """
    writer = BatchWriter(folder, blocks, tables)
    try:
        with _Signals() as signals:
            try:
                for block in blocks:
                    if existing and block.key in existing:
                        batch, number = existing[block.key]
                        rows = batch.read(number)
                    else:
                        rows = observables.measure_block(block, threads, partial(progress, block))
                    with signals.waiting():
                        writer.add(block, rows)
                    finished(block, rows)
            except BaseException:
                with signals.waiting(), suppress(OSError):  # of a full disk
                    writer.close_if_any()
                raise
            with signals.waiting():
                return writer.close()
    except OSError as error:
        raise with_space(error, folder) from None
    finally:
        writer.discard()


def rounds(file: study_files.StudyFile, folder: Path) -> Iterator[list[list[Block]]]:
    """Yield the missing blocks of a study file by job, until the blocks that were made show that no more are needed."""
    while wanted := [*missing(file, Results(folder))]:
        yield [[block for _, block in job.blocks] for job in deal(wanted, cost.JOB_MINUTES, cores=1)]


def plan_with(plans: Path, batch: str) -> Path:
    """Return the plan in a folder that has a batch. Raises BadInput if there is none."""
    for path in sorted(plans.glob("*.jsonl")):
        if f'"batch":"{batch}"'.encode() in path.read_bytes():
            return path
    raise BadInput(f"{plans}: no plan has the batch {batch}")


def work(
    manifest: Path,
    *,
    threads: int = 1,
    progress: Callable[[Block, int], None] = lambda block, replicate: None,
) -> None:
    """Make the batch that has this manifest, by the plan in its results folder.

    Blocks that an interrupted attempt finished are copied. A batch that exists stays as it is. Progress goes to a file
    in the state of the run. Raises IntegrityError if the batch exists and is damaged, or the plan is.
    """
    if manifest.exists():
        batch = read_manifest(manifest)
        if all(path.exists() for path in batch.files):
            batch.open()
            return
    folder = manifest.parents[1]
    plan = plan_with(folder / STATE / PLANS, manifest.stem)
    round = read_plan(plan, manifest.stem)
    try:
        blocks = blocks_of(round.study, round.jobs[manifest.stem])
    except (KeyError, ValueError):
        blocks = []
    if batch_name((block.key for block in blocks), code_digests.of_stage("simulate")) != manifest.stem:
        detail = f"it does not describe the batch {manifest.stem}, or is of other code; plan again"
        raise integrity_error(plan, "out of date", detail)
    existing = _of_interrupted_jobs(plan, round, folder)
    job = JobProgress(plan.absolute().parents[1], manifest.stem)

    def step(block: Block, replicate: int) -> None:
        progress(block, replicate)
        job.step(block, replicate)

    for block in blocks:
        for replicate in block.replicates if block.key in existing else ():
            job.step(block, replicate)
    make(
        blocks,
        folder,
        tables=round.head["tables"],
        threads=threads,
        progress=step,
        existing=existing,
        finished=job.estimate,
    )
    job.close()


def _of_interrupted_jobs(plan: Path, round: RoundPlan, folder: Path) -> dict[BlockKey, tuple[Batch, int]]:
    """Return the blocks that interrupted jobs of a plan finished: in batches newer than the plan, and not in it."""
    planned = {*round.head["existing"], *re.findall(r'"batch":"([0-9a-f]{16})"', plan.read_bytes().decode())}
    existing: dict[BlockKey, tuple[Batch, int]] = {}
    for path in (folder / BLOCKS).glob("*.json"):
        if path.stem not in planned and path.stat().st_mtime >= plan.stat().st_mtime:
            with suppress(IntegrityError):  # such a batch is reported when it is read for the tables
                batch = read_manifest(path)
                batch.open()
                if batch.code == code_digests.of_stage("simulate"):
                    existing |= {key: (batch, number) for number, key in enumerate(batch.keys)}
    return existing


class _Signals:
    """SIGINT as KeyboardInterrupt and SIGTERM as SystemExit, but not while files are written.

    An exception that is lost, as in a callback of the compiler, is raised again after the block.
    """

    def __enter__(self) -> _Signals:
        self._waits, self._number = False, 0
        self._before = {number: signal.signal(number, self._handle) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, frame: object) -> None:
        self._number = number
        if not self._waits:
            self._raise()

    def _raise(self) -> None:
        raise KeyboardInterrupt if self._number == signal.SIGINT else SystemExit(128 + self._number)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Raise a signal that arrives within the context at its end."""
        self._waits = True
        try:
            yield
        finally:
            self._waits = False
            if self._number:
                self._raise()
