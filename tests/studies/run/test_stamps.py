"""Stamps, which say what tables and figures are made from, and plans, which are used again."""

from operator import eq
from pathlib import Path

import pytest

from helpers.runs import run_study, write_study
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.report import reports
from poissonmatch.studies.run import batches, stages
from poissonmatch.studies.run.workflow import Workflow
from poissonmatch.utils import code_digests

STUDY = """
studies:
  a: {dims: 1, sizes: 60, replicates: 4, block: 2, observables: [distances]}
  b: {process: two_color, rule: fussy, dims: 1, sizes: 60, ratios: [0.5, 1.0], replicates: 4}
figures:
  tail: {kind: tail, studies: a}
  fussy: {kind: fussy, studies: b}
"""


@pytest.fixture
def home(tmp_path):
    """A folder with a study file, and its finished results."""
    path = write_study(tmp_path, STUDY, "s")
    folder = run_study(path, tmp_path / "r")
    stages.draw(studies.load(path), folder)
    reports.report(path, studies.load(path), folder)
    return tmp_path


def flow(home, text=""):
    """The workflow of the study in a folder, which has this text from now on."""
    path = write_study(home, text, "s") if text else home / "s.yaml"
    return Workflow({"study": str(path), "results": str(home / "r")})


def test_a_stamp_is_named_by_settings_and_code_and_forgotten_when_its_files_change(home, monkeypatch):
    def digests(text=""):
        one = flow(home, text)
        return one.digest, one.figure_digest("tail"), one.report_digest

    before = digests()
    same = digests(STUDY.replace("studies:\n", "studies:  # mine\n").replace("block: 2", "block: 3"))
    assert [*map(eq, same, before)] == [True, True, False]
    titled = digests(STUDY.replace("kind: tail,", "title: Tails, kind: tail,"))
    assert [*map(eq, titled, before)] == [True, False, False]
    due = flow(home)._due_stamps()
    assert list(due) == ["draw_tail"] and due["draw_tail"].endswith(digests()[1])
    for name in ("draw_tail", "draw_fussy-log", "draw_fussy"):
        stamp = Path(flow(home).stamp(name, "0"))
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    current = Path(due["draw_tail"])
    current.touch()
    flow(home).forget_stamps(of_others=True)
    assert sorted(path.name for path in stamp.parent.iterdir()) == ["draw_fussy-0", "draw_fussy-log-0", current.name]
    flow(home).forget_stamps()
    assert sorted(path.name for path in stamp.parent.iterdir()) == ["draw_fussy-0", "draw_fussy-log-0"]
    stages.draw(flow(home).file, flow(home).copy, ["fussy"])
    assert [path.name for path in stamp.parent.iterdir()] == ["draw_fussy-log-0"]  # which is of another figure
    more = STUDY.replace("replicates: 4, block", "replicates: 5, block")
    assert digests(more)[0] != before[0] and list(flow(home)._due_stamps()) == ["aggregate"]
    real = code_digests.of_stage
    monkeypatch.setattr(code_digests, "of_stage", lambda name: "0" * 16 if name == "aggregate" else real(name))
    assert digests(STUDY)[0] != before[0]


def test_a_plan_is_used_again_while_it_has_the_missing_blocks(home):
    more = STUDY.replace("replicates: 4, block", "replicates: 7, block")
    first = flow(home, more)
    assert (
        first.plans_to_aggregate == [first.plan(0)]
        and first.batches_to_aggregate == []
        and first.plan(0).endswith(f"/{first.digest}-0-0.jsonl")
    )
    batches.write_plan(Path(first.plan(0)), first.file, first.folder, minutes=1e-9, cores=2)
    jobs = [*batches.read_plan(Path(first.plan(0))).jobs]
    assert len(jobs) > 1 and len(first.batches_to_aggregate) == 3 * len(jobs)
    for job in jobs:
        batches.work(first.folder / f"blocks/{job}.json")
        assert flow(home, more).plan_name == first.plan_name
    assert flow(home, STUDY).plans_to_aggregate == []  # nothing is missing, and there is no plan of these settings
    assert {"aggregate"} == flow(home, more).out_of_date.keys()
    for manifest in (first.folder / "blocks").glob("*.json"):  # what that plan did not ask for
        if manifest.stem not in jobs:
            manifest.unlink()
    again = flow(home, more)
    assert again.plan_name == f"{first.digest}-1" and again.plans_to_aggregate == [again.plan(0)]
    batches.write_plan(Path(again.plan(0)), again.file, again.folder, minutes=1, cores=1)
    assert [path.name for path in sorted(again.plans.iterdir())] == [f"{first.digest}-1-0.jsonl"]


def test_a_job_draws_several_of_many_figures(home):
    def together(figures):
        lines = "".join(f"  f{number}: {{kind: tail, studies: a}}\n" for number in range(figures))
        return flow(home, STUDY[: STUDY.index("  tail:")] + lines)

    assert [*map(len, together(8).drawn_together)] == [1] * 8
    assert [*map(len, together(41).drawn_together)] == [20, 20, 1]
    assert together(41).reason(["f0", "f1"]) == "new"
