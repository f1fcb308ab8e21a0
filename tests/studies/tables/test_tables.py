"""Tables: one schema each, safe writing, and no damage that goes unseen."""

import io
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import poissonmatch as pm
from helpers.forge import as_text
from helpers.processes import python
from poissonmatch.studies.tables import estimate_tables, parquet
from poissonmatch.utils.errors import IntegrityError


@pytest.mark.parametrize("table", estimate_tables.TABLES.values(), ids=lambda t: t.name)
def test_every_column_says_what_it_is(table):
    names = [c.name for c in table.columns]
    assert len(set(names)) == len(names) and table.keys
    for column in table.columns:
        assert len(column.meaning) > 5 and column.role in ("key", "sum", "value")


@pytest.mark.parametrize("name", estimate_tables.TABLES)
def test_pandas_and_load_read_the_same(tiny, name):
    path = tiny[1] / f"{name}.parquet"
    table = estimate_tables.TABLES[name]
    if name in ("laws", "color_ratios"):  # of which this study asks for none
        assert not path.exists()
        return
    plain, loaded = pd.read_parquet(path), pm.load(path)
    assert plain.attrs == loaded.attrs and {*plain.attrs["columns"]} == {*plain}
    for column in table.columns:
        dtype = plain[column.name].dtype
        assert isinstance(dtype, pd.CategoricalDtype) == (column.type == "string")
        if column.may_be_null and "int64" in (column.type, column.stored):
            assert dtype == "Int64"
        if column.may_be_null and column.type == "bool":
            assert dtype == "boolean"
            plain[column.name] = plain[column.name].astype(object).where(plain[column.name].notna(), None)
        if column.has_stand_in:  # a null in the file
            plain[column.name] = plain[column.name].astype(float).fillna(column.null).astype(loaded[column.name].dtype)
    pd.testing.assert_frame_equal(as_text(plain).astype(loaded.dtypes), loaded)
    assert list(plain.columns) == table.names and len(plain) > 0
    assert not plain.duplicated(table.keys).any()
    order = ["study", "rule", "dim", "size", "ratio", "cell"]
    assert table.keys[:6] == table.names[:6] == order
    missing = {name: -1 for name in ("ratio", "x") if name in table.keys}
    assert loaded.fillna(missing).sort_values(table.keys, kind="stable").index.is_monotonic_increasing


def test_file_metadata(tiny):
    about = pm.load(tiny[1] / "estimates.parquet").attrs
    assert about["seed"] == 5 and about["study"]["studies"]["one-color"]["replicates"] == 16
    assert set(about["code"]) == {"simulate", "aggregate"}
    assert {"python", "numpy", "numba"} <= set(about["versions"][0])
    assert "commit" not in json.dumps(about)  # bytes do not depend on git
    columns = pm.load(tiny[1] / "distances.parquet").attrs["columns"]
    assert columns["r_lower"] == {"unit": "length", "meaning": "lower end of the bin, 10^(bin/20)", "role": "value"}


def frame(n=50):
    table = estimate_tables.TABLES["distances"]
    data = {
        c.name: ["s"] * n if c.type == "string" else np.arange(n) * (1.0 if c.type == "float64" else 1)
        for c in table.columns
    }
    return table, pd.DataFrame(data)


def decoded(table, data):
    """The rows in the bytes of a file; their values are not checked."""
    return parquet.frame_of(parquet.TableFile(table, data, "x").read())


def test_the_same_rows_in_any_order_give_the_same_bytes():
    table, rows = frame()
    assert parquet.encode(table, rows, {"a": 1}) == parquet.encode(table, rows.sample(frac=1, random_state=1), {"a": 1})
    assert parquet.encode(table, rows, {"a": 1}) != parquet.encode(table, rows, {"a": 2})


def test_every_flipped_bit_and_every_cut_is_seen():
    table, rows = frame()
    good = parquet.encode(table, rows, {})
    reference = decoded(table, good)
    rng = np.random.default_rng(0)
    seen = 0
    for place in rng.choice(len(good), 300, replace=False):
        bad = bytearray(good)
        bad[place] ^= 1 << rng.integers(8)
        try:
            found = decoded(table, bytes(bad))
            pd.testing.assert_frame_equal(found, reference)  # only where the file does not say anything
        except IntegrityError:
            seen += 1
    assert seen > 150
    for cut in (0, 1, 100, len(good) - 1):
        with pytest.raises(IntegrityError, match="damaged"):
            decoded(table, good[:cut])


def test_wrong_columns_and_twice_the_same_key():
    table, rows = frame()
    with pytest.raises(ValueError, match="'extra'"):
        parquet.encode(table, rows.assign(extra=1), {})
    with pytest.raises(IntegrityError, match="two rows have the same"):
        parquet.encode(table, pd.concat([rows, rows[:1]]), {})


def test_another_table_is_refused():
    table, rows = frame()
    data = parquet.encode(table, rows, {})
    with pytest.raises(IntegrityError, match="not a table 'replicates'"):
        decoded(estimate_tables.TABLES["replicates"], data)


def test_a_table_that_pandas_wrote_is_not_ours(tiny, tmp_path):
    """Although pandas keeps `attrs`."""
    path = tmp_path / "x.parquet"
    pm.load(tiny[1] / "transitions.parquet").to_parquet(path)
    assert pd.read_parquet(path).attrs["table"] == "transitions"
    with pytest.raises(IntegrityError, match="not a table of this version"):
        pm.load(path)


def test_load_refuses_what_the_manifest_does_not_list(tiny, tmp_path):
    for name in ("replicates.parquet", "manifest.json"):
        (tmp_path / name).write_bytes((tiny[1] / name).read_bytes())
    pm.load(tmp_path / "replicates.parquet")
    rows = pd.read_parquet(tmp_path / "replicates.parquet")
    (tmp_path / "replicates.parquet").write_bytes(parquet.encode(estimate_tables.TABLES["replicates"], rows, {}))
    with pytest.raises(IntegrityError, match="SHA-256 differs"):
        pm.load(tmp_path / "replicates.parquet")
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(IntegrityError, match="damaged"):
        pm.load(tmp_path / "replicates.parquet")
    rows.to_csv(tmp_path / "x.parquet")
    with pytest.raises(IntegrityError):
        pm.load(tmp_path / "x.parquet")


def test_pieces_are_read_in_any_order(monkeypatch):
    """The same rows, whether they share a row group with others or not."""
    monkeypatch.setattr(parquet, "MAX_PIECES", 3)
    table, lengths = frame()[0], [1, 20, 3, 4, 2, 0, 6, 11]
    rows = parquet.to_arrow(table, frame(sum(lengths))[1].assign(dim=2.0, color=0, count=1))
    sink, starts = io.BytesIO(), np.cumsum([0, *lengths])
    writer = parquet.TableWriter(sink, table, {}, 12)
    for start, length in zip(starts, lengths, strict=False):
        writer.write(rows[start : start + length])
    writer.close()
    assert pq.ParquetFile(io.BytesIO(sink.getvalue())).num_row_groups == 3
    file = parquet.TableFile(table, sink.getvalue(), "t")
    assert file.read().equals(rows.replace_schema_metadata(file.read().schema.metadata))
    for number in (*range(8), 3, 7, 0, 0, 1, 5, 2, 3, *range(8)):
        expected = rows[starts[number] : starts[number] + lengths[number]]
        same = file.rows_between(starts[number], starts[number] + lengths[number]).replace_schema_metadata(None)
        assert same.equals(expected.replace_schema_metadata(None)), number


@pytest.mark.slow
def test_loading_a_table_of_a_study_imports_no_games(tiny):
    code = "import sys, poissonmatch as pm; pm.load(sys.argv[1]); print([m for m in sys.modules if 'poissonmatch_games' in m])"
    assert python("-c", code, tiny[1] / "estimates.parquet").stdout == "[]\n"


def test_importing_the_tables_of_the_games_changes_no_others():
    code = (
        "from poissonmatch.studies.tables import estimate_tables as tables\nbefore = [*tables.TABLES]\nimport poissonmatch as pm; pm.games.tables.triangle\n"
        "print(before == [*tables.TABLES])"
    )
    assert python("-c", code).stdout == "True\n"


def estimate_rows(**values):
    """One row of `estimates`, of a single replicate."""
    texts = {
        "study": "s",
        "cell": "c",
        "process": "poisson",
        "rule": "one-color",
        "geometry": "torus",
        "quantity": "tail",
    }
    missing = "intensity_1 ratio standard_error lower upper exact exact_torus dispersion total".split()
    row = {c.name: texts.get(c.name) if c.type == "string" else 1.0 for c in estimate_tables.ESTIMATES.columns}
    row |= dict.fromkeys(missing, np.nan)
    whole = dict.fromkeys(("color", "order"), 0) | dict.fromkeys(("size", "n_replicates"), 1)
    return pd.DataFrame([{**row, **whole, "below_cutoff": True, **values}])


def test_missing_text_is_missing_in_a_row_group():
    rows = pd.concat([estimate_rows(x=x, note=note) for x, note in enumerate(["b", None, "a"])], ignore_index=True)
    data = parquet.encode(estimate_tables.ESTIMATES, rows, {})
    group = parquet.TableFile(estimate_tables.ESTIMATES, data, "x").rows_between(0, 3)
    assert group["note"].to_pylist() == ["b", None, "a"]


def test_missing_values_are_nulls(tmp_path):
    """Not NaN: `exact IS NOT NULL` and is_null() work in every program, and pandas shows NaN with the same dtypes."""
    rows = pd.concat([estimate_rows(), estimate_rows(x=2.0, exact=0.5)], ignore_index=True)
    data = parquet.encode(estimate_tables.ESTIMATES, rows, {})
    file = pq.read_table(pa.BufferReader(data))
    assert pc.is_null(file["exact"]).to_pylist() == [True, False]
    assert not any(pc.any(pc.is_nan(file[f.name])).as_py() for f in file.schema if pa.types.is_floating(f.type))
    nullable = """dim value side intensity_1 ratio x color_name standard_error lower upper interval dispersion total
        exact exact_torus cutoff note""".split()
    assert {field.name for field in file.schema if field.nullable} == {*nullable}
    found = decoded(estimate_tables.ESTIMATES, data)
    assert found["exact"].dtype == found["lower"].dtype == np.float64 and found["lower"].isna().all()
    assert parquet.encode(estimate_tables.ESTIMATES, found, {}) == data
    path = tmp_path / "x.parquet"
    path.write_bytes(data)
    assert len(pd.read_parquet(path)) == len(found)


def test_nan_in_a_file_is_impossible():
    """Whether or not the column may hold nulls."""
    table = estimate_tables.ESTIMATES
    data = parquet.encode(table, estimate_rows(), {})
    file = pq.read_table(pa.BufferReader(data))
    place = file.schema.get_field_index("exact")
    nan = file.set_column(place, file.schema.field("exact"), pa.array([np.nan], from_pandas=False))
    buffer = io.BytesIO()
    pq.write_table(nan, buffer, write_page_checksum=True)
    with pytest.raises(
        IntegrityError, match="impossible: table estimates: column exact has nan; expected: a number or null"
    ):
        decoded(table, buffer.getvalue())
    data = parquet.encode(table, estimate_rows(volume=np.nan), {})
    with pytest.raises(IntegrityError, match="volume = nan; expected: finite"):
        parquet.read(table, data, "x")
