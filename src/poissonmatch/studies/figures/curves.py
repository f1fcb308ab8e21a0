"""Assignment of rows to curves, and of hue, shade, marker and dash to curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ...rules.rule import Rule
from ...utils.libraries import pd
from ..tables.tables import names_of_colors
from .figure_rows import intensity_columns, rule_of
from .style import DASHES, MARKERS, PALETTE, hues, lighter, point_color
from .text_format import joined

STUDY_KEYS = ("study", "rule", "dim", "size", "cell")  # columns that identify a study
# Further columns that separate curves; the last always does.
MORE = ("study", "rule", "ratio", "intensity", "size", "dim", "cell")
SEQUENCES = (["order"], ["ratio"], ["intensity"], ["size"])  # columns of which many curves have steps of a scale


@dataclass(frozen=True)
class Curve:
    """Rows with distinct x, and their color, marker and dash.

    hue: the index of its entry in the legend.
    """

    rows: pd.DataFrame
    color: str
    marker: str
    dash: Any
    hue: int


class Channel:
    """Columns that curves show by hue, by shade or by dash, and their values in order."""

    def __init__(self, rows: pd.DataFrame, keys: list[str]) -> None:
        self.keys = keys
        distinct = rows[keys].drop_duplicates() if keys else rows[:1]
        if keys and "study" not in keys:  # studies keep the order of the figure
            distinct = distinct.sort_values(keys, kind="stable")
        self.levels = [self._level(row) for _, row in distinct.iterrows()]
        self.several = len(self.levels) > 1

    def level_of(self, row: Any) -> int:
        """Return the index of the values of a row."""
        return self.levels.index(self._level(row))

    def _level(self, row: Any) -> tuple:
        return tuple(None if pd.isna(row[key]) else row[key] for key in self.keys)


class Looks:
    """Colors, markers and dashes of all curves of a figure with these rows.

    x: column along a curve. within: columns that determine the panel. hue, shade, dash: columns
    distinguished by the hue, by lightness and marker, and by the dash. entry: a function from a
    column and its value to the text of the legend.
    """

    def __init__(
        self,
        rows: pd.DataFrame,
        x: str,
        within: Sequence[str],
        hue: Sequence[str],
        shade: Sequence[str],
        dash: Sequence[str],
        entry: Callable[[str, Any], str],
    ) -> None:
        self.entry = entry
        self.rules = {name: rule_of(part) for name, part in rows.groupby("rule", sort=False)}
        hue, shade, dash = (_with_rule(keys, self.rules.values()) for keys in (hue, shade, dash))
        self.names = dict(enumerate(names_of_colors(rows.iloc[0]))) if rows["process"].nunique() == 1 else {}
        self.ordered = hue == ("order",)
        # If no marks are joined, dashes would not be seen.
        if not (_groups(rows, [*within, *hue, *shade, *dash])[x].nunique() > 1).any():
            hue, dash = (*hue, *dash), ()
        # The rule that names colors is in the legend also if each panel has one rule.
        paired = any("rule" in keys and "color" in keys for keys in (hue, shade, dash))
        free = [key for key in (x, *within) if not (key == "rule" and paired)]
        used: list[list[str]] = []
        for keys in (hue, dash, shade):  # without columns that are functions of those before
            before = [*within, *sum(used, [])]
            varying = [key for key in keys if key not in free and _varies(rows, key, before)]
            if "rule" in keys and "color" in keys:
                varying = [key for key in keys if key in (*varying, "rule") and ("color" in varying or key != "rule")]
            used.append(varying)
        used[0] += [key for key in _needed(rows, x, [*within, *sum(used, [])]) if key not in free]
        # The first hue is in the legend even if it has one value only.
        first = hue[:2] if hue[:2] == ("rule", "color") else hue[:1]
        always = [key for key in hue if key in (*first, "dim") and key not in free]
        used[0] = [*always, *(key for key in used[0] if key not in always)]
        self.hue, self.dash, self.shade = (Channel(rows, keys) for keys in used)
        self.keys = [*self.hue.keys, *self.shade.keys, *self.dash.keys]
        self.distinguished = {*free, *self.keys}  # columns whose values the figure shows for each curve

    def curves(self, rows: pd.DataFrame) -> Iterator[Curve]:
        """Yield the curves of these rows."""
        for _, part in _groups(rows, self.keys):
            hue, shade, dash = (channel.level_of(part.iloc[0]) for channel in (self.hue, self.shade, self.dash))
            color, marker = self._hue(hue)
            if self.shade.several:
                marker = MARKERS[shade % len(MARKERS)]
            yield Curve(part, lighter(color, self._strength(shade)), marker, DASHES[dash % len(DASHES)], hue)

    def _hue(self, level: int) -> tuple[str, str]:
        """Return the color and the marker of a hue."""
        keys, levels = self.hue.keys, self.hue.levels
        if keys in (["color"], ["rule", "color"]):
            values = dict(zip(keys, levels[level], strict=True))
            rule = self._rule(values)
            return point_color(rule, int(values["color"])), MARKERS[[*self.rules.values()].index(rule) % len(MARKERS)]
        return hues(len(levels), self.ordered)[level], MARKERS[level % len(MARKERS)]

    def _strength(self, level: int) -> float:
        return 0.55 + 0.45 * level / (len(self.shade.levels) - 1) if self.shade.several else 1.0

    @property
    def step(self) -> int:
        """Step of the hues, ordered, that have entries of the legend if they have no markers."""
        long = self.hue.keys in SEQUENCES and len(self.hue.levels) > len(PALETTE)
        return -(-len(self.hue.levels) // 5) if long else 1

    def handles(self, joined: set[int] | None) -> list[Artist]:
        """Return the entries of the legend: lines without markers, or markers, joined by lines for the hues in `joined`.

        Hues whose markers differ by shade have patches of their color. Of a long sequence of hues some have entries.
        """
        entries: list[Artist] = []
        marked = joined is not None
        for level, label in [*self._labels(self.hue)][:: 1 if marked else self.step]:
            color, marker = self._hue(level)
            line = "-" if joined is None or level in joined else "none"
            if self.shade.several and marked:
                entries.append(Patch(color=color, label=label))
            else:
                entries.append(_handle(color, line, marker if marked else None, label))
        for level, label in self._labels(self.shade):
            mark = MARKERS[level % len(MARKERS)] if marked else None
            line = "none" if joined == set() else "-"
            entries.append(_handle(lighter("#222222", self._strength(level)), line, mark, label))
        for level, label in self._labels(self.dash):
            entries.append(_handle("#444444", DASHES[level % len(DASHES)], None, label))
        return entries

    def _labels(self, channel: Channel) -> Iterator[tuple[int, str]]:
        """Yield the index and the text of each entry that has a text.

        An entry has the values that differ between the entries; all of them if there is one entry.
        """
        differ = [len({*values}) > 1 or not channel.several for values in zip(*channel.levels, strict=True)]
        for level, row in enumerate(channel.levels):
            values = dict(zip(channel.keys, row, strict=True))
            rule = self._rule(values)
            texts = [
                self._text(key, value, rule)
                for key, value, is_shown in zip(channel.keys, row, differ, strict=True)
                if is_shown and value is not None
            ]
            if label := joined(*texts):
                yield level, label

    def _rule(self, values: dict[str, Any]) -> Rule:
        """Return the rule of the values of a level, which names its colors; that of the figure if it has only one."""
        if "rule" in values:
            return self.rules[values["rule"]]
        return max(self.rules.values(), key=lambda rule: rule.n_colors)

    def _text(self, key: str, value: Any, rule: Rule) -> str:
        """Return a value of a column as text of a legend."""
        if key == "color":
            return self.names.get(int(value)) or (rule.color_name(int(value)) if rule.n_colors > 1 else "")
        return self.entry(key, value)


def _with_rule(keys: Sequence[str], rules: Iterable[Rule]) -> tuple[str, ...]:
    """Return the columns of a channel, with the rule before the color if the rules name colors differently."""
    names = {tuple(map(rule.color_name, range(rule.n_colors))) for rule in rules}
    return tuple(name for key in keys for name in (("rule", key) if key == "color" and len(names) > 1 else (key,)))


def _handle(color: str, dash: Any, marker: str | None, label: str) -> Line2D:
    return Line2D([], [], color=color, linestyle=dash, marker=marker, label=label)


def _groups(rows: pd.DataFrame, keys: Sequence[str]) -> Any:
    """Return rows grouped by columns, in one group if there are none."""
    return rows.groupby(list(keys) or np.zeros(len(rows)), dropna=False)


def _varies(rows: pd.DataFrame, key: str, within: Sequence[str]) -> bool:
    """Return whether a column has several values for equal values of `within`."""
    return bool((_groups(rows, within)[key].nunique(dropna=False) > 1).any())


def _joins_cells(rows: pd.DataFrame, x: str, keys: Sequence[str]) -> bool:
    """Return whether a curve would have two values at an x, or would join cells of which one has several x."""
    several_cells = _groups(rows, keys)["cell"].transform("nunique") > 1
    several_x = _groups(rows, [*keys, "cell"])[x].transform("nunique") > 1
    return bool(rows.duplicated([*keys, x]).any() or (several_cells & several_x).any())


def _needed(rows: pd.DataFrame, x: str, keys: list[str]) -> Iterator[str]:
    """Yield the further columns that separate studies, values at the same x, and cells with several x."""
    each = [[key] if key != "intensity" else intensity_columns(rows) for key in MORE]
    for key in sum(each, []):
        if key in keys or key not in rows:
            continue
        mixed = key == "study" and _varies(rows, key, [key for key in keys if key in STUDY_KEYS])
        if mixed or (_joins_cells(rows, x, keys) and _varies(rows, key, keys)):
            keys = [*keys, key]
            yield key
