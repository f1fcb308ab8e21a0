"""Figures of impartial games: addition table of Nim, simplex of the Triangle Game."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D

from poissonmatch.studies.figures.canvas import Drawing
from poissonmatch.studies.figures.figure_layout import FigureLayout
from poissonmatch.studies.figures.kinds import Options
from poissonmatch.studies.figures.style import EXACT, PALETTE, styled
from poissonmatch.utils.errors import BadInput, quoted
from poissonmatch.utils.immutable import immutable_copy
from poissonmatch.utils.validation import checked

from .. import TriangleGame
from ..impartial.triangle import layer_index, rotations

GOLD = PALETTE[2]
MAX_NUMBERS = 32  # in a table of Nim, to be readable
PHI = (1 + 5**0.5) / 2
CORNERS = immutable_copy(np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 3**0.5 / 2]]))  # all stones on vertex 0, 1, 2
GOLDEN_LINE = ((0.0, 0.5, 0.5), (1 / (2 * PHI**2), 0.5, 1 / (2 * PHI)))  # from x = 0 to z = phi x; and its rotations


@checked()
def nim_table(size: int = 16) -> Drawing:
    """Draw the addition table of Nim for the numbers 0 to size - 1.

    Parameters
    ----------
    size : int, optional
        From 1 to 32, by default 16.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    ValueError
        If the size is out of range.

    Examples
    --------
    >>> figure = pm.figures.nim_table(8)
    >>> [text.get_text() for text in figure.axes[0].texts][8:16]
    ['1', '0', '3', '2', '5', '4', '7', '6']
    """
    if not 1 <= size <= MAX_NUMBERS:
        raise BadInput(f"size must be from 1 to {MAX_NUMBERS}, got {quoted(size)}")
    with styled():
        layout = FigureLayout(Options(width="text"))
        (ax,) = layout.grid([""], 1, 7.0)
        numbers = np.arange(size)
        sums = np.bitwise_xor.outer(numbers, numbers)
        ax.imshow(sums, cmap="viridis", alpha=0.55)
        for row, column in np.ndindex(sums.shape):
            ax.text(column, row, str(sums[row, column]), ha="center", va="center", fontsize=min(9, 150 / size))
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_ticks(numbers, [str(n) for n in numbers], fontsize=min(8, 150 / size))
            axis.set_tick_params(length=0)
        ax.xaxis.tick_top()
        caption = layout.finish(f"The addition table of Nim: the sum without carrying of the numbers 0 to {size - 1}.")
        return Drawing(layout.figure, caption)


@checked()
def simplex(total: int = 60, misere: bool = False) -> Drawing:
    """Draw the P-positions of the Triangle Game, nim-values for one total, and the golden lines.

    The fractions of stones on the vertices determine the place of a position.

    Parameters
    ----------
    total : int, optional
        Maximal number of stones, from 1 to 300, by default 60; nim-values are drawn for this
        number.
    misere : bool, default False
        Whether to draw misere play instead of normal play.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    ValueError
        If the total is out of range.

    Examples
    --------
    >>> pm.figures.caption(pm.figures.simplex(12))[:18]
    'The Triangle Game.'
    """
    if not 1 <= total <= 300:
        raise BadInput(f"total must be from 1 to 300, got {quoted(total)}")
    game = TriangleGame(misere=misere)
    values = game.values(total)
    with styled():
        layout = FigureLayout(Options(width="text"))
        play = "misere" if misere else "normal"
        names = [f"P-positions of {play} play with 1 to {total} stones", f"nim-values with {total} stones"]
        left, right = layout.grid(names, 2, 3.2)
        zero = np.concatenate([_positions(n)[_values_of(values, n) == 0] for n in range(1, total + 1)])
        _frame(left, 0)
        left.plot(*CORNERS[[0, 1, 2, 0]].T, color=EXACT, lw=0.8)
        across, up = _coordinates(zero).T
        left.scatter(across, up, s=16, color=PALETTE[0], lw=0, zorder=1)
        _frame(right, 1 / total)
        last = _positions(total)
        cells = PolyCollection(_cells(last), array=_values_of(values, total), lw=0.1)
        cells.set(cmap="viridis_r", edgecolor="face", zorder=0)
        right.add_collection(cells)
        layout.figure.colorbar(cells, ax=right, shrink=0.6, label="nim-value")
        for ax in (left, right):
            _golden(ax)
        layout.handles["golden lines"] = Line2D([], [], color=GOLD, label="golden lines")
        caption = layout.finish(
            "The Triangle Game. A position (x, y, z) is drawn at its shares of stones; the corners are the vertices, and stones "
            "move from 0 to 1 to 2 to 0. The golden lines are y = x + z with z at least $\\phi x$, and their rotations."
        )
        return Drawing(layout.figure, caption)


def _positions(total: int) -> np.ndarray:
    """Return the positions with this number of stones, one per row."""
    x, y = np.nonzero(np.tri(total + 1)[::-1])
    return np.stack([x, y, total - x - y], axis=1)


def _values_of(values: np.ndarray, total: int) -> np.ndarray:
    x, y, _ = _positions(total).T
    return values[layer_index(total, x, y)]


def _coordinates(positions: np.ndarray) -> np.ndarray:
    return positions / positions.sum(axis=1, keepdims=True) @ CORNERS


def _cells(positions: np.ndarray) -> list[np.ndarray]:
    """Return a hexagon around each position; all positions have the same number of stones."""
    turn = np.pi / 6 + np.arange(6) * np.pi / 3
    corner = np.stack([np.cos(turn), np.sin(turn)], axis=1) / (3**0.5 * sum(positions[0]))
    return [place + corner for place in _coordinates(positions)]


def _frame(ax: Axes, beyond: float) -> None:
    """Write the names of the corners at this distance outside."""
    middle = CORNERS.mean(axis=0)
    for corner, place in enumerate(CORNERS):
        x, y = place + (place - middle) * (0.08 + beyond)
        ax.text(x, y, str(corner), ha="center", va="center", fontsize=matplotlib.rcParams["axes.labelsize"])
        ax.plot(x, y, alpha=0)  # so that the axes reach there
    ax.set_aspect("equal")
    ax.margins(0.06)
    ax.set_axis_off()


def _golden(ax: Axes) -> None:
    ends = [rotations(end) for end in GOLDEN_LINE]  # type: ignore[arg-type]
    for start, end in zip(*ends, strict=True):
        ax.plot(*(np.array([start, end]) @ CORNERS).T, color=GOLD, lw=1.4, zorder=3)
