"""What the rules of Snakemake need: the files of a study, the batches of a plan, and what is out of date.

Snakemake compares the times of files and its own records, which say nothing after a copy. `Workflow.out_of_date`
compares results with the study file and the installed code by their manifests, and writes nothing. A stage that is out
of date has a *stamp* in the targets of the rule `all`: an empty file with a digest of settings and code in its name,
which is an input of the stage. It does not exist, so that Snakemake makes it, and then what is older.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count, takewhile
from pathlib import Path
from typing import Any, Literal

from ...utils import code_digests
from ...utils.errors import BadInput, IntegrityError, nearest
from ...utils.files import exists
from ...utils.immutable import cached_property
from ...utils.libraries import entry_points
from ...utils.manifests import MANIFEST, fingerprint, read_json
from .. import study_files
from ..results import STAMPS, STATE, up_to_date
from ..results.batch_files import BLOCKS, manifest_path, read_manifest, table_path
from ..results.results import Results, results_folder
from ..results.store import Store
from ..study_files import cost, plan
from ..tables.tables import BLOCK_TABLES
from . import batches
from .progress import PLANS

# The keys of `snakemake --config` and their defaults. Other packages add keys, see `packages`.
CONFIG = {
    "study": "config/quick.yaml",
    "results": "results",
    "allow_large": False,
    "allow_import": False,
    "container": "poissonmatch.sif",
}


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


def is_complete(config: Mapping[str, Any]) -> bool:
    """Return whether nothing is to be made. Else remove the stamps of figures changed by hand, which Snakemake cannot see."""
    due = [flow for flow in workflows(config) if flow.out_of_date]
    for flow in due:
        flow.forget_stamps()
    return not due


class Workflow:
    """A study file for the rules.

    config: that of Snakemake; minutes: length of a job; cores: to be kept busy.

    store: where the results are, by default in shared folders. is_single: whether there is no other study file.
    is_head: whether this process distributes the jobs; another one takes the plan as it is.

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
        is_head: bool = True,
    ) -> None:
        settings = configured(config)
        self.study_file = settings["study"]
        self.folder = results_folder(self.study_file, settings["results"])
        self.state = self.folder / STATE
        self.store = store or Store()
        self.suffix = "" if is_single else f"_{self.folder.name}"
        if not exists(self.study_file) and self.store.is_elsewhere and self.store.read(self._stored_study):
            self.study_file = str(self.store.local(self._stored_study))
        self._settings = settings
        self.is_head = is_head
        self.container = settings["container"]
        self.allows_import = settings["allow_import"]
        self.minutes, self.cores = _minutes(cost.JOB_MINUTES if minutes is None else minutes), cores or 1
        self._plans: dict[tuple[Path, int], batches.RoundPlan] = {}
        self.file = study_files.load(self.study_file, allow_import=self.allows_import)
        self.counts = plan.count(self.file)
        if not settings["allow_large"]:
            self.counts.refuse_if_large(self.study_file)

    @property
    def copy(self) -> Path:
        """Where the results are on this machine."""
        return self.store.local(self.folder)

    @property
    def _stored_study(self) -> Path:
        """The study file in a storage, for jobs that share no folder with this machine."""
        return self.state / "study.yaml"

    def store_study(self) -> None:
        """Write the study file to the storage of the results, if they are in one."""
        if self.store.is_elsewhere:
            self.store.write(self._stored_study, Path(self.study_file).read_bytes())

    # ---- the files of the rules ----

    def name_of(self, stage: str) -> str:
        """Return the name of the rule of a stage."""
        return stage + self.suffix

    def _in_folder(self, *names: str) -> list[str]:
        """Return the paths of files in the results folder."""
        return [str(self.folder / name) for name in names]

    @property
    def tables(self) -> list[str]:
        """All tables and their manifest."""
        return self._in_folder(*(f"{name}.parquet" for name in self.file.tables), MANIFEST)

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

    @property
    def drawn_together(self) -> list[list[str]]:
        """The names of the figures that each job draws: one if there are few of them, so that they are drawn apart."""
        names = [*self.file.figures]
        together = cost.figures_together(len(names))
        return [names[start : start + together] for start in range(0, len(names), together)]

    def tables_of(self, figures: Iterable[str]) -> list[str]:
        """Return the files of the tables that figures show, and their manifest."""
        names = {f"{name}.parquet" for figure in figures for name in up_to_date.tables_drawn(self.file, figure)}
        return self._in_folder(*sorted(names), MANIFEST)

    @property
    def report(self) -> list[str]:
        """The report and its manifest."""
        return self._in_folder(up_to_date.REPORT, up_to_date.PAGES)

    def settings_of(self, package: str) -> dict[str, str]:
        """Return the settings of the rules of another package as text."""
        return {key: str(self._settings[f"{package}_{key}"]) for key in packages()[package].SETTINGS}

    def unknown(self, target: str) -> str:
        """Return a message for a target that looks like a result of the study, but is none; "" for others."""
        known = [*self.tables, *self.figures, *self.report]
        path, folder, state = (os.path.normpath(str(place)) for place in (target, self.folder, self.state))
        if not path.startswith(folder + os.sep) or path.startswith(state) or path in map(os.path.normpath, known):
            return ""
        return f"{target}: no result of {self.study_file}{nearest(path, known) or '; try --list-rules or --summary'}"

    # ---- digests and stamps ----

    @cached_property
    def digest(self) -> str:
        """Digest of what the tables depend on: settings and code."""
        return up_to_date.tables_digest(self.file)

    def figure_digest(self, name: str) -> str:
        """Return the digest of what a figure depends on."""
        return up_to_date.figure_digest(self.file, name, self.digest)

    @cached_property
    def report_digest(self) -> str:
        """Digest of what the report depends on."""
        study = self.file.model_dump(mode="json", by_alias=True, exclude={"figures"})
        figures = {name: self.figure_digest(name) for name in self.file.figures}
        return fingerprint([study, self.digest, figures, code_digests.of_stage("summarize")], 16)

    def stamp(self, stage: str, digest: str) -> str:
        """Return the stamp of a stage or figure."""
        return str(self.state / STAMPS / f"{stage}-{digest}")

    def _due_stamps(self) -> dict[str, str]:
        """Return the stamps of what is out of date, by stage, and `draw_NAME` for a figure."""
        stages = {"aggregate": self.digest} if self.out_of_date.keys() & {"simulate", "aggregate"} else {}
        stages |= {f"draw_{name}": self.figure_digest(name) for name in self.out_of_date.get("draw", ())}
        if "report" in self.out_of_date:
            stages["report"] = self.report_digest
        return {stage: self.stamp(stage, digest) for stage, digest in stages.items()}

    @property
    def due(self) -> list[str]:
        """The targets of a run besides tables, figures and report: stamps, and batches that are missing."""
        missing = self.plans_to_aggregate + self.batches_to_aggregate if "simulate" in self.out_of_date else []
        return [*self._due_stamps().values(), *missing]

    def forget_stamps(self, *, of_others: bool = False) -> None:
        """Remove the stamps of what is out of date: its files are not those for which they were made.

        of_others: whether those of these settings and this code, which are targets of this run, are kept.
        """
        due = self._due_stamps()
        for name in self.store.list(self.state / STAMPS):
            path = self.state / STAMPS / name
            if name.rpartition("-")[0] in due and not (of_others and str(path) in due.values()):
                self.store.remove(path)

    # ---- plans and batches ----

    @property
    def plans(self) -> Path:
        """The folder of the plans."""
        return self.state / PLANS

    @cached_property
    def plan_name(self) -> str:
        """Name of the plan: the last one of these settings and this code, or a new one if that lacks missing blocks."""
        known = re.compile(rf"{self.digest}-(\d+)-\d+\.jsonl")
        numbers = [int(name[1]) for name in map(known.fullmatch, self.store.list(self.plans)) if name]
        last = max(numbers, default=0)
        if numbers and self.is_head:
            try:
                rounds = [self._read_plan(round, last) for round in self._rounds(last)]
            except IntegrityError:  # a damaged plan stays as it is
                return f"{self.digest}-{last + 1}"
            planned = {block for round in rounds for job in round.jobs.values() for block in job["blocks"]}
            if any(batches.line_of(*wanted) not in planned for wanted in batches.missing(self.file, self.results)):
                last += 1
        return f"{self.digest}-{last}"

    def plan(self, round: int | str = "{round}", number: int | None = None) -> str:
        """Return the plan of a round, by default with a wildcard."""
        name = self.plan_name if number is None else f"{self.digest}-{number}"
        return str(self.plans / f"{name}-{round}.jsonl")

    def plan_copy(self, round: int) -> Path:
        """Return where the plan of a round is on this machine."""
        return self.store.local(self.plan(round))

    def batch(self, name: str, tables: Iterable[str] | None = None) -> list[str]:
        """Return the files of a batch, the manifest first.

        tables: names of its tables, by default of all of the study.
        """
        names = self.file.block_tables if tables is None else tables
        paths = (manifest_path(self.folder, name), *(table_path(self.folder, table, name) for table in names))
        return [*map(str, paths)]

    def planned(self, round: int) -> list[str]:
        """Return the files of the batches of a round, which has been planned."""
        plan = self._read_plan(round)
        return [path for name in plan.jobs for path in self.batch(name, plan.head["tables"])]

    def _existing(self) -> Iterator[str]:
        """Yield the files of the batches that existed when the run was planned."""
        for name in self._read_plan(0).head["existing"]:
            self.store.read(manifest_path(self.folder, name))
            yield from self.batch(name, read_manifest(manifest_path(self.copy, name)).tables)

    @property
    def plans_to_aggregate(self) -> list[str]:
        """The plans of all rounds; when the last one of them is made, Snakemake asks again."""
        rounds = self._rounds()
        if not rounds and not self.out_of_date.keys() & {"simulate", "aggregate"}:
            return []  # results that were copied without their plan
        is_last = rounds and (not self.has_targets or not self._read_plan(rounds[-1]).jobs)
        return [*map(self.plan, rounds if is_last else [*rounds, len(rounds)])]

    @property
    def batches_to_aggregate(self) -> list[str]:
        """The files of the batches of all rounds that have been planned.

        Batches that existed before are among them only if they are in a storage, from which Snakemake copies them.
        """
        rounds = self._rounds()
        files = self.results_before(len(rounds))
        return files + [*self._existing()] if rounds and self.store.is_elsewhere else files

    def results_before(self, round: int) -> list[str]:
        """Return the files of the batches of the rounds before a round, from which it is planned."""
        return [path for number in range(round) for path in self.planned(number)]

    def plan_flags(self, round: int) -> list[str]:
        """Return the options with which a round is planned."""
        flags = ["--allow-large", *["--allow-import"] * self.allows_import] + ["--stored"] * self.store.is_elsewhere
        return flags + (["--previous", str(self.plan_copy(round - 1))] if round else [])

    @property
    def has_targets(self) -> bool:
        """Whether a study asks for more replicates until its error is small enough."""
        return any(study.target_rel_se is not None for study in self.file.studies.values())

    def needs(self, batch: str, what: Literal["memory_mb", "minutes"]) -> int:
        """Return how much of something (`memory_mb`, `minutes`) the job of a batch needs, 1 for a batch that exists."""
        jobs = (self._read_plan(round).jobs for round in self._rounds())
        return next((planned[batch][what] for planned in jobs if batch in planned), 1)

    @property
    def aggregation(self) -> dict[str, int]:
        """How much memory (`memory_mb`) and time (`minutes`) the job that aggregates needs."""
        return self._resources(cost.aggregate_bytes(self.counts.cells, self.counts.disk, self.counts.solutions), 5, 4)

    def drawing(self, figures: Collection[str] = ()) -> dict[str, int]:
        """Return the memory (`memory_mb`) and time (`minutes`) of the job of figures, by default of the report."""
        drawn = {table for figure in figures for table in up_to_date.tables_drawn(self.file, figure)}
        few = figures and BLOCK_TABLES.keys().isdisjoint(drawn)
        return self._resources(cost.drawing_bytes(self.counts.cells, 0.0 if few else self.counts.disk), 15, 1)

    def _resources(self, memory: float, start: float, factor: float) -> dict[str, int]:
        """Return the memory and the time of a job: the minutes of its start, and the time of aggregation times a factor."""
        minutes = start + factor * self.counts.aggregate_seconds / 60
        return {"memory_mb": math.ceil(memory / 1e6), "minutes": math.ceil(minutes)}

    def _rounds(self, number: int | None = None) -> list[int]:
        """Return the rounds that have been planned. number: of the plan, by default that of this run."""
        return [*takewhile(lambda round: self.store.read(self.plan(round, number)), count())]

    def _read_plan(self, round: int, number: int | None = None) -> batches.RoundPlan:
        path = self.store.local(self.plan(round, number))
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

        The results of a stage after one that is to be run are not examined; in the process of a job, nothing is.
        Raises BadInput if missing blocks need an import that is not allowed, IntegrityError if a table is damaged.
        """
        reasons: dict[str, dict[str, str]] = {"simulate": {}, "aggregate": {}, "draw": {}, "report": {}}
        if not self.is_head:
            return {}
        self.results.demand_manifests()
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

    def reason(self, figures: Iterable[str]) -> str:
        """Return why figures are drawn."""
        known = self.out_of_date.get("draw", {})
        return (
            "; ".join(dict.fromkeys(known[name] for name in figures if name in known))
            or "requested, or its tables are made anew"
        )


def _minutes(word: Any) -> float:
    """Return the length of a job in minutes, as given by a profile."""
    try:
        if 0 < (minutes := float(word)) < math.inf:
            return minutes
    except (TypeError, ValueError):
        pass
    raise BadInput(f"job_minutes: {word!r} is not a number of minutes")
