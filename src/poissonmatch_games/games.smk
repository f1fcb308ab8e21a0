# Tables of exact games: `snakemake games --config games_b=1..12`, apart from the study, since they take a while.
# The input of a table is a file with its settings.
import math

from poissonmatch_games.workflow import request, values_digest

GAMES = str(FLOWS[0].folder.parent / "games")
GAME = FLOWS[0].settings_of("games")


rule games:
    """All tables of exact games."""
    input:
        f"{GAMES}/toads_and_frogs.parquet",
        f"{GAMES}/claims.parquet",
        f"{GAMES}/triangle.parquet",


# The cells are kept in a table that is no output, so that Snakemake does not remove it: a run that was stopped is taken
# up again. It is named by the code that makes the values.
rule toads_and_frogs:
    """Values of Toads and Frogs."""
    input:
        lambda wildcards: request(
            FLOWS[0], "toads_and_frogs", "k", "a", "b", "memory", "minutes"
        ),
    output:
        table=f"{GAMES}/toads_and_frogs.parquet",
        pdf=f"{GAMES}/toads_and_frogs.pdf",
        png=f"{GAMES}/toads_and_frogs.png",
        caption=f"{GAMES}/toads_and_frogs.txt",
    log:
        f"{GAMES}/logs/toads_and_frogs.log",
    resources:
        mem=GAME["memory"],
        runtime=math.ceil(10 + float(GAME["minutes"])),
    params:
        k=GAME["k"],
        a=GAME["a"],
        b=GAME["b"],
        memory=GAME["memory"],
        time=GAME["minutes"] + "min",
        store=lambda wildcards: f"{GAMES}/cells/{values_digest()}.parquet",
    shell:
        "poissonmatch games toads-and-frogs --k {params.k:q} --a {params.a:q} --b {params.b:q} --memory {params.memory:q}"
        " --time {params.time:q} --store {params.store:q} --output {output.table:q} > {log:q} 2>&1"


rule claims:
    """Claims about Toads and Frogs, tried by brute force."""
    input:
        lambda wildcards: request(
            FLOWS[0], "claims", "squares", "memory", "minutes"
        ),
    output:
        f"{GAMES}/claims.parquet",
    log:
        f"{GAMES}/logs/claims.log",
    resources:
        mem=GAME["memory"],
        runtime=math.ceil(10 + 15 * float(GAME["minutes"])),
    params:
        squares=GAME["squares"],
        memory=GAME["memory"],
        time=GAME["minutes"] + "min",
    shell:
        "poissonmatch games claims --squares {params.squares:q} --memory {params.memory:q} --time {params.time:q}"
        " --output {output:q} > {log:q} 2>&1"


rule triangle:
    """Nim-values of the Triangle Game."""
    input:
        lambda wildcards: request(FLOWS[0], "triangle", "total"),
    output:
        f"{GAMES}/triangle.parquet",
    log:
        f"{GAMES}/logs/triangle.log",
    params:
        total=GAME["total"],
    shell:
        "poissonmatch games triangle --total {params.total:q} --output {output:q} > {log:q} 2>&1"
