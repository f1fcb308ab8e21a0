"""The JSON Schema of study files: it takes what is right, and refuses the mistakes that an editor can see."""

import pytest
import yaml
from jsonschema import Draft202012Validator

from helpers.checkout import ROOT
from helpers.refusals import rows
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.study_files import yamlfile
from poissonmatch.utils.errors import BadInput

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


RIGHT = """
process: thomas
process: {name: thomas, offspring: 3}, intensities: [[1, 0.5]]
process: {import: lab.ring, spread: 0.3}, intensities: 1
rule: multi(3)
rule: {compatible: [[1, 1], [1, 0]], capacity: [1, 2]}, ratios: 0.5
dims: [1, inf]
sizes: {from: 10, to: 1000, steps: 3, scale: log}
intensities: [[1, 0.5], 2]
observables: [unmatched, winner]
"""
# A study, and the key at which it is wrong if there is one.
WRONG = """
dims: 0 → dims
dims: [infinity] → dims
sizes: many → sizes
sizes: {from: 1, to: 2} → sizes
replicates: 0 → replicates
replicates: '4' → replicates
rule: one-colour → rule
rule: {compatibel: [[1]]} → rule
process: poison → process
process: {name: thomas, meen: 3} → process
observables: [unmached] → observables
repliates: 3
"""


def file(keys: str) -> dict:
    return {"studies": {"a": {**STUDY, **yaml.safe_load(f"{{{keys}}}")}}}


@pytest.mark.parametrize("keys", RIGHT.strip().splitlines())
def test_right(keys):
    assert list(SCHEMA.iter_errors(file(keys))) == []
    if "import" not in keys:
        studies.of_data(file(keys), "s")


@pytest.mark.parametrize("row", rows(WRONG))
def test_wrong(row):
    keys, *where = row
    (error,) = SCHEMA.iter_errors(file(keys))
    assert list(error.path) == ["studies", "a", *where]
    with pytest.raises(BadInput):
        studies.of_data(file(keys), "s")


FIGURES = """
kind: tail, studies: a, format: svg, panels: dim → True
kind: tale, studies: a → False
kind: tail → False
kind: tail, studies: a, format: jpg → False
"""


@pytest.mark.parametrize("keys, right", rows(FIGURES))
def test_figures(keys, right):
    figure = yaml.safe_load(f"{{{keys}}}")
    assert str(SCHEMA.is_valid({**file(""), "figures": {"f": figure}})) == right


def test_every_key_has_its_meaning():
    schema = studies.for_editors()
    for part in (schema, schema["$defs"]["Study"], schema["$defs"]["FigureSpec"]):
        assert all(about.get("description") for about in part["properties"].values())
