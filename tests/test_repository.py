"""The repository: files are short and documented, tests assert, lists that must agree agree, ruff and mypy find nothing."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import poissonmatch
from helpers import sources
from helpers.processes import python
from helpers.sources import ROOT, text_of

MAX_LINES, MAX_FUNCTION_LINES = 350, 60  # without docstrings


def tree(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@pytest.fixture(scope="module")
def files() -> dict[Path, ast.Module]:
    return {path: tree(path) for path in sources.tracked("*.py")}


def lines_of(function: ast.FunctionDef) -> int:
    """The number of lines of a function below its docstring."""
    documented = ast.get_docstring(function) is not None
    return function.end_lineno - (function.body[0].end_lineno if documented else function.lineno)


def lines_of_docstrings(body: ast.Module) -> int:
    """The number of lines of all docstrings of a file."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    first = [node.body[0] for node in ast.walk(body) if isinstance(node, kinds) and ast.get_docstring(node)]
    return sum(text.end_lineno - text.lineno + 1 for text in first)


def test_files_and_functions_are_short(files):
    """Except kernels whose docstring says why they are long."""
    long = []
    for path, body in files.items():
        if text_of(path).count("\n") - lines_of_docstrings(body) > MAX_LINES:
            long.append(path.name)
        for node in ast.walk(body):
            if isinstance(node, ast.FunctionDef) and lines_of(node) >= MAX_FUNCTION_LINES:
                compiled = any(getattr(d, "id", "") in ("jit", "inlined") for d in node.decorator_list)
                if not (compiled and re.search(r"\bLong, because\b", ast.get_docstring(node) or "")):
                    long.append(f"{path.name}: {node.name}")
    assert long == []


def test_public_names():
    """dir() is the public names; each exists, and is imported on first use."""
    assert dir(poissonmatch) == sorted(poissonmatch.__all__)
    for name in poissonmatch.__all__:
        assert getattr(poissonmatch, name) is not None
    code = "import sys, poissonmatch; print([m for m in sys.modules if m in ('numpy', 'numba', 'pandas', 'pydantic')])"
    assert python("-c", code).stdout == "[]\n"


# ---- tests ----
def asserts(test: ast.FunctionDef) -> bool:
    """Return whether a test says what must hold, itself or by a function `check_...`."""
    calls = {
        getattr(node.func, "attr", "") or getattr(node.func, "id", "")
        for node in ast.walk(test)
        if isinstance(node, ast.Call)
    }
    return any(isinstance(node, ast.Assert) for node in ast.walk(test)) or any(
        name in ("raises", "warns") or name.startswith(("assert_", "check_")) for name in calls
    )


@pytest.mark.slow
def test_every_test_asserts(files):
    """Helpers compute; tests assert. Those of faults and of Slurm print a table instead."""
    silent = [
        f"{path.name}: {node.name}"
        for path, body in files.items()
        if path.name.startswith("test_") and path.parent.name not in ("faults", "slurm")
        for node in ast.walk(body)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not asserts(node)
    ]
    assert silent == []


# ---- the files around the package ----
def requirements() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pairs = (re.fullmatch(r"([A-Za-z0-9_-]+)(.*)", r).groups() for r in project["dependencies"])
    return {**dict(pairs), "python": project["requires-python"]}


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


def test_the_readme_begins_with_the_two_commands():
    text = text_of("README.md")
    assert re.search(r"^make +#", text[:1500], re.M) and re.search(r"^make test +#", text[:1500], re.M)
    for path in re.findall(r"\]\(([^)#]+)\)", text):
        assert path.startswith("https:") or (ROOT / path).exists(), path


@pytest.mark.parametrize("words", [["ruff", "check"], ["ruff", "format", "--check"]], ids=lambda w: " ".join(w))
def test_ruff_finds_nothing(words):
    done = python("-m", *words, *sources.tracked("*.py", "*.pyi"), cwd=ROOT)
    assert done.returncode == 0, done.stdout


def test_the_spelling_is_right():
    """In sources, studies and pages, by a list of common errors; tests have wrong words on purpose."""
    files = sources.tracked("*.py", "*.pyi", "*.md", "*.yaml", "*.smk", "*.js", "*.html")
    checked = [path for path in files if "tests" not in path.relative_to(ROOT).parts]
    done = python("-m", "codespell_lib", *checked, cwd=ROOT)
    assert done.returncode == 0, done.stdout


def test_no_merge_is_left_half_done():
    texts = {path: text_of(path) for path in sources.tracked("*.md", "*.yaml", "*.toml")}
    assert texts and [path for path, text in texts.items() if re.search("^(<<<<<<<|>>>>>>>) ", text, re.M)] == []


def test_an_untidy_file_beside_the_sources_is_not_looked_at():
    untidy = ROOT / "untidy_file_of_a_test.py"
    untidy.write_text("import os\nx=1\n" * 1000)
    try:
        sources.tracked.cache_clear()
        assert untidy not in sources.tracked("*.py")
    finally:
        untidy.unlink()


@pytest.mark.slow
def test_mypy_finds_nothing(tmp_path):
    done = python("-m", "mypy", "--cache-dir", tmp_path, cwd=ROOT)
    assert done.returncode == 0, done.stdout
