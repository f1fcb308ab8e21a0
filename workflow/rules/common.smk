# What all rules share: the study files, their results, and one run at a time (poissonmatch.studies.run.workflow).
import os
import sys

sys.path = [folder for folder in sys.path if os.path.join(folder, "") not in BESIDE]

import shlex
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.jobs import Job
from snakemake.logging import logger
from snakemake.settings.types import RerunTrigger

from poissonmatch.utils.errors import BadInput, Busy, IntegrityError
from poissonmatch.studies.run import runs
from poissonmatch.studies.results.store import SnakemakeStore, Store, packed
from poissonmatch.studies.run.workflow import TEXTS, packages, workflows

os.umask(os.umask(0o022) | 0o022)  # nothing is writable for others

SETTINGS = workflow.resource_settings
JOB_MINUTES = (SETTINGS.default_resources or {}).get("job_minutes")

PROVIDER = workflow.storage_registry.default_storage_provider
PREFIX = workflow.storage_settings.default_storage_prefix or ""
STORE = SnakemakeStore(PROVIDER, PREFIX) if PROVIDER else Store()

# What is out of date is known before Snakemake looks at any file; nothing is written.
try:
    FLOWS = workflows(
        config,
        minutes=JOB_MINUTES and JOB_MINUTES.raw,
        cores=SETTINGS.cores if SETTINGS.nodes is None else 1,
        store=STORE,
    )
    if workflow.is_main_process:
        for flow in FLOWS:
            flow.out_of_date
        for word in sys.argv[1:]:
            for hint in filter(None, (flow.unknown(word) for flow in FLOWS)):
                logger.error(hint)
        if STORE.is_elsewhere:
            PROVIDER.keep_local = True  # the copies from which the next run is planned
            texts = {flow.folder.name: packed(flow.study_file) for flow in FLOWS}
            workflow.config_settings.config_args = [
                *(workflow.config_settings.config_args or []),
                f"{TEXTS}={texts}",
            ]
except (BadInput, IntegrityError, OSError) as error:
    raise WorkflowError(str(error)) from None


# One run at a time works in a results folder. The lock goes with its process, so a crash leaves nothing to unlock.
onstart:
    if workflow.is_main_process:
        try:
            for flow in FLOWS:
                runs.lock(flow.copy)
                flow.forget_rounds()
        except (Busy, OSError) as error:
            raise WorkflowError(str(error)) from None


# The rules call `poissonmatch`: that of the Python which runs Snakemake, whether or not its environment is active. What a
# job says is in its log; of a job that failed, whatever killed it, the log's last line is the exit code.
shell.prefix(
    f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; "
    'logged() {{ local log=$1; shift; "$@" > "$log" 2>&1 || {{ local code=$?; {{ echo "exit code $code" >> "$log"; }} 2> /dev/null; return $code; }}; }}; '
)


# A dry run writes nothing, so results that may only be read do not end it. Snakemake removes copies of stored results that
# are made anew, and then takes them for files that may only be read.
async def without_check(job):
    pass


if STORE.is_elsewhere:
    Job.check_protected_output = without_check


# Called by the input functions, when Snakemake knows its arguments: in the process that distributes the jobs, Snakemake is
# forced to make what is out of date. Everything else is taken as it is, whatever the times of its files.
def force_what_is_due(flow):
    if workflow.is_main_process:
        if workflow.dryrun:
            Job.check_protected_output = without_check
        dag = workflow.dag_settings
        dag.rerun_triggers = frozenset({RerunTrigger.MTIME})
        workflow.dag.forcefiles |= flow.files_to_make(dag.forcerun, dag.forceall)


def results(flow, files, *stages):
    """Files that are inputs, and ancient unless a stage that makes them is to be run."""
    force_what_is_due(flow)
    return files if flow.is_to_run(*stages) else ancient(files)


def made(files):
    """Outputs that keep their bytes until they are replaced, so that a job which fails loses nothing."""
    return files if STORE.is_elsewhere else update(files)


def waits_for_rounds(flow):
    """Return a function that waits until a round is planned."""
    planning = getattr(checkpoints, flow.name_of("plan_round"))
    return lambda round: planning.get(round=round)


def files_before(flow, round):
    """The results of the rounds before a round, from which it is planned."""
    for number in range(round):
        waits_for_rounds(flow)(number)
    return [path for number in range(round) for path in flow.planned(number)]


def plan_flags(flow, round):
    flags = ["--force"] if flow.force else []
    if flow.allows_import:
        flags.append("--allow-import")
    if STORE.is_elsewhere:
        flags.append("--stored")
    return flags + (["--previous", str(flow.plan_copy(round - 1))] if round else [])


def files_of_batches(flow):
    """The files of all batches, which are known when the rounds are planned."""
    force_what_is_due(flow)
    if flow.is_to_run("simulate", "aggregate") or not workflow.is_main_process:
        return flow.all_planned(waits_for_rounds(flow)) + ancient(
            flow.existing_when_planned()
        )
    return ancient(flow.existing())
