"""What `plan` says beside what a run takes: `python benchmarks/plan.py [STUDY ...]` writes benchmarks/results/plan.md.

For each study, with an empty cache of compiled kernels: the processor time that `plan` predicts and that of the run after it; then, with an
empty cache again, that of a first run without `plan`, beside the prediction plus the time that `plan` took to compile. The bar: a factor of 1.5.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from poissonmatch.studies import study_files as studies
from poissonmatch.studies.study_files import plan

ROOT = Path(__file__).parents[1]
STUDIES = [ROOT / "config" / "quick.yaml"]
OTHERS = {
    "one small cell": "studies: {a: {dims: 1, sizes: 1000, replicates: 16}}",
    "forty million points": "studies: {a: {dims: 2, sizes: 1.0e+6, replicates: 40, observables: [unmatched, distances]}}",
    "space": "studies: {a: {process: two_color, rule: fussy, dims: 3, ratios: [0.3, 0.6], sizes: [50000, 400000], replicates: 20}}",
    "three rules": """
studies:
  a: {rule: multi(3), dims: 2, sizes: 2.0e+5, replicates: 12}
  b: {rule: misere, dims: 3, sizes: 4.0e+5, replicates: 10}
  c: {rule: one-color, dims: inf, sizes: 4000, replicates: 6}
""",
}


def taken(*words: str, cache: str) -> float:
    """Processor time of a command with this cache folder, and of its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = {**os.environ, "XDG_CACHE_HOME": cache}
    subprocess.run([sys.executable, "-m", "poissonmatch", *words], check=True, capture_output=True, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def said(path: Path) -> tuple[float, float]:
    """What plan predicts, and what it takes to compile, in this process."""
    found = plan.calibrated(studies.load(path))
    return found.seconds, found.timing.compile_seconds


def row(name: str, path: Path) -> str:
    """A row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        cache = f"{folder}/cache"
        env = {**os.environ, "XDG_CACHE_HOME": cache}
        seconds, compiled = json.loads(
            subprocess.check_output([sys.executable, __file__, "--said", str(path)], env=env)
        )
        after = taken("run", str(path), "--results", f"{folder}/after", cache=cache)
        first = taken("run", str(path), "--results", f"{folder}/first", cache=f"{folder}/empty")
    ratios = f"{seconds / after:.2f} | {compiled:.1f} s | {first:.1f} s | {(seconds + compiled) / first:.2f}"
    return f"| {name} | {seconds:.1f} s | {after:.1f} s | {ratios} |"


def main(paths: Iterable[Path]) -> None:
    lines = [
        "| study | plan | run after plan | ratio | compiled by plan | first run without plan | ratio |",
        "|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        named = [(path.stem, path) for path in paths]
        for name, text in OTHERS.items():
            named.append((name, Path(folder) / f"{name.replace(' ', '-')}.yaml"))
            named[-1][1].write_text(text, encoding="utf-8")
        for name, path in named:
            lines.append(row(name, path))
            print(lines[-1], flush=True)
    head = [
        "# The prediction of plan beside the run",
        "",
        f"`python benchmarks/plan.py`, {os.cpu_count()} cores, {platform.processor() or platform.machine()}. Processor time.",
    ]
    text = "\n".join([*head, "", *lines, ""])
    (ROOT / "benchmarks" / "results" / "plan.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", nargs="*", default=STUDIES, type=Path, help="study files")
    parser.add_argument("--said", action="store_true", help="print only what plan says of one of them")
    options = parser.parse_args()
    if options.said:
        print(json.dumps(said(options.study[0])))
    else:
        main(options.study)
