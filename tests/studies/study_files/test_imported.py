"""A user's own function as a process: nothing is imported unasked, its source is part of what a cell is, its faults are named."""

import json
import sys

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers import traps
from helpers.command_line import call
from helpers.own_module import LAB, lay, mark
from helpers.refusals import rows
from helpers.runs import cells_of, planned, simulate_all
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import up_to_date
from poissonmatch.studies.run import batches
from poissonmatch.studies.sampling import user_functions
from poissonmatch.utils.errors import BadInput

# ---- nothing is imported unasked ----


CODES = {0: "validate status", 2: "plan run repair", 4: "aggregate draw report"}


@pytest.mark.parametrize("command, code", [(name, code) for code, names in CODES.items() for name in names.split()])
def test_without_the_flag_nothing_is_imported(home, command, code):
    path = lay(home)
    found, said = call(command, path)
    assert found == code and mark(home) == []
    if command in ("validate", "plan", "run", "repair"):
        note = f"studies.mine.process: the process would import lab.ring from {home}/lab.py; nothing was imported: --allow-import"
        assert note in said and said.count("\n") == 1 + (command == "validate")
    if command == "validate":
        assert "1 study, 1 cell" in said


def test_the_rest_of_the_study_is_checked_without_importing(home):
    path = lay(home, more=", dimms: 3")
    code, said = call("validate", path)
    assert code == 2 and "unknown key 'dimms'; did you mean 'dims'?" in said and mark(home) == []


def test_with_the_flag_it_is_imported_and_drawn(home):
    path = lay(home, "lab.ring, wobble: 0.01")
    assert call("validate", path, "--allow-import") == (
        0, f"{path}: 1 study, 1 cell, 3 jobs, 3 replicates, 0 figures\n",
    )  # fmt: skip
    assert mark(home) == ["mark"]
    assert call("plan", path, "--allow-import")[0] == 0
    with pytest.raises(BadInput, match="nothing was imported: --allow-import"):
        pm.sweep(path)
    sweep = pm.sweep(path, allow_import=True)
    assert (sweep.replicates["points_0"] == 30).all() and sweep.estimates["exact"].isna().all()
    assert sweep.replicates["process"].str.startswith('lab.ring{"digest": ').all()
    assert pm.sweep(path, allow_import=True, workers=2).estimates.equals(sweep.estimates)
    assert pm.sweep(studies.load(path), allow_import=True).estimates.equals(sweep.estimates)
    (cell,) = cells_of(path, allow_import=True)
    assert cell.id == cells_of(path)[0].id  # named without importing


# A function, a rule, more keys, and the numbers of points if they are fixed: of intensities, counts, or by thinning.
OWN = """
lab.pairs → fussy → , ratios: 0.5
lab.by_number → two-color → , intensities: [[2, 1]] → [20, 10]
lab.ring → fussy → , intensities: [[2, 1]]
lab.ring → two-color
'lab.pairs', words: [x, 'y'] → 'custom(01/10; 1,2)' → , intensities: [[1, 1]]
"""


@pytest.mark.parametrize("row", rows(OWN))
def test_colors_are_its_own_or_by_thinning(home, row):
    (cell,) = cells_of(lay(home, *row[:3]), allow_import=True)
    found = np.array([cell.pattern(k).count(2) for k in range(40)])
    expected = np.array(cell.intensities) * cell.volume
    assert (np.abs(found.mean(axis=0) - expected) < 4 * np.sqrt(expected / 40)).all()
    assert cell.pattern(3) == cell.pattern(3) and (len(row) < 4 or (found == json.loads(row[3])).all())


# ---- the source is part of what a cell is ----


def test_an_edit_of_the_source_is_another_cell(home):
    path = lay(home)
    before = cells_of(path, allow_import=True)[0]
    folder = run_with_import(path, home / "r")
    assert up_to_date.tables(studies.load(path), folder) == []
    lay(home, lab=LAB.replace("rng.normal", "0 * rng.normal"))
    (problem,) = up_to_date.tables(studies.load(path), folder)
    assert problem.kind == "out of date" and "process.digest" in problem.detail
    after = cells_of(path, allow_import=True)[0]
    assert after.id != before.id and np.ptp(np.diff(np.sort(after.pattern(0).points[:, 0]))) < 1e-9
    with pytest.raises(BadInput, match="lab.py has changed since"):
        user_functions.load.cache_clear()  # as in another process
        before.pattern(0)


def run_with_import(path, results):
    from poissonmatch.studies.run import stages

    file, folder = studies.load(path, allow_import=True), results / path.stem
    simulate_all(file, folder)
    stages.aggregate(studies.load(path), folder)  # needs no import
    return folder


def test_a_job_knows_folder_and_permission_and_refuses_a_changed_source(home):
    path = lay(home)
    file, folder = studies.load(path, allow_import=True), home / "r/s"
    plan, (manifest,) = planned(file, folder)
    assert json.loads(plan.read_bytes().splitlines()[0])["study_folder"] == {"folder": str(home), "may_import": True}
    batches.work(manifest)
    assert manifest.exists()
    manifest.unlink()
    lay(home, lab=LAB + "# edited\n")
    with pytest.raises(BadInput, match="the source of lab.ring has changed"):
        batches.work(manifest)
    plan, (manifest,) = planned(studies.load(path), folder)
    with pytest.raises(BadInput, match="nothing was imported: --allow-import"):
        batches.work(manifest)


def test_a_block_is_reproduced_where_its_study_lies(home):
    path = lay(home)
    folder = run_with_import(path, home / "r")
    block = next((folder / "blocks").glob("*.json"))
    assert call("reproduce", block, "--study", path, "--allow-import")[0] == 0
    for words in (["--study", path], ["--allow-import"], []):
        code, said = call("reproduce", block, *words)
        assert code == 2 and said.count("\n") == 1, said


def test_a_package_beside_the_study_imports_its_own_modules(home):
    path = lay(home, "lab.rings.ring")
    (home / "lab.py").unlink()
    (home / "lab").mkdir()
    (home / "lab/__init__.py").write_text("")
    (home / "lab/tools.py").write_text("SHIFT = 0.25\n")
    (home / "lab/rings.py").write_text(
        "import numpy as np\nfrom .tools import SHIFT\n"
        "def ring(torus, intensity=1.0, *, rng):\n    return np.full((3, torus.dim), SHIFT) + rng.random((3, torus.dim))\n"
    )
    (cell,) = cells_of(path, allow_import=True)
    assert cell.pattern(0).points.min() > 0.25 and not list((home / "lab").glob("__pycache__"))
    (home / "lab/tools.py").write_text("SHIFT = 1.25\n")
    (other,) = cells_of(path, allow_import=True)
    assert other.id != cell.id and other.pattern(0).points.min() > 1.25


def test_an_installed_module(home, monkeypatch):
    (home / "site").mkdir()
    monkeypatch.syspath_prepend(home / "site")
    (home / "site/faraway.py").write_text(LAB)
    path = lay(home, "faraway.ring")
    assert f"would import faraway.ring from {home}/site/faraway.py" in call("validate", path)[1]
    assert len(cells_of(path, allow_import=True)[0].pattern(0)) == 30
    (home / "faraway.py").write_text(LAB + "# the one beside the study comes first\n")
    assert f"would import faraway.ring from {home}/faraway.py" in call("validate", path)[1]


def test_modules_beside_the_study_never_stand_in_for_libraries(home):
    """Not even for those that the user's own module imports."""
    traps.lay(home, home / "trap")
    path = lay(home)
    code, said = call("validate", path, "--allow-import")
    assert (code, mark(home)) == (0, ["mark"]) and not (home / "trap").exists()
    assert str(home) not in sys.path and not [name for name in sys.modules if name == "lab"]


def test_an_import_beside_another_study_is_no_default(home):
    """A dict and the keywords of a sweep are looked at from the current folder."""
    lay(home)
    with pytest.raises(BadInput, match="there is no module lab in the folder of the study"):
        pm.sweep(process={"import": "lab.ring"}, dims=2, sizes=9, replicates=1, allow_import=True)
    (home / "here/lab.py").write_text(LAB)
    found = pm.sweep(process={"import": "lab.ring"}, dims=2, sizes=9, replicates=1, allow_import=True)
    assert isinstance(found.estimates, pd.DataFrame) and found.replicates["points_0"].tolist() == [9]
    torus = pm.Torus(3.0, 2)
    (matching,) = pm.replicates({"import": "lab.ring"}, torus, allow_import=True)
    assert matching.pattern.geometry == torus
