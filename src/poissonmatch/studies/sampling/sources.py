"""Sources of points: entries of PROCESSES, files (point_files.py), and functions of users (user_functions.py).

The `spec` of a process is plain data: its name, its parameters, and a digest if its source lies
outside the package. The name of a user's function contains a dot, that of a mixed process a plus sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...points import processes
from ...points.processes import Process
from . import point_files, user_functions

FROM_FILES = point_files.PROCESS.name


@dataclass(frozen=True)
class StudyFolder:
    """Folder of a study, and whether its modules may be imported.

    Files and modules of the study are relative to the folder. Both fields are ignored in
    comparisons.
    """

    folder: str = field(default="", compare=False)
    may_import: bool = field(default=False, compare=False)


def process_named(name: str) -> Process:
    """Return the process with a name, without reading files or importing modules.

    Raises BadInput if no process has this name.
    """
    if name == FROM_FILES:
        return point_files.PROCESS
    return user_functions.PROCESS if "." in name else processes.process_named(name)


def process_of(
    spec: Mapping[str, Any], study_folder: StudyFolder, replicate: int, window: Mapping[str, Any] | None = None
) -> Process:
    """Return the process that draws a replicate.

    window: of points from files, as in `Cell.window`.

    Raises BadInput if it may not be imported, or has changed since the digest in the spec.
    """
    name = str(spec["name"])
    if name == FROM_FILES:
        draw = point_files.drawing(study_folder.folder, spec["digest"], replicate, window)
        return replace(point_files.PROCESS, draw=draw, colored=spec["color"] is not None)
    if "." in name:
        return user_functions.process(name, study_folder.folder, study_folder.may_import, spec["digest"], replicate)
    return process_named(name)
