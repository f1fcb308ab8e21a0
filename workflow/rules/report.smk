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
        params:
            study=flow.study_file,
            results=lambda wildcards, flow=flow: str(flow.copy.parent),
        shell:
            "logged {log:q} poissonmatch report {params.study:q} --results {params.results:q}"
