"""From data frames to pictures: all that knows matplotlib.

Each kind of figure is a function here, `-` being `_`: `figures.levelled_tail(estimates)` is a matplotlib Figure, drawn at the
size at which it is printed. It takes `ax` (axes to draw in, as many as there are panels), and the options of a study file:
width, style, usetex, xlim, ylim, log, panels, labels, title, caption. `caption(figure)` says what is on it. `game` draws games of frogs,
`nim_table` and `simplex` are of Nim and of the Triangle Game, `thermograph` of any partisan game, `puzzle` is that of Lucas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kinds import KINDS


def caption(figure: Any) -> str:
    """The caption of a figure that was made here, as text: what is on it."""
    from .words import plain

    return plain(getattr(figure, "poissonmatch_caption", ""))


def svg(realisations: Any) -> str:
    """The picture of these rows as the text of an SVG file; the same rows give the same text."""
    from .canvas import render
    from .draw import draw

    return render(draw("realisation", realisations), ("svg",))[".svg"].decode()


def game(record: Any, ax: Any = None, **options: Any) -> Any:
    """A game of frogs, from `pm.frogs.record(...)`, or a position, from `pm.frogs.options(...)`: a matplotlib Figure.

    Several of them: a mapping from the words of the caption to each. ax, options: as of the kinds.
    """
    from .boards import boards

    return _given(boards(record if "points" not in record else {"": record}, ax, **options))


def deletion(record: Any, ax: Any = None, **options: Any) -> Any:
    """The proof that a point has infinitely many desirers, from `pm.frogs.deletion(...)`, before and after: a matplotlib Figure.

    ax, options: as of the kinds.
    """
    from .boards import deletion

    return _given(deletion(record, ax, **options))


def _given(drawing: Any) -> Any:
    drawing.figure.poissonmatch_caption = drawing.caption
    return drawing.figure


def nim_table(size: int = 16) -> Any:
    """The addition table of Nim, of the numbers 0 to size - 1: a matplotlib Figure."""
    from .impartial import nim_table

    return _given(nim_table(size))


def simplex(total: int = 60, misere: bool = False) -> Any:
    """The Triangle Game up to so many stones: P-positions, nim-values and the golden lines, as a matplotlib Figure."""
    from .impartial import simplex

    return _given(simplex(total, misere))


def thermograph(game: Any, name: str = "", ax: Any = None) -> Any:
    """The thermograph of a game, a matplotlib Figure: of a value, of a position such as `pm.games.ToadsAndFrogs("TTT..FF")`, or of
    a value as it is written, "{2|-1}". name: what the caption calls it."""
    from .games import thermograph

    return _given(thermograph(game, name, ax))


def puzzle(toads: int = 3, frogs: int = 3, blanks: int = 1) -> Any:
    """A solution of the puzzle of Lucas, move by move, as a matplotlib Figure."""
    from .games import puzzle

    return _given(puzzle(toads, frogs, blanks))


def _drawer(kind: str) -> Callable[..., Any]:
    def function(frame: Any, ax: Any = None, **options: Any) -> Any:
        from .draw import draw

        return _given(draw(kind, frame, None, ax, **options))

    function.__name__ = function.__qualname__ = kind.replace("-", "_")
    function.__doc__ = f"""A figure of kind {kind} of a table `{KINDS[kind].table}`: a matplotlib Figure.

    {_beside(kind)}ax: axes to draw in, one for each panel; by default a figure of its own. options: as in a study file, see Options.
    Raises BadInput (a ValueError) if the table has nothing to show.
    """
    return function


def _beside(kind: str) -> str:
    beside = KINDS[kind].beside
    return f"beside: the table `{beside}`, of which it shows what there is. " if beside else ""


def __getattr__(name: str) -> Any:
    for kind in KINDS:
        if kind.replace("-", "_") == name:
            return _drawer(kind)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; the kinds of figures are {', '.join(KINDS)}")


def __dir__() -> list[str]:
    return sorted([*globals(), *(kind.replace("-", "_") for kind in KINDS)])
