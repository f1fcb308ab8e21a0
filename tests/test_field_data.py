"""From a CSV file with species names and a rectangular plot to a figure with these names, as docs/points-from-files.md does it."""

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.command_line import call
from helpers.runs import run_study
from helpers.sources import blocks
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.report import reports
from poissonmatch.studies.tables.parquet import read
from poissonmatch.studies.tables.tables import REALIZATIONS


def block(language, number=0):
    return blocks("docs/points-from-files.md", language)[number]


@pytest.fixture
def field(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    Path("trees.csv").write_text(block("text"))
    Path("trees.yaml").write_text(block("yaml"))
    return tmp_path


def names_in(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def test_the_python_of_the_page(field):
    space = {}
    exec(block("python"), space)
    pattern, matching, trees = space["pattern"], space["matching"], space["trees"]
    assert repr(pattern).startswith("Pattern(12 points: 7 beech, 5 oak; Box(side=(60.0, 30.0), dim=2, corner=(1000.0")
    assert (field / "trees.png").stat().st_size > 5000
    figure = matching.plot()
    assert {"beech", "oak"} <= set(names_in(figure)) and figure.axes[0].get_xlim() == (1000, 1060)
    assert figure.axes[0].get_ylim() == (500, 530)
    pairs = space["pairs"]
    assert pairs["color"].tolist() == trees["species"].tolist()
    of_pair = pairs[pairs["partner"] >= 0]
    assert (of_pair["color"].astype(str) != of_pair["partner_color"].astype(str)).all()
    gaps = of_pair[["x", "y"]].to_numpy() - of_pair[["partner_x", "partner_y"]].to_numpy()
    np.testing.assert_allclose(np.hypot(*gaps.T), of_pair["distance"])
    large = pattern[trees["diameter"] > 20]
    assert len(large) == (trees["diameter"] > 20).sum() and large.grid == 0.1 and large.color_names == ("beech", "oak")
    again = pm.load_pattern(pattern.save("trees.parquet"))
    assert again == pattern and again.color_names == pattern.color_names and again.grid == pattern.grid
    exec(block("python", 1), space)
    assert space["partner"].tolist() == [1, 0, 3, 2]
    plt.close("all")


@pytest.mark.parametrize("is_flat", (False, True))
def test_the_cross_match_of_the_page(is_flat):
    """Against the pairs of both tables by increasing distance; rows without a partner are kept, of both tables."""
    space = {"pd": pd, "pm": pm}
    code = block("python", 2)
    assert code.count(", sky)") == 1
    exec(code.replace(", sky)", ", pm.Euclidean(2))") if is_flat else code, space)
    first, second, crossed, stars = (space[name] for name in ("first", "second", "crossed", "stars"))
    gaps = {(i, 3 + j): float(stars.distance(i, 3 + j)) for i in range(3) for j in range(3)}
    pairs = {}
    for (i, j), gap in sorted(gaps.items(), key=lambda item: item[1]):
        if gap <= 2 / 3600 and i not in pairs and j not in pairs.values():
            pairs[i] = j
    assert pairs == ({1: 4} if is_flat else {0: 3, 1: 4})
    found = crossed.dropna(subset="partner")
    assert dict(zip(found["point"], found["partner"], strict=True)) == pairs
    left, right = (len(table) - len(pairs) for table in (first, second))
    assert crossed["partner"].isna().sum() == left + right and crossed.loc[found.index, "ra_2"].notna().all()


def test_the_study_of_the_page(field):
    code, said = call("validate", "trees.yaml")
    assert code == 0 and "12 points in the window [1000, 1060] x [500, 530], a box" in said
    folder = run_study(Path("trees.yaml"), field / "results")
    rows, _ = read(REALIZATIONS, folder / "realizations.parquet", "realizations")
    space = {}
    exec(block("python"), space)
    np.testing.assert_array_equal(rows["partner"], space["matching"].partner)
    np.testing.assert_array_equal(rows[["x", "y"]], space["trees"][["x", "y"]])
    figure = pm.figures.realization(rows)
    assert {"beech", "oak"} <= set(names_in(figure)) and figure.axes[0].get_xlim() == (1000, 1060)
    code, said = call("status", "trees.yaml", "--results", field / "results")
    assert "12 points in the window" in said
    file = studies.load(Path("trees.yaml"))
    assert "12 points in the window" in str([*reports._asked(file)])
