"""The workflow as a module: the host behaves the same with and without it, with and without a prefix."""

import os
from pathlib import Path

import pytest

from helpers.checkout import ROOT, RULES, jobs, snakemake
from helpers.processes import python
from helpers.runs import write_study

pytestmark = [pytest.mark.workflow, pytest.mark.slow]
STUDY = """
studies:
  a: {dims: 1, sizes: 60, replicates: 4, block: 2}
figures:
  tail: {kind: tail, studies: a}
"""
HOST = """
shell.prefix("NAME=host; ")

rule host:
    default_target: True
    output: "host.txt"
    params: value=config["value"]
    shell: "(echo $NAME {params.value} ${{PYTHONSAFEPATH:-unset}}; umask; python3 scripts/a.py; echo {config[value]}) > {output}"
"""
MODULE = """
module poissonmatch:
    snakefile: "{checkout}/Snakefile"
    config: {{"study": "study.yaml", "results": "scratch"}}
    {prefix}

use rule * from poissonmatch as pm_*
"""


@pytest.fixture
def host(tmp_path):
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/a.py").write_text("import helper\nprint(helper.NAME)\n")
    (tmp_path / "scripts/helper.py").write_text("NAME = 'a helper'\n")
    write_study(tmp_path, STUDY, "study")
    return tmp_path


def answer(host: Path, value: int, *words: str) -> tuple[str, bool]:
    """What the rule of the host wrote, and whether Snakemake found nothing to do, under umask 002."""
    before = os.umask(0o002)
    try:
        done = snakemake(host, "--cores", "1", *words, config=f"value={value}", source=ROOT / "src")
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stderr
    return (host / "host.txt").read_text(), "Nothing to be done" in done.stdout + done.stderr


@pytest.mark.parametrize("module", ["none", "module", "prefix"])
def test_the_rules_of_the_host_are_as_without_the_module(host, module):
    """Its prefix of shell commands, umask, modules beside scripts, and what its changed params run again."""
    prefix = 'prefix: "sub"' if module == "prefix" else ""
    text = "" if module == "none" else MODULE.format(checkout=ROOT, prefix=prefix)
    (host / "Snakefile").write_text(f"config.setdefault('value', 1)\n{text}{HOST}")
    said = "host {value} unset\n0002\na helper\n{value}\n"
    assert answer(host, 1) == (said.format(value=1), False)
    assert answer(host, 1)[1]
    assert answer(host, 2) == (said.format(value=2), False)
    if module != "none":
        page = "sub/scratch/study/report.html".removeprefix("" if prefix else "sub/")
        done = snakemake(host, "--cores", "1", page, config="", source=ROOT / "src")
        text = done.stdout + done.stderr
        assert jobs(text) == dict.fromkeys(RULES, 1), text
        assert (host / page).exists() and not (prefix and (host / "scratch").exists())


def test_a_module_without_a_study_is_refused_in_a_line(host):
    text = MODULE.format(checkout=ROOT, prefix="").replace("study.yaml", "none.yaml")
    (host / "Snakefile").write_text(f"config.setdefault('value', 1)\n{text}{HOST}")
    done = python("-m", "snakemake", "-n", cwd=host)
    lines = [line for line in (done.stdout + done.stderr).splitlines() if "none.yaml" in line]
    assert done.returncode == 1 and len(lines) == 1 and "Traceback" not in done.stderr, done.stderr
