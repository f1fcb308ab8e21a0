"""The architecture: imports go downward without cycles, each library has one home, docs/architecture.md is right."""

import re
import subprocess
import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from helpers.processes import python
from helpers.sources import FILES, PACKAGES, ROOT, imports, text_of, tracked

# A subpackage imports only from those that are listed before it; poissonmatch_games, below, from all of poissonmatch.
LIBRARY = "utils engine theory rules points matching frogs survival".split()
STUDIES = "sampling tables statistics figures study_files results run report".split()
SUBPACKAGES = [*LIBRARY, *(f"studies/{name}" for name in STUDIES), "cli"]
TOP_LEVEL_FILES = {"__init__.py", "__init__.pyi", "__main__.py", "py.typed"}
TEST_FOLDERS = {*LIBRARY, "studies", "cli", "games", "helpers", "faults", "slurm", "verification"}
# Modules that import by string, and why.
STRING_IMPORTS = {
    "poissonmatch": "a public name is imported when it is first used",
    "poissonmatch.studies.figures": "a function of the figure registry is imported when it is first used",
    "poissonmatch.studies.figures.kinds": "the figure registry is read without matplotlib",
    "poissonmatch.studies.sampling.user_functions": "a study names functions of the user",
}
# Figures are drawn from tables: these modules only import what lies left of them.
DRAWS_PATTERNS = {
    "matching": {"pattern_figures"},
    "points": {"pattern_figures", "realizations", "figure_rows", "octave_points"},
}
# What needs studies, the command line, or a library that only these need.
BLOCKED = "poissonmatch.studies poissonmatch.cli snakemake pydantic typer rich jinja2 loky matplotlib".split()
LIBRARY_AT_WORK = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if any(f"{name}.".startswith(f"{blocked}.") for blocked in sys.argv[1:]):
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
import poissonmatch as pm
pattern = pm.processes.two_color(pm.Torus(10.0, 2), intensities=(1.0, 0.5), rng=1)
assert len(pm.match(pattern, "fussy").pairs) and pm.frogs.solve(pattern, "fussy").winner
assert pm.certificates.survival(dim=1, ratio=0.9, scale=20, box=1600, boxes=2, threshold=2, seed=1).complete
assert pm.theory.fussy_line(0.3).u > 0
"""


def subpackage(module: str) -> str:
    """Return the subpackage of a module of poissonmatch; "" for poissonmatch itself, and the name of the other package."""
    package, *rest = module.split(".")
    if package != PACKAGES[0]:
        return package
    return "/".join(rest[: 2 if rest[:1] == ["studies"] else 1])


def face_of_studies() -> set[str]:
    """Return the subpackages whose names poissonmatch/studies/__init__.pyi lists."""
    text = text_of("src/poissonmatch/studies/__init__.pyi")
    return set(re.findall(r"^from \.(\w+)", text, re.M))


@pytest.fixture(scope="module")
def edges() -> dict[str, set[str]]:
    """The subpackages that each subpackage imports."""
    found = {name: set() for name in SUBPACKAGES}
    for module, others in imports().items():
        if (one := subpackage(module)) in found:
            found[one] |= {subpackage(other) for other in others & set(FILES)} - {one, ""}
    found["cli"] = found["cli"] - {"studies"} | {f"studies/{name}" for name in face_of_studies()}
    return found


def test_files_are_in_the_listed_subpackages():
    source = ROOT / "src" / PACKAGES[0]
    assert {path.name for path in source.iterdir() if path.is_dir() and path.name != "__pycache__"} == {
        *LIBRARY,
        "studies",
        "cli",
    }
    assert {path.name for path in source.iterdir() if path.is_file()} == TOP_LEVEL_FILES
    studies = [path for path in (source / "studies").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert {path.name for path in studies} == set(STUDIES)
    folders = {path.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").glob("*/**/*.py")}
    assert folders <= TEST_FOLDERS


def test_names_of_files_are_unique():
    """pytest imports files of tests by their last name; a reader finds a module by it."""
    folders = [ROOT / "tests", *(ROOT / "src" / package for package in PACKAGES)]
    for folder in folders:
        names = Counter(path.name for path in folder.rglob("*.py") if not path.name.startswith("__"))
        assert [name for name, count in names.items() if count > 1 and name != "conftest.py"] == []


def test_imports_keep_the_contracts():
    """Those of pyproject.toml: layers of poissonmatch, of studies and of the games."""
    words = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_library_works_without_studies():
    """A matching, a frog game, a certificate and an exact curve."""
    assert python("-c", LIBRARY_AT_WORK, *BLOCKED).returncode == 0


def test_there_is_no_import_cycle():
    inside = {
        module: {other for other in others & set(FILES) if not module.startswith(f"{other}.")}
        for module, others in imports().items()
    }
    assert len(inside) > 250
    try:
        TopologicalSorter(inside).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_figures_are_drawn_from_tables():
    for below, allowed in DRAWS_PATTERNS.items():
        pairs = {(m, o) for m, others in imports().items() for o in others & set(FILES)}
        found = {m.rpartition(".")[2] for m, o in pairs if (subpackage(m), subpackage(o)) == ("studies/figures", below)}
        assert found <= allowed


def test_imports_by_string_are_few():
    by_string = re.compile(r"\bimport_module\(|\b__import__\(")
    assert {m for m, path in FILES.items() if by_string.search(path.read_text("utf-8"))} == set(STRING_IMPORTS)


def test_compiled_functions_of_games_are_in_files_of_kernels():
    """The cache of engine/ depends on all of its files, that of the games on *kernels.py."""
    compiled = {module for module, others in imports().items() if "poissonmatch_games.jit" in others}
    assert compiled and all(module.endswith("kernels") for module in compiled)


# ---- docs/architecture.md ----
def full_name(name: str) -> str:
    """The name of a subpackage that the page shortens."""
    return f"studies/{name}" if name in STUDIES else name


def architecture() -> str:
    return text_of("docs/architecture.md")


def test_the_table_of_subpackages_is_the_import_graph(edges):
    rows = re.findall(r"^\| `([\w/]+)/` \| [^|]+ \| ([^|]*)\|$", architecture(), re.M)
    assert {name: {full_name(other) for other in re.findall(r"\w+", others)} for name, others in rows} == edges
    assert [name for name, _ in rows] == SUBPACKAGES


def test_the_diagram_is_the_import_graph_without_implied_arrows(edges):
    """An arrow is left out if a longer path of arrows leads to the same subpackage."""
    below: dict[str, set[str]] = {}
    for name in SUBPACKAGES:
        below[name] = edges[name].union(*(below[other] for other in edges[name]))
    arrows = {
        (name, other)
        for name in SUBPACKAGES
        for other in edges[name]
        if not any(other in below[between] for between in edges[name])
    }
    drawn = re.findall(r"^  (\w+) --> (\w+)$", architecture(), re.M)
    assert {(full_name(one), full_name(other)) for one, other in drawn} == arrows


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/where-to-add.md", "CONTRIBUTING.md"])
def test_paths_in_the_architecture_exist(page):
    """Each `path/to/file.py`, `subpackage/module.NAME` and folder that the page names."""
    bases = (ROOT, ROOT / "src", *(ROOT / "src" / package for package in PACKAGES))
    for path in re.findall(r"`([\w./*]+/[\w./*]*)`", text_of(page)):
        stem, _, name = path.partition(".")
        if any([*base.glob(path.rstrip("/"))] for base in bases):
            continue
        file = next((base / f"{stem}.py" for base in bases if (base / f"{stem}.py").exists()), Path())
        assert file.is_file() and re.search(rf"\b{name.split('.')[0]}\b", text_of(file)), path


def test_names_of_modules_in_all_files_exist():
    """Those in workflow files, pages and strings of code, which no import checks."""
    named = re.compile(r"\b(?:from|import) (poissonmatch(?:_games)?\.[a-z_]+(?:\.[a-z_]+)*)")
    for file in tracked("*.py", "*.md", "*.smk", "*.yaml", "*.toml", "*Snakefile", "*Makefile"):
        assert set(named.findall(text_of(file))) <= set(FILES), file
