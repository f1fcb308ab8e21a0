"""Exact games as tables that grow, and their figures."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import poissonmatch as pm
from helpers.runs import peak_memory
from poissonmatch.studies.figures.text_format import plain
from poissonmatch.utils.errors import IntegrityError
from poissonmatch_games import ToadsAndFrogs, parse
from poissonmatch_games import tables as game_tables
from poissonmatch_games.checkers import certificates
from poissonmatch_games.figures import partisan_figures as figures
from poissonmatch_games.toads import OutcomeEngine
from poissonmatch_games.toads import families as fam
from poissonmatch_games.toads.bounds import bracket
from poissonmatch_games.toads.canonical import CanonicalEngine
from poissonmatch_games.toads.conjectures import CLAIMS
from poissonmatch_games.workflow import values_digest

ROOT = Path(__file__).parents[2]
MEMORY = 512 * 10**6
SMALL = {"k": range(2), "a": range(1, 3), "b": range(1, 4)}


def fill(path, seconds=300.0, ranges=SMALL, **more):
    return game_tables.toads_and_frogs(path, **ranges, memory=MEMORY, seconds=seconds, **more)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """The small table, on disk and as a frame."""
    path = tmp_path_factory.mktemp("games") / "toads_and_frogs.parquet"
    return path, fill(path)


# ---- the table of a family ----
def test_a_table_is_filled_and_read_back(table):
    path, frame = table
    assert len(frame) == 12 and (frame["agrees"] == "equal").all() and frame["value"].notna().all()
    loaded = pm.load(path)
    assert loaded.equals(frame) and loaded.attrs["versions"]["poissonmatch"]
    assert list(frame) == list(fam.COLUMNS) and frame["bounds"].isna().all() and (frame["seconds"] >= 0).all()
    (cell,) = frame.query("k == 1 and a == 2 and b == 2").itertuples()
    assert (cell.value, cell.kind, cell.source) == ("{1/2|0}", "hot", "[T] table 3.2")


def test_a_table_is_taken_up_where_it_stopped(tmp_path, monkeypatch):
    """Stopped at the 4th cell: the cells before it are there, and none of them is computed again."""
    path, computed = tmp_path / "t.parquet", []

    def stop(line):
        computed.append(line)
        if len(computed) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(game_tables, "SAVE_SECONDS", -1.0)
    with pytest.raises(KeyboardInterrupt):
        fill(path, progress=stop)
    before = pm.load(path)
    assert len(before) == 3
    frame = fill(path, progress=computed.append)
    assert len(frame) == 12
    assert len(computed) == len(set(computed)) + 1 == 13  # one cell twice: that of the stop
    assert len(frame.merge(before, on=list(before.columns))) == 3  # seconds and all
    bytes_before = path.read_bytes()
    fill(path, progress=computed.append)
    assert path.read_bytes() == bytes_before and len(computed) == 13


def test_a_cell_cut_off_by_the_clock_is_left_for_the_next_call(monkeypatch):
    """Unless it had all the time to itself; then it gets the bounds found, and the table goes on."""
    clock = [0.0]
    monkeypatch.setattr(fam, "monotonic", lambda: clock[0])

    def slow(self, strip, seconds):
        clock[0] += 6
        return (parse("0"), "outcome", 1) if clock[0] < 10 or clock[0] > 20 else (fam.Bounds(), "outcome", 1)

    monkeypatch.setattr(fam.Solver, "solve", slow)
    ranges = {"k": [0], "a": [1], "b": [1, 2, 3], "memory": MEMORY, "seconds": 10}
    first = list(fam.toads_and_frogs(**ranges))
    assert [row["b"] for row in first] == [1]
    clock[0] = 12
    second = list(fam.toads_and_frogs(**ranges | {"seconds": 3}, done=first))
    assert [(row["b"], row["value"], row["bounds"]) for row in second] == [(2, None, "V not bounded")]


def test_a_cell_over_the_memory_bound_gets_true_bounds(tmp_path, monkeypatch):
    """{1*|v} is not among the values that search looks for; `again` finds it once there is memory."""
    ranges = {"k": [1], "a": [3], "b": [2]}
    with monkeypatch.context() as patch:
        patch.setattr(fam, "CanonicalEngine", lambda memory: CanonicalEngine(100_000))
        row = fill(tmp_path / "t.parquet", ranges=ranges).iloc[0]
    assert row[["value", "kind", "agrees"]].isna().all() and row["engine"] == "outcome"
    bounds = bracket(OutcomeEngine(2**24), "TTTT..FFF", float("inf"))
    assert row["bounds"] == str(bounds) and bounds.below < ToadsAndFrogs("T^4 .. F^3").value < bounds.above
    assert fill(tmp_path / "t.parquet", ranges=ranges).iloc[0]["bounds"] == row["bounds"]
    assert fill(tmp_path / "t.parquet", ranges=ranges, again=True).iloc[0]["value"] == "{1*|v}"


@pytest.mark.slow
def test_the_memory_bound_holds_for_the_whole_process(tmp_path):
    """Cells of 1.4 and 4 million arrangements, with 600 MB: the peak of the whole process stays below."""
    words = "games toads-and-frogs --k 3 --a 4 --b 5..6 --memory 600MB --time 2min --output".split()
    words.append(str(tmp_path / "t.parquet"))
    assert peak_memory(f"from poissonmatch.cli.main import app\napp({words}, standalone_mode=False)") <= 600e6
    assert len(pm.load(tmp_path / "t.parquet")) >= 1


def test_a_damaged_table_is_refused_and_left_alone(table, tmp_path):
    data = table[0].read_bytes()
    data = data[:300] + bytes([data[300] ^ 16]) + data[301:]
    (tmp_path / "t.parquet").write_bytes(data)
    with pytest.raises(IntegrityError, match="t.parquet"):
        fill(tmp_path / "t.parquet")
    assert (tmp_path / "t.parquet").read_bytes() == data


def test_a_store_keeps_all_cells_and_the_table_gets_those_asked_for(table, tmp_path):
    path, store = tmp_path / "t.parquet", tmp_path / "cells" / "store.parquet"
    store.parent.mkdir()
    shutil.copy(table[0], store)
    frame = fill(path, ranges=SMALL | {"b": [1, 4]}, store=store)
    assert sorted(set(frame["b"])) == [1, 4] and len(frame) == 8 and pm.load(path).equals(frame)
    assert len(pm.load(store)) == 16


# ---- claims and the Triangle Game ----
@pytest.mark.slow
def test_a_row_for_each_claim(tmp_path, monkeypatch):
    lines = []
    monkeypatch.setattr(certificates, "check", lambda found: None)
    frame = game_tables.check_claims(tmp_path / "c.parquet", 8, memory=MEMORY, seconds=600, progress=lines.append)
    assert len(frame) == len(lines) == len(CLAIMS) + 4
    rows = frame.set_index("claim")
    assert set(rows.index[rows["status"] == "refuted"]) == {"E4", "T4"} == set(rows.index[rows["holds"] == False])  # noqa: E712
    assert pd.isna(rows.loc["T5, C = 3", "holds"]) and pd.isna(rows.loc["E6", "holds"])
    assert rows.loc["T5, C = 3", "remark"] == "not 0 at b = 1, 2"
    assert rows.loc["T5, C = 4", "remark"] == "not checked"
    assert pm.load(tmp_path / "c.parquet").equals(frame)


def test_the_triangle_table(tmp_path):
    frame = game_tables.triangle(tmp_path / "t.parquet", 6)
    game = pm.games.TriangleGame()
    assert all(game.grundy((r.x, r.y, r.z)) == r.grundy for r in frame.itertuples())
    first = (tmp_path / "t.parquet").read_bytes()
    game_tables.triangle(tmp_path / "t.parquet", 6)
    assert (tmp_path / "t.parquet").read_bytes() == first


# ---- figures ----
def test_the_heat_map_shows_the_table(table):
    frame = table[1].astype({"agrees": object})
    frame.loc[0, ["value", "kind", "agrees"]] = None
    frame.loc[0, "bounds"] = "0 < V < 1"
    drawing = figures.heat_map(frame)
    assert (
        "Of 12 cells 11 are published: 11 are equal to the published values, 0 inside the published bounds, 0 differ"
        in drawing.caption
    )
    panels = [ax for ax in drawing.figure.axes if ax.get_visible()]
    assert len(panels) == 2 and "(a) T^a .^b F^a; (b) T^(a+1) .^b F^a" in plain(drawing.caption)
    written = {(t.get_position(), t.get_text()) for t in panels[1].texts}
    assert written == {((r.b, r.a), r.value) for r in frame[frame["k"] == 1].itertuples()}
    assert "?" in {t.get_text() for t in panels[0].texts}


def test_long_values_of_the_heat_map_are_in_its_legend(table):
    frame = table[1].astype(object)
    frame.loc[0:1, "value"] = "{{3||2|1},4|0,{1,2,3,4,5,6|-1},{7|-2}}" * 3
    frame.loc[2, "value"] = "{{4||2|1},4|0,{1,2,3,4,5,6|-1},{7|-2}}" * 3
    drawing = figures.heat_map(frame.infer_objects())
    cells = [t.get_text() for ax in drawing.figure.axes for t in ax.texts]
    assert cells.count("A") == 2 and cells.count("B") == 1 and len(cells) == len(frame)
    (legend,) = drawing.figure.legends
    assert {t.get_text() for t in legend.get_texts()} >= set(frame["value"][:3])


# ---- the rules ----
def snakemake(*words):
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "snakemake", "games", "--snakefile", str(ROOT / "Snakefile"), *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=600)


@pytest.mark.xdist_group("snakemake here")
@pytest.mark.slow
def test_snakemake_makes_the_tables_and_takes_them_up(tmp_path):
    """A longer range adds cells to those kept; the claims and the Triangle Game stay as they are."""
    config = [
        f"results={tmp_path}",
        "games_k=0",
        "games_a=1..2",
        "games_squares=6",
        "games_total=6",
        "games_memory=1GB",
    ]
    done = snakemake("--config", *config, "games_b=1..2")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "games"
    names = {
        "toads_and_frogs.parquet",
        "toads_and_frogs.pdf",
        "toads_and_frogs.png",
        "claims.parquet",
        "triangle.parquet",
    }
    assert names <= {p.name for p in folder.iterdir()}
    assert len(pm.load(folder / "toads_and_frogs.parquet")) == 4
    assert (folder / "cells" / f"{values_digest()}.parquet").exists()
    claims = (folder / "claims.parquet").stat().st_mtime_ns
    assert "Nothing to be done" in snakemake("--dry-run", "--config", *config, "games_b=1..2").stdout
    assert snakemake("--config", *config, "games_b=1..3").returncode == 0
    assert len(pm.load(folder / "toads_and_frogs.parquet")) == 6
    assert (folder / "logs" / "toads_and_frogs.log").read_text().count("\n") == 3  # two new cells, and the last line
    assert (folder / "claims.parquet").stat().st_mtime_ns == claims
    assert len([*(folder / "stamps").glob("toads_and_frogs-*")]) == 1  # settings of before make the table again
