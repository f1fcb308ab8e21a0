"""Assignment of rows to curves, and of hue, shade, marker and dash to curves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.artist import Artist
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ...rules.rule import MAX_COLORS, Rule
from ...utils.libraries import pd
from ..tables.tables import names_of_colors
from .figure_text import dim_name, intensity_columns, joined, number, rule_of
from .style import DASHES, MARKERS, hues, lighter, point_color

FORMATS = {  # of a legend, for a value of a column
    "dim": dim_name,
    "size": lambda value: f"{number(value)} points",
    "ratio": lambda value: rf"$\rho = {value:g}$",
    "intensity_0": lambda value: f"intensity {value:g}",
    "intensity_1": lambda value: f"second intensity {value:g}",
    **{f"intensity_{k}": f"intensity {{:g}} of color {k}".format for k in range(2, MAX_COLORS)},
}
STUDY_KEYS = ("study", "rule", "dim", "size", "cell")  # columns that identify a study
# Further columns that separate curves; the last always does.
MORE = ("study", "rule", "ratio", "intensity", "size", "dim", "cell")


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

    def place(self, row: Any) -> int:
        """Return the index of the values of a row."""
        return self.levels.index(self._level(row))

    def _level(self, row: Any) -> tuple:
        return tuple(None if pd.isna(row[key]) else row[key] for key in self.keys)


class Looks:
    """Colors, markers and dashes of all curves of a figure with these rows.

    x: column along a curve. within: columns that determine the panel. hue, shade, dash: columns
    distinguished by the hue, by lightness and marker, and by the dash. formats: formats of the
    values of further columns in the legend.
    """

    def __init__(
        self,
        rows: pd.DataFrame,
        x: str,
        within: Sequence[str],
        hue: Sequence[str],
        shade: Sequence[str],
        dash: Sequence[str],
        formats: dict[str, Any],
    ) -> None:
        self.formats = {**FORMATS, **formats}
        self.rules = {str(name): rule_of(part) for name, part in rows.groupby("rule", sort=False)}
        hue, shade, dash = (_with_rule(keys, self.rules.values()) for keys in (hue, shade, dash))
        self.names = dict(enumerate(names_of_colors(rows.iloc[0]))) if rows["process"].nunique() == 1 else {}
        self.ordered = tuple(hue) == ("order",)
        # The rule that names colors is in the legend also if each panel has one rule.
        paired = any("rule" in keys and "color" in keys for keys in (hue, shade, dash))
        free = [key for key in (x, *within) if key and not (key == "rule" and paired)]
        used: list[list[str]] = []
        for keys in (hue, dash, shade):  # without columns that are functions of those before
            before = [*within, *sum(used, [])]
            kept = [key for key in keys if key not in free and _varies(rows, key, before)]
            if "rule" in keys and "color" in keys:
                kept = [key for key in keys if key in (*kept, "rule") and ("color" in kept or key != "rule")]
            used.append(kept)
        used[0] += [key for key in _needed(rows, x, [*within, *sum(used, [])]) if key not in free]
        # The first hue is in the legend even if it has one value only.
        first = hue[:2] if hue[:2] == ("rule", "color") else hue[:1]
        named = [key for key in hue if key in (*first, "dim") and key not in free]
        used[0] = [*named, *(key for key in used[0] if key not in named)]
        self.hue, self.dash, self.shade = (Channel(rows, keys) for keys in used)
        self.keys = [*self.hue.keys, *self.shade.keys, *self.dash.keys]
        self.distinguished = {*free, *self.keys}  # columns whose values the figure shows for each curve

    def curves(self, rows: pd.DataFrame) -> Iterator[Curve]:
        """Yield the curves of these rows."""
        parts = rows.groupby(self.keys, sort=True, dropna=False) if self.keys else [((), rows)]
        for _, part in parts:
            hue, shade, dash = (channel.place(part.iloc[0]) for channel in (self.hue, self.shade, self.dash))
            color, marker = self._hue(hue)
            if self.shade.several:
                marker = MARKERS[shade % len(MARKERS)]
            yield Curve(part, lighter(color, self._strength(shade)), marker, DASHES[dash % len(DASHES)], hue)

    def _hue(self, place: int) -> tuple[str, str]:
        """Return the color and the marker of a hue."""
        keys, levels = self.hue.keys, self.hue.levels
        if keys in (["color"], ["rule", "color"]):
            level = dict(zip(keys, levels[place], strict=True))
            rule = self._rule(level)
            return point_color(rule, int(level["color"])), MARKERS[[*self.rules.values()].index(rule) % len(MARKERS)]
        return hues(len(levels), self.ordered)[place], MARKERS[place % len(MARKERS)]

    def _strength(self, place: int) -> float:
        return 0.55 + 0.45 * place / (len(self.shade.levels) - 1) if self.shade.several else 1.0

    def handles(self, marked: bool, joined: set[int] | None) -> list[Artist]:
        """Return the entries of the legend.

        They have markers if `marked`, and lines for the hues in `joined` (None: all).

        Hues whose markers differ by shade have patches of their color.
        """
        entries: list[Artist] = []
        by_shade = self.shade.several
        for place, label in self._labels(self.hue, True):
            color, marker = self._hue(place)
            line = "-" if joined is None or place in joined else "none"
            if by_shade and marked:
                entries.append(Patch(color=color, label=label))
            else:
                entries.append(_handle(color, line, marker if marked and not by_shade else None, label))
        for place, label in self._labels(self.shade, by_shade):
            mark = MARKERS[place % len(MARKERS)] if marked else None
            line = "none" if joined == set() else "-"
            entries.append(_handle(lighter("#222222", self._strength(place)), line, mark, label))
        for place, label in self._labels(self.dash, self.dash.several):
            entries.append(_handle("#444444", DASHES[place % len(DASHES)], None, label))
        return entries

    def _labels(self, channel: Channel, shown: bool) -> Iterator[tuple[int, str]]:
        """Yield the index and the text of each entry that has a text.

        An entry has the values that differ between the entries; all of them if there is one entry.
        """
        differ = [len({*values}) > 1 or not channel.several for values in zip(*channel.levels, strict=True)]
        for place, level in enumerate(channel.levels if shown else ()):
            values = dict(zip(channel.keys, level, strict=True))
            rule = self._rule(values)
            texts = [
                self._text(key, value, rule)
                for (key, value), is_shown in zip(values.items(), differ, strict=True)
                if is_shown and value is not None
            ]
            if label := joined(*texts):
                yield place, label

    def _rule(self, level: dict[str, Any]) -> Rule:
        """Return the rule of a level, which names its colors; that of the figure if it has only one."""
        if "rule" in level:
            return self.rules[level["rule"]]
        return max(self.rules.values(), key=lambda rule: rule.n_colors)

    def _text(self, key: str, value: Any, rule: Rule) -> str:
        """Return a value of a column as text of a legend."""
        if key == "color":
            return self.names.get(int(value)) or (rule.color_name(int(value)) if rule.n_colors > 1 else "")
        return str(self.formats.get(key, str)(value))


def _with_rule(keys: Sequence[str], rules: Iterable[Rule]) -> tuple[str, ...]:
    """Return the columns of a channel, with the rule before the color if the rules name colors differently."""
    names = {tuple(map(rule.color_name, range(rule.n_colors))) for rule in rules}
    return tuple(name for key in keys for name in (("rule", key) if key == "color" and len(names) > 1 else (key,)))


def _handle(color: str, dash: Any, marker: str | None, label: str) -> Line2D:
    return Line2D([], [], color=color, linestyle=dash, marker=marker, label=label)


def _varies(rows: pd.DataFrame, key: str, within: Sequence[str]) -> bool:
    """Return whether a column has several values for equal values of `within`."""
    groups = rows.groupby(list(within), dropna=False) if within else [((), rows)]
    return any(part[key].nunique(dropna=False) > 1 for _, part in groups)


def _needed(rows: pd.DataFrame, x: str, keys: list[str]) -> Iterator[str]:
    """Yield the further columns that separate studies and values at the same x."""
    each = [[key] if key != "intensity" else intensity_columns(rows) for key in MORE]
    for key in sum(each, []):
        if key in keys or key not in rows:
            continue
        mixed = key == "study" and _varies(rows, key, [key for key in keys if key in STUDY_KEYS])
        if mixed or (rows.duplicated([*keys, x]).any() and _varies(rows, key, keys)):
            keys = [*keys, key]
            yield key
