# Tables of exact games: `snakemake games --config games_b=1..12`, apart from the study, since they take a while.
# A table has a stamp, an empty file with a digest of its settings and of its code in its name. Its job removes the others.
import math

from poissonmatch_games.workflow import stamps, values_digest

GAMES = str(FLOWS[0].folder.parent / "games")
GAME = FLOWS[0].settings_of("games")
STAMPS = stamps(GAMES, GAME)
FORGET = 'stamp={output.stamp:q}; rm -f "${{stamp%-*}}"-*; '


rule games:
    """All tables of exact games."""
    input:
        f"{GAMES}/toads_and_frogs.parquet",
        f"{GAMES}/claims.parquet",
        f"{GAMES}/triangle.parquet",
        STAMPS.values(),


# The cells are kept in a table that is no output, so that Snakemake does not remove it: a run that was stopped is taken
# up again. It is named by the code that makes the values.
rule toads_and_frogs:
    """Values of Toads and Frogs."""
    output:
        table=f"{GAMES}/toads_and_frogs.parquet",
        pdf=f"{GAMES}/toads_and_frogs.pdf",
        png=f"{GAMES}/toads_and_frogs.png",
        caption=f"{GAMES}/toads_and_frogs.txt",
        stamp=touch(STAMPS["toads_and_frogs"]),
    log:
        f"{GAMES}/logs/toads_and_frogs.log",
    container:
        FLOWS[0].container
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
        FORGET
        + logged(
            "games toads-and-frogs --k {params.k:q} --a {params.a:q} --b {params.b:q} --memory {params.memory:q}"
            " --time {params.time:q} --store {params.store:q} --output {output.table:q}"
        )


rule claims:
    """Claims about Toads and Frogs, tried by brute force."""
    output:
        table=f"{GAMES}/claims.parquet",
        stamp=touch(STAMPS["claims"]),
    log:
        f"{GAMES}/logs/claims.log",
    container:
        FLOWS[0].container
    resources:
        mem=GAME["memory"],
        runtime=math.ceil(10 + 15 * float(GAME["minutes"])),
    params:
        squares=GAME["squares"],
        memory=GAME["memory"],
        time=GAME["minutes"] + "min",
    shell:
        FORGET
        + logged(
            "games claims --squares {params.squares:q} --memory {params.memory:q} --time {params.time:q}"
            " --output {output.table:q}"
        )


rule triangle:
    """Nim-values of the Triangle Game."""
    output:
        table=f"{GAMES}/triangle.parquet",
        stamp=touch(STAMPS["triangle"]),
    log:
        f"{GAMES}/logs/triangle.log",
    container:
        FLOWS[0].container
    params:
        total=GAME["total"],
    shell:
        FORGET
        + logged("games triangle --total {params.total:q} --output {output.table:q}")
