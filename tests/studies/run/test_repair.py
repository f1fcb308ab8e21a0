"""`repair` mends what `verify` finds, and leaves nothing that it complains of."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.forge import forge
from helpers.hostile import Change, changes
from helpers.processes import poissonmatch
from helpers.runs import (
    batch_bytes,
    batch_with,
    blocks_in,
    load_study,
    manifests,
    mend,
    other_code,
    other_numbers,
    problems,
    simulate_all,
    table_of,
)
from helpers.tables import tables
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import cell_records, integrity
from poissonmatch.studies.results.results import QUARANTINE
from poissonmatch.studies.run import batches, stages
from poissonmatch.studies.run.repair import repair
from poissonmatch.studies.sampling.cells import Block
from poissonmatch.utils.manifests import read_json, to_json

STUDY = """
seed: 5
studies:
  one: {dims: 2, sizes: 40, replicates: 4, block: 2, observables: [distances, realization]}
  red: {process: two_color, rule: fussy, dims: 1, sizes: 40, replicates: 4, block: 2}
figures:
  tail: {kind: tail, studies: one}
"""


def manifest_in(folder: Path) -> Path:
    return batch_with(folder, "one")


def by_other_code(folder: Path, names: str = "*.json") -> None:
    """As if these batches had been made by another version."""
    for manifest in sorted(folder.glob(f"blocks/{names}")):
        here = blocks_in(manifest)
        for path in (manifest, *integrity.read_manifest(manifest).files):
            path.unlink()
        with other_code():
            batches.make(here, folder)


def some_by_other_code(names: str) -> Change:
    return lambda folder: by_other_code(folder, names)


def with_other_numbers(folder: Path) -> None:
    """A batch of one block with other numbers, as a wrong machine makes them."""
    cell = blocks_in(manifest_in(folder))[0].cell
    with other_numbers():
        batches.make([Block(cell, 1, 3)], folder)


def of_another_study(folder: Path) -> None:
    """A damaged batch that nobody asks for."""
    cell = blocks_in(manifest_in(folder))[0].cell
    manifest = batches.make([Block(replace(cell, seed=99), 0, 2)], folder)
    manifest.write_bytes(manifest.read_bytes()[:-3])


def entry(name: str, key: str, value: object) -> Change:
    """Change an entry of a manifest."""
    return lambda folder: (folder / name).write_bytes(to_json({**read_json(folder / name), key: value}))


def copied(name: str, other: str) -> Change:
    return lambda folder: shutil.copy(folder / name, folder / other)


def no_folder(name: str) -> Change:
    return lambda folder: shutil.rmtree(folder / name)


def tables_of_other_code(folder: Path) -> None:
    """Tables that were made of blocks of other code, which have been made again since."""
    file = load_study(folder.parent, STUDY)
    by_other_code(folder)
    with other_code():
        stages.aggregate(file, folder)
    simulate_all(file, folder)


def wrong(table: str, column: str, value: object) -> Change:
    """Wrong values with right checksums."""

    def damage(folder: Path) -> None:
        manifest = manifest_in(folder)
        forge(table_of(manifest, table), lambda f: f.assign(**{column: value}), manifest=manifest)

    return damage


UNMATCHED = wrong("replicates", "unmatched_0", -5)
DAMAGES = tables(__file__)
CHANGES = (
    by_other_code,
    some_by_other_code,
    with_other_numbers,
    of_another_study,
    entry,
    copied,
    no_folder,
    tables_of_other_code,
    wrong,
)


def damage(folder: Path, given: list) -> None:
    """Damage results; BATCH is the name of a batch of the study `one`."""
    batch = manifest_in(folder).stem
    for change, *words in given:
        named = [word.replace("BATCH", batch) if isinstance(word, str) else word for word in words]
        changes([[change, *named]], *CHANGES)(folder)


def rows_of(folder: Path) -> dict[str, list[dict]]:
    """The rows of all tables of the blocks of the installed code that are in use, whatever their batches."""
    file = load_study(folder.parent, STUDY)
    results = batches.Results(folder)
    return {cell.id: results.read_cell(results.blocks(cell)) for cell in studies.cells(file)}


@pytest.mark.slow
@pytest.mark.parametrize("case", DAMAGES)
def test_repair_leaves_nothing_that_verify_complains_of(made, copy, case):
    file, folder = copy
    damage(folder, DAMAGES[case]["given"])
    kinds = {*DAMAGES[case]["kinds"]}
    strays = {path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.read_bytes()[:5] == b"stray"}
    found = integrity.verify(folder, file)
    assert {problem.kind for problem in found.problems} <= kinds and bool(found.problems) == bool(kinds), found.problems
    mend(file, folder)
    for report in (integrity.verify(folder, file), integrity.verify(folder)):
        assert report.problems == [] and report.unfinished == [], report.problems
    assert mend(file, folder) == (0, 0)
    for path in made[1].rglob("*"):
        if path.is_file() and path.name != cell_records.STATUS and "blocks" not in path.parts:
            assert (folder / path.relative_to(made[1])).read_bytes() == path.read_bytes(), path.name
    assert rows_of(folder) == rows_of(made[1])
    kept = {path.read_bytes() for path in (folder / QUARANTINE).rglob("*") if path.is_file()}
    assert strays <= kept  # nothing is deleted


def test_verify_and_repair_agree_on_batches_of_other_code(copy):
    """With a study file they are a problem to both; alone, and all by one version, they are fit to be kept."""
    file, folder = copy
    by_other_code(folder)
    with_study, alone = integrity.verify(folder, file), integrity.verify(folder)
    assert {p.path for p in with_study.problems if p.path.parent.name == "blocks"} == {*manifests(folder)}
    assert [(p.path.name, p.kind) for p in alone.problems] == [("manifest.json", "made by other code")]
    assert any("made by other code" in remark for remark in alone.remarks)
    old = manifests(folder)
    lines: list[str] = []
    assert repair(file, folder, progress_line=lines.append)[0] == 4
    assert any(line.endswith(": 4 blocks made again") for line in lines)
    for manifest in old:
        assert any(line.startswith(f"{manifest}: moved to") for line in lines)


def test_what_is_moved_aside_twice_is_kept_twice(copy):
    file, folder = copy
    for text in ("one", "two"):
        (folder / "blocks/notes.txt").write_text(text)
        mend(file, folder)
    kept = sorted((folder / QUARANTINE).rglob("notes.txt*"))
    assert [path.read_text() for path in kept] == ["one", "two"]


def test_the_files_of_a_batch_are_moved_together_and_figures_drawn_again(copy):
    file, folder = copy
    manifest = manifest_in(folder)
    files = [manifest, *integrity.read_manifest(manifest).files]
    picture, *_ = stages.draw(file, folder)
    table_of(manifest, "distances").write_bytes(b"other")
    picture.unlink()
    repair(file, folder)
    assert all((folder / QUARANTINE / path.relative_to(folder)).exists() for path in files) and picture.exists()


def test_folders_may_be_links_to_another_disk(copy, tmp_path):
    file, folder = copy
    for number, path in enumerate((folder / "blocks/replicates", folder / "blocks")):
        shutil.move(path, tmp_path / f"disk{number}")
        path.symlink_to(tmp_path / f"disk{number}")
    assert problems(folder, file) == []
    stages.aggregate(file, folder)


def test_a_repair_that_does_not_help_raises(copy, monkeypatch):
    """A batch that is made with the same damage again."""
    file, folder = copy
    UNMATCHED(folder)
    bad = batch_bytes(folder)
    real = batches.make

    def make(blocks, folder):
        manifest = real(blocks, folder)
        for path, data in bad.items():
            path.write_bytes(data)
        return manifest

    monkeypatch.setattr(batches, "make", make)
    kept = []
    for _ in range(2):  # the second time nothing is moved
        with pytest.raises(RuntimeError, match="unmatched_0 = -5.*made again, and another repair does not mend it"):
            mend(file, folder)
        kept.append(sorted((folder / QUARANTINE).rglob("*")))
    assert kept[0] == kept[1] != []


@pytest.mark.slow
@pytest.mark.workflow
def test_the_command_line_offers_repair(copy):
    file, folder = copy
    (folder.parent / "s.yaml").write_text(STUDY)
    UNMATCHED(folder)
    done = poissonmatch("verify", folder, "--study", folder.parent / "s.yaml")
    assert done.returncode == 4 and len(done.stderr.splitlines()) == 2
    assert "impossible: table replicates, row 0 (study one, " in done.stderr
    assert "replicate 0): unmatched_0 = -5; expected: finite from 0" in done.stderr
    words = f"poissonmatch repair {folder.parent / 's.yaml'} --results {folder.parent} makes them again\n"
    assert done.stderr.endswith(f"\n{words}")
    assert poissonmatch("repair", folder.parent / "s.yaml", "--results", folder.parent).returncode == 0
    done = poissonmatch("verify", folder)
    assert done.returncode == 0 and "files verified" in done.stdout
