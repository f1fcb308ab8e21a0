"""A user's own function as a process: nothing is imported unasked, its source is part of what a cell is, its faults are named."""

import json
import re
import sys

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from cli.test_hostile import call
from helpers import traps
from poissonmatch import imported, studies
from poissonmatch.errors import BadInput
from poissonmatch.pipeline import batches, fresh
from poissonmatch.sources import Place

STUDY = """studies:
  mine: {process: {import: %s}, rule: %s, dims: 2, sizes: 30, replicates: 3%s}
"""
LAB = """
import numpy as np
import poissonmatch as pm
open("mark", "a").write("imported ")
def ring(torus, intensity=1.0, wobble=0.1, *, rng):
    n = round(intensity * torus.volume)
    points = np.linspace(0, torus.side, n, endpoint=False)[:, None] * np.ones(torus.dim)
    return torus.wrap(points + rng.normal(0, wobble, points.shape))
def pairs(torus, intensities=(1.0, 1.0), words=("a",), *, rng):
    return pm.processes.two_color(torus, intensities, rng=rng)
by_number = lambda torus, counts, *, rng: pm.processes.binomial(torus, counts, rng=rng)
"""


def lay(folder, function="lab.ring", rule="one-color", more="", lab=LAB):
    (folder / "lab.py").write_text(lab)
    path = folder / "s.yaml"
    path.write_text(STUDY % (function, rule, more))
    return path


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder with a study beside its module, and another one to stand in: where `mark` says that the module was imported."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def mark(home):
    return sorted(path.name for path in (home / "here").iterdir())


# ---- nothing is imported unasked ----


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("validate", 0),
        ("status", 0),
        ("plan", 2),
        ("run", 2),
        ("repair", 2),
        ("aggregate", 4),
        ("draw", 4),
        ("report", 4),
    ],
)
def test_without_the_flag_nothing_is_imported(home, command, code):
    path = lay(home)
    found, said = call(command, str(path))
    assert found == code and mark(home) == []
    if command in ("validate", "plan", "run", "repair"):
        note = f"studies.mine.process: the process would import lab.ring from {home}/lab.py; nothing was imported: --allow-import"
        assert note in said and said.count("\n") == 1 + (command == "validate")
    if command == "validate":
        assert "1 studies, 1 cells" in said


def test_the_rest_of_the_study_is_checked_without_importing(home):
    path = lay(home, more=", dimms: 3")
    code, said = call("validate", str(path))
    assert code == 2 and "unknown key 'dimms'; did you mean 'dims'?" in said and mark(home) == []


def test_with_the_flag_it_is_imported_and_drawn(home):
    path = lay(home, "lab.ring, wobble: 0.01")
    assert call("validate", str(path), "--allow-import") == (
        0, f"{path}: 1 studies, 1 cells, 3 jobs, 3 replicates, 0 figures\n",
    )  # fmt: skip
    assert mark(home) == ["mark"]
    assert call("plan", str(path), "--allow-import")[0] == 0
    with pytest.raises(BadInput, match="nothing was imported: --allow-import"):
        pm.sweep(path)
    sweep = pm.sweep(path, allow_import=True)
    assert (sweep.replicates["points_0"] == 30).all() and sweep.estimates["exact"].isna().all()
    assert sweep.replicates["process"].str.startswith('lab.ring{"digest": ').all()
    assert pm.sweep(path, allow_import=True, processes=2).estimates.equals(sweep.estimates)
    assert pm.sweep(studies.load(path), allow_import=True).estimates.equals(sweep.estimates)
    (cell,) = studies.cells(studies.load(path, allow_import=True))
    assert cell.id == studies.cells(studies.load(path))[0].id  # named without importing


@pytest.mark.parametrize(
    ("function", "rule", "more", "counts"),
    [
        ("lab.pairs", "fussy", ", ratios: 0.5", None),  # has intensities of its own
        ("lab.by_number", "two-color", ", colors: [2, 1]", [20, 10]),  # counts
        ("lab.ring", "fussy", ", colors: [2, 1]", None),  # thinned
        ("lab.ring", "two-color", "", None),
        ("'lab.pairs', words: [x, 'y'], colors: [1, 1]", "'custom(01/10; 1,2)'", "", None),
    ],
)
def test_colors_are_its_own_or_by_thinning(home, function, rule, more, counts):
    (cell,) = studies.cells(studies.load(lay(home, function, rule, more), allow_import=True))
    found = np.array([cell.pattern(k).count(2) for k in range(40)])
    expected = np.array(cell.intensities) * cell.volume
    assert (np.abs(found.mean(axis=0) - expected) < 4 * np.sqrt(expected / 40)).all()
    assert cell.pattern(3) == cell.pattern(3) and (counts is None or (found == counts).all())


# ---- the source is part of what a cell is ----


def test_an_edit_of_the_source_is_another_cell(home):
    path = lay(home)
    before = studies.cells(studies.load(path, allow_import=True))[0]
    folder = run_with_import(path, home / "r")
    assert fresh.tables(studies.load(path), folder) == []
    lay(home, lab=LAB.replace("rng.normal", "0 * rng.normal"))
    (problem,) = fresh.tables(studies.load(path), folder)
    assert problem.kind == "out of date" and "process.digest" in problem.detail
    after = studies.cells(studies.load(path, allow_import=True))[0]
    assert after.id != before.id and np.ptp(np.diff(np.sort(after.pattern(0).points[:, 0]))) < 1e-9
    with pytest.raises(BadInput, match="lab.py has changed since"):
        imported.load.cache_clear()  # as in another process
        before.pattern(0)


def run_with_import(path, results):
    from poissonmatch.pipeline import blocks, stages

    file, folder = studies.load(path, allow_import=True), results / path.stem
    for _, _, block in batches.missing(file, folder):
        blocks.simulate(block, folder)
    stages.aggregate(studies.load(path), folder)  # needs no import
    return folder


def test_a_job_knows_place_and_permission_and_refuses_a_changed_source(home):
    path = lay(home)
    file, folder = studies.load(path, allow_import=True), home / "r" / "s"
    batches.begin(folder, "abcd", file)
    run = folder / ".run" / "abcd"
    assert json.loads((run / "study.json").read_bytes())["place"] == {"folder": str(home), "may_import": True}
    batches.write_round(run, 0, batches.deal(batches.missing(file, folder), 1, 1))
    assert batches.work(run / "0-0.json", progress=lambda line: None) == (1, 0)
    lay(home, lab=LAB + "# edited\n")
    with pytest.raises(BadInput, match="the source of lab.ring has changed"):
        batches.work(run / "0-0.json", progress=lambda line: None)
    batches.begin(folder, "abce", studies.load(path))
    batches.write_round(folder / ".run" / "abce", 0, batches.deal(batches.missing(studies.load(path), folder), 1, 1))
    with pytest.raises(BadInput, match="nothing was imported: --allow-import"):
        batches.work(folder / ".run" / "abce" / "0-0.json", progress=lambda line: None)


def test_a_shard_is_reproduced_where_its_study_lies(home):
    path = lay(home)
    folder = run_with_import(path, home / "r")
    shard = str(next((folder / "shards").rglob("*.json")))
    assert call("reproduce", shard, "--study", str(path), "--allow-import")[0] == 0
    for words in (["--study", str(path)], ["--allow-import"], []):
        code, said = call("reproduce", shard, *words)
        assert code == 2 and said.count("\n") == 1, said


def test_a_package_beside_the_study_imports_its_own_modules(home):
    path = lay(home, "lab.rings.ring")
    (home / "lab.py").unlink()
    (home / "lab").mkdir()
    (home / "lab" / "__init__.py").write_text("")
    (home / "lab" / "tools.py").write_text("SHIFT = 0.25\n")
    (home / "lab" / "rings.py").write_text(
        "import numpy as np\nfrom .tools import SHIFT\n"
        "def ring(torus, intensity=1.0, *, rng):\n    return np.full((3, torus.dim), SHIFT) + rng.random((3, torus.dim))\n"
    )
    (cell,) = studies.cells(studies.load(path, allow_import=True))
    assert cell.pattern(0).points.min() > 0.25 and not list((home / "lab").glob("__pycache__"))
    (home / "lab" / "tools.py").write_text("SHIFT = 1.25\n")
    (other,) = studies.cells(studies.load(path, allow_import=True))
    assert other.id != cell.id and other.pattern(0).points.min() > 1.25


def test_an_installed_module(home, monkeypatch):
    (home / "site").mkdir()
    monkeypatch.syspath_prepend(home / "site")
    (home / "site" / "faraway.py").write_text(LAB)
    path = lay(home, "faraway.ring")
    assert f"would import faraway.ring from {home}/site/faraway.py" in call("validate", str(path))[1]
    assert len(studies.cells(studies.load(path, allow_import=True))[0].pattern(0)) == 30
    (home / "faraway.py").write_text(LAB + "# the one beside the study comes first\n")
    assert f"would import faraway.ring from {home}/faraway.py" in call("validate", str(path))[1]


def test_modules_beside_the_study_never_stand_in_for_libraries(home):
    """Not even for those that the user's own module imports."""
    traps.lay(home, home / "trap")
    path = lay(home)
    code, said = call("validate", str(path), "--allow-import")
    assert (code, mark(home)) == (0, ["mark"]) and not (home / "trap").exists()
    assert str(home) not in sys.path and not [name for name in sys.modules if name == "lab"]


# ---- names that are none ----

NAMES = [  # what stands after `import:`, the words; nothing of it is ever imported
    ("lab", "'lab' is not the name of a function in a module, such as mymodule.ginibre"),
    ("'../lab.ring'", "is not the name of a function"),
    ("'/lab.ring'", "is not the name of a function"),
    ("'.lab.ring'", "is not the name of a function"),
    ("'lab.ring; x'", "is not the name of a function"),
    ("\"lab.'ring\"", "is not the name of a function"),
    ("\"lab.ring()\"", "is not the name of a function"),
    ("''", "is not the name of a function"),
    ("3", "a mapping with the key 'name' or the key 'import'"),
    ("[lab.ring]", "a mapping with the key 'name' or the key 'import'"),
    ("nowhere.ring", "there is no module nowhere beside the study ("),
    ("lab.deeper.ring", "there is no module lab.deeper beside the study ("),
    ("builtins.exec", "built-in is no Python source"),
    ("sys.exit", "built-in is no Python source"),
    ("lab.ring, name: poisson", "a mapping with the key 'name' or the key 'import'"),
    ("lab.ring, rng: 3", "'rng' cannot be a parameter of its own"),
    ("lab.ring, intensity: 3", "'intensity' cannot be a parameter of its own"),
    ("lab.ring, wobble: {a: 1}", "wobble must be a number, a word, true or false, or a list of them"),
    ("lab.ring, wobble: [.nan]", "wobble must be a number"),
    ("lab.ring, digest: abc", "the source of lab.ring has changed: digest"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "words"), NAMES)
@pytest.mark.parametrize("flag", [[], ["--allow-import"]])
def test_names_that_import_nothing(home, name, words, flag):
    code, said = call("validate", str(lay(home, name)), *flag)
    assert code == 2 and words in said and said.count("\n") == 1, said
    assert mark(home) == [] or (flag and "digest" in name)


FUNCTIONS = [  # what stands after `import:`, the module; the words if it may be imported
    ("os.system", LAB, "os.system(command) is no process: it must be os.system(torus, intensity=1.0, ..., *, rng)"),
    ("lab.rings", LAB, "lab.py has no function 'rings'; did you mean 'ring'?"),
    ("lab.np", LAB, ", not a function"),
    ("lab.A", "class A:\n    pass\n", "lab.A is a class, not a function"),
    ("lab.f", "f = 3\n", "lab.f is 3, not a function"),
    ("lab.f", "def f(torus, intensity): return 1\n", "lab.f(torus, intensity) is no process"),
    ("lab.f", "def f(torus, *, rng): return 1\n", "lab.f(torus, rng) is no process"),
    ("lab.f", "f = lambda: 1\n", "lab.f() is no process"),
    ("lab.ring, wobbel: 1", LAB, "lab.ring has no parameter 'wobbel'; did you mean 'wobble'?"),
    ("lab.f", "def f(torus, intensity, depth, *, rng): return 1\n", "lab.f needs the parameter 'depth', which has no default"),
    ("lab.f", "1 / 0\n", "lab.py: ZeroDivisionError: division by zero; the traceback is in "),
    ("lab.f", "def f(:\n", "lab.py: SyntaxError: "),
    ("lab.f", "raise SystemExit('bye')\n", "lab.py: SystemExit: bye; the traceback is in "),
    ("lab.f", "import sys; sys.exit(0)\n", "lab.py: SystemExit: 0; the traceback is in "),
    ("lab.f", "import neighbor\n", "put both into a package, a folder with __init__.py, and write `from . import neighbor`"),
    ("lab.f", "import nowhere_at_all\n", "lab.py: ModuleNotFoundError: No module named 'nowhere_at_all'"),
    ("lab.f", "x = '\xe9'\n".encode("latin-1"), "lab.py: SyntaxError: "),
]  # fmt: skip


@pytest.mark.parametrize(("name", "lab", "words"), FUNCTIONS)
def test_functions_that_are_no_process(home, name, lab, words):
    path = lay(home, name)
    (home / "lab.py").write_bytes(lab if isinstance(lab, bytes) else lab.encode())
    (home / "neighbor.py").write_text("")
    assert call("validate", str(path))[0] == 0 and mark(home) == []
    code, said = call("validate", str(path), "--allow-import")
    assert code == 2 and words in said and said.count("\n") == 1, said
    if "the traceback is in " in said:
        log = open(re.search(r"the traceback is in (.*\.log)", said)[1]).read()
        assert f'File "{home}/lab.py", line 1' in log and "poissonmatch/imported.py" not in log


def test_a_module_that_prints_and_wanders_changes_nothing(home, capfd):
    lab = LAB + f"\nimport os, sys\nprint('hello')\nos.chdir('/')\nsys.path.insert(0, {str(home)!r})\n"
    path = lay(home, lab=lab)
    before = list(sys.path)
    assert studies.load(path, allow_import=True).place == Place()
    assert capfd.readouterr().out == "" and mark(home) == ["mark"] and sys.path == before


def test_a_function_that_sets_and_closes_what_is_ours_changes_nothing(home, capfd):
    lab = "import numpy as np, sys\nnp.seterr(all='raise')\nprint('imported')\nsys.stdout.close()\n"
    lab += (
        "def f(torus, intensity=1.0, *, rng):\n    np.seterr(all='raise')\n    print('drawn')\n    sys.stdout.close()\n"
    )
    lab += "    sys.stderr.close()\n    return np.full((3, torus.dim), 0.5)\n"
    before = np.geterr()
    sweep = pm.sweep(lay(home, "lab.f", lab=lab), allow_import=True)
    assert len(sweep.replicates) == 3 and np.geterr() == before
    assert capfd.readouterr() == ("", "imported\n" + 3 * "drawn\n")


# ---- functions that do what they must not ----

RETURNS = [  # the body of a function, what the line says after its name and the replicate
    ("raise KeyError('no')", "KeyError: 'no'"),
    ("exit(7)", "SystemExit: 7"),
    ("return None", "points must be"),
    ("return 'points'", "points must be real numbers"),
    ("return rng.random(9)", "points must have shape (n, 2) for dim=2, not (9,)"),
    ("return rng.random((9, 3))", "points must have shape (n, 2) for dim=2, not (9, 3)"),
    ("return np.full((2, 2), np.nan)", "points, row 0, coordinate 0: nan is not finite"),
    ("return np.array([[1.0, 1.0], [99.0, 1.0]])", "points, row 1, coordinate 0: 99.0 is outside [0, 5.47723), torus.wrap(points)"),
    ("return pm.Pattern([[1.0, 1.0]], None, pm.Torus(2.0, 2))", "it returned points on Torus(side=2.0, dim=2), not on the torus"),
    ("return pm.Pattern([[1.0, 1.0]], [1], torus)", "it returned points of color 1, and was asked for 1 colors, from 0"),
    ("return pm.processes.thomas(torus, offspring=0, rng=rng)", "offspring must be positive"),
    ("return np.ma.masked_equal(np.ones((2, 2)), 1)", "points must not be masked"),
    ("return np.ones((2, 2), complex)", "points must be real numbers, not complex128"),
    ("return (x for x in 'ab')", "points must be real numbers in an array of one shape"),
    ("object.__setattr__(torus, 'side', 50.0); return np.full((1, 2), 40.0)", "points, row 0, coordinate 0: 40.0 is outside [0, 5.47723)"),
    ("raise pm.errors.BadInput('two\\nlines')", "two lines"),
    ("raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})", "Mute"),
    ("return f(torus, intensity, rng=rng)", "RecursionError: maximum recursion depth exceeded"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "words"), RETURNS)
def test_faults_of_a_function_are_named_with_the_replicate(home, body, words):
    lab = f"import numpy as np\nimport poissonmatch as pm\ndef f(torus, intensity=1.0, *, rng):\n    {body}\n"
    path = lay(home, "lab.f", lab=lab)
    with pytest.raises(BadInput) as error:
        pm.sweep(path, allow_import=True)
    assert str(error.value).startswith(f"lab.f, replicate 0: {words}"), str(error.value)
    file = studies.load(path, allow_import=True)
    batches.begin(home / "r" / "s", "abcd", file)
    run = home / "r" / "s" / ".run" / "abcd"
    batches.write_round(run, 0, batches.deal(batches.missing(file, home / "r" / "s"), 1, 1))
    code, said = call("batch", str(run / "0-0.json"))  # what it writes is the log of the job
    assert code == 2 and said.splitlines()[-1].startswith(f"lab.f, replicate 0: {words}")
    if body.startswith(("raise", "exit")):
        assert f'File "{home}/lab.py", line 4, in f' in said


def test_an_import_beside_another_study_is_no_default(home):
    """A dict and the keywords of a sweep are looked at from the current folder."""
    lay(home)
    with pytest.raises(BadInput, match="there is no module lab beside the study"):
        pm.sweep(process={"import": "lab.ring"}, dims=2, sizes=9, replicates=1, allow_import=True)
    (home / "here" / "lab.py").write_text(LAB)
    found = pm.sweep(process={"import": "lab.ring"}, dims=2, sizes=9, replicates=1, allow_import=True)
    assert isinstance(found.estimates, pd.DataFrame) and found.replicates["points_0"].tolist() == [9]
    torus = pm.Torus(3.0, 2)
    (matching,) = pm.replicates({"import": "lab.ring"}, torus, allow_import=True)
    assert matching.pattern.geometry == torus
