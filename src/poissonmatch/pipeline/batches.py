"""Batches: the missing blocks of a study file, distributed to jobs of about equal length, and the work of such a job.

The folder `.run` of the results (STATE) holds nothing that lasts: the study as it was when the run
was planned, and for each round a list of batches. A batch is no part of a result: a block that
exists and is right is left alone, however it was cut.
"""

from __future__ import annotations

import heapq
import json
import math
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .. import studies
from ..sampling.cells import Block, Cell
from ..sampling.sources import StudyFolder
from ..studies import cost, plan
from ..utils.errors import IntegrityError
from ..utils.fingerprint import canonical
from . import blocks, progress
from .atomic_files import write_atomically

STUDY, SIMULATE = "study.json", "simulate"


@dataclass
class Batch:
    """Work of one job: pieces (study, number of the cell in it, first, end), processor time, and memory in bytes."""

    pieces: list[tuple[str, int, int, int]] = field(default_factory=list)
    seconds: float = 0.0
    memory: float = 0.0

    @property
    def asks(self) -> dict[str, int]:
        """Return the memory and time that its job asks for."""
        return {"memory_mb": math.ceil(self.memory / 1e6), "minutes": math.ceil(5 + 4 * self.seconds / 60)}


def missing(file: studies.StudyFile, folder: Path) -> Iterator[tuple[str, int, Block]]:
    """Return the blocks to be made, with their study and the number of their cell in it."""
    for name, study in file.studies.items():
        begun = (folder / "blocks" / name).exists()
        for number, cell in enumerate(studies.cells_of(name, study, file.seed)):
            cell = progress.as_needed(cell, folder) if begun else cell
            for block in blocks.tiling(cell, folder) if begun else cell.blocks():
                if not begun or not blocks.finished(block, folder):
                    yield name, number, block


def left(file: studies.StudyFile, folder: Path, cores: int) -> plan.Plan:
    """Return the counts of the missing blocks; of a study with a target, those of its current round."""
    found, kinds = plan.Plan(cores, len(file.figures)), {(g.study, g.dim): g.kind for g in plan.groups(file)}
    cells = set()
    for study, number, block in missing(file, folder):
        cells.add((study, number))
        work, memory = cost.weight(block)
        found.add(kinds[study, block.cell.dim], work, memory, blocks=1)
        found.replicates += len(block.replicates)
        found.points += len(block.replicates) * block.cell.size
    found.cells = len(cells)
    return found


def deal(wanted: Iterable[tuple[str, int, Block]], minutes: float, cores: int) -> list[Batch]:
    """Return batches of about this number of minutes that keep all cores busy; blocks that need much memory are separate."""
    classes: dict[int, list[tuple[float, float, tuple[str, int, int, int]]]] = {}
    for study, number, block in wanted:
        work, memory = cost.weight(block)
        piece = (study, number, block.first, block.end)
        classes.setdefault(cost.memory_class(memory), []).append((work, memory, piece))
    found = []
    for _, pieces in sorted(classes.items()):
        total = sum(work for work, *_ in pieces)
        number = cost.batches(total, len(pieces), minutes, cores)
        found += _even(sorted(pieces, key=lambda piece: -piece[0]), number)
    return found


def _even(pieces: list[tuple[float, float, tuple[str, int, int, int]]], number: int) -> list[Batch]:
    """Deal out pieces, the longest first, each to the batch that is the shortest so far."""
    found = [Batch() for _ in range(number)]
    heap = [(0.0, k) for k in range(number)]
    for work, memory, piece in pieces:
        _, k = heap[0]
        batch = found[k]
        batch.pieces.append(piece)
        batch.seconds += work
        batch.memory = max(batch.memory, memory)
        heapq.heapreplace(heap, (batch.seconds, k))
    for batch in found:
        batch.pieces.sort()
    return found


# ---- the plan of a run: STATE/study.json, and STATE/simulate/ROUND.json with a file
# ROUND-BATCH.json for each batch ------


def begin(state: Path, file: studies.StudyFile, found: list[Batch], *, minutes: float, cores: int) -> None:
    """Write the study and the batches of its first round, in place of an earlier plan.

    Temporary files among the blocks are removed: the processes that wrote them have ended.
    """
    shutil.rmtree(state / SIMULATE, ignore_errors=True)
    for path in (state.parent / "blocks").rglob(".*.tmp"):
        path.unlink(missing_ok=True)
    study = {"study": file.model_dump(mode="json", by_alias=True), "place": asdict(file.place)}
    write_atomically(state / STUDY, canonical(study | {"minutes": minutes, "cores": cores}).encode())
    write_round(state, 0, found)


def round_file(state: Path, round: int) -> Path:
    """Return the list of what the jobs of a round ask for."""
    return state / SIMULATE / f"{round}.json"


def write_round(state: Path, round: int, found: list[Batch]) -> None:
    """Write the batches of a round, and last the list of what their jobs ask for."""
    for k, batch in enumerate(found):
        write_atomically(state / SIMULATE / f"{round}-{k}.json", canonical(batch.pieces).encode())
    write_atomically(round_file(state, round), canonical([batch.asks for batch in found]).encode())


def read_round(state: Path, round: int) -> list[dict[str, int]]:
    """Return what the jobs of a round ask for."""
    return json.loads(round_file(state, round).read_bytes())


def plan_of(state: Path) -> tuple[studies.StudyFile, dict[str, Any]]:
    """Return the study file as it was when the run was planned, and the `minutes` and `cores` of its jobs.

    Later edits of the study file belong to the next run. Raises BadInput if points or sources that
    it names have changed since.
    """
    found = json.loads((state / STUDY).read_bytes())
    return studies.of_data(found["study"], str(state / STUDY), StudyFolder(**found["place"])), found


def plan_round(state: Path, round: int) -> int:
    """Write the batches of a later round, given the results of earlier rounds; return their number, 0 if all is done."""
    file, found = plan_of(state)
    more = deal(missing(file, state.parent), found["minutes"], found["cores"])
    write_round(state, round, more)
    return len(more)


def work(batch: Path, *, threads: int = 1, progress: Callable[[str], None] = print) -> tuple[int, int]:
    """Make the missing and invalid blocks of a batch; return the numbers of blocks made and found finished."""
    state = batch.parents[1]
    (file, _), folder = plan_of(state), state.parent
    cells: dict[str, list[Cell]] = {}
    made = kept = 0
    for study, number, first, end in json.loads(batch.read_bytes()):
        if study not in cells:
            cells[study] = studies.cells_of(study, file.studies[study], file.seed)
        block = Block(cells[study][number], first, end)
        if right(block, folder):
            kept += 1
            continue
        progress(f"{study} {block.cell.id} {block.name}")
        blocks.simulate(block, folder, threads=threads)
        made += 1
    return made, kept


def right(block: Block, folder: Path) -> bool:
    """Return whether this block exists, was made by the installed code, and has the bytes that were written."""
    try:
        blocks.read_block(folder, block)
    except IntegrityError:
        return False
    return True
