# One job a block of replicates. The manifest is written last, after the tables that it lists.
rule simulate:
    output:
        f"{RESULTS}/shards/{{study}}/{{cell}}/{{block}}.json",
    log:
        f"{RESULTS}/logs/simulate/{{study}}/{{cell}}/{{block}}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt * memory_mb(wildcards),
        runtime=lambda wildcards, attempt: attempt * minutes(wildcards),
    params:
        study=STUDY,
        code=provenance.code_digest("simulate"),
        cell=lambda wildcards: CELLS[wildcards.study, wildcards.cell].fingerprint,
    shell:
        "poissonmatch simulate {params.study:q} {output:q} --threads {threads} 2> {log:q}"


# What a job asks a cluster for: the estimate of the engine, and more of it at each attempt.
def memory_mb(wildcards):
    cell = CELLS[wildcards.study, wildcards.cell]
    first, end = (int(k) for k in wildcards.block.split("-"))
    return round(
        cost.job_bytes(cell.dim, cell.size, cell.rule, cell.observables, end - first)
        / 1e6
    )


def minutes(wildcards):
    cell = CELLS[wildcards.study, wildcards.cell]
    first, end = (int(k) for k in wildcards.block.split("-"))
    seconds = cost.seconds_per_replicate(cell.dim, cell.size, cell.rule)
    return math.ceil(5 + 4 * (end - first) * seconds / 60)


# A study with a target_rel_se gets more replicates in rounds: after each, its cells are judged.
def blocks_of_round(wildcards):
    cells = [cell for cell in CELLS.values() if cell.study == wildcards.study]
    if int(wildcards.round) > 0:
        _, cells = judged(wildcards.study, int(wildcards.round) - 1)
    return manifests(cells)


def judged(study, round):
    """Are the cells of a study done after a round, and the cells with the replicates they need."""
    with open(checkpoints.assess.get(study=study, round=round).output[0]) as file:
        found = json.load(file)
    numbers = found["replicates"]
    return found["done"], [
        targets.grown(cell, numbers[cell.id])
        for cell in CELLS.values()
        if cell.study == study
    ]


checkpoint assess:
    input:
        blocks_of_round,
    output:
        f"{RESULTS}/rounds/{{study}}/{{round}}.json",
    log:
        f"{RESULTS}/logs/assess/{{study}}/{{round}}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        study=STUDY,
        cells=lambda wildcards: provenance.fingerprint(
            FILE.studies[wildcards.study].model_dump(
                mode="json", by_alias=True, exclude={"block"}
            )
        ),
        results=lambda wildcards, output: str(Path(output[0]).parents[3]),
    shell:
        "poissonmatch assess {params.study:q} {wildcards.study:q} {wildcards.round} --results {params.results:q} 2> {log:q}"
