"""A block that is not what it was when it was written is named, refused by every stage, and made again."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from helpers.runs import simulate_all
from poissonmatch import studies
from poissonmatch.pipeline import atomic_files, batches, blocks, integrity, make_block, progress, provenance, stages
from poissonmatch.pipeline.blocks import reproduce
from poissonmatch.pipeline.table_files import load
from poissonmatch.sampling import cells
from poissonmatch.sampling.cells import Block, Cell
from poissonmatch.tables.estimate_tables import TABLES
from poissonmatch.utils.errors import IntegrityError, Problem

TEXT = """
seed: 5
studies:
  one: {dims: 2, sizes: 60, replicates: 4, block: 2, observables: [unmatched, distances, realization]}
  red: {process: two_color, rule: fussy, dims: [1, inf], sizes: 60, replicates: 4, block: 2}
  cluster: {process: {name: thomas, offspring: 3.5}, rule: multi(2), dims: 2, sizes: 60, replicates: 2, block: 2}
figures:
  fussy: {kind: fussy, studies: red}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A study file, and the folder of its finished results."""
    home = tmp_path_factory.mktemp("made")
    (home / "s.yaml").write_text(TEXT)
    file = studies.load(home / "s.yaml")
    simulate_all(file, home / "s")
    stages.aggregate(file, home / "s")
    return file, home / "s"


@pytest.fixture
def copy(made, tmp_path):
    file, folder = made
    shutil.copytree(folder, tmp_path / "s")
    return file, tmp_path / "s"


def everything(folder: Path) -> dict[str, bytes]:
    files = (p for p in sorted(folder.rglob("*")) if p.is_file() and p.name != progress.STATUS)  # it has times of files
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


def block_files(folder: Path, pattern: str = "*") -> list[Path]:
    return sorted(folder.glob(f"blocks/*/*/{pattern}"))


def refused(file, folder: Path, what: str, *words: str, drawing: bool = False) -> bool:
    """Does verify name it, and aggregate (or draw) refuse it?"""
    named = any(all(word in str(p) for word in (what, *words)) for p in integrity.verify(folder, file).problems)
    try:
        stages.draw(file, folder) if drawing else stages.aggregate(file, folder)
    except IntegrityError:
        return named
    return False


def not_repaired(file, folder: Path, made: Path) -> list[str]:
    """What is not right after a repair."""
    integrity.repair(file, folder, progress=lambda line: None)
    wrong = [str(problem) for problem in integrity.verify(folder, file).problems]
    return wrong + [name for name, data in everything(made).items() if (folder / name).read_bytes() != data]


def test_right_results_are_verified(made):
    file, folder = made
    report = integrity.verify(folder, file)
    assert report.problems == [] and report.remarks == []
    assert report.right == len(block_files(folder)) + len(TABLES)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["replicates.parquet", "distances.parquet", "json"])
def test_every_flipped_bit_is_found(made, copy, kind):
    """One bit in each of 100 bytes spread over the file, from its first to its last."""
    file, folder = copy
    path = block_files(folder, f"*.{kind}")[0]
    whole = path.read_bytes()
    manifest = blocks.manifest_of(path)
    rng = np.random.default_rng(1)
    for place in np.unique(np.linspace(0, len(whole) - 1, 100).astype(int)):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << rng.integers(8)
        path.write_bytes(flipped)
        with pytest.raises(IntegrityError, match=r"damaged|not ours|missing|format"):
            blocks.read_block_files(manifest)
    assert refused(file, folder, manifest.stem)
    assert not_repaired(file, folder, made[1]) == []


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", ["estimates.parquet", "replicates.parquet", "manifest.json"])
def test_every_flipped_bit_in_a_table_is_found(copy, name):
    file, folder = copy
    path = folder / name
    whole = path.read_bytes()
    commit = (
        range(found := whole.find(b'"commit"'), whole.find(b"\n", found)) if b'"commit"' in whole else ()
    )  # stands nowhere else
    for place in np.unique(np.linspace(0, len(whole) - 1, 25).astype(int)):
        if place in commit:
            continue
        flipped = bytearray(whole)
        flipped[place] ^= 4
        path.write_bytes(flipped)
        assert integrity.verify(folder).problems, place
        if name != "manifest.json":
            with pytest.raises(IntegrityError):
                load(path)


@pytest.mark.slow
@pytest.mark.parametrize("left", [0, 1, 100, -1])
def test_truncated(made, copy, left):
    file, folder = copy
    for path in (block_files(folder, "*.distances.parquet")[0], block_files(folder, "*.json")[-1]):
        path.write_bytes(path.read_bytes()[:left])
        assert refused(file, folder, path.name)
    assert not_repaired(file, folder, made[1]) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "value"), [("first", float("inf")), ("intensities", [0.0, 1.0]), ("dim", 1e300), ("size", "many")]
)
def test_a_manifest_with_impossible_numbers_is_damaged(copy, key, value):
    file, folder = copy
    manifest = block_files(folder, "*.json")[0]
    about = json.loads(manifest.read_bytes())
    (about if key == "first" else about["cell"])[key] = value
    manifest.write_bytes(atomic_files.to_json(about))
    assert Problem(manifest, "damaged", "it does not describe a block") in integrity.verify(folder).problems


def test_a_hole_is_missing_without_a_study_file(copy):
    file, folder = copy
    for path in block_files(folder, "000000-000002.*"):
        path.unlink()
    assert any("missing: replicates 0 to 1" in str(p) for p in integrity.verify(folder).problems)


@pytest.mark.slow
def test_swapped_blocks_are_not_ours(made, copy):
    """Two blocks change places with all their files: every checksum is right, the story is not."""
    file, folder = copy
    for path in block_files(folder, "000000-000002.*"):
        other = path.with_name(path.name.replace("000000-000002", "000002-000004"))
        if other.exists():
            held = path.read_bytes()
            path.write_bytes(other.read_bytes())
            other.write_bytes(held)
    assert refused(file, folder, "000000-000002.json")
    assert not_repaired(file, folder, made[1]) == []


@pytest.mark.slow
def test_blocks_of_another_cell_and_seed_are_not_ours(made, copy, tmp_path):
    file, folder = copy
    one, other = sorted((folder / "blocks/red").iterdir())
    for path in one.iterdir():
        shutil.copy(other / path.name, path)
    assert refused(file, folder, str(one), "not ours")
    assert not_repaired(file, folder, made[1]) == []

    (tmp_path / "t.yaml").write_text(TEXT.replace("seed: 5", "seed: 6"))
    with_seed_6 = studies.load(tmp_path / "t.yaml")
    cell = next(c for c in studies.cells(with_seed_6) if c.study == "one")
    blocks.simulate(Block(cell, 0, 2), tmp_path / "t")
    target = next((folder / "blocks/one").iterdir())
    for path in (tmp_path / "t" / "blocks" / "one" / cell.id).iterdir():
        shutil.copy(path, target / path.name)
    assert refused(file, folder, str(target), "not ours")
    assert not_repaired(file, folder, made[1]) == []


@pytest.mark.slow
def test_duplicated_replicates_are_named_if_they_differ(made, copy, monkeypatch):
    file, folder = copy
    cell = next(c for c in studies.cells(file) if c.study == "one")
    blocks.simulate(Block(cell, 1, 3), folder)
    report = integrity.verify(folder, file)
    assert report.problems == [] and any("once more" in r for r in report.remarks)
    blocks.simulate(Block(cell, 0, 2), folder)
    original = cells.seed_sequence
    monkeypatch.setattr("poissonmatch.sampling.cells.seed_sequence", lambda s, source, k: original(s + 1, source, k))
    blocks.simulate(Block(cell, 1, 3), folder)
    assert any(p.kind == "duplicated" for p in integrity.verify(folder, file).problems)
    monkeypatch.undo()
    assert not_repaired(file, folder, made[1]) == []


@pytest.mark.slow
def test_blocks_of_other_code_or_format_are_never_mixed(made, copy, monkeypatch):
    file, folder = copy
    block = next(progress.found_blocks(file, Path()))
    with monkeypatch.context() as patch:
        patch.setattr(provenance, "code_digest", lambda stage: "0" * 16)
        manifest = blocks.simulate(block, folder)
    assert refused(file, folder, str(manifest), "made by other code")
    with pytest.raises(IntegrityError, match="made by other code"):
        reproduce(manifest)
    assert not_repaired(file, folder, made[1]) == []
    with monkeypatch.context() as patch:
        patch.setattr(make_block, "BLOCK_FORMAT", 1)
        manifest = blocks.simulate(block, folder)
    assert refused(file, folder, str(manifest), "format")
    assert not_repaired(file, folder, made[1]) == []


def test_figures_are_refused_from_unverified_tables(copy):
    file, folder = copy
    estimates = folder / "estimates.parquet"
    whole = estimates.read_bytes()
    estimates.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert refused(file, folder, "estimates.parquet", drawing=True)
    estimates.write_bytes(whole)
    (folder / "manifest.json").unlink()
    assert refused(file, folder, "manifest.json", "missing", drawing=True)


def test_a_block_is_reproduced_from_its_own_metadata(made):
    file, folder = made
    for manifest in block_files(folder, "*.json"):
        before = everything(folder)
        assert len(reproduce(manifest)) >= 2
        assert everything(folder) == before


def test_a_block_with_other_numbers_is_not_reproduced(copy, monkeypatch):
    """Checksums that are right do not help a wrong result."""
    file, folder = copy
    block = next(progress.found_blocks(file, Path()))
    original = cells.seed_sequence
    with monkeypatch.context() as patch:
        patch.setattr("poissonmatch.sampling.cells.seed_sequence", lambda s, source, k: original(s + 1, source, k))
        manifest = blocks.simulate(block, folder)
    stages.aggregate(file, folder)
    assert integrity.verify(folder, file).problems == []
    with pytest.raises(IntegrityError, match="not reproduced"):
        reproduce(manifest)


def test_record_of_a_cell_and_back(made):
    for cell in studies.cells(made[0]):
        record = json.loads(json.dumps(cell.record))
        again = Cell.of_record(record)
        assert again.record == cell.record and again.fingerprint == cell.fingerprint
        assert not {"replicates", "block"} & set(record)


def test_nothing_is_writable_for_others_under_any_umask(made, tmp_path):
    block = next(progress.found_blocks(made[0], Path()))
    for mask in (0o000, 0o002, 0o022, 0o077):
        before = os.umask(mask)
        try:
            blocks.simulate(block, tmp_path / f"{mask:o}")
        finally:
            os.umask(before)
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or not path.stat().st_mode & 0o022, path


def test_a_finished_block_is_not_made_again(copy, monkeypatch):
    """What is finished and right is kept; anything less is made again."""
    file, folder = copy
    for manifest in block_files(folder, "*.json"):
        block = blocks.find_block(file, manifest)
        assert batches.right(*block) and blocks.finished(*block)
        for path in manifest.parent.glob(f"{manifest.stem}.*.parquet"):
            data = path.read_bytes()
            for place in np.linspace(0, len(data) - 1, 12).astype(int):
                path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
                assert not batches.right(*block)
            path.unlink()
            assert not batches.right(*block) and not blocks.finished(*block)
            path.write_bytes(data)
        with monkeypatch.context() as patch:
            patch.setattr(provenance, "code_digest", lambda stage: "0" * 16)
            assert not batches.right(*block) and not blocks.finished(*block)
        assert batches.right(*block)


@pytest.mark.slow
@pytest.mark.workflow
def test_the_command_line_names_each_kind_and_ends_with_4(copy):
    file, folder = copy
    first, second, third, *_ = block_files(folder, "*.json")
    first.write_bytes(first.read_bytes()[:-2])
    second.unlink()
    shutil.copy(third, third.with_name("000090-000092.json"))
    words = [sys.executable, "-m", "poissonmatch", "verify", folder, "--study", folder.parent / "s.yaml"]
    (folder.parent / "s.yaml").write_text(TEXT)
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    assert done.returncode == 4 and "Traceback" not in done.stderr
    for line in (f"{first}: damaged", f"{second}: missing", "000090-000092.json: not ours"):
        assert line in done.stderr
