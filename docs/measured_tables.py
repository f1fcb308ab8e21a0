"""The tables of the page Measurements, computed from the stored results in docs/data/."""

from pathlib import Path

import numpy as np
import pandas as pd

import poissonmatch as pm
from poissonmatch.studies.statistics import fitting

DATA = Path(__file__).parent / "data"
WINDOWS = ["all rho", "rho <= 0.3", "V >= 8", "V >= 16", "V >= 32", "V >= 64"]
PLACES = ["dim", "ratio"]


def estimates():
    """Return all estimates of the protocol."""
    return pm.load(DATA / "openproblem/estimates.parquet").astype({"dim": int})


def fussy():
    """Return the estimates of the fussy matchings of the protocol."""
    rows = estimates()
    return rows[rows["study"].str.startswith("fussy")]


def laws():
    """Return the laws that were fitted, with ordered windows."""
    rows = pm.load(DATA / "openproblem/laws.parquet").astype({"dim": int})
    return rows.assign(window=pd.Categorical(rows["window"], WINDOWS, ordered=True))


def unmatched():
    """Return u on the largest torus of each ratio, with its errors, and whether it is converged."""
    runs = fussy()
    reds = runs[(runs["color"] == 1) & (runs["order"] == 0)]
    converged = reds.loc[reds["quantity"] == "size_converged", ["cell", "value"]]
    u = reds[reds["quantity"] == "unmatched_fraction"].merge(converged.rename(columns={"value": "size_converged"}))
    u = u.sort_values([*PLACES, "size"]).groupby(PLACES, as_index=False).tail(1).set_index(PLACES)
    ratio = u.index.get_level_values("ratio")
    u["unmatched"] = u["value"] * u["size"] * ratio / (1 + ratio) * u["n_replicates"]
    index = u["unmatched"] * (u["standard_error"] / u["value"]) ** 2
    weights = (u["n_replicates"] - 1)[ratio <= 0.1]
    pooled = (index[ratio <= 0.1] * weights).groupby("dim").sum() / weights.groupby("dim").sum()
    of_dim = u.index.get_level_values("dim").map(pooled).to_numpy()
    return u.assign(pooled_error=u["value"] * np.sqrt(of_dim / u["unmatched"]))


def excluded_with_all_cells(dim):
    """Return the laws that are excluded if the cells that the protocol left out are included."""
    runs = fussy()
    protocol = runs[runs["study"] != "fussy-2-03"]
    all_kept = protocol["value"].mask(protocol["quantity"] == "size_converged", 1.0)
    fits = fitting.table(protocol.assign(value=all_kept), protocol[:0], protocol["study"].unique().tolist())
    fits = fits[fits["dim"] == dim].drop_duplicates(["fit", "window"])
    return fits[fits["excluded"]]["fit"].drop_duplicates().tolist()


def octaves():
    """Return ln u octave by octave, of all registered runs."""
    return pd.read_csv(DATA / "octaves/estimates.csv", index_col="name").iloc[:, :5]


def octaves_on_the_line():
    """Return ln u octave by octave in d = 1, with the exact values and the differences in standard errors."""
    line = octaves().query("dim == 1").drop(columns="dim")
    line["exact"] = [np.log(pm.theory.fussy_line(rho).u) for rho in line["ratio"]]
    line["z"] = (line["log_u"] - line["exact"]) / line["standard_error"]
    return line


def octaves_in_space():
    """Return ln u octave by octave in d = 2, 3, with that of the plain simulation."""
    runs, u = octaves(), unmatched()
    space = runs[~runs.index.str.endswith("separate")].query("dim > 1")
    space = space.set_index(PLACES).sort_index(ascending=[True, False])
    space["error"] = np.hypot(space["standard_error"], space["systematic_error"])
    space["simulated"] = np.log(u["value"])
    error = np.hypot(space["standard_error"], u["pooled_error"] / u["value"])
    return space.assign(z=(space["log_u"] - space["simulated"]) / error)


def step_scaling():
    """Return ln u predicted by step scaling, beside the other values."""
    rows, u, ratios = estimates(), unmatched()["value"], [0.05, 0.03, 0.02, 0.01, 0.007]
    found = pd.concat([pm.step_scaling(rows, dim, ratios).assign(dim=dim) for dim in (1, 2, 3)]).set_index(PLACES)
    found["error"] = np.hypot(found["standard_error"], found["start_error"])
    found["octaves"] = octaves_in_space()["log_u"]
    found["simulated or exact"] = [
        np.log(pm.theory.fussy_line(rho).u if dim == 1 else u.get((dim, rho), np.nan)) for dim, rho in found.index
    ]
    return found
