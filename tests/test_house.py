"""The rules of the house: imports go downward, one room has one job, lists that must agree agree."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import poissonmatch

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "poissonmatch"
# A room may import rooms of lower levels, and of its own only those named before it.
LEVELS = [
    ["geometry", "memory", "jitcache", "tables", "yamlfile", "provenance", "theory", "cost"],
    ["compiling_kernels", "lane_kernels", "cell_kernels", "nearest_kernels", "kernels", "grids"],
    ["engine", "matching", "blocking", "processes", "studies"],
    ["variants", "labels", "ponds", "desire", "measures", "frogs", "retrograde", "pond_page", "play"],
    ["observables", "estimates"],
    ["canvas", "frogfigures", "figures"],
    ["gametables", "gamefigures", "pages"],
    ["shards", "targets", "stages", "plan", "integrity", "runs"],
    ["gamecli", "cli"],
    ["__main__", "__init__"],
]
HOMES = {
    "numba": {"compiling_kernels", "lane_kernels"},
    "matplotlib": {"canvas", "frogfigures", "figures", "gamefigures"},
    "pyarrow": {"tables"},
    "snakemake": set(),
    "typer": {"cli", "gamecli", "play"},
}


def imports(path: Path) -> tuple[set[str], set[str]]:
    """(rooms of the package, other top-level modules) that a file imports."""
    own, other = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            other |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level:
            own |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            other.add(node.module.split(".")[0])
    return own, other


def rooms() -> list[Path]:
    return sorted(SOURCE.glob("*.py"))


def test_every_room_has_a_level():
    order = [room for level in LEVELS for room in level]
    assert sorted(order) == sorted(path.stem for path in rooms())


@pytest.mark.parametrize("path", rooms(), ids=lambda p: p.stem)
def test_imports_go_downward(path):
    order = [room for level in LEVELS for room in level]
    for room in imports(path)[0] & set(order):
        assert order.index(room) < order.index(path.stem), f"{path.stem} imports {room}"


@pytest.mark.parametrize("path", rooms(), ids=lambda p: p.stem)
def test_libraries_have_one_home(path):
    for library, homes in HOMES.items():
        assert library not in imports(path)[1] or path.stem in homes, f"{library} in {path.stem}"


def test_estimates_and_figures_know_tables_and_never_matchings():
    for room in ("estimates", "canvas", "frogfigures", "figures"):
        own = imports(SOURCE / f"{room}.py")[0]
        assert not own & {
            "matching",
            "engine",
            "grids",
            "kernels",
            "nearest_kernels",
            "cell_kernels",
            "observables",
            "processes",
        }


@pytest.mark.parametrize("path", sorted((SOURCE / "games").rglob("*.py")), ids=lambda p: p.stem)
def test_games_are_a_leaf(path):
    depth = len(path.relative_to(SOURCE / "games").parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (path.stem, node.module) != ("jit", "engine.jit"):
            assert node.level <= depth, f"{path.stem} imports from outside games/"
    other = imports(path)[1]
    assert not other & {"pandas", "pyarrow", "matplotlib", "scipy", "poissonmatch"}
    assert "numba" not in other or path.stem == "jit"


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: p.stem)
def test_what_is_compiled_is_in_a_file_whose_edit_compiles_all_anew(path):
    """The caches look at the files *kernels.py: a compiled function elsewhere could go stale."""
    assert "compiling_kernels" not in imports(path)[0] or path.stem.endswith("kernels")


def test_public_functions_have_docstrings():
    for path in (*rooms(), *sorted((SOURCE / "games").rglob("*.py"))):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                small = isinstance(node, ast.FunctionDef) and len(node.body) == 1
                assert ast.get_docstring(node) or small or path.stem in ("studies", "lane_kernels"), (
                    f"{path.stem}.{node.name}"
                )


def test_public_names_exist():
    for name in poissonmatch.__all__:
        assert getattr(poissonmatch, name) is not None


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


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-test.lock"])
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
