# What all rules share: the study files, their results, and one run at a time (poissonmatch.studies.run.workflow).
import os
import sys

sys.path = [folder for folder in sys.path if os.path.join(folder, "") not in BESIDE]

import shlex

from snakemake.exceptions import WorkflowError

from poissonmatch.utils.errors import BadInput, Busy, IntegrityError
from poissonmatch.studies.run import runs
from poissonmatch.studies.results.store import SnakemakeStore, Store
from poissonmatch.studies.run.workflow import packages, workflows

# Undocumented, Snakemake 9.16.3 to 9.27.1; tests/studies/run/test_undocumented.py checks each of them:
# the length of jobs and the number of cores, for which a plan is made,
SETTINGS = workflow.resource_settings
JOB_MINUTES = (SETTINGS.default_resources or {}).get("job_minutes")
# the storage of the results,
PROVIDER = workflow.storage_registry.default_storage_provider
PREFIX = workflow.storage_settings.default_storage_prefix or ""
STORE = SnakemakeStore(PROVIDER, PREFIX) if PROVIDER else Store()
# and whether this process distributes the jobs: that of a job takes the plan as it is.
IS_HEAD = workflow.is_main_process

try:
    runs.require_snakemake()
    FLOWS = workflows(
        config,
        minutes=JOB_MINUTES and JOB_MINUTES.raw,
        cores=SETTINGS.cores if SETTINGS.nodes is None else 1,
        store=STORE,
        is_head=IS_HEAD,
    )
except (BadInput, ImportError, IntegrityError, OSError) as error:
    raise WorkflowError(str(error)) from None


def examine_results():
    """Compare the results with study files and code, before Snakemake looks at any file; nothing is written."""
    try:
        for flow in FLOWS:
            flow.out_of_date
            flow.plan_name  # a storage cannot be listed in the event loop of input functions
    except (BadInput, IntegrityError, OSError) as error:
        raise WorkflowError(str(error)) from None
    for word in sys.argv[1:] if IS_HEAD else ():
        for hint in filter(None, (flow.unknown(word) for flow in FLOWS)):
            print(hint, file=sys.stderr)


# One run at a time works in a results folder. The lock goes with its process, so a crash leaves nothing to unlock.
onstart:
    try:
        for flow in FLOWS:
            runs.lock(flow.copy)
            flow.forget_stamps(of_others=True)
            flow.store_study()
            if not STORE.is_elsewhere:
                runs.set_times(flow.copy)
    except (Busy, OSError) as error:
        raise WorkflowError(str(error)) from None


# The command is that of the Python which runs Snakemake, or of a container. No module beside its files is imported.
BIN = shlex.quote(os.path.dirname(sys.executable)).replace("{", "{{").replace("}", "}}")


def logged(command):
    """A command of poissonmatch whose output is the log of the job; if it fails, however, its exit code is the last line."""
    return (
        f'env PATH="${{{{APPTAINER_CONTAINER:+$PATH:}}}}"{BIN}":$PATH" PYTHONSAFEPATH=1 poissonmatch {command} > {{log:q}} 2>&1'
        ' || {{ code=$?; {{ echo "exit code $code" >> {log:q}; }} 2> /dev/null; exit $code; }}'
    )


for flow in FLOWS:

    rule:
        """Say what a stage is made from: an empty file that is newer than tables or figures of other settings or code."""
        name:
            flow.name_of("stamp")
        output:
            touch(flow.stamp("{stage}", "{digest}")),
        wildcard_constraints:
            digest="[0-9a-f]{16}",
        localrule: True


def kept(files):
    """Outputs with a digest in their name: Snakemake keeps them when it starts a job, which returns if they are right."""
    return files if STORE.is_elsewhere else update(files)
