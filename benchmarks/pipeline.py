"""The time of a study compared with its replicates: `python benchmarks/pipeline.py [STUDY ...]` writes benchmarks/results/pipeline.md.

For each study: the jobs that simulate, the processor time of its bare replicates in one process (compiled before), the wall time of
`poissonmatch run`, and wall x cores over that processor time. The bar: at most 1.3, and 30 s more. Both sides are measured in one run.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from poissonmatch import studies
from poissonmatch.pipeline import batches, runs
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
        return wall, len(list(Path(folder).glob(f"*/{runs.STATE}/{batches.SIMULATE}/*.done")))


def main(paths: Iterable[Path]) -> None:
    cores = os.cpu_count() or 1
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
    options = parser.parse_args()
    if options.bare:
        print(bare(options.study[0]))
    else:
        main(options.study)
