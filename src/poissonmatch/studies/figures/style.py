"""Style of figures: settings of matplotlib, style files of users, and colors."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from typing import Any

import matplotlib
import numpy as np
from matplotlib.colors import is_color_like, to_hex, to_rgb

from ...rules.rule import Rule
from ...utils.display import PALETTE, POINTS
from ...utils.errors import BadInput, nearest, quoted, shorten
from ...utils.files import read_regular

MAX_BYTES = 1_000_000  # of a style file
EXACT = "#000000"  # color of exact curves
MARKERS = "osD^vP*X"
DASHES = ("-", (0, (4, 1.5)), (0, (6, 1.5, 1, 1.5)), (0, (2, 1)))  # dotted lines are exact curves
STYLE_FILE = resources.files(__package__).joinpath("poissonmatch.mplstyle")
NOT_STYLE = {"backend", "backend_fallback", "interactive", "toolbar", "text.usetex"}  # settings not allowed in a style
DEFAULTS = {**matplotlib.rcParamsDefault}
# For reproducible bytes, and a layout without overlaps.
FIXED = {
    "svg.hashsalt": "poissonmatch", "figure.autolayout": False, "figure.constrained_layout.use": True
}  # fmt: skip


def read_style(path: str) -> dict[str, Any]:
    """Return the settings of a matplotlib style file; BadInput names the line of an invalid setting."""
    try:
        text = read_regular(path, MAX_BYTES).decode("utf-8")
    except FileNotFoundError:
        raise BadInput(f"{path}: there is no such style file") from None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BadInput(f"{quoted(path)}: the style file cannot be read: {why}") from None
    return _settings(path, text)


def _settings(path: str, text: str) -> dict[str, Any]:
    converted: dict[str, Any] = {}
    for line_number, line in enumerate(text.splitlines(), 1):
        setting = re.sub(r"(^|\s)#.*", "", line).strip()  # #RRGGBB without a space before it is a color
        if not setting:
            continue
        name, colon, value = (part.strip() for part in setting.partition(":"))
        where = f"{path}, line {line_number}"
        if not colon:
            raise BadInput(f"{where}: {shorten(setting)!r} is not a setting; write name: value")
        if name not in DEFAULTS:
            raise BadInput(f"{where}: unknown setting {shorten(name)!r}{_nearest(name)}")
        if name in NOT_STYLE:
            where = f"{where}: {name} does not belong in a style"
            raise BadInput(where + "; write usetex: true in the study" * (name == "text.usetex"))
        try:
            checks: Any = matplotlib.RcParams({name: value.strip("\"'")})
            converted[name] = checks[name]
        except ValueError as error:
            raise BadInput(f"{where}: {name}: {' '.join(str(error).split())}") from None
    return converted


def _nearest(name: str) -> str:
    names = sorted(DEFAULTS, key=lambda other: other.split(".")[0] != name.split(".")[0])
    hint = nearest(name, names, cutoff=0.6)
    return hint if "did you mean" in hint else "; see matplotlib.rcParams for the settings"


def styled(style: str | None = None, usetex: bool = False) -> Any:
    """Return a context with the settings of a figure; it restores the user's settings.

    They are the defaults, those of this package, and those of a style file; no matplotlibrc is read.
    Figures are made without pyplot, so that the backend and open figures of the user are
    unaffected. Raises OSError if usetex is set and LaTeX is not installed.
    """
    if usetex:
        need_latex("usetex")
    logging.getLogger("matplotlib.mathtext").setLevel(logging.ERROR)  # it warns of every font that lacks a glyph
    ours = _settings(STYLE_FILE.name, STYLE_FILE.read_text(encoding="utf-8"))
    rc: Any = {**DEFAULTS, **ours, **(read_style(style) if style else {}), "text.usetex": usetex, **FIXED}
    del rc["backend"]
    return matplotlib.rc_context(rc)


@contextmanager
def latex_errors() -> Iterator[None]:
    """Convert errors of LaTeX to BadInput with its first message."""
    try:
        yield
    except RuntimeError as error:
        if "latex" not in str(error).lower():
            raise
        messages = [line for line in str(error).splitlines() if line.startswith("!")] or str(error).splitlines()
        raise BadInput(f"LaTeX cannot set the text: {messages[0]}") from None


def need_latex(what: str) -> None:
    """Raise OSError if LaTeX is not installed."""
    for program in ("latex", "pdflatex", "dvipng"):
        if shutil.which(program) is None:
            raise OSError(f"{what} needs LaTeX, and there is no {program} here; install it (Debian: texlive-latex-extra, "
                          f"cm-super, dvipng) or leave {what} out")  # fmt: skip


def point_color(rule: Rule, color: int) -> str:
    """Return the drawing color of a color of points: by its name, else one of the palette, or black for one color."""
    return POINTS.get(rule.color_name(color), PALETTE[color % len(PALETTE)] if rule.n_colors > 1 else EXACT)


def color_of_points(colors: Any, rule: Rule, color: int) -> str:
    """Return the drawing color of a color of points, given the option `colors` of a picture.

    Raises BadInput if the option has no valid color for it.
    """
    if colors is None:
        return point_color(rule, color)
    names = [rule.color_name(k) for k in range(rule.n_colors)]
    given: Any = colors
    if isinstance(colors, Mapping):
        if unknown := [key for key in colors if key not in (*names, *range(rule.n_colors))]:
            hint = nearest(str(unknown[0]), names)
            raise BadInput(f"colors: {quoted(unknown[0])} is not a color of the points{hint}")
        given = colors.get(names[color], colors.get(color, point_color(rule, color)))
    elif not isinstance(colors, str):
        given = colors[color] if color < len(colors) else None
    if not is_color_like(given):
        raise BadInput(f"colors: a color of Matplotlib is needed for points of {names[color]}, got {quoted(given)}")
    return to_hex(given)


def hues(count: int, ordered: bool = False) -> Sequence[str]:
    """Return this number of colors for curves: the palette, or steps of a scale for many or ordered curves."""
    if count <= len(PALETTE) and not ordered:
        return PALETTE[:count]
    return list(map(to_hex, matplotlib.colormaps["viridis"](np.linspace(0, 0.88, count))))


def lighter(color: str, strength: float) -> str:
    """Return a color mixed with white, from strength 0 (white) to 1 (the color)."""
    mixed: Any = 1 - strength * (1 - np.array(to_rgb(color)))
    return to_hex(mixed)
