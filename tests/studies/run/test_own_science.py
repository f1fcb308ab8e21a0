"""Snakemake: thinned colors, a rule by hand, points from files and an imported function, from validate to figures."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.processes import poissonmatch
from helpers.runs import problems

pytestmark = [pytest.mark.workflow, pytest.mark.slow]
STUDY = """
studies:
  lumps: {process: thomas, rule: two-color, dims: 1, sizes: 60, ratios: [0.5, 1], replicates: 4, observables: [winner]}
  grid: {process: lattice, intensities: [[1, 0.5, 0.5]], rule: {compatible: [[0, 1, 1], [1, 0, 1], [1, 1, 0]], capacity: [2, 1, 1]},
         dims: 2, sizes: 64, replicates: 4, observables: [distances]}
  trees: {process: {name: points, files: "plots/*.csv", coords: [x, y], color: kind}, rule: fussy, dims: 2, sizes: 30, replicates: 2}
  mine: {process: {import: lab.ginibre, spread: 0.5}, rule: fussy, dims: 2, sizes: 40, ratios: 0.5, replicates: 4}
figures:
  excess: {kind: transition, studies: lumps}
  tails: {kind: tail, studies: grid}
"""
LAB = """
def ginibre(torus, intensity=1.0, spread=0.1, *, rng):
    open("{mark}", "a").write("drawn\\n")
    return torus.wrap(rng.normal(0, spread, (round(intensity * torus.volume), torus.dim)))
"""


def command(home: Path, *words: object) -> tuple[int, str]:
    """Exit code and output, called in a folder that is not that of the study."""
    (home / "here").mkdir(exist_ok=True)
    done = poissonmatch(*words, cwd=home / "here", timeout=600)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_science_of_ones_own_from_validate_to_figures(tmp_path):
    home, mark = tmp_path / "a study's folder", tmp_path / "mark"
    (home / "plots").mkdir(parents=True)
    rng = np.random.default_rng(1)
    for name in "ab":
        rows = {"x": rng.random(30) * 2, "y": rng.random(30) * 2, "kind": rng.choice(["ash", "elm"], 30)}
        pd.DataFrame(rows).to_csv(home / f"plots/{name}.csv", index=False)
    (home / "lab.py").write_text(LAB.format(mark=mark))
    (home / "numpy.py").write_text(f"open({str(mark)!r}, 'a').write('numpy')\n")
    path = home / "s.yaml"
    path.write_text(STUDY)
    code, said = command(home, "validate", path)
    assert code == 0 and f"would import lab.ginibre from {home}/lab.py" in said and "4 studies, 5 cells" in said
    code, said = command(home, "run", path)
    assert code == 2 and "--allow-import if you trust it" in said and not mark.exists()
    code, said = command(home, "run", path, "--allow-import", "--cores", 2)
    assert code == 0, said
    assert set(mark.read_text().split()) == {"drawn"}
    folder = home / "here/results/s"
    assert problems(folder, path) == []
    assert sorted(p.name for p in (folder / "figures").glob("*.png")) == ["excess.png", "tails.png"]
    assert (folder / "report.html").exists()
    sweep = pm.sweep(path, allow_import=True)
    for name in ("estimates", "replicates", "distances", "ratios"):
        pd.testing.assert_frame_equal(pm.load(folder / f"{name}.parquet"), sweep.frames[name], check_exact=True)
    lumps = sweep.estimates.query("study == 'lumps' and quantity == 'unmatched_fraction' and color == 0")
    assert sorted(lumps["exact"]) == [0, 0.5]  # Theorem 8, of any ergodic process
    (home / "lab.py").write_text(LAB.format(mark=mark).replace("round(", "(lambda x: 1 / 0)("))
    code, said = command(home, "run", path, "--allow-import", "--cores", 1)
    assert code == 2 and "lab.ginibre, replicate 0: ZeroDivisionError: division by zero" in said
    log = "".join(path.read_text() for path in (folder / ".run").glob("**/*.log"))
    assert f'File "{home}/lab.py", line 4, in ginibre' in log
