# What all rules share: the study file, its results, and one run at a time (poissonmatch.pipeline.workflow).
import os
import sys

sys.path = [folder for folder in sys.path if os.path.join(folder, "") not in BESIDE]

import shlex
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.types import RerunTrigger

from poissonmatch.utils.errors import BadInput, Busy, IntegrityError
from poissonmatch.pipeline import provenance, runs
from poissonmatch.pipeline.workflow import Workflow

os.umask(os.umask(0o022) | 0o022)  # nothing is writable for others

SETTINGS = workflow.resource_settings
JOB_MINUTES = (SETTINGS.default_resources or {}).get("job_minutes")

# What is out of date is known before Snakemake looks at any file; nothing is written.
try:
    FLOW = Workflow(
        config,
        minutes=JOB_MINUTES and JOB_MINUTES.raw,
        cores=SETTINGS.cores if SETTINGS.nodes is None else 1,
    )
    if workflow.is_main_process:
        FLOW.late
        for word in sys.argv[1:]:
            if hint := FLOW.unknown(word):
                logger.error(hint)
except (BadInput, IntegrityError) as error:
    raise WorkflowError(str(error)) from None

STUDY, RESULTS, STATE = FLOW.study_file, str(FLOW.folder), str(FLOW.state)
ROOT = str(FLOW.folder.parent)
TABLES, FIGURES, REPORT = FLOW.tables, FLOW.figures, FLOW.report


# One run at a time works in a results folder. The lock goes with its process, so a crash leaves nothing to unlock.
onstart:
    if workflow.is_main_process:
        try:
            runs.lock(FLOW.folder)
        except (Busy, OSError) as error:
            raise WorkflowError(str(error)) from None


# The rules call `poissonmatch`: that of the Python which runs Snakemake, whether or not its environment is active. What a
# job says is in its log; of a job that failed, whatever killed it, the log's last line is the exit code.
shell.prefix(
    f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; "
    'logged() {{ local log=$1; shift; "$@" > "$log" 2>&1 || {{ local code=$?; {{ echo "exit code $code" >> "$log"; }} 2> /dev/null; return $code; }}; }}; '
)


# Called by the input functions, when Snakemake knows its arguments: in the process that distributes the jobs, Snakemake is
# forced to make what is out of date. Everything else is taken as it is, whatever the times of its files.
def settle():
    if workflow.is_main_process:
        dag = workflow.dag_settings
        dag.rerun_triggers = frozenset({RerunTrigger.MTIME})
        workflow.dag.forcefiles |= FLOW.settle(dag.forcerun, dag.forceall)


def results(files, *stages):
    """Files that are inputs, and ancient unless a stage that makes them is to be run."""
    settle()
    return files if FLOW.is_late(*stages) else ancient(files)


def wait_for_round(round):
    checkpoints.plan_round.get(round=round)


def files_before(round):
    """The results of the rounds before a round, from which it is planned."""
    for number in range(round):
        wait_for_round(number)
    return [path for number in range(round) for path in FLOW.planned(number)]


def plan_flags(round):
    flags = ["--force"] if FLOW.force else []
    if FLOW.allows_import:
        flags.append("--allow-import")
    return flags + (["--previous", FLOW.plan(round - 1)] if round else [])


def files_of_batches():
    """The files of all batches, which are known when the rounds are planned."""
    settle()
    if FLOW.is_late("simulate", "aggregate") or not workflow.is_main_process:
        return FLOW.all_planned(wait_for_round) + ancient(FLOW.kept())
    return ancient(FLOW.existing())
