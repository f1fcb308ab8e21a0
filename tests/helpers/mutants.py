"""Which of some random small errors in the code the tests notice: python -m helpers.mutants MODULE NUMBER (in tests/).

cosmic-ray makes the errors, one at a time, in a copy of the last commit, mutants/, and runs there the tests of the
folder that has the place of the module. A survivor needs a test or simpler source, or is equivalent.
"""

import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPY = ROOT / "mutants"
CONFIG = """
[cosmic-ray]
module-path = "src/poissonmatch/{module}"
timeout = 900
excluded-modules = []
test-command = "env PYTHONPATH={copy}/src {python} -m pytest -x -n 0 -p no:cacheprovider {tests}"
distributor.name = "local"
"""
SAMPLE = "DELETE FROM {table} WHERE job_id NOT IN (SELECT value FROM json_each(?))"
# Errors of `|` are mostly in annotations, where they change nothing.
CANDIDATES = "SELECT job_id FROM mutation_specs WHERE operator_name NOT LIKE '%Operator_BitOr%' ORDER BY module_path, operator_name, occurrence"


def tests_of(module: str) -> str:
    """Return the folder of tests of a module or a package, or the nearest above it."""
    parts = Path(module).with_suffix("").parts
    folders = ["/".join(("tests", *parts[:n])) for n in range(len(parts), 0, -1)]
    return next(folder for folder in folders if (ROOT / folder).is_dir())


def main(module: str, number: int) -> None:
    """Print the errors that no test notices, and the fraction of survivors."""

    def run(*command: str) -> None:
        subprocess.run([f"{Path(sys.executable).parent}/{command[0]}", *command[1:]], cwd=COPY, check=True)

    shutil.rmtree(COPY, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(COPY)], check=True)
    config = CONFIG.format(module=module, copy=COPY, python=sys.executable, tests=tests_of(module))
    (COPY / "mutants.toml").write_text(config)
    run("cosmic-ray", "init", "mutants.toml", "mutants.sqlite")
    with closing(sqlite3.connect(COPY / "mutants.sqlite")) as session, session:
        jobs = [job for (job,) in session.execute(CANDIDATES)]
        chosen = random.Random(number).sample(range(len(jobs)), min(number, len(jobs)))
        names = "[" + ",".join(f'"{jobs[k]}"' for k in chosen) + "]"
        for table in ("mutation_specs", "work_items"):
            session.execute(SAMPLE.format(table=table), [names])
    run("cosmic-ray", "baseline", "mutants.toml")  # which fails if a test fails without an error
    run("cosmic-ray", "exec", "mutants.toml", "mutants.sqlite")
    run("cr-report", "--surviving-only", "--show-diff", "mutants.sqlite")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
