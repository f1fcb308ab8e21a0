for flow in FLOWS:

    rule:
        """Combine all blocks into the tables, with estimates."""
        name:
            flow.name_of("aggregate")
        input:
            plans=lambda wildcards, flow=flow: flow.plans_to_aggregate,
            batches=lambda wildcards, flow=flow: flow.batches_to_aggregate,
            stamp=flow.stamp("aggregate", flow.digest),
        output:
            flow.tables,
        log:
            f"{flow.state}/aggregate.log",
        benchmark:
            f"{flow.state}/aggregate.tsv"
        container:
            flow.container
        threads: workflow.cores
        resources:
            mem_mb=lambda wildcards, attempt, flow=flow: attempt
            * flow.aggregation["memory_mb"],
            runtime=lambda wildcards, attempt, flow=flow: attempt
            * flow.aggregation["minutes"],
        params:
            study=flow.study_file,
            results=lambda wildcards, flow=flow: str(flow.copy.parent),
            digest=flow.digest,
        shell:
            logged(
                "aggregate {params.study:q} {input.plans:q} --results {params.results:q} --threads {threads}"
            )
