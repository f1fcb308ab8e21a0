"""The rules of the house: imports go downward, one wing has one job, files can be read, lists that must agree agree."""

import ast
import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
import yaml

import poissonmatch
from poissonmatch.pipeline import provenance

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "poissonmatch"
# The wings from the ground up; "" is the hall, the single files. A wing imports itself and what is below it.
WINGS = ["engine", "games", "", "frogs", "statistics", "figures", "studies", "pipeline", "cli"]
# What of the wings below, or above, a wing may import, where that is less (or more) than all below.
ONLY = {
    "engine": {"memory", "trust"},  # of the hall: guards that know nothing of points
    "games": {"engine.jit", "errors", "whole", "turns"},  # of the hall: messages, whole numbers, a game by turns
    "statistics": {"", "games"},
    "figures": {
        "errors",
        "palette",
        "rules",
        "processes",
        "geometry",
        "theory",
        "fitted_laws",
        "games",
    },  # data frames, never matchings
}
HOMES = {  # the files or wings in which a library is imported
    "numba": {"engine.jit", "engine.lanes", "games.jit"},
    "llvmlite": {"engine.jit", "engine.lanes"},
    "matplotlib": {"figures"},
    "pyarrow": {"statistics.tables", "statistics.parquet"},
    "pydantic": {"studies"},
    "yaml": {"studies.yamlfile", "studies.sweep"},
    "filelock": {"pipeline.runs"},
    "typer": {"cli"},
    "rich": {"cli", "studies.sweep"},
    "loky": {"studies.sweep"},
    "snakemake": {"pipeline.snakemake"},
    "snakemake_interface_logger_plugins": {"pipeline.snakemake", "pipeline.screen"},
    "jinja2": {"figures.pages"},
    "humanize": {"memory", "pipeline.runs"},
    "networkx": {"frames", "matching"},
    "pandas": {"frames", "matching", "pattern", "statistics", "figures", "pipeline", "studies.rounds", "studies.sweep"},
}
MODULES = sorted(provenance._name(path) for path in SOURCE.rglob("*.py"))
MOST_LINES, MOST_OF_FUNCTION = 350, 60


def wing(module: str) -> str:
    return module.partition(".")[0] if module.partition(".")[0] in WINGS else ""


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def python_files() -> list[Path]:
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py"], cwd=ROOT, capture_output=True, text=True
    )
    return [ROOT / name for name in done.stdout.split("\n") if name and (ROOT / name).exists()]


def test_every_folder_is_a_wing():
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(WINGS) - {""}


def test_files_of_tests_have_names_of_their_own():
    """pytest imports them by their last name."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("module", [m for m in MODULES if m not in ("", "__main__")])
def test_imports_go_downward(module):
    mine = wing(module)
    for other in provenance.imports(module):
        theirs = wing(other)
        if other == "" or theirs == mine or module.startswith(f"{other}.") or other == "engine":
            continue
        if mine in ONLY:
            assert {other, theirs} & ONLY[mine], f"{module} imports {other}"
        else:
            assert WINGS.index(theirs) < WINGS.index(mine), f"{module} imports {other}"


def test_the_picture_of_the_house_is_right():
    """docs/architecture.md draws an arrow from each wing to each that it imports, and no other."""
    pairs = {
        (wing(m) or "hall", wing(o) or "hall")
        for m in MODULES
        if m not in ("", "__main__")
        for o in provenance.imports(m)
        if o
    }
    words = {("engine", "hall"), ("games", "hall")}  # guards, and how messages show words
    arrows = {(one, other) for one, other in pairs if one != other} - words
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^  (\w+) --> (\w+)$", text, re.M)) == arrows


def test_no_circles():
    graph = {m: {o for o in provenance.imports(m) if o and not m.startswith(f"{o}.")} for m in MODULES if m}
    assert list(TopologicalSorter(graph).static_order())  # or CycleError


@pytest.mark.parametrize("module", MODULES)
def test_libraries_have_one_home(module):
    found = set()
    for node in ast.walk(tree(provenance.file_of(module))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module.split(".")[0])
    for library in found & set(HOMES):
        assert {module, wing(module)} & HOMES[library], f"{library} in {module}"


@pytest.mark.parametrize("module", [m for m in MODULES if wing(m) in ("engine", "games")])
def test_what_is_compiled_is_in_a_file_whose_edit_compiles_all_anew(module):
    """The cache of engine/ looks at all of its files, that of games/ at *kernels.py."""
    if module not in ("games.jit", "engine.jit") and wing(module) == "games":
        assert "games.jit" not in provenance.imports(module) or module.endswith("kernels"), module


@pytest.mark.parametrize("path", python_files(), ids=lambda p: str(p.relative_to(ROOT)))
def test_files_can_be_read_in_one_sitting(path):
    """No file is long, and no function, but a kernel that says why."""
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MOST_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= MOST_OF_FUNCTION:
            compiled = any(getattr(d, "id", "") in ("jit", "inlined") for d in node.decorator_list)
            assert compiled and re.search(r"\bLong, because\b", ast.get_docstring(node) or ""), node.name


@pytest.mark.parametrize("module", MODULES)
def test_public_functions_and_modules_have_docstrings(module):
    body = tree(provenance.file_of(module))
    assert ast.get_docstring(body)
    for node in body.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            small = isinstance(node, ast.FunctionDef) and len(node.body) == 1
            assert ast.get_docstring(node) or small or module == "engine.lanes", f"{module}.{node.name}"


def test_the_public_face():
    """dir() is the public names; each is there, is of a type that a checker sees, and is imported when it is asked for."""
    assert dir(poissonmatch) == sorted(poissonmatch.__all__)
    for name in poissonmatch.__all__:
        assert getattr(poissonmatch, name) is not None
    blocks = [node for node in tree(SOURCE / "__init__.py").body if isinstance(node, ast.If)]
    typed = {alias.asname or alias.name for node in blocks[0].body for alias in node.names}
    assert typed == set(poissonmatch.__all__)
    code = "import sys, poissonmatch; print([m for m in sys.modules if m in ('numpy', 'numba', 'pandas', 'pydantic')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def asserts(test: ast.FunctionDef) -> bool:
    """Does one see in a test itself what must hold?"""
    calls = {getattr(node.func, "attr", "") for node in ast.walk(test) if isinstance(node, ast.Call)}
    return any(isinstance(node, ast.Assert) for node in ast.walk(test)) or any(
        name in ("raises", "warns") or name.startswith("assert_") for name in calls
    )


TESTS = [path for path in python_files() if path.name.startswith("test_")]


# Not those of faults and of Slurm, which print a table of their own.
@pytest.mark.parametrize("path", [p for p in TESTS if p.parent.name not in ("faults", "slurm")], ids=lambda p: p.name)
def test_what_a_test_asserts_stands_in_it(path):
    """Helpers find; tests assert, so that they can be read as a specification."""
    tests = [
        node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert [test.name for test in tests if not asserts(test)] == []


def requirements() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pairs = (re.fullmatch(r"([A-Za-z0-9_-]+)(.*)", r).groups() for r in project["dependencies"])
    return {**dict(pairs), "python": project["requires-python"]}


def test_the_conda_environment_is_that_of_pyproject():
    conda = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    names = {
        "matplotlib-base": "matplotlib",
        "snakemake-minimal": "snakemake",
    }  # conda's names for the same without extras
    found = {}
    for line in conda:
        name, bounds = re.fullmatch(r"([a-z0-9_-]+)(.*)", line).groups()
        found[names.get(name, name)] = bounds
    assert found.pop("pip") == ""
    assert found == requirements()


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-test.lock", "requirements-docs.lock"])
def test_the_lock_files_hold_every_dependency_with_a_hash(name):
    text = (ROOT / name).read_text()
    locked = {m[1].lower().replace("_", "-"): m[2] for m in re.finditer(r"^([A-Za-z0-9_.-]+)==([^ \\]+)", text, re.M)}
    for dependency, bounds in requirements().items():
        if dependency != "python":
            least = tuple(int(x) for x in re.search(r">=([\d.]+)", bounds)[1].split("."))
            assert tuple(int(x) for x in re.findall(r"\d+", locked[dependency]))[: len(least)] >= least
    assert text.count("==") <= text.count("--hash=sha256:")
    assert "://" not in text and "index" not in text


def test_the_readme_opens_with_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^make +#", text[:1500], re.M) and re.search(r"^make test +#", text[:1500], re.M)
    for path in re.findall(r"\]\(([^)#]+)\)", text):
        assert path.startswith("https:") or (ROOT / path).exists(), path


@pytest.mark.parametrize("words", [["ruff", "check"], ["ruff", "format", "--check"]], ids=lambda w: " ".join(w))
def test_ruff_has_nothing_to_say(words):
    done = subprocess.run([sys.executable, "-m", *words, "."], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_mypy_has_nothing_to_say(tmp_path):
    words = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
