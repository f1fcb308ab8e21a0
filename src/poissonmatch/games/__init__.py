"""Exact combinatorial games: impartial games (Nim, Kayles, ...) and partisan games (Toads and Frogs, ...).

The games are in groups: `impartial`, `partisan`, `toads` (Toads and Frogs), and `tables` (results as Parquet files). The names used most
are also here.
"""

from typing import TYPE_CHECKING, Any

from ..utils import display
from . import impartial, partisan, toads
from .impartial import Nim, TriangleGame, game_named
from .option_graphs import option_graph
from .partisan import parse
from .toads import ToadsAndFrogs, one_blank

__all__ = [
    "Nim",
    "ToadsAndFrogs",
    "TriangleGame",
    "game_named",
    "impartial",
    "one_blank",
    "option_graph",
    "parse",
    "partisan",
    "tables",
    "toads",
]

if TYPE_CHECKING:
    tables: Any
else:

    def __getattr__(name):
        if name == "tables":  # writes files, which this subpackage cannot: see poissonmatch/__init__.py
            return display.hooks["game_tables"]()
        moved = [group.__name__ for group in (impartial, partisan, toads) if name in group.__all__]
        where = f": it is {moved[0].replace('poissonmatch', 'pm')}.{name}" if moved else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{where}")

    def __dir__():
        return sorted({*globals(), *__all__})
