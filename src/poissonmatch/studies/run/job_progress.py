"""Progress of the simulating jobs of a run: each writes a small file, which the process that shows the progress reads."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...utils.libraries import pa, pd
from ..sampling.cells import Block
from ..study_files import cost, stopping

FOLDER = "progress"  # of the files of the jobs, in the state of a run
WRITE_SECONDS = 0.5  # between two writes of a job


class JobProgress:
    """The file with the progress of a batch.

    Errors of writing it are ignored: the results do not depend on it.
    """

    def __init__(self, state: Path, batch: str) -> None:
        self.path = state / FOLDER / f"{batch}.json"
        self.replicates, self.seconds, self.text = 0, 0.0, ""
        self.rows: pd.DataFrame | None = None  # of `replicates` of the current cell
        self.cell, self.last = "", 0.0

    def step(self, block: Block, replicate: int) -> None:
        """Count a replicate that is done."""
        self.replicates += 1
        self.seconds += cost.cell_seconds(block.cell)
        if self.cell != (name := f"{block.cell.study} {block.cell.id}"):
            self.cell, self.rows, self.text = name, None, stopping.line(block.cell, None)
        self._write()

    def estimate(self, block: Block, tables: Mapping[str, pa.Table]) -> None:
        """Estimate the main quantity of a cell from its finished blocks in this batch."""
        rows = tables["replicates"].to_pandas()
        self.rows = rows if self.rows is None else pd.concat([self.rows, rows], ignore_index=True)
        self.text = stopping.line(block.cell, self.rows)
        self._write()

    def close(self) -> None:
        """Write the last state."""
        self._write(at_once=True)

    def _write(self, at_once: bool = False) -> None:
        now = time.monotonic()
        if not at_once and now - self.last < WRITE_SECONDS:
            return
        self.last = now
        data = {"batch": self.path.stem, "replicates": self.replicates, "seconds": self.seconds, "text": self.text}
        with suppress(OSError):
            self.path.parent.mkdir(exist_ok=True)
            new = self.path.with_suffix(f".{os.getpid()}.new")
            new.write_text(json.dumps(data), encoding="utf-8")
            os.replace(new, self.path)


@dataclass(frozen=True)
class Done:
    """What is done of a run: replicates, predicted seconds of work, jobs, and the current cell with its estimate.

    aggregation: predicted seconds for the cells of its tables.
    """

    replicates: int
    all_replicates: int
    seconds: float
    all_seconds: float
    jobs: int
    all_jobs: int
    text: str
    aggregation: float = 0.0


class RunProgress:
    """Reader of the plans of a run, in a folder of its state, and of the files of its jobs.

    parallel: largest number of jobs that run at the same time.
    """

    def __init__(self, state: Path, plans: str, parallel: int = 1) -> None:
        self.state, self.plans, self.parallel = state, plans, parallel
        self._files: dict[str, tuple[int, list[dict[str, Any]]]] = {}  # by path: time, and content
        self._first: tuple[float, float] | None = None  # time and work when the first work was seen

    def read(self) -> Done:
        """Return what is done."""
        rounds = [self._lines(plan) for plan in sorted(_entries(self.state / self.plans, ".jsonl"), key=_round)]
        planned = {line["batch"]: line for _, lines in rounds for line in lines[1:]}
        head = next((lines[0] for _, lines in rounds if lines), {"done": 0})
        kept = head["done"]
        files = sorted(map(self._lines, _entries(self.state / FOLDER, ".json")), key=itemgetter(0))
        jobs = {job["batch"]: job for _, lines in files for job in lines if job["batch"] in planned}
        counts = {batch: sum(end - first for *_, first, end in line["blocks"]) for batch, line in planned.items()}
        return Done(
            kept + sum(job["replicates"] for job in jobs.values()),
            kept + sum(counts.values()),
            sum(job["seconds"] for job in jobs.values()),
            sum(line["seconds"] for line in planned.values()),
            sum(job["replicates"] >= counts[batch] for batch, job in jobs.items()),
            len(planned),
            [*jobs.values()][-1]["text"] if jobs else "",
            head.get("aggregation", 0.0),
        )

    def left(self, done: Done, others: int, seconds: float, *, aggregated: bool) -> float | None:
        """Return the predicted seconds until the end of the run, None if they are unknown.

        Batches go on at the speed so far. Its clock starts with the first replicate that is seen,
        so that compilation does not count.

        Parameters
        ----------
        done : Done
            What `read` returned.
        others : int
            Number of other jobs that are not finished: tables and the report, one after the other,
            and figures, of which several are drawn at the same time.
        seconds : float
            Time of such a job, apart from the cells of the tables.
        aggregated : bool
            Whether the tables are finished.
        """
        now, work = time.monotonic(), done.all_seconds - done.seconds
        if self._first is None and done.seconds > 0:
            self._first = now, done.seconds
        alone = 1 if aggregated else 2  # the report, and before it the tables
        rest = seconds * (min(others, alone) + math.ceil(max(0, others - alone) / self.parallel))
        rest += 0.0 if aggregated else done.aggregation
        if work <= 0:
            return rest
        if self._first is None or done.seconds <= self._first[1]:
            return None
        return rest + work * (now - self._first[0]) / (done.seconds - self._first[1])

    def _lines(self, file: os.DirEntry) -> tuple[int, list[dict[str, Any]]]:
        """Return the time of a file, and its lines of JSON; it is read again if it has changed."""
        before = self._files.get(file.path, (0, []))
        with suppress(OSError, ValueError):
            if before[0] != (time := file.stat().st_mtime_ns):
                lines = Path(file.path).read_text(encoding="utf-8").splitlines()
                self._files[file.path] = before = time, [*map(json.loads, lines)]
        return before


def _round(plan: os.DirEntry) -> int:
    return int(plan.name.partition(".")[0])


def _entries(folder: Path, suffix: str) -> list[os.DirEntry]:
    """Return the files in a folder that have this suffix; none if there is no folder."""
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if entry.name.endswith(suffix) and not entry.name.startswith(".")]
    except OSError:
        return []
