"""Files for releases: one version, the dependencies of pyproject.toml, sources that exist, one true line about installing."""

import re
import tomllib

import pytest
import yaml

from helpers.sources import ROOT, text_of, tracked

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text())
RECIPE = yaml.safe_load((ROOT / "packaging/recipe.yaml").read_text())
DOCKERFILE = (ROOT / "packaging/Dockerfile").read_text().replace("\\\n", " ")


def test_one_version():
    assert PROJECT["version"] == CITED["version"] == RECIPE["context"]["version"]


def test_one_address_of_the_repository():
    """None before the repository is published, or the same in all files."""
    addresses = {
        PROJECT.get("urls", {}).get("Repository"),
        CITED.get("repository-code"),
        RECIPE["about"].get("repository"),
    }
    assert len(addresses) == 1
    written = (text_of(path) for path in (ROOT / "docs").glob("*.md"))
    assert not any("example.org" in text for text in (*written, (ROOT / "docs/conf.py").read_text()))


def test_the_recipe_and_the_conda_environment_are_those_of_pyproject():
    conda = {"matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}  # conda's packages without extras
    pairs = [re.fullmatch(r"([\w-]+)(.*)", line).groups() for line in PROJECT["dependencies"]]
    wanted = [f"python {PROJECT['requires-python']}", *(f"{conda.get(name, name)} {bound}" for name, bound in pairs)]
    assert RECIPE["requirements"]["run"] == wanted
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert environment == [*(line.replace(" ", "") for line in wanted), "pip"]
    assert RECIPE["requirements"]["host"][0] == wanted[0]
    ((name, entry),) = PROJECT["scripts"].items()
    assert RECIPE["build"]["python"]["entry_points"] == [f"{name} = {entry}"]
    assert (ROOT / "packaging" / RECIPE["source"]["path"]).resolve() == ROOT
    assert (RECIPE["about"]["license"], RECIPE["about"]["license_file"]) == (PROJECT["license"], "LICENSE")


def test_the_container_copies_what_the_wheel_needs():
    """Each source exists, and every file that the wheel includes is copied; the version of Python is allowed."""
    copied = [word for line in re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.M) for word in line.split()]
    assert [word for word in copied if not (ROOT / word).exists()] == []
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = config["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["force-include"], "src", "pyproject.toml", PROJECT["readme"], *PROJECT["license-files"]}
    assert needed | {"requirements.lock"} == set(copied)
    (minor,) = re.findall(r"^FROM python:3\.(\d+)-slim$", DOCKERFILE, re.M)
    assert int(minor) >= int(PROJECT["requires-python"].removeprefix(">=3."))


def test_the_release_checklist_names_what_exists():
    text = (ROOT / "RELEASING.md").read_text()
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    named = set(re.findall(r"(?:`|^    )make ([a-z-]+)", text, re.M))
    assert "dist" in named <= targets
    paths = re.findall(r"\b(?:packaging|docs|src|tests|benchmarks|config)/[\w./-]*\w", text)
    assert paths and [path for path in paths if not path.startswith("docs/_build") and not (ROOT / path).exists()] == []
    assert [int(number) for number in re.findall(r"^## (\d+)\. ", text, re.M)] == list(range(1, 11))


PAGES = [path for path in tracked("README.md", "docs/*.md") if not re.search(r"/_", path.as_posix())]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_page_installs_from_an_index(path):
    """The package is on none so far; RELEASING.md names this test."""
    assert not re.search(r"pip install (-\S+ )*['\"]?poissonmatch(?!-)", text_of(path))
