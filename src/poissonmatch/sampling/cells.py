"""Cells and blocks: one parameter point of a study, and the replicates of it that are made together.

Both travel whole. What a cell's numbers depend on, its random streams and its names are told here and nowhere else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..points.geometry import SPACES, Cuboid, MeanField, Torus
from ..points.pattern import Pattern
from ..points.tiled import TiledPoints, counting_stream, few_tiles, fine_tiles
from ..rules.catalogue import rule_named
from ..utils.fingerprint import fingerprint
from . import sources
from .seeds import seed_sequence

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")  # of a study or a figure


@dataclass(frozen=True)
class Cell:
    """One parameter point of a study.

    process: name and parameters. dim: inf stands for the mean-field model. size: expected number of points, all colors.
    intensities: of each color, expected points per unit volume. replicates: independent tori, made in blocks of at most `block`.
    tiles: parts of the side in which a torus is made, so that it need not fit into memory; None: whole, with points of their own. The
    points, and what is measured, are the same for any number of tiles.
    geometry: a key of SPACES, not asked for in the mean-field model.
    place: where the study lies, and what it may import; needed to draw points from elsewhere, and no part of what the cell is.
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
    tiles: int | None = None
    geometry: str = Torus.name
    place: sources.Place = field(default=sources.Place(), repr=False)

    @property
    def process_name(self) -> str:
        """Name of the process, without its parameters."""
        return str(dict(self.process)["name"])

    @property
    def volume(self) -> float:
        """Volume of the torus."""
        return self.size / sum(self.intensities)

    @property
    def side(self) -> float:
        """Side of the torus; nan for the mean-field model."""
        return math.nan if self.dim == math.inf else self.volume ** (1 / self.dim)

    def space(self, table: bool = True) -> Cuboid | MeanField:
        """The torus or another space, or the mean-field model, with or without a table."""
        return (
            MeanField(self.volume, table) if self.dim == math.inf else SPACES[self.geometry](self.side, int(self.dim))
        )

    @property
    def ratio(self) -> float:
        """Intensity of color 1 over that of color 0, inf if that is 0; nan if there is one color only."""
        if len(self.intensities) == 1:
            return math.nan
        return self.intensities[1] / self.intensities[0] if self.intensities[0] else math.inf

    @property
    def reference_color(self) -> int:
        """The color whose unmatched points measure the precision of the cell: that of its rule, else the majority."""
        color = rule_named(self.rule).reference_color
        return max(range(len(self.intensities)), key=self.intensities.__getitem__) if color is None else color

    def stream(self, replicate: int) -> np.random.Generator:
        """The randomness of one replicate: first of its points, then of the distances of a mean-field pattern without a table."""
        return np.random.default_rng(seed_sequence(self.seed, self.source, replicate))

    def pattern(self, replicate: int, rng: np.random.Generator | None = None, *, table: bool = True) -> Pattern:
        """The points of one replicate: a function of seed, process, dimension, size, intensities and replicate only.

        rng: its stream. table: in the mean-field model, draw all distances.
        """
        if self.tiles is not None:
            return self.tiled_points(replicate).pattern()
        rng = self.stream(replicate) if rng is None else rng
        process = sources.process_of(dict(self.process), self.place, replicate)
        return process.pattern(self.space(table), self.size, self.intensities, rng, **self._parameters)

    def tiled_points(self, replicate: int) -> TiledPoints:
        """The points of one replicate, tile by tile: for cells with tiles."""
        torus, seeds = self.space(), seed_sequence(self.seed, self.source, replicate)
        assert not isinstance(torus, MeanField)
        parts = fine_tiles(torus.dim, self.size) ** torus.dim
        counts = sources.known(self.process_name).counts(
            torus, self.size, self.intensities, parts, counting_stream(seeds)
        )
        return TiledPoints(torus, seeds, counts)

    @property
    def points_held(self) -> float:
        """Expected number of points that are held at once while a replicate is drawn. Raises BadInput where there is none such."""
        process = sources.known(self.process_name)
        return process.held(self.space(), self.size, self.intensities, **self._parameters)

    @property
    def _parameters(self) -> dict[str, Any]:
        """The process's own parameters."""
        return sources.parameters(dict(self.process))

    @property
    def source(self) -> dict[str, Any]:
        """What the points depend on, beside the seed: not the rule, so that all rules see the same points."""
        return {
            "process": dict(self.process),
            "dim": self.dim,
            "size": self.size,
            "intensities": list(self.intensities),
            **({} if self.geometry == Torus.name else {"geometry": self.geometry}),
            **({} if self.tiles is None else {"tiles": True}),  # not how many: they change nothing
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
        )
        if cell.id != record["id"] or not NAME.fullmatch(cell.study) or cell.geometry not in SPACES:
            raise ValueError(f"the record of the cell {record['id']} is not right")
        return cell

    def blocks(self, first: int = 0, end: int | None = None) -> Iterator[Block]:
        """Blocks in which the replicates first <= k < end are made, all by default."""
        end = self.replicates if end is None else end
        for start in range(first, end, self.block):
            yield Block(self, start, min(start + self.block, end))


@dataclass(frozen=True)
class Block:
    """The replicates first <= k < end of a cell, made by one job into one set of files."""

    cell: Cell
    first: int
    end: int

    @property
    def name(self) -> str:
        """What its files are called, without their endings."""
        return f"{self.first:06d}-{self.end:06d}"

    @property
    def replicates(self) -> range:
        """The numbers of its replicates."""
        return range(self.first, self.end)

    @property
    def record(self) -> dict[str, Any]:
        """The block as plain JSON; its cell's record is all of the cell that counts."""
        return {"cell": self.cell.record, "first": self.first, "end": self.end}

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Block:
        """The block of a record. Raises ValueError, KeyError or TypeError if it is no such record."""
        return cls(Cell.of_record(record["cell"]), int(record["first"]), int(record["end"]))
