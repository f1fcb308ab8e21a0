"""Rows become curves, and each curve gets its look: hue, shade and marker, dash, so that none is joined to another or left out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.lines import Line2D

from ..rules.rule import MAX_COLORS, Rule
from .style import DASHES, MARKERS, hues, lighter, point_color
from .words import dim_name, intensity_columns, number, rule_of

WORDS = {  # of a legend, for a value of a column
    "dim": dim_name,
    "size": lambda value: f"{number(value)} points",
    "ratio": lambda value: rf"$\rho = {value:g}$",
    "intensity_0": lambda value: f"intensity {value:g}",
    "intensity_1": lambda value: f"second intensity {value:g}",
    **{f"intensity_{k}": f"intensity {{:g}} of color {k}".format for k in range(2, MAX_COLORS)},
    "order": lambda value: f"label {value}",
}
# What may tell two curves apart that are not told apart by what a figure is about; the last always does.
TELLING = ("study", "rule", "dim", "size", "cell")  # of which one sees which study it is
MORE = ("study", "rule", "ratio", "intensity", "size", "dim", "cell")  # intensity: of each color


@dataclass(frozen=True)
class Curve:
    """Some rows, of which no two have the same x, and how they look."""

    rows: pd.DataFrame
    color: str
    marker: str
    dash: Any


class Looks:
    """The looks of all curves of a figure.

    hue, shade, dash: the columns that these tell; shade is lightness and marker. x: the column along a curve. within: the
    columns that choose the panel. words: of a legend, for values of further columns.
    """

    def __init__(
        self,
        rows: pd.DataFrame,
        x: str,
        within: Sequence[str],
        hue: Sequence[str],
        shade: Sequence[str],
        dash: Sequence[str],
        words: dict[str, Any],
    ) -> None:
        self.rows, self.words, self.rule = rows, {**WORDS, **words}, _colored(rows)
        self.ordered = tuple(hue) == ("order",)
        free = [key for key in (x, *within) if key]
        asked: list[list[str]] = []
        for keys in (hue, dash, shade):  # what follows from the others tells nothing
            told = [*within, *sum(asked, [])]
            asked.append([key for key in keys if key not in free and _varies(rows, key, told)])
        self.hue, self.dash, self.shade = asked
        self.hue += [key for key in _needed(rows, x, [*within, *sum(asked, [])]) if key not in free]
        # What the figure is about is named even where there is but one.
        named = [key for key in hue if key in (hue[0], "dim") and key not in free]
        self.hue = [*named, *(key for key in self.hue if key not in named)]
        self.keys = [*self.hue, *self.shade, *self.dash]
        self.told = {*free, *self.keys}
        self.levels = {name: _levels(rows, keys) for name, keys in self._channels.items()}

    @property
    def _channels(self) -> dict[str, list[str]]:
        return {"hue": self.hue, "shade": self.shade, "dash": self.dash}

    def tells(self, key: str) -> bool:
        """Can one see in the figure which value of this column a curve has?"""
        return key in self.told

    def curves(self, rows: pd.DataFrame) -> Iterator[Curve]:
        """The curves of these rows of the figure."""
        parts = rows.groupby(self.keys, sort=True, dropna=False) if self.keys else [((), rows)]
        for _, part in parts:
            first = part.iloc[0]
            color, _ = self._hue(self._place("hue", first))
            share = self._share(self._place("shade", first))
            yield Curve(
                part, lighter(color, share), self._marker(first), DASHES[self._place("dash", first) % len(DASHES)]
            )

    def _place(self, channel: str, row: Any) -> int:
        keys = self._channels[channel]
        return self.levels[channel].index(_level(row, keys)) if keys else 0

    def _hue(self, place: int) -> tuple[str, str]:
        levels = self.levels["hue"]
        if self.hue == ["color"]:
            color = int(levels[place][0])
            return point_color(self.rule, color), "o"
        return hues(max(1, len(levels)), self.ordered)[place], MARKERS[place % len(MARKERS)]

    def _share(self, place: int) -> float:
        levels = max(1, len(self.levels["shade"]))
        return 1.0 if levels == 1 else 0.55 + 0.45 * place / (levels - 1)

    def _marker(self, row: Any) -> str:
        """By size if that varies, else by hue."""
        if len(self.levels["shade"]) > 1:
            return MARKERS[self._place("shade", row) % len(MARKERS)]
        return self._hue(self._place("hue", row))[1]

    def handles(self, marked: bool) -> list[Line2D]:
        """An entry of the legend for each value of each channel. marked: the curves have markers."""
        found = []
        sizes = len(self.levels["shade"]) > 1
        for place, level in enumerate(self.levels["hue"] if self.hue else ()):
            color, marker = self._hue(place)
            found.append(_handle(color, "-", marker if marked and not sizes else None, self._said(self.hue, level)))
        for place, level in enumerate(self.levels["shade"] if sizes else ()):
            mark = MARKERS[place % len(MARKERS)] if marked else None
            found.append(_handle(lighter("#222222", self._share(place)), "-", mark, self._said(self.shade, level)))
        for place, level in enumerate(self.levels["dash"] if len(self.levels["dash"]) > 1 else ()):
            found.append(_handle("#444444", DASHES[place % len(DASHES)], None, self._said(self.dash, level)))
        return found

    def _said(self, keys: Sequence[str], level: tuple) -> str:
        return ", ".join(self.word(key, value) for key, value in zip(keys, level, strict=True) if value is not None)

    def word(self, key: str, value: Any) -> str:
        """A value of a column in the words of a legend."""
        if key == "color":
            return self.rule.color_name(int(value))
        return str(self.words[key](value)) if key in self.words else str(value)


def _colored(rows: pd.DataFrame) -> Rule:
    """The rule that names the colors: of several the one that has the most."""
    return max((rule_of(part) for _, part in rows.groupby("rule", sort=False)), key=lambda rule: rule.n_colors)


def _handle(color: str, dash: Any, marker: str | None, label: str) -> Line2D:
    return Line2D([], [], color=color, linestyle=dash, marker=marker, label=label)


def _varies(rows: pd.DataFrame, key: str, within: Sequence[str]) -> bool:
    """Has a column several values in a panel?"""
    if not within:
        return rows[key].nunique(dropna=False) > 1
    return bool((rows.groupby(list(within), dropna=False)[key].nunique(dropna=False) > 1).any())


def _level(row: Any, keys: Sequence[str]) -> tuple:
    """The values of these columns; None for one that is missing."""
    return tuple(None if pd.isna(row[key]) else row[key] for key in keys)


def _levels(rows: pd.DataFrame, keys: Sequence[str]) -> list[tuple]:
    if not keys:
        return [()]
    found = rows[list(keys)].drop_duplicates()
    if "study" not in keys:  # whose order is that of the figure
        found = found.sort_values(list(keys), kind="stable")
    return [_level(row, keys) for _, row in found.iterrows()]


def _needed(rows: pd.DataFrame, x: str, keys: list[str]) -> Iterator[str]:
    """The further columns without which a curve would be of two studies, or have two values at one x."""
    each = [[key] if key != "intensity" else intensity_columns(rows) for key in MORE]
    for key in itertools.chain(*each):
        if key in keys or key not in rows:
            continue
        telling = [key for key in keys if key in TELLING]
        groups = rows.groupby(telling, sort=False, dropna=False) if telling else [((), rows)]
        mixed = key == "study" and any(part["study"].nunique() > 1 for _, part in groups)
        if mixed or (rows.duplicated([*keys, x]).any() and _varies(rows, key, keys)):
            keys = [*keys, key]
            yield key
