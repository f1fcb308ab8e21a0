"""Reads a study file: every mistake with its file, line, value and remedy, in a user's words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..cells import NAME
from ..errors import BadInput, nearest
from ..processes import PROCESSES
from . import yamlfile
from .schema import MOST_PROBLEMS, FigureSpec, Study, StudyFile, Unknown


def load(path: str | Path) -> StudyFile:
    """Read and check a study file. Raises BadInput with one line for each problem: file, line, path, value, remedy."""
    path = Path(path)
    if not NAME.fullmatch(path.stem):
        raise BadInput(
            f"{str(path)[:200]}: {path.stem[:80]!r} is not a name: use letters, digits, _ and -, at most 64 of them"
        )
    document = yamlfile.read(path)
    if not isinstance(document.data, dict):
        raise BadInput(f"{path}: a study file is a mapping with the keys {', '.join(StudyFile.model_fields)}")
    problems = list(document.problems)
    for section in ("studies", "figures"):
        for name in document.data.get(section) or () if isinstance(document.data.get(section), dict) else ():
            if not NAME.fullmatch(name):
                where = document.where((section, name[:80]) if len(name) > 80 else (section, name))
                problems.append(f"{where}: not a name: use letters, digits, _ and -, at most 64 of them")
    try:
        file = StudyFile.model_validate(document.data)
    except ValidationError as error:
        problems += [_explain(document, problem) for problem in error.errors(include_url=False)]
    if problems:
        lines = list(dict.fromkeys(line[:500] for line in problems))
        more = [f"and {len(lines) - MOST_PROBLEMS} problems more"] if len(lines) > MOST_PROBLEMS else []
        raise BadInput("\n".join(lines[:MOST_PROBLEMS] + more))
    return file


TAGS = {"list", "range", "number", "colors"}  # steps of pydantic that name an alternative


def _explain(document: yamlfile.Document, problem: Any) -> str:
    """One pydantic problem in a user's words."""
    path: tuple = ()
    data: Any = document.data
    around: Any = None  # the mapping in which the value stands
    for step in problem["loc"]:  # drop the steps that name alternatives and not the user's own keys
        inside = (
            isinstance(data, dict)
            and step in data
            or isinstance(data, list)
            and isinstance(step, int)
            and step < len(data)
        )
        if inside:
            around, data = data, data[step]
        elif step in TAGS or (isinstance(step, str) and "[" in step):
            continue
        path = (*path, step)
    value = problem["input"]
    shown = (
        ""
        if isinstance(value, dict | list)
        else f" (got {str(value)[:60]!r})"
        if isinstance(value, str)
        else f" (got {value})"
    )
    message = problem["msg"].removeprefix("Value error, ")
    kind = problem["type"]
    if kind == "extra_forbidden":
        words = _keys_at(path[:-1], around)
        return f"{document.where(path)}: unknown key {str(path[-1])[:80]!r}{nearest(str(path[-1]), words)}"
    if kind == "missing":
        return f"{document.where(path[:-1])}: the key {path[-1]!r} is missing"
    if kind == "literal_error":
        words = re.findall(r"'([^']+)'", str(problem["ctx"].get("expected")))
        return f"{document.where(path)}: {str(value)[:60]!r} is not known here{nearest(str(value), words)}"
    if isinstance(problem.get("ctx", {}).get("error"), Unknown):
        return f"{document.where(path)}: {message}"
    if isinstance(value, str) and kind in ("float_type", "int_type"):
        try:
            message += f": YAML reads {value} as text; write {float(value):.1f} instead"
        except ValueError:
            message += f": {value[:60]!r} is text"
        return f"{document.where(path)}: {message}"
    return f"{document.where(path)}: {message}{shown}"


def _keys_at(path: tuple, data: Any) -> list[str]:
    """The keys that may stand at a path of a study file, where there is this mapping."""
    if not path:
        return list(StudyFile.model_fields)
    if len(path) == 1:
        return []
    if path[0] == "figures":
        return list(FigureSpec.model_fields)
    if len(path) == 2:
        return list(Study.model_fields)
    if path[2] == "process":
        return ["name", *PROCESSES[data["name"]].parameters]
    return ["from", "to", "steps", "scale"]
