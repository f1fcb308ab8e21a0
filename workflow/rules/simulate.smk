# Blocks of replicates, in batches of about equal length. What is missing is planned by a job, whose output the others read.


# A study with a target_rel_se gets more replicates in rounds, until the errors of its cells are small enough.
checkpoint plan_round:
    """Plan the batches of blocks that are missing."""
    input:
        lambda wildcards: files_before(int(wildcards.round)),
    output:
        FLOW.plan(),
    log:
        f"{STATE}/plan/{{round}}.log",
    wildcard_constraints:
        round=r"\d+",
    localrule: True
    params:
        study=STUDY,
        minutes=FLOW.minutes,
        cores=FLOW.cores,
        flags=lambda wildcards: plan_flags(int(wildcards.round)),
    shell:
        "logged {log:q} poissonmatch plan-round {params.study:q} {output:q} --minutes {params.minutes}"
        " --cores {params.cores} {params.flags:q}"


rule simulate:
    """Make the blocks of a batch."""
    input:
        lambda wildcards: FLOW.plan_with(wildcards.batch),
    output:
        manifest=FLOW.batch("{batch}")[0],
        tables=FLOW.batch("{batch}")[1:],
    log:
        f"{STATE}/simulate/{{batch}}.log",
    benchmark:
        f"{STATE}/simulate/{{batch}}.tsv"
    wildcard_constraints:
        batch=r"[0-9a-f]{16}",
    resources:
        mem_mb=lambda wildcards, attempt: attempt
        * FLOW.needs(wildcards.batch, "memory_mb"),
        runtime=lambda wildcards, attempt: attempt
        * FLOW.needs(wildcards.batch, "minutes"),
    shell:
        "logged {log:q} poissonmatch batch {input:q} {output.manifest:q} --threads {threads}"
