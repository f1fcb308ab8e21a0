# Figures come from the tables alone.
rule draw:
    input:
        FLOW.drawn_from,
    output:
        pdf=f"{RESULTS}/figures/{{figure}}.pdf",
        png=report(
            f"{RESULTS}/figures/{{figure}}.png",
            caption="../report/figure.rst",
            category="Figures",
            subcategory=lambda wildcards: FLOW.shelf(wildcards.figure),
            labels={"figure": "{figure}"},
        ),
        caption=f"{RESULTS}/figures/{{figure}}.txt",
    log:
        f"{RESULTS}/logs/draw/{{figure}}.log",
    conda:
        "../../environment.yml"
    params:
        study_file=STUDY_FILE,
        code=provenance.code_digest("draw"),
        figure=lambda wildcards: FLOW.figure_fingerprint(wildcards.figure),
        results=lambda wildcards, output: str(Path(output[0]).parents[2]),
    shell:
        "poissonmatch draw {params.study_file:q} {wildcards.figure:q} --results {params.results:q} > {log:q} 2>&1"


# The numbers and where they come from, as pages of the report.
rule summarize:
    input:
        f"{RESULTS}/estimates.parquet",
        f"{RESULTS}/manifest.json",
    output:
        report(
            f"{RESULTS}/report/estimates.html",
            caption="../report/estimates.rst",
            category="Tables",
            labels={"table": "estimates"},
        ),
        report(
            f"{RESULTS}/report/provenance.html",
            caption="../report/provenance.rst",
            category="Tables",
            labels={"table": "provenance"},
        ),
    log:
        f"{RESULTS}/logs/summarize.log",
    conda:
        "../../environment.yml"
    params:
        study_file=STUDY_FILE,
        code=provenance.code_digest("summarize"),
        results=lambda wildcards, output: str(Path(output[0]).parents[2]),
    shell:
        "poissonmatch summarize {params.study_file:q} --results {params.results:q} > {log:q} 2>&1"
