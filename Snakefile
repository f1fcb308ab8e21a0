# The workflow is in workflow/Snakefile; this file lets `snakemake` find it from the top of a checkout.
include: "workflow/Snakefile"


workflow.default_target = "all"  # an included file does not set it
