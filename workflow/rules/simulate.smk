# Blocks of replicates, in batches of about equal length. What is missing is planned by a job, whose output the others read.
for flow in FLOWS:

    # A study with a target_rel_se gets more replicates in rounds, until the errors of its cells are small enough.
    checkpoint:
        """Plan the batches of blocks that are missing."""
        name:
            flow.name_of("plan_round")
        input:
            lambda wildcards, flow=flow: flow.results_before(int(wildcards.round)),
        output:
            kept(str(flow.plans / "{plan}-{round}.jsonl")),
        log:
            f"{flow.state}/plan/{{plan}}-{{round}}.log",
        wildcard_constraints:
            plan=r"[0-9a-f]{16}-\d+",
            round=r"\d+",
        localrule: True
        container:
            flow.container
        resources:  # not params, whose change would run the job again
            plan_minutes=str(flow.minutes),
            plan_cores=flow.cores,
        params:
            study=flow.study_file,
            flags=lambda wildcards, flow=flow: flow.plan_flags(int(wildcards.round)),
        shell:
            logged(
                "plan-round {params.study:q} {output:q} --minutes {resources.plan_minutes}"
                " --cores {resources.plan_cores} {params.flags:q}"
            )

    rule:
        """Make the blocks of a batch."""
        name:
            flow.name_of("simulate")
        output:
            manifest=kept(flow.batch("{batch}")[0]),
            tables=kept(flow.batch("{batch}")[1:]),
        log:
            f"{flow.state}/simulate/{{batch}}.log",
        benchmark:
            f"{flow.state}/simulate/{{batch}}.tsv"
        wildcard_constraints:
            batch=r"[0-9a-f]{16}",
        container:
            flow.container
        resources:
            mem_mb=lambda wildcards, attempt, flow=flow: attempt
            * flow.needs(wildcards.batch, "memory_mb"),
            runtime=lambda wildcards, attempt, flow=flow: attempt
            * flow.needs(wildcards.batch, "minutes"),
        shell:
            logged("batch {output.manifest:q} --threads {threads}")


# A module with `prefix:` has it before the paths of its rules.
for flow in () if STORE.is_elsewhere else FLOWS[:1]:
    placed = getattr(rules, flow.name_of("simulate")).output.manifest
    STORE.prefix = placed.removesuffix(flow.batch("{batch}")[0])
