"""The page docs/other-programs.md: what polars, DuckDB and pyarrow.dataset read is what pandas reads."""

import re
from pathlib import Path

import pytest

import poissonmatch as pm
from helpers.runs import run_study, write_study

PAGE = (Path(__file__).parents[2] / "docs/other-programs.md").read_text(encoding="utf-8")
CODES = dict(re.findall(r"^## (\S+)\n.*?^```python\n(.*?)^```", PAGE, re.M | re.S))
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


@pytest.fixture
def run(home, monkeypatch):
    """Run the code of a section of the page in the folder of the results; its variables, and the rows that are expected."""

    def run(section):
        monkeypatch.chdir(home)
        space = {}
        exec(CODES[section], space)
        estimates = pm.load("results/mine/estimates.parquet")
        red = estimates.query("quantity == 'unmatched_fraction' and color == 1 and study == 'fussy'")
        expected = red.sort_values(KEYS[:3])[KEYS].itertuples(index=False)
        return space, [pytest.approx(tuple(row), nan_ok=True) for row in expected]

    return run


COUNTS = [("fussy", 16), ("tails", 3)]


def test_every_section_is_tested():
    assert list(CODES) == ["polars", "DuckDB", "pyarrow.dataset"]


def test_polars(run):
    pytest.importorskip("polars")
    space, expected = run("polars")
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


def test_pyarrow_dataset(run):
    """Blocks are read without their manifests, and hold the rows of the table."""
    space, _ = run("pyarrow.dataset")
    assert space["rows"].num_rows == space["number"] == 16
    assert any(path.suffix == ".json" for path in Path("results/mine/blocks/fussy").rglob("*"))
    found = sorted(map(tuple, space["rows"].to_pandas().to_numpy().tolist()))
    table = pm.load("results/mine/replicates.parquet").query("study == 'fussy'")
    expected = table[["dim", "size", "ratio", "points_1", "unmatched_1"]].to_numpy(float).tolist()
    assert found == sorted(map(tuple, expected))
