"""Figures of exact games: heat map of a family, thermograph, timeline of the puzzle."""

from __future__ import annotations

import string
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from poissonmatch.studies.figures.canvas import Drawing
from poissonmatch.studies.figures.figure_layout import FigureLayout
from poissonmatch.studies.figures.kinds import Options
from poissonmatch.studies.figures.style import PALETTE, styled
from poissonmatch.utils.libraries import pd
from poissonmatch.utils.validation import checked

from ..partisan import Game, Ruleset, parse
from ..toads.lucas_puzzle import shortest_solution
from ..toads.lucas_puzzle import timeline as moves_of
from ..toads.published_values import AGREEMENT

VALUE_KINDS = ("0", "*", "infinitesimal", "number", "number + infinitesimal", "hot", "bounds only")
SHADES = ("#F0F0F0", "#56B4E9", "#0072B2", "#009E73", "#CC79A7", "#D55E00", "#999999")
DARK = ("infinitesimal", "hot")  # shades with white letters
LETTER = 7  # points
MAX_PUZZLE = 12  # toads, frogs or empty squares of a puzzle
PIECES = {"T": (PALETTE[3], "s"), "F": (PALETTE[1], "o")}  # color and marker of toads and frogs


def heat_map(table: pd.DataFrame) -> Drawing:
    """Draw the kinds of value in a table `toads_and_frogs`: a panel for each k, a row for each a, a column for each b."""
    with styled():
        counts = sorted(table["k"].unique())
        last_a, last_b = int(table["a"].max()), int(table["b"].max())
        names = ["$T^a\\ .^b\\ F^a$" if k == 0 else f"$T^{{a+{k}}}\\ .^b\\ F^a$" for k in counts]
        layout = FigureLayout(Options(width="text"))
        axes = layout.grid(names, 1, max(1.2, 0.6 + 0.2 * last_a))
        long: dict[str, str] = {}  # value -> letters in its cells
        letters = 6.4 * 72 / max(1, last_b) / (0.5 * LETTER)  # per cell
        for ax, k in zip(axes, counts, strict=True):
            panel = table[table["k"] == k]
            kinds = panel["kind"].fillna(VALUE_KINDS[-1]).map(VALUE_KINDS.index)
            grid = np.full((last_a + 1, last_b + 1), np.nan)
            grid[panel["a"], panel["b"]] = kinds
            edges = [np.arange(n + 2) - 0.5 for n in (last_b, last_a)]
            colors: dict[str, Any] = {"cmap": ListedColormap(SHADES), "vmin": -0.5, "vmax": len(VALUE_KINDS) - 0.5}
            ax.pcolormesh(*edges, grid, ec="white", lw=0.4, **colors)
            for a, b, kind, value in zip(panel["a"], panel["b"], kinds, panel["value"], strict=True):
                text = value if isinstance(value, str) else "?"
                if len(text) > letters:
                    text = long.setdefault(text, _letters(len(long)))
                color = "white" if VALUE_KINDS[kind] in DARK else "black"
                ax.text(b, a, text, ha="center", va="center", fontsize=LETTER, color=color)
            ax.set_xlabel("b")
            ax.set_ylabel("a")
            ax.set_xlim(int(table["b"].min()) - 0.5, last_b + 0.5)
            ax.set_ylim(last_a + 0.5, int(table["a"].min()) - 0.5)
            ax.xaxis.set_major_locator(MaxNLocator(12, integer=True, min_n_ticks=1))
            ax.yaxis.set_major_locator(MaxNLocator(12, integer=True, min_n_ticks=1))
        used = [k for k in VALUE_KINDS if k in set(table["kind"].fillna(VALUE_KINDS[-1]))]
        layout.handles = {k: Patch(color=SHADES[VALUE_KINDS.index(k)], label=k) for k in used}
        for value, name in long.items():
            layout.handles[value] = Line2D([], [], ls="", marker=f"${name}$", ms=LETTER, color="black", label=value)
        agree = [int((table["agrees"] == how).sum()) for how in AGREEMENT]
        caption = layout.finish(
            "Kind of the value of the starting positions of Toads and Frogs with a + k toads, b empty squares and "
            f"a frogs; values that are too long for their cells have a letter, explained in the legend. Of {len(table)} cells {sum(agree)} are published: "
            f"{agree[0]} are equal to the published values, {agree[1]} inside the published bounds, {agree[2]} differ."
        )
        return Drawing(layout.figure, caption)


def _letters(n: int) -> str:
    """Return A, B, ..., Z, AA, AB, ..."""
    return (_letters(n // 26 - 1) if n >= 26 else "") + string.ascii_uppercase[n % 26]


def thermograph(game: Game | Ruleset | str, name: str = "", ax: Axes | None = None) -> Drawing:
    """Draw the thermograph of a game: the stops against temperature, with values increasing to the left.

    Parameters
    ----------
    game : Game, position or str
        A value, a position such as `pm.games.ToadsAndFrogs("TTT..FF")`, or the notation of a value,
        "{2|-1}".
    name : str, optional
        Name of the game in the caption. By default none.
    ax : matplotlib axes, optional
        Axes to draw in, by default those of a new figure.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> print(pm.figures.caption(pm.figures.thermograph("{2|-1}")))
    Thermograph of {2|-1}: mean 1/2, temperature 3/2.
    """
    if isinstance(game, Ruleset):
        name = name or game.show(game.position)
        game = game.value
    elif not isinstance(game, Game):
        game = parse(game)
    with styled():
        layout = FigureLayout(Options(), ax)
        (ax,) = layout.grid([""])
        walls = game.thermograph
        top = max(float(game.temperature), 0.0) + 1
        for wall, shade, label in zip((walls.left, walls.right), PALETTE, ("left wall", "right wall"), strict=False):
            t, v = ([float(corner[i]) for corner in wall] for i in (0, 1))
            ax.plot(v, t, color=shade, label=label, lw=1.6)
        mean = float(walls.mean)
        ax.plot([mean, mean], [float(walls.temperature), top], color="black", label="mast", lw=1.6)
        low, high = ax.get_xlim()
        if high - low < 1:  # an integer has no width
            ax.set_xlim(min(low, mean - 0.5), max(high, mean + 0.5))
        ax.xaxis.set_major_locator(MaxNLocator(5))
        ax.invert_xaxis()
        ax.set_xlabel("value")
        ax.set_ylabel("temperature")
        ax.legend()
        caption = layout.finish(f"Thermograph of {name or game}: mean {game.mean}, temperature {game.temperature}.")
        return Drawing(layout.figure, caption)


def timeline(moves: list[dict[str, Any]]) -> Drawing:
    """Draw moves of the puzzle of Lucas, one row for each position."""
    with styled():
        squares = len(moves[0]["strip"])
        layout = FigureLayout(Options(width="text" if squares > 9 else "column"))
        (ax,) = layout.grid([""], 1, 0.2 * len(moves) + 0.6)
        for move in moves:
            for square, piece in enumerate(move["strip"]):
                shade, marker = PIECES.get(piece, ("white", "o"))
                ax.scatter(square, move["move"], s=40, color=shade, marker=marker, edgecolors="#bbbbbb", linewidths=0.6)
            if move["piece"]:
                style = {"arrowstyle": "->", "color": "black", "lw": 1.2 if move["jump"] else 0.7}
                ax.annotate("", (move["end"], move["move"]), (move["start"], move["move"] - 1), arrowprops=style)
        ax.invert_yaxis()
        ax.set_xticks(range(squares))
        ax.set_xlabel("square")
        ax.yaxis.set_major_locator(MaxNLocator(20, integer=True))
        ax.set_ylabel("move")
        for piece, name in (("T", "toad"), ("F", "frog")):
            (shade, marker), count = PIECES[piece], moves[0]["strip"].count(piece)
            label = f"{count} {name}{'s' * (count != 1)}"
            layout.handles[label] = Line2D([], [], color=shade, marker=marker, ls="", label=label)
        caption = layout.finish(
            f"A shortest way to exchange {' and '.join(layout.handles)}: {len(moves) - 1} moves. Thick arrows are jumps."
        )
        return Drawing(layout.figure, caption)


@checked(toads=(0, MAX_PUZZLE), frogs=(0, MAX_PUZZLE), blanks=(0, MAX_PUZZLE))
def puzzle(toads: int = 3, frogs: int = 3, blanks: int = 1) -> Drawing:
    """Draw a shortest solution of the puzzle of Lucas, one row for each position.

    Parameters
    ----------
    toads, frogs, blanks : int, optional
        Numbers of toads, frogs and empty squares, by default 3, 3 and 1.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> print(pm.figures.caption(pm.figures.puzzle(2, 2)))
    A shortest way to exchange 2 toads and 2 frogs: 8 moves. Thick arrows are jumps.
    """
    return timeline([dict(move) for move in moves_of(shortest_solution(toads, frogs, blanks))])
