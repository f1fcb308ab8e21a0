"""Wrong content with right checksums: whatever reads a table finds values out of range and rows in disorder, and says where."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.forge import as_text, forge, row_changes
from helpers.refusals import rows as table_rows
from helpers.runs import blocks_in, manifests, mend, problems, table_of
from poissonmatch.rules.catalogue import rule_named
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results.batch_files import read_manifest
from poissonmatch.studies.results.integrity import reproduce
from poissonmatch.studies.results.results import Results
from poissonmatch.studies.run import batches, stages
from poissonmatch.studies.statistics.observables import OBSERVABLES
from poissonmatch.studies.tables.tables import BLOCK_TABLES
from poissonmatch.utils.errors import IntegrityError
from poissonmatch.utils.manifests import read_json, sha256, to_json


def everything(rule: str, dim: int) -> str:
    """All that can be measured there."""
    space = pm.Torus(1.0, dim)
    return ", ".join(name for name, o in OBSERVABLES.items() if not o.incompatible(rule_named(rule), space))


# Cells: points of two colors; several partners; the one-color matching, which has a response; a torus in tiles; one with laws to be fitted.
STUDY = f"""
seed: 3
laws: fitted
studies:
  all: {{process: two_color, rule: fussy, ratios: 0.7, dims: 2, sizes: 60, replicates: 4, observables: [{everything("fussy", 2)}]}}
  two: {{rule: multi(2), dims: 3, sizes: 40, replicates: 4, block: 2, observables: [{everything("multi(2)", 3)}]}}
  one: {{dims: 2, sizes: 60, replicates: 4, observables: [{everything("one-color", 2)}]}}
  tiled: {{process: two_color, rule: fussy, ratios: 0.7, dims: 2, sizes: 60, replicates: 4, tiles: 2, observables: [distances]}}
  fitted: {{dims: 1, sizes: 1000, replicates: 16, observables: [response]}}
figures:
  tail: {{kind: tail, studies: all}}
"""


BATCH_SIZE = 1  # in blocks


def blocks_of(folder: Path, study: str) -> list[Path]:
    """The manifests of the batches of a study, by replicate."""
    found = [manifest for manifest in manifests(folder) if read_manifest(manifest).keys[0][0] == study]
    return sorted(found, key=lambda manifest: read_manifest(manifest).keys)


def read_block(manifest: Path) -> None:
    """Read the first block of a batch."""
    read_manifest(manifest).read(0)


def said(path: Path, manifest: Path, change, read, **more) -> str:
    """What reading says of a forged file, "" if it says nothing; the files are put back."""
    before = {file: file.read_bytes() for file in (path, manifest)}
    try:
        forge(path, change, manifest=manifest, **more)
        read()
        return ""
    except IntegrityError as error:
        return str(error)
    finally:
        for file, data in before.items():
            file.write_bytes(data)


# ---- every table of a block ----


@pytest.mark.slow
@pytest.mark.parametrize("study", ["all", "two", "one", "tiled"])
@pytest.mark.parametrize("table", BLOCK_TABLES.values(), ids=lambda t: t.name)
def test_rows_that_are_twice_or_not_sorted_are_found(made, table, study):
    for manifest in blocks_of(made[1], study):
        path = table_of(manifest, table.name)
        if not path.exists():  # realizations, of the first block only; tiles have neither these nor frogs
            continue
        for kind, change in row_changes(table, as_text(pd.read_parquet(path))):
            text = said(path, manifest, change, lambda manifest=manifest: read_block(manifest))
            known = ": not ours: not a table" if "column" in kind else ": impossible: table "
            assert known in text and f"{manifest.stem}." in text, (kind, text)


OTHER_TYPES = {"string": "int64", "int64": "float64", "float64": "int32", "bool": "int64"}


@pytest.mark.parametrize("table", BLOCK_TABLES.values(), ids=lambda t: t.name)
def test_a_column_of_another_type_is_named(made, table):
    manifest = blocks_of(made[1], "all")[0]
    path = table_of(manifest, table.name)
    for column in table.columns:
        other = OTHER_TYPES[column.type]

        def change(rows: pd.DataFrame, name=column.name) -> pd.DataFrame:
            return rows.assign(**{name: 1})

        text = said(path, manifest, change, lambda: read_block(manifest), as_type={column.name: other})
        assert ": not ours: not a table" in text and str(path) in text, (column.name, text)


# Numbers of a column, and words of the message.
WRONG = """
unmatched_0 → [-5, -5, -5, -5] → unmatched_0 = -5; expected: finite from 0
replicate → [0, 1, 1, 2] → expected: no two rows have the same study, rule, dim, size, ratio, cell, replicate
"""


@pytest.mark.parametrize("column, values, words", table_rows(WRONG))
def test_the_message_says_table_row_value_and_law(made, column, values, words):
    manifest, change = blocks_of(made[1], "all")[0], {column: json.loads(values)}
    path = table_of(manifest, "replicates")
    text = said(path, manifest, lambda rows: rows.assign(**change), lambda: read_block(manifest))
    assert f"{manifest.stem}." in text and "impossible: table replicates" in text and words in text, text


def both_blocks(made, folder: Path) -> Path:
    """The manifest of a batch of both blocks of the study `two`."""
    both = [block for manifest in blocks_of(made[1], "two") for block in blocks_in(manifest)]
    return batches.make(both, folder / "s")


def test_a_wrong_row_in_any_block_of_a_batch_is_found(made, tmp_path):
    """Of rows with right checksums, also behind others in a row group."""
    manifest = both_blocks(made, tmp_path)
    path = table_of(manifest, "replicates")
    for block in range(2):

        def change(rows: pd.DataFrame, block: int = block) -> pd.DataFrame:
            return rows.assign(unmatched_0=rows["unmatched_0"].where(rows["replicate"] // 2 != block, -5))

        text = said(path, manifest, change, lambda: reproduce(manifest))
        assert f"{path}: impossible: table replicates, row 0" in text and f"replicate {2 * block}" in text


def listed_anew(manifest: Path, table: str, rows: list | None = None) -> None:
    """Write the SHA-256 of a table into the manifest of its batch, and other numbers of rows of its blocks."""
    about = read_json(manifest)
    about["sha256"][f"{table}/{manifest.stem}.parquet"] = sha256(table_of(manifest, table).read_bytes())
    about["rows"][table] = rows or about["rows"][table]
    manifest.write_bytes(to_json(about))


@pytest.mark.parametrize("studies_of", [("all", "tiled"), ("two", "two")], ids=["of two cells", "of two blocks"])
@pytest.mark.parametrize("table", ["replicates", "distances"])
def test_tables_of_two_batches_that_change_places(copy, studies_of, table):
    file, folder = copy
    both = blocks_of(folder, studies_of[0])[0], blocks_of(folder, studies_of[1])[-1]
    paths = [table_of(manifest, table) for manifest in both]
    data = [(path.read_bytes(), read_json(manifest)["rows"][table]) for path, manifest in zip(paths, both, strict=True)]
    for path, manifest, (content, rows) in zip(paths, both, reversed(data), strict=True):
        path.write_bytes(content)
        listed_anew(manifest, table, rows)
    expected = [
        f"{path}: damaged: it holds other rows than those of {blocks_in(m)[0]}"
        for path, m in zip(paths, both, strict=True)
    ]
    assert sorted(map(str, problems(folder))) == sorted(expected)
    with pytest.raises(IntegrityError, match=f"{both[0].stem}.*other rows than those of"):
        stages.aggregate(file, folder)
    assert mend(file, folder)[0] == 2
    assert problems(folder, file) == []


@pytest.mark.parametrize("table", ["replicates", "distances"])
def test_a_manifest_without_a_table_of_its_blocks(copy, table):
    file, folder = copy
    manifest = blocks_of(folder, "two")[1]
    about = read_json(manifest)
    del about["rows"][table], about["sha256"][f"{table}/{manifest.stem}.parquet"]
    manifest.write_bytes(to_json(about))
    assert f"{manifest}: damaged: it lists other tables" in "\n".join(map(str, problems(folder)))
    with pytest.raises(IntegrityError, match=f"{manifest.name}: damaged: it lists other tables"):
        stages.aggregate(file, folder)


def test_rows_that_a_manifest_counts_to_another_block(made, tmp_path):
    manifest = both_blocks(made, tmp_path)
    listed_anew(manifest, "replicates", [1, 3])
    with pytest.raises(IntegrityError, match=f"other rows than those of {blocks_in(manifest)[1]}"):
        read_manifest(manifest).read(1)


# ---- who reads them ----


@pytest.mark.slow
def test_every_reader_refuses_a_block_and_repair_makes_it_again(made, copy, tmp_path):
    file, folder = copy
    manifest = blocks_of(folder, "two")[1]
    block, (stored,) = table_of(manifest, "replicates"), blocks_in(manifest)
    cell = next(cell for cell in studies.cells(file) if cell.id == stored.cell.id)
    right = block.read_bytes()
    forge(block, lambda f: f.assign(sum_distance_0=np.nan), manifest=manifest)
    for study in (None, file):
        assert [(p.path, p.kind) for p in problems(folder, study)] == [(block, "impossible")]
    for read in (
        lambda: stages.aggregate(file, folder),
        lambda: reproduce(manifest),
        lambda: (results := Results(folder)).read_cell(results.blocks(cell)),
    ):
        with pytest.raises(IntegrityError, match="sum_distance_0 = nan; expected: finite from 0"):
            read()
    assert mend(file, folder)[0] == 1
    assert block.read_bytes() == right and problems(folder, file) == []


# ---- the tables of a study ----


def test_figures_of_impossible_tables_are_refused(copy):
    file, folder = copy
    forge(
        folder / "estimates.parquet",
        lambda f: f.assign(standard_error=f["standard_error"].mask(f["quantity"] == "tail", -0.5)),
        manifest=folder / "manifest.json",
    )
    for reader in (lambda: stages.draw(file, folder), lambda: pm.load(folder / "estimates.parquet")):
        with pytest.raises(
            IntegrityError, match=r"estimates.parquet: impossible: .*standard_error = -0.5; expected: finite from 0"
        ):
            reader()
