"""config/paper-questions.yaml: its plan, and a tiny version of it from the points to the figures."""

from pathlib import Path

import pytest
import yaml

from helpers.runs import run_study
from poissonmatch import studies
from poissonmatch.pipeline import stages
from poissonmatch.studies import plan

CONFIG = Path(__file__).parents[2] / "config/paper-questions.yaml"


def test_the_studies_are_planned():
    file = studies.load(CONFIG)
    assert {"desirers", "minority", "misere", "labels", "fussy-lattice", "fussy-clusters"} <= set(file.studies)
    assert plan.count(file).cells == 3 + 15 + 3 + 3 + 3 + 6 + 6 + 72


@pytest.mark.slow
def test_a_tiny_version_gives_all_tables_and_figures(tmp_path):
    """Of 64 points, a square and a cube."""
    tree = yaml.safe_load(CONFIG.read_text())
    for study in tree["studies"].values():
        study |= {"sizes": 64, "replicates": 4}
    path = tmp_path / "paper-questions.yaml"
    path.write_text(yaml.safe_dump(tree))
    file, folder = studies.load(path), run_study(path, tmp_path / "results")
    stages.draw(file, folder)
    assert {figure.stem for figure in folder.rglob("*.png")} >= set(file.figures)
