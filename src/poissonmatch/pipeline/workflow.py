"""What the rules of Snakemake ask: which files a study file makes, and what a job needs. Nothing random happens here."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from .. import studies
from ..cells import Block, Cell, fingerprint
from ..errors import BadInput, nearest
from ..figures.kinds import KINDS, SUFFIXES
from ..figures.pages import PAGES
from ..rules import rule_named
from ..statistics.tables import TABLES
from ..studies import cost, plan
from .blocks import manifest_path, results_folder
from .files import MANIFEST
from .targets import with_rounds

# What `snakemake --config` may say, and what holds where it says nothing. The games are those of rules/games.smk.
CONFIG = {"study": "config/quick.yaml", "results": "results", "allow_large": False}
GAMES = {"k": "0..3", "a": "1..4", "b": "1..8", "memory": "4GB", "minutes": 10, "squares": 14, "total": 180}


def configured(config: Mapping[str, Any]) -> dict[str, Any]:
    """CONFIG and GAMES (with games_ before its keys) as Snakemake's config changes them.

    Raises BadInput for a key that is none of them, or a value of another type.
    """
    found = CONFIG | {f"games_{key}": default for key, default in GAMES.items()}
    for key, value in config.items():
        said = f"--config {key}={value}"[:200]
        if key not in found:
            raise BadInput(f"{said}: unknown key {key[:80]!r}{nearest(key, found)}")
        if key == "allow_large":
            if str(value).lower() not in ("true", "false"):
                raise BadInput(f"{said}: must be true or false")
            value = str(value).lower() == "true"
        elif not isinstance(value, str) and (key in CONFIG or isinstance(value, bool | list | dict) or value is None):
            raise BadInput(f"{said}: must be text, and Snakemake reads it as {type(value).__name__}")
        found[key] = value
    return found


class Workflow:
    """A study file as the rules see it. config: that of Snakemake.

    Raises BadInput for a config that cannot be used, or a study file, or one that asks for too much.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        found = configured(config)
        self.study_file = found["study"]
        self.file = studies.load(self.study_file)
        if not found["allow_large"]:
            plan.count(self.file).refuse_if_large(self.study_file)
        self.folder = results_folder(self.study_file, found["results"])
        self.games = {key: str(found[f"games_{key}"]) for key in GAMES}
        self.results = str(self.folder)
        self.cells: dict[tuple[str, str], Cell] = {(c.study, c.id): c for c in studies.cells(self.file)}

    # ---- files ----

    @property
    def tables(self) -> list[str]:
        """The tables of the results."""
        return [str(self.folder / f"{name}.parquet") for name in TABLES]

    @property
    def manifest(self) -> str:
        """The manifest of the tables."""
        return str(self.folder / MANIFEST)

    @property
    def figures(self) -> list[str]:
        """The files of all figures."""
        return [str(self.folder / "figures" / f"{name}{suffix}") for name in self.file.figures for suffix in SUFFIXES]

    @property
    def drawn_from(self) -> list[str]:
        """The tables that figures are drawn from."""
        return [str(self.folder / f"{table}.parquet") for table in sorted({kind.table for kind in KINDS.values()})]

    @property
    def pages(self) -> list[str]:
        """The pages of the report."""
        return [str(self.folder / "report" / f"{name}.html") for name in PAGES]

    def manifests(self, cells: Iterable[Cell]) -> list[str]:
        """The manifests of all blocks of these cells."""
        return [str(manifest_path(self.folder, block)) for cell in cells for block in cell.blocks()]

    @property
    def has_targets(self) -> bool:
        """Does a study ask for more replicates until its error is small enough?"""
        return any(study.target_rel_se is not None for study in self.file.studies.values())

    def of_study(self, name: str) -> list[Cell]:
        """The cells of one study."""
        return [cell for cell in self.cells.values() if cell.study == name]

    def blocks_of_round(self, study: str, round: int, judgement: Callable[[str, int], str]) -> list[str]:
        """The manifests that are there when round `round` of a study is judged; judgement: the file of an earlier round."""
        return self.manifests(self._judged(study, judgement(study, round - 1))[1] if round else self.of_study(study))

    def all_blocks(self, judgement: Callable[[str, int], str]) -> list[str]:
        """The manifests that are there when all rounds of all studies are done."""
        found = []
        for name, study in self.file.studies.items():
            cells, done, round = self.of_study(name), study.target_rel_se is None, 0
            while not done:
                done, cells = self._judged(name, judgement(name, round))
                round += 1
            found += self.manifests(cells)
        return found

    def _judged(self, study: str, path: str) -> tuple[bool, list[Cell]]:
        """Are the cells of a study done, by the file that `assess` wrote, and the cells with the replicates they need."""
        found = json.loads(Path(path).read_bytes())
        return found["done"], [with_rounds(cell, found["replicates"][cell.id]) for cell in self.of_study(study)]

    # ---- what a job needs, and what it depends on ----

    def block(self, study: str, cell: str, block: str) -> Block:
        """The block of these wildcards."""
        first, end = (int(k) for k in block.split("-"))
        return Block(self.cells[study, cell], first, end)

    def memory_mb(self, block: Block) -> int:
        """Memory that the job of a block asks for."""
        cell = block.cell
        job = cost.job_bytes(
            cell.dim, cell.size, rule_named(cell.rule), cell.observables, len(block.replicates), cell.points_held
        )
        return round(job / 1e6)

    def minutes(self, block: Block) -> int:
        """Time that the job of a block asks for."""
        cell = block.cell
        seconds = cost.seconds_per_replicate(cell.dim, cell.size, rule_named(cell.rule))
        return math.ceil(5 + 4 * len(block.replicates) * seconds / 60)

    @property
    def cells_fingerprint(self) -> str:
        """Changes with the cells and their replicates."""
        return fingerprint([[c.study, c.id, c.replicates] for c in self.cells.values()])

    def study_fingerprint(self, name: str) -> str:
        """Changes with what one study says, but not with how its work is cut."""
        return fingerprint(self.file.studies[name].model_dump(mode="json", by_alias=True, exclude={"block"}))

    def figure_fingerprint(self, name: str) -> str:
        """Changes with what the study file says of a figure."""
        return fingerprint(self.file.figures[name].model_dump(mode="json"))

    # ---- the report ----

    def caption(self, name: str) -> str:
        """The caption of a figure as reStructuredText, in which some characters have a meaning."""
        path = self.folder / "figures" / f"{name}.txt"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        return re.sub(r"([\\*`_|])", r"\\\1", text)

    def shelf(self, name: str) -> str:
        """Where the report shows a figure: under its studies, in words short enough for the side bar."""
        names = self.file.figures[name].studies
        more = [f"and {len(names) - 3} more"] if len(names) > 3 else []
        return ", ".join(names[:3] + more)
