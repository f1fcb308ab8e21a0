"""From data frames to pictures: all that knows matplotlib.

Each kind of figure is a function here, `-` being `_`: `figures.scaled_tail(estimates)` is a matplotlib Figure, drawn at the
size at which it is printed. It takes `ax` (axes to draw in, as many as there are panels), and the options of a study file:
width, style, usetex, xlim, ylim, log, panels, labels, title, caption. `caption(figure)` says what is on it. `game` draws games of frogs,
`nim_table` and `simplex` are of Nim and of the Triangle Game, `thermograph` of any partisan game, `puzzle` is that of Lucas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kinds import KINDS, Kind


def caption(figure: Any) -> str:
    """The caption of a figure that was made here, as text: what is on it.

    Parameters
    ----------
    figure : matplotlib Figure

    Examples
    --------
    >>> print(pm.figures.caption(pm.figures.nim_table(4)))
    The addition table of Nim: the sum without carrying of the numbers 0 to 3.
    """
    from .words import plain

    return plain(getattr(figure, "poissonmatch_caption", ""))


def svg(realizations: Any) -> str:
    """The picture of these rows as the text of an SVG file; the same rows give the same text.

    Parameters
    ----------
    realizations : pandas.DataFrame
        From `pm.picture`.

    Examples
    --------
    >>> pattern = pm.Pattern([[1.0, 1.0], [3.0, 4.0]], None, pm.Torus(10.0, 2))
    >>> pm.figures.svg(pm.picture(pattern)).rstrip()[-6:]
    '</svg>'
    """
    from .canvas import render
    from .draw import draw

    return render(draw("realization", realizations), ("svg",))[".svg"].decode()


def game(record: Any, ax: Any = None, **options: Any) -> Any:
    """A game of frogs, or a position, as a matplotlib Figure.

    Parameters
    ----------
    record : dict
        From `pm.frogs.record(...)` or `pm.frogs.options(...)`. Several of them: a mapping from the words of the caption to each.
    ax, **options
        As of the kinds.

    Examples
    --------
    >>> pattern = pm.Pattern([[1.0, 1.0], [3.0, 4.0], [8.0, 2.0]], None, pm.Torus(10.0, 2))
    >>> pm.figures.caption(pm.figures.game(pm.frogs.record(pattern)))[:42]
    'A game of frogs, move by move. Alice wins.'
    """
    from .boards import boards

    return boards(record if "points" not in record else {"": record}, ax, **options).figure


def deletion(record: Any, ax: Any = None, **options: Any) -> Any:
    """The proof that a point has infinitely many desirers, before and after, as a matplotlib Figure.

    Parameters
    ----------
    record : dict
        From `pm.frogs.deletion(...)`.
    ax, **options
        As of the kinds.

    Examples
    --------
    >>> pattern = pm.processes.binomial(pm.Torus(10.0, 2), 30, rng=2)
    >>> figure = pm.figures.deletion(pm.frogs.deletion(pattern, 3))
    >>> len(figure.axes)
    2
    """
    from .boards import deletion

    return deletion(record, ax, **options).figure


def nim_table(size: int = 16) -> Any:
    """The addition table of Nim, of the numbers 0 to size - 1, as a matplotlib Figure.

    Parameters
    ----------
    size : int, optional

    Examples
    --------
    >>> figure = pm.figures.nim_table(8)
    >>> [text.get_text() for text in figure.axes[0].texts][8:16]
    ['1', '0', '3', '2', '5', '4', '7', '6']
    """
    from .impartial import nim_table

    return nim_table(size).figure


def simplex(total: int = 60, misere: bool = False) -> Any:
    """The Triangle Game: P-positions, nim-values and the golden lines, as a matplotlib Figure.

    Parameters
    ----------
    total : int, optional
        The most stones.
    misere : bool, optional

    Examples
    --------
    >>> pm.figures.caption(pm.figures.simplex(12))[:18]
    'The Triangle Game.'
    """
    from .impartial import simplex

    return simplex(total, misere).figure


def thermograph(game: Any, name: str = "", ax: Any = None) -> Any:
    """The thermograph of a game, as a matplotlib Figure.

    Parameters
    ----------
    game : Game, position or str
        A value, a position such as `pm.games.ToadsAndFrogs("TTT..FF")`, or a value as it is written, "{2|-1}".
    name : str, optional
        What the caption calls it.
    ax : matplotlib axes, optional
        To draw in.

    Examples
    --------
    >>> print(pm.figures.caption(pm.figures.thermograph("{2|-1}")))
    Thermograph of {2|-1}: mean 1/2, temperature 3/2.
    """
    from .games import thermograph

    return thermograph(game, name, ax).figure


def puzzle(toads: int = 3, frogs: int = 3, blanks: int = 1) -> Any:
    """A solution of the puzzle of Lucas, move by move, as a matplotlib Figure.

    Parameters
    ----------
    toads, frogs, blanks : int, optional

    Examples
    --------
    >>> print(pm.figures.caption(pm.figures.puzzle(2, 2)))
    A shortest way to exchange 2 toads and 2 frogs: 8 moves. Thick arrows are jumps.
    """
    from .games import puzzle

    return puzzle(toads, frogs, blanks).figure


def _drawer(kind: str) -> Callable[..., Any]:
    def function(frame: Any, ax: Any = None, **options: Any) -> Any:
        from .draw import draw

        return draw(kind, frame, None, ax, **options).figure

    function.__name__ = function.__qualname__ = kind.replace("-", "_")
    function.__doc__ = DRAWER.format(kind=kind, name=function.__name__, entry=KINDS[kind], **_words(KINDS[kind]))
    return function


DRAWER = """A figure of the kind {kind}, as a matplotlib Figure.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table `{entry.table}` of a study.
    ax : matplotlib axes, optional
        To draw in, one for each panel; by default a figure of its own.
    **options
        As in a study file, see Options.{beside}

    Raises
    ------
    BadInput
        A ValueError, if the table has nothing to show.

    Examples
    --------
    >>> sweep = pm.sweep({sweep})
    >>> figure = pm.figures.{name}(sweep.{entry.table})
    >>> pm.figures.caption(figure) != ""
    True
    """


def _words(kind: Kind) -> dict[str, str]:
    """What differs in the docstrings of kinds."""
    sweep = ", ".join(f"{key}={value!r}" for key, value in kind.example.items()).replace("'", '"')
    more = f" beside: the table `{kind.beside}`, of which it shows what there is." if kind.beside else ""
    return {"sweep": sweep, "beside": more}


def __getattr__(name: str) -> Any:
    for kind in KINDS:
        if kind.replace("-", "_") == name:
            return _drawer(kind)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; the kinds of figures are {', '.join(KINDS)}")


def __dir__() -> list[str]:
    return sorted([*globals(), *(kind.replace("-", "_") for kind in KINDS)])
