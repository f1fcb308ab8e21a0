# One job a block of replicates. The manifest is written last, after the tables that it lists.
rule simulate:
    output:
        f"{RESULTS}/shards/{{study}}/{{cell}}/{{block}}.json",
    log:
        f"{RESULTS}/logs/simulate/{{study}}/{{cell}}/{{block}}.log",
    conda:
        "../../environment.yml"
    params:
        study=STUDY,
        code=provenance.code_digest("simulate"),
        cell=lambda wildcards: CELLS[wildcards.study, wildcards.cell].fingerprint,
    shell:
        "poissonmatch simulate {params.study:q} {output:q} --threads {threads} 2> {log:q}"
