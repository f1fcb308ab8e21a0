"""Make the runs of config/octaves.yaml that docs/data/octaves/runs.csv lacks: python benchmarks/octaves.py [NAME ...] [--workers 2]

Every run has a row. A row is never changed: to make runs again, delete their rows.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

import poissonmatch as pm

FOLDER = Path(__file__).parents[1]
KEYS = ["dim", "ratio", "survivors", "points", "window", "seed"]


def main():
    """Make the runs of the entries that are named, by default of all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="entries of config/octaves.yaml")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--output", type=Path, default=FOLDER / "docs/data/octaves/runs.csv")
    words = parser.parse_args()
    entries = yaml.safe_load((FOLDER / "config/octaves.yaml").read_text())
    for name in words.names or entries:
        entry = entries[name]
        lists = [key for key, value in entry.items() if isinstance(value, list)]
        for values in zip(*(entry[key] for key in lists), strict=True):
            make({**entry, **dict(zip(lists, values, strict=True))}, name, words.workers, words.output)


def make(entry, name, workers, output):
    """Append the rows of one size of pool, unless they are there."""
    if output.exists():
        kept = pd.read_csv(output)
        if ((kept["name"] == name) & (kept["survivors"] == entry["survivors"])).any():
            return
    found = pm.octaves(**entry, workers=workers)
    rows = pd.DataFrame({"name": name, **{key: entry[key] for key in KEYS}}, index=np.arange(1, entry["runs"] + 1))
    rows["log_u"] = found.runs
    output.parent.mkdir(parents=True, exist_ok=True)
    rows.to_csv(output, mode="a", header=not output.exists(), index_label="run")
    print(name, entry["survivors"], found.log_u, found.standard_error, flush=True)


if __name__ == "__main__":
    main()
