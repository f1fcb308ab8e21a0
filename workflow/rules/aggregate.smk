# The blocks of the study file become its tables.
rule aggregate:
    input:
        lambda wildcards: FLOW.made(wildcards.run, None, judged(wildcards)),
    output:
        touch(FLOW.mark("{run}", "aggregate")),
    log:
        f"{RESULTS}/.run/{{run}}/aggregate.log",
    conda:
        "../../environment.yml"
    params:
        study_file=STUDY_FILE,
        results=lambda wildcards: str(FLOW.folder.parent),
    shell:
        "logged {log:q} poissonmatch aggregate {params.study_file:q} --results {params.results:q}"
