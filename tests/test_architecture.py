"""The architecture: imports go downward without cycles, each library has one home, docs/architecture.md is right."""

import re
import subprocess
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from helpers import imports

ROOT = Path(__file__).parents[1]
# A subpackage imports only from those that are listed before it.
SUBPACKAGES = """utils theory engine games rules points sampling matching tables frogs figures statistics studies pipeline
certificates cli""".split()
TOP_LEVEL_FILES = {"__init__.py", "__main__.py", "py.typed"}
TEST_FOLDERS = {*SUBPACKAGES, "helpers", "faults", "slurm", "verification"}
# Modules that may import by string, and why.
STRING_IMPORTS = {
    "": "a public name is imported when it is first used",
    "figures": "a function of the figure registry is imported when it is first used",
    "figures.kinds": "the figure registry is read without matplotlib",
    "sampling.user_functions": "a study names functions of the user",
}
# Between these subpackages only the modules on the right are imported, or import.
ONLY_IMPORTED = {("games", "engine"): {"engine.jit"}}
ONLY_IMPORTING = {  # figures are drawn from tables
    ("figures", "matching"): {"figures.objects", "figures.infinite_patterns"},
    ("figures", "points"): {"figures.objects", "figures.infinite_patterns", "figures.pictures", "figures.words"},
}
HOMES = {  # the modules or subpackages that import a library
    "numba": {"engine.jit", "engine.simd", "games.jit"},
    "llvmlite": {"engine.jit", "engine.simd"},
    "matplotlib": {"figures"},
    "pyarrow": {"tables.tables", "tables.parquet"},
    "pydantic": {"studies"},
    "pydantic_core": {"studies"},
    "yaml": {"studies.yamlfile", "studies.sweep", "pipeline.runs"},
    "filelock": {"pipeline.runs"},
    "typer": {"cli"},
    "rich": {"cli", "utils.progress_bar"},
    "loky": {"utils.worker_processes"},
    "snakemake": {"pipeline.snakemake"},
    "snakemake_interface_logger_plugins": {"pipeline.snakemake"},
    "jinja2": {"figures.pages"},
    "humanize": {"utils.memory", "utils.progress_bar"},
    "networkx": {"matching"},
    "psutil": {"utils.memory"},
    "pandas": {"points", "matching", "tables", "figures", "statistics", "studies", "pipeline"},
}


def subpackage(module: str) -> str:
    return module.partition(".")[0]


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    return imports.graph()


# ---- layout ----
def test_all_modules_are_in_the_listed_subpackages():
    folders = {path.name for path in imports.SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(SUBPACKAGES)
    assert {path.name for path in imports.SOURCE.iterdir() if path.is_file()} == TOP_LEVEL_FILES


def test_tests_are_in_folders_of_the_same_names():
    folders = {path.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").glob("*/**/*.py")}
    assert folders <= TEST_FOLDERS, folders - TEST_FOLDERS


def test_names_of_test_files_are_unique():
    """pytest imports them by their last name."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


# ---- imports ----
def upward(graph: dict[str, set[str]]) -> list[str]:
    """Return the imports of a subpackage that is not listed before the importing one."""
    level = {name: number for number, name in enumerate(SUBPACKAGES)}
    pairs = [(one, other) for one, others in graph.items() for other in others if subpackage(one) in level]
    return [
        f"{one} imports {other}"
        for one, other in pairs
        if subpackage(one) != subpackage(other) and level.get(subpackage(other), 99) >= level[subpackage(one)]
    ]


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """Return the modules of an import cycle; none if there is no cycle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_imports_go_downward(graph):
    assert len(graph) > 200 and upward(graph) == []


def test_there_is_no_import_cycle(graph):
    assert cycle(graph) == []


def test_imports_by_string_are_few():
    found = {name for name, of_it in imports.all_imports().items() if of_it.strings}
    assert found == set(STRING_IMPORTS)


def test_narrow_interfaces(graph):
    pairs = {(one, other) for one, others in graph.items() for other in others}
    for (above, below), allowed in ONLY_IMPORTED.items():
        assert {o for m, o in pairs if (subpackage(m), subpackage(o)) == (above, below)} <= {below, *allowed}
    for (above, below), allowed in ONLY_IMPORTING.items():
        assert {m for m, o in pairs if (subpackage(m), subpackage(o)) == (above, below)} <= allowed


UPWARD = {
    "at the top": "from ..cli.main import app\n",
    "of a module": "from ..cli import main\n",
    "absolute": "import poissonmatch.cli.main\n",
    "absolute, of a name": "from poissonmatch.cli.main import app\n",
    "of the whole": "from .. import cli\n",
    "in a function": "def draw():\n    from ..cli.main import app\n    return app\n",
    "in a method": "class A:\n    def draw(self):\n        import poissonmatch.cli as cli\n",
    "for type checkers": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..cli.main import app\n",
    "else": "try:\n    x = 1\nexcept ValueError:\n    from ..cli import main\n",
}


@pytest.mark.parametrize("case", UPWARD)
def test_an_upward_import_is_found_wherever_it_is(case):
    found = imports.read(UPWARD[case], "points.pattern")
    assert any(name.partition(".")[0] == "cli" for name in found.modules) and not found.strings
    assert upward({"points.pattern": {name for name in found.modules if name}})
    assert not upward({"cli.main": {"cli.jobs", "points.pattern"}})


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("import importlib\nx = importlib.import_module('poissonmatch.cli.main')\n", {"cli.main"}),
        ("from importlib import import_module\ndef f():\n    return import_module('..cli', __package__)\n", {"cli"}),
        ("import importlib\nx = importlib.import_module(f'.{name}', __package__)\n", set()),
        ("x = __import__('poissonmatch.cli')\n", {"cli"}),
        ("import importlib\nx = [importlib.import_module(n) for n in names]\n", set()),
        ("import importlib\nx = lambda: importlib.import_module(name=words)\n", set()),
    ],
)
def test_an_import_by_string_is_found(text, modules):
    found = imports.read(text, "points.pattern")
    assert len(found.strings) == 1 and found.modules == modules


def test_where_relative_imports_lead():
    assert imports.read("from . import a", "figures", is_package=True).modules == {"figures", "figures.a"}
    assert imports.read("from . import a", "figures.kinds").modules == {"figures", "figures.a"}
    assert imports.read("from .a import b", "games.toads.play").modules == {"games.toads.a", "games.toads.a.b"}
    assert imports.read("from ... import rules", "games.toads.play").modules == {"", "rules"}
    assert imports.read("import numpy as np, scipy.stats", "x").libraries == {"numpy", "scipy"}


def test_a_cycle_is_found():
    assert set(cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}})) == {"a", "b", "c"}


def test_libraries_have_one_home():
    wrong = [
        f"{library} in {module}"
        for module, found in imports.all_imports().items()
        for library in found.libraries & set(HOMES)
        if not {module, subpackage(module)} & HOMES[library]
    ]
    assert wrong == []


def test_compiled_functions_of_games_are_in_files_of_kernels(graph):
    """The cache of engine/ depends on all of its files, that of games/ on *kernels.py."""
    found = {module for module, others in graph.items() if "games.jit" in others}
    assert found and all(module.endswith("kernels") for module in found)


# ---- docs/architecture.md ----
@pytest.fixture(scope="module")
def edges(graph) -> dict[str, set[str]]:
    """The subpackages that each subpackage imports."""
    return {
        name: {subpackage(o) for m, others in graph.items() if subpackage(m) == name for o in others} - {name, ""}
        for name in SUBPACKAGES
    }


def architecture() -> str:
    return (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def test_the_table_of_subpackages_is_the_import_graph(edges):
    rows = re.findall(r"^\| `(\w+)/` \| [^|]+ \| ([^|]*)\|$", architecture(), re.M)
    assert [name for name, _ in rows] == SUBPACKAGES
    assert {name: set(re.findall(r"\w+", others)) for name, others in rows} == edges


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
    assert set(re.findall(r"^  (\w+) --> (\w+)$", architecture(), re.M)) == arrows


def test_paths_in_the_architecture_exist():
    """Each `path/to/file.py`, `subpackage/module.NAME` and folder that the page or the guide for contributors names."""
    for page in ("docs/architecture.md", "CONTRIBUTING.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for path in re.findall(r"`([\w./*]+/[\w./*]*)`", text):
            stem, _, name = path.partition(".")
            bases = (ROOT, imports.SOURCE.parent, imports.SOURCE)
            if any([*base.glob(path.rstrip("/"))] for base in bases):
                continue
            file = next((base / f"{stem}.py" for base in bases if (base / f"{stem}.py").exists()), None)
            assert file is not None, f"{page}: {path}"
            assert not name or re.search(rf"\b{name.split('.')[0]}\b", file.read_text(encoding="utf-8")), (
                f"{page}: {path}"
            )


def test_names_of_modules_in_all_files_exist():
    """Those in scripts, workflow files, pages and strings of code, which no import checks."""
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    wrong = []
    for file in (
        ROOT / name for name in done.stdout.splitlines() if not name.startswith(("CHANGELOG", "tests/test_arch"))
    ):
        if file.suffix in (".py", ".md", ".smk", ".yaml", ".toml") or file.name in ("Snakefile", "Makefile"):
            for name in re.findall(
                r"\b(?:from|import) poissonmatch\.([a-z_]+(?:\.[a-z_]+)*)", file.read_text(encoding="utf-8")
            ):
                wrong += [f"{file.relative_to(ROOT)}: {name}"] * (name not in imports.FILES)
    assert wrong == []
