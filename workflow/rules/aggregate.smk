rule aggregate:
    """Combine all blocks into the tables, with estimates."""
    input:
        batches=lambda wildcards: FLOW.batches(None, wait_for_round),
        request=FLOW.request("aggregate"),
    output:
        update(TABLES),
    log:
        f"{STATE}/aggregate.log",
    conda:
        "../../environment.yml"
    params:
        study=STUDY,
        results=lambda wildcards: ROOT,
    shell:
        "logged {log:q} poissonmatch aggregate {params.study:q} --results {params.results:q}"
