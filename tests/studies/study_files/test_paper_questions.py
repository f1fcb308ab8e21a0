"""config/paper-questions.yaml and play-length.yaml: their plans, and tiny versions from the points to the figures."""

import pytest
import yaml

from helpers.checkout import ROOT
from helpers.runs import run_study
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.run import stages
from poissonmatch.studies.study_files import plan

CONFIGS = ROOT / "config"


@pytest.mark.parametrize(
    "name, some, cells",
    [
        (
            "paper-questions",
            {"desirers", "minority", "misere", "labels", "fussy-lattice", "fussy-clusters"},
            3 + 15 + 3 + 3 + 3 + 6 + 6 + 72,
        ),
        ("play-length", {"friendly", "misere", "fussy", "colored-points"}, 12 + 3 * 6),
    ],
)
def test_the_studies_are_planned(name, some, cells):
    file = studies.load(CONFIGS / f"{name}.yaml")
    assert some <= set(file.studies)
    assert plan.count(file).cells == cells


@pytest.mark.slow
@pytest.mark.parametrize("name", ["paper-questions", "play-length"])
def test_a_tiny_version_gives_all_tables_and_figures(name, tmp_path):
    """Of 64 points, a square and a cube."""
    tree = yaml.safe_load((CONFIGS / f"{name}.yaml").read_text())
    for study in tree["studies"].values():
        study |= {"sizes": 64, "replicates": 4}
    path = tmp_path / f"{name}.yaml"
    path.write_text(yaml.safe_dump(tree))
    file, folder = studies.load(path), run_study(path, tmp_path / "results")
    stages.draw(file, folder)
    assert {figure.stem for figure in folder.rglob("*.png")} >= set(file.figures)
