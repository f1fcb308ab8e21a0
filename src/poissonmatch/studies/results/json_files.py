"""Keys and types of the JSON files in a results folder, and reading that checks them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, FiniteFloat, PositiveInt, TypeAdapter
from typing_extensions import TypedDict

from ...utils.errors import integrity_error
from ...utils.manifests import read_result, to_json
from ..sampling.sources import StudyFolder


def read_as(path: Path, schema: Any) -> Any:
    """Return what `to_json` wrote. Raises IntegrityError if the file is missing, or has other bytes, keys or types."""
    data = read_result(path)
    value = of_schema(path, data, schema)
    if to_json(value) == data:
        return value
    raise integrity_error(path, "damaged", "its bytes are not as poissonmatch writes them")


def of_schema(path: Path, data: bytes, schema: Any) -> Any:
    """Return the JSON in bytes of a file without unknown keys.

    schema: a TypedDict, or another type. Raises IntegrityError if a key is missing, or a value has another type.
    """
    try:
        return _adapter(schema).validate_json(data, strict=True)
    except ValueError as error:
        first = error.errors(include_url=False, include_input=False)[0]  # type: ignore[attr-defined]
        where = ".".join(map(str, first["loc"]))
        raise integrity_error(path, "damaged", f"{where}: {first['msg']}".removeprefix(": ")) from None


@cache
def _adapter(schema: Any) -> TypeAdapter[Any]:
    return TypeAdapter(schema)


class Done(TypedDict):
    """The file with the progress of a batch."""

    replicates: int
    seconds: FiniteFloat
    jobs: int
    text: str


class Planned(TypedDict):
    """What a plan says about progress."""

    done: int
    replicates: int
    seconds: FiniteFloat
    jobs: int
    aggregation: FiniteFloat


class PlanHead(Planned):
    """The first line of the plan of a round: what it plans, and the study as it was then.

    tables: names of the tables of every batch. existing: names of the batches that were there and have blocks of the
    study.
    """

    study: dict[str, Any]
    study_folder: StudyFolder
    minutes: Annotated[FiniteFloat, Field(gt=0)]
    cores: PositiveInt
    tables: list[str]
    existing: list[str]


class JobLine(TypedDict):
    """The line of a job in a plan: the name of its batch, what it asks for, and its blocks."""

    batch: str
    memory_mb: int
    minutes: int
    seconds: float
    blocks: list[tuple[str, int, int, int]]  # see `line_of`


class TablesManifest(TypedDict):
    """The manifest of the tables of a study: what they were made of, and their digests."""

    study: dict[str, Any]
    seed: int
    code: dict[str, str]
    versions: list[dict[str, str]]
    commit: str
    sha256: dict[str, str]


class Entry(TypedDict):
    """The manifest of a page."""

    facts: dict[str, str]
    sha256: dict[str, str]


class FigureEntry(Entry):
    """The manifest of a figure."""

    caption: str
    width: Literal["text", "column"]
