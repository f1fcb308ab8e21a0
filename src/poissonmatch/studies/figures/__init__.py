"""Figures from data frames, games and patterns, as matplotlib Figures at print size.

Each kind of figure is a function of a table of a study, with `_` for `-` in its name:
`figures.scaled_tail(estimates)`. It takes `ax` (one axes per panel) and the options of a study
file: width, style, usetex, xlim, ylim, log, panels, labels, title, caption, and octaves for the
kinds that show ln u; also legend (False for none), and in pictures colors and s. `caption(figure)` returns the caption.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from ...utils.libraries import entry_points
from .kinds import KINDS

# Functions of this package that users call, and the modules that define them; all but the first
# return a Drawing.
_MODULES = {
    "picture": "pattern_figures",
    "game": "recorded_games",
    "infinite": "pattern_figures",
}
__all__ = ["caption", "svg", *_MODULES, *entry_points("figures")]


def caption(figure: Any) -> str:
    """Return the caption of a figure of this package as text.

    Parameters
    ----------
    figure : matplotlib Figure
        Returned by a function of this module.

    Returns
    -------
    str
        The caption; empty for another figure.

    Examples
    --------
    >>> print(pm.figures.caption(pm.figures.nim_table(4)))
    The addition table of Nim: the sum without carrying of the numbers 0 to 3.
    """
    from .text_format import plain

    return plain(getattr(figure, "poissonmatch_caption", ""))


def svg(rows: Any) -> str:
    """Return the picture of patterns or matchings as the text of an SVG file.

    Equal rows give equal text.

    Parameters
    ----------
    rows : pandas.DataFrame
        From `figures.picture`.

    Returns
    -------
    str
        An SVG document.

    Examples
    --------
    >>> pattern = pm.Pattern([[1.0, 1.0], [3.0, 4.0]], None, pm.Torus(10.0, 2))
    >>> pm.figures.svg(pm.figures.picture(pattern)).rstrip()[-6:]
    '</svg>'
    """
    from .canvas import render
    from .draw import draw

    return render(draw("realization", rows), ("svg",))[".svg"].decode()


_KIND_DOCSTRING = """Draw a figure of the kind {kind}.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table `{entry.table}` of a study{matching}.
    ax : matplotlib axes or sequence of axes, optional
        One for each panel; by default those of a new figure.
    **options
        Options of a study file: width, style, usetex, xlim, ylim, log, panels, labels, title, caption. Also legend: False for none.{more}

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    ValueError
        If the table has no rows to draw, or an option is invalid.

    Examples
    --------
    >>> sweep = pm.sweep({sweep})
    >>> figure = pm.figures.{name}(sweep.{entry.table})
    >>> pm.figures.caption(figure) != ""
    True
    """


def _function_of_kind(kind: str) -> Callable[..., Any]:
    def function(frame: Any, ax: Any = None, **options: Any) -> Any:
        from .draw import draw

        if kind == "tail" and hasattr(frame, "partner"):
            frame = importlib.import_module(".pattern_figures", __name__).tail_of(frame)
        return draw(kind, frame, None, ax, **options).figure

    entry, name = KINDS[kind], kind.replace("-", "_")
    function.__name__ = function.__qualname__ = name
    sweep = ", ".join(f"{key}={value!r}" for key, value in entry.example.items()).replace("'", '"')
    more = f" Also second: the table `{entry.second}`, of which rows are drawn if it has any." * bool(entry.second)
    more += (
        " Also octaves: a data frame, or the path of a CSV file, with columns dim, ratio, log_u and standard_error, which is drawn as well."
        * entry.octaves
    )
    more += (
        " Also colors, of the points: a sequence, or a mapping from names; and s, the area of a point in square points."
        * (not entry.axes)
    )
    matching = ", or one Matching" * (kind == "tail")
    function.__doc__ = _KIND_DOCSTRING.format(
        kind=kind, name=name, entry=entry, sweep=sweep, matching=matching, more=more
    )
    return function


def _returning_figure(draw: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(draw)
    def function(*args: Any, **options: Any) -> Any:
        return draw(*args, **options).figure

    return function


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        function = getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
        return function if name == "picture" else _returning_figure(function)
    if name in entry_points("figures"):
        return _returning_figure(entry_points("figures")[name].load())
    for kind in KINDS:
        if kind.replace("-", "_") == name:
            return _function_of_kind(kind)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; the kinds of figures are {', '.join(KINDS)}")


def __dir__() -> list[str]:
    return sorted({*__all__, *(kind.replace("-", "_") for kind in KINDS)})
