"""Assignment of rows to curves, and of hue, shade, marker and dash to curves."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.artist import Artist
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ..rules.rule import MAX_COLORS, Rule
from ..tables.tables import names_of_colors
from ..utils.libraries import pd
from .figure_text import dim_name, intensity_columns, number, rule_of
from .style import DASHES, MARKERS, hues, lighter, point_color

FORMATS = {  # of a legend, for a value of a column
    "dim": dim_name,
    "size": lambda value: f"{number(value)} points",
    "ratio": lambda value: rf"$\rho = {value:g}$",
    "intensity_0": lambda value: f"intensity {value:g}",
    "intensity_1": lambda value: f"second intensity {value:g}",
    **{f"intensity_{k}": f"intensity {{:g}} of color {k}".format for k in range(2, MAX_COLORS)},
    "order": lambda value: f"label {value}",
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
        self.rows, self.formats = rows, {**FORMATS, **formats}
        self.rules = {str(name): rule_of(part) for name, part in rows.groupby("rule", sort=False)}
        hue, shade, dash = (_with_rule(keys, self.rules.values()) for keys in (hue, shade, dash))
        self.names = dict(enumerate(names_of_colors(rows.iloc[0]))) if rows["process"].nunique() == 1 else {}
        self.ordered = tuple(hue) == ("order",)
        free = [key for key in (x, *within) if key and key not in _named(hue, shade, dash)]
        used: list[list[str]] = []
        for keys in (hue, dash, shade):  # without columns that are functions of those before
            before = [*within, *sum(used, [])]
            paired = "rule" in keys and "color" in keys
            kept = [key for key in keys if key not in free and _varies(rows, key, before)]
            if paired:
                kept = [key for key in keys if key in (*kept, "rule") and ("color" in kept or key != "rule")]
            used.append(kept)
        self.hue, self.dash, self.shade = used
        self.hue += [key for key in _needed(rows, x, [*within, *sum(used, [])]) if key not in free]
        # The first hue is in the legend even if it has one value only.
        first = hue[:2] if hue[:2] == ("rule", "color") else hue[:1]
        named = [key for key in hue if key in (*first, "dim") and key not in free]
        self.hue = [*named, *(key for key in self.hue if key not in named)]
        self.keys = [*self.hue, *self.shade, *self.dash]
        self.distinguished = {*free, *self.keys}
        self.levels = {name: _levels(rows, keys) for name, keys in self._channels.items()}

    @property
    def _channels(self) -> dict[str, list[str]]:
        return {"hue": self.hue, "shade": self.shade, "dash": self.dash}

    def distinguishes(self, key: str) -> bool:
        """Return whether the figure shows the value of this column for each curve."""
        return key in self.distinguished

    def curves(self, rows: pd.DataFrame) -> Iterator[Curve]:
        """Yield the curves of these rows."""
        parts = rows.groupby(self.keys, sort=True, dropna=False) if self.keys else [((), rows)]
        for _, part in parts:
            first = part.iloc[0]
            hue = self._place("hue", first)
            color, _ = self._hue(hue)
            color = lighter(color, self._share(self._place("shade", first)))
            dash = DASHES[self._place("dash", first) % len(DASHES)]
            yield Curve(part, color, self._marker(first), dash, hue)

    def _place(self, channel: str, row: Any) -> int:
        keys = self._channels[channel]
        return self.levels[channel].index(_level(row, keys)) if keys else 0

    def _hue(self, place: int) -> tuple[str, str]:
        levels = self.levels["hue"]
        if self.hue in (["color"], ["rule", "color"]):
            level = dict(zip(self.hue, levels[place], strict=True))
            rule = self._rule(level)
            return point_color(rule, int(level["color"])), MARKERS[[*self.rules.values()].index(rule) % len(MARKERS)]
        return hues(max(1, len(levels)), self.ordered)[place], MARKERS[place % len(MARKERS)]

    def _share(self, place: int) -> float:
        levels = max(1, len(self.levels["shade"]))
        return 1.0 if levels == 1 else 0.55 + 0.45 * place / (levels - 1)

    def _marker(self, row: Any) -> str:
        """Return the marker: by shade if it varies, else by hue."""
        if len(self.levels["shade"]) > 1:
            return MARKERS[self._place("shade", row) % len(MARKERS)]
        return self._hue(self._place("hue", row))[1]

    def handles(self, marked: bool, joined: set[int] | None) -> list[Artist]:
        """Return the entries of the legend.

        They have markers if `marked`, and lines for the hues in `joined` (None: all).

        A hue without lines, whose markers differ by shade, has a patch of its color.
        """
        entries: list[Artist] = []
        sizes = len(self.levels["shade"]) > 1
        for place, level in enumerate(self.levels["hue"] if self.hue else ()):
            color, marker = self._hue(place)
            line = "-" if joined is None or place in joined else "none"
            if not (label := self._label(self.hue, level)):  # curves without any of these columns
                continue
            if sizes and line == "none":
                entries.append(Patch(color=color, label=label))
            else:
                entries.append(_handle(color, line, marker if marked and not sizes else None, label))
        for place, level in enumerate(self.levels["shade"] if sizes else ()):
            mark = MARKERS[place % len(MARKERS)] if marked else None
            line = "none" if joined == set() else "-"
            entries.append(_handle(lighter("#222222", self._share(place)), line, mark, self._label(self.shade, level)))
        for place, level in enumerate(self.levels["dash"] if len(self.levels["dash"]) > 1 else ()):
            entries.append(_handle("#444444", DASHES[place % len(DASHES)], None, self._label(self.dash, level)))
        return entries

    def _label(self, keys: Sequence[str], level: tuple) -> str:
        """Return the values that differ between the entries of the legend; all of them if there is one entry."""
        levels = next(levels for channel, levels in self.levels.items() if self._channels[channel] is keys)
        several = [len({other[k] for other in levels}) > 1 for k in range(len(keys))]
        shown = several if any(several) else [True] * len(keys)
        rule = self._rule(dict(zip(keys, level, strict=True)))
        values = zip(keys, level, shown, strict=True)
        texts = (self._word(key, value, rule) for key, value, is_shown in values if is_shown and value is not None)
        return ", ".join(filter(None, texts))

    def _rule(self, level: dict[str, Any]) -> Rule:
        """Return the rule of a level, which names its colors; that of the figure if it has only one."""
        if "rule" in level:
            return self.rules[level["rule"]]
        return max(self.rules.values(), key=lambda rule: rule.n_colors)

    def _word(self, key: str, value: Any, rule: Rule) -> str:
        """Return a value of a column as text of a legend."""
        if key == "color":
            return self.names.get(int(value)) or (rule.color_name(int(value)) if rule.n_colors > 1 else "")
        return str(self.formats[key](value)) if key in self.formats else str(value)


def _with_rule(keys: Sequence[str], rules: Iterable[Rule]) -> tuple[str, ...]:
    """Return the columns of a channel, with the rule before the color if the rules name colors differently."""
    names = {tuple(map(rule.color_name, range(rule.n_colors))) for rule in rules}
    return tuple(name for key in keys for name in (("rule", key) if key == "color" and len(names) > 1 else (key,)))


def _named(*channels: Sequence[str]) -> set[str]:
    """Return the rule if it names the colors of a channel: then it is in the legend also if each panel has one rule."""
    return {"rule"} if any("rule" in keys and "color" in keys for keys in channels) else set()


def _handle(color: str, dash: Any, marker: str | None, label: str) -> Line2D:
    return Line2D([], [], color=color, linestyle=dash, marker=marker, label=label)


def _varies(rows: pd.DataFrame, key: str, within: Sequence[str]) -> bool:
    """Return whether a column has several values for equal values of `within`."""
    if not within:
        return rows[key].nunique(dropna=False) > 1
    return bool((rows.groupby(list(within), dropna=False)[key].nunique(dropna=False) > 1).any())


def _level(row: Any, keys: Sequence[str]) -> tuple:
    """Return the values of these columns, None for missing ones."""
    return tuple(None if pd.isna(row[key]) else row[key] for key in keys)


def _levels(rows: pd.DataFrame, keys: Sequence[str]) -> list[tuple]:
    if not keys:
        return [()]
    distinct = rows[list(keys)].drop_duplicates()
    if "study" not in keys:  # studies keep the order of the figure
        distinct = distinct.sort_values(list(keys), kind="stable")
    return [_level(row, keys) for _, row in distinct.iterrows()]


def _needed(rows: pd.DataFrame, x: str, keys: list[str]) -> Iterator[str]:
    """Yield the further columns that separate studies and values at the same x."""
    each = [[key] if key != "intensity" else intensity_columns(rows) for key in MORE]
    for key in itertools.chain(*each):
        if key in keys or key not in rows:
            continue
        study_keys = [key for key in keys if key in STUDY_KEYS]
        groups = rows.groupby(study_keys, sort=False, dropna=False) if study_keys else [((), rows)]
        mixed = key == "study" and any(part["study"].nunique() > 1 for _, part in groups)
        if mixed or (rows.duplicated([*keys, x]).any() and _varies(rows, key, keys)):
            keys = [*keys, key]
            yield key
