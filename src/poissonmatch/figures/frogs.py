"""Figures of the theorems on frog games (Deijfen, Holroyd, Martin 2016), from the table of estimates alone."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import BadInput
from .canvas import PALETTE, band, error_bars, largest, panels
from .words import BANDS, BARS, INTERVALS, dim_name, intensity_words, process_names, ratio_label, replicates, rule_of

Drawn = tuple[Figure, str]


def _studies(rows: pd.DataFrame, quantity: str) -> tuple[Figure, list[tuple[Axes, pd.DataFrame]]]:
    """A figure with a panel for each study, and the rows of the quantity in each."""
    rows = rows[rows["quantity"] == quantity]
    parts = [part for _, part in rows.groupby("study", sort=False)]
    figure, axes = panels(len(parts))
    for ax, part in zip(axes, parts, strict=True):
        study, rule = part["study"].iloc[0], part["rule"].iloc[0]
        ax.set_title(study if study == rule else f"{study} ({rule})")
    return figure, list(zip(axes, parts, strict=True))


def _by_dim(rows: pd.DataFrame) -> Iterator[tuple[int, str, pd.DataFrame]]:
    for k, (_, part) in enumerate(rows.groupby("dim", sort=True)):
        yield k, dim_name(part["dim"].iloc[0]), part


def _numbers(ax: Axes, sizes: pd.Series) -> None:
    if sizes.max() > 50 * sizes.min():
        ax.set_xscale("log")
    ax.set_xlabel("number of points")


def winner(rows: pd.DataFrame) -> Drawn:
    """P(Alice wins) against the number of points, a panel for each study."""
    figure, parts = _studies(rows, "alice_wins")
    for ax, mine in parts:
        for k, name, curve in _by_dim(mine):
            curve = curve.sort_values("size")
            error_bars(ax, curve, curve["size"], k, name)
        exact = mine[mine["exact"].notna()].drop_duplicates("size").sort_values("size")
        if len(exact):
            ax.plot(exact["size"], exact["exact"], "k:", lw=1.2, label="exact", zorder=5)
        _numbers(ax, mine["size"])
        ax.set_ylabel("P(Alice wins)")
        ax.set_ylim(-0.05, 1.05)
        if mine["dim"].nunique() > 1:
            ax.legend()
    return figure, (
        "Probability that Alice wins the game of each rule against the number of points on the torus: of a binomial process that number, "
        "otherwise its mean. With one color the parity decides (Thm 1): 1 for an odd number, 0 for an even one, and about 1/2 for a "
        "Poisson number, in every dimension, although in infinite volume Bob wins (Thm 4). Misere: Cor. 10; several partners: games "
        f"with stones, Thm 12. {BARS} (Clopper and Pearson) over {replicates(rows)} replicates."
    )


def winner_ratio(rows: pd.DataFrame) -> Drawn:
    """Who wins against the ratio of the intensities, a panel for each dimension."""
    rows = rows[rows["ratio"].notna()]
    if rows.empty:
        raise BadInput("there is nothing to draw: no study has two colors")
    rule = rule_of(rows)
    fussy = (
        rule.judged is not None
    )  # then its points without a partner are what matters, and Bob wins where there is none
    dims = sorted(rows["dim"].unique())
    figure, axes = panels(len(dims) * (2 if fussy else 1), columns=len(dims) if fussy else 3)
    wins = rows[rows["quantity"] == "alice_wins"]
    if fussy:  # Bob wins where no point is left
        wins = rows[(rows["quantity"] == "leftovers") & (rows["x"] == 0)]
    reds = rows[(rows["quantity"] == "unmatched_fraction") & (rows["color"] == rule.judged)]
    for column, dim in enumerate(dims):
        curves = [(axes[column], wins, "P(Bob wins)" if fussy else "P(Alice wins)")]
        if fussy:
            curves.append((axes[len(dims) + column], reds, "fraction of red points unmatched"))
        for ax, table, what in curves:
            mine = table[table["dim"] == dim]
            for k, (size, curve) in enumerate(mine.groupby("size", sort=True)):
                curve = curve.sort_values("ratio")
                error_bars(ax, curve, curve["ratio"], k, f"{size:,.0f} points")
                if table is wins and curve["exact"].notna().any():
                    ax.plot(curve["ratio"], curve["exact"], ":", color="black", lw=1.2, zorder=5)
            ax.set_title(dim_name(dim))
            ax.set_ylabel(what)
            ax.set_xlabel(ratio_label(rule))
            ax.legend()
    bars = f"{BARS} over {replicates(wins)} replicates."
    if fussy:
        return figure, (
            "Fussy frogs: probability that Bob wins, which he does if and only if no point is unmatched, and the "
            "fraction of red points that are unmatched, against rho, for tori of growing volume. Where unmatched red points have a positive "
            "density, P(Bob wins) falls to 0 as the torus grows; whether they have for every rho > 0 is the open problem of "
            f"Deijfen, Holroyd and Martin, sec. 3.3. {bars}"
        )
    return figure, (
        "Colored frogs on colored points: Alice (amber, intensity alpha) wins if and only if there are more amber points than blue ones. "
        "Against rho = beta / alpha the probability becomes a step at 1 as the torus grows (Thm 8: in infinite volume Alice wins for "
        f"alpha > beta, Bob for alpha <= beta). Dotted: exact, from two Poisson numbers. {bars}"
    )


def leftovers(rows: pd.DataFrame) -> Drawn:
    """P(0, 1, 2 points are left) against the number of points, a panel for each study."""
    figure, parts = _studies(rows, "leftovers")
    for ax, mine in parts:
        for k, name, part in _by_dim(mine):
            for (x, curve), line in zip(part.groupby("x", sort=True), ("-", "--", ":"), strict=False):
                curve = curve.sort_values("size")
                error_bars(ax, curve, curve["size"], k, f"{name}: {x:g} left", line)
        _numbers(ax, mine["size"])
        ax.set_ylabel("probability")
        ax.set_ylim(-0.05, 1.05)
        ax.legend(fontsize=6.5)
    return figure, (
        "Probability that the matching leaves 0, 1 or 2 points with room for a partner, against the number of points. In misere frogs an odd "
        "number leaves one; an even number none, or two that are mutually nearest; in infinite volume all points are matched and Bob wins "
        f"(Prop. 9, Cor. 10). {BARS} (Clopper and Pearson) over {replicates(rows)} replicates."
    )


def _by_rule(rows: pd.DataFrame, lines: dict[str, str], what: str) -> Figure:
    """Quantities, each with its line, against the number of points: a panel for each dimension, a color for each rule."""
    dims = sorted(rows["dim"].unique())
    figure, axes = panels(len(dims))
    for ax, dim in zip(axes, dims, strict=True):
        for j, (quantity, line) in enumerate(lines.items()):
            table = rows[(rows["dim"] == dim) & (rows["quantity"] == quantity)]
            for k, (rule, curve) in enumerate(table.groupby("rule", sort=True)):
                curve = curve.sort_values("size")
                error_bars(ax, curve, curve["size"], k, str(rule) if j == 0 else None, line)
        _numbers(ax, rows["size"])
        ax.set_yscale("log", nonpositive="mask")
        ax.set_title(dim_name(dim))
        ax.set_ylabel(what)
        ax.legend()
    return figure


def incomplete(rows: pd.DataFrame) -> Drawn:
    """Points with room left against the number of points, a panel for each dimension."""
    figure = _by_rule(rows, {"incomplete_fraction": "-"}, "fraction of points with room left")
    return figure, (
        "Fraction of the points with fewer than m partners in the stable m-matching, multi(m), against the number of points. It falls like "
        "1 / (number of points), because at most m points can have room left: in infinite volume every point has its k + 1 = m partners, and "
        f"Bob wins the game with k stones (Thm 12). {BARS} over {replicates(rows)} replicates."
    )


def shy(rows: pd.DataFrame) -> Drawn:
    """Theorem 7: how far partners are, and how many points desire a point."""
    rows = largest(rows)
    figure, (left, right) = panels(2, 4.6, 3.8)
    for ax, quantity in ((left, "tail"), (right, "desirers")):
        table = rows[(rows["quantity"] == quantity) & (rows["order"] == 0) & (rows["color"] == 0) & rows["trusted"]]
        for k, name, curve in _by_dim(table):
            band(ax, curve, PALETTE[k % 7], name)
        ax.legend()
    left.set_xlim(0, 5)
    left.set_xlabel("c")
    left.set_ylabel("share of points whose partner is farther than c")
    left.set_title("shy frogs")
    right.set_xscale("log")
    right.set_xlim(left=0.1)
    right.set_xlabel("r")
    right.set_ylabel("points within r that desire a point")
    right.set_title("desirers")
    return figure, (
        "Theorem 7. Left: share of the points whose partner is farther than c; in shy frogs Bob may not open within c, so that Alice wins by "
        "beginning on any of the others. Right: mean number of points within r that desire a typical point; it grows without bound, as log r "
        "where r^d P(X > r) levels off, and Bob always finds a pad in shy colored frogs. One-color matching of points "
        f"({process_names(rows)}), {intensity_words(rows)}; {BANDS} over {replicates(rows)} replicates."
    )


def labels(rows: pd.DataFrame) -> Drawn:
    """Distances to the partner of each label, two panels for each dimension."""
    rows = largest(rows)
    dims = sorted(rows["dim"].unique())
    figure, axes = panels(2 * len(dims), columns=len(dims))
    for column, dim in enumerate(dims):
        mine = rows[(rows["dim"] == dim) & (rows["color"] == 0)]
        above, below = axes[column], axes[len(dims) + column]
        tails = mine[(mine["quantity"] == "tail") & mine["trusted"]]
        for k, (label, curve) in enumerate(tails.groupby("order", sort=True)):
            band(above, curve, PALETTE[k % 7], f"label {label}", "-" if k < 7 else "--")
        above.set_xscale("log")
        above.set_yscale("log")
        above.set_xlim(left=0.05)
        above.set_title(dim_name(dim))
        above.set_xlabel("r")
        above.set_ylabel("P(no partner of this label within r)")
        above.legend(fontsize=6.5)
        quantiles = mine[(mine["quantity"] == "quantile") & mine["x"].isin((0.25, 0.5, 0.75))]
        for k, (q, curve) in enumerate(quantiles.groupby("x", sort=True)):
            curve = curve.sort_values("order")
            error_bars(below, curve, curve["order"], k, f"{q:.0%} quantile")
        below.set_xticks(sorted(mine["order"].unique()))
        below.set_xlabel("label k")
        below.set_ylabel("distance to the partner of label k")
        below.legend()
    return figure, (
        "Sprague-Grundy labels of all pairs (Prop. 14). Above: probability that a typical point has no partner of label k within r; label 0 is "
        "the one-color matching. Below: quantiles of the distance to the partner of label k. Points "
        f"({process_names(rows)}) of {intensity_words(rows)}; {INTERVALS} over {replicates(rows)} replicates."
    )


def components(rows: pd.DataFrame) -> Drawn:
    """Components of the matching against the number of points, a panel for each dimension."""
    figure = _by_rule(rows, {"largest_component": "-", "second_component": "--"}, "fraction of the points")
    return figure, (
        "Components of the stable m-matching, multi(m), as a graph (sec. 4.2 and refs [7-9]): fraction of the points in the largest component "
        "(solid) and in the second largest (dashed) against the number of points. A largest fraction that stays up while the second falls "
        f"speaks for an infinite component in infinite volume. {BARS} over {replicates(rows)} replicates."
    )
