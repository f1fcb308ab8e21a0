rule aggregate:
    """Combine all blocks into the tables, with estimates."""
    input:
        lambda wildcards: files_of_batches(),
    output:
        update(TABLES),
    log:
        f"{STATE}/aggregate.log",
    benchmark:
        f"{STATE}/aggregate.tsv"
    threads: workflow.cores
    resources:
        mem_mb=lambda wildcards, attempt: attempt * FLOW.aggregation["memory_mb"],
        runtime=lambda wildcards, attempt: attempt * FLOW.aggregation["minutes"],
    params:
        study=STUDY,
        results=lambda wildcards: ROOT,
    shell:
        "logged {log:q} poissonmatch aggregate {params.study:q} --results {params.results:q} --threads {threads}"
