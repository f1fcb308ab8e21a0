"""Numbers as text, lines of text, and captions as plain text or LaTeX.

Captions have mathematics in LaTeX between dollar signs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...utils.display import with_error

TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        **{c: f"\\{c}" for c in "&%#_{}$"},
    }
)
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
SPACES = {"box": ("box", "boxes"), "sphere": ("sphere", "spheres")}  # words for torus and tori


def joined(*texts: Any) -> str:
    """Return the texts that are not empty, separated by commas."""
    return ", ".join(filter(None, texts))


def number(value: float) -> str:
    """Return a number of points as text."""
    return f"{value:,.0f}" if value >= 10 or value == round(value) else f"{value:g}"


def spread(values: Iterable[float], text: Callable[[float], str] = number) -> str:
    """Return the common value as text, or the smallest and the largest."""
    return " to ".join(map(text, sorted({min(values), max(values)})))


def tick_text(value: float) -> str:
    """Return a number at a tick of a logarithmic axis as text."""
    if 1e-3 <= value < 1e6:
        return f"{value:,.0f}" if value >= 1000 else f"{value:g}"
    power = math.floor(math.log10(value) + 1e-9)
    factor = value / 10.0**power
    return f"$10^{{{power}}}$" if abs(factor - 1) < 1e-9 else f"${factor:g}\\times10^{{{power}}}$"


def estimate(row: Any) -> str:
    """Return the value of a row of `estimates` with its error.

    If all replicates agree on 0 or 1, or the interval has no upper end, return the other confidence limit instead.
    """
    value, error = row["value"], row["standard_error"]
    if error == 0 and value == 0 and row["upper"] > 0:
        return f"< {row['upper']:.2g}"
    if np.isinf(row["upper"]) or (error == 0 and value == 1 and row["lower"] < 1):
        return f"> {row['lower']:.2g}"
    return with_error(value, error)


def filled(template: str, **values: Any) -> str:
    """Return a template with values in place of their names between braces; other braces belong to mathematics."""
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", str(value))
    return template


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


def _parts(text: str) -> list[str]:
    """Return text and mathematics alternately; an unpaired dollar sign is text."""
    parts = re.split(r"(?<!\\)\$", text)
    return parts if len(parts) % 2 else [text]


def tex(text: str) -> str:
    """Return a caption as LaTeX: the text outside mathematics is escaped."""
    return "$".join(part if k % 2 else part.translate(TEX) for k, part in enumerate(_parts(text)))


def plain(text: str) -> str:
    r"""Return a caption as text: e^(-1/ρ) for $e^{-1/\rho}$."""
    return "".join(_plain_math(part) if k % 2 else part for k, part in enumerate(_parts(text)))


def _plain_math(part: str) -> str:
    for command, symbol in MATH.items():
        part = re.sub(re.escape(command) + r"(?![a-zA-Z])", symbol, part)
    part = re.sub(r"(\u221a|\^|_)\{([^{}]{2,})\}", r"\1(\2)", part)
    return re.sub(r"[\\{}]", "", part)


def spacing_text(dim: int, factor: int) -> str:
    """Return this number of typical spacings of points in d = 1, 2 or 3."""
    if dim == 3 and factor == 1:
        return r"\lambda^{-1/3}"
    return filled((r"{n}/\lambda", r"{n}/\sqrt{\lambda}", r"{n}\,\lambda^{-1/3}")[dim - 1], n=factor)


def of_space(text: str, geometries: Iterable[str]) -> str:
    """Return a text about tori with the words for the space, if the rows are all of boxes or all of spheres."""
    one, many = SPACES.get("".join({*geometries}), ("torus", "tori"))
    for word, other in (("torus", one), ("tori", many), ("Tori", many.capitalize())):
        text = re.sub(rf"\b{word}\b", other, text)
    return text
