# One job a figure, `draw_NAME`; the rule `draw` stands for all of them.
for figure in FLOW.file.figures:

    rule:
        name:
            f"draw_{figure}"
        input:
            lambda wildcards, figure=figure: results(
                FLOW.tables_of(figure), "simulate", "aggregate"
            ),
        output:
            [
                (
                    report(
                        update(file),
                        caption=os.path.abspath(caption),
                        category="Figures",
                    )
                    if caption
                    else update(file)
                )
                for file, caption in FLOW.figure(figure).items()
            ],
        log:
            f"{STATE}/draw/{figure}.log",
        params:
            study=STUDY,
            results=lambda wildcards: ROOT,
            figure=figure,
        message:
            f"draw {figure}: {FLOW.late.get('draw', {}).get(figure, 'requested, or its tables are made anew')}"
        shell:
            "logged {log:q} poissonmatch draw {params.study:q} {params.figure:q} --results {params.results:q}"


rule draw:
    """Draw all figures."""
    input:
        FIGURES,
