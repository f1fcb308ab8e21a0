for flow in FLOWS:

    rule:
        """Write the report: all figures, numbers and provenance in one HTML file."""
        name:
            flow.name_of("report")
        input:
            tables=lambda wildcards, flow=flow: results(
                flow, flow.tables, "simulate", "aggregate"
            ),
            figures=lambda wildcards, flow=flow: results(
                flow, flow.figures, "simulate", "aggregate", "draw"
            ),
        output:
            made(flow.report),
        log:
            f"{flow.state}/report.log",
        resources:
            mem_mb=lambda wildcards, attempt, flow=flow: attempt
            * flow.drawing()["memory_mb"],
            runtime=lambda wildcards, attempt, flow=flow: attempt
            * flow.drawing()["minutes"],
        params:
            study=flow.study_file,
            results=lambda wildcards, flow=flow: str(flow.copy.parent),
        shell:
            "logged {log:q} poissonmatch report {params.study:q} --results {params.results:q}"
