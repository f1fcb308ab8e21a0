"""What a study costs beside its mathematics: `python benchmarks/pipeline.py [STUDY ...]` writes benchmarks/results/pipeline.md.

For each study: the jobs of the run, the processor time of its bare replicates in one process (compiled before), the wall time of
`poissonmatch run`, and wall x cores over that processor time. The bar: at most 1.3, and 20 s more. Both sides are measured in one run.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from poissonmatch import studies
from poissonmatch.pipeline import runs
from poissonmatch.statistics import observables
from poissonmatch.studies import plan

ROOT = Path(__file__).parents[1]
STUDIES = ("config/quick.yaml", "config/frogs.yaml", "config/paper.yaml")
FACTOR, MORE = 1.3, 20.0  # the bar


def bare(path: str) -> float:
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


def whole(path: str) -> tuple[float, int]:
    """Wall time of a run of the study in a fresh folder, and its jobs."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        words = [sys.executable, "-m", "poissonmatch", "run", str(ROOT / path), "--results", folder]
        subprocess.run(words, check=True, capture_output=True)
        wall = time.monotonic() - start
        return wall, len(list(Path(folder).glob(f"*/{runs.RUNS}/*/*.done")))


def main(paths: list[str]) -> None:
    cores = os.cpu_count() or 1
    lines = [
        "| study | replicates | jobs | CPU of the bare replicates | wall | wall x cores / CPU | bar |",
        "|---|---|---|---|---|---|---|",
    ]
    for path in paths:
        work = float(subprocess.check_output([sys.executable, __file__, "--bare", str(ROOT / path)]))
        wall, jobs = whole(path)
        counted = plan.count(studies.load(ROOT / path)).replicates
        bar = FACTOR + MORE / work
        lines.append(
            f"| {Path(path).stem} | {counted} | {jobs} | {work:.1f} s | {wall:.1f} s | {wall * cores / work:.2f} | {bar:.2f} |"
        )
        print(lines[-1], flush=True)
    text = "\n".join(
        [
            f"`python benchmarks/pipeline.py`, {cores} cores, {platform.processor() or platform.machine()}.",
            "",
            *lines,
            "",
        ]
    )
    (ROOT / "benchmarks" / "results" / "pipeline.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--bare"]:
        print(bare(sys.argv[2]))
    else:
        main(sys.argv[1:] or [*STUDIES])
