"""Studies for which an observable is not defined: one line with its name and the reason."""

import pytest

from poissonmatch.studies import study_files as studies
from poissonmatch.utils.errors import BadInput

STUDY = {"process": "two_color", "rule": "fussy", "dims": 2, "sizes": 20, "replicates": 1}
COORDINATES = "needs coordinates, which a mean-field pattern does not have"
UNDEFINED = [  # observable, keys of the study, message after the name
    ("balls", {"rule": "multi(2)"}, "needs a rule with one partner for every point"),
    ("balls", {"dims": 5}, "is measured in d = 1 to 4, not in d = 5"),
    ("balls", {"geometry": "box"}, "needs a torus, not a box"),
    ("flip", {"rule": "two-color"}, "is defined for the rule fussy; leave it out"),
    ("flip", {"dims": [2, 7]}, "is measured in d = 1 to 6, not in d = 7; leave it out"),
    ("flip", {"dims": "inf"}, COORDINATES),
    ("flip", {"tiles": 2}, "cannot be measured in tiles"),
    ("flow", {"rule": "two-color"}, "needs a rule with a reference color"),
    ("octaves", {"rule": "two-color"}, "is defined for the rule fussy; leave it out"),
    ("octaves", {"dims": [2, 4]}, "is measured in d = 1 to 3, not in d = 4"),
    ("octaves", {"sizes": 10**9}, "is for tori of up to 100000000 points"),
    ("realization", {"dims": "inf"}, COORDINATES),
    ("response", {}, "is defined for the rule one-color; leave it out"),
    ("response", {"rule": "labels(2)"}, "is defined for the rule one-color"),
    ("response", {"rule": "one-color", "dims": [2, 7]}, "is measured in d = 1 to 6, not in d = 7"),
    ("rounds", {"rule": "labels(2)"}, "needs a rule with capacities, not with labels; leave it out of observables"),
    ("survivor_pairs", {"rule": "one-color"}, "needs a rule under which points of color 1 may not be matched to each other"),
    ("survivor_pairs", {"rule": "misere"}, "needs a rule under which points of color 1 may not be matched to each other"),
    ("survivor_pairs", {"dims": [2, 7]}, "is measured in d = 1 to 6, not in d = 7"),
    ("survivor_pairs", {"sizes": [20, 300_000]}, "is for tori of up to 262144 points, not of 300000"),
    ("window", {"rule": "multi(2)"}, "needs a rule with one partner for every point and without excluded pairs; leave it out"),
    ("window", {"dims": 5}, "is measured in d = 1 to 4, not in d = 5"),
]  # fmt: skip


def study(name, keys):
    return studies.of_data({"studies": {"a": STUDY | keys | {"observables": [name]}}}, "s")


@pytest.mark.parametrize(("name", "keys", "message"), UNDEFINED)
def test_a_study_for_which_an_observable_is_not_defined(name, keys, message):
    with pytest.raises(BadInput) as error:
        study(name, keys)
    assert f"{name} {message}" in str(error.value) and "\n" not in str(error.value)


def test_a_rule_that_equals_one_color_has_a_response():
    assert len(studies.cells(study("response", {"rule": "multi(1)", "process": "thomas", "dims": [1, 6]}))) == 2
