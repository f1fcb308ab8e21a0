"""What the rules of Snakemake ask: the files of a study, the batches of its missing blocks, and what is out of date.

Snakemake compares the times of files. Before it does, `Workflow.prepare` compares results with the
study file and the installed code by their manifests. For each stage it writes a request, an input
of the rule of the stage, which states what is out of date, and why. It is newer than the outputs of
the stage if some of them are out of date, and older otherwise.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from .. import studies
from ..studies import plan
from ..studies.cost import JOB_MINUTES
from ..tables.estimate_tables import TABLES
from ..utils.errors import BadInput, nearest
from . import batches, provenance, runs, up_to_date
from .atomic_files import MANIFEST, read_json, to_json, write_atomically
from .blocks import results_folder

LONG_AGO = (1.0, 1.0)  # time of a file that is older than any result

# The keys of `snakemake --config` and their defaults. Those of games, with games_ before them, are
# for rules/games.smk.
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
    """A study file for the rules. config: that of Snakemake; minutes: length of a job; cores: to be kept busy.

    Raises BadInput for a config or a study file that is not valid, or that asks for too much.
    """

    def __init__(self, config: Mapping[str, Any], *, minutes: Any = None, cores: int | None = None) -> None:
        found = configured(config)
        self.study_file = found["study"]
        self.folder = results_folder(self.study_file, found["results"])
        self.state = self.folder / runs.STATE
        self.games = {key: str(found[f"games_{key}"]) for key in GAMES}
        self._import = found["allow_import"]
        self.minutes, self.cores = _minutes(JOB_MINUTES if minutes is None else minutes), cores or 1
        self.file = studies.load(self.study_file, allow_import=self._import)
        if not found["allow_large"]:
            plan.count(self.file).refuse_if_large(self.study_file)

    # ---- the files of the rules ----

    @property
    def tables(self) -> list[str]:
        """All tables and their manifest."""
        return [str(self.folder / name) for name in (*(f"{name}.parquet" for name in TABLES), MANIFEST)]

    @property
    def figures(self) -> dict[str, str]:
        """The files of all figures and their manifest, each with the caption that it has in a report ("" for none)."""
        folder = self.folder / up_to_date.FIGURES
        found = {
            str(folder / file): "" if file.endswith(up_to_date.CAPTION) else str(folder / f"{name}{up_to_date.CAPTION}")
            for name in self.file.figures
            for file in sorted(up_to_date.figure_files(self.file, name))
        }
        return found | {str(folder / MANIFEST): ""} if found else {}

    @property
    def report(self) -> list[str]:
        """The report and its manifest."""
        return [str(self.folder / name) for name in (up_to_date.REPORT, up_to_date.PAGES)]

    def request(self, stage: str) -> str:
        """Return the file that states what of a stage is out of date, and why."""
        return str(self.state / f"{stage}.json")

    def games_request(self, table: str, *keys: str) -> str:
        """Return the file with the settings and the code of a table of games; it is written if they change, so that the table is made again."""
        path = self.folder.parent / "games" / "asked" / f"{table}.json"
        data = to_json({key: self.games[key] for key in keys} | {"code": provenance.code_digest("game-tables")})
        if not path.is_file() or path.read_bytes() != data:
            write_atomically(path, data)
        return str(path)

    def unknown(self, target: str) -> str:
        """Return a message for a target that looks like a result of the study, but is none; "" for others."""
        known = [*self.tables, *self.figures, *self.report]
        path, folder, state = (os.path.normpath(str(place)) for place in (target, self.folder, self.state))
        if not path.startswith(folder + os.sep) or path.startswith(state) or path in map(os.path.normpath, known):
            return ""
        return f"{target}: no result of {self.study_file}{nearest(path, known) or '; try --list-rules or --summary'}"

    # ---- batches ----

    @property
    def has_targets(self) -> bool:
        """Whether a study asks for more replicates until its error is small enough."""
        return any(study.target_rel_se is not None for study in self.file.studies.values())

    def batches(self, rounds: int | None, wait_for_round: Callable[[int], Any]) -> list[str]:
        """Return the markers of all batches of the first rounds, by default of all rounds."""
        found: list[str] = []
        for round in count() if rounds is None else range(rounds):
            if round > 0:
                wait_for_round(round)
            number = len(batches.read_round(self.state, round))
            found += [str(self.state / batches.SIMULATE / f"{round}-{k}.done") for k in range(number)]
            if not number or (rounds is None and not self.has_targets):
                break
        return found

    def asks(self, round: int | str, number: int | str, what: str) -> int:
        """Return how much of something (`memory_mb`, `minutes`) the job of a batch asks for."""
        return batches.read_round(self.state, int(round))[int(number)][what]

    # ---- what is out of date ----

    @property
    def is_planned(self) -> bool:
        """Whether a run of the folder has been planned."""
        return batches.round_file(self.state, 0).exists()

    def prepare(self) -> dict[str, dict[str, str]]:
        """Plan the missing blocks and write the requests: for each stage to be run what is out of date, and why.

        Raises Busy if another run is at work in the folder, BadInput if missing blocks need an
        import that is not allowed, IntegrityError if a table is damaged.
        """
        with runs.locked(self.folder):
            late = self._out_of_date()
            for path in map(Path, (*self.tables, *self.figures, *self.report)):
                if path.exists() and path.stat().st_mtime > time.time():  # the clock was set back
                    os.utime(path)
            for stage in ("aggregate", "draw", "report"):
                self._write_request(stage, late[stage])
        return {stage: why for stage, why in late.items() if why}

    def request_all_figures(self) -> None:
        """Request that all figures are drawn, whether or not they are out of date."""
        self._write_request("draw", dict.fromkeys(self.file.figures, "requested"))

    def _write_request(self, stage: str, why: dict[str, str]) -> None:
        """Write what of a stage is out of date; a request without a reason is older than any result."""
        path = Path(self.request(stage))
        write_atomically(path, to_json({"out_of_date": why, "time": time.time()}))
        if not why:
            os.utime(path, LONG_AGO)

    def _out_of_date(self) -> dict[str, dict[str, str]]:
        """Plan the missing blocks; return what is out of date. The results of a stage after one that is to be run are not examined."""
        found = batches.deal(batches.missing(self.file, self.folder), self.minutes, self.cores)
        if found and not self._import and (lines := [*studies.imports(self.file)]):
            raise BadInput("\n".join(f"{self.study_file}: {line}" for line in lines))
        if found or not self.is_planned:
            batches.begin(self.state, self.file, found, minutes=self.minutes, cores=self.cores)
        late: dict[str, dict[str, str]] = {"simulate": {}, "aggregate": {}, "draw": {}, "report": {}}
        if found:
            late["simulate"] = {"blocks": f"{sum(len(batch.pieces) for batch in found)} missing"}
        for problem in up_to_date.tables(self.file, self.folder):
            late["aggregate"][problem.path.name] = problem.detail or problem.kind
        if not found and not late["aggregate"]:
            for path in (self.state / batches.SIMULATE).iterdir():
                os.utime(path, LONG_AGO)
            listed = read_json(self.folder / MANIFEST)["sha256"]
            late["draw"] = up_to_date.figures(self.file, self.folder, listed)
            if not late["draw"] and (why := up_to_date.report(self.file, self.folder, listed)):
                late["report"] = {up_to_date.REPORT: why}
        return late


def _minutes(word: Any) -> float:
    """Return the length of a job in minutes, as given by a profile."""
    try:
        if 0 < (minutes := float(word)) < math.inf:
            return minutes
    except (TypeError, ValueError):
        pass
    raise BadInput(f"job_minutes: {word!r} is not a number of minutes")
