# One job a figure, `draw_NAME`; of many figures a job draws several, and has the name of the first. `draw` stands for all.
for flow in FLOWS:
    for figures in flow.drawn_together:

        rule:
            name:
                flow.name_of(f"draw_{figures[0]}")
            input:
                flow.tables_of(figures),
                stamps=[
                    flow.stamp(f"draw_{name}", flow.figure_digest(name))
                    for name in figures
                ],
            output:
                [
                    (
                        report(
                            file, caption=os.path.abspath(caption), category="Figures"
                        )
                        if caption
                        else file
                    )
                    for name in figures
                    for file, caption in flow.figure(name).items()
                ],
            log:
                f"{flow.state}/draw/{figures[0]}.log",
            container:
                flow.container
            resources:
                mem_mb=lambda wildcards, attempt, flow=flow, figures=figures: attempt
                * flow.drawing(figures)["memory_mb"],
                runtime=lambda wildcards, attempt, flow=flow, figures=figures: attempt
                * flow.drawing(figures)["minutes"],
            params:
                study=flow.study_file,
                results=lambda wildcards, flow=flow: str(flow.copy.parent),
                figures=figures,
                digests=[flow.figure_digest(name) for name in figures],
            message:
                f"draw {', '.join(figures)}: {flow.reason(figures)}"
            shell:
                logged(
                    "draw {params.study:q} {params.figures:q} --results {params.results:q}"
                )

    rule:
        """Draw all figures."""
        name:
            flow.name_of("draw")
        input:
            flow.figures,
