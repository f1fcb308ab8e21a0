# All shards of the study file become its tables.
rule aggregate:
    input:
        (
            (lambda wildcards: FLOW.all_blocks(judgement))
            if FLOW.has_targets
            else FLOW.manifests(FLOW.cells.values())
        ),
    output:
        FLOW.tables,
        FLOW.manifest,
    log:
        f"{RESULTS}/logs/aggregate.log",
    conda:
        "../../environment.yml"
    params:
        study_file=STUDY_FILE,
        code=provenance.code_digest("aggregate"),
        cells=FLOW.cells_fingerprint,
        results=lambda wildcards, output: str(Path(output[0]).parents[1]),
    shell:
        "poissonmatch aggregate {params.study_file:q} --results {params.results:q} 2> {log:q}"
