"""Figures of frog games (Deijfen, Holroyd, Martin 2016), of the components of a matching and of its locality.

They are drawn from the table of estimates and the exact laws.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...utils.libraries import pd
from ..tables.tables import intensities_of
from .figure_layout import Aspect, FigureLayout
from .figure_rows import families, of, rule_of
from .figure_text import LABEL_ENTRY, PARTS, caption_of
from .kinds import NothingToDraw
from .panel_elements import Panel, whole_ticks

FRACTION = (-0.05, 1.05)  # limits of an axis of fractions
NEAREST = 0.05  # spacings, within which no partner is determined


def _against_size(
    rows: pd.DataFrame, layout: FigureLayout, aspect: Aspect, parity: bool = True, **options: Any
) -> Iterator[Panel]:
    """Draw marks against the number of points, on a logarithmic axis if the numbers span decades."""
    for panel in layout.panels(rows, aspect, x="size", shade=(), **options):
        sizes = panel.rows["size"]
        if layout.options.log is None and sizes.max() > 20 * sizes.min():
            panel.ax.set_xscale("log")
        panel.bars(parity=parity)
        whole_ticks(panel.ax.xaxis)
        yield panel


def _exact_alice(panel: Panel, rows: pd.DataFrame, x: Any, means: Any, fact: str) -> None:
    """Draw P(Alice wins) along the axis under the rule of these rows.

    means: expected numbers of points of the colors at each x.
    """
    law = rule_of(rows).law
    panel.exact(x, [law.alice_wins(each) for each in means], fact)


def winner(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw P(Alice wins) against the number of points, a panel for each study."""
    for panel in _against_size(rows, layout, Aspect("alice_wins", ylim=FRACTION), by="study"):
        size = panel.grid()
        size = size[size > 0]
        for part in panel.known("rule", "ratio"):
            intensities = np.array(intensities_of(part.iloc[0]))
            means = np.outer(size, intensities / intensities.sum())
            _exact_alice(panel, part, size, means, "exact-for-a-Poisson-number")
    fixed = layout.rows["process"].str.startswith("binomial").all()
    return caption_of("winner", layout.rows, mean="" if fixed else PARTS["mean-number"])


def winner_ratio(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw P(Alice wins) against the ratio of the intensities, a panel for each dimension."""
    rows = rows[rows["ratio"].notna()]
    if rows.empty:
        raise NothingToDraw("there is nothing to draw: no study has two colors")
    red = rule_of(rows).reference_color
    wins, aspects = rows, [Aspect("alice_wins")]
    if red is not None:  # its points without a partner are what matters: Bob wins where there are none
        wins = rows[((rows["quantity"] == "n_unmatched") & (rows["x"] == 0)) | (rows["color"] == red)]
        aspects = [Aspect("n_unmatched"), Aspect("unmatched_fraction")]
    for panel in layout.panels(wins, *aspects, by="dim", x="ratio", hue=("size",), shade=()):
        panel.bars()
        rho = panel.grid()
        for part in panel.known("rule", "size") if panel.aspect.quantity == "alice_wins" else ():
            means = part["size"].iloc[0] / (1 + rho[:, None]) * np.stack([np.ones_like(rho), rho], axis=1)
            _exact_alice(panel, part, rho, means, "exact-for-two-Poisson-numbers")
    if red is not None:
        return caption_of("winner-ratio-of-fussy", rows)
    two_color = (rows["rule"] == "two-color").all()
    return caption_of("winner-ratio-of-two-color" if two_color else "winner-ratio", rows)


def n_unmatched(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw P(0, 1, 2 points are unmatched) against the number of points, a panel for each study and dimension."""
    list(_against_size(rows, layout, Aspect("n_unmatched", ylim=FRACTION), by=("study", "dim"), hue=("x",)))


def incomplete(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw the number of points below their capacity against the number of points, a panel for each dimension."""
    list(_against_size(rows, layout, Aspect("incomplete_fraction", "y"), by="dim", hue=("rule",)))


def shy(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw the partner distance and the number of desirers of a point (Theorem 7)."""
    rows = rows[rows["below_cutoff"] & (rows["order"] == 0) & (rows["color"] == 0)]
    rows = rows[(rows["quantity"] == "tail") | (rows["x"] >= 0.1)]
    for panel in layout.panels(rows, Aspect("tail"), Aspect("desirers", "x"), x="x"):
        panel.bands()
        if panel.aspect.quantity == "tail" and layout.options.log is None:
            panel.ax.set(xlim=(0, 5), ylim=(0, 1.03))


def labels(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the distances to the partner of each label, two panels for each dimension."""
    rows = rows[rows["color"] == 0]
    tails = (rows["quantity"] == "tail") & rows["below_cutoff"] & (rows["x"] >= 0.05)
    rows = rows[tails | ((rows["quantity"] == "quantile") & rows["x"].isin((0.25, 0.5, 0.75)))]
    texts, which = "", "partner-of-an-order"
    if families(rows) == {"labels"}:
        texts, which = "quantile_of_label", "partner-of-a-label"
        layout.entries["order"] = LABEL_ENTRY
    quantiles = Aspect("quantile", x="order", hue=("x",), texts=texts)
    for panel in layout.panels(rows, Aspect("tail", "xy"), quantiles, by="dim", x="x", hue=("order",)):
        if panel.aspect.quantity == "tail":
            panel.bands()
        else:
            panel.bars()
            panel.ax.set_xticks(sorted(panel.rows["order"].unique()))
    return caption_of("labels", rows, which=PARTS[which])


def components(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the components of the matching against the number of points, a panel for each dimension."""
    rows = of(rows, "largest_component", "second_component", "component_squares")
    list(_against_size(rows, layout, Aspect(log="y"), False, by="dim", hue=("rule",), dash=("quantity",)))
    return caption_of("components", rows, source=PARTS["source-of-components"] * ("multi" in families(rows)))


def balls(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw how many partners of the points of a ball are outside, and how far Bob must go if Alice stays inside."""
    aspects = Aspect("outside", "xy"), Aspect("farther_than_2r", "x"), Aspect("farther_than_4r", "x")
    rows = rows[rows["below_cutoff"] & (rows["x"] >= 0.5)]
    for panel in layout.panels(rows, *aspects, x="x", hue=("dim", "rule")):
        panel.bars()
        for part in panel.known("cell"):
            panel.exact(part["x"], part["exact"])


# ---- locality ----


def rounds(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw the number of rounds against the number of points, and the unmatched points after each round."""
    _maximum_and_tail(rows, layout, "rounds", "round_tail")


def play_length(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw the length of the longest game against the number of points, and the points from which games are longer."""
    _maximum_and_tail(rows, layout, "longest_play", "play_length_tail")


def _maximum_and_tail(rows: pd.DataFrame, layout: FigureLayout, maximum: str, tail: str) -> None:
    """Draw a maximum against the number of points, and a tail on the largest tori."""
    is_maximum, is_tail = (rows["quantity"] == name for name in (maximum, tail))
    last = rows["value"].where(is_maximum).max()
    rows = rows[is_maximum | (is_tail & (rows["value"] > 0) & (rows["x"] <= last))]
    largest = rows["size"] == rows.groupby(["rule", "dim"])["size"].transform("max")
    shown = rows[(rows["quantity"] == maximum) | largest]
    if len(shown) < len(rows):
        layout.say(layout.kind)
    aspects = Aspect(maximum, "x", "size"), Aspect(tail, "y")
    for panel in layout.panels(shown, *aspects, x="x", hue=("dim", "rule"), shade=()):
        panel.bars()
        whole_ticks(panel.ax.xaxis if panel.x == "x" else panel.ax.yaxis)


def chains(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw the number of steps of the longest descending chain from a point."""
    rows = rows[(rows["quantity"] != "chain_tail") | (rows["value"] > 0)]
    for panel in layout.panels(rows, Aspect("chain_steps"), Aspect("chain_tail", "y"), x="x"):
        panel.bars()
        if panel.aspect.quantity == "chain_tail":
            whole_ticks(panel.ax.xaxis)
        for part in panel.known("dim", "size"):
            part = part[part["exact"] > 0]
            panel.exact(part["x"], part["exact"])


def window(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw the tail of the radius of the window that determines the partner of a point."""
    rows = of(rows, "window_tail")
    rows = rows[rows["below_cutoff"] & ~(rows["lower"] <= 0) & (rows["x"] >= NEAREST)]
    if rows.empty:
        raise NothingToDraw("there is nothing to draw: no window below the cutoff of its torus")
    for panel in layout.panels(rows, Aspect("window_tail", "xy"), x="x", hue=("dim", "rule")):
        panel.bands()
