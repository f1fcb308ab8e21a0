"""Study files: what is read, and what is refused, with which words."""

import json
import math

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from helpers.checkout import ROOT
from helpers.refusals import refusal, rows
from helpers.runs import TINY, cells_of, load_study, one_study, write_study
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.study_files import yamlfile
from poissonmatch.utils.errors import BadInput
from poissonmatch.utils.manifests import canonical


@pytest.mark.parametrize("name", ["quick", "paper", "scale"])
def test_the_shipped_files_are_valid(name):
    assert cells_of(ROOT / f"config/{name}.yaml")


def test_cells_are_all_combinations(tmp_path):
    file = one_study(
        tmp_path, "process: two_color, dims: [1, 2], sizes: [10, 20.5], ratios: [0.5, 2], replicates: 3, rule: fussy"
    )
    found = [(c.dim, c.size, c.intensities) for c in studies.cells(file)]
    assert found == [(d, n, (1.0, r)) for d in (1, 2) for n in (10, 20.5) for r in (0.5, 2)]
    assert len({c.id for c in studies.cells(file)}) == 8
    for cell in studies.cells(file):
        assert cell.volume * sum(cell.intensities) == pytest.approx(cell.size)
        assert cell.side**cell.dim == pytest.approx(cell.volume)


def test_ranges(tmp_path):
    file = one_study(tmp_path, "dims: 2, sizes: {from: 100, to: 10000, steps: 3, scale: log}, replicates: 1")
    assert file.studies["a"].sizes == [100.0, 1000.0, 10000.0]
    file = one_study(
        tmp_path, "process: two_color, dims: 2, sizes: 9, ratios: {from: 0.1, to: 2, steps: 20}, replicates: 1"
    )
    np.testing.assert_allclose(file.studies["a"].ratios, np.linspace(0.1, 2, 20))
    assert file.studies["a"].ratios[2] == 0.3  # and not 0.30000000000000004


def test_intensities(tmp_path):
    cells = studies.cells(
        one_study(tmp_path, "process: two_color, dims: 1, sizes: 30, intensities: [[1, 0.5], [2.0, 4]], replicates: 1")
    )
    assert [c.intensities for c in cells] == [(1, 0.5), (2, 4)] and cells[1].volume == 5.0
    for infinity in ("inf", ".inf"):
        body = f"dims: [1, {infinity}], sizes: 30, intensities: [0.5, 3], replicates: 1"
        cells = studies.cells(one_study(tmp_path, body))
        assert [c.intensities for c in cells[:2]] == [(0.5,), (3,)] and cells[2].dim == math.inf
    assert math.isnan(cells[0].ratio)


def test_lattices_have_whole_sides(tmp_path):
    cell = studies.cells(one_study(tmp_path, "process: lattice, dims: 2, sizes: 110, replicates: 1, intensities: 4"))[0]
    assert cell.volume == 25.0 and cell.size == 100 == len(cell.pattern(0))


def test_what_is_always_measured_changes_no_cell(tmp_path):
    """`unmatched` is in the table of replicates whether it is listed or not."""
    bodies = ("[distances]", "[unmatched, distances]", "[distances, unmatched, distances]")
    found = [
        studies.cells(one_study(tmp_path, f"dims: 1, sizes: 9, replicates: 1, observables: {names}"))[0]
        for names in bodies
    ]
    assert len({cell.id for cell in found}) == 1 and found[0].observables == ("distances", "unmatched")


def test_fingerprint_depends_on_what_the_numbers_depend_on(tmp_path):
    body = "dims: 2, sizes: 100, replicates: 4"
    first = studies.cells(one_study(tmp_path, body))[0]
    for same in ("dims: [2], sizes: [100.0], replicates: 400", body + ", block: 3", body + ", process: poisson"):
        assert studies.cells(one_study(tmp_path, same))[0].id == first.id
    for other in ("dims: 3, sizes: 100, replicates: 4", body + ", rule: misere", body + ", process: thomas"):
        assert studies.cells(one_study(tmp_path, other))[0].fingerprint != first.fingerprint
    other_seed = load_study(tmp_path, "seed: 2\nstudies:\n  a: {" + body + "}\n")
    assert studies.cells(other_seed)[0].fingerprint != first.fingerprint


def test_all_problems_at_once(tmp_path):
    text = "seed: x\nstudys: 1\nstudies:\n  a: {dims: 0, sizes: -1, replicates: x}\n  b: {dims: 1}\n"
    with pytest.raises(BadInput) as error:
        load_study(tmp_path, text)
    found = str(error.value)
    for words in (
        "line 1: seed",
        "line 2: studys",
        "studies.a.dims[0]",
        "studies.a.sizes[0]",
        "studies.a.replicates",
        "line 5: studies.b: the key 'sizes'",
        "the key 'replicates'",
    ):
        assert words in found, found


def test_plain_yaml_is_read_as_others_read_it(tmp_path):
    path = write_study(tmp_path, TINY)
    assert yamlfile.read(path).data == yaml.safe_load(TINY)


# What is written in YAML, and the value in Python.
SCALARS = """
1e5 → 100_000
+1E3 → 1000
1e0 → 1
1_000 → 1000
-12_345_678 → -12345678
1e15 → 10**15
1.5E3 → 1500.0
1.0e3 → 1000.0
+1e-3 → 0.001
.5 → 0.5
-.5e1 → -5.0
5. → 5.0
1e22 → 1e22
0 → 0
-7 → -7
0e0 → 0
0x1F → 31
~ → None
Null → None
TRUE → True
False → False
.inf → math.inf
-.INF → -math.inf
e5 → "e5"
1e → "1e"
tRUE → "tRUE"
y → "y"
N → "N"
0O7 → "0O7"
2020-01-01 → "2020-01-01"
1.2.3 → "1.2.3"
007-x → "007-x"
'1e5' → "1e5"
"no" → "no"
"""


@pytest.mark.parametrize("text, value", rows(SCALARS))
def test_numbers_and_words_of_yaml(tmp_path, text, value):
    """YAML 1.2, and the type as well: 1e5 is a whole number, 1.0e5 is not."""
    found, expected = yamlfile.read(write_study(tmp_path, f"x: {text}\n")).data["x"], eval(value)
    assert (found, type(found)) == (expected, type(expected))


@given(st.from_regex(r"[-+]?[0-9.][0-9._:exo]{0,7}", fullmatch=True))
def test_a_number_is_the_same_for_readers_of_older_yaml(text):
    """Or it was none to them: 1e5."""
    try:
        found = yamlfile.plain(text)
    except ValueError:
        return
    older = yaml.SafeLoader("")
    before = older.construct_object(yaml.ScalarNode(older.resolve(yaml.ScalarNode, text, (True, False)), text))
    assert found == before or (before == text and found == float(text))


def test_a_study_file_is_itself_after_a_journey_as_json(tmp_path):
    """As the jobs of a run read it."""
    text = TINY.replace("ratios: [0.5, 1.0]", "ratios: {from: 0, to: 1, steps: 3}")
    file = load_study(tmp_path, text + "  named: {kind: tail, studies: [one-color], title: x}\n")
    again = studies.StudyFile.model_validate(json.loads(canonical(file.model_dump(mode="json", by_alias=True))))
    assert again == file
    for name, study in file.studies.items():
        assert studies.cells_of(name, again.studies[name], 5) == studies.cells_of(name, study, 5)


TWO = """
studies:
  plain: {dims: 1, sizes: 9, replicates: 2, observables: [winner]}
  colors: {process: two_color, dims: 1, sizes: 9, ratios: 0.5, replicates: 2, observables: [winner]}
  blue: {process: two_color, rule: two-color, dims: 1, sizes: 9, ratios: 0.5, replicates: 2, observables: [winner]}
figures:
  f: {kind: KIND, studies: NAME}
"""


FITS = """
transition → plain → needs points of two colors
fussy → plain → needs points of two colors
winner-ratio → plain → needs points of two colors
winner-ratio → colors → needs a rule that distinguishes colors, not one-color
fussy-log → blue → needs a rule with a reference color (fussy), not two-color
tail → plain → must list distances in observables
"""


@pytest.mark.parametrize("kind, name, said", rows(FITS))
def test_a_figure_must_fit_its_studies(tmp_path, kind, name, said):
    """Before the simulation, not after it."""
    assert said in refusal(load_study, tmp_path, TWO.replace("KIND", kind).replace("NAME", name))


# Intensities, a rule, and the end of the message, if there is one.
OF_ONE_COLOR = """
[1, 0.5] → two-color → points of one color, and two-color distinguishes 2: did you mean [[1, 0.5]]?
2 → fussy → points of one color, and fussy distinguishes 2: did you mean [[2, 2]]?
[[1, 0.5]] → two-color
[1, 0.5] → one-color
"""


@pytest.mark.parametrize("row", rows(OF_ONE_COLOR))
def test_intensities_of_one_color_are_none_of_two(tmp_path, row):
    intensities, rule, *said = row
    keys = f"process: two_color, dims: 1, sizes: 9, replicates: 2, rule: {rule}, intensities: {intensities}"
    if said:
        assert refusal(one_study, tmp_path, keys).endswith(f".intensities: {said[0]}")
    else:
        assert one_study(tmp_path, keys)


def test_replicates_may_be_as_many_as_a_target_allows(tmp_path):
    assert one_study(tmp_path, "dims: 1, sizes: 9, replicates: 8, target_rel_se: 0.1, max_replicates: 8")
    for replicates in (7, 9):
        keys = f"dims: 1, sizes: 9, replicates: {replicates}, target_rel_se: 0.1, max_replicates: 8"
        assert "replicates must be from 8" in refusal(one_study, tmp_path, keys)
