"""Lists wherever a study varies: several rules, one value instead of a list of one, and options as Snakemake has them."""

import pytest
import yaml

import poissonmatch as pm
from helpers.command_line import run
from helpers.refusals import refusal, rows
from helpers.runs import write_study
from poissonmatch.cli.main import app
from poissonmatch.cli.options import misuse, misuse_text
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.figures.draw import draw
from poissonmatch.studies.study_files import read

BOTH = ["two-color", "fussy"]
STUDY = {"process": "two_color", "dims": [1, 2], "sizes": 60, "ratios": [0.5, 1], "replicates": 4}


def file_of(**more):
    return read.of_data({"studies": {"a": {**STUDY, **more}}}, "s")


def test_the_cells_of_several_rules_are_those_of_each_alone():
    together = file_of(rule=BOTH)
    alone = [cell for rule in BOTH for cell in studies.cells(file_of(rule=rule))]
    assert studies.cells(together) == alone and studies.plan.count(together).cells == len(alone) == 8
    assert len({cell.id for cell in alone}) == 8 and alone[0].source == alone[4].source
    assert studies.cells(file_of(rule=["fussy"])) == studies.cells(file_of(rule="fussy"))
    assert file_of(rule=["fussy"]).studies["a"].rule == "fussy"


LISTS = """
rule: [one-color, two-color], process: poisson, ratios: null → rule[1]: one-color and two-color need points
rule: [fussy, two-color, fussy] → rule[2]: fussy occurs twice
rule: [] → rule: must be a rule, or a list of 1 to 100 rules
rule: [fussy, fusy] → did you mean 'fussy'?
process: [poisson, binomial] → process: 2 processes, and one-color has 1 color
"""


@pytest.mark.parametrize("keys, said", rows(LISTS))
def test_lists_that_cannot_be(keys, said):
    assert said in refusal(file_of, **yaml.safe_load(f"{{{keys}}}"))


def test_one_value_instead_of_a_list():
    assert file_of(rule="fussy", observables="distances").studies["a"].observables == ["distances"]


@pytest.mark.slow
def test_rules_are_compared_on_the_same_points():
    sweep = pm.sweep(**STUDY, rule=BOTH)
    points = sweep.replicates.pivot(index=["dim", "ratio", "replicate"], columns="rule", values="points_1")
    assert len(points) == 16 and (points["fussy"] == points["two-color"]).all()
    order = sweep.transitions[["rule", "dim", "ratio", "color"]]
    assert order.equals(order.sort_values([*order], ignore_index=True))
    drawing = draw("transition", sweep.estimates, ["a"] if "a" in set(sweep.estimates["study"]) else None)
    texts = [text.get_text() for legend in drawing.figure.legends for text in legend.get_texts()]
    texts += [text.get_text() for ax in drawing.figure.axes if (of := ax.get_legend()) for text in of.get_texts()]
    assert all(any(word in text for text in texts) for word in ("fussy", "two-color")), texts


def test_a_new_study_by_the_name_of_its_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "mine.yaml").stdout == "mine.yaml\n"


def test_a_dry_run_writes_nothing(tmp_path):
    path = write_study(tmp_path, "studies: {a: {dims: 1, sizes: 20, replicates: 2}}", "s")
    done = run("run", path, "-n", "-j", 2, "--results", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert f"{tmp_path / 'out' / 's'}: simulate blocks: 1 missing" in done.stdout.splitlines()
    assert [path.name for path in tmp_path.iterdir()] == ["s.yaml"]


def test_output_is_answered_with_results():
    with pytest.raises(misuse()) as error:
        app(["run", "mine.yaml", "--output", "here"], standalone_mode=False)
    expected = "No such option: --output; results are written to the folder --results; see "
    assert expected in misuse_text(error.value)
