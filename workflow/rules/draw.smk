rule draw:
    """Draw the figures whose entry, tables or code have changed."""
    input:
        tables=TABLES,
        request=draw_request,
    output:
        [
            (
                report(
                    update(file), caption=os.path.abspath(caption), category="Figures"
                )
                if caption
                else update(file)
            )
            for file, caption in FIGURES.items()
        ],
    log:
        f"{STATE}/draw.log",
    conda:
        "../../environment.yml"
    threads: workflow.cores
    params:
        study=STUDY,
        results=lambda wildcards: ROOT,
    shell:
        "logged {log:q} poissonmatch draw {params.study:q} --results {params.results:q} --request {input.request:q} --threads {threads}"
