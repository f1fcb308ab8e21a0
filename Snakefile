import os
import sys

# Snakemake looks for modules beside its files first. There are none: what lies there must not stand in for a library, here or in a job.
BESIDE = [os.path.join(workflow.basedir, folder) for folder in ("", "workflow/rules/")]
sys.path = [folder for folder in sys.path if os.path.join(folder, "") not in BESIDE]
os.environ.update(PYTHONSAFEPATH="1")

from snakemake.utils import min_version

min_version("9.0")


include: "workflow/rules/common.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/aggregate.smk"
include: "workflow/rules/draw.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/games.smk"


sys.path = [folder for folder in sys.path if os.path.join(folder, "") not in BESIDE]


rule all:
    """All tables and figures of the study, and the report."""
    default_target: True
    input:
        TABLES,
        FIGURES,
        REPORT,
