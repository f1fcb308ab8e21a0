# What all rules share: the study file, its results, and one run at a time (poissonmatch.pipeline.workflow).
import os
import sys

sys.path = [folder for folder in sys.path if os.path.join(folder, "") not in BESIDE]

import shlex
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from poissonmatch.utils.errors import BadInput, Busy, IntegrityError
from poissonmatch.pipeline import provenance, runs
from poissonmatch.pipeline.workflow import Workflow

os.umask(os.umask(0o022) | 0o022)  # nothing is writable for others

SETTINGS = workflow.resource_settings
JOB_MINUTES = (SETTINGS.default_resources or {}).get("job_minutes")

# Before Snakemake looks at any file, the missing blocks are planned, and what is out of date is requested.
try:
    FLOW = Workflow(
        config,
        minutes=JOB_MINUTES and JOB_MINUTES.raw,
        cores=SETTINGS.cores if SETTINGS.nodes is None else 1,
    )
    if workflow.is_main_process:
        try:
            FLOW.prepare()
        except Busy:
            # --summary and the like show the plan of the other run; onstart refuses a second one
            if not FLOW.is_planned:
                raise
        for word in sys.argv[1:]:
            if hint := FLOW.unknown(word):
                logger.error(hint)
except (BadInput, Busy, IntegrityError) as error:
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


# The batches of a round of a study with a target_rel_se are known when the round is planned.
def wait_for_round(round):
    checkpoints.plan_round.get(round=round)


# With --forcerun draw, or --forceall, all figures are drawn.
def draw_request(wildcards):
    forced = workflow.dag_settings.forcerun
    if workflow.dag_settings.forceall or any(name.endswith("draw") for name in forced):
        FLOW.request_all_figures()
    return FLOW.request("draw")
