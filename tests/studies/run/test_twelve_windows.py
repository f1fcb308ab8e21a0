"""Twelve study files with windows of any corner, as of measured plots: each is finished, and one that is damaged is named."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.runs import finished, manifests, mend, problems, table_of
from poissonmatch.cli.options import repairs
from poissonmatch.studies import study_files as studies

CORNERS = [(0, 0), (-3.5, -7.25), (1000, 500), (-100000, 200000), (0.125, -0.25), (-180, -90)]
STUDY = """
studies:
  plot:
    process: {{name: points, files: plot.csv, coords: [x, y], color: kind}}
    rule: two-color
    dims: 2
    geometry: {geometry}
    window: {{side: [10, 5], origin: [{corner[0]}, {corner[1]}]}}
    replicates: 1
    observables: [distances, realization, components]
figures:
  plot: {{kind: realization, studies: plot}}
"""


@pytest.fixture(scope="module")
def plots(tmp_path_factory):
    """The study files, and the folders of their finished results, by the corner and the geometry."""
    made = {}
    for number, corner in enumerate(CORNERS):
        cells = np.random.default_rng(number).choice(1600, 60, replace=False)
        points = np.array(corner) + np.column_stack(np.divmod(cells, 40)) * [0.25, 0.125]
        frame = pd.DataFrame(points, columns=["x", "y"]).assign(kind=np.resize(["oak", "ash"], 60))
        for geometry in ("box", "torus"):
            home = tmp_path_factory.mktemp(f"{geometry}{number}")
            frame.to_csv(home / "plot.csv", index=False)
            made[corner, geometry] = finished(home, STUDY.format(geometry=geometry, corner=corner))
    return made


def test_all_are_finished_and_their_pairs_are_those_of_python(plots):
    for (corner, geometry), (path, folder) in plots.items():
        assert problems(folder, path) == []
        frame = pd.read_csv(path.with_name("plot.csv"))
        space = pm.Box((10, 5), corner=corner) if geometry == "box" else pm.Torus((10, 5))
        if geometry == "torus":
            frame[["x", "y"]] -= np.array(corner)
        matching = pm.match(pm.Pattern.from_frame(frame, color="kind", geometry=space), "two-color")
        rows = pm.load(folder / "realizations.parquet").sort_values("point")
        assert rows["partner"].fillna(-1).tolist() == matching.partner.tolist()
        assert rows[["x", "y"]].to_numpy() == pytest.approx(frame[["x", "y"]].to_numpy(), abs=1e-9)
        assert pm.figures.realization(rows) is not None


def test_only_the_damaged_one_is_named_and_one_repair_mends_it(plots):
    path, folder = plots[(-3.5, -7.25), "box"]
    table_of(manifests(folder)[0], "realizations").write_bytes(b"PAR1")
    paths, folders = zip(*plots.values(), strict=True)
    files = [studies.load(each) for each in paths]
    line = repairs(paths, folders, files, Path("results"))
    assert line == f"poissonmatch repair {path} makes them again"
    mend(studies.load(path), folder)
    assert problems(folder, path) == []
