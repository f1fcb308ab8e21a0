# What the rules share: the study file as they see it (poissonmatch.pipeline.workflow).
import os
import sys

sys.path = [folder for folder in sys.path if os.path.join(folder, "") not in BESIDE]

import math
import shlex
from pathlib import Path

from snakemake.exceptions import WorkflowError

from poissonmatch.utils.errors import BadInput, Busy, IntegrityError
from poissonmatch.pipeline import provenance
from poissonmatch.pipeline.workflow import Workflow

os.umask(os.umask(0o022) | 0o022)  # nothing is writable for others

SETTINGS = workflow.resource_settings
JOB_MINUTES = (SETTINGS.default_resources or {}).get("job_minutes")

try:
    FLOW = Workflow(
        config,
        minutes=JOB_MINUTES and JOB_MINUTES.raw,
        cores=SETTINGS.cores if SETTINGS.nodes is None else 1,
    )
    if workflow.is_main_process:
        FLOW.goals  # whatever is wrong is said before anything runs
except (BadInput, IntegrityError) as error:
    raise WorkflowError(str(error)) from None

STUDY_FILE, RESULTS = FLOW.study_file, str(FLOW.folder)


# Waits until a later round is planned.
def wait_for_round(wildcards):
    return lambda round: checkpoints.plan_round.get(run=wildcards.run, round=round)


# One run at a time works in a results folder. The lock goes with its process, so a crash leaves nothing to unlock.
onstart:
    if workflow.is_main_process:
        try:
            FLOW.begin()
        except (Busy, OSError) as error:
            raise WorkflowError(str(error)) from None


wildcard_constraints:
    run="[0-9a-f]+",
    round=r"\d+",
    batch=r"\d+",


# The rules call `poissonmatch`: that of the Python which runs Snakemake, whether or not its environment is active. What a
# job says is in its log; of a job that failed, whatever killed it, the log's last line is the exit code.
shell.prefix(
    f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; "
    'logged() {{ local log=$1; shift; "$@" > "$log" 2>&1 || {{ local code=$?; {{ echo "exit code $code" >> "$log"; }} 2> /dev/null; return $code; }}; }}; '
)
