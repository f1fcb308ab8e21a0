"""Points from files: one replicate a file; what is not right is named by file and row, in a line."""

import re
from decimal import Decimal  # noqa: F401 (of a row)

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.command_line import call
from helpers.hostile import changes
from helpers.refusals import rows
from helpers.runs import cells_of, problems, run_study
from helpers.tables import tables
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import up_to_date
from poissonmatch.utils.errors import BadInput

STUDY = """studies:
  trees: {process: {name: points, files: "plots/*.%s", coords: [x, y]%s}, rule: %s, dims: 2, sizes: 20, intensities: %s, replicates: 3}
"""
SIDE = 20**0.5
RIGHT = pd.DataFrame({"x": [1.5, 2.5], "y": [1.0, 2.0], "kind": ["oak", "beech"]})


def frames():
    """The plots: 18 to 20 points, the first without a beech."""
    rng = np.random.default_rng(4)
    for n in (18, 19, 20):
        kind = rng.choice(["beech", "oak"], n) if n > 18 else np.repeat("oak", n)
        yield pd.DataFrame({"x": rng.random(n) * SIDE, "y": rng.random(n) * SIDE, "kind": kind, "age": rng.random(n)})


def lay(folder, ending="csv", extra=", color: kind", rule="two-color", intensities="[[0.5, 0.5]]"):
    """A study and its plots."""
    (folder / "plots").mkdir(exist_ok=True)
    for name, frame in zip("cab", frames(), strict=True):  # in no order
        write = frame.to_csv if ending == "csv" else frame.to_parquet
        write(folder / f"plots/{name}.{ending}", index=False)
    path = folder / "s.yaml"
    path.write_text(STUDY % (ending, extra, rule, intensities))
    return path


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_replicate_is_a_file_in_the_order_of_the_names(tmp_path, ending):
    (cell,) = cells_of(lay(tmp_path, ending))
    plots = dict(zip("cab", frames(), strict=True))
    for replicate, name in enumerate("abc"):
        pattern = cell.pattern(replicate)
        assert np.array_equal(pattern.points, plots[name][["x", "y"]])  # to the last bit, in the order of the rows
        assert np.array_equal(pattern.colors, plots[name]["kind"] == "oak")  # in each file, though one has no beech
        assert pattern.geometry == cell.space() == pm.Torus(cell.side, 2)


def test_the_matching_is_that_of_the_frame_and_no_law_is_claimed(tmp_path):
    sweep = pm.sweep(path := lay(tmp_path))
    found = sweep.replicates.set_index("replicate")
    plots = dict(zip("cab", frames(), strict=True))
    for replicate, name in enumerate("abc"):
        torus = pm.Torus(found.loc[replicate, "side"], 2)
        pattern = pm.Pattern.from_frame(plots[name], ["x", "y"], "kind", torus, color_names=["beech", "oak"])
        matching = pm.match(pattern, "two-color")
        assert found.loc[replicate, ["unmatched_0", "unmatched_1"]].sum() == len(matching.unmatched)
    assert sweep.estimates["exact"].isna().all()
    folder = run_study(path, tmp_path / "r")
    pd.testing.assert_frame_equal(pm.load(folder / "estimates.parquet"), sweep.estimates)
    assert pm.sweep(path, workers=2).estimates.equals(sweep.estimates)
    again = sweep.to_yaml(tmp_path / "r/copy.yaml")  # elsewhere: the files are still found
    assert pm.sweep(again).replicates["points_0"].tolist() == sweep.replicates["points_0"].tolist()


def test_uncolored_points_are_thinned(tmp_path):
    (cell,) = cells_of(lay(tmp_path, extra="", intensities="[[0.75, 0.25]]"))
    assert sorted(map(tuple, cell.pattern(0).points)) == sorted(map(tuple, [*frames()][1][["x", "y"]].to_numpy()))
    assert 0 < cell.pattern(0).colors.sum() < 19 and cell.pattern(0) == cell.pattern(0)


TABLES = tables(__file__)


@pytest.mark.parametrize("colors, extra, expected", TABLES["colors"])
def test_colors_are_numbers_or_names(tmp_path, colors, extra, expected):
    path = lay(tmp_path, extra=f", color: kind{extra}", rule="one-color", intensities="[[1, 1, 1]]")
    for name in "abc":
        pd.DataFrame({"x": [0.1, 0.2, 0.3], "y": 0.5, "kind": colors}).to_csv(tmp_path / f"plots/{name}.csv")
    assert cells_of(path)[0].pattern(0).colors.tolist() == expected


def test_a_changed_file_is_other_points_and_makes_results_out_of_date(tmp_path):
    path = lay(tmp_path)
    before, folder = cells_of(path)[0], run_study(path, tmp_path / "r")
    assert up_to_date.tables(studies.load(path), folder) == []
    block = next((folder / "blocks").glob("*.json"))
    assert call("reproduce", block, "--study", path)[0] == 0
    (tmp_path / "plots/b.csv").write_text("x,y,kind\n0.5,0.5,oak\n")
    (problem,) = up_to_date.tables(studies.load(path), folder)
    assert problem.kind == "out of date" and "process.digest" in problem.detail
    assert cells_of(path)[0].id != before.id
    code, said = call("reproduce", block, "--study", path)
    assert code == 2 and "changed since" in said
    path.write_text(path.read_text().replace("coords", f"digest: {dict(before.process)['digest']}, coords"))
    with pytest.raises(BadInput, match=r"line 2: studies.trees.process: plots/\*.csv: the files have changed: digest"):
        studies.load(path)


def test_a_file_that_changes_while_replicates_are_made_is_refused(tmp_path):
    (cell,) = cells_of(lay(tmp_path))
    cell.pattern(0)
    (tmp_path / "plots/b.csv").write_text("x,y,kind\n0.5,0.5,oak\n")
    with pytest.raises(BadInput, match="b.csv: the file has changed since"):
        cell.pattern(1)


# What is in a file, also as R's write.csv2 and write.table and as Excel write it, and words of the message; $ is its end.
BAD = r"""
\x00\x01\x02 → b.csv: there is no column 'x'
a,b\n1,2\n → there is no column 'x'; there are a, b
x,y,kind\n1,nan,oak\n → b.csv: line 2, column 'y': nan is not finite
x,y,kind\n1,,oak\n → b.csv: line 2, column 'y': nan is not finite
x,y,kind\n1,1,oak\n1,inf,oak\n → b.csv: line 3, column 'y': inf is not finite
x,y,kind\n1,1,oak\n1,one,oak\n → b.csv: line 3, column 'y': 'one' is not a number
x,y,kind\n1,True,oak\n → line 2, column 'y'
x,y,kind\n1,1,oak\n1,7.5,oak\n → b.csv: line 3, column 'y': 7.5 is outside [0, 4.47214), the torus of this cell: its volume is
x,y,kind\n1,1,oak\n1,7.5,oak\n → the torus of this cell: its volume is size / intensity, and a `window` gives its corner$
\nx,y,kind\n\n1,1,oak\r\n  \n1,7.5,oak\n → b.csv: line 6, column 'y': 7.5 is outside [0, 4.47214)
x,y,kind\n-0.5,1,oak\n → line 2, column 'x': -0.5 is outside
x,y,kind\n1,1,\n → column 'kind', line 2: a color is missing
x,y,kind\n1,1,elm\n → the colors of the points are 'beech', 'elm', 'oak', and the study has intensities for 2 colors
x,y,kind\n1,1,"oak\n → cannot be read as csv
x,y,x\n1,1,1\n → two columns have the name 'x'
x,y,kind,x\n1,1,oak,2\n → two columns have the name 'x'
x;y;kind\n1;1;oak\n → columns are separated by semicolons; write commas between columns and points in numbers, as R's write
"";"x";"y";"kind"\n"1";1,5;1;"oak"\n → columns are separated by semicolons
sep=;\nx;y;kind\n1;1;oak\n → columns are separated by semicolons
x\ty\tkind\n1\t1\toak\n → columns are separated by tabs
"x" "y" "kind"\n"1" 1 1 "oak"\n → columns are separated by spaces
x,y,kind\n1,1,ch\xeane\n → b.csv: cannot be read as csv: the text is not UTF-8; in Excel, save it as CSV UTF-8$
"x","y","kind"\n"1",1,1,"oak"\n → rows have more values
x,y,kind\n1,1,NA\n → column 'kind', line 2: a color is missing; in a CSV file, names such as NA and None mean that: write another name, or read
x,y,kind\n1,5,2,5,oak\n → rows have more values than the first line has column names; name all columns, and write points in numbers, as R's write.csv(
# trees\nx,y,kind\n1,1,oak\n → rows have more values than the first line has column names
x,y,kind\n1,1,oak\n1\n → column 'kind', line 3: a color is missing
x,y,kind\n1,1,1.5\n → column 'kind': colors must be whole numbers or names, got float
 → cannot be read as csv
x,y,kind\n100000000000000000000,1,oak\n → line 2, column 'x': 1e+20 is outside
"""


@pytest.mark.parametrize("text, words", rows(BAD))
def test_files_that_are_not_right(tmp_path, text, words):
    path = lay(tmp_path)
    (tmp_path / "plots/b.csv").write_text(text.encode().decode("unicode_escape"), encoding="latin-1")
    code, said = call("validate", path)
    assert code == 2 and said.count("\n") == 1 and words in said.replace("\n", "$") and "Traceback" not in said, said


def test_points_outside_a_box_and_rows_of_parquet(tmp_path):
    path = lay(tmp_path, "parquet")
    path.write_text(path.read_text().replace("dims: 2", "geometry: box, dims: 2"))
    pd.DataFrame({"x": [1.0, 2.0], "y": [1.0, 4.5], "kind": "oak"}).to_parquet(tmp_path / "plots/b.parquet")
    words = "b.parquet: row 1, column 'y': 4.5 is outside [0, 4.47214], the box of this cell: its volume is size / intensity, and a `window` gives its corner"
    assert call("validate", path) == (2, f"studies.trees.process: {tmp_path / 'plots' / words}\n")


def test_what_a_table_may_hold_beside_plain_rows(tmp_path):
    """A byte order mark, empty lines, lines that end otherwise, spaces, text that is a number, a comma at the end."""
    path = lay(tmp_path)
    same = b"x,y,kind\n1,2,oak\n0.5,3,beech\n"
    for data in (
        same,
        b"\xef\xbb\xbf" + same,
        same.replace(b"\n", b"\r\n"),
        same.replace(b"\n", b"\n\n\n"),
        same.replace(b",", b", "),
        same.replace(b"0.5", b'"5e-1"').rstrip(),
        same.replace(b"\n", b",\n"),
        b'"","x","y","kind"\n"1",1,2,"oak"\n"2",0.5,3,"beech"\n',  # write.csv
    ):
        (tmp_path / "plots/a.csv").write_bytes(data)
        pattern = cells_of(path)[0].pattern(0)
        assert pattern.points.tolist() == [[1, 2], [0.5, 3]] and pattern.colors.tolist() == [1, 0], data


def test_a_name_that_is_no_text(tmp_path):
    path, file = lay(tmp_path, "parquet"), tmp_path / "plots/b.parquet"
    RIGHT.to_parquet(file, compression=None)
    file.write_bytes(file.read_bytes().replace(b"beech", b"\x80eech"))
    with pytest.raises(BadInput, match="b.parquet: cannot be read as parquet: "):
        cells_of(path)[0].pattern(1)


# Columns of a Parquet file, and words of what is said.
COLUMNS = """
x=pd.array([1, None], "Int64") → b.parquet: row 1, column 'x': nan is not finite
x=pd.array([None, 1.5], "Float64") → row 0, column 'x': nan is not finite
x=[None, None] → row 0, column 'x': 'None' is not a number
x=pd.to_datetime(["2020-01-01", "2020-01-02"]) → row 0, column 'x': '2020-01-01 00:00:00' is not a number
x=[[1.0], [2.0]] → row 0, column 'x': '[1.]' is not a number
x=[True, False] → row 0, column 'x': 'True' is not a number
x=[Decimal("1.5"), Decimal("2.5")] → 1 study
x=[1.5, 2**53 + 2] → row 1, column 'x': 9007199254740994.0 is outside
x=pd.array([1, 2**53 + 2], "Int64") → row 1, column 'x': 9007199254740994 is beyond 2^53
kind=["oak", None] → column 'kind', row 1: a color is missing
kind=pd.array([1, None], "Int64") → column 'kind', row 1: a color is missing
kind=[1.0, 0.5] → column 'kind': colors must be whole numbers or names, got float
kind=[b"oak", b"\\xff"] → column 'kind': colors must be whole numbers or names, got bytes
kind=[{"a": 1}, {"a": 2}] → column 'kind': colors must be whole numbers or names, got dict
kind=pd.Categorical(["oak", "beech"]) → 1 study
"""


@pytest.mark.parametrize("columns, words", rows(COLUMNS))
def test_columns_of_a_parquet_file(tmp_path, columns, words):
    path = lay(tmp_path, "parquet")
    frame = RIGHT.assign(**eval(f"dict({columns})"))
    frame.to_parquet(tmp_path / "plots/b.parquet")
    code, said = call("validate", path)
    assert (code, said.count("\n")) == (0 if words == "1 study" else 2, 1) and words in said, said
    assert (code == 0) != ("b.parquet: " in said)


@pytest.mark.parametrize("ending, harm, words", TABLES["damaged"])
def test_damaged_files(tmp_path, ending, harm, words):
    path = lay(tmp_path, ending)
    changes([harm])(tmp_path / "plots")
    code, said = call("validate", path)
    assert code == 2 and said.count("\n") == 1 and words in said, said


# An edit of the study, the words.
ASKED = """
replicates: 3 → replicates: 4 → replicates: 4 replicates need 4 files, and 'plots/*.csv' names 3
plots/*.csv → plats/*.csv → there is no file 'plats/*.csv' in
plots/*.csv → s.yaml → is neither .csv nor .parquet
coords: [x, y] → coords: [x] → dims[0]: d = 2, and the coords of the points are 1
coords: [x, y] → coords: [x, x] → 'x' occurs twice
coords: [x, y] → coords: [] → at least 1 item
coords: [x, y] → coords: [x, z] → there is no column 'z'
color: kind → color: kin → there is no column 'kin'
coords: [x, y] → cords: [x, y] → unknown key 'cords'; did you mean 'coords'?
dims: 2 → dims: inf → the process points has no mean-field model
sizes: 20 → sizes: [20, 4] → is outside [0, 2)
[[0.5, 0.5]] → 1 → the colors of the points are 'beech', 'oak', and the study has intensities for 1 colors
name: points → name: poimts → did you mean 'points'?
"""


@pytest.mark.parametrize("old, new, words", rows(ASKED))
def test_studies_that_do_not_fit_their_files(tmp_path, old, new, words):
    path = lay(tmp_path, extra=", color: kind", rule="one-color")
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    code, said = call("validate", path)
    assert code == 2 and words in said, said


def test_files_without_points_are_points(tmp_path):
    path = lay(tmp_path)
    for name in "abc":
        (tmp_path / f"plots/{name}.csv").write_text("x,y,kind\n")
    assert call("validate", path)[0] == 0
    assert len(cells_of(path)[0].pattern(2)) == 0


@pytest.mark.slow
def test_plan_and_verify_know_such_studies(tmp_path):
    path = lay(tmp_path)
    code, said = call("plan", path)
    assert code == 0 and re.search(r"replicates +3 +3$", said, re.M)
    folder = run_study(path, tmp_path / "r")
    assert problems(folder, path) == []
