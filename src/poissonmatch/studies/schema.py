"""Studies: strict, typed configuration, and the cells and blocks that it stands for.

A file (YAML) holds studies and figures. A study is a process, a rule and lists of parameters; each combination of them is a
*cell*. A cell has replicates (independent tori), which are made in *blocks*, one job each.
"""

from __future__ import annotations

import difflib
import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
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
    ValidationError,
    model_validator,
)
from pydantic import field_validator as check

from ..matching import RULES, rule_named
from ..pipeline.provenance import fingerprint
from . import yamlfile
from .cost import block_size
from .yamlfile import BadInput

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
MOST_CELLS = 1_000_000  # of one file
MOST_PROBLEMS = 20  # that are told at once
MEAN_FIELD_SIZE = 20_000  # a table of the distances of so many points takes 3 GB

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


class Poisson(_Strict):
    name: Literal["poisson"] = "poisson"


class TwoColor(_Strict):
    name: Literal["two_color"]


class Binomial(_Strict):
    name: Literal["binomial"]


class Lattice(_Strict):
    name: Literal["lattice"]


class PerturbedLattice(_Strict):
    name: Literal["perturbed_lattice"]
    spread: Positive = 0.3


class Thomas(_Strict):
    name: Literal["thomas"]
    offspring: Positive = 5.0
    spread: Positive = 0.2


class Matern(_Strict):
    name: Literal["matern"]
    distance: Positive = 0.5


Process = Annotated[
    Poisson | TwoColor | Binomial | Lattice | PerturbedLattice | Thomas | Matern, Field(discriminator="name")
]
COLORED = ("two_color", "binomial")  # processes that can have two colors
FLAT = ("lattice", "perturbed_lattice", "thomas", "matern")  # processes that need coordinates

Observable = Literal["unmatched", "distances", "realisation", "winner", "desirers", "components"]
TABLE_OF = {  # where an observable is found
    "unmatched": "replicates",
    "distances": "distances",
    "realisation": "realisations",
    "winner": "frogs",
    "desirers": "frogs",
    "components": "frogs",
}


def _dim(value: Any) -> Any:
    if value == "inf" or (isinstance(value, float) and value == math.inf):
        return math.inf
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 20:
        raise ValueError("a dimension is a whole number from 1 to 20, or inf for the mean-field model")
    return value


class Study(_Strict):
    """One study: every combination of dims, sizes and intensities (or ratios) is a cell."""

    process: Annotated[Process, BeforeValidator(lambda v: {"name": v} if isinstance(v, str) else v)] = Poisson()
    rule: str = "one-color"
    dims: Annotated[list[Annotated[Any, BeforeValidator(_dim)]], Field(min_length=1), BeforeValidator(_listed)]
    sizes: _numbers(Positive)  # type: ignore[valid-type]
    intensities: _numbers(PerColor) | None = None  # type: ignore[valid-type]
    ratios: _numbers(Positive) | None = None  # type: ignore[valid-type]
    replicates: int = Field(ge=1, le=1_000_000)
    observables: list[Observable] = Field(default=["unmatched", "distances"], min_length=1)
    block: int | None = Field(default=None, ge=1)
    target_rel_se: float | None = Field(default=None, gt=0, lt=1, allow_inf_nan=False)
    max_replicates: int | None = Field(default=None, ge=1, le=10_000_000)

    @check("rule")
    @classmethod
    def _rule(cls, value: str) -> str:
        try:
            rule_named(value)
        except ValueError as error:
            close = difflib.get_close_matches(value, RULES, n=1)
            raise ValueError(f"{error}" + (f"; did you mean {close[0]!r}?" if close else "")) from None
        return value

    @model_validator(mode="after")
    def _fits(self) -> Study:
        if (self.target_rel_se is None) != (self.max_replicates is None):
            raise ValueError("target_rel_se and max_replicates go together: give both or neither")
        if self.max_replicates is not None and not 8 <= self.replicates <= self.max_replicates:
            raise ValueError(
                "with a target_rel_se, replicates must be from 8 (to judge the error by) to max_replicates"
            )
        colored = self.process.name in COLORED
        if self.intensities is not None and self.ratios is not None:
            raise ValueError("give either intensities or ratios, not both")
        pairs = self.ratios is not None or any(isinstance(i, list) and len(i) == 2 for i in self.intensities or ())
        if pairs and not colored:
            raise ValueError(f"two colors need one of the processes {', '.join(COLORED)}, not {self.process.name}")
        if rule_named(self.rule).n_colors > 1 and not colored:
            raise ValueError(f"the rule {self.rule} tells colors apart; use one of the processes {', '.join(COLORED)}")
        if math.inf in self.dims and self.process.name in FLAT:
            raise ValueError(f"the process {self.process.name} has no mean-field model; leave inf out of dims")
        if math.inf in self.dims and max(self.sizes) > MEAN_FIELD_SIZE:
            raise ValueError(
                f"the mean-field model (dims: inf) needs sizes up to {MEAN_FIELD_SIZE}; give it a study of its own"
            )
        if rule_named(self.rule).labels and {"winner", "desirers"} & set(self.observables):
            raise ValueError(f"{self.rule} has no room for partners; leave winner and desirers out of observables")
        if math.inf in self.dims and "realisation" in self.observables:
            raise ValueError("a mean-field pattern has no coordinates; leave realisation out of observables")
        return self


class FigureSpec(_Strict):
    """One figure: which kind, and of which studies."""

    kind: Literal[
        "realisation",
        "tail",
        "levelled-tail",
        "transition",
        "fussy",
        "fussy-log",
        "winner",
        "winner-ratio",
        "leftovers",
        "incomplete",
        "shy",
        "labels",
        "components",
    ]
    studies: Annotated[list[str], Field(min_length=1), BeforeValidator(_listed)]
    title: str = Field(default="", max_length=200)


NEEDS = {  # observables that a figure shows
    "realisation": {"realisation"},
    "tail": {"distances"},
    "levelled-tail": {"distances"},
    "labels": {"distances"},
    "winner": {"winner"},
    "winner-ratio": {"winner"},
    "leftovers": {"winner"},
    "incomplete": {"winner"},
    "shy": {"distances", "desirers"},
    "components": {"components"},
}


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
                    wrong.append(f"figure {name}: there is no study {study!r}{_nearest(study, list(self.studies))}")
                elif missing := NEEDS.get(figure.kind, set()) - set(self.studies[study].observables):
                    wrong.append(f"figure {name}: study {study} must list {', '.join(sorted(missing))} in observables")
            if len(wrong) > MOST_PROBLEMS:
                break
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


@dataclass(frozen=True)
class Cell:
    """One parameter point of a study.

    size: expected number of points, all colors. intensities: of each color, expected points per unit volume. dim: inf stands for the
    mean-field model. process: name and parameters.
    """

    study: str
    process: tuple[tuple[str, Any], ...]
    rule: str
    dim: float
    size: float
    intensities: tuple[float, ...]
    observables: tuple[str, ...]
    replicates: int
    block: int
    seed: int
    target_rel_se: float | None = None
    max_replicates: int = 0
    rounds: tuple[int, ...] = ()  # replicates after each earlier round: a block ends there (targets.py)

    @property
    def volume(self) -> float:
        """Volume of the torus."""
        size = self.size
        if "lattice" in dict(self.process)["name"]:
            size = max(1, round(size ** (1 / self.dim))) ** self.dim
        return size / sum(self.intensities)

    @property
    def side(self) -> float:
        """Side of the torus; nan for the mean-field model."""
        return math.nan if self.dim == math.inf else self.volume ** (1 / self.dim)

    @property
    def ratio(self) -> float:
        """Intensity of color 1 over that of color 0; nan if there is one color only."""
        return self.intensities[1] / self.intensities[0] if len(self.intensities) > 1 else math.nan

    @property
    def source(self) -> dict[str, Any]:
        """What the points depend on, beside the seed: not the rule, so that all rules see the same points."""
        return {
            "process": dict(self.process),
            "dim": self.dim,
            "size": self.size,
            "intensities": list(self.intensities),
        }

    @property
    def fingerprint(self) -> str:
        """Names everything that the cell's numbers depend on, except the code."""
        return fingerprint(
            {**self.source, "rule": self.rule, "observables": sorted(self.observables), "seed": self.seed}
        )

    @property
    def id(self) -> str:
        """A name for people and files: dimension, size, ratio, and the fingerprint."""
        ratio = f"-r{self.ratio:.4g}" if len(self.intensities) > 1 else ""
        return f"d{self.dim:g}-n{self.size:.6g}{ratio}-{self.fingerprint}".replace("+", "")

    @property
    def record(self) -> dict[str, Any]:
        """The cell as plain JSON, with all that its replicates depend on: not their number, nor how they are cut into blocks."""
        return {
            "study": self.study,
            "id": self.id,
            "fingerprint": self.fingerprint,
            "seed": self.seed,
            **self.source,
            "dim": "inf" if self.dim == math.inf else self.dim,
            "rule": self.rule,
            "observables": list(self.observables),
        }

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Cell:
        """The cell of a record, with no replicates. Raises ValueError, KeyError or TypeError if it is no such record."""
        cell = cls(
            study=record["study"],
            process=tuple(sorted(record["process"].items())),
            rule=record["rule"],
            dim=math.inf if record["dim"] == "inf" else record["dim"],
            size=record["size"],
            intensities=tuple(record["intensities"]),
            observables=tuple(record["observables"]),
            replicates=0,
            block=1,
            seed=record["seed"],
        )
        if cell.id != record["id"] or not NAME.fullmatch(cell.study):
            raise ValueError(f"the record of the cell {record['id']} is not right")
        return cell

    def blocks(self) -> Iterator[tuple[int, int]]:
        """(first, end) of the replicates of each block."""
        for start, stop in itertools.pairwise((0, *self.rounds, self.replicates)):
            for first in range(start, stop, self.block):
                yield first, min(first + self.block, stop)


def intensity_pairs(study: Study) -> list[tuple[float, ...]]:
    """The intensities of the cells of a study, for each dim and size."""
    if study.ratios is not None:
        return [(1.0, ratio) for ratio in study.ratios]
    if study.intensities is not None:
        return [tuple(i) if isinstance(i, list) else (i,) for i in study.intensities]
    return [(1.0, 1.0)] if rule_named(study.rule).n_colors > 1 or study.process.name == "two_color" else [(1.0,)]


def count(study: Study) -> int:
    """Number of cells of a study."""
    return len(study.dims) * len(study.sizes) * len(intensity_pairs(study))


def cells_of(name: str, study: Study, seed: int) -> list[Cell]:
    """The cells of one study, in the order in which they are written."""
    return [
        Cell(
            study=name,
            process=tuple(sorted(study.process.model_dump().items())),
            rule=study.rule,
            dim=float(dim) if dim == math.inf else dim,
            size=size,
            intensities=pair,
            observables=tuple(sorted(set(study.observables))),
            replicates=study.replicates,
            block=study.block or block_size(dim, size, study.rule),
            seed=seed,
            target_rel_se=study.target_rel_se,
            max_replicates=study.max_replicates or study.replicates,
        )
        for dim, size, pair in itertools.product(study.dims, study.sizes, intensity_pairs(study))
    ]


def cells(file: StudyFile) -> list[Cell]:
    """All cells of a file, in the order in which they are written. Raises BadInput if they are more than MOST_CELLS."""
    number = sum(count(study) for study in file.studies.values())
    if number > MOST_CELLS:
        raise BadInput(f"this study asks for {number} cells; at most {MOST_CELLS} fit in one file")
    return [cell for name, study in file.studies.items() for cell in cells_of(name, study, file.seed)]


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


TAGS = {
    "list",
    "range",
    "number",
    "colors",
    *(c.model_fields["name"].annotation.__args__[0] for c in Process.__args__[0].__args__),
}


def _nearest(word: str, words: list[str]) -> str:
    words = words[:100]
    close = difflib.get_close_matches(word[:80], words, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(words)}"


def _explain(document: yamlfile.Document, problem: Any) -> str:
    """One pydantic problem in a user's words."""
    path: tuple = ()
    data: Any = document.data
    for step in problem["loc"]:  # drop the steps that name alternatives and not the user's own keys
        inside = (
            isinstance(data, dict)
            and step in data
            or isinstance(data, list)
            and isinstance(step, int)
            and step < len(data)
        )
        if inside:
            data = data[step]
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
        return (
            f"{document.where(path)}: unknown key {str(path[-1])[:80]!r}{_nearest(str(path[-1]), _keys_at(path[:-1]))}"
        )
    if kind == "missing":
        return f"{document.where(path[:-1])}: the key {path[-1]!r} is missing"
    if kind in ("literal_error", "union_tag_invalid"):
        words = re.findall(r"'([^']+)'", str(problem["ctx"].get("expected") or problem["ctx"].get("expected_tags")))
        word = str(value.get("name") if isinstance(value, dict) else value)
        return f"{document.where(path)}: {word[:60]!r} is not known here{_nearest(word, words)}"
    if isinstance(value, str) and kind in ("float_type", "int_type"):
        try:
            message += f": YAML reads {value} as text; write {float(value):.1f} instead"
        except ValueError:
            message += f": {value[:60]!r} is text"
        return f"{document.where(path)}: {message}"
    return f"{document.where(path)}: {message}{shown}"


def _keys_at(path: tuple) -> list[str]:
    """The keys that may stand at a path of a study file."""
    if not path:
        return list(StudyFile.model_fields)
    if len(path) == 1:
        return []
    if path[0] == "figures":
        return list(FigureSpec.model_fields)
    if len(path) == 2:
        return list(Study.model_fields)
    if path[2] == "process":
        return ["name", "spread", "offspring", "distance"]
    return ["from", "to", "steps", "scale"]
