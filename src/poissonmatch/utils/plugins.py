"""Commands, tables and figures of other packages, which register them as entry points."""

from __future__ import annotations

import importlib.metadata
from functools import cache


@cache
def entry_points(kind: str) -> dict[str, importlib.metadata.EntryPoint]:
    """Return the entry points of the group `poissonmatch.<kind>` by name: "commands", "tables" or "figures"."""
    return {entry.name: entry for entry in importlib.metadata.entry_points(group=f"poissonmatch.{kind}")}
