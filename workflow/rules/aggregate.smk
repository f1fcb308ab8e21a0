for flow in FLOWS:

    rule:
        """Combine all blocks into the tables, with estimates."""
        name:
            flow.name_of("aggregate")
        input:
            lambda wildcards, flow=flow: files_of_batches(flow),
        output:
            made(flow.tables),
        log:
            f"{flow.state}/aggregate.log",
        benchmark:
            f"{flow.state}/aggregate.tsv"
        threads: workflow.cores
        resources:
            mem_mb=lambda wildcards, attempt, flow=flow: attempt
            * flow.aggregation["memory_mb"],
            runtime=lambda wildcards, attempt, flow=flow: attempt
            * flow.aggregation["minutes"],
        params:
            study=flow.study_file,
            results=lambda wildcards, flow=flow: str(flow.copy.parent),
        shell:
            "logged {log:q} poissonmatch aggregate {params.study:q} --results {params.results:q} --threads {threads}"
