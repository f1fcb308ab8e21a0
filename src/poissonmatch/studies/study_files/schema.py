"""Schema of study files: strict, and derived from the registries of rules, processes, observables and figure kinds.

A file (YAML) holds studies and figures. A study is a process, a rule and lists of parameters; each
combination of them is a *cell*. A cell has replicates (independent tori), which are made in
*blocks*.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, FiniteFloat, ValidationInfo
from pydantic import field_validator as check
from pydantic import model_validator as check_model
from pydantic_core import PydanticCustomError

from ...points.spaces import Torus
from ...rules.catalogue import FAMILIES, RULES, rule_name, rule_named
from ...rules.rule import Rule
from ...utils.errors import BadInput
from ..figures.kinds import KINDS
from ..sampling.cells import SPACES, volume_of
from ..statistics.observables import OBSERVABLES, quantities_of, tables_of
from ..statistics.observables import quantities as all_quantities  # a field has the name
from ..tables.estimate_tables import ESTIMATES, LAW_TABLE, TABLES, TRANSITIONS
from ..tables.tables import BLOCK_TABLES
from .fields import (
    Dim,
    Ends,
    FromZero,
    Known,
    PerColor,
    Placed,
    Positive,
    Strict,
    Unknown,
    Written,
    listed,
    listed_or_none,
    numbers,
)
from .process_spec import AnyProcess, PointFiles, poisson

MAX_RULES = 100  # of a study


def _beside(value: Any, info: ValidationInfo) -> Any:
    """Return the path of a file relative to the study file."""
    return str(Path((info.context or {}).get("folder", ".")).absolute() / value) if isinstance(value, str) else value


class RuleSpec(Strict):
    """A rule given by its parameters: those of Rule that do not depend on a set of points."""

    compatible: Any = Rule.compatible
    capacity: Any = Rule.capacity
    labels: Any = Rule.labels
    exclude: Any = Rule.exclude


def name_of_rule(value: Any) -> str:
    """Return the name of a rule given by name, by parameters or as a Rule."""
    if isinstance(value, dict):
        value = Rule(**dict(RuleSpec.model_validate(value)))
    if isinstance(value, Rule):
        return rule_name(value)
    if not isinstance(value, str):
        raise ValueError("a rule must be a name, or a mapping with the keys compatible and capacity")
    try:
        rule = rule_named(value)
    except BadInput as error:
        raise Unknown(str(error)) from None
    return rule_name(rule) if value.startswith("custom") else value


def names_of_rules(value: Any) -> str | list[str]:
    """Return the name of a rule, or those of a list of several rules."""
    if not isinstance(value, list):
        return name_of_rule(value)
    if not 1 <= len(value) <= MAX_RULES:
        raise ValueError(f"must be a rule, or a list of 1 to {MAX_RULES} rules")
    names = [name_of_rule(rule) for rule in value]
    return names if len(names) > 1 else names[0]


def rule_forms() -> list[dict[str, Any]]:
    """Return the JSON schemas of the ways to write a rule, or a list of rules."""
    families = "|".join([*FAMILIES, "custom"])
    forms: list[dict[str, Any]] = [{"enum": [*RULES]}, {"type": "string", "pattern": rf"^({families})\(.*\)$"}]
    forms.append(RuleSpec.model_json_schema())
    return [*forms, {"type": "array", "items": {"anyOf": forms}, "minItems": 1, "maxItems": MAX_RULES}]


class WindowSpec(Strict):
    """The window of points from files: a rectangle, or a box in d dimensions."""

    side: listed(Positive) = Field(description="lengths of the sides: one for each coordinate, or one for all")  # type: ignore[valid-type]
    origin: list[FiniteFloat] = Field(
        [], max_length=20, description="the corner with the smallest coordinates, by default 0"
    )
    wrap: bool = Field(False, description="whether points outside are moved into the window; only on a torus")

    def sides(self, dim: int) -> tuple[float, ...]:
        """Return the length of each side."""
        return tuple(self.side) if len(self.side) > 1 else tuple(self.side) * dim


class Study(Strict):
    """One study: every combination of dims, sizes and intensities (or ratios) is a cell."""

    process: AnyProcess = Field(
        default_factory=poisson,
        description="the point process: a name, or a mapping with the key `name` and its parameters; `name: points` with `files` "
        "reads points from files, and `import: module.function` calls a custom function",
    )
    rule: Annotated[Any, BeforeValidator(names_of_rules), Written(rule_forms)] = Field(
        "one-color",
        description="the matching rule: a name, or a mapping with the keys `compatible`, `capacity`, `labels` and `exclude`; "
        "or a list of rules, which are applied to the same points",
    )
    dims: listed(Dim) = Field(description="dimensions of the torus, 1 to 20; `inf` is the mean-field model")  # type: ignore[valid-type]
    geometry: Annotated[str, Known(SPACES.keys)] = Field(
        Torus.name,
        description="the space of the points: `torus`; `box`, which has walls instead of a periodic boundary; or `sphere`, with "
        "longitudes and latitudes",
    )
    side: listed(Positive) | None = Field(  # type: ignore[valid-type]
        None,
        description="lengths of the sides of the torus or box, as in [200, 100]; with `sizes`, only their ratios matter",
    )
    window: WindowSpec | None = Field(
        None,
        description="the window of points from files: `{side: [200, 100], origin: [0, 0], wrap: false}`, instead of `sizes`",
    )
    radius: Positive | None = Field(
        None,
        description="radius of the sphere; without `sizes`, which give it by the number of points and the intensity",
    )
    max_distance: Positive | None = Field(
        None,
        description="largest distance of a pair, in the unit of the side; by default there is none",
    )
    sizes: numbers(Positive) | None = Field(  # type: ignore[valid-type]
        None,
        validate_default=True,
        description="expected numbers of points per torus, of all colors together; required without `side`, `window` and `radius`",
    )
    intensities: numbers(PerColor) | None = Field(  # type: ignore[valid-type]
        None,
        description="expected numbers of points per unit volume; each entry defines a cell and is a number, or a list with one "
        "number for each color, as in [[1, 0.5]]",
    )
    ratios: numbers(FromZero) | None = Field(  # type: ignore[valid-type]
        None, description="intensities of color 1, while color 0 has intensity 1; each entry defines a cell"
    )
    replicates: int = Field(
        ge=1, le=1_000_000, description="number of independent tori of each cell, from which error bars are computed"
    )
    observables: listed(Annotated[str, Known(OBSERVABLES.keys)]) = Field(  # type: ignore[valid-type]
        default=["unmatched", "distances"],
        description="the observables that are measured on each torus; `unmatched` is always included",
    )
    quantities: listed(Annotated[str, Known(all_quantities)]) | None = Field(  # type: ignore[valid-type]
        default=None,
        description="the quantities in the table `estimates`; by default all quantities of the observables",
    )
    block: int | None = Field(
        default=None,
        ge=1,
        le=10_000_000,
        description="number of replicates in one block; by default it depends on their cost",
    )
    target_rel_se: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        allow_inf_nan=False,
        description="target of the relative standard error; replicates are added until it is reached",
    )
    max_replicates: int | None = Field(
        default=None, ge=1, le=10_000_000, description="largest number of replicates if `target_rel_se` is given"
    )
    tiles: int | None = Field(
        default=None,
        ge=1,
        le=4096,
        description="number of tiles along a side, a power of two; the torus is matched tile by tile, which saves memory",
    )

    @check("sizes")
    @classmethod
    def _follow_from_sides(cls, sizes: Any, info: ValidationInfo) -> Any:
        if sizes is None and all(info.data.get(key, ...) is None for key in ("side", "window", "radius")):
            raise PydanticCustomError("missing", "Field required")
        return sizes

    @check_model(mode="after")
    def _describe_files(self) -> Study:
        if isinstance(self.process, PointFiles):
            self.__dict__["process"] = self.process.described(self.window is not None or self.radius is not None)
        return self

    @property
    def by_rule(self) -> list[Study]:
        """The study for each of its rules: this one if it has one rule."""
        return [self.model_copy(update={"rule": rule}) for rule in self.rule] if isinstance(self.rule, list) else [self]

    @property
    def estimated(self) -> frozenset[str]:
        """Names of the quantities in the table `estimates`."""
        return quantities_of(self.observables) if self.quantities is None else frozenset(self.quantities)

    # ---- the grid of the cells ----

    @property
    def rule_entry(self) -> Rule:
        """The rule of a study with one."""
        return rule_named(self.rule)

    @property
    def intensity_key(self) -> str:
        """Key that gives the intensities."""
        return "intensities" if self.ratios is None else "ratios"

    @property
    def intensity_pairs(self) -> list[tuple[float, ...]]:
        """Intensities of the cells, the same for each dimension and size."""
        number = self.rule_entry.n_colors
        pairs: list[tuple[float, ...]]
        if self.ratios is not None:
            pairs = [(1.0, ratio) for ratio in self.ratios]
        elif self.intensities is not None:
            pairs = [tuple(i) if isinstance(i, list) else (i,) for i in self.intensities]
        else:
            pairs = [(1.0,) * number if number > 1 else self.process.entry.intensities]
        if (counts := self.counted) is None:
            return pairs
        volume = volume_of(self.geometry, self.fixed_sides(len(self.process.coords)))
        if self.process.color is not None:  # as many as there are in the files
            return [tuple(count / volume for count in counts)]
        return [tuple(sum(counts) / volume * part / sum(pair) for part in pair) for pair in pairs if sum(pair)]

    @property
    def counted(self) -> list[float] | None:
        """Mean points of each color in the files of a study with a window or radius; None for other studies."""
        return None if self.window is None and self.radius is None else getattr(self.process, "counts", None)

    @property
    def most_replicates(self) -> int:
        """Maximal number of replicates of a cell."""
        return max(self.replicates, self.max_replicates or 0)

    def requested_sizes(self, dim: float) -> list[float]:
        """Return `sizes`, or the expected number of points that follows from the sides."""
        if (counts := self.counted) is not None:
            return [sum(counts)]
        if self.sizes is not None:
            return self.sizes
        return [max(sum(pair) for pair in self.intensity_pairs) * volume_of(self.geometry, self.fixed_sides(dim))]

    def sides_of(self, dim: float) -> tuple[float, ...]:
        """Return the sides of the window in this dimension, or `side`, or the radius; () for cubes."""
        if self.radius is not None:
            return (self.radius,)
        if self.window is not None:
            return self.window.sides(int(dim))
        return tuple(self.side or ()) * (int(dim) if len(self.side or ()) == 1 else 1)

    def fixed_sides(self, dim: float) -> tuple[float, ...]:
        """Return the sides of all cells of this dimension; () if they depend on the size."""
        return () if self.side is not None and self.sizes is not None else self.sides_of(dim)

    def sizes_of(self, dim: float, pair: tuple[float, ...] | None = None) -> list[float]:
        """Return the sizes of the cells of this dimension, in the order of `sizes`; of lattices the nearest ones.

        pair: intensities of the colors, by default the first ones of the study. The size depends on them
        if one color is a lattice.
        """
        if self.sides_of(dim):
            return self.requested_sizes(dim)
        process, pair = self.process.entry, pair or self.intensity_pairs[0]
        return [process.size(size, dim, pair) for size in self.requested_sizes(dim)]


class FigureSpec(Strict):
    """One figure: its kind, the studies it shows, and its options (see figures.kinds.Options)."""

    kind: Annotated[str, Known(KINDS.keys)] = Field(description="the kind of figure; see the gallery")
    studies: listed(str) = Field(description="names of the studies to show, in this order")  # type: ignore[valid-type]
    title: str = Field(default="", max_length=200, description="title above the figure; TeX between dollar signs")
    caption: str = Field(
        default="",
        max_length=4000,
        description="text that replaces the first sentence of the caption; the description of the data follows it",
    )
    width: Literal["column", "text"] | None = Field(
        None,
        description="`column` is 3.4 inches and `text` is 7 inches; the default is 7 inches if there are several panels",
    )
    format: listed(Literal["pdf", "svg", "png", "pgf"]) = Field(["pdf", "png"], description="file formats")  # type: ignore[valid-type]
    style: Annotated[str, BeforeValidator(_beside)] | None = Field(
        None,
        description="a matplotlib style file, relative to the study file; it is applied after the default style",
    )
    usetex: bool = Field(False, description="whether text is typeset by LaTeX, which must be installed")
    xlim: Ends | None = Field(None, description="limits of the x axis of all panels")
    ylim: Ends | None = Field(None, description="limits of the y axis of all panels")
    log: listed_or_none(Literal["x", "y"]) | None = Field(  # type: ignore[valid-type]
        None, description="axes that are logarithmic; `[]` makes both axes linear"
    )
    panels: Literal["study", "dim", "size", "rule"] | None = Field(
        None, description="the parameter that distinguishes the panels, with one panel for each value"
    )
    octaves: Annotated[str, BeforeValidator(_beside)] | None = Field(
        None,
        description="a CSV file of further points, relative to the study file, with columns dim, ratio, log_u and standard_error",
    )
    labels: dict[str, Annotated[str, Field(max_length=200)]] = Field(
        {}, description="labels that replace the names of studies, and of colors in pictures"
    )

    @property
    def options(self) -> dict[str, Any]:
        """Options of the figure."""
        return self.model_dump(exclude={"kind", "studies", "format"})


class StudyFile(Placed):
    """A YAML file of studies and figures. The results go to a folder named after the file."""

    seed: int = Field(default=1, ge=0, lt=2**128, description="seed of all random points")
    studies: dict[str, Study] = Field(min_length=1, description="studies by name")
    laws: listed_or_none(str) = Field(  # type: ignore[valid-type]
        [], description="names of the studies to which the scaling laws of the open problem are fitted jointly"
    )
    figures: dict[str, FigureSpec] = Field({}, description="figures by name")

    @property
    def estimated(self) -> dict[str, frozenset[str]]:
        """Names of the quantities in the table `estimates`, by study."""
        return {name: study.estimated for name, study in self.studies.items()}

    @property
    def by_rule(self) -> list[tuple[str, Study]]:
        """The name of each study, and the study, for each of its rules."""
        return [(name, one) for name, study in self.studies.items() for one in study.by_rule]

    @property
    def block_tables(self) -> list[str]:
        """Names of the tables of replicates that the studies have."""
        names = {table for study in self.studies.values() for table in tables_of(study.observables, first=0)}
        return [name for name in BLOCK_TABLES if name in names]

    @property
    def tables(self) -> list[str]:
        """Names of all tables that the studies have."""
        names = {TRANSITIONS.name, ESTIMATES.name, *self.block_tables, *([LAW_TABLE.name] if self.laws else [])}
        return [name for name in TABLES if name in names]


def for_editors() -> dict[str, Any]:
    """Return the JSON Schema of study files.

    Editors complete and check YAML with it. `load` checks more than the schema does.
    """
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **StudyFile.model_json_schema()}
