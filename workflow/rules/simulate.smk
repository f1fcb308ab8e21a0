# One job a block of replicates. The manifest is written last, after the tables that it lists.
rule simulate:
    output:
        f"{RESULTS}/shards/{{study}}/{{cell}}/{{block}}.json",
    log:
        f"{RESULTS}/logs/simulate/{{study}}/{{cell}}/{{block}}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt * FLOW.memory_mb(block_of(wildcards)),
        runtime=lambda wildcards, attempt: attempt * FLOW.minutes(block_of(wildcards)),
    params:
        study_file=STUDY_FILE,
        code=provenance.code_digest("simulate"),
        cell=lambda wildcards: block_of(wildcards).cell.fingerprint,
    shell:
        "poissonmatch simulate {params.study_file:q} {output:q} --threads {threads} 2> {log:q}"


# A study with a target_rel_se gets more replicates in rounds: after each, its cells are judged.
checkpoint assess:
    input:
        lambda wildcards: FLOW.blocks_of_round(
            wildcards.study, int(wildcards.round), judgement
        ),
    output:
        f"{RESULTS}/rounds/{{study}}/{{round}}.json",
    log:
        f"{RESULTS}/logs/assess/{{study}}/{{round}}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        study_file=STUDY_FILE,
        code=provenance.code_digest("aggregate"),
        cells=lambda wildcards: FLOW.study_fingerprint(wildcards.study),
        results=lambda wildcards, output: str(Path(output[0]).parents[3]),
    shell:
        "poissonmatch assess {params.study_file:q} {wildcards.study:q} {wildcards.round} --results {params.results:q} 2> {log:q}"
