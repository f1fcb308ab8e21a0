"""What a study file may say: strict, typed, and made from the entries of rules, processes, observables and figure kinds.

A file (YAML) holds studies and figures. A study is a process, a rule and lists of parameters; each combination of them is a
*cell*. A cell has replicates (independent tori), which are made in *blocks*.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence
from functools import cache
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    create_model,
    model_validator,
)
from pydantic import field_validator as check

from ..cells import Cell
from ..errors import BadInput, nearest
from ..figures.kinds import KINDS, Kind
from ..processes import PROCESSES, Process
from ..rules import RULES, Rule, rule_named
from ..statistics.observables import OBSERVABLES, measured
from .cost import block_size

MOST_CELLS = 1_000_000  # of one file
MOST_PROBLEMS = 20  # that are told at once
MEAN_FIELD_SIZE = 20_000  # a table of the distances of so many points takes 3 GB


class Unknown(ValueError):
    """A word that is none of those that are known here."""


def _known(words: Collection[str]) -> AfterValidator:
    """One of these words: looked up when a file is read, so that entries may be added."""

    def one_of(word: str) -> str:
        if word not in words:
            raise Unknown(f"{word[:60]!r} is not known here{nearest(word, words)}")
        return word

    return AfterValidator(one_of)


Positive = Annotated[float, Field(gt=0, lt=1e15, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Range(_Strict):
    """A short way to write a list: `steps` numbers from `from` to `to`, evenly spaced, or evenly in the logarithm."""

    start: Positive = Field(alias="from")
    to: Positive
    steps: int = Field(ge=2, le=10_000)
    scale: Literal["linear", "log"] = "linear"

    def numbers(self) -> tuple[float, ...]:
        space = np.geomspace if self.scale == "log" else np.linspace
        return tuple(float(f"{x:.12g}") for x in space(self.start, self.to, self.steps))


def _expand(value: Any) -> list:
    return list(value.numbers()) if isinstance(value, Range) else value


def _listed(value: Any) -> Any:
    return value if isinstance(value, list | dict) else [value]


def _numbers(kind: Any) -> Any:
    """A number, a list of numbers, or a Range; a list of numbers once it is read."""
    choices = (
        Annotated[list[kind], Field(min_length=1, max_length=10_000), Tag("list")] | Annotated[Range, Tag("range")]
    )
    tag = Discriminator(lambda value: "range" if isinstance(value, dict) else "list")
    return Annotated[choices, tag, BeforeValidator(_listed), AfterValidator(_expand)]


PerColor = Annotated[  # an intensity, or one for each color
    Annotated[Positive, Tag("number")] | Annotated[list[Positive], Field(min_length=1, max_length=2), Tag("colors")],
    Discriminator(lambda value: "colors" if isinstance(value, list) else "number"),
]


@cache
def _model_of(process: Process) -> type[BaseModel]:
    """What a study may say of a process: its name, and the parameters of its signature."""
    fields: dict[str, Any] = {key: (Positive, default) for key, default in process.parameters.items()}
    return create_model(process.name, __base__=_Strict, name=(str, ...), **fields)


def _process(value: Any) -> Any:
    """A process by name, or a mapping of its name and parameters."""
    value = {"name": value} if isinstance(value, str) else value
    if not isinstance(value, dict) or "name" not in value:
        raise ValueError("a process is a name, or a mapping with the key 'name'")
    name = str(value["name"])
    if name not in PROCESSES:
        raise Unknown(f"{name[:60]!r} is not known here{nearest(name, PROCESSES)}")
    return _model_of(PROCESSES[name]).model_validate(value)


def _dim(value: Any) -> Any:
    if value == "inf" or (isinstance(value, float) and value == math.inf):
        return math.inf
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 20:
        raise ValueError("a dimension is a whole number from 1 to 20, or inf for the mean-field model")
    return value


class Study(_Strict):
    """One study: every combination of dims, sizes and intensities (or ratios) is a cell."""

    process: Annotated[Any, BeforeValidator(_process)] = Field(default_factory=lambda: _process("poisson"))
    rule: str = "one-color"
    dims: Annotated[list[Annotated[Any, BeforeValidator(_dim)]], Field(min_length=1), BeforeValidator(_listed)]
    sizes: _numbers(Positive)  # type: ignore[valid-type]
    intensities: _numbers(PerColor) | None = None  # type: ignore[valid-type]
    ratios: _numbers(Positive) | None = None  # type: ignore[valid-type]
    replicates: int = Field(ge=1, le=1_000_000)
    observables: list[Annotated[str, _known(OBSERVABLES)]] = Field(default=["unmatched", "distances"], min_length=1)
    block: int | None = Field(default=None, ge=1)
    target_rel_se: float | None = Field(default=None, gt=0, lt=1, allow_inf_nan=False)
    max_replicates: int | None = Field(default=None, ge=1, le=10_000_000)

    @check("rule")
    @classmethod
    def _rule(cls, value: str) -> str:
        try:
            rule_named(value)
        except ValueError as error:
            close = nearest(value, RULES)
            raise ValueError(f"{error}" + (close if "did you mean" in close else "")) from None
        return value

    @model_validator(mode="after")
    def _fits(self) -> Study:
        if (self.target_rel_se is None) != (self.max_replicates is None):
            raise ValueError("target_rel_se and max_replicates go together: give both or neither")
        if self.max_replicates is not None and not 8 <= self.replicates <= self.max_replicates:
            raise ValueError(
                "with a target_rel_se, replicates must be from 8 (to judge the error by) to max_replicates"
            )
        self._fits_colors(rule_named(self.rule), PROCESSES[self.process.name])
        self._fits_observables(rule_named(self.rule))
        if math.inf in self.dims and PROCESSES[self.process.name].flat:
            raise ValueError(f"the process {self.process.name} has no mean-field model; leave inf out of dims")
        if math.inf in self.dims and max(self.sizes) > MEAN_FIELD_SIZE:
            raise ValueError(
                f"the mean-field model (dims: inf) needs sizes up to {MEAN_FIELD_SIZE}; give it a study of its own"
            )
        self._all_differ(PROCESSES[self.process.name])
        return self

    def _fits_colors(self, rule: Rule, process: Process) -> None:
        colored = ", ".join(p.name for p in PROCESSES.values() if p.colored)
        if self.intensities is not None and self.ratios is not None:
            raise ValueError("give either intensities or ratios, not both")
        pairs = self.ratios is not None or any(isinstance(i, list) and len(i) == 2 for i in self.intensities or ())
        if pairs and not process.colored:
            raise ValueError(f"two colors need one of the processes {colored}, not {process.name}")
        if rule.n_colors > 1 and not process.colored:
            raise ValueError(f"the rule {self.rule} tells colors apart; use one of the processes {colored}")

    def _fits_observables(self, rule: Rule) -> None:
        asked = [OBSERVABLES[name] for name in self.observables]
        if rule.labels and any(o.room for o in asked):
            words = " and ".join(o.name for o in OBSERVABLES.values() if o.room)
            raise ValueError(f"{self.rule} has no room for partners; leave {words} out of observables")
        if math.inf in self.dims and any(o.flat for o in asked):
            words = " and ".join(o.name for o in OBSERVABLES.values() if o.flat)
            raise ValueError(f"a mean-field pattern has no coordinates; leave {words} out of observables")

    def _all_differ(self, process: Process) -> None:
        """Two cells that are the same would be measured twice and could not be told apart."""
        for name, values in (("dims", self.dims), ("intensities or ratios", intensity_pairs(self))):
            if (again := _twice(values)) is not None:
                raise ValueError(f"{name}: {values[again[1]]} is there twice")
        for dim in self.dims:
            sizes = [process.size(size, dim) for size in self.sizes]
            if (again := _twice(sizes)) is not None:
                first, second = (f"{self.sizes[k]:g}" for k in again)
                same = (
                    "is there twice"
                    if first == second
                    else f"and {first} are both {sizes[again[0]]:g} points in d = {dim}"
                )
                raise ValueError(f"sizes: {second} {same}")


def _twice(values: Sequence[Any]) -> tuple[int, int] | None:
    """Places of the first two equal values."""
    seen: dict[Any, int] = {}
    for place, value in enumerate(values):
        if value in seen:
            return seen[value], place
        seen[value] = place
    return None


class FigureSpec(_Strict):
    """One figure: which kind, and of which studies."""

    kind: Annotated[str, _known(KINDS)]
    studies: Annotated[list[str], Field(min_length=1), BeforeValidator(_listed)]
    title: str = Field(default="", max_length=200)


def unfit(kind: Kind, study: Study) -> str:
    """Why a study cannot be shown in a figure of this kind; "" if it can."""
    if missing := kind.needs - set(measured(study.observables)):
        return f"must list {', '.join(sorted(missing))} in observables"
    if kind.ratio and any(len(pair) < 2 for pair in intensity_pairs(study)):
        return f"needs points of two colors, since a figure {kind.name} is drawn against their ratio"
    if kind.judged and rule_named(study.rule).judged is None:
        rules = ", ".join(name for name, rule in RULES.items() if rule.judged is not None)
        return f"needs a rule by one color of which it is judged ({rules}), not {study.rule}"
    if kind.ratio and not kind.judged and rule_named(study.rule).n_colors == 1:
        return f"needs a rule that tells colors apart, not {study.rule}"
    return ""


class StudyFile(_Strict):
    """A YAML file of studies and figures. The results go to a folder named after the file."""

    seed: int = Field(default=1, ge=0, lt=2**63)
    studies: dict[str, Study] = Field(min_length=1)
    figures: dict[str, FigureSpec] = {}

    @model_validator(mode="after")
    def _figures(self) -> StudyFile:
        wrong = []
        for name, figure in self.figures.items():
            for study in figure.studies:
                if study not in self.studies:
                    wrong.append(f"figure {name}: there is no study {study!r}{nearest(study, self.studies)}")
                elif reason := unfit(KINDS[figure.kind], self.studies[study]):
                    wrong.append(f"figure {name}: study {study} {reason}")
            if len(wrong) > MOST_PROBLEMS:
                break
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


def intensity_pairs(study: Study) -> list[tuple[float, ...]]:
    """The intensities of the cells of a study, for each dim and size."""
    if study.ratios is not None:
        return [(1.0, ratio) for ratio in study.ratios]
    if study.intensities is not None:
        return [tuple(i) if isinstance(i, list) else (i,) for i in study.intensities]
    colors = rule_named(study.rule).n_colors
    return [(1.0,) * colors if colors > 1 else PROCESSES[study.process.name].intensities]


def count(study: Study) -> int:
    """Number of cells of a study."""
    return len(study.dims) * len(study.sizes) * len(intensity_pairs(study))


def block_of(study: Study, dim: float, size: float) -> int:
    """Replicates of a block, as the study says; or as the cost model finds, all of about one length."""
    if study.block:
        return study.block
    most = block_size(dim, size, rule_named(study.rule))
    return -(-study.replicates // -(-study.replicates // most))


def cells_of(name: str, study: Study, seed: int) -> list[Cell]:
    """The cells of one study, in the order in which they are written."""
    process = PROCESSES[study.process.name]
    return [
        Cell(
            study=name,
            process=tuple(sorted(study.process.model_dump().items())),
            rule=study.rule,
            dim=float(dim) if dim == math.inf else dim,
            size=process.size(size, dim),
            intensities=pair,
            observables=measured(study.observables),
            replicates=study.replicates,
            block=block_of(study, dim, size),
            seed=seed,
            target_rel_se=study.target_rel_se,
            max_replicates=study.max_replicates or study.replicates,
        )
        for dim, size, pair in itertools.product(study.dims, study.sizes, intensity_pairs(study))
    ]


def refuse_too_many(file: StudyFile) -> None:
    """Raises BadInput if the cells of a file are more than MOST_CELLS."""
    number = sum(count(study) for study in file.studies.values())
    if number > MOST_CELLS:
        raise BadInput(f"this study asks for {number} cells; at most {MOST_CELLS} fit in one file")


def cells(file: StudyFile) -> list[Cell]:
    """All cells of a file, in the order in which they are written. Raises BadInput if they are more than MOST_CELLS."""
    refuse_too_many(file)
    return [cell for name, study in file.studies.items() for cell in cells_of(name, study, file.seed)]
