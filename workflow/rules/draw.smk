# One job a figure, `draw_NAME`; the rule `draw` stands for all of them.
for flow in FLOWS:
    for figure in flow.file.figures:

        rule:
            name:
                flow.name_of(f"draw_{figure}")
            input:
                lambda wildcards, flow=flow, figure=figure: results(
                    flow, flow.tables_of(figure), "simulate", "aggregate"
                ),
            output:
                [
                    (
                        report(
                            made(file),
                            caption=os.path.abspath(caption),
                            category="Figures",
                        )
                        if caption
                        else made(file)
                    )
                    for file, caption in flow.figure(figure).items()
                ],
            log:
                f"{flow.state}/draw/{figure}.log",
            resources:
                mem_mb=lambda wildcards, attempt, flow=flow, figure=figure: attempt
                * flow.drawing(figure)["memory_mb"],
                runtime=lambda wildcards, attempt, flow=flow, figure=figure: attempt
                * flow.drawing(figure)["minutes"],
            params:
                study=flow.study_file,
                results=lambda wildcards, flow=flow: str(flow.copy.parent),
                figure=figure,
            message:
                f"draw {figure}: {flow.out_of_date.get('draw', {}).get(figure, 'requested, or its tables are made anew')}"
            shell:
                "logged {log:q} poissonmatch draw {params.study:q} {params.figure:q} --results {params.results:q}"

    rule:
        """Draw all figures."""
        name:
            flow.name_of("draw")
        input:
            flow.figures,
