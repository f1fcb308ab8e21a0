# Blocks of replicates, in batches of about equal length. Blocks are no outputs, so Snakemake never removes or overwrites one:
# a job makes the blocks of its batch that are missing, and its output is a marker.


rule simulate:
    """Make the missing blocks of a batch."""
    input:
        f"{STATE}/simulate/{{round}}.json",
    output:
        touch(f"{STATE}/simulate/{{round}}-{{batch}}.done"),
    log:
        f"{STATE}/simulate/{{round}}-{{batch}}.log",
    wildcard_constraints:
        round=r"\d+",
        batch=r"\d+",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt
        * FLOW.asks(wildcards.round, wildcards.batch, "memory_mb"),
        runtime=lambda wildcards, attempt: attempt
        * FLOW.asks(wildcards.round, wildcards.batch, "minutes"),
    params:
        batch=f"{STATE}/simulate/{{round}}-{{batch}}.json",
    shell:
        "logged {log:q} poissonmatch batch {params.batch:q} --threads {threads}"


# A study with a target_rel_se gets more replicates in rounds, until the errors of its cells are small enough.
checkpoint plan_round:
    """Plan the blocks that are missing after the rounds before."""
    input:
        lambda wildcards: FLOW.batches(int(wildcards.round), wait_for_round),
    output:
        f"{STATE}/simulate/{{round}}.json",
    log:
        f"{STATE}/simulate/{{round}}.log",
    wildcard_constraints:
        round=r"[1-9]\d*",
    localrule: True
    conda:
        "../../environment.yml"
    shell:
        "logged {log:q} poissonmatch plan-round {output:q}"
