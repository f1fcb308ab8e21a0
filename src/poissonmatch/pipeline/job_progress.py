"""Progress of the simulating jobs of a run: each writes a small file, which the process that shows the progress reads."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..sampling.cells import Block
from ..studies import cost, stopping
from ..utils.libraries import pd

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

    def estimate(self, block: Block, tables: Mapping[str, pd.DataFrame]) -> None:
        """Estimate the main quantity of a cell from its finished blocks in this batch."""
        rows = tables["replicates"]
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
        data = {"replicates": self.replicates, "seconds": self.seconds, "text": self.text}
        with suppress(OSError):
            self.path.parent.mkdir(exist_ok=True)
            new = self.path.with_suffix(f".{os.getpid()}.new")
            new.write_text(json.dumps(data), encoding="utf-8")
            os.replace(new, self.path)


@dataclass(frozen=True)
class Done:
    """What is done of a run: replicates, predicted seconds of work, jobs, and the current cell with its estimate."""

    replicates: int
    all_replicates: int
    seconds: float
    all_seconds: float
    jobs: int
    all_jobs: int
    text: str


class RunProgress:
    """Reader of the plans of a run and of the files of its jobs."""

    def __init__(self, state: Path, plans: str) -> None:
        self.state, self.plans = state, plans
        self._rounds: dict[tuple[str, int], list[dict[str, Any]]] = {}  # lines of the plans that were read
        self._files: dict[str, tuple[int, dict[str, Any]]] = {}  # by batch: time of the file, and its content
        self._first: tuple[float, float] | None = None  # time and work when the first work was seen

    def read(self) -> Done:
        """Return what is done."""
        before, batches = self._planned()
        for entry in _entries(self.state / FOLDER):
            batch, time_of = entry.name.partition(".")[0], entry.stat().st_mtime_ns
            if entry.name.endswith(".json") and self._files.get(batch, (0,))[0] != time_of:
                with suppress(OSError, ValueError):
                    self._files[batch] = time_of, json.loads(Path(entry.path).read_text(encoding="utf-8"))
        running = sorted(self._files[batch] for batch in batches if batch in self._files)
        done = sum(data["replicates"] for _, data in running)
        counts = {batch: sum(end - first for *_, first, end in line["pieces"]) for batch, line in batches.items()}
        finished = [
            batch for batch, n in counts.items() if batch in self._files and self._files[batch][1]["replicates"] >= n
        ]
        return Done(
            before + done,
            before + sum(counts.values()),
            sum(data["seconds"] for _, data in running),
            sum(line["seconds"] for line in batches.values()),
            len(finished),
            len(batches),
            running[-1][1]["text"] if running else "",
        )

    def left(self, done: Done) -> float | None:
        """Return the predicted seconds until all batches are done, from the speed so far; None if it is unknown.

        The clock starts with the first replicate that is seen, so that compilation does not count.
        """
        now = time.monotonic()
        if self._first is None and done.seconds > 0:
            self._first = now, done.seconds
        if done.seconds >= done.all_seconds:
            return 0.0
        if self._first is None or done.seconds <= self._first[1]:
            return None
        speed = (done.seconds - self._first[1]) / (now - self._first[0])
        return (done.all_seconds - done.seconds) / speed

    def _planned(self) -> tuple[int, dict[str, dict[str, Any]]]:
        """Return the number of replicates that existed before, and the lines of the batches by name."""
        before, batches = 0, {}
        plans = [entry for entry in _entries(self.state / self.plans) if entry.name.endswith(".jsonl")]
        for entry in sorted(plans, key=lambda entry: int(entry.name.partition(".")[0])):
            key = entry.name, entry.stat().st_mtime_ns
            if key not in self._rounds:
                lines = Path(entry.path).read_text(encoding="utf-8").splitlines()
                self._rounds[key] = [json.loads(line) for line in lines]
            head, *lines_of_batches = self._rounds[key]
            before = before or head["done"]
            batches.update({line["batch"]: line for line in lines_of_batches})
        return before, batches


def _entries(folder: Path) -> list[os.DirEntry]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if not entry.name.startswith(".")]
    except OSError:
        return []
