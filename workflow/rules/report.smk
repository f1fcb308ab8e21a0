rule report:
    """Write the report: all figures, numbers and provenance in one HTML file."""
    input:
        tables=lambda wildcards: results(TABLES, "simulate", "aggregate"),
        figures=lambda wildcards: results(FIGURES, "simulate", "aggregate", "draw"),
    output:
        update(REPORT),
    log:
        f"{STATE}/report.log",
    params:
        study=STUDY,
        results=lambda wildcards: ROOT,
    shell:
        "logged {log:q} poissonmatch report {params.study:q} --results {params.results:q}"
