"""The tables and figures of the page Open questions, computed from the stored results in docs/data/."""

from pathlib import Path
from textwrap import fill

import numpy as np
import pandas as pd

import poissonmatch as pm

DATA = Path(__file__).parent / "data"


def with_volumes(name):
    """Return the estimates of a folder, with the number V of points in a ball of radius x at intensity 1."""
    rows = pm.load(DATA / name / "estimates.parquet").astype({"dim": int})
    unit = rows["dim"].map(lambda dim: float(pm.Euclidean(dim).ball_volume(1.0)))
    return rows.assign(V=unit * rows["x"] ** rows["dim"])


QUESTIONS, RECORDS = with_volumes("paper-questions"), with_volumes("records")


def of(study, quantity):
    """Return the rows of a quantity in the studies whose names begin so."""
    return QUESTIONS[QUESTIONS["study"].str.startswith(study) & (QUESTIONS["quantity"] == quantity)]


def draw(kind, *studies, **options):
    """Draw a figure of some studies, and print its caption."""
    figure = getattr(pm.figures, kind)(QUESTIONS[QUESTIONS["study"].isin(studies)], **options)
    print(fill(pm.figures.caption(figure), 90))
    return figure


def slopes_of_desirers():
    """Return the slope of the number of desirers in ln V, of the line through the two ends."""
    rows = of("desirers", "desirers")
    rows = rows[rows["below_cutoff"] & (rows["V"] >= 4)].sort_values("x").groupby("dim")
    first, last = rows.first(), rows.last()
    rise = np.log(last["V"] / first["V"])
    table = ((last["value"] - first["value"]) / rise).rename("slope in ln V").to_frame()
    return table.assign(standard_error=np.hypot(last["standard_error"], first["standard_error"]) / rise)


def reached(part, level=0.01):
    """Return V at which the tail falls to a level, nan if it does not below the cutoff."""
    part = part[part["below_cutoff"] & (part["value"] > 0)].sort_values("x")
    if part["value"].min() > level:
        return np.nan
    at = np.interp(-np.log(level), -np.log(part["value"]), np.log(part["V"] * part["intensity_0"]))
    return float(np.exp(at))


def levels_of_the_minority():
    """Return V at which 1 % of the minority is unmatched, for each dimension and ratio."""
    rows = of("minority", "tail")
    rows = rows[rows["color"] == 1]
    levels = {key: reached(part) for key, part in rows.groupby(["dim", "ratio"])}
    return pd.Series(levels).rename_axis(["dim", "ratio"]).unstack()


def exponents_of_the_minority(levels):
    """Return the exponent a in V ~ (1 - rho)^(-a), fitted to the ratios above 0.6."""
    exponents = {}
    for dim, row in levels.loc[:, levels.columns > 0.6].iterrows():
        row = row.dropna()
        exponents[dim] = -np.polyfit(np.log(1 - row.index.to_numpy(float)), np.log(row), 1)[0]
    return pd.Series(exponents, name="a").rename_axis("dim").to_frame()


def confined():
    """Return the fraction of balls with a partner farther than 2 r and 4 r, at the three largest radii."""
    rows = pd.concat([of("desirers", f"farther_than_{k}r") for k in (2, 4)])
    rows = rows[rows["below_cutoff"] & (rows["V"] >= 4)].sort_values("x").groupby(["quantity", "dim"]).tail(3)
    return rows.set_index(["quantity", "dim", "V"])[["value", "standard_error"]].sort_index()


def slopes_of_the_longest_game(means, wide):
    """Return the slope of the longest game in ln n, measured and by the ratio of the tail."""
    ends = means[means["quantity"] == "longest_play"]
    ends = ends.pivot(index="dim", columns="size", values=["value", "standard_error"])
    rise = np.log(100)
    slopes = pd.DataFrame({"measured": (ends["value"][100_000] - ends["value"][1000]) / rise})
    slopes["standard_error"] = np.hypot(ends["standard_error"][100_000], ends["standard_error"][1000]) / rise
    slopes["2 / ln(1/q)"] = 2 / np.log(1 / (wide.loc[14] / wide.loc[10]) ** 0.5)
    return slopes.round(2)


def unmatched_by_process():
    """Return the unmatched fractions of red points on the largest tori, for each process."""
    red = of("fussy", "unmatched_fraction")
    red = red[(red["color"] == 1) & (red["size"] == red["size"].max())]
    red = red.assign(process=red["study"].str.removeprefix("fussy-"))
    return red.pivot_table(index=["dim", "process"], columns="ratio", values="value")


def largest(study, quantity, volumes=(10, 100, 700)):
    """Return the last rows below each V, on the largest torus of each dimension."""
    rows = RECORDS[RECORDS["study"].str.startswith(study) & (RECORDS["color"] == 0)]
    rows = rows[rows["quantity"] == quantity].sort_values("V")
    rows = rows[rows["size"] == rows.groupby("dim")["size"].transform("max")]
    found = [rows[rows["V"] <= v].groupby("dim").tail(1) for v in volumes]
    return pd.concat(found).sort_values(["dim", "V"]).set_index("dim")


def tail_exponents():
    """Return the local exponent of P(X > r) as a power of V, for two colors."""
    slope = largest("two-color", "tail_exponent")
    slope["exponent"] = -slope["value"] / slope.index
    slope["error"] = slope["standard_error"] / slope.index
    return slope[["V", "exponent", "error"]]


def scaled_tails():
    """Return sqrt(V) P(X > r), for two colors."""
    tail = largest("two-color", "tail")
    return tail.assign(**{name: tail[name] * np.sqrt(tail["V"]) for name in ("value", "standard_error")})[
        ["V", "value", "standard_error"]
    ]


def components():
    """Return the fractions of the largest and second largest components."""
    parts = RECORDS[RECORDS["quantity"].isin(["largest_component", "second_component"])]
    return parts.pivot_table(index=["rule", "dim"], columns=["quantity", "size"], values="value").round(5)
