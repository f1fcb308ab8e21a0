"""Reading of study files: errors report the file, line, value and closest valid key."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ...rules.rule import MAX_COLORS
from ...utils.errors import BadInput, nearest, printable, shorten
from ..sampling.cells import NAME
from ..sampling.sources import StudyFolder
from ..sampling.user_functions import UserBug
from . import checks, yamlfile
from .fields import Range, Strict, Unknown
from .process_spec import keys
from .schema import FigureSpec, RuleSpec, Study, StudyFile, WindowSpec

MAX_PROBLEMS = 20  # that are reported at once
REPHRASED = {
    "Input should": "must",
    "List should": "must",
    "valid integer": "whole number",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    " after validation, not": ", got",
}
NAMES = "use letters, digits, _ and -, at most 64 of them"
LONG = 10**60  # Python itself writes no number of thousands of digits
KEYED: dict[str, type[Strict]] = {
    "window": WindowSpec,
    "rule": RuleSpec,
}  # the other mappings in a study are ranges, or processes
TAGS = {"number", "colors"}  # steps of pydantic that name an alternative


def load(path: str | Path, *, allow_import: bool = False) -> StudyFile:
    """Read and check a study file.

    Raises BadInput with one line for each problem: file, line, path, value, remedy.

    allow_import: whether to import the functions that it names; without it nothing is imported, now
    or later.
    """
    path = Path(path)
    if not NAME.fullmatch(path.stem):
        raise BadInput(f"{str(path)[:200]}: {path.stem[:80]!r} is not a name: {NAMES}")
    return _checked(yamlfile.read(path), StudyFolder(str(path.absolute().parent), allow_import))


def of_data(data: Any, name: str, study_folder: StudyFolder | None = None) -> StudyFile:
    """Check the contents of a study file given as data.

    name: of the file in messages. study_folder: by default the current folder, without imports.
    """
    return _checked(yamlfile.Document(Path(name), data), study_folder or StudyFolder(os.getcwd()))


def _checked(document: yamlfile.Document, study_folder: StudyFolder) -> StudyFile:
    if not isinstance(document.data, dict):
        raise BadInput(
            f"{document.path}: a study file must be a mapping with the keys {', '.join(StudyFile.model_fields)}"
        )
    problems, bug = [], None
    for section in ("studies", "figures"):
        names = document.data.get(section)
        for name in names if isinstance(names, dict) else ():
            if not (isinstance(name, str) and NAME.fullmatch(name)):
                problems.append(f"{document.where((section, name))}: not a name: {NAMES}")
    file = None
    wrong = list(checks.too_many_cells(document.data))  # before a range is expanded
    if not wrong:
        context = {"study_folder": study_folder, "folder": document.path.parent}
        try:
            file = StudyFile.model_validate(document.data, context=context)
            file._study_folder = study_folder
            wrong = list(checks.file_problems(file))
        except ValidationError as error:
            errors = error.errors(include_url=False)
            problems += [_explain(document, problem) for problem in errors]
            causes = [getattr(problem.get("ctx", {}).get("error"), "__cause__", None) for problem in errors]
            bug = next((cause for cause in causes if isinstance(cause, UserBug)), None)
            wrong = list(_problems_of_valid_studies(document.data, context))
    problems += [f"{document.where(_path_of(document.data, path)[0])}: {message}" for path, message in wrong]
    if problems:
        lines = list(dict.fromkeys(line[:500] for line in problems))
        more = [f"and {len(lines) - MAX_PROBLEMS} more problems"] if len(lines) > MAX_PROBLEMS else []
        text = "\n".join(lines[:MAX_PROBLEMS] + more)
        if bug is not None:
            raise UserBug(text) from bug.__cause__
        raise BadInput(text)
    assert file is not None
    return file


def _problems_of_valid_studies(data: Any, context: dict[str, Any]) -> checks.Problems:
    """Yield the cross-field problems of the valid studies of an invalid file."""
    studies = data.get("studies")
    for name, entry in studies.items() if isinstance(studies, dict) else ():
        try:
            study = Study.model_validate(entry, context=context)
        except ValidationError:
            continue
        for path, message in checks.study_problems(study):
            yield ("studies", name, *path), message


def _explain(document: yamlfile.Document, problem: Any) -> str:
    """Return the message for one problem of pydantic."""
    path, around = _path_of(document.data, problem["loc"])
    if problem["type"] == "missing":
        return f"{document.where(path[:-1])}: the key {path[-1]!r} is missing"
    return f"{document.where(path)}: {_with_remedy(problem, path, around)}"


def _path_of(data: Any, steps: tuple) -> tuple[tuple, Any]:
    """Return the path of a value, without the names of alternatives, and the mapping or list around its end."""
    path: tuple = ()
    around: Any = None
    for step in steps:
        index = isinstance(data, list) and isinstance(step, int) and step < len(data)
        if index or (isinstance(data, dict) and step in data):
            around, data = data, data[step]
        elif step in TAGS or step == "[key]":
            continue
        path = (*path, step)
    return path, around


def _with_remedy(problem: Any, path: tuple, around: Any) -> str:
    """Return pydantic's message as all others, "must be X", with the value that it is about and the remedy if one is known."""
    message = problem["msg"].removeprefix("Value error, ")
    for theirs, ours in REPHRASED.items():
        message = message.replace(theirs, ours)
    value, kind = problem["input"], problem["type"]
    if isinstance(problem.get("ctx", {}).get("error"), Unknown):
        return message
    if kind == "extra_forbidden":
        key, known = str(path[-1]), _keys_at(path[:-1], around)
        return f"unknown key {key[:80]!r}{nearest(key, known)}"
    if kind == "literal_error":
        known = re.findall(r"'([^']+)'", str(problem["ctx"].get("expected")))
        return f"{str(value)[:60]!r} is not known here{nearest(str(value), known)}"
    if kind == "too_long":  # the list itself is no help
        return f"{message}; write fewer{', or a range of them' * (problem['ctx']['max_length'] > MAX_COLORS)}"
    if isinstance(value, dict | list):
        return message
    if isinstance(value, str):
        quoted = kind in ("float_type", "int_type") and yamlfile.is_number(value)
        return f"{message}: {value[:60]!r} is text" + (quoted * "; write it without quotes")
    whole = kind == "int_type" and isinstance(value, float) and value.is_integer() and abs(value) < LONG
    shown = "a long number" if isinstance(value, int) and abs(value) >= LONG else shorten(printable(str(value)), 60)
    return f"{message}, got {shown}" + (f"; write {value:.0f}" if whole else "")


def _keys_at(path: tuple, data: Any) -> list[str]:
    """Return the keys that are valid at a path of a study file."""
    if len(path) == 1:
        return []
    model: type[Strict] = StudyFile
    if path and path[0] == "figures":
        model = FigureSpec
    elif path[2:3] == ("process",):
        return keys(data)
    elif path:
        model = KEYED.get(path[2], Range) if len(path) > 2 else Study
    return [field.alias or name for name, field in model.model_fields.items()]
