"""The time of everything around the replicates: `python benchmarks/pipeline.py [STUDY ...]` writes benchmarks/results/pipeline.md.

1. Planning of studies of 10^4 to 10^6 cells, and `run` of a study of 10^5 blocks that is complete: processor time and memory of a process.
2. Aggregation of 1,000 cells of 16 replicates, and of up to 10^5 cells of 2: processor time a cell, files and bytes of a block, and memory;
   that of 10^8 rows of `distances` is extrapolated from two numbers of cells with more replicates.
3. For each study: the jobs that simulate, the processor time of its bare replicates in one process (compiled before), the wall time of
   `poissonmatch run`, and wall x cores over that processor time. The bar: at most 1.3, and 30 s more. Both sides are measured in one run.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from poissonmatch.studies import study_files as studies
from poissonmatch.studies.report import reports
from poissonmatch.studies.results import up_to_date
from poissonmatch.studies.results.batch_files import BatchWriter
from poissonmatch.studies.results.results import Results
from poissonmatch.studies.run import batches, stages
from poissonmatch.studies.run.workflow import Workflow
from poissonmatch.studies.sampling.cells import Block
from poissonmatch.studies.statistics import observables
from poissonmatch.studies.study_files import plan
from poissonmatch.utils.atomic_writer import write_atomically
from poissonmatch.utils.manifests import MANIFEST, sha256, to_json

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
  grid: {{process: two_color, rule: {rule}, dims: {dim}, sizes: {sizes}, ratios: {ratios}, replicates: {replicates}, observables: [{observables}]}}
"""


UNMATCHED = {"rule": "fussy", "dim": 1, "observables": "unmatched", "replicates": 16}
DISTANCES = {"rule": "two-color", "dim": 2, "observables": "distances"}


def grid(folder: Path, sizes: int, ratios: int, **study: object) -> Path:
    """Write a study of sizes x ratios small cells; return its file."""
    path = folder / "grid.yaml"
    values = {"sizes": [100 + k for k in range(sizes)], "ratios": [(k + 1) / ratios for k in range(ratios)]}
    path.write_text(GRID.format(**values, **study))
    return path


def planned(cells: int) -> None:
    """Plan a study of this number of cells, in a process of its own, and print what it takes."""
    with tempfile.TemporaryDirectory() as folder:
        side = round(cells**0.5)
        file = studies.load(grid(Path(folder), side, cells // side, **UNMATCHED))
        start = time.process_time()
        batches.write_plan(Path(folder, "0.jsonl"), file, Path(folder, "r"), minutes=10, cores=100)
        print(f"{time.process_time() - start:.1f} s | {memory():.0f} MB")


def complete(blocks: int) -> None:
    """Check a study all of whose blocks, tables and pages exist, as a complete run does, and print what it takes."""
    with tempfile.TemporaryDirectory() as folder:
        side = round(blocks**0.5)
        path = grid(Path(folder), side, blocks // side, **UNMATCHED)
        file, results = studies.load(path), Path(folder, "r", path.stem)
        for batch in batches.deal([*batches.missing(file, Results(results))], 10, 100):
            pretend(results, [block for _, block in batch.blocks])
        pretend_tables(file, results)
        start = time.process_time()
        assert not Workflow({"study": str(path), "results": str(results.parent)}).out_of_date
        print(f"{time.process_time() - start:.1f} s | {memory():.0f} MB")


def pretend(folder: Path, blocks: list[Block]) -> None:
    """Write a batch without rows."""
    writer = BatchWriter(folder, blocks, ["replicates"])
    for block in blocks:
        writer.add(block, {})
    writer.close()


def pretend_tables(file: studies.StudyFile, folder: Path) -> None:
    """Write files in the place of the tables and of the report of a study without figures, with their manifests."""
    data = b"a table"
    listed = {f"{table}.parquet": sha256(data) for table in file.tables}
    for name in listed:
        write_atomically(folder / name, data)
    about = {"study": up_to_date.relevant(file), "code": up_to_date.code(), "sha256": listed}
    write_atomically(folder / MANIFEST, to_json(about))
    facts = up_to_date.report_facts(file, folder, listed)
    reports.write_page(folder, up_to_date.REPORT, {up_to_date.REPORT: data}, facts)


def aggregated(side: int, replicates: int) -> None:
    """Aggregate a study of side x side cells, and print processor time a cell, files and bytes a block, and memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = grid(Path(folder), side, side, **DISTANCES, replicates=replicates)
        file, results = studies.load(path), Path(folder, "r")
        if not (child := os.fork()):  # so that its memory is not counted
            for blocks in next(batches.rounds(file, results)):
                batches.make(blocks, results)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        cells = len(studies.cells(file))
        first = grid(Path(folder), 1, 1, **DISTANCES, replicates=replicates)
        pa.set_memory_pool(pa.system_memory_pool())  # as the command does
        stages.aggregate(studies.load(first), results)  # imports
        first_memory = memory()
        start = time.process_time()
        stages.aggregate(file, results)
        seconds = time.process_time() - start
        files = [path for path in (results / "blocks").rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        rows = pq.read_metadata(results / "distances.parquet").num_rows
        print(
            f"{1e3 * seconds / cells:.1f} ms a cell | {len(files) / cells:.3f} files, {size / cells:.0f} bytes a block, "
            f"{rows} rows of distances, {memory():.0f} MB, of which {memory() - first_memory:.0f} are more than for one cell"
        )


def memory() -> float:
    """Return the peak memory of this process in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


PARTS = {
    "planning of 10^4 cells": ("planned", 10**4),
    "planning of 10^5 cells": ("planned", 10**5),
    "planning of 10^6 cells": ("planned", 10**6),
    "a complete run of 10^5 blocks": ("complete", 10**5),
    "aggregation of 1,000 cells": ("aggregated", 32, 16),
    "aggregation of 2,500 cells of 2 replicates": ("aggregated", 50, 2),
    "aggregation of 10^4 cells of 2 replicates": ("aggregated", 100, 2),
    "aggregation of 10^5 cells of 2 replicates": ("aggregated", 316, 2),
    "aggregation of 900 cells of 256 replicates": ("aggregated", 30, 256),
    "aggregation of 1,600 cells of 256 replicates": ("aggregated", 40, 256),
}
ROWS = 1e8  # of `distances`, whose memory is extrapolated from numbers of cells that fill the buffers of all tables


def extrapolated(lines: Iterable[str]) -> float:
    """Return the memory of ROWS rows in megabytes, from two lines of results of `aggregated`."""
    (few, small), (many, large) = (
        (float(rows), float(megabytes))
        for rows, megabytes in (re.findall(r"(\d+) rows of distances, (\d+) MB", line)[0] for line in lines)
    )
    return large + (ROWS - many) * (large - small) / (many - few)


def main(paths: Sequence[Path]) -> None:
    cores = os.cpu_count() or 1
    parts = ["| what | processor time | |", "|---|---|---|"]
    for what, part in PARTS.items():
        taken = subprocess.check_output([sys.executable, __file__, "--part", *map(str, part)], text=True)
        parts.append(f"| {what} | {taken.strip()} |")
        print(parts[-1], flush=True)
    parts.append(f"| aggregation of 10^8 rows of distances | | {extrapolated(parts[-2:]):.0f} MB |")
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
    files = " ".join(os.path.relpath(path, ROOT) for path in paths)
    text = "\n".join(
        [
            "# Time of a study compared with its replicates",
            "",
            f"`python benchmarks/pipeline.py {files}`, {cores} cores, {platform.processor() or platform.machine()}.",
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
    parser.add_argument("--part", nargs="+", help="print only one of the PARTS: its function and sizes")
    options = parser.parse_args()
    if options.bare:
        print(bare(options.study[0]))
    elif options.part:
        name, *sizes = options.part
        functions: dict[str, Callable[..., None]] = {
            "planned": planned,
            "complete": complete,
            "aggregated": aggregated,
        }
        functions[name](*map(int, sizes))
    else:
        main(options.study)
