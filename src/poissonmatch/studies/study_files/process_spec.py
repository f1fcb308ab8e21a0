"""Specification of the point process of a study: a registered process, points from files, or a user's function."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, PrivateAttr, TypeAdapter, ValidationInfo, create_model
from pydantic import field_validator as check

from ...points.coordinates import check_extent
from ...points.processes import PROCESSES, Process
from ...rules.rule import MAX_COLORS
from ...utils.errors import BadInput, nearest, quoted
from ...utils.validation import as_real
from ..sampling import point_files, sources, user_functions
from ..sampling.sources import FROM_FILES, StudyFolder
from .fields import FromZero, Placed, Unknown, Written, first_duplicate

RESERVED = {"name", "import", "digest", "torus", "rng", *user_functions.DENSITIES}  # no parameters of a function


class ProcessSpec(Placed):
    """Base class of the specifications of processes."""

    name: str

    def __reduce__(self) -> tuple:
        return _unfilled, (self.name,), self.__getstate__()  # pickle finds no class that is made from a signature

    @property
    def entry(self) -> Process:
        """Registry entry of the process; nothing is read or imported."""
        return sources.process_named(self.name)

    @property
    def spec(self) -> dict[str, Any]:
        """Name, parameters and digest, which a cell keeps."""
        return {key: tuple(value) if isinstance(value, list) else value for key, value in self.model_dump().items()}


def _grid(value: Any) -> float | str:
    """Return the step of decimal coordinates, "auto" or "none"."""
    try:
        return value if value in ("auto", "none") else check_extent("grid", as_real(value))
    except BadInput:
        raise ValueError("must be a positive number, auto or none") from None


class PointFiles(ProcessSpec):
    """Points from files, one file per replicate, in the order of their names.

    digest: of the contents of the files, checked if it is not empty. grid: the step of the coordinates, see Pattern.
    capacity: the column of the capacities of points, by default those of the rule.
    """

    files: str = Field(min_length=1, max_length=500)
    coords: list[str] = Field(min_length=1, max_length=20)
    color: str | None = None
    color_names: list[str] | None = Field(default=None, min_length=1, max_length=16)
    grid: Annotated[float | str, BeforeValidator(_grid)] = "auto"
    capacity: str | None = None
    digest: str = ""
    counts: list[float] | None = None  # mean points of each color in a file, if the study has a window
    _count: int | None = PrivateAttr(default=None)

    @property
    def spec(self) -> dict[str, Any]:
        """Name, parameters and digest, which a cell keeps."""
        defaults = [("grid", "auto"), ("capacity", None)]
        return {k: value for k, value in super().spec.items() if k != "counts" and (k, value) not in defaults}

    def digest_in(self, study_folder: StudyFolder) -> str:
        """Return the digest of the files, and keep their number."""
        digest, self._count = point_files.digest(study_folder.folder, self.files)
        return digest

    def described(self, counted: bool) -> PointFiles:
        """Return the specification with the names of the colors and, if counted, the numbers of points.

        Raises BadInput if the points are to be counted and a file cannot be read.
        """
        if self._count is None:  # the files were not listed
            return self
        folder, names, numbers = self.study_folder.folder, self.color_names, None
        try:
            if (
                names is None
                and self.color is not None
                and (in_files := point_files.color_names(folder, self.digest, self.color))
            ):
                names = list(in_files)
            if counted:
                numbers = point_files.counts(folder, self.digest, self.color, names)
        except BadInput:
            if counted:
                raise
        return self.model_copy(update={"color_names": names, "counts": numbers})

    @property
    def count(self) -> int | None:
        """Number of files; None if they were not listed."""
        return self._count

    @check("coords", "color_names")
    @classmethod
    def _once(cls, names: list[str] | None) -> list[str] | None:
        if names and (indices := first_duplicate(names)):
            raise ValueError(f"{names[indices[1]][:60]!r} occurs twice")
        return names


class Imported(ProcessSpec):
    """A user's function, by its name; all other keys are its parameters."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    name: str = Field(alias="import", max_length=200)
    digest: str = ""

    def digest_in(self, study_folder: StudyFolder) -> str:
        """Return the digest of the source of the function.

        If imports are allowed, the function is imported and its parameters are checked.
        """
        _check_values(parameters := self.model_extra or {})
        source = user_functions.find(self.name, study_folder.folder)
        if study_folder.may_import:
            user_functions.check(
                self.name, user_functions.load(self.name, study_folder.folder, source.digest), parameters
            )
        return source.digest


@cache
def _model_of(process: Process) -> type[ProcessSpec]:
    """Return the model of a process: its name, and the parameters of its signature."""
    fields: dict[str, Any] = {key: (FromZero, default) for key, default in process.parameters.items()}
    return create_model(process.name, __base__=ProcessSpec, **fields)


def _model_named(name: str) -> type[ProcessSpec]:
    """Return the model of a process by its name."""
    if name == FROM_FILES or "." in name:
        return PointFiles if name == FROM_FILES else Imported
    try:
        return _model_of(sources.process_named(name))
    except BadInput:
        message = f"the process {name[:60]!r} is not known: register it with @pm.processes.process first"
        raise BadInput(message) from None


def _unfilled(name: str) -> ProcessSpec:
    model = _model_named(name)
    return model.__new__(model)


def _read(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, ProcessSpec):
        return value
    if isinstance(value, list):
        return _mixed(
            TypeAdapter(list[Annotated[Any, BeforeValidator(_read)]]).validate_python(value, context=info.context)
        )
    value = {"name": value} if isinstance(value, str) else value
    name = value.get("name") if isinstance(value, dict) else None
    model: type[PointFiles | Imported]
    if isinstance(value, dict) and isinstance(value.get("import"), str) and name is None:
        model = Imported
    elif not isinstance(name, str) or "import" in value:
        more = "; a function gets a name when it is registered with @pm.processes.process" if callable(value) else ""
        raise ValueError(f"a process must be a name, or a mapping with the key 'name' or the key 'import'{more}")
    elif name == FROM_FILES:
        model = PointFiles
    elif unknown := next((part for part in name.split("+") if part not in PROCESSES), ""):
        raise Unknown(f"{unknown[:60]!r} is not known here{nearest(unknown, [*PROCESSES, FROM_FILES])}")
    else:
        return _model_named(name).model_validate(value)
    spec, context = model.model_validate(value), info.context or {}
    return _placed(spec, context.get("study_folder", StudyFolder()))


def _mixed(parts: list[ProcessSpec]) -> ProcessSpec:
    """Return the specification of a process for each color; of the process itself if there is one."""
    if not 1 <= len(parts) <= MAX_COLORS:
        raise ValueError(f"must be a process, or a list of one for each color, at most {MAX_COLORS}")
    if unmixed := next((part.name for part in parts if part.name not in PROCESSES), None):
        raise ValueError(f"{unmixed!r} cannot be in a list, which has processes of the package only")
    if len(parts) == 1:
        return parts[0]
    values = {f"{key}_{color}": v for color, part in enumerate(parts) for key, v in part.spec.items() if key != "name"}
    name = "+".join(part.name for part in parts)
    return _model_named(name).model_validate({"name": name, **values})


def _placed(spec: PointFiles | Imported, study_folder: StudyFolder) -> PointFiles | Imported:
    """Return the specification with its study_folder and digest.

    Raises Unknown if it already has another digest.
    """
    try:
        digest = spec.digest_in(study_folder)
    except BadInput as error:
        raise Unknown(str(error)) from error
    if spec.digest and spec.digest != digest:
        what = (
            f"{spec.files}: the files have"
            if isinstance(spec, PointFiles)
            else f"import: the source of {spec.name} has"
        )
        raise Unknown(f"{what} changed: digest {digest}, not {spec.digest[:60]}")
    spec = spec.model_copy(update={"digest": digest})
    spec._study_folder = study_folder
    return spec


def _check_values(parameters: Mapping[str, Any]) -> None:
    for key, value in parameters.items():
        if key in RESERVED or not key.isidentifier():
            raise BadInput(f"import: {quoted(key)} cannot be the name of a parameter")
        for part in value if isinstance(value, list) else [value]:
            if not isinstance(part, str | bool | int | float) or (isinstance(part, float) and not math.isfinite(part)):
                kinds = "a number, a word, true or false, or a list of them"
                raise BadInput(f"import: {key} must be {kinds}, got {quoted(part)}")


def poisson() -> Any:
    """Return the default process of a study."""
    return _model_of(PROCESSES["poisson"])(name="poisson")


def forms() -> list[dict[str, Any]]:
    """Return the JSON schemas of the ways to write a process."""
    known = {name: _model_of(process) for name, process in PROCESSES.items()} | {FROM_FILES: PointFiles}
    schemas = [{"enum": [*PROCESSES]}]
    for name, model in known.items():
        schema = model.model_json_schema()
        schema["properties"]["name"] = {"const": name}
        schemas.append(schema)
    several = {"type": "array", "items": {"anyOf": schemas}, "minItems": 1, "maxItems": MAX_COLORS}
    return [*schemas, several, Imported.model_json_schema()]


AnyProcess = Annotated[Any, BeforeValidator(_read), Written(forms)]  # a name, or a mapping of name and parameters


def keys(value: Any) -> list[str]:
    """Return the valid keys in the mapping of a process."""
    return list(_model_named(value["name"]).model_fields)
