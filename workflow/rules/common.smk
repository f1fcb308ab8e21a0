# What the rules share: the study file as they see it (poissonmatch.pipeline.workflow).
import os
import sys

sys.path = [folder for folder in sys.path if os.path.join(folder, "") not in BESIDE]

import math
import shlex
from pathlib import Path

from snakemake.exceptions import WorkflowError

from poissonmatch.errors import BadInput, Busy
from poissonmatch.pipeline import provenance, runs
from poissonmatch.pipeline.workflow import Workflow

os.umask(os.umask(0o022) | 0o022)  # nothing is writable for others

try:
    FLOW = Workflow(config)
except BadInput as error:
    raise WorkflowError(str(error)) from None

STUDY_FILE, RESULTS = FLOW.study_file, FLOW.results


def block_of(wildcards):
    return FLOW.block(wildcards.study, wildcards.cell, wildcards.block)


# What a study with a target was found to need after a round.
def judgement(study, round):
    return checkpoints.assess.get(study=study, round=round).output[0]


config["captions"] = {name: FLOW.caption(name) for name in FLOW.file.figures}


report: "../report/workflow.rst"


# One run at a time works in a results folder. The lock goes with its process, so a crash leaves nothing to unlock.
onstart:
    if workflow.is_main_process:
        try:
            runs.lock(RESULTS)
        except (Busy, OSError) as error:
            raise WorkflowError(str(error)) from None


wildcard_constraints:
    study="[A-Za-z0-9_-]+",
    cell=r"[A-Za-z0-9._-]+",
    block=r"\d+-\d+",
    round=r"\d+",
    figure="[A-Za-z0-9_-]+",


# The rules call `poissonmatch`: that of the Python which runs Snakemake, whether or not its environment is active.
shell.prefix(f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; ")
