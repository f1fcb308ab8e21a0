# One job a figure, `draw_NAME`; the rule `draw` stands for all of them.
for flow in FLOWS:
    for figure in flow.file.figures:

        rule:
            name:
                flow.name_of(f"draw_{figure}")
            input:
                flow.tables_of(figure),
                stamp=flow.stamp(f"draw_{figure}", flow.figure_digest(figure)),
            output:
                [
                    (
                        report(
                            file, caption=os.path.abspath(caption), category="Figures"
                        )
                        if caption
                        else file
                    )
                    for file, caption in flow.figure(figure).items()
                ],
            log:
                f"{flow.state}/draw/{figure}.log",
            container:
                flow.container
            resources:
                mem_mb=lambda wildcards, attempt, flow=flow, figure=figure: attempt
                * flow.drawing(figure)["memory_mb"],
                runtime=lambda wildcards, attempt, flow=flow, figure=figure: attempt
                * flow.drawing(figure)["minutes"],
            params:
                study=flow.study_file,
                results=lambda wildcards, flow=flow: str(flow.copy.parent),
                figure=figure,
                digest=flow.figure_digest(figure),
            message:
                f"draw {figure}: {flow.reason(figure)}"
            shell:
                logged(
                    "draw {params.study:q} {params.figure:q} --results {params.results:q}"
                )

    rule:
        """Draw all figures."""
        name:
            flow.name_of("draw")
        input:
            flow.figures,
