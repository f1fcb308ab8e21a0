"""The JSON Schema of study files: it takes what is right, and refuses the mistakes that an editor can see."""

import copy
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from poissonmatch.studies import study_files as studies
from poissonmatch.studies.study_files import yamlfile
from poissonmatch.utils.errors import BadInput

ROOT = Path(__file__).parents[3]
SCHEMA = Draft202012Validator(studies.for_editors())
FILES = sorted(
    str(path.relative_to(ROOT))
    for folder in ("config", "docs")
    for path in (ROOT / folder).glob("*.yaml")
    if path.name not in ("certificates.yaml", "config.yaml", "octave-runs.yaml")
)
STUDY = {"dims": 1, "sizes": 10, "replicates": 2}


@pytest.mark.parametrize("name", FILES)
def test_our_own_studies_are_right(name):
    assert list(SCHEMA.iter_errors(yamlfile.read(ROOT / name).data)) == []


RIGHT = [
    {"process": "thomas"},
    {"process": {"name": "thomas", "offspring": 3}, "intensities": [[1, 0.5]]},
    {"process": {"import": "lab.ring", "spread": 0.3}, "intensities": 1},
    {"rule": "multi(3)"},
    {"rule": {"compatible": [[1, 1], [1, 0]], "capacity": [1, 2]}, "ratios": 0.5},
    {"dims": [1, "inf"]},
    {"sizes": {"from": 10, "to": 1000, "steps": 3, "scale": "log"}},
    {"intensities": [[1, 0.5], 2]},
    {"observables": ["unmatched", "winner"]},
]
WRONG = [
    ({"dims": 0}, ["dims"]),
    ({"dims": ["infinity"]}, ["dims"]),
    ({"sizes": "many"}, ["sizes"]),
    ({"sizes": {"from": 1, "to": 2}}, ["sizes"]),
    ({"replicates": 0}, ["replicates"]),
    ({"replicates": "4"}, ["replicates"]),
    ({"rule": "one-colour"}, ["rule"]),
    ({"rule": {"compatibel": [[1]]}}, ["rule"]),
    ({"process": "poison"}, ["process"]),
    ({"process": {"name": "thomas", "meen": 3}}, ["process"]),
    ({"observables": ["unmached"]}, ["observables"]),
    ({"repliates": 3}, []),
]


def file(study: dict) -> dict:
    return {"studies": {"a": {**STUDY, **study}}}


@pytest.mark.parametrize("study", RIGHT, ids=str)
def test_right(study):
    assert list(SCHEMA.iter_errors(file(study))) == []
    if "import" not in study.get("process", {}):
        studies.of_data(copy.deepcopy(file(study)), "s")


@pytest.mark.parametrize(("study", "where"), WRONG, ids=str)
def test_wrong(study, where):
    (error,) = SCHEMA.iter_errors(file(study))
    assert list(error.path) == ["studies", "a", *where]
    with pytest.raises(BadInput):
        studies.of_data(copy.deepcopy(file(study)), "s")


@pytest.mark.parametrize(
    ("figure", "right"),
    [
        ({"kind": "tail", "studies": "a", "format": "svg", "panels": "dim"}, True),
        ({"kind": "tale", "studies": "a"}, False),
        ({"kind": "tail"}, False),
        ({"kind": "tail", "studies": "a", "format": "jpg"}, False),
    ],
)
def test_figures(figure, right):
    assert SCHEMA.is_valid({**file({}), "figures": {"f": figure}}) == right


def test_every_key_has_its_meaning():
    schema = studies.for_editors()
    for part in (schema, schema["$defs"]["Study"], schema["$defs"]["FigureSpec"]):
        assert all(about.get("description") for about in part["properties"].values())
