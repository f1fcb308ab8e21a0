"""Types of the fields of a study file: numbers, lists and ranges, dimensions, names."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    FiniteFloat,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainSerializer,
    PrivateAttr,
    Tag,
)
from pydantic import model_validator as check_model
from pydantic_core import core_schema

from ...rules.rule import MAX_COLORS
from ...theory.volumes import is_mean_field
from ...utils.errors import BadInput, nearest
from ..figures.kinds import MAX_NUMBER, MIN_NUMBER, check_limits
from ..sampling.sources import StudyFolder

Problems = Iterator[tuple[tuple, str]]  # of an entry of a study file: its path and a message
MAX_STEPS = 10_000  # of a range or a list


class Unknown(ValueError):
    """An unknown name."""


@dataclass(frozen=True)
class Known:
    """One of the names that a function returns when a file is read or a schema is made, so entries may be added."""

    names: Callable[[], Collection[str]]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return core_schema.no_info_after_validator_function(self._one_of, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(schema), "enum": [*self.names()]}

    def _one_of(self, word: str) -> str:
        if word not in self.names():
            raise Unknown(f"{word[:60]!r} is not known here{nearest(word, self.names())}")
        return word


@dataclass(frozen=True)
class Written:
    """JSON schemas of the ways to write a field, from `forms`, which is called when a schema is made."""

    forms: Callable[[], list[dict[str, Any]]]

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"anyOf": self.forms()}


class Strict(BaseModel):
    """A mapping with exactly these keys, whose values have these types and are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Placed(Strict):
    """A mapping with the folder of its study."""

    _study_folder: StudyFolder = PrivateAttr(default=StudyFolder())

    @property
    def study_folder(self) -> StudyFolder:
        """Folder of the study, and whether functions that it names may be imported."""
        return self._study_folder


def _number(zero: str) -> Any:
    """Return the type of positive numbers; `zero` is "0 or " if 0 is allowed, too."""

    def between(value: float) -> float:
        if not (value > 0 or (zero and value == 0)):
            raise ValueError(f"must be {zero}greater than 0")
        if value and not MIN_NUMBER <= value < MAX_NUMBER:
            raise ValueError(f"must be {zero}at least {MIN_NUMBER:g}, and less than {MAX_NUMBER:g}")
        return value + 0.0  # -0.0 is 0.0

    return Annotated[FiniteFloat, AfterValidator(between)]


Positive = _number("")
FromZero = _number("0 or ")


class Range(Strict):
    """A range of `steps` numbers from `from` to `to`, evenly spaced on a linear or logarithmic scale."""

    start: FromZero = Field(alias="from")  # type: ignore[valid-type]
    to: FromZero  # type: ignore[valid-type]
    steps: int = Field(ge=2, le=MAX_STEPS)
    scale: Literal["linear", "log"] = "linear"

    @check_model(mode="after")
    def _has_logarithms(self) -> Range:
        if self.scale == "log" and 0 in (self.start, self.to):
            raise ValueError("a logarithmic range cannot begin or end at 0")
        return self

    def numbers(self) -> list[float]:
        """Return the numbers, to twelve digits: 0.3, not 0.30000000000000004."""
        space = np.geomspace if self.scale == "log" else np.linspace
        return [float(f"{x:.12g}") for x in space(self.start, self.to, self.steps)]


def _list(value: Any) -> Any:
    return value if isinstance(value, list | dict) else [value]


def _written_out(value: Any) -> Any:
    return Range.model_validate(value).numbers() if isinstance(value, dict) else _list(value)


def listed(kind: Any) -> Any:
    """Return the type of one value or a nonempty list of them; a list after reading."""
    return Annotated[listed_or_none(kind), Field(min_length=1)]


def listed_or_none(kind: Any) -> Any:
    """Return the type of one value or a list of them, possibly empty."""
    before = BeforeValidator(_list, json_schema_input_type=kind | list[kind])
    return Annotated[list[kind], Field(max_length=MAX_STEPS), before]


def _limits(ends: list[float]) -> list[float]:
    try:
        check_limits(ends)
    except BadInput as error:
        raise ValueError(str(error)) from None
    return ends


Ends = Annotated[list[FiniteFloat], Field(min_length=2, max_length=2), AfterValidator(_limits)]


def numbers(kind: Any) -> Any:
    """Return the type of one number, a list of them, or a Range."""
    before = BeforeValidator(_written_out, json_schema_input_type=kind | list[kind] | Range)
    return Annotated[list[kind], Field(min_length=1, max_length=MAX_STEPS), before]


def first_duplicate(values: Sequence[Any]) -> tuple[int, int] | None:
    """Return the positions of the first two equal values, or None."""
    seen: dict[Any, int] = {}
    for index, value in enumerate(values):
        if seen.setdefault(value, index) != index:
            return seen[value], index
    return None


def repeated(key: str, values: Sequence[Any], text: Callable[[Any], str] = str) -> Problems:
    """Yield the problem of a list under a key that a value occurs twice, if one does."""
    if (indices := first_duplicate(values)) is not None:
        yield (key, indices[1]), f"{text(values[indices[1]])} occurs twice"


def length(value: Any) -> int:
    """Return the length of a list or range of a study file without expanding it."""
    if isinstance(value, dict):
        steps = value.get("steps")
        return steps if isinstance(steps, int) and 0 < steps <= MAX_STEPS else 1
    return len(value) if isinstance(value, list) else 1


PerColor = Annotated[  # an intensity, or one for each color
    Annotated[FromZero, Tag("number")]  # type: ignore[valid-type]
    | Annotated[list[FromZero], Field(min_length=1, max_length=MAX_COLORS), Tag("colors")],  # type: ignore[valid-type]
    Discriminator(lambda value: "colors" if isinstance(value, list) else "number"),
]


def _dim(value: Any) -> Any:
    if value == "inf" or (isinstance(value, float) and value == math.inf):
        return math.inf
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 20:
        raise ValueError("a dimension must be a whole number from 1 to 20, or inf for the mean-field model")
    return value


Dim = Annotated[
    Any,
    BeforeValidator(_dim, json_schema_input_type=Annotated[int, Field(ge=1, le=20)] | Literal["inf"]),
    PlainSerializer(lambda dim: "inf" if is_mean_field(dim) else dim, when_used="json"),  # JSON has no infinity
]
