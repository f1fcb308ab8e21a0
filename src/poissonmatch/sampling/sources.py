"""Where the points of a cell come from: an entry of points/processes.py, files (point_files.py), or a user's function (user_functions.py).

The `spec` of a process is plain data: its name, its parameters, and for what lies outside the package a digest. The name of an
imported function has a dot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..points.processes import PROCESSES, Process
from . import point_files, user_functions

NOT_PARAMETERS = ("name", "digest")


@dataclass(frozen=True)
class Place:
    """Where a study lies, to which its files and modules are relative, and whether what it names may be imported.

    No part of what anything is: places are equal.
    """

    folder: str = field(default="", compare=False)
    may_import: bool = field(default=False, compare=False)


def known(name: str) -> Process:
    """What is known of the process of this name without reading or importing anything. Raises KeyError if there is none."""
    if name == point_files.PROCESS.name:
        return point_files.PROCESS
    return user_functions.PROCESS if "." in name else PROCESSES[name]


def parameters(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The process's own parameters, without its name and digest."""
    return {key: value for key, value in spec.items() if key not in NOT_PARAMETERS}


def process_of(spec: Mapping[str, Any], place: Place, replicate: int) -> Process:
    """The process that draws this replicate. Raises BadInput if it may not be imported, or is not what was spec any more."""
    name = str(spec["name"])
    if name == point_files.PROCESS.name:
        draw = point_files.drawing(place.folder, spec["digest"], replicate)
        return replace(point_files.PROCESS, draw=draw, colored=spec["color"] is not None)
    if "." in name:
        return user_functions.process(name, place.folder, place.may_import, spec["digest"], replicate)
    return PROCESSES[name]
