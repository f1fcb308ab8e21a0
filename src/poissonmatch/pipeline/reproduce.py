"""Reproduction of a block from its metadata: it is made again, and the bytes are compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..sampling.cells import Block
from ..sampling.sources import StudyFolder
from ..utils.errors import IntegrityError, Problem
from . import provenance
from .blocks import manifest_of, read_block_files
from .make_block import make_block


def reproduce(path: Path, *, threads: int = 1, place: StudyFolder | None = None) -> list[Path]:
    """Make a block again from its own metadata alone, in memory, and compare; return the files whose bytes are the same.

    path: the manifest, or one of the tables that it lists. place: the folder of its study file, for points from files. Raises
    IntegrityError if a byte differs, or if other code made it.
    """
    manifest = manifest_of(path)
    about, _ = read_block_files(manifest)
    now = provenance.code_digest("simulate")
    if about["code"] != now:
        detail = f"{about['code']}, here {now}, which cannot be compared"
        raise IntegrityError(Problem(manifest, "made by other code", detail))
    block = Block.of_record(about)
    block = replace(block, cell=replace(block.cell, place=place or StudyFolder()))
    made = make_block(block, versions=about["versions"], threads=threads)
    different = [name for name, data in made.items() if manifest.with_name(name).read_bytes() != data]
    if different:
        here = {k: v for k, v in provenance.environment().items() if about["versions"].get(k) != v}
        hint = f"; here is {here}, it was made with {about['versions']}" if here else ""
        raise IntegrityError(Problem(manifest, "damaged", f"not reproduced: {', '.join(different)} differ{hint}"))
    return [manifest.with_name(name) for name in made]
