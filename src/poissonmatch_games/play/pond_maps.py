"""Text map of a pond: pad numbers at their positions, frogs in brackets, and stones."""

from __future__ import annotations

import numpy as np

from poissonmatch.frogs.moves import OnePond, Position
from poissonmatch.points.pattern import Pattern

from ..two_player import PLAYERS

COLUMNS, LINES = 72, 22
MAX_MAPPED = 200  # pads on a map
MAX_SHIFT = 12  # columns that a pad is moved before it is moved to another line


def drawn(rules: OnePond, position: Position, player: str) -> str:
    """Return the map of a pond before a move of this player."""
    other = PLAYERS[player == "Alice"]
    marks = {}
    for frog, owner in zip(position.frogs, (other, player), strict=False):
        marks[frog] = owner[0] if rules.owned else "*"
    names = []
    for pad in range(rules.n):
        text = f"{pad}{rules.pads[rules.color[pad]][0] if rules.pads else ''}"
        lead = "x" * (pad in position.blocked) + "[" * (pad in marks)
        text += f" {marks[pad]}]" if pad in marks else ""
        names.append(lead.rjust(1 + bool(rules.k)) + text.ljust(len(str(rules.n - 1)) + bool(rules.pads) + 3))
    more = [", ".join(f"{color[0]} {color} pad" for color in rules.pads), "x stone" if rules.k else ""]
    legend = "; ".join(["[ ] frog" + (": A amber (Alice), B blue (Bob)" if rules.owned else ""), *filter(None, more)])
    return f"{_map(rules.pattern, names)}\n({legend})"


def _map(pattern: Pattern, names: list[str]) -> str:
    """Return the map of names of equal width."""
    if not names:
        return "(no pads)"
    points = np.asarray(pattern.points)
    if not pattern.geometry.has_coordinates:
        return "  ".join(name.strip() for name in names)
    if pattern.geometry.dim > 2 or len(names) > MAX_MAPPED:
        return "\n".join(
            f"{name.strip():>8}  {' '.join(f'{t:8.3f}' for t in row)}" for name, row in zip(names, points, strict=True)
        )
    rows = _rows(points, names)
    frame = "+" + "-" * (COLUMNS + 1) + "+"
    return "\n".join([frame, *(f"| {row}|" for row in rows), frame])


def _rows(points: np.ndarray, names: list[str]) -> list[str]:
    """Return the lines of the map; overlapping names are moved apart."""
    low, high = points.min(axis=0), points.max(axis=0)
    share = (points - low) / np.where(high > low, high - low, 1)
    flat, wide = points.shape[1] == 1, len(names[0])
    column = (share[:, 0] * (COLUMNS - wide)).astype(int)
    line = np.zeros(len(names), int) if flat else ((1 - share[:, 1]) * (LINES - 1)).round().astype(int)
    rows = [" " * COLUMNS for _ in range(1 if flat else LINES)]
    taken = np.zeros((max(LINES, -(-2 * len(names) * wide // COLUMNS)), COLUMNS), bool)
    for pad in np.lexsort((column, line)).tolist():
        row, at = _free(taken, int(line[pad]), int(column[pad]), wide)
        taken[row, at : at + wide] = True
        rows += [" " * COLUMNS] * (row + 1 - len(rows))
        rows[row] = rows[row][:at] + names[pad] + rows[row][at + wide :]
    return rows


def _free(taken: np.ndarray, line: int, column: int, wide: int) -> tuple[int, int]:
    """Return the nearest free (line, column): on the same line within MAX_SHIFT columns, or else on another line."""
    windows = np.lib.stride_tricks.sliding_window_view(taken, wide, axis=1)
    free = ~windows.any(axis=2)
    lines, columns = np.nonzero(free)
    shift = np.abs(columns - column)
    best = np.lexsort((shift, np.abs(lines - line) + (shift > MAX_SHIFT) * len(taken)))[0]
    return int(lines[best]), int(columns[best])
