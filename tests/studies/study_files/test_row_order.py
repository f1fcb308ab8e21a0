"""Cells one after another in the order of the rows, compared with all cells, sorted."""

import pytest

from helpers.tables import tables
from poissonmatch.studies import study_files
from poissonmatch.studies.study_files.read import of_data
from poissonmatch.studies.tables.tables import row_order

STUDIES = tables(__file__)


@pytest.mark.parametrize("names", [[name] for name in STUDIES] + [[*STUDIES]], ids=str)
def test_cells_come_in_the_order_of_the_rows(names):
    studies = {f"{'zyxwvut'[k]}": {"replicates": 3, **STUDIES[name]} for k, name in enumerate(names)}
    file = of_data({"studies": studies}, "order")
    numbered = [
        item for name in file.studies for item in enumerate(study_files.cells_of(name, file.studies[name], file.seed))
    ]
    found = [*study_files.in_row_order(file)]
    assert found == sorted(numbered, key=lambda item: row_order(item[1])) and len(found) > 1
