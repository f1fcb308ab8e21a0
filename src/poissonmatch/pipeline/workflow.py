"""Decisions for the rules of Snakemake: the jobs that a study file needs now, and the resources of each.

Every decision is made from what lies on disk, not from what Snakemake remembers: the files of its rules are marks below the folder
of this run, which say that a job is done and nothing more. So nothing that is finished can be removed or taken for another.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from .. import studies
from ..studies import plan
from ..utils.errors import BadInput, nearest
from . import batches, provenance, runs, up_to_date
from .atomic_files import MANIFEST, read_json, to_json, write_atomically
from .blocks import results_folder

JOB_MINUTES = 0.5  # of work in one job, if the profile says nothing
MAX_ROUNDS = 1000  # far more than it takes to grow from 8 to any number of replicates

# What `snakemake --config` may say, and what holds where it says nothing. The games are those of rules/games.smk.
CONFIG = {"study": "config/quick.yaml", "results": "results", "allow_large": False, "allow_import": False}
GAMES = {"k": "0..3", "a": "1..4", "b": "1..8", "memory": "4GB", "minutes": 10, "squares": 14, "total": 180}


def configured(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return CONFIG and GAMES (with games_ before its keys) as changed by Snakemake's config.

    Raises BadInput for a key that is none of them, or a value of another type.
    """
    found = CONFIG | {f"games_{key}": default for key, default in GAMES.items()}
    for key, value in config.items():
        said = f"--config {key}={value}"[:200]
        if key not in found:
            raise BadInput(f"{said}: unknown key {key[:80]!r}{nearest(key, found)}")
        if isinstance(CONFIG.get(key), bool):
            if str(value).lower() not in ("true", "false"):
                raise BadInput(f"{said}: must be true or false")
            value = str(value).lower() == "true"
        elif not isinstance(value, str) and (key in CONFIG or isinstance(value, bool | list | dict) or value is None):
            raise BadInput(f"{said}: must be text, and Snakemake reads it as {type(value).__name__}")
        found[key] = value
    return found


class Workflow:
    """Study file as the rules see it. config: that of Snakemake.

    minutes: length of a job; cores: that are to be kept busy. Raises BadInput for a config or a study file that cannot be used,
    or one that asks for too much, and IntegrityError for tables that are damaged.
    """

    def __init__(self, config: Mapping[str, Any], *, minutes: Any = None, cores: int | None = None) -> None:
        found = configured(config)
        self.study_file = found["study"]
        self.folder = results_folder(self.study_file, found["results"])
        self.games = {key: str(found[f"games_{key}"]) for key in GAMES}
        self.run = secrets.token_hex(4)
        self._large, self._import = found["allow_large"], found["allow_import"]
        self.minutes, self.cores = _minutes(JOB_MINUTES if minutes is None else minutes), cores or 1

    @cached_property
    def file(self) -> studies.StudyFile:
        """The study file."""
        file = studies.load(self.study_file, allow_import=self._import)
        if not self._large:
            plan.count(file).refuse_if_large(self.study_file)
        return file

    def begin(self) -> None:
        """Take the lock of the results folder, and write down what the jobs are to do. Raises Busy, or OSError."""
        runs.lock(self.folder)
        batches.begin(self.folder, self.run, self.file)
        batches.write_round(self.folder / runs.RUNS / self.run, 0, self.first_round)

    def asked(self, table: str, *keys: str) -> str:
        """Return a file with the request for a table of games and the code; rewritten on changes, so that the table is made again."""
        path = self.folder.parent / "games" / "asked" / f"{table}.json"
        data = to_json({key: self.games[key] for key in keys} | {"code": provenance.code_digest("game-tables")})
        if not path.is_file() or path.read_bytes() != data:
            write_atomically(path, data)
        return str(path)

    # ---- what there is to do ----

    @cached_property
    def first_round(self) -> list[batches.Batch]:
        """Batches of the blocks that are missing now. Raises BadInput if they need an import that is not allowed."""
        found = batches.deal(batches.missing(self.file, self.folder), self.minutes, self.cores)
        if found and not self._import and (lines := list(studies.imports(self.file))):
            raise BadInput("\n".join(f"{self.study_file}: {line}" for line in lines))
        return found

    @cached_property
    def finishes(self) -> bool:
        """Whether tables, figures or the report are to be made."""
        if self.first_round or up_to_date.tables(self.file, self.folder):
            return True
        listed = read_json(self.folder / MANIFEST)["sha256"]
        return bool(up_to_date.figures(self.file, self.folder, listed)) or not up_to_date.has_report(
            self.folder / up_to_date.REPORT, up_to_date.report_key(self.file, self.folder, listed)
        )

    @property
    def has_targets(self) -> bool:
        """Whether a study has a target of its relative error."""
        return any(study.target_rel_se is not None for study in self.file.studies.values())

    @property
    def goals(self) -> list[str]:
        """Marks of the last jobs of a run; none if there is nothing to do."""
        return [self.mark(self.run, "finish")] if self.finishes else []

    # ---- the files of a run ----

    def mark(self, run: str, name: str) -> str:
        """Return the file that marks a job of a run as done."""
        return str(self.folder / runs.RUNS / run / f"{name}.done")

    def listing(self, run: str, round: int | str, number: int | str | None = None) -> str:
        """Return the file that lists the work of a batch, or the requests of all batches of a round."""
        return str(self.folder / runs.RUNS / run / (f"{round}.json" if number is None else f"{round}-{number}.json"))

    def made(self, run: str, rounds: int | None, wait_for_round: Callable[[int], Any]) -> list[str]:
        """Return the marks of all batches of the first `rounds` rounds, by default of all; wait_for_round: waits for a later round."""
        found: list[str] = []
        for round in range(rounds) if rounds is not None else range(MAX_ROUNDS):
            if round > 0:
                wait_for_round(round)
            number = len(self._asks(run, round))
            found += [self.mark(run, f"{round}-{k}") for k in range(number)]
            if not number or (rounds is None and not self.has_targets):
                break
        return found

    def makes_blocks(self, run: str) -> bool:
        """Return whether a run makes blocks, so that its tables are to be made again."""
        return bool(self._asks(run, 0))

    def asks(self, run: str, round: int | str, number: int | str, what: str) -> int:
        """Return the amount of a resource (`memory_mb`, `minutes`) that the job of a batch asks for."""
        return self._asks(run, int(round))[int(number)][what]

    def _asks(self, run: str, round: int) -> list[dict[str, int]]:
        if round == 0 and run == self.run:
            return [batch.asks for batch in self.first_round]
        return batches.read_round(self.folder / runs.RUNS / run, round)


def _minutes(word: Any) -> float:
    """Return the length of a job in minutes, as given by a profile."""
    try:
        if 0 < (minutes := float(word)) < math.inf:
            return minutes
    except (TypeError, ValueError):
        pass
    raise BadInput(f"job_minutes: {word!r} is not a number of minutes")
