"""Cells and blocks: one parameter point of a study, and the replicates of it that one job makes.

The dependencies of a cell's results, its random streams and its names are defined here only.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...points.distance_tables import MeanField
from ...points.pattern import Pattern
from ...points.processes import PROCESSES, Process
from ...points.spaces import Box, Torus
from ...points.sphere import Sphere
from ...points.tiled import TiledPoints, few_tiles
from ...rules.catalogue import rule_named
from ...rules.rule import Rule
from ...theory.volumes import is_mean_field
from ...utils.manifests import canonical, fingerprint
from . import point_files, sources

MAX_JOINED = 20_000  # points of a replicate that is drawn and matched with others,
JOINED_POINTS, JOINED_ROWS = 2**15, 512  # and the points, and tori times partners, of those together
SPACES: dict[str, Callable[..., Torus | Box | Sphere]] = {
    Torus.name: Torus,
    Box.name: Box,
    Sphere.name: lambda radius, dim: Sphere(*np.atleast_1d(radius).tolist()),
}  # a function of the sides, or of the radius, and of the dimension
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")  # of a study or a figure
BlockKey = tuple[str, str, int, int]  # what identifies a block: study, name of the cell, first and end


def seed_sequence(seed: int, source: Any, replicate: int) -> np.random.SeedSequence:
    """Return the seed sequence of one replicate.

    It depends only on the root seed, the parameters of the point process (`source`) and the
    replicate. Adding replicates or cells therefore changes no other replicate, blocks do not
    matter, and all rules see the same points.
    """
    return np.random.SeedSequence(seed, spawn_key=(*_key(source), replicate))


def volume_of(geometry: str, sides: tuple[float, ...]) -> float:
    """Return the volume of a space with these sides, or the area of a sphere with this radius."""
    return Sphere(*sides).volume if geometry == Sphere.name else math.prod(sides)


def ratio_of(intensities: tuple[float, ...]) -> float:
    """Return the intensity of color 1 over that of color 0, inf if that is 0; nan for one color."""
    if len(intensities) == 1:
        return math.nan
    return intensities[1] / intensities[0] if intensities[0] else math.inf


def _key(source: Any) -> list[int]:
    digest: list[int] = np.frombuffer(hashlib.sha256(canonical(source).encode()).digest()[:16], dtype="<u4").tolist()
    return digest


@dataclass(frozen=True, slots=True)  # a study may have millions
class Cell:
    """One parameter point of a study."""

    study: str  # name
    process: tuple[tuple[str, Any], ...]  # name and parameters of the point process
    rule: str  # name
    dim: float  # inf for the mean-field model
    size: float  # expected number of points of all colors
    intensities: tuple[float, ...]  # expected points of each color per unit volume
    observables: tuple[str, ...]  # names
    replicates: int  # number of independent tori
    block: int  # largest number of replicates in a block
    seed: int  # root seed
    target_rel_se: float | None = None  # relative standard error at which replicates stop being added
    max_replicates: int = 0  # then
    # Number along a side, if a torus is matched in tiles; results do not depend on it. None: the
    # torus is drawn whole, with other points.
    tiles: int | None = None
    geometry: str = Torus.name  # key of SPACES; ignored in the mean-field model
    # Of a window, or the radius of a sphere; (): those of a cube with this size and intensity.
    sides: tuple[float, ...] = ()
    origin: tuple[float, ...] = ()  # lower corner of a window of points from files; (): 0
    wrap: bool = False  # whether points from files that are outside are moved into the torus
    max_distance: float | None = None  # largest distance of a pair
    study_folder: sources.StudyFolder = field(
        default=sources.StudyFolder(), repr=False
    )  # for points from outside the package
    # Values that are computed once.
    _fingerprint: str = field(default="", init=False, repr=False, compare=False)
    _id: str = field(default="", init=False, repr=False, compare=False)
    _stream_key: tuple[int, ...] = field(default=(), init=False, repr=False, compare=False)

    @property
    def process_name(self) -> str:
        """Name of the point process."""
        return str(dict(self.process)["name"])

    @property
    def process_entry(self) -> Process:
        """Registry entry of the point process; nothing is read or imported."""
        return sources.process_named(self.process_name)

    @property
    def rule_entry(self) -> Rule:
        """The rule."""
        return rule_named(self.rule)

    @property
    def volume(self) -> float:
        """Volume of the torus."""
        return volume_of(self.geometry, self.sides) if self.sides else self.size / sum(self.intensities)

    @property
    def side(self) -> float:
        """Shortest side of the torus, or of a square with the area of the sphere; nan for the mean-field model."""
        if self.sides and self.geometry != Sphere.name:
            return min(self.sides)
        return math.nan if is_mean_field(self.dim) else self.volume ** (1 / self.dim)

    @property
    def window(self) -> dict[str, Any]:
        """The window as plain data, under the key `window`; empty for a cube at 0."""
        if not self.sides:
            return {}
        return {"window": {"side": list(self.sides), "origin": list(self.origin), "wrap": self.wrap}}

    @property
    def window_parameters(self) -> dict[str, Any]:
        """What of the window belongs to the process: all for points from files, else the ratios of the sides."""
        if self.origin or self.process_name == sources.FROM_FILES:
            return self.window
        shape = [float(f"{side / self.side:.12g}") for side in self.sides]
        return {"shape": shape} if len(set(shape)) > 1 else {}

    @property
    def limit(self) -> dict[str, float]:
        """The largest distance of a pair as plain data, under the key `max_distance`; empty without one."""
        return {} if self.max_distance is None else {"max_distance": self.max_distance}

    def space(self, table: bool = True) -> Torus | Box | Sphere | MeanField:
        """Return the torus, box or sphere, or the mean-field model with or without a distance table."""
        if is_mean_field(self.dim):
            return MeanField(self.volume, table)
        corner = {"corner": self.origin} if self.origin and self.geometry == Box.name else {}
        return SPACES[self.geometry](self.sides or self.side, int(self.dim), **corner)

    @property
    def ratio(self) -> float:
        """Intensity of color 1 over that of color 0, inf if that is 0; nan for one color."""
        return ratio_of(self.intensities)

    @property
    def reference_color(self) -> int:
        """Color whose unmatched fraction measures the precision: that of the rule if it has one, else the majority."""
        color = self.rule_entry.reference_color
        return max(range(len(self.intensities)), key=self.intensities.__getitem__) if color is None else color

    @property
    def reference_name(self) -> str:
        """Name of the reference color: in the data, or that of the rule."""
        names, color = dict(self.process).get("color_names") or (), self.reference_color
        return str(names[color]) if color < len(names) else self.rule_entry.color_name(color)

    def stream(self, replicate: int) -> np.random.Generator:
        """Return the random generator of a replicate: of points, and then of mean-field distances without a table."""
        key = self._stream_key or self._keep("_stream_key", (*_key(self.source),))  # of seed_sequence
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(*key, replicate)))

    def _keep(self, name: str, value: Any) -> Any:
        object.__setattr__(self, name, value)
        return value

    def pattern(self, replicate: int, rng: np.random.Generator | None = None, *, table: bool = True) -> Pattern:
        """Return the points of a replicate, which depend on seed, process, dimension, size and intensities only.

        rng: generator to draw from, by default a new `stream(replicate)`. table: whether all
        mean-field distances are drawn.
        """
        if self.tiles is not None:
            return self.tiled_points(replicate).pattern()
        process = sources.process_of(dict(self.process), self.study_folder, replicate, self.window.get("window"))
        if process.parts:
            rngs = [
                np.random.default_rng(self._seeds_of_color(color, replicate)) for color in range(len(process.parts))
            ]
            return process.pattern(self.space(), self.size, self.intensities, rngs, **self._parameters)
        rng = self.stream(replicate) if rng is None else rng
        return process.pattern(self.space(table), self.size, self.intensities, rng, **self._parameters)

    def capacity(self, replicate: int) -> np.ndarray | None:
        """Return the capacities of the points of a replicate, if they are in files; None if the rule gives them."""
        return point_files.capacities(self.study_folder.folder, dict(self.process), replicate)

    def _seeds_of_color(self, color: int, replicate: int) -> np.random.SeedSequence:
        """Return the seeds of a color with a process of its own: for color 0 those of a study of this process alone."""
        part, parameters = self.process_entry.of_color(color, **self._parameters)
        intensity = self.intensities[color]
        alone = {
            "process": {"name": part.name, **parameters},
            "size": float(f"{intensity * self.volume:.12g}"),
            "intensities": [intensity],
            **({"color": color} if color else {}),
        }
        return seed_sequence(self.seed, {**self.source, **alone}, replicate)

    @property
    def is_joined(self) -> bool:
        """Whether the points of several replicates can be drawn and matched together."""
        process = PROCESSES.get(self.process_name)
        few = self.size <= MAX_JOINED and self.tiles is None and not is_mean_field(self.dim)
        drawn_together = process is not None and not process.of_this_session
        return few and drawn_together and not self.rule_entry.excludes_by_index and self.max_distance is None

    @property
    def draws_counts_first(self) -> bool:
        """Whether the numbers of points are drawn first, and then uniform points."""
        process = self.process_entry
        return process.draws_counts_first and (process.colored or len(self.intensities) == 1)

    def joined(self, replicates: range, width: int) -> Iterator[range]:
        """Yield replicates in ranges of those that are drawn and matched together.

        width: largest number of partners of a point.
        """
        step = max(1, min(int(JOINED_POINTS / max(self.size, 1)), JOINED_ROWS // width)) if self.is_joined else 1
        for first in range(replicates.start, replicates.stop, step):
            yield range(first, min(first + step, replicates.stop))

    def joined_points(self, replicates: range) -> tuple[Pattern, np.ndarray]:
        """Return the points of replicates of a cell that `is_joined` as one pattern, and the limits of each."""
        if self.draws_counts_first:
            space, process = self.space(), PROCESSES[self.process_name]
            rngs = [self.stream(replicate) for replicate in replicates]
            counts = np.array([process.counts(space, self.size, self.intensities, 1, rng)[:, 0] for rng in rngs])
            colors = np.tile(np.arange(counts.shape[1], dtype=np.uint8), len(rngs)).repeat(counts.ravel())
            pattern, sizes = Pattern._drawn(space.uniform_sets(counts, rngs), colors, space), counts.sum(axis=1)
        else:
            patterns = [self.pattern(replicate) for replicate in replicates]
            pattern, sizes = Pattern._joined(patterns), np.array([len(p) for p in patterns])
        return pattern, np.append(0, np.cumsum(sizes))

    def tiled_points(self, replicate: int) -> TiledPoints:
        """Return the points of one replicate, tile by tile, for a cell with tiles."""
        torus, seeds = self.space(), seed_sequence(self.seed, self.source, replicate)
        assert isinstance(torus, Torus | Box)
        return TiledPoints.drawn(self.process_entry, torus, self.size, self.intensities, seeds)

    @property
    def points_held(self) -> float:
        """Expected number of points held in memory while a replicate is drawn.

        Raises BadInput if the process cannot be drawn.
        """
        return self.process_entry.held(self.space(), self.size, self.intensities, **self._parameters)

    @property
    def _parameters(self) -> dict[str, Any]:
        """Parameters of the point process."""
        return {key: value for key, value in self.process if key not in ("name", "digest")}

    @property
    def source(self) -> dict[str, Any]:
        """Parameters that determine the points, except the seed; not the rule, so all rules see the same points."""
        return {
            "process": dict(self.process),
            "dim": self.dim,
            "size": self.size,
            "intensities": list(self.intensities),
            **({} if self.geometry == Torus.name else {"geometry": self.geometry}),
            **self.window,
            **({} if self.tiles is None else {"tiles": True}),  # results do not depend on their number
        }

    @property
    def fingerprint(self) -> str:
        """A digest of all that the results of the cell depend on, except the code."""
        if self._fingerprint:
            return self._fingerprint
        depends = {**self.source, "rule": self.rule, "observables": sorted(self.observables), "seed": self.seed}
        depends |= self.limit
        return str(self._keep("_fingerprint", fingerprint(depends)))

    @property
    def id(self) -> str:
        """A readable name, also of files: dimension, size, ratio, largest distance and fingerprint."""
        if self._id:
            return self._id
        ratio = f"-r{self.ratio:.4g}" if len(self.intensities) > 1 else ""
        limit = "" if self.max_distance is None else f"-m{self.max_distance:.4g}"
        name = f"d{self.dim:g}-n{self.size:.6g}{ratio}{limit}-{self.fingerprint}"
        return str(self._keep("_id", name.replace("+", "")))

    @property
    def record(self) -> dict[str, Any]:
        """Parameters that determine a replicate, as plain JSON, without the numbers of replicates and blocks."""
        return {
            "study": self.study,
            "id": self.id,
            "fingerprint": self.fingerprint,
            "seed": self.seed,
            **self.source,
            **self.limit,
            "dim": "inf" if is_mean_field(self.dim) else self.dim,
            "rule": self.rule,
            "observables": list(self.observables),
        }

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Cell:
        """Return the cell of a record, with 0 replicates.

        Raises ValueError, KeyError or TypeError if the record is invalid.
        """
        window = record.get("window", {})
        cell = cls(
            study=record["study"],
            process=tuple(sorted((k, tuple(v) if isinstance(v, list) else v) for k, v in record["process"].items())),
            rule=record["rule"],
            dim=math.inf if record["dim"] == "inf" else record["dim"],
            size=record["size"],
            intensities=tuple(record["intensities"]),
            observables=tuple(record["observables"]),
            replicates=0,
            block=1,
            seed=record["seed"],
            geometry=record.get("geometry", Torus.name),
            tiles=few_tiles(record["dim"], record["size"]) if record.get("tiles") else None,
            sides=tuple(window.get("side", ())),
            origin=tuple(window.get("origin", ())),
            wrap=window.get("wrap", False),
            max_distance=record.get("max_distance"),
        )
        if (cell.id, cell.fingerprint) != (record["id"], record["fingerprint"]):
            raise ValueError(f"the record of the cell {record['id']} is inconsistent")
        return cell

    def blocks(self, first: int = 0, end: int | None = None) -> Iterator[Block]:
        """Yield the blocks of the replicates first <= k < end, by default of all."""
        end = self.replicates if end is None else end
        for start in range(first, end, self.block):
            yield Block(self, start, min(start + self.block, end))


@dataclass(frozen=True, slots=True)  # a study may have millions
class Block:
    """The replicates first <= k < end of a cell, made by one job and stored as a row group of each table."""

    cell: Cell
    first: int
    end: int

    def __str__(self) -> str:
        """Return its study, cell and replicates."""
        return f"{self.cell.study}/{self.cell.id}: replicates {self.first} to {self.end - 1}"

    @property
    def key(self) -> BlockKey:
        """Study, name of the cell, first and end, which identify the block."""
        return self.cell.study, self.cell.id, self.first, self.end

    @property
    def replicates(self) -> range:
        """Numbers of its replicates."""
        return range(self.first, self.end)
