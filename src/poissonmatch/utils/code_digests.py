"""Digests of the code on which the results of each stage depend: of the bytes of all files in a list of folders."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
SUFFIXES = (".py", ".mplstyle", ".html")  # of the files that are counted
LIBRARY = ("utils", "engine", "theory", "rules", "points", "matching", "frogs", "survival")
BLOCKS = (*LIBRARY, "studies/sampling", "studies/tables", "studies/statistics/observables")
# The folders of the package on which the results of each stage depend.
STAGES = {
    "simulate": BLOCKS,
    "aggregate": (*BLOCKS, "studies/statistics"),
    "draw": (*LIBRARY, "studies/figures"),
    "summarize": ("studies/figures", "studies/report"),
    "certify": ("engine", "rules", "points", "matching", "survival/certificates"),  # what counts the points of a box
    "match": ("engine",),
}


@cache
def of_stage(stage: str) -> str:
    """Return the digest of the code of a stage: of every byte, so that an edit of a comment changes it too."""
    return of_folders(PACKAGE, STAGES[stage])


def of_folders(package: Path, folders: Iterable[str]) -> str:
    """Return the first 16 digits of the SHA-256 of the names and bytes of all source files in folders of a package."""
    files = {path for folder in folders for path in (package / folder).rglob("*") if path.suffix in SUFFIXES}
    digest = hashlib.sha256()
    for path in sorted(files):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(package)} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]
