"""Commands, tables and figures of other packages, which register them as entry points."""

from __future__ import annotations

import importlib.metadata
from functools import cache
from typing import Any


@cache
def entry_points(kind: str) -> dict[str, importlib.metadata.EntryPoint]:
    """Return the entry points of the group `poissonmatch.<kind>` by name: "commands", "tables" or "figures"."""
    return {entry.name: entry for entry in _of_all_distributions().select(group=f"poissonmatch.{kind}")}


@cache
def _of_all_distributions() -> Any:  # in Python 3.10 another class than later
    return importlib.metadata.entry_points()  # once, since this reads a file of every installed distribution
