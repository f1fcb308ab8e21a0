from snakemake.utils import min_version

min_version("9.0")


include: "workflow/rules/common.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/aggregate.smk"
include: "workflow/rules/draw.smk"
include: "workflow/rules/games.smk"


rule all:
    default_target: True
    input:
        lambda wildcards: FLOW.goals,
