"""Other packages: libraries, imported when a name of them is first used, and packages that register commands."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import importlib.metadata

    import pandas as pd
    import pyarrow as pa
else:
    import lazy_loader

    pd, pa = lazy_loader.load("pandas"), lazy_loader.load("pyarrow")

__all__ = ["entry_points", "pa", "pd"]


@cache
def entry_points(kind: str) -> dict[str, importlib.metadata.EntryPoint]:
    """Return the entry points of the group `poissonmatch.<kind>` by name: "commands", "tables", "figures" or "workflows"."""
    return {entry.name: entry for entry in _of_all_distributions().select(group=f"poissonmatch.{kind}")}


@cache
def _of_all_distributions() -> Any:  # in Python 3.11 another class than later
    import importlib.metadata  # here, since it takes a tenth of the time of `import poissonmatch`

    return importlib.metadata.entry_points()  # once, since this reads a file of every installed distribution
