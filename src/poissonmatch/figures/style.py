"""The look of figures: colors that survive grey print and color blindness, the style file, and a user's own over it."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.colors import to_hex, to_rgb

from ..rules.rule import Rule
from ..utils.errors import BadInput, nearest, quoted, shorten
from ..utils.palette import PALETTE, POINTS

EXACT = "#000000"  # what is exact is black
MARKERS = "osD^vP*X"
DASHES = ("-", (0, (4, 1.5)), (0, (6, 1.5, 1, 1.5)), (0, (2, 1)))  # dots alone are for what is exact
STYLE_FILE = resources.files(__package__).joinpath("poissonmatch.mplstyle")
NO_LOOK = {
    "backend",
    "backend_fallback",
    "interactive",
    "toolbar",
    "text.usetex",
}  # settings of other things than looks
DEFAULTS: dict[str, Any] = {name: matplotlib.rcParamsDefault[name] for name in matplotlib.rcParamsDefault}
# So that the same figure is the same bytes, and nothing lies on anything else.
FIXED: dict[str, Any] = {
    "svg.hashsalt": "poissonmatch",
    "figure.autolayout": False,
    "figure.constrained_layout.use": True,
}


def read_style(path: str) -> dict[str, Any]:
    """The settings of a matplotlib style file. Raises BadInput with the line that is none, or that does not belong in a style."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput(f"{path}: there is no such style file") from None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BadInput(f"{quoted(path)}: the style file cannot be read: {error}") from None
    return _settings(path, text)


def _settings(path: str, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for place, line in enumerate(text.splitlines(), 1):
        words = re.sub(r"(^|\s)#.*", "", line).strip()  # a color may be written #RRGGBB without a space before it
        if not words:
            continue
        name, colon, value = (part.strip() for part in words.partition(":"))
        where = f"{path}, line {place}"
        if not colon:
            raise BadInput(f"{where}: {shorten(words)!r} is no setting; write name: value")
        if name not in DEFAULTS:
            raise BadInput(f"{where}: unknown setting {shorten(name)!r}{_nearest(name)}")
        if name in NO_LOOK:
            where = f"{where}: {name} does not belong in a style"
            raise BadInput(where + "; write usetex: true in the study" * (name == "text.usetex"))
        try:
            found[name] = _converted(name, value.strip("\"'"))
        except ValueError as error:
            raise BadInput(f"{where}: {name}: {' '.join(str(error).split())}") from None
    return found


def _converted(name: str, value: str) -> Any:
    checks: Any = matplotlib.RcParams({name: value})
    return checks[name]


def _nearest(name: str) -> str:
    known = sorted(DEFAULTS, key=lambda other: other.split(".")[0] != name.split(".")[0])
    said = nearest(name, known, cutoff=0.6)
    return said if "did you mean" in said else "; matplotlib's are listed at rcParams"


def settings(style: str | None = None, usetex: bool = False) -> dict[str, Any]:
    """All settings of a figure: those that matplotlib comes with, ours, a style file's; nothing of a user's own matplotlibrc."""
    ours = _settings(STYLE_FILE.name, STYLE_FILE.read_text(encoding="utf-8"))
    plain = {name: value for name, value in DEFAULTS.items() if name != "backend"}
    return {**plain, **ours, **(read_style(style) if style else {}), "text.usetex": usetex, **FIXED}


def styled(style: str | None = None, usetex: bool = False) -> Any:
    """A context in which figures are made and saved: our style, and the user's settings as they were after it.

    Figures are made without pyplot, so that neither the user's backend nor the user's own figures are touched. Raises OSError
    if letters are to be set by LaTeX, and there is none.
    """
    if usetex:
        need_latex("usetex")
    logging.getLogger("matplotlib.mathtext").setLevel(logging.ERROR)  # it tells of every font that lacks a glyph
    found: Any = settings(style, usetex)
    return matplotlib.rc_context(found)


@contextmanager
def latex_told() -> Iterator[None]:
    """What LaTeX cannot set is told in a line. Raises BadInput."""
    try:
        yield
    except RuntimeError as error:
        if "latex" not in str(error).lower():
            raise
        said = [line for line in str(error).splitlines() if line.startswith("!")] or str(error).splitlines()
        raise BadInput(f"LaTeX cannot set its letters: {said[0]}") from None


def need_latex(what: str) -> None:
    """Raises OSError if there is no LaTeX on this machine."""
    for program in ("latex", "pdflatex", "dvipng"):
        if shutil.which(program) is None:
            raise OSError(f"{what} needs LaTeX, and there is no {program} here; install it (Debian: texlive-latex-extra, "
                          f"cm-super, dvipng) or leave {what} out")  # fmt: skip


def point_color(rule: Rule, color: int) -> str:
    """In what color points of a color are drawn: the one that the rule names; else one for each color that it tells apart, or black."""
    return POINTS.get(rule.color_name(color), PALETTE[color % len(PALETTE)] if rule.n_colors > 1 else EXACT)


def hues(count: int, ordered: bool = False) -> Sequence[str]:
    """So many colors for curves: the palette; where it does not reach, or for what is ordered, steps of one scale."""
    if count <= len(PALETTE) and not ordered:
        return PALETTE[:count]
    scale = matplotlib.colormaps["viridis"](np.linspace(0, 0.88, count))
    return [to_hex(color) for color in scale]


def lighter(color: str, share: float) -> str:
    """A color with only this share of it, the rest white."""
    red, green, blue = (1 - share * (1 - part) for part in to_rgb(color))
    return to_hex((red, green, blue))
