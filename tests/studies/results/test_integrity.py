"""A batch that is not what it was when it was written is named, refused by every stage, and made again."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import poissonmatch as pm
from helpers.runs import (
    batch_with,
    blocks_in,
    cells_of,
    manifests,
    mend,
    missing,
    other_code,
    other_numbers,
    problems,
    table_bytes,
    table_of,
)
from helpers.tables import tables
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import batch_files, cell_records, integrity
from poissonmatch.studies.results.batch_files import read_manifest
from poissonmatch.studies.results.integrity import reproduce
from poissonmatch.studies.run import batches, stages
from poissonmatch.studies.sampling.cells import Block, Cell
from poissonmatch.utils.errors import BadInput, IntegrityError, Problem
from poissonmatch.utils.manifests import to_json

TABLES = tables(__file__)
STUDY = """
seed: 5
studies:
  one: {dims: 2, sizes: 60, replicates: 4, block: 2, observables: [unmatched, distances, realization]}
  red: {process: two_color, rule: fussy, dims: [1, inf], sizes: 60, replicates: 4, block: 2}
  cluster: {process: {name: thomas, offspring: 3.5}, rule: multi(2), dims: 2, sizes: 60, replicates: 2, block: 2}
figures:
  fussy: {kind: fussy, studies: red}
"""


def everything(folder: Path) -> dict[str, bytes]:
    files = (
        p for p in sorted(folder.rglob("*")) if p.is_file() and p.name != cell_records.STATUS
    )  # it has times of files
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


def read_all(manifest: Path) -> None:
    """Read every row of a batch."""
    batch = read_manifest(manifest)
    for number in range(len(batch.keys)):
        batch.read(number)


def refused(file, folder: Path, what: str, *words: str, drawing: bool = False) -> bool:
    """Does verify name it, and aggregate (or draw) refuse it?"""
    named = any(all(word in str(p) for word in (what, *words)) for p in problems(folder, file))
    try:
        stages.draw(file, folder) if drawing else stages.aggregate(file, folder)
    except IntegrityError:
        return named
    return False


def not_repaired(file, folder: Path, made: Path) -> list[str]:
    """What is not right after a repair; blocks may be in other batches."""
    mend(file, folder)
    wrong = [str(problem) for problem in problems(folder, file)]
    right = {name: data for name, data in everything(made).items() if not name.startswith("blocks")}
    return wrong + [name for name, data in right.items() if (folder / name).read_bytes() != data]


def test_right_results_are_verified(made):
    path, folder = made
    report = integrity.verify(folder, studies.load(path))
    assert report.problems == [] and report.remarks == []
    files = [path for path in (folder / "blocks").rglob("*") if path.is_file()]
    assert len(manifests(folder)) == 3 and report.right == len(files) + len(list(folder.glob("*.parquet")))


@pytest.mark.slow
@pytest.mark.parametrize("table", ["replicates", "distances", "realizations", None])
def test_every_flipped_bit_is_found(made, copy, table):
    """One bit in each of 100 bytes spread over a file of a batch, from its first to its last."""
    file, folder = copy
    manifest = batch_with(folder, "one")
    path = table_of(manifest, table) if table else manifest
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    for place in np.unique(np.linspace(0, len(whole) - 1, 100).astype(int)):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << rng.integers(8)
        path.write_bytes(flipped)
        with pytest.raises(IntegrityError, match=r"damaged|not ours|missing|format"):
            read_all(manifest)
    assert refused(file, folder, manifest.stem)
    assert not_repaired(file, folder, made[1]) == []


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", ["estimates.parquet", "replicates.parquet", "manifest.json"])
def test_every_flipped_bit_in_a_table_is_found(copy, name):
    file, folder = copy
    path = folder / name
    whole = path.read_bytes()
    found = whole.find(b'"commit"')  # stands nowhere else
    commit = range(found, whole.find(b"\n", found)) if found >= 0 else ()
    for place in np.unique(np.linspace(0, len(whole) - 1, 25).astype(int)):
        if place in commit:
            continue
        flipped = bytearray(whole)
        flipped[place] ^= 4
        path.write_bytes(flipped)
        assert problems(folder), place
        if name != "manifest.json":
            with pytest.raises(IntegrityError):
                pm.load(path)


@pytest.mark.slow
@pytest.mark.parametrize("key, value", TABLES["cell"].items())
def test_a_manifest_with_an_impossible_cell_is_damaged(copy, key, value):
    file, folder = copy
    manifest = manifests(folder)[0]
    about = json.loads(manifest.read_bytes())
    about["cells"][0][key] = value
    manifest.write_bytes(to_json(about))
    assert Problem(manifest, "damaged", "it does not describe its blocks") in problems(folder)


NOT_A_BATCH = TABLES["no_batch"] | {"no code": {"code": None}, "beyond 64 bits": {"blocks": [[0, 0, 2**64]]}}


@pytest.mark.parametrize("case", NOT_A_BATCH)
def test_a_manifest_of_no_batch_stops_everything_before_it_is_moved_away(copy, case):
    """Nothing is planned, so that no block is made again beside one that is only listed wrongly."""
    file, folder = copy
    manifest = manifests(folder)[0]
    manifest.write_bytes(to_json({**json.loads(manifest.read_bytes()), **NOT_A_BATCH[case]}))
    assert refused(file, folder, str(manifest), "damaged")
    with pytest.raises(IntegrityError, match=manifest.name):
        batches.write_plan(folder / "plan.jsonl", file, folder, minutes=1, cores=1)


def test_a_manifest_and_its_tables_are_one_batch_or_none(made, copy):
    """A manifest without a table, tables without a manifest."""
    file, folder = copy
    manifest = batch_with(folder, "one")
    held = manifest.read_bytes()
    manifest.unlink()
    assert refused(file, folder, table_of(manifest, "replicates").name, "unfinished")
    manifest.write_bytes(held)
    table_of(manifest, "distances").unlink()
    assert refused(file, folder, table_of(manifest, "distances").name, "missing")
    assert len(missing(file, folder)) == len(blocks_in(manifest))
    assert not_repaired(file, folder, made[1]) == []


@pytest.mark.slow
def test_a_batch_of_another_seed_is_not_ours(made, copy, tmp_path):
    """With its own names for all files, in the place of the blocks of the study."""
    file, folder = copy
    (tmp_path / "t.yaml").write_text(STUDY.replace("seed: 5", "seed: 6"))
    other = studies.load(tmp_path / "t.yaml")
    manifest = batch_with(folder, "cluster")
    again = batches.make([next(studies.cells(other)[-1].blocks())], tmp_path / "t")
    for path in read_manifest(again).files:
        shutil.copy(path, folder / "blocks" / path.parent.name)
    shutil.move(again, manifest)
    assert refused(file, folder, str(manifest), "not ours")
    assert not_repaired(file, folder, made[1]) == []


@pytest.mark.slow
def test_duplicated_replicates_are_named_if_they_differ(made, copy):
    file, folder = copy
    cell = next(c for c in studies.cells(file) if c.study == "one")
    batches.make([Block(cell, 1, 3)], folder)
    report = integrity.verify(folder, file)
    assert report.problems == [] and any("once more" in r for r in report.remarks)
    with other_numbers():
        batches.make([Block(cell, 1, 3)], folder)
    assert any(p.kind == "duplicated" for p in problems(folder, file))
    assert not_repaired(file, folder, made[1]) == []


@pytest.mark.slow
def test_blocks_of_other_code_or_format_are_never_mixed(made, copy, monkeypatch):
    file, folder = copy
    manifest = batch_with(folder, "red")
    here = blocks_in(manifest)
    manifest.unlink()
    with other_code():
        old = batches.make(here, folder)
    assert refused(file, folder, str(old), "made by other code")
    with pytest.raises(IntegrityError, match="made by other code"):
        reproduce(old)
    assert not_repaired(file, folder, made[1]) == []
    with monkeypatch.context() as patch:
        patch.setattr(batch_files, "FORMAT", 1)
        manifest = batches.make(here, folder)
    assert refused(file, folder, str(manifest), "not ours: not a batch of blocks in the format of this version")
    assert not_repaired(file, folder, made[1]) == []


def test_batches_of_other_code_are_a_remark_if_nothing_is_missing(copy):
    """They stay where they are, and no table is made of them."""
    file, folder = copy
    before = table_bytes(folder)
    with other_code(), other_numbers():
        batches.make(blocks_in(manifests(folder)[0]), folder)
    report = integrity.verify(folder, file)
    assert report.problems == [] and any("1 batches were made by other code" in r for r in report.remarks)
    stages.aggregate(file, folder)
    assert table_bytes(folder) == before


def test_figures_are_refused_from_unverified_tables(copy):
    file, folder = copy
    estimates = folder / "estimates.parquet"
    whole = estimates.read_bytes()
    estimates.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert refused(file, folder, "estimates.parquet", drawing=True)
    estimates.write_bytes(whole)
    (folder / "manifest.json").unlink()
    assert refused(file, folder, "manifest.json", "missing", drawing=True)


def test_a_batch_is_reproduced_from_its_manifest_alone(made):
    folder = made[1]
    for manifest in manifests(folder):
        before = everything(folder)
        names = reproduce(manifest)
        assert len(names) == len(blocks_in(manifest)) and reproduce(manifest, names[-1]) == names[-1:]
        assert everything(folder) == before
    with pytest.raises(BadInput, match="has no block one/d2/0-9; did you mean 'one/d2"):
        reproduce(batch_with(folder, "one"), "one/d2/0-9")


def test_a_batch_with_other_numbers_is_not_reproduced(copy):
    """Checksums that are right do not help a wrong result."""
    file, folder = copy
    with other_numbers():
        manifest = batches.make(blocks_in(manifests(folder)[0]), folder)
    stages.aggregate(file, folder)
    assert problems(folder, file) == []
    with pytest.raises(IntegrityError, match="not reproduced"):
        reproduce(manifest)


def test_record_of_a_cell_and_back(made):
    for cell in cells_of(made[0]):
        record = json.loads(json.dumps(cell.record))
        again = Cell.of_record(record)
        assert again.record == cell.record and again.fingerprint == cell.fingerprint
        assert not {"replicates", "block"} & set(record)


def test_nothing_is_writable_for_others_under_any_umask(made, tmp_path):
    block = blocks_in(manifests(made[1])[0])[:1]
    for mask in (0o000, 0o002, 0o022, 0o077):
        before = os.umask(mask)
        try:
            batches.make(block, tmp_path / f"{mask:o}")
        finally:
            os.umask(before)
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or not path.stat().st_mode & 0o022, path


def test_a_finished_batch_is_not_made_again(copy):
    """What is finished is kept; a batch without one of its files, or of other code, is made again."""
    file, folder = copy
    assert not missing(file, folder)
    for manifest in manifests(folder):
        expected = sorted(map(str, blocks_in(manifest)))
        for path in read_manifest(manifest).files:
            data = path.read_bytes()
            path.unlink()
            assert sorted(map(str, missing(file, folder))) == expected
            path.write_bytes(data)
    with other_code():
        assert len(missing(file, folder)) == 7
