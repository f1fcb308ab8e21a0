"""pm.load: any table of the package, of a study or of the exact games."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ..statistics.tables import TABLES, Table
from . import files


def load(path: str | Path) -> pd.DataFrame:
    """A result table as a DataFrame, verified: page checksums, schema, and the SHA-256 in the manifest beside it, if there is one.

    The provenance is in the frame's `attrs`. Raises FileNotFoundError, or IntegrityError if anything is not right.
    """
    return files.load(path, find=_declared)


def _declared(name: str) -> Table | None:
    if name in TABLES:
        return TABLES[name]
    from ..statistics.game_tables import GAME_TABLES  # here, because the games take long to import

    return GAME_TABLES.get(name)
