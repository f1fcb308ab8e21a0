"""The end of the page docs/result-tables.md: what polars, DuckDB and pyarrow.dataset read is what pandas reads."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.runs import run_study, write_study
from helpers.sources import text_of

PAGE = text_of("docs/result-tables.md")
BLOCKS = "Blocks of a study"
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n### ")[1:]}
CODES = {name: re.findall(r"^```python\n(.*?)^```", part, re.M | re.S) for name, part in SECTIONS.items()}
STUDY = """
studies:
  fussy: {process: two_color, rule: fussy, dims: [1, inf], sizes: 100, ratios: [0.5, 1], replicates: 4, block: 2, observables: [unmatched]}
  tails: {dims: 2, sizes: 100, replicates: 3, observables: [distances]}
"""
KEYS = ["dim", "size", "ratio", "value", "standard_error"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    run_study(write_study(home, STUDY, "mine"), home / "results")
    return home


def in_files(table):
    """A table with the dimension of the mean-field model as it is in files: missing."""
    return table.assign(dim=table["dim"].replace(np.inf, np.nan))


@pytest.fixture
def run(home, monkeypatch):
    """Run the code of a section of the page in the folder of the results; its variables, and the rows that are expected."""

    def run(section, number=0, nulls="last"):
        monkeypatch.chdir(home)
        space = {}
        exec(CODES[section][number], space)
        estimates = pm.load("results/mine/estimates.parquet")
        red = estimates.query("quantity == 'unmatched_fraction' and color == 1 and study == 'fussy'")
        rows = in_files(red)[KEYS].sort_values(KEYS[:3], na_position=nulls).itertuples(index=False)
        return space, [pytest.approx(tuple(None if pd.isna(value) else value for value in row)) for row in rows]

    return run


COUNTS = [("fussy", 16), ("tails", 3)]


def test_every_section_is_tested():
    assert {name: len(codes) for name, codes in CODES.items() if codes} == {"polars": 1, "DuckDB": 1, BLOCKS: 3}


def test_polars(run):
    pytest.importorskip("polars")
    space, expected = run("polars", nulls="first")
    assert space["curve"].rows() == expected and len(expected) == 4
    assert space["counts"].rows() == COUNTS
    exact = space["estimates"].filter(space["pl"].col("study") == "tails")["exact"]
    assert 0 < exact.is_null().sum() < len(exact) and not exact.is_nan().any()  # missing values are nulls


def test_duckdb(run):
    pytest.importorskip("duckdb")
    space, expected = run("DuckDB")
    assert space["curve"] == expected and len(expected) == 4
    assert space["counts"] == COUNTS
    ((nulls, rows),) = (
        space["duckdb"]
        .sql("SELECT count(*) FILTER (exact IS NULL), count(*) FROM 'results/mine/estimates.parquet'")
        .fetchall()
    )
    assert 0 < nulls < rows


COLUMNS = ["dim", "size", "ratio", "points_1", "unmatched_1"]
LIBRARIES = ["pyarrow", "polars", "duckdb"]


@pytest.mark.parametrize("number", range(3), ids=LIBRARIES)
def test_the_blocks_of_a_study_are_read_lazily_as_one_table(run, number):
    """Of all batches, without the manifests."""
    pytest.importorskip(LIBRARIES[number])
    space, _ = run(BLOCKS, number)
    assert len(list(Path("results/mine/blocks").glob("*.json"))) > 1
    table = pm.load("results/mine/replicates.parquet").query("study == 'fussy'")
    columns = COLUMNS if LIBRARIES[number] == "pyarrow" else list(table.columns)
    rows = space["table"] if LIBRARIES[number] == "duckdb" else space["table"].to_pandas()
    keys = COLUMNS if LIBRARIES[number] == "pyarrow" else ["dim", "ratio", "replicate"]
    expected = in_files(table)[columns].sort_values(keys, ignore_index=True)
    read = pd.DataFrame(rows, columns=columns).astype(expected.dtypes).sort_values(keys, ignore_index=True)
    pd.testing.assert_frame_equal(read, expected, check_exact=True)
    assert len(read) == 16


NEARBY = """
studies:
  nearby: {process: {name: points, files: sites.csv, coords: [lon, lat], color: kind, capacity: limit}, dims: 2, geometry: sphere, radius: 6371,
    rule: two-color, max_distance: 900, replicates: 1, observables: [distances, realization]}
"""
SITES = "lon,lat,kind,limit\n-0.1,51.5,a,1\n2.4,48.9,b,2\n179.9,-16.6,a,1\n-179.9,-16.6,b,1\n10,10,b,3\n"


def test_each_table_of_points_with_capacities_and_a_largest_distance_is_the_same_in_each_program(tmp_path):
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    (tmp_path / "sites.csv").write_text(SITES)
    run_study(write_study(tmp_path, NEARBY, "near"), tmp_path / "results")
    files = sorted((tmp_path / "results/near").glob("*.parquet"))
    assert {"estimates", "realizations", "replicates"} <= {file.stem for file in files}
    for file in files:
        plain = pd.read_parquet(file)
        rows = [tuple(None if pd.isna(value) else value for value in row) for row in plain.itertuples(index=False)]
        assert polars.read_parquet(file).rows() == rows and rows
        assert duckdb.read_parquet(str(file)).fetchall() == rows
    partners = pd.read_parquet(tmp_path / "results/near/realizations.parquet")["partner"]
    assert str(partners.dtype) == "Int64" and partners.isna().sum() == 1  # of point 4, with capacity 3 and nothing near
