"""Text of axes, legends and captions: names, and numbers with errors.

It is converted to plain text or LaTeX.

Captions have mathematics in LaTeX between dollar signs; `plain` converts them to text.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...points.processes import PROCESSES
from ...rules.catalogue import rule_named
from ...rules.rule import Rule
from ...theory.volumes import is_mean_field
from ...utils.display import with_error as with_error
from ...utils.libraries import pd

INTERVALS = "95 % confidence intervals"  # intervals.CONFIDENCE


def dim_name(dim: float) -> str:
    """Return a dimension for a legend."""
    return "mean field" if is_mean_field(dim) else f"$d = {dim:g}$"


def joined(*texts: Any) -> str:
    """Return the texts that are not empty, separated by commas."""
    return ", ".join(filter(None, texts))


def number(value: float) -> str:
    """Return a number of points as text."""
    return f"{value:,.0f}" if value >= 10 or value == round(value) else f"{value:g}"


def rule_of(rows: pd.DataFrame) -> Rule:
    """Return the rule of the first row."""
    return rule_named(rows["rule"].iloc[0])


def families(rows: pd.DataFrame) -> set[str]:
    """Return the names of the rules without their parameters, such as "multi" for multi(2)."""
    return {str(rule).partition("(")[0] for rule in rows["rule"]}


def of(rows: pd.DataFrame, *quantities: str) -> pd.DataFrame:
    """Return the rows of these quantities; all rows for ""."""
    return rows if "" in quantities else rows[rows["quantity"].isin(quantities)]


def fixed_number(rows: pd.DataFrame) -> bool:
    """Return whether the process of the first row has a fixed number of points."""
    process = PROCESSES.get(str(rows["process"].iloc[0]).partition("{")[0]) if "process" in rows else None
    return process is not None and (process.whole_side or "counts" in inspect.signature(process.draw).parameters)


def process_sentence(rows: pd.DataFrame) -> str:
    """Return a sentence with the point processes of these rows.

    It is "" if all have independent uniform points.
    """
    names = sorted(set(rows["process"].str.partition("{")[0]) - {""}) if "process" in rows else []
    if all(name in PROCESSES and PROCESSES[name].uniform for name in names):
        return ""
    return f"Process{'es' * (len(names) > 1)}: {', '.join(names)}."


def color_names(rows: pd.DataFrame) -> tuple[str, str]:
    """Return the names of colors 0 and 1 under the rules of these rows, such as "amber or green"."""
    rules = [rule_named(name) for name in dict.fromkeys(rows["rule"])]
    first, second = (" or ".join(dict.fromkeys(rule.color_name(color) for rule in rules)) for color in (0, 1))
    return first, second


def ratio_label(rows: pd.DataFrame) -> str:
    """Return the label of the axis of the column `ratio`."""
    first, second = color_names(rows)
    return rf"$\rho$ = intensity of {second} / of {first} points"


def spread(values: Iterable[float], text: Callable[[float], str] = number) -> str:
    """Return the common value as text, or the smallest and the largest."""
    ends = min(values), max(values)
    return " to ".join(map(text, sorted(set(ends))))


def intensity_columns(names: Iterable[Any]) -> list[str]:
    """Return the columns with the intensities of the colors.

    They are nan beyond the number of colors of a study.
    """
    return [str(name) for name in names if str(name).startswith("intensity_")]


def intensities_of(row: Any) -> list[float]:
    """Return the intensities of the colors of a row."""
    return [float(value) for value in row[intensity_columns(row.index)] if not np.isnan(value)]


def intensity_text(rows: pd.DataFrame) -> str:
    """Return the total intensities of all colors in these rows."""
    totals = rows[intensity_columns(rows)].sum(axis=1)
    return f"{'intensity' if totals.nunique() == 1 else 'intensities'} {spread(totals, '{:g}'.format)}"


def wrapped(text: str, width: int) -> str:
    """Return text in lines of about this many letters, broken at spaces outside mathematics."""
    lines = [""]
    for word in re.findall(r"(?:\$[^$]*\$|\S)+", text):
        joined = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and len(plain(joined)) > width:
            lines.append(word)
        else:
            lines[-1] = joined
    return "\n".join(lines)


# ---- numbers ----


def estimate(row: Any) -> str:
    """Return the value of a row of `estimates` with its error.

    If all replicates agree on 0 or 1, or the interval has no upper end, return the other confidence
    limit instead.
    """
    value, error = float(row["value"]), float(row["standard_error"])
    if error == 0 and value == 0 and row["upper"] > 0:
        return f"< {row['upper']:.2g}"
    if np.isinf(row["upper"]) or (error == 0 and value == 1 and row["lower"] < 1):
        return f"> {row['lower']:.2g}"
    return with_error(value, error)


# ---- captions ----

TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{c: f"\\{c}" for c in "&%#_{}$"},
}
MATH = {
    r"\sqrt": "\u221a",
    r"\ge": "\u2265",
    r"\le": "\u2264",
    r"\infty": "\u221e",
    r"\,": " ",
    r"\alpha": "\u03b1",
    r"\beta": "\u03b2",
    r"\epsilon": "\u03b5",
    r"\lambda": "\u03bb",
    r"\rho": "\u03c1",
}


def _parts(text: str) -> list[str]:
    """Return text and mathematics alternately; an unpaired dollar sign is text."""
    parts = re.split(r"(?<!\\)\$", text)
    return parts if len(parts) % 2 else [text]


def tex(text: str) -> str:
    """Return a caption as LaTeX: the text outside mathematics is escaped."""
    join = "".join
    return "$".join(part if k % 2 else join(TEX.get(c, c) for c in part) for k, part in enumerate(_parts(text)))


def plain(text: str) -> str:
    r"""Return a caption as text: e^(-1/ρ) for $e^{-1/\rho}$."""
    return "".join(_plain_math(part) if k % 2 else part for k, part in enumerate(_parts(text)))


def _plain_math(part: str) -> str:
    for command, symbol in MATH.items():
        part = re.sub(re.escape(command) + r"(?![a-zA-Z])", symbol, part)

    part = re.sub(r"(\u221a|\^|_)\{([^{}]{2,})\}", r"\1(\2)", part)
    return re.sub(r"[\\{}]", "", part)
