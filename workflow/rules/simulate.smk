# One job a batch: many blocks of many cells. What is finished and verified on disk, it leaves alone.
rule simulate:
    output:
        touch(FLOW.mark("{run}", "{round}-{batch}")),
    log:
        f"{RESULTS}/.run/{{run}}/{{round}}-{{batch}}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt
        * FLOW.asks(wildcards.run, wildcards.round, wildcards.batch, "memory_mb"),
        runtime=lambda wildcards, attempt: attempt
        * FLOW.asks(wildcards.run, wildcards.round, wildcards.batch, "minutes"),
    params:
        batch=lambda wildcards: FLOW.listing(
            wildcards.run, wildcards.round, wildcards.batch
        ),
    shell:
        "logged {log:q} poissonmatch batch {params.batch:q} --threads {threads}"


# A study with a target_rel_se gets more replicates in rounds: after each, the standard errors of its cells are compared with it.
checkpoint plan_round:
    input:
        lambda wildcards: FLOW.made(
            wildcards.run, int(wildcards.round), wait_for_round(wildcards)
        ),
    output:
        touch(FLOW.mark("{run}", "{round}")),
    log:
        f"{RESULTS}/.run/{{run}}/{{round}}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        round=lambda wildcards: FLOW.listing(wildcards.run, wildcards.round),
        minutes=FLOW.minutes,
        cores=FLOW.cores,
    shell:
        "logged {log:q} poissonmatch plan-round {params.round:q} --minutes {params.minutes} --cores {params.cores}"
