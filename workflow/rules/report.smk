for flow in FLOWS:

    rule:
        """Write the report: all figures, numbers and provenance in one HTML file."""
        name:
            flow.name_of("report")
        input:
            tables=flow.tables,
            figures=flow.figures,
            stamp=flow.stamp("report", flow.report_digest),
        output:
            flow.report,
        log:
            f"{flow.state}/report.log",
        container:
            flow.container
        resources:
            mem_mb=lambda wildcards, attempt, flow=flow: attempt
            * flow.drawing()["memory_mb"],
            runtime=lambda wildcards, attempt, flow=flow: attempt
            * flow.drawing()["minutes"],
        params:
            study=flow.study_file,
            results=lambda wildcards, flow=flow: str(flow.copy.parent),
            digest=flow.report_digest,
        shell:
            logged("report {params.study:q} --results {params.results:q}")
