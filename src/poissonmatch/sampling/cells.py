"""Cells and blocks: one parameter point of a study, and the replicates of it that one job makes.

The dependencies of a cell's results, its random streams and its names are defined here only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..points.geometry import MeanField, Torus
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

    Parameters
    ----------
    study : str
        Name of the study.
    process : tuple of pairs
        Name and parameters of the point process.
    rule : str
        Name of the rule.
    dim : float
        Dimension; `inf` is the mean-field model.
    size : float
        Expected number of points of all colors.
    intensities : tuple of float
        Expected points per unit volume, for each color.
    observables : tuple of str
        Names of the observables.
    replicates, block : int
        Number of independent tori, and the largest number of them in a block.
    seed : int
        Root seed.
    target_rel_se : float, optional
        Relative standard error at which replicates stop being added.
    max_replicates : int, optional
        Bound of their number then.
    tiles : int, optional
        Number of tiles along a side, in which a torus is matched if it does not fit into memory; results do not depend on it. By
        default the torus is drawn whole, with other points than in tiles.
    place : Place, optional
        Folder of the study and permission to import, needed for points from outside the package; ignored in comparisons.
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
    place: sources.Place = field(default=sources.Place(), repr=False)

    @property
    def process_name(self) -> str:
        """Name of the point process."""
        return str(dict(self.process)["name"])

    @property
    def volume(self) -> float:
        """Volume of the torus."""
        return self.size / sum(self.intensities)

    @property
    def side(self) -> float:
        """Side of the torus; nan for the mean-field model."""
        return math.nan if self.dim == math.inf else self.volume ** (1 / self.dim)

    def space(self, table: bool = True) -> Torus | MeanField:
        """Return the torus, or the mean-field model with or without a distance table."""
        return MeanField(self.volume, table) if self.dim == math.inf else Torus(self.side, int(self.dim))

    @property
    def ratio(self) -> float:
        """Intensity of color 1 over that of color 0, inf if that is 0; nan for one color."""
        if len(self.intensities) == 1:
            return math.nan
        return self.intensities[1] / self.intensities[0] if self.intensities[0] else math.inf

    @property
    def reference_color(self) -> int:
        """The color whose unmatched fraction measures the precision of the cell: that of the rule, else the majority."""
        color = rule_named(self.rule).reference_color
        return max(range(len(self.intensities)), key=self.intensities.__getitem__) if color is None else color

    def stream(self, replicate: int) -> np.random.Generator:
        """Return the random generator of one replicate, for its points and then for mean-field distances without a table."""
        return np.random.default_rng(seed_sequence(self.seed, self.source, replicate))

    def pattern(self, replicate: int, rng: np.random.Generator | None = None, *, table: bool = True) -> Pattern:
        """Return the points of one replicate, determined by seed, process, dimension, size, intensities and replicate.

        Parameters
        ----------
        replicate : int
            Number of the replicate, from 0.
        rng : Generator, optional
            Generator to draw from, by default a new `stream(replicate)`.
        table : bool, optional
            Whether all mean-field distances are drawn.
        """
        if self.tiles is not None:
            return self.tiled_points(replicate).pattern()
        rng = self.stream(replicate) if rng is None else rng
        process = sources.process_of(dict(self.process), self.place, replicate)
        return process.pattern(self.space(table), self.size, self.intensities, rng, **self._parameters)

    def tiled_points(self, replicate: int) -> TiledPoints:
        """Return the points of one replicate, tile by tile, for a cell with tiles."""
        torus, seeds = self.space(), seed_sequence(self.seed, self.source, replicate)
        assert isinstance(torus, Torus)
        parts = fine_tiles(torus.dim, self.size) ** torus.dim
        counts = sources.named(self.process_name).counts(
            torus, self.size, self.intensities, parts, counting_stream(seeds)
        )
        return TiledPoints(torus, seeds, counts)

    @property
    def points_held(self) -> float:
        """Expected number of points held in memory while a replicate is drawn; BadInput if the process cannot be drawn."""
        process = sources.named(self.process_name)
        return process.held(self.space(), self.size, self.intensities, **self._parameters)

    @property
    def _parameters(self) -> dict[str, Any]:
        """Parameters of the point process."""
        return sources.parameters(dict(self.process))

    @property
    def source(self) -> dict[str, Any]:
        """The parameters that determine the points, except the seed; not the rule, so that all rules see the same points."""
        return {
            "process": dict(self.process),
            "dim": self.dim,
            "size": self.size,
            "intensities": list(self.intensities),
            **({} if self.tiles is None else {"tiles": True}),  # results do not depend on their number
        }

    @property
    def fingerprint(self) -> str:
        """A digest of all that the results of the cell depend on, except the code."""
        return fingerprint(
            {**self.source, "rule": self.rule, "observables": sorted(self.observables), "seed": self.seed}
        )

    @property
    def id(self) -> str:
        """A readable name, also of files: dimension, size, ratio and fingerprint."""
        ratio = f"-r{self.ratio:.4g}" if len(self.intensities) > 1 else ""
        return f"d{self.dim:g}-n{self.size:.6g}{ratio}-{self.fingerprint}".replace("+", "")

    @property
    def record(self) -> dict[str, Any]:
        """The parameters that determine a replicate, as plain JSON; not the number of replicates and blocks."""
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
        """Return the cell of a record, with 0 replicates.

        Raises ValueError, KeyError or TypeError if the record is invalid.
        """
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
            tiles=few_tiles(record["dim"], record["size"]) if record.get("tiles") else None,
        )
        if cell.id != record["id"] or not NAME.fullmatch(cell.study):
            raise ValueError(f"the record of the cell {record['id']} is inconsistent")
        return cell

    def blocks(self, first: int = 0, end: int | None = None) -> Iterator[Block]:
        """Yield the blocks of the replicates first <= k < end, by default of all."""
        end = self.replicates if end is None else end
        for start in range(first, end, self.block):
            yield Block(self, start, min(start + self.block, end))


@dataclass(frozen=True)
class Block:
    """The replicates first <= k < end of a cell, made by one job and stored in one set of files."""

    cell: Cell
    first: int
    end: int

    @property
    def name(self) -> str:
        """Name of its files, without suffix."""
        return f"{self.first:06d}-{self.end:06d}"

    @property
    def replicates(self) -> range:
        """Numbers of its replicates."""
        return range(self.first, self.end)

    @property
    def record(self) -> dict[str, Any]:
        """The block as plain JSON."""
        return {"cell": self.cell.record, "first": self.first, "end": self.end}

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Block:
        """Return the block of a record.

        Raises ValueError, KeyError or TypeError if the record is invalid.
        """
        return cls(Cell.of_record(record["cell"]), int(record["first"]), int(record["end"]))
