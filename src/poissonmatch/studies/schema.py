"""What a study file may say: strict, typed, and made from the entries of rules, processes, observables and figure kinds.

A file (YAML) holds studies and figures. A study is a process, a rule and lists of parameters; each combination of them is a
*cell*. A cell has replicates (independent tori), which are made in *blocks*.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationError, ValidationInfo, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from ..cells import Cell
from ..errors import nearest
from ..figures.kinds import KINDS
from ..rules import RULES, Rule, rule_name, rule_named
from ..sources import Place
from ..statistics.observables import OBSERVABLES
from ..tiles import MOST_TILES
from . import fits
from .combine import cells_of
from .fields import Colors, Dim, Ends, FromZero, PerColor, Positive, Strict, known, listed, listed_or_none, numbers
from .processes import AnyProcess, poisson

MOST_PROBLEMS = 20  # that are told at once
UNFIT = "unfit"  # the type of a problem that fits.py found


def _beside(value: Any, info: ValidationInfo) -> Any:
    """The path of a style file, which is beside the study file."""
    return str(Path((info.context or {}).get("folder", ".")).absolute() / value) if isinstance(value, str) else value


def _refuse(wrong: fits.Wrong) -> None:
    """Raises ValidationError, with the path of each problem, if there are any."""
    errors = [
        InitErrorDetails(type=PydanticCustomError(UNFIT, "{words}", {"words": words}), loc=path, input=None)
        for path, words in itertools.islice(wrong, MOST_PROBLEMS + 1)
    ]
    if errors:
        raise ValidationError.from_exception_data("study", errors)


class RuleSpec(Strict):
    """A rule of the user's own: what of rules.Rule is said, for any set of points."""

    compatible: Any = Rule.compatible
    capacity: Any = Rule.capacity
    labels: Any = Rule.labels
    exclude: Any = Rule.exclude


def named(value: Any) -> str:
    """The name of a rule: as it is written, or of one that is made by hand."""
    if isinstance(value, dict):
        value = Rule(**dict(RuleSpec.model_validate(value)))
    if isinstance(value, Rule):
        return rule_name(value)
    if not isinstance(value, str):
        raise ValueError("a rule is a name, or a mapping with the keys compatible and capacity")
    try:
        rule = rule_named(value)
    except ValueError as error:
        close = nearest(value, RULES)
        raise ValueError(f"{error}" + (close if "did you mean" in close else "")) from None
    return rule_name(rule) if value.startswith("custom") else value


class Study(Strict):
    """One study: every combination of dims, sizes and intensities (or ratios) is a cell."""

    process: AnyProcess = Field(default_factory=poisson)
    rule: Annotated[str, BeforeValidator(named)] = "one-color"
    dims: listed(Dim)  # type: ignore[valid-type]
    sizes: numbers(Positive)  # type: ignore[valid-type]
    intensities: numbers(PerColor) | None = None  # type: ignore[valid-type]
    ratios: numbers(FromZero) | None = None  # type: ignore[valid-type]
    colors: Colors | None = None
    replicates: int = Field(ge=1, le=1_000_000)
    observables: list[Annotated[str, known(OBSERVABLES)]] = Field(default=["unmatched", "distances"], min_length=1)
    block: int | None = Field(default=None, ge=1, le=10_000_000)
    target_rel_se: float | None = Field(default=None, gt=0, lt=1, allow_inf_nan=False)
    max_replicates: int | None = Field(default=None, ge=1, le=10_000_000)
    tiles: int | None = Field(default=None, ge=1, le=MOST_TILES)

    @model_validator(mode="after")
    def _fits(self) -> Study:
        _refuse(fits.unfit_study(self))
        return self


class FigureSpec(Strict):
    """One figure: which kind, of which studies, and how it is to look (figures.kinds.Options says what each word means)."""

    kind: Annotated[str, known(KINDS)]
    studies: listed(str)  # type: ignore[valid-type]
    title: str = Field(default="", max_length=200)
    caption: str = Field(default="", max_length=4000)
    width: Literal["column", "text"] | None = None
    format: listed(Literal["pdf", "svg", "png", "pgf"]) = ["pdf", "png"]  # type: ignore[valid-type]
    style: Annotated[str, BeforeValidator(_beside)] | None = None
    usetex: bool = False
    xlim: Ends | None = None
    ylim: Ends | None = None
    log: listed_or_none(Literal["x", "y"]) | None = None  # type: ignore[valid-type]
    panels: Literal["study", "dim", "size", "rule"] | None = None
    labels: dict[str, Annotated[str, Field(max_length=200)]] = {}

    @property
    def options(self) -> dict[str, Any]:
        """How it is to look."""
        return self.model_dump(exclude={"kind", "studies", "format"})


class StudyFile(Strict):
    """A YAML file of studies and figures. The results go to a folder named after the file.

    laws: the studies of which the laws of the open problem are fitted together, those of fussy matchings and of the response.
    """

    seed: int = Field(default=1, ge=0, lt=2**63)
    studies: dict[str, Study] = Field(min_length=1)
    laws: listed_or_none(str) = []  # type: ignore[valid-type]
    figures: dict[str, FigureSpec] = {}
    _place: Place = PrivateAttr(default=Place())

    @property
    def place(self) -> Place:
        """Where the file lies, and whether what it names may be imported."""
        return self._place

    @model_validator(mode="before")
    @classmethod
    def _few(cls, data: Any) -> Any:
        _refuse(fits.too_many_cells(data))
        return data

    @model_validator(mode="after")
    def _fits(self) -> StudyFile:
        _refuse(fits.unfit_file(self))
        return self


def cells(file: StudyFile) -> list[Cell]:
    """All cells of a file, in the order in which they are written."""
    return [cell for name, study in file.studies.items() for cell in cells_of(name, study, file.seed)]
