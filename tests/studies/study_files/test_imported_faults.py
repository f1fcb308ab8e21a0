"""Names that are no functions, and functions that do what they must not: each fault is a line."""

import os
import re

import pytest

import poissonmatch as pm
from helpers.command_line import call
from helpers.own_module import LAB, lay, mark
from helpers.refusals import refusal, rows
from helpers.runs import manifests, planned
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.run import batches

# ---- names that are none ----

# What stands after `import:`, the words; nothing of it is ever imported.
NAMES = """
lab → 'lab' is not the name of a function in a module, such as mymodule.ginibre
'../lab.ring' → is not the name of a function
'/lab.ring' → is not the name of a function
'.lab.ring' → is not the name of a function
'lab.ring; x' → is not the name of a function
"lab.'ring" → is not the name of a function
"lab.ring()" → is not the name of a function
'' → is not the name of a function
3 → a mapping with the key 'name' or the key 'import'
[lab.ring] → a mapping with the key 'name' or the key 'import'
nowhere.ring → there is no module nowhere in the folder of the study (
lab.deeper.ring → there is no module lab.deeper in the folder of the study (
builtins.exec → built-in is not a Python source file
sys.exit → built-in is not a Python source file
lab.ring, name: poisson → a mapping with the key 'name' or the key 'import'
lab.ring, rng: 3 → 'rng' cannot be the name of a parameter
lab.ring, intensity: 3 → 'intensity' cannot be the name of a parameter
lab.ring, wobble: {a: 1} → wobble must be a number, a word, true or false, or a list of them
lab.ring, wobble: [.nan] → wobble must be a number
lab.ring, digest: abc → the source of lab.ring has changed: digest
"""


@pytest.mark.parametrize("name, words", rows(NAMES))
@pytest.mark.parametrize("flag", [[], ["--allow-import"]])
def test_names_that_import_nothing(home, name, words, flag):
    code, said = call("validate", lay(home, name), *flag)
    assert code == 2 and words in said and said.count("\n") == 1, said
    assert mark(home) == [] or (flag and "digest" in name)


# What stands after `import:`, the module, and the words if it may be imported.
FUNCTIONS = r"""
os.system → LAB → it must be os.system(torus, intensity=1.0, ..., *, rng), or with intensities or counts
lab.rings → LAB → lab.py has no function 'rings'; did you mean 'ring'?
lab.np → LAB → lab.np is not a function whose parameters can be read
lab.A → class A:\n    pass\n → lab.A() is not a process: it has no density
lab.f → f = 3\n → lab.f is not a function whose parameters can be read
lab.f → def f(torus, intensity): return 1\n → lab.f(torus, intensity) is not a process
lab.f → def f(torus, *, rng): return 1\n → lab.f(torus, *, rng) is not a process: it has no density
lab.f → def f(torus, **more): return 1\n → lab.f(torus, **more) is not a process: it has no density
lab.f → f = lambda: 1\n → lab.f() is not a process
lab.ring, wobbel: 1 → LAB → is not a process: got an unexpected keyword argument 'wobbel'
lab.f → def f(torus, intensity, depth, *, rng): return 1\n → lab.f(torus, intensity, depth, *, rng) is not a process: missing a required argument: 'depth'
lab.f → 1 / 0\n → lab.py: ZeroDivisionError: division by zero; the traceback is in
lab.f → def f(:\n → lab.py: SyntaxError:
lab.f → raise SystemExit('bye')\n → lab.py: SystemExit: bye; the traceback is in
lab.f → import sys; sys.exit(0)\n → lab.py: SystemExit: 0; the traceback is in
lab.f → raise GeneratorExit('no')\n → lab.py: GeneratorExit: no; the traceback is in
lab.f → raise type('E', (Exception,), {'__str__': None})\n → lab.py: E: it cannot be displayed, because of TypeError
lab.f → raise ModuleNotFoundError('no', name=5)\n → lab.py: ModuleNotFoundError: no
lab.f → import neighbor\n → put both into a package, a folder with __init__.py, and write `from . import neighbor`
lab.f → import nowhere_at_all\n → lab.py: ModuleNotFoundError: No module named 'nowhere_at_all'
lab.f → x = 'é'\n → lab.py: SyntaxError:
"""


@pytest.mark.parametrize("name, lab, words", rows(FUNCTIONS))
def test_functions_that_are_no_process(home, name, lab, words):
    path = lay(home, name)
    if lab != "LAB":
        (home / "lab.py").write_bytes(lab.replace(r"\n", "\n").encode("latin-1"))
    (home / "neighbor.py").write_text("")
    assert call("validate", path)[0] == 0 and mark(home) == []
    code, said = call("validate", path, "--allow-import")
    assert code == 2 and words in said and said.count("\n") == 1, said
    if "the traceback is in " in said:
        log = open(re.search(r"the traceback is in (.*\.log)", said)[1]).read()
        assert f'File "{home}/lab.py", line 1' in log and "poissonmatch/sampling/user_functions.py" not in log


# ---- functions that do what they must not ----

# The body of a function, what the line says after its name and the replicate.
RETURNS = r"""
raise KeyError('no') → KeyError: 'no'
exit(7) → SystemExit: 7
return None → points must be
return 'points' → points must be real numbers
return rng.random(9) → points must have shape (n, 2) for dim=2, got (9,)
return rng.random((9, 3)) → points must have shape (n, 2) for dim=2, got (9, 3)
return np.full((2, 2), np.nan) → points, row 0, coordinate 0: nan is not finite
return np.array([[1.0, 1.0], [99.0, 1.0]]) → points, row 1, coordinate 0: 99.0 is outside [0, 5.47723), torus.wrap(points)
return pm.Pattern([[1.0, 1.0]], None, pm.Torus(2.0, 2)) → it returned points on Torus(side=2.0, dim=2), not on its argument
return pm.Pattern([[1.0, 1.0]], [1], torus) → it returned points of color 1, and was asked for 1 colors, from 0
return pm.processes.thomas(torus, offspring=0, rng=rng) → offspring must be positive
return np.ma.masked_equal(np.ones((2, 2)), 1) → points must not be masked
return np.ones((2, 2), complex) → points must be real numbers, got complex128
return (x for x in 'ab') → points must be real numbers in an array of one shape
raise pm.utils.errors.BadInput('two\nlines') → two lines
raise type('E', (Exception,), {'__str__': lambda e: 1 / 0}) → E: it cannot be displayed, because of ZeroDivisionError
return f(torus, intensity, rng=rng) → RecursionError: maximum recursion depth exceeded
"""


@pytest.mark.parametrize("body, words", rows(RETURNS))
def test_faults_of_a_function_are_named_with_the_replicate(home, body, words):
    lab = f"import numpy as np\nimport poissonmatch as pm\ndef f(torus, intensity=1.0, *, rng):\n    {body}\n"
    path = lay(home, "lab.f", lab=lab)
    assert refusal(pm.sweep, path, allow_import=True).startswith(f"lab.f, replicate 0: {words}")
    file = studies.load(path, allow_import=True)
    plan, (manifest,) = planned(file, home / "r/s")
    code, said = call("batch", manifest)  # what it writes is the log of the job
    assert code == 2 and said.splitlines()[-1].startswith(f"lab.f, replicate 0: {words}")
    if body.startswith(("raise", "exit")):
        assert f'File "{home}/lab.py", line 4, in f' in said


MOVES = "import os\nos.chdir('/')\n" + LAB.replace("    n = round", "    os.chdir('/')\n    n = round")


def test_a_module_that_changes_the_current_folder(home):
    """Paths remain relative to the folder of the command, of the study and of a batch too."""
    here = home / "here"
    lay(home, lab=MOVES).rename(here / "s.yaml")
    (home / "lab.py").rename(here / "lab.py")
    assert call("plan-round", "s.yaml", "--allow-import", "--results", "r")[0] == 0
    (manifest,) = batches.read_plan(here / "r/s/.run/plan/loop-0.jsonl").jobs
    for command in (
        f"batch r/s/blocks/{manifest}.json",
        "simulate s.yaml --allow-import --results q",
        "repair s.yaml --allow-import --results q",
    ):
        code, text = call(*command.split())
        assert code == 0, (command, text)
        assert os.getcwd() == str(here)
    assert [*map(len, map(manifests, (here / "r/s", here / "q/s")))] == [1, 1]
