"""What a study file may say: strict, typed, and made from the entries of rules, processes, observables and figure kinds.

A file (YAML) holds studies and figures. A study is a process, a rule and lists of parameters; each combination of them is a
*cell*. A cell has replicates (independent tori), which are made in *blocks*.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationInfo

from ..figures.kinds import KINDS
from ..matching.tiles import MOST_TILES
from ..points.geometry import SPACES, Torus
from ..rules.catalogue import FAMILIES, RULES, rule_name, rule_named
from ..rules.rule import Rule
from ..sampling.sources import Place
from ..statistics.observables import OBSERVABLES
from .fields import (
    Colors,
    Dim,
    Ends,
    FromZero,
    Known,
    PerColor,
    Positive,
    Strict,
    Written,
    listed,
    listed_or_none,
    numbers,
)
from .process_spec import AnyProcess, poisson


def _beside(value: Any, info: ValidationInfo) -> Any:
    """The path of a style file, which is beside the study file."""
    return str(Path((info.context or {}).get("folder", ".")).absolute() / value) if isinstance(value, str) else value


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
    rule = rule_named(value)
    return rule_name(rule) if value.startswith("custom") else value


def rule_forms() -> list[dict[str, Any]]:
    """How a rule may be written."""
    families = "|".join([*FAMILIES, "custom"])
    return [
        {"enum": [*RULES]},
        {"type": "string", "pattern": rf"^({families})\(.*\)$"},
        RuleSpec.model_json_schema(),
    ]


class Study(Strict):
    """One study: every combination of dims, sizes and intensities (or ratios) is a cell."""

    process: AnyProcess = Field(
        default_factory=poisson,
        description="the point process: a name, or a mapping with the key `name` and its parameters; `name: points` with `files` "
        "reads points, `import: module.function` calls a function of yours",
    )
    rule: Annotated[str, BeforeValidator(named), Written(rule_forms)] = Field(
        "one-color",
        description="the rule of the matching: a name, or a mapping with `compatible`, `capacity`, `labels`, `exclude`",
    )
    dims: listed(Dim) = Field(description="dimensions of the torus, 1 to 20; `inf` is the mean-field model")  # type: ignore[valid-type]
    geometry: Annotated[str, Known(SPACES)] = Field(
        Torus.name, description="space of the points: `torus`, or `box` with walls instead of a seam"
    )
    sizes: numbers(Positive) = Field(description="expected numbers of points of a torus, of all colors together")  # type: ignore[valid-type]
    intensities: numbers(PerColor) | None = Field(  # type: ignore[valid-type]
        None, description="points per unit volume: a number, or a list with one for each color; each entry is a cell"
    )
    ratios: numbers(FromZero) | None = Field(  # type: ignore[valid-type]
        None, description="intensity of color 1 over that of color 0, which is 1; each is a cell"
    )
    colors: Colors | None = Field(
        None, description="intensity of each color, of one cell: another way to write `intensities`"
    )
    replicates: int = Field(ge=1, le=1_000_000, description="independent tori of a cell: the error bars come from them")
    observables: list[Annotated[str, Known(OBSERVABLES)]] = Field(
        default=["unmatched", "distances"],
        min_length=1,
        description="what is measured on each torus; `unmatched` always is",
    )
    block: int | None = Field(
        default=None,
        ge=1,
        le=10_000_000,
        description="replicates that are kept in one file; by default by what they cost",
    )
    target_rel_se: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        allow_inf_nan=False,
        description="replicates are added until the unmatched fraction has this relative standard error",
    )
    max_replicates: int | None = Field(
        default=None,
        ge=1,
        le=10_000_000,
        description="and no more than these; goes with `target_rel_se`",
    )
    tiles: int | None = Field(
        default=None,
        ge=1,
        le=MOST_TILES,
        description="cut the side into so many parts, a power of two, and never hold more than a tile and what is left of others",
    )


class FigureSpec(Strict):
    """One figure: which kind, of which studies, and how it is to look (figures.kinds.Options says what each word means)."""

    kind: Annotated[str, Known(KINDS)] = Field(description="what is drawn; see the gallery")
    studies: listed(str) = Field(description="names of the studies that are shown, in this order")  # type: ignore[valid-type]
    title: str = Field(default="", max_length=200, description="above the figure, for a talk; TeX between dollars")
    caption: str = Field(
        default="", max_length=4000, description="instead of our first words; what was drawn is told after them"
    )
    width: Literal["column", "text"] | None = Field(
        None, description="3.4 or 7 inches; by default 7 where there are several panels"
    )
    format: listed(Literal["pdf", "svg", "png", "pgf"]) = Field(["pdf", "png"], description="the files")  # type: ignore[valid-type]
    style: Annotated[str, BeforeValidator(_beside)] | None = Field(
        None, description="a matplotlib style file beside the study, over ours"
    )
    usetex: bool = Field(False, description="letters by LaTeX, which must be installed")
    xlim: Ends | None = Field(None, description="ends of the x axis of all panels")
    ylim: Ends | None = Field(None, description="ends of the y axis")
    log: listed_or_none(Literal["x", "y"]) | None = Field(  # type: ignore[valid-type]
        None, description="the axes that are logarithmic; `[]` for none"
    )
    panels: Literal["study", "dim", "size", "rule"] | None = Field(None, description="what there is a panel of each of")
    labels: dict[str, Annotated[str, Field(max_length=200)]] = Field({}, description="what to call the studies")

    @property
    def options(self) -> dict[str, Any]:
        """How it is to look."""
        return self.model_dump(exclude={"kind", "studies", "format"})


class StudyFile(Strict):
    """A YAML file of studies and figures. The results go to a folder named after the file."""

    seed: int = Field(default=1, ge=0, lt=2**63, description="all random points follow from it")
    studies: dict[str, Study] = Field(min_length=1, description="studies by name")
    laws: listed_or_none(str) = Field(  # type: ignore[valid-type]
        [], description="the studies to which the laws of the open problem are fitted together"
    )
    figures: dict[str, FigureSpec] = Field({}, description="figures by name")
    _place: Place = PrivateAttr(default=Place())

    @property
    def place(self) -> Place:
        """Where the file lies, and whether what it names may be imported."""
        return self._place


def for_editors() -> dict[str, Any]:
    """The JSON Schema of study files, for editors that complete and check YAML. Not all that `load` refuses is refused by it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **StudyFile.model_json_schema()}
