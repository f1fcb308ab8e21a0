"""What the rules of Snakemake ask: the files of a study, the batches of a plan, and what is out of date.

Snakemake compares the times of files, which say nothing after a copy. `Workflow.out_of_date` compares
results with the study file and the installed code by their manifests, and writes nothing. What is
out of date is added to the files that Snakemake is forced to make; the inputs of everything else
are `ancient`, so that their times do not matter.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from ...utils.errors import BadInput, nearest
from ...utils.libraries import entry_points
from ...utils.manifests import MANIFEST, read_json, to_json
from .. import study_files
from ..results import STATE, up_to_date
from ..results.batch_files import BLOCKS, manifest_path, read_manifest, table_path
from ..results.results import Results, results_folder
from ..results.store import Store, unpacked
from ..study_files import cost, plan
from ..tables.tables import BLOCK_TABLES
from . import batches

# The keys of `snakemake --config` and their defaults. Other packages add keys, see `packages`.
CONFIG = {"study": "config/quick.yaml", "results": "results", "allow_large": False, "allow_import": False}
TEXTS = "study_texts"  # the key of CONFIG with which the texts of study files travel to jobs that share no folder


def packages() -> dict[str, Any]:
    """Return the modules by which other packages add rules: RULES_FILE, and SETTINGS, keys after NAME_."""
    return {name: entry.load() for name, entry in entry_points("workflows").items()}


def configured(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return CONFIG and the settings of other packages as changed by Snakemake's config.

    Raises BadInput for a key that is none of them, or a value of another type.
    """
    settings = dict(CONFIG)
    for name, package in packages().items():
        settings |= {f"{name}_{key}": default for key, default in package.SETTINGS.items()}
    if isinstance(config.get("studies"), dict):
        raise BadInput("--configfile: this is a study file; use it as `snakemake --config study=FILE`")
    for key, value in config.items():
        if key == TEXTS:
            continue
        option = f"--config {key}={value}"[:200]
        if key not in settings:
            raise BadInput(f"{option}: unknown key {key[:80]!r}{nearest(key, settings)}")
        if isinstance(CONFIG.get(key), bool):
            if str(value).lower() not in ("true", "false"):
                raise BadInput(f"{option}: must be true or false")
            value = str(value).lower() == "true"
        elif not isinstance(value, str) and (key in CONFIG or isinstance(value, bool | list | dict) or value is None):
            raise BadInput(f"{option}: must be text, and Snakemake reads it as {type(value).__name__}")
        settings[key] = value
    return settings


def configured_files(config: Mapping[str, Any]) -> list[str]:
    """Return the study files of Snakemake's config: one, or several with spaces between them or in a list.

    Raises BadInput if two of them have the same name, and thus the same results folder.
    """
    given = config.get("study", CONFIG["study"])
    if isinstance(given, str):
        given = [given] if os.path.exists(given) else given.split() or [given]
    files = given if isinstance(given, list) else [given]
    if twice := [name for name, number in Counter(Path(str(file)).stem for file in files).items() if number > 1]:
        raise BadInput(f"--config study: two study files have the name {twice[0]}, and so the same results folder")
    return files


def workflows(config: Mapping[str, Any], **options: Any) -> list[Workflow]:
    """Return the workflow of each study file of Snakemake's config. options: those of Workflow."""
    files = configured_files(config)
    return [Workflow({**config, "study": file}, is_single=len(files) == 1, **options) for file in files]


class Workflow:
    """A study file for the rules.

    config: that of Snakemake; minutes: length of a job; cores: to be kept busy.

    store: where the results are, by default in shared folders. is_single: whether there is no other study file.

    Raises BadInput for a config or a study file that is not valid, or that asks for too much.
    """

    def __init__(
        self,
        config: Mapping[str, Any],
        *,
        minutes: Any = None,
        cores: int | None = None,
        store: Store | None = None,
        is_single: bool = True,
    ) -> None:
        settings = configured(config)
        self.study_file = settings["study"]
        self.folder = results_folder(self.study_file, settings["results"])
        self.state = self.folder / STATE
        self.store = store or Store()
        self.copy = self.store.local(self.folder)
        self.suffix = "" if is_single else f"_{self.folder.name}"
        if text := dict(config.get(TEXTS) or {}).get(self.folder.name):
            self.study_file = str(unpacked(text, self.study_file))
        self._settings = settings
        self.allows_import = settings["allow_import"]
        self.minutes, self.cores = _minutes(cost.JOB_MINUTES if minutes is None else minutes), cores or 1
        self.force = False  # until `files_to_make` is called
        self._stages_to_run: set[str] = set()
        self._plans: dict[tuple[Path, int], batches.RoundPlan] = {}
        self.file = study_files.load(self.study_file, allow_import=self.allows_import)
        self.counts = plan.count(self.file)
        if not settings["allow_large"]:
            self.counts.refuse_if_large(self.study_file)

    # ---- the files of the rules ----

    def name_of(self, stage: str) -> str:
        """Return the name of the rule of a stage."""
        return stage + self.suffix

    @property
    def tables(self) -> list[str]:
        """All tables and their manifest."""
        return [str(self.folder / name) for name in (*(f"{name}.parquet" for name in self.file.tables), MANIFEST)]

    def figure(self, name: str) -> dict[str, str]:
        """Return the files of a figure and its manifest, each with its caption in a report ("" for none)."""
        folder = self.folder / up_to_date.FIGURES
        caption = str(folder / f"{name}{up_to_date.CAPTION}")
        files = {str(folder / file): caption for file in sorted(up_to_date.figure_files(self.file, name))}
        return files | {caption: "", str(up_to_date.figure_manifest(self.folder, name)): ""}

    @property
    def figures(self) -> list[str]:
        """The files of all figures."""
        return [file for name in self.file.figures for file in self.figure(name)]

    def tables_of(self, figure: str) -> list[str]:
        """Return the files of the tables that a figure shows, and their manifest."""
        names = (f"{name}.parquet" for name in up_to_date.tables_drawn(self.file, figure))
        return [str(self.folder / name) for name in (*names, MANIFEST)]

    @property
    def report(self) -> list[str]:
        """The report and its manifest."""
        return [str(self.folder / name) for name in (up_to_date.REPORT, up_to_date.PAGES)]

    def settings_of(self, package: str) -> dict[str, str]:
        """Return the settings of the rules of another package as text."""
        return {key: str(self._settings[f"{package}_{key}"]) for key in packages()[package].SETTINGS}

    def request(self, package: str, table: str, settings: Mapping[str, str], code: str) -> str:
        """Return the file with settings and code digest of a table of another package; write it if they change."""
        path = self.folder.parent / package / "asked" / f"{table}.json"
        data = to_json({**settings, "code": code})
        if not self.store.read(path) or self.store.local(path).read_bytes() != data:
            self.store.write(path, data)
        return str(path)

    def unknown(self, target: str) -> str:
        """Return a message for a target that looks like a result of the study, but is none; "" for others."""
        known = [*self.tables, *self.figures, *self.report]
        path, folder, state = (os.path.normpath(str(place)) for place in (target, self.folder, self.state))
        if not path.startswith(folder + os.sep) or path.startswith(state) or path in map(os.path.normpath, known):
            return ""
        return f"{target}: no result of {self.study_file}{nearest(path, known) or '; try --list-rules or --summary'}"

    # ---- plans and batches ----

    def plan(self, round: int | str = "{round}") -> str:
        """Return the plan of a round, by default with a wildcard."""
        return str(self.state / batches.PLANS / f"{round}.jsonl")

    def plan_copy(self, round: int) -> Path:
        """Return where the plan of a round is on this machine."""
        return self.store.local(self.plan(round))

    def forget_rounds(self) -> None:
        """Remove the plans of later rounds of an earlier run, when a run begins."""
        if self.is_to_run("simulate", "aggregate"):
            for name in self.store.list(self.state / batches.PLANS):
                if name.endswith(".jsonl") and name != Path(self.plan(0)).name:
                    self.store.remove(self.state / batches.PLANS / name)

    def batch(self, name: str, tables: Iterable[str] | None = None) -> list[str]:
        """Return the files of a batch, the manifest first.

        tables: names of its tables, by default of all of the study.
        """
        names = self.file.block_tables if tables is None else tables
        paths = (manifest_path(self.folder, name), *(table_path(self.folder, table, name) for table in names))
        return [*map(str, paths)]

    def existing(self) -> list[str]:
        """Return the files of all finished batches."""
        return [path for name, batch in self.results.batches.items() for path in self.batch(name, batch.tables)]

    def planned(self, round: int) -> list[str]:
        """Return the files of the batches of a round, which has been planned."""
        plan = self._read_plan(round)
        return [path for name in plan.jobs for path in self.batch(name, plan.tables)]

    def existing_when_planned(self) -> list[str]:
        """Return the files of the batches that exist, of a run that has been planned."""
        files = []
        for name in self._read_plan(0).existing:
            self.store.read(manifest_path(self.folder, name))
            files += self.batch(name, read_manifest(manifest_path(self.copy, name)).tables)
        return files

    def all_planned(self, wait_for_round: Callable[[int], Any]) -> list[str]:
        """Return the files of the batches of all rounds."""
        files: list[str] = []
        for round in count():
            wait_for_round(round)
            files += self.planned(round)
            if not self.has_targets or not self._read_plan(round).jobs:
                return files
        raise AssertionError

    @property
    def has_targets(self) -> bool:
        """Whether a study asks for more replicates until its error is small enough."""
        return any(study.target_rel_se is not None for study in self.file.studies.values())

    def plan_with(self, batch: str) -> list[str]:
        """Return the plan that has a batch; none for a batch that exists."""
        return [self.plan(round) for round in self._rounds() if self._line(round, batch)][:1]

    def needs(self, batch: str, what: str) -> int:
        """Return how much of something (`memory_mb`, `minutes`) the job of a batch needs, 1 for a batch that exists."""
        return next((line[what] for round in self._rounds() if (line := self._line(round, batch))), 1)

    @property
    def aggregation(self) -> dict[str, int]:
        """How much memory (`memory_mb`) and time (`minutes`) the job that aggregates needs."""
        memory = cost.aggregate_bytes(self.counts.cells, self.counts.disk)
        return {"memory_mb": math.ceil(memory / 1e6), "minutes": self._minutes_of_tables(5, 4)}

    def drawing(self, figure: str = "") -> dict[str, int]:
        """Return the memory (`memory_mb`) and time (`minutes`) of the job of a figure, by default of the report."""
        few = figure and BLOCK_TABLES.keys().isdisjoint(up_to_date.tables_drawn(self.file, figure))
        memory = cost.drawing_bytes(self.counts.cells, 0.0 if few else self.counts.disk)
        return {"memory_mb": math.ceil(memory / 1e6), "minutes": self._minutes_of_tables(15, 1)}

    def _minutes_of_tables(self, start: float, factor: float) -> int:
        """Return the minutes of a job from those of its start, and the time of aggregation times a factor."""
        return math.ceil(start + factor * cost.aggregate_seconds(self.counts.cells, self.counts.replicates) / 60)

    def _rounds(self) -> Iterator[int]:
        """Yield the rounds that have a plan."""
        return takewhile(lambda round: self.store.read(self.plan(round)), count())

    def _line(self, round: int, batch: str) -> dict[str, Any] | None:
        return self._read_plan(round).jobs.get(batch)

    def _read_plan(self, round: int) -> batches.RoundPlan:
        path = self.plan_copy(round)
        key = path, path.stat().st_mtime_ns
        if key not in self._plans:
            self._plans[key] = batches.read_plan(path)
        return self._plans[key]

    # ---- what is out of date ----

    @cached_property
    def results(self) -> Results:
        """The finished batches."""
        results = Results(self.copy, self.store.mirror(self.folder, whole=self.has_targets))
        for batch in results.unusable if self.store.is_elsewhere else ():  # a plan does not use these copies
            batch.manifest.unlink()
        return results

    @cached_property
    def out_of_date(self) -> dict[str, dict[str, str]]:
        """What is out of date, and why, for each stage that is to be run; nothing is written.

        The results of a stage after one that is to be run are not examined. Raises BadInput if
        missing blocks need an import that is not allowed, IntegrityError if a table is damaged.
        """
        self.results.demand_manifests()
        reasons: dict[str, dict[str, str]] = {"simulate": {}, "aggregate": {}, "draw": {}, "report": {}}
        if missing := sum(1 for _ in batches.missing(self.file, self.results)):
            if not self.allows_import and (lines := [*study_files.imports(self.file)]):
                raise BadInput("\n".join(f"{self.study_file}: {line}" for line in lines))
            reasons["simulate"] = {BLOCKS: f"{missing} missing"}
        for problem in up_to_date.tables(self.file, self.copy):
            reasons["aggregate"][problem.path.name] = problem.detail or problem.kind
        if not missing and not reasons["aggregate"]:
            listed = read_json(self.copy / MANIFEST)["sha256"]
            reasons["draw"] = up_to_date.figures(self.file, self.copy, listed)
            if not reasons["draw"] and (why := up_to_date.report(self.file, self.copy, listed)):
                reasons["report"] = {up_to_date.REPORT: why}
        return {stage: why for stage, why in reasons.items() if why}

    def files_to_make(self, forced: Iterable[str], force_all: bool) -> set[str]:
        """Return the files that Snakemake is to make whatever their times: out of date, or implied by the user.

        forced: rules or files that the user forces. The stages of both are to be run from now on.
        """
        all_stages = ("simulate", "aggregate", "draw", "report")
        rules = {stage for stage in all_stages if force_all or self.name_of(stage) in {*forced}}
        self.force = "simulate" in rules
        self._stages_to_run = rules | self.out_of_date.keys()
        files: set[str] = set()
        if self.is_to_run("simulate", "aggregate"):
            files |= {self.plan(0), *self.tables}
        for name in self.file.figures:
            if "draw" in rules or name in self.out_of_date.get("draw", {}):
                files |= {*self.figure(name)}
        if "report" in self.out_of_date:
            files |= {*self.report}
        return {str(self.store.local(path)) for path in files}

    def is_to_run(self, *stages: str) -> bool:
        """Return whether one of these stages is to be run, by `out_of_date` or since the user forces it."""
        return not self._stages_to_run.isdisjoint(stages)


def _minutes(word: Any) -> float:
    """Return the length of a job in minutes, as given by a profile."""
    try:
        if 0 < (minutes := float(word)) < math.inf:
            return minutes
    except (TypeError, ValueError):
        pass
    raise BadInput(f"job_minutes: {word!r} is not a number of minutes")
