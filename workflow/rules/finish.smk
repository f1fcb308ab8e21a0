# All blocks become tables, and these figures and the report. What is as it would be made now is left alone.
rule finish:
    input:
        lambda wildcards: FLOW.made(wildcards.run, None, wait_for_round(wildcards)),
    output:
        touch(FLOW.mark("{run}", "finish")),
    log:
        f"{RESULTS}/.run/{{run}}/finish.log",
    conda:
        "../../environment.yml"
    threads: workflow.cores
    params:
        study_file=STUDY_FILE,
        results=lambda wildcards: str(FLOW.folder.parent),
        blocks=lambda wildcards: "--blocks" if FLOW.makes_blocks(wildcards.run) else "",
    shell:
        "logged {log:q} poissonmatch finish {params.study_file:q} --results {params.results:q} --threads {threads} {params.blocks}"
