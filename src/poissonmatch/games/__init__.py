"""Exact combinatorial games: impartial games (Nim, Kayles, ...) and partisan games (Toads and Frogs, ...).

The games are in groups: `impartial`, `partisan`, `toads` (Toads and Frogs), and `tables` (results as Parquet files). The names used most
are also here.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..utils import display

HERE = Path(__file__).parent

if TYPE_CHECKING:
    from . import impartial, partisan, toads
    from .impartial import Nim, TriangleGame, game_named
    from .option_graphs import option_graph
    from .partisan import parse
    from .toads import ToadsAndFrogs, one_blank

    tables: Any

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

if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "tables":  # writes files, which this subpackage cannot: see poissonmatch/__init__.py
            return display.hook("game_tables")
        if name in __all__:
            _load()
            return globals()[name]
        homes = []
        if not (name.startswith("_") or (HERE / f"{name}.py").exists()):  # `from . import module` asks here first
            _load()
            groups = [sys.modules[f"{__name__}.{group}"] for group in ("impartial", "partisan", "toads")]
            homes = [group.__name__ for group in groups if name in group.__all__]
        where = f": it is {homes[0].replace('poissonmatch', 'pm')}.{name}" if homes else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{where}")

    def __dir__():
        return sorted({*globals(), *__all__})


def _load() -> None:
    """Import the groups: when a name of them is first used, because numba takes long to import."""
    from .impartial import Nim, TriangleGame, game_named
    from .option_graphs import option_graph
    from .partisan import parse
    from .toads import ToadsAndFrogs, one_blank

    names = (Nim, TriangleGame, game_named, option_graph, parse, ToadsAndFrogs, one_blank)
    globals().update({item.__name__: item for item in names})
