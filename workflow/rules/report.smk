rule report:
    """Write the report: all figures, numbers and provenance in one HTML file."""
    input:
        tables=TABLES,
        figures=[*FIGURES],
        request=FLOW.request("report"),
    output:
        update(REPORT),
    log:
        f"{STATE}/report.log",
    conda:
        "../../environment.yml"
    params:
        study=STUDY,
        results=lambda wildcards: ROOT,
    shell:
        "logged {log:q} poissonmatch report {params.study:q} --results {params.results:q}"
