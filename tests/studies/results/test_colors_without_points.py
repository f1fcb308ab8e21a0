"""An intensity of 0 is the end of an axis like any other: simulated, estimated, beside its exact value, and drawn."""

import math

import pytest

import poissonmatch as pm
from helpers.runs import problems, run_study, write_study
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.run import stages

STUDY = """
studies:
  fussy: {process: two_color, rule: fussy, dims: [1, inf], sizes: 60, ratios: {from: 0, to: 1, steps: 3}, replicates: 8}
  line: {process: two_color, rule: fussy, dims: 1, sizes: 60, intensities: [[0, 1]], replicates: 2}
  two: {process: two_color, rule: two-color, dims: 1, sizes: 60, intensities: [[1, 0], [0, 1], [1, 1]], replicates: 8, observables: [winner]}
figures:
  fussy: {kind: fussy, studies: fussy}
  fussy-log: {kind: fussy-log, studies: fussy}
  transition: {kind: transition, studies: two}
  winner-ratio: {kind: winner-ratio, studies: [two]}
  tail: {kind: tail, studies: fussy}
"""


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.filterwarnings("error")
def test_a_ratio_of_0(tmp_path):
    path = write_study(tmp_path, STUDY, "zero")
    file, folder = studies.load(path), run_study(path, tmp_path / "r")
    found = pm.load(folder / "estimates.parquet").query("quantity == 'unmatched_fraction'")
    two = found[found["study"] == "two"].set_index(["ratio", "color"])
    for ratio, color, others in (
        (0.0, 0, 1),
        (math.inf, 1, 0),
    ):  # a color alone is unmatched; of the other there is no row
        assert two.loc[(ratio, color), "value"] == two.loc[(ratio, color), "exact"] == 1
        assert (ratio, others) not in two.index
    red = found[(found["study"] == "fussy") & (found["color"] == 1)]
    assert sorted(red["ratio"].unique()) == [0.5, 1.0]
    assert len(stages.draw(file, folder)) == 3 * len(file.figures)
    assert problems(folder, file) == []
