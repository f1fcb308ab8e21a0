# All shards of the study file become its tables.
def all_blocks(wildcards):
    found = []
    for name, study in FILE.studies.items():
        cells = [cell for cell in CELLS.values() if cell.study == name]
        done, round = study.target_rel_se is None, 0
        while not done:
            done, cells = judged(name, round)
            round += 1
        found += manifests(cells)
    return found


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
