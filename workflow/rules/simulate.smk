# Blocks of replicates, in batches of about equal length. What is missing is planned by a job, whose output the others read.
for flow in FLOWS:

    # A study with a target_rel_se gets more replicates in rounds, until the errors of its cells are small enough.
    checkpoint:
        """Plan the batches of blocks that are missing."""
        name:
            flow.name_of("plan_round")
        input:
            lambda wildcards, flow=flow: files_before(flow, int(wildcards.round)),
        output:
            flow.plan(),
        log:
            f"{flow.state}/plan/{{round}}.log",
        wildcard_constraints:
            round=r"\d+",
        localrule: True
        params:
            study=flow.study_file,
            minutes=flow.minutes,
            cores=flow.cores,
            flags=lambda wildcards, flow=flow: plan_flags(flow, int(wildcards.round)),
        shell:
            "logged {log:q} poissonmatch plan-round {params.study:q} {output:q} --minutes {params.minutes}"
            " --cores {params.cores} {params.flags:q}"

    rule:
        """Make the blocks of a batch."""
        name:
            flow.name_of("simulate")
        input:
            lambda wildcards, flow=flow: flow.plan_with(wildcards.batch),
        output:
            manifest=flow.batch("{batch}")[0],
            tables=flow.batch("{batch}")[1:],
        log:
            f"{flow.state}/simulate/{{batch}}.log",
        benchmark:
            f"{flow.state}/simulate/{{batch}}.tsv"
        wildcard_constraints:
            batch=r"[0-9a-f]{16}",
        resources:
            mem_mb=lambda wildcards, attempt, flow=flow: attempt
            * flow.needs(wildcards.batch, "memory_mb"),
            runtime=lambda wildcards, attempt, flow=flow: attempt
            * flow.needs(wildcards.batch, "minutes"),
        shell:
            "logged {log:q} poissonmatch batch {input:q} {output.manifest:q} --threads {threads}"
