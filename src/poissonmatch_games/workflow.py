"""What the games add to the workflow: rules that make their tables, the settings of these rules, and digests of their code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from poissonmatch.utils import code_digests
from poissonmatch.utils.manifests import fingerprint

HERE = Path(__file__).parent
RULES_FILE = HERE / "games.smk"
# Keys of `snakemake --config`, with games_ before them, and their defaults.
SETTINGS = {"k": "0..3", "a": "1..4", "b": "1..8", "memory": "4GB", "minutes": 10, "squares": 14, "total": 180}
VALUES = ("impartial", "partisan", "toads", "checkers")  # the folders that make the values of games


def values_digest() -> str:
    """Return the digest of the code that makes the values of games."""
    return code_digests.of_folders(HERE, VALUES)


def tables_digest() -> str:
    """Return the digest of the code that makes the tables of games and their figure."""
    return code_digests.of_folders(HERE, (*VALUES, "tables", "figures"))


def stamps(folder: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the stamps of the tables of games, by table."""
    used = {
        "toads_and_frogs": ("k", "a", "b", "memory", "minutes"),
        "claims": ("squares", "memory", "minutes"),
        "triangle": ("total",),
    }
    digests = {
        table: fingerprint([{key: settings[key] for key in keys}, tables_digest()], 16) for table, keys in used.items()
    }
    return {table: f"{folder}/stamps/{table}-{digest}" for table, digest in digests.items()}
