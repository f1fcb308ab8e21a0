"""Cells one after another in the order of the rows, compared with all cells, sorted."""

import pytest

from poissonmatch.studies import study_files
from poissonmatch.studies.study_files.read import of_data
from poissonmatch.studies.tables.tables import row_order

STUDIES = {
    "rules and dimensions": {"process": "two_color", "rule": ["two-color", "fussy", "misere"], "dims": ["inf", 3, 1],
                             "sizes": [90, 30, 60], "ratios": [2, 0.5, 1]},
    "equal ratios": {"process": "two_color", "rule": "fussy", "dims": 2, "sizes": [50, 40.2, 40.1, 40.4],
                     "intensities": [[1, 2], [2, 4], [1, 0], [3, 6], [0, 1]]},
    "lattices": {"process": ["poisson", "perturbed_lattice"], "rule": "two-color", "dims": [1, 2], "sizes": [200, 100],
                 "ratios": [1, 0.3]},
    "one color": {"dims": [2, 1], "sizes": [300, 70, 7000], "intensities": [2, 1, 0.5]},
    "three colors": {"process": "two_color", "rule": {"compatible": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}, "dims": 2, "sizes": [60, 30],
                     "intensities": [[1, 2, 3], [1, 2, 1], [2, 1, 5]]},
    "a shape": {"dims": 2, "sizes": [60, 30], "side": [1, 2]},
    "sides": {"process": "two_color", "rule": "fussy", "dims": 2, "side": [4, 9], "ratios": [2, 1, 0.5]},
}  # fmt: skip


@pytest.mark.parametrize("names", [[name] for name in STUDIES] + [[*STUDIES]], ids=str)
def test_cells_come_in_the_order_of_the_rows(names):
    studies = {f"{'zyxwvut'[k]}": {"replicates": 3, **STUDIES[name]} for k, name in enumerate(names)}
    file = of_data({"studies": studies}, "order")
    numbered = [
        item for name in file.studies for item in enumerate(study_files.cells_of(name, file.studies[name], file.seed))
    ]
    found = [*study_files.in_row_order(file)]
    assert found == sorted(numbered, key=lambda item: row_order(item[1])) and len(found) > 1
