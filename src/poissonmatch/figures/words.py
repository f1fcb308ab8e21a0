"""The words of axes, legends and captions that several figures share."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..rules import Rule, rule_named

INTERVALS = "95 % confidence intervals"  # estimators.CONFIDENCE
BARS = f"Bars are {INTERVALS}"
BANDS = f"bands are {INTERVALS}"


def dim_name(dim: float) -> str:
    """A dimension in the words of a legend."""
    return "mean field" if np.isinf(dim) else f"d = {dim:g}"


def rule_of(rows: pd.DataFrame) -> Rule:
    """The rule of the first row."""
    return rule_named(str(rows["rule"].iloc[0]))


def ratio_label(rule: Rule) -> str:
    """The axis of the column `ratio`."""
    first, second = rule.color_name(0), rule.color_name(1)
    return rf"$\rho$ = intensity of {second} / of {first} points"


def process_names(rows: pd.DataFrame) -> str:
    """The point processes in these rows, as studies call them, for a caption."""
    names = sorted({name.partition("{")[0] for name in rows["process"].unique()})
    return f"process: {names[0]}" if len(names) == 1 else f"processes: {', '.join(names)}"


def intensity_words(rows: pd.DataFrame) -> str:
    """The intensities of color 0 in these rows, for a caption."""
    found = sorted(rows["intensity_0"].unique())
    return f"intensity {found[0]:g}" if len(found) == 1 else f"intensities {found[0]:g} to {found[-1]:g}"


def replicates(rows: pd.DataFrame) -> str:
    """How many replicates the estimates have, for a caption."""
    counts = sorted(rows["n_replicates"].unique())
    return f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
