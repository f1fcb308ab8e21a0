# Figures and the report come from the tables alone; those that are as they would be made now are left alone.
rule draw:
    input:
        lambda wildcards: (
            FLOW.mark(wildcards.run, "aggregate") if FLOW.aggregates else []
        ),
    output:
        touch(FLOW.mark("{run}", "draw")),
    log:
        f"{RESULTS}/.run/{{run}}/draw.log",
    conda:
        "../../environment.yml"
    threads: workflow.cores
    params:
        study_file=STUDY_FILE,
        results=lambda wildcards: str(FLOW.folder.parent),
    shell:
        "logged {log:q} poissonmatch finish {params.study_file:q} --results {params.results:q} --threads {threads}"
