"""Figures of the theorems on frog games (Deijfen, Holroyd, Martin 2016).

They are drawn from the table of estimates and the exact laws.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...utils.errors import BadInput
from ...utils.libraries import pd
from .figure_layout import Aspect, FigureLayout
from .figure_text import color_names, families, intensities_of, intensity_text, of, ratio_label, rule_of
from .panel_elements import Panel

COUNT = "number of points"
FRACTION = (-0.05, 1.05)  # limits of an axis of fractions


def _against_size(
    rows: pd.DataFrame, layout: FigureLayout, aspect: Aspect, parity: bool = True, **options: Any
) -> Iterator[Panel]:
    """Draw marks against the number of points, on a logarithmic axis if the numbers span decades."""
    for panel in layout.panels(rows, aspect, x="size", shade=(), **options):
        sizes = panel.rows["size"]
        if layout.options.log is None and sizes.max() > 20 * sizes.min():
            panel.ax.set_xscale("log")
        panel.bars(parity=parity)
        yield panel


def _exact_alice(panel: Panel, rows: pd.DataFrame, x: Any, means: Any, fact: str) -> None:
    """Draw P(Alice wins) along the axis under the rule of these rows.

    means: expected numbers of points of the colors at each x.
    """
    law = rule_of(rows).law
    panel.exact(x, [law.alice_wins(list(each)) for each in means], fact)


def winner(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw P(Alice wins) against the number of points, a panel for each study."""
    rows = of(rows, "alice_wins")
    aspect = Aspect(xlabel=COUNT, ylabel="P(Alice wins)", ylim=FRACTION)
    for panel in _against_size(rows, layout, aspect, by="study"):
        size = panel.grid()
        size = size[size > 0]
        for part in panel.known("rule", "ratio"):
            intensities = np.array(intensities_of(part.iloc[0]))
            means = np.outer(size, intensities / intensities.sum())
            _exact_alice(panel, part, size, means, "Dotted: exact, for Poisson numbers of points.")
    games = " ".join(game for rule, game in GAMES.items() if rule in families(rows))
    mean = "" if rows["process"].str.startswith("binomial").all() else " (its mean, where it is random)"
    return f"Probability that Alice wins the game that the matching solves, against the number of points{mean}. {games}"


GAMES = {  # rule or family, and the theorem on the game that it solves
    "one-color": "With one color the parity decides (Thm 1): 1 for an odd number, 0 for an even one, about 1/2 for a Poisson number.",
    "misere": "Misere: Cor. 10.",
    "multi": "Several partners, multi($m$): the game with $m - 1$ stones (Thm 12).",
    "two-color": "Two colors: Alice wins if and only if there are more amber points (Thm 8).",
    "fussy": "Fussy: she wins if and only if a point is unmatched (sec. 3.3).",
}


def winner_ratio(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw P(Alice wins) against the ratio of the intensities, a panel for each dimension."""
    rows = rows[rows["ratio"].notna()]
    if rows.empty:
        raise BadInput("there is nothing to draw: no study has two colors")
    rule = rule_of(rows)
    red, label = rule.reference_color, ratio_label(rows)
    wins, aspects = rows, [Aspect("who wins", label, "P(Alice wins)", quantity="alice_wins")]
    if red is not None:  # its points without a partner are what matters: Bob wins where there are none
        wins = rows[((rows["quantity"] == "n_unmatched") & (rows["x"] == 0)) | (rows["color"] == red)]
        ylabel = f"unmatched fraction of {rule.color_name(red)} points"
        aspects = [
            Aspect("who wins", label, "P(Bob wins)", quantity="n_unmatched"),
            Aspect("unmatched points", label, ylabel, quantity="unmatched_fraction"),
        ]
    for panel in layout.panels(wins, *aspects, by="dim", x="ratio", hue=("size",), shade=()):
        panel.bars()
        rho = panel.grid()
        for part in panel.known("rule", "size") if panel.aspect.quantity == "alice_wins" else ():
            means = part["size"].iloc[0] / (1 + rho[:, None]) * np.stack([np.ones_like(rho), rho], axis=1)
            _exact_alice(panel, part, rho, means, "Dotted: exact, from two Poisson numbers.")
    if red is not None:
        return (
            "Fussy frogs against $\\rho$: probability that Bob wins, which he does if and only if no point is unmatched, and the "
            "fraction of red points that are unmatched. Where unmatched red points have a positive density, P(Bob wins) falls to 0 "
            "as the torus grows; whether they do for every $\\rho > 0$ is the open problem of Deijfen, Holroyd and Martin, sec. 3.3."
        )
    first, second = color_names(rows)
    if not (rows["rule"] == "two-color").all():
        return f"Probability that Alice wins the game that the matching solves, against the ratio of {second} to {first} points."
    return (
        f"Colored frogs on colored points: Alice ({first}, intensity $\\alpha$) wins if and only if there are more {first} points than "
        f"{second} ones. Against $\\rho = \\beta/\\alpha$ the probability becomes a step at 1 as the torus grows (Thm 8: in infinite "
        "volume Alice wins for $\\alpha > \\beta$, Bob for $\\alpha \\le \\beta$)."
    )


def n_unmatched(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw P(0, 1, 2 points are unmatched) against the number of points.

    There is a panel for each study and dimension.
    """
    rows = layout.by_study_and_dim(of(rows, "n_unmatched"))
    aspect = Aspect(xlabel=COUNT, ylabel="probability", ylim=FRACTION)
    formats = {"x": lambda n: f"{n:g} left", "study": str}
    list(_against_size(rows, layout, aspect, by="study", hue=("x",), formats=formats))
    caption = "Probability that 0, 1 or 2 points have fewer partners than their capacity, against the number of points."
    if (rows["rule"] == "misere").any():
        caption += (
            " In misere frogs an odd number leaves one; an even number none, or two that are mutually nearest; in infinite volume "
            "all points are matched and Bob wins (Prop. 9, Cor. 10)."
        )
    return caption


def incomplete(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the number of points below their capacity against the number of points.

    There is a panel for each dimension.
    """
    aspect = Aspect(xlabel=COUNT, ylabel="fraction of points below their capacity", log="y")
    list(_against_size(of(rows, "incomplete_fraction"), layout, aspect, by="dim", hue=("rule",)))
    caption = "Fraction of the points with fewer partners than their capacity, against the number of points."
    if "multi" in families(rows):
        caption += (
            " Under multi($m$), the stable $m$-matching, it falls like 1 / (number of points), because at most $m$ points can be below their "
            "capacity: in infinite volume every point has its $m = k + 1$ partners, and Bob wins the game with $k$ stones (Thm 12)."
        )
    return caption


def shy(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the partner distance and the number of desirers of a point (Theorem 7)."""
    rows = rows[rows["below_cutoff"] & (rows["order"] == 0) & (rows["color"] == 0)]
    rows = rows[(rows["quantity"] == "tail") | (rows["x"] >= 0.1)]
    mean = "the mean number of points within $r$ that desire a typical point"
    aspects = (
        Aspect("the fraction of the points whose partner is farther than $c$", "$c$", "$P(X > c)$", quantity="tail"),
        Aspect(mean, "$r$", "desirers within $r$", "x", "desirers"),
    )
    for panel in layout.panels(rows, *aspects, x="x"):
        panel.bands()
        if panel.aspect.quantity == "tail" and layout.options.log is None:
            panel.ax.set(xlim=(0, 5), ylim=(0, 1.03))
    caption = (
        "Distance $X$ from a point to its partner, and the points that desire it: those to which it is nearer than their own partner. "
        f"Matching of points of {intensity_text(rows)}; only distances below the cutoff of the torus are shown."
    )
    if "one-color" in families(rows):
        caption += (
            " One-color matching solves shy frogs (Thm 7): Bob may not begin within $c$, so Alice wins by beginning on a point whose partner is "
            "nearer; in shy colored frogs he always finds a pad, since the number of desirers grows without bound, like $\\log r$ if "
            "$r^d P(X > r)$ tends to a constant."
        )
    return caption


def labels(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the distances to the partner of each label, two panels for each dimension."""
    rows = rows[rows["color"] == 0]
    tails = (rows["quantity"] == "tail") & rows["below_cutoff"] & (rows["x"] >= 0.05)
    rows = rows[tails | ((rows["quantity"] == "quantile") & rows["x"].isin((0.25, 0.5, 0.75)))]
    name, axis, which = "k =", "$k$", "$k$, where 0 is the nearest"
    if families(rows) == {"labels"}:
        name, axis = "label", "label $k$"
        which = "of label $k$; label 0 is the one-color matching (Sprague-Grundy labels of all pairs, Prop. 14)"
    aspects = (
        Aspect("tails", "$r$", "$P(X_k > r)$", "xy", "tail"),
        Aspect("quantiles", axis, "quantile of $X_k$", "", "quantile", "order", ("x",)),
    )
    formats = {"x": lambda q: f"quantile {q:g}", "order": lambda order: f"{name} {order}"}
    for panel in layout.panels(rows, *aspects, by="dim", x="x", hue=("order",), formats=formats):
        if panel.aspect.quantity == "tail":
            panel.bands()
        else:
            panel.bars()
            panel.ax.set_xticks(sorted(panel.rows["order"].unique()))
    return (
        f"$X_k$ is the distance from a typical point to its partner {which}. "
        f"Points of {intensity_text(rows)}; only tails below the cutoff of the torus are shown."
    )


def components(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the components of the matching against the number of points.

    There is a panel for each dimension.
    """
    rows = of(rows, "largest_component", "second_component", "component_squares")
    aspect = Aspect(xlabel=COUNT, ylabel="fraction of the points", log="y")
    formats = {"quantity": lambda name: name.removesuffix("_component").replace("component_", "sum of ")}
    list(_against_size(rows, layout, aspect, False, by="dim", hue=("rule",), dash=("quantity",), formats=formats))
    multi = ", for multi($m$) see sec. 4.2 and refs [7-9]" * ("multi" in families(rows))
    return (
        f"Components of the matching as a graph{multi}: fraction of the points in the largest component and in the second largest, "
        "and the sum of the squares of the fractions of all components, against the number of points. "
        "If the largest fraction remains constant while the second decreases, this suggests an infinite component in infinite volume."
    )


def balls(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw how many partners of the points of a ball are outside it.

    Draw also how far Bob must go if Alice is confined to the ball.
    """
    outside = "the fraction of the points of a ball with partners outside"
    aspects = [Aspect(outside, "$r$", "points with partners outside", "xy", "outside")]
    for number in (2, 4):
        far = f"the fraction of the balls with a partner farther than ${number} r$ from the center"
        label = f"balls, partner beyond ${number} r$"
        aspects.append(Aspect(far, "$r$", label, "x", f"farther_than_{number}r"))
    rows = rows[rows["below_cutoff"] & (rows["x"] >= 0.5)]
    for panel in layout.panels(rows, *aspects, x="x", hue=("dim", "rule")):
        panel.bars()
        for part in panel.known("cell"):
            panel.exact(part["x"], part["exact"])
    return (
        "Balls of radius $r$ and the partners of their points; points without a partner are treated as if it were infinitely far "
        "away. In two-color matchings only the points of the first color are considered. The fraction outside tends to 0 if every point has a "
        "partner (proof of Thm 8). The other fractions show how far Bob must go if Alice is confined to the ball (sec. 2.1)."
    )
