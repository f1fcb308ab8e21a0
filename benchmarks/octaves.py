"""Make the runs of config/octave-runs.yaml that docs/data/octaves/runs.csv lacks: python benchmarks/octaves.py [NAME ...] [--workers 2]

Each run has a row, which is written as soon as it is made and never changed. Both sizes of pool are made side by side, so that what was
ended early has runs of both in proportion.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from loky import get_reusable_executor

from poissonmatch.survival.octaves import one_run

FOLDER = Path(__file__).parents[1]
PARAMETERS = ["dim", "ratio", "survivors", "points", "window", "share"]
KEY = ["name", "survivors", "window", "run"]
COLUMNS = ["run", "name", "dim", "ratio", "survivors", "points", "window", "seed", "log_u"]


def main():
    """Make the runs of the entries that are named, by default of all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="entries of config/octave-runs.yaml")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--output", type=Path, default=FOLDER / "docs/data/octaves/runs.csv")
    words = parser.parse_args()
    entries = yaml.safe_load((FOLDER / "config/octave-runs.yaml").read_text())
    kept = pd.read_csv(words.output) if words.output.exists() else pd.DataFrame(columns=COLUMNS)
    there = set(kept[KEY].itertuples(index=False, name=None))
    todo = [run for name in words.names or entries for run in runs(name, entries[name])]
    todo = [run for run in todo if tuple(run[key] for key in KEY) not in there]
    words.output.parent.mkdir(parents=True, exist_ok=True)
    write_estimates(words.output)
    for row in get_reusable_executor(max_workers=words.workers).map(made, todo):
        pd.DataFrame([row], columns=COLUMNS).to_csv(
            words.output, mode="a", header=not words.output.exists(), index=False
        )
        write_estimates(words.output)
        print(*row.values(), flush=True)


def runs(name, entry):
    """Return all runs of an entry, those of its sizes of pool in turn."""
    lists = [key for key, value in entry.items() if isinstance(value, list)]
    sizes = [dict(zip(lists, values, strict=True)) for values in zip(*(entry[key] for key in lists), strict=True)]
    found = [
        {"share": 1.0, **entry, **size, "name": name, "run": k} for size in sizes for k in range(1, size["runs"] + 1)
    ]
    return sorted(found, key=lambda run: run["run"] / run["runs"])


def write_estimates(path):
    """Write ln u of each entry with its errors to a file next to the runs.

    With two settings, the means are extrapolated linearly in 1 / survivors to 0. With more, ln u + a / window + b / survivors is fitted to them.
    The systematic error is the change of ln u from the largest pool, or from the largest pool and window, to the limit.
    """
    estimates = []
    for name, part in pd.read_csv(path).groupby("name", sort=False) if path.exists() else ():
        settings = part.groupby(["survivors", "window"])["log_u"].agg([lambda runs: runs.mean(skipna=False), "sem"])
        if not np.isfinite(settings).all(axis=None) or len(settings) < 2:
            continue
        first = part.iloc[0]
        values = extrapolated(settings) if len(settings) == 2 else fitted(settings)
        estimates.append([name, first["dim"], first["ratio"], *values])
    columns = [
        "name",
        "dim",
        "ratio",
        "log_u",
        "standard_error",
        "systematic_error",
        "chi2",
        "window_bias",
        "pool_bias",
    ]
    pd.DataFrame(estimates, columns=columns).to_csv(path.with_name("estimates.csv"), index=False)


def extrapolated(settings):
    """Return ln u, its statistical and systematic error, and nan for the numbers of a fit."""
    sizes = settings.index.get_level_values("survivors")
    means, errors = settings.to_numpy().T
    weights = np.array([-sizes[0], sizes[1]]) / (sizes[1] - sizes[0])
    value = weights @ means
    return value, np.hypot(*(weights * errors)), abs(value - means[1]), np.nan, np.nan, np.nan


def fitted(settings):
    """Return ln u, its statistical and systematic error, chi2, and the biases at the largest window and pool."""
    survivors, window = (settings.index.get_level_values(name).to_numpy(float) for name in settings.index.names)
    means, errors = settings.to_numpy().T
    form = np.stack([np.ones(len(means)), window.max() / window, survivors.max() / survivors], axis=1) / errors[:, None]
    covariance = np.linalg.inv(form.T @ form)
    value, *biases = covariance @ form.T @ (means / errors)
    chi2 = float(np.square(means / errors - form @ [value, *biases]).sum())
    error = np.sqrt(covariance[0, 0] * max(1.0, chi2 / (len(means) - 3)))
    return value, error, np.abs(biases).sum(), chi2, *biases


def made(run):
    """Return the row of a run, from the random numbers that `pm.octaves` gives it."""
    seed = np.random.SeedSequence(run["seed"]).spawn(run["runs"])[run["run"] - 1]
    return {**run, "log_u": one_run(*(run[key] for key in PARAMETERS), seed)[0]}


if __name__ == "__main__":
    main()
