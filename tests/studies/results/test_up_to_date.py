"""What is out of date is found by what lies on disk, for every edit of a study file; and just that is made anew."""

import shutil
from pathlib import Path

import pytest

from helpers.runs import (
    batch_bytes,
    blocks_in,
    blocks_of_study,
    cells_of,
    mend,
    missing,
    planned,
    problems,
    run_study,
    table_bytes,
    write_study,
)
from helpers.tables import tables
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.report import reports
from poissonmatch.studies.results import up_to_date
from poissonmatch.studies.results.results import Results
from poissonmatch.studies.run import batches, stages
from poissonmatch.studies.run.workflow import Workflow
from poissonmatch.studies.sampling.cells import Block, Cell
from poissonmatch.studies.study_files import cost
from poissonmatch.utils import code_digests
from poissonmatch.utils.errors import IntegrityError
from poissonmatch.utils.manifests import MANIFEST, read_json

STUDY = """
studies:
  a: {dims: [1, 2], sizes: 60, replicates: 4, block: 2, observables: [distances]}
  b: {process: two_color, rule: fussy, dims: 1, sizes: 60, ratios: [0.5, 1.0], replicates: 4}
figures:
  tail: {kind: tail, studies: a}
  fussy: {kind: fussy, studies: b}
"""
BOTH = ["fussy", "tail"]
TABLES = tables(__file__)
EDITS = TABLES["edits"]


def work(path: Path, results: Path) -> tuple[int, list[str]]:
    """What the rules of Snakemake do, in this process: blocks made, figures drawn."""
    flow = Workflow({"study": str(path), "results": str(results)})
    late = flow.out_of_date
    made, drawn = 0, []
    if "simulate" in late:
        plan, wanted = planned(flow.file, flow.folder)
        for manifest in wanted:
            batches.work(manifest)
            made += len(blocks_in(manifest))
    if "simulate" in late or "aggregate" in late:
        stages.aggregate(flow.file, flow.folder)
    if late:
        listed = read_json(flow.folder / MANIFEST)["sha256"]
        drawn = stages.draw(flow.file, flow.folder, up_to_date.figures(flow.file, flow.folder, listed))
        reports.report(path, flow.file, flow.folder)
    return made, sorted({path.stem for path in drawn})


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    home = tmp_path_factory.mktemp("finished")
    path = write_study(home, STUDY, "s")
    assert work(path, home / "r") == (6, BOTH)
    return home


@pytest.fixture
def home(finished, tmp_path):
    shutil.copytree(finished, tmp_path / "home")
    return tmp_path / "home"


def complaints(path: Path, folder: Path) -> list[str]:
    return [str(problem) for problem in problems(folder, path)]


@pytest.mark.parametrize("edit", EDITS)
def test_verify_says_what_an_edit_of_the_study_changes(home, edit):
    old, new, *_, words = EDITS[edit]
    assert STUDY.count(old) == 1
    path, folder = write_study(home, STUDY.replace(old, new), "s"), home / "r/s"
    said = complaints(path, folder)
    assert any(words in line for line in said) if words else said == []
    assert not any(line.endswith(" more") for line in said)  # differences than are listed


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_the_study(home, edit):
    old, new, made, drawn, words = EDITS[edit]
    path, folder = write_study(home, STUDY.replace(old, new), "s"), home / "r/s"
    before = batch_bytes(folder)
    if words and "figures" not in words:
        with pytest.raises(IntegrityError, match="out of date"):
            stages.draw(studies.load(path), folder)
    assert work(path, home / "r") == (made, drawn)
    after = batch_bytes(folder)
    assert {path: after[path] for path in before} == before
    assert complaints(path, folder) == []
    assert work(path, home / "r") == (0, [])


@pytest.mark.slow
@pytest.mark.long
def test_the_tables_after_an_edit_are_those_of_a_study_that_was_so_from_the_first(home, tmp_path):
    for edit in ("more replicates", "fewer replicates", "one ratio less"):
        path = write_study(home, STUDY.replace(*EDITS[edit][:2]), "s")
        work(path, home / "r")
        work(path, tmp_path / edit)
        assert table_bytes(home / "r/s") == table_bytes(tmp_path / edit / "s"), edit


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    "stage, made, drawn", [("simulate", 6, BOTH), ("aggregate", 0, []), ("draw", 0, BOTH), ("summarize", 0, [])]
)
def test_other_code_makes_anew_what_it_makes(home, monkeypatch, stage, made, drawn):
    real = code_digests.of_stage
    monkeypatch.setattr(code_digests, "of_stage", lambda name: "0" * 16 if name == stage else real(name))
    assert Workflow({"study": str(home / "s.yaml"), "results": str(home / "r")}).out_of_date
    found, figures = work(home / "s.yaml", home / "r")
    # The provenance in a table changes its bytes, and so the figures' source.
    assert (found, figures) == (made, BOTH if stage == "aggregate" else drawn)
    assert complaints(home / "s.yaml", home / "r/s") == []
    assert work(home / "s.yaml", home / "r") == (0, [])


@pytest.mark.slow
def test_a_style_file_counts_by_what_stands_in_it(home):
    style = home / "mine.mplstyle"
    style.write_text("font.size: 9\n")
    path = write_study(home, STUDY.replace("kind: tail,", "style: mine.mplstyle, kind: tail,"), "s")
    assert work(path, home / "r") == (0, ["tail"])
    style.rename(home / "other.mplstyle")
    write_study(home, STUDY.replace("kind: tail,", "style: other.mplstyle, kind: tail,"), "s")
    assert work(path, home / "r") == (0, [])
    (home / "other.mplstyle").write_text("font.size: 10\n")
    assert complaints(path, home / "r/s") != [] and work(path, home / "r") == (0, ["tail"])


def test_a_file_of_octaves_counts_by_what_it_contains(tmp_path):
    cells = "{rule: fussy, dims: 1, sizes: 400, ratios: 0.5, replicates: 2, observables: [unmatched]}"
    text = f"studies:\n  a: {cells}\nfigures:\n  f: {{kind: fussy, studies: a, format: svg, octaves: u.csv}}\n"
    points = tmp_path / "u.csv"
    points.write_text("dim,ratio,log_u,standard_error\n1,0.25,-3.0,0.1\n")
    path = write_study(tmp_path, text, "s")
    work(path, tmp_path / "r")
    assert work(path, tmp_path / "r") == (0, [])
    points.write_text("dim,ratio,log_u,standard_error\n1,0.25,-3.1,0.1\n")
    assert work(path, tmp_path / "r") == (0, ["f"])


def test_results_of_another_study_file_of_the_same_name(home):
    """In the same folder: what differs is said, and no table of the one is shown for the other."""
    (home / "other").mkdir()
    other = write_study(home / "other", "studies: {mine: {dims: 1, sizes: 9, replicates: 2}}\n", "s")
    assert any("studies.a" in line and "out of date" in line for line in complaints(other, home / "r/s"))
    assert work(other, home / "r") == (1, [])
    assert any("studies.mine" in line for line in complaints(home / "s.yaml", home / "r/s"))


HARM = {  # to a file: what is drawn by the next run, or the error
    "figures/tail.pdf": ["tail"],
    "figures/tail.json": ["tail"],
    "report.html": [],
    "pages.json": [],
}


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["gone", "damaged", "cut", "edited"])
@pytest.mark.parametrize("name", HARM)
def test_figures_and_report_that_are_not_as_they_were_written(home, name, harm):
    path = home / "r/s" / name
    whole = path.read_bytes()
    changed = {"damaged": b"x" + whole[1200:], "cut": whole[:-1], "edited": whole[:-9] + b"x" + whole[-8:]}
    path.unlink() if harm == "gone" else path.write_bytes(changed[harm])
    assert work(home / "s.yaml", home / "r") == (0, HARM[name])
    assert path.read_bytes() == whole


def test_a_folder_in_place_of_a_table_is_not_made_again_in_silence(home):
    table = home / "r" / "s" / "estimates.parquet"
    table.unlink()
    table.mkdir()
    with pytest.raises(IntegrityError, match=r"estimates\.parquet: not ours"):
        up_to_date.tables(studies.load(home / "s.yaml"), table.parent)


@pytest.mark.slow
def test_a_damaged_report_is_set_aside_by_repair(home):
    """A run writes it anew."""
    folder = home / "r/s"
    (folder / "report.html").write_bytes(b"x")
    assert [line.partition("s/")[2] for line in complaints(home / "s.yaml", folder)] == [
        "report.html: damaged: not the file that pages.json lists (its SHA-256 differs)"
    ]
    tables = table_bytes(folder)
    assert mend(studies.load(home / "s.yaml"), folder) == (0, 2)
    assert complaints(home / "s.yaml", folder) == [] and not (folder / "report.html").exists()
    assert table_bytes(folder) == tables
    assert work(home / "s.yaml", home / "r") == (0, []) and (folder / "report.html").exists()


# ---- which blocks hold the replicates ----


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("there, asked, tiled, made", TABLES["tilings"].values(), ids=TABLES["tilings"])
def test_blocks_on_disk_are_used_as_they_are(tmp_path, there, asked, tiled, made, together):
    text = f"studies: {{a: {{dims: 1, sizes: 9, {asked}}}}}\n"
    (cell,) = cells_of(write_study(tmp_path, text, "s"))
    on_disk = [Block(cell, first, end) for first, end in there]
    for batch in ([on_disk] * bool(on_disk)) if together else ([block] for block in on_disk):
        batches.make(batch, tmp_path)
    results = Results(tmp_path)
    assert [[block.first, block.end] for block in results.blocks(cell)] == tiled
    assert [[block.first, block.end] for block in results.blocks(cell) if block not in results] == made


GROWN = STUDY.replace(
    "dims: [1, 2], sizes: 60, replicates: 4, block: 2", "dims: [1, 2, 3], sizes: 60, replicates: 7, block: 3"
)


@pytest.mark.slow
def test_finished_blocks_are_used_in_whatever_batches_they_are(finished, tmp_path):
    """After a grown grid, more replicates, other blocks and other jobs; some blocks are there twice, in other batches."""
    folder = tmp_path / "r/s"
    before = studies.load(finished / "s.yaml")
    old = blocks_of_study(before)
    for batch in (old[:1], old[1:5], old[4:], [Block(old[0].cell, 1, 3)]):
        batches.make(batch, folder)
    held = batch_bytes(folder)
    path = write_study(tmp_path, GROWN, "s")
    file = studies.load(path)
    assert [str(block).split(": ")[1] for block in missing(file, folder)] == [
        "replicates 4 to 6",
        "replicates 4 to 6",
        "replicates 0 to 2",
        "replicates 3 to 5",
        "replicates 6 to 6",
    ]
    plan, wanted = planned(file, folder, minutes=1e-9, cores=3)
    for manifest in wanted:
        batches.work(manifest)
    stages.aggregate(file, folder)
    assert batch_bytes(folder).items() > held.items() and problems(folder, file) == []
    assert table_bytes(folder) == table_bytes(run_study(path, tmp_path / "anew"))


def test_batches_are_even_and_keep_all_cores_busy():
    process = (("name", "poisson"),)
    cells = [Cell("s", process, "one-color", 2, n, (1.0,), ("unmatched",), 8, 2, 1) for n in (1e5, 3e5, 1e6)]
    wanted = [(number, block) for number, cell in enumerate(cells) for block in cell.blocks()]
    block_seconds = {size: 2 * cost.replicate_seconds(2, size, "one-color", ("unmatched",)) for size in (1e5, 3e5, 1e6)}
    for minutes, cores in ((0.5, 2), (0.05, 2), (10, 1), (0.02, 3)):
        found = batches.deal(wanted, minutes, cores)
        dealt = [block for batch in found for block in batch.blocks]
        assert len(dealt) == len(wanted) and {*dealt} == {*wanted}
        seconds, longest = [batch.seconds for batch in found], max(block_seconds.values())
        assert max(seconds) - min(seconds) <= longest  # as even as whole blocks allow
        assert len(found) >= min(sum(seconds) / (60 * minutes), len(wanted))
        if sum(seconds) > cores * cost.SHORTEST and len(wanted) >= cores:
            assert len(found) % cores == 0 or len(found) == len(wanted)
