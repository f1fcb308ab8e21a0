"""The time of everything around the replicates: `python benchmarks/pipeline.py [STUDY ...]` writes benchmarks/results/pipeline.md.

1. Planning of studies of 10^4 to 10^6 cells, and `run` of a study of 10^5 blocks that is complete: processor time and memory of a process.
2. Aggregation of 1,000 cells of 16 replicates: processor time a cell, and files and bytes of a block.
3. For each study: the jobs that simulate, the processor time of its bare replicates in one process (compiled before), the wall time of
   `poissonmatch run`, and wall x cores over that processor time. The bar: at most 1.3, and 30 s more. Both sides are measured in one run.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from poissonmatch import studies
from poissonmatch.pipeline import batches, stages
from poissonmatch.pipeline.batch_files import BatchWriter
from poissonmatch.pipeline.results import Results
from poissonmatch.sampling.cells import Block
from poissonmatch.statistics import observables
from poissonmatch.studies import plan

ROOT = Path(__file__).parents[1]
STUDIES = [ROOT / "config" / f"{name}.yaml" for name in ("quick", "frogs", "paper")]
FACTOR, MORE = 1.3, 30.0  # the bar


def bare(path: Path) -> float:
    """Processor time of all replicates of a study file, matched and measured one after the other in this process."""
    cells = studies.cells(studies.load(path))
    for cell in cells:
        if cell.size <= min(other.size for other in cells if other.rule == cell.rule):
            observables.measure(cell, 0)  # compiles, or loads what was compiled
    start = time.process_time()
    for cell in cells:
        for replicate in range(cell.replicates):
            observables.measure(cell, replicate)
    return time.process_time() - start


def whole(path: Path) -> tuple[float, int]:
    """Wall time of a run of the study in a fresh folder, and its jobs that simulate."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        words = [sys.executable, "-m", "poissonmatch", "run", str(path), "--results", folder]
        subprocess.run(words, check=True, capture_output=True)
        wall = time.monotonic() - start
        return wall, len(list(Path(folder).glob("*/blocks/*.json")))


GRID = """
studies:
  grid: {{process: two_color, rule: {rule}, dims: {dim}, sizes: {sizes}, ratios: {ratios}, replicates: 16, observables: [{observables}]}}
"""


def grid(
    folder: Path, sizes: int, ratios: int, rule: str = "fussy", dim: int = 1, observables: str = "unmatched"
) -> Path:
    """Write a study of sizes x ratios small cells; return its file."""
    path = folder / "grid.yaml"
    values = {"sizes": [100 + k for k in range(sizes)], "ratios": [(k + 1) / ratios for k in range(ratios)]}
    path.write_text(GRID.format(rule=rule, dim=dim, observables=observables, **values))
    return path


def planned(cells: int) -> None:
    """Plan a study of this number of cells, in a process of its own, and print what it takes."""
    with tempfile.TemporaryDirectory() as folder:
        side = round(cells**0.5)
        file = studies.load(grid(Path(folder), side, cells // side))
        start = time.process_time()
        batches.write_plan(Path(folder, "0.jsonl"), file, Path(folder, "r"), minutes=10, cores=100)
        print(f"{time.process_time() - start:.1f} s | {memory():.0f} MB")


def complete(blocks: int) -> None:
    """Plan a study all of whose blocks are listed by manifests, as a complete run does, and print what it takes."""
    with tempfile.TemporaryDirectory() as folder:
        side = round(blocks**0.5)
        file = studies.load(grid(Path(folder), side, blocks // side))
        results = Path(folder, "r")
        for batch in batches.deal([*batches.missing(file, Results(results))], 10, 100):
            pretend(results, batches.blocks_of(file, batch.pieces))
        start = time.process_time()
        assert not [*batches.missing(file, Results(results))]
        print(f"{time.process_time() - start:.1f} s | {memory():.0f} MB")


def pretend(folder: Path, blocks: list[Block]) -> None:
    """Write a batch without rows."""
    writer = BatchWriter(folder, blocks, ["replicates"])
    writer.blocks = blocks
    writer.close()


def aggregated(side: int) -> None:
    """Aggregate a study of side x side cells, and print processor time a cell, and files and bytes a block."""
    with tempfile.TemporaryDirectory() as folder:
        path = grid(Path(folder), side, side, "two-color", 2, "distances")
        file, results = studies.load(path), Path(folder, "r")
        for batch in batches.deal([*batches.missing(file, Results(results))], 0.5, 1):
            batches.make(batches.blocks_of(file, batch.pieces), results)
        cells = len(studies.cells(file))
        stages.aggregate(studies.load(grid(Path(folder), 1, 1, "two-color", 2, "distances")), results)  # imports
        start = time.process_time()
        stages.aggregate(file, results)
        seconds = time.process_time() - start
        files = [path for path in (results / "blocks").rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        print(
            f"{1e3 * seconds / cells:.1f} ms a cell | {len(files) / cells:.3f} files, {size / cells:.0f} bytes a block"
        )


def memory() -> float:
    """Return the peak memory of this process in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


PARTS = {
    "planning of 10^4 cells": ("planned", 10**4),
    "planning of 10^5 cells": ("planned", 10**5),
    "planning of 10^6 cells": ("planned", 10**6),
    "a complete run of 10^5 blocks": ("complete", 10**5),
    "aggregation of 1,000 cells": ("aggregated", 32),
}


def main(paths: Iterable[Path]) -> None:
    cores = os.cpu_count() or 1
    parts = ["| what | processor time | |", "|---|---|---|"]
    for what, (function, size) in PARTS.items():
        taken = subprocess.check_output([sys.executable, __file__, "--part", function, str(size)], text=True)
        parts.append(f"| {what} | {taken.strip()} |")
        print(parts[-1], flush=True)
    lines = [
        "| study | replicates | jobs | CPU of the bare replicates | wall | wall x cores / CPU | bar |",
        "|---|---|---|---|---|---|---|",
    ]
    for path in paths:
        work = float(subprocess.check_output([sys.executable, __file__, "--bare", str(path)]))
        wall, jobs = whole(path)
        counted = plan.count(studies.load(path)).replicates
        bar = FACTOR + MORE / work
        lines.append(
            f"| {path.stem} | {counted} | {jobs} | {work:.1f} s | {wall:.1f} s | {wall * cores / work:.2f} | {bar:.2f} |"
        )
        print(lines[-1], flush=True)
    text = "\n".join(
        [
            "# Time of a study compared with its replicates",
            "",
            f"`python benchmarks/pipeline.py`, {cores} cores, {platform.processor() or platform.machine()}.",
            "",
            *parts,
            "",
            *lines,
            "",
        ]
    )
    (ROOT / "benchmarks" / "results" / "pipeline.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", nargs="*", default=STUDIES, type=Path, help="study files")
    parser.add_argument(
        "--bare", action="store_true", help="print only the processor time of the replicates of one of them"
    )
    parser.add_argument("--part", nargs=2, help="print only one of the PARTS: its function and size")
    options = parser.parse_args()
    if options.bare:
        print(bare(options.study[0]))
    elif options.part:
        {"planned": planned, "complete": complete, "aggregated": aggregated}[options.part[0]](int(options.part[1]))
    else:
        main(options.study)
