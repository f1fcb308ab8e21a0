# All shards of the study file become its tables.
rule aggregate:
    input:
        all_blocks if TARGETS else manifests(CELLS.values()),
    output:
        TABLES,
        f"{RESULTS}/manifest.json",
    log:
        f"{RESULTS}/logs/aggregate.log",
    conda:
        "../../environment.yml"
    params:
        study=STUDY,
        code=provenance.code_digest("aggregate"),
        cells=provenance.fingerprint(
            [[c.study, c.id, c.replicates] for c in CELLS.values()]
        ),
        results=lambda wildcards, output: str(Path(output[0]).parents[1]),
    shell:
        "poissonmatch aggregate {params.study:q} --results {params.results:q} 2> {log:q}"
