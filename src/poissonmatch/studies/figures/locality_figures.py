"""Figures of the locality of a matching.

They show rounds, descending chains, and the window that determines a partner.
"""

from __future__ import annotations

from ...utils.errors import BadInput
from ...utils.libraries import pd
from .figure_layout import Aspect, FigureLayout
from .figure_text import of
from .frog_figures import COUNT
from .ticks import whole_ticks

NEAREST = 0.05  # spacings, within which no partner is determined


def rounds(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the number of rounds against the number of points.

    Draw also the unmatched points after each round.
    """
    aspects = (
        Aspect("the rounds that the matching takes", COUNT, "rounds", "x", "rounds", x="size"),
        Aspect("points without a partner after $k$ rounds", "$k$", "fraction of the points", "y", "round_tail"),
    )
    _maximum_and_tail(rows, layout, aspects, "Unmatched points after each round: of the largest tori.")
    return (
        "Rounds of the procedure that constructs the matching: in each round, all mutually first pairs are matched "
        "(Deijfen, Holroyd and Martin, proof of Prop. 2)."
    )


def play_length(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the length of the longest game against the number of points.

    Draw also the fraction of the points from which the game is longer than k moves.
    """
    aspects = (
        Aspect("the longest game of a torus", COUNT, "moves", "x", "longest_play", x="size"),
        Aspect("games of more than $k$ moves", "$k$", "fraction of the points", "y", "play_length_tail"),
    )
    _maximum_and_tail(rows, layout, aspects, "Games of more than $k$ moves: on the largest tori.")
    return (
        "Number of moves of the game that the matching solves, both placements included, if Alice begins on a point on which Bob wins: "
        "he wins as fast as possible, and she loses as slowly as possible."
    )


def _maximum_and_tail(rows: pd.DataFrame, layout: FigureLayout, aspects: tuple[Aspect, Aspect], note: str) -> None:
    """Draw a maximum against the number of points, and a tail on the largest tori."""
    maximum, tail = (rows["quantity"] == aspect.quantity for aspect in aspects)
    rows = rows[maximum | (tail & (rows["value"] > 0) & (rows["x"] <= rows["value"].where(maximum).max()))]
    largest = rows.groupby(["rule", "dim"])["size"].transform("max")
    kept = rows[(rows["quantity"] == aspects[0].quantity) | (rows["size"] == largest)]
    if len(kept) < len(rows):
        layout.say(note)
    for panel in layout.panels(kept, *aspects, x="x", hue=("dim", "rule"), shade=()):
        panel.bars()
        whole_ticks(panel.ax.xaxis if panel.x == "x" else panel.ax.yaxis)


def chains(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the number of steps of the longest descending chain from a point."""
    rows = rows[(rows["quantity"] != "chain_tail") | (rows["value"] > 0)]
    aspects = (
        Aspect("its mean number of steps, the first within the ball of $V$ points", "$V$", "steps", "", "chain_steps"),
        Aspect(
            "the fraction of points with $k$ steps or more, $V = 1$", "$k$", "fraction of the points", "y", "chain_tail"
        ),
    )
    for panel in layout.panels(rows, *aspects, x="x"):
        panel.bars()
        if panel.aspect.quantity == "chain_tail":
            whole_ticks(panel.ax.xaxis)
        for part in panel.known("dim", "size"):
            part = part[part["exact"] > 0]
            panel.exact(part["x"], part["exact"])
    return (
        "The longest descending chain from a typical point, which is a sequence of points in which each step is shorter than the one before. "
        "There are no infinite chains; the mean number of chains of $k$ steps is at most $V^k / k!$."
    )


def window(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the tail of the radius of the window that determines the partner of a point."""
    rows = of(rows, "window_tail")
    rows = rows[rows["below_cutoff"] & ~(rows["lower"] <= 0) & (rows["x"] >= NEAREST)]
    if rows.empty:
        raise BadInput("there is nothing to draw: no window below the cutoff of its torus")
    aspect = Aspect(xlabel="$r$", ylabel="fraction of the points", log="xy")
    for panel in layout.panels(rows, aspect, x="x", hue=("dim", "rule")):
        panel.bands()
    return "Fraction of the points whose partner is not determined by the points within $r$."
